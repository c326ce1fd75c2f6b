package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Plan is a change to a client's file, before it is made.
type Plan struct {
	Path    string // the file; behind a link, what that leads to
	Old     []byte // nil: there is no file
	New     []byte
	Changed bool
	mode    fs.FileMode
}

// ErrRace says that the file changed between reading and writing. Nothing was written.
var ErrRace = errors.New("the file has changed meanwhile")

// maxFile is how large a client's file may be, in bytes.
const maxFile = 16 << 20

// Install plans to give a client a server under a name. Of one that has it, what starts
// it is replaced, and what else the entry says stays; one that is reached by an address
// is replaced whole.
func (c Client) Install(path, name string, s Server) (*Plan, error) {
	p, err := read(path)
	if err != nil {
		return nil, err
	}
	if p.New, err = c.set(p.Old, []string{c.key, name}, s); err != nil {
		return nil, fmt.Errorf("%s: %w; or give another file by --file", p.Path, err)
	}
	p.Changed = !bytes.Equal(p.Old, p.New)
	return p, nil
}

func (c Client) set(src []byte, path []string, s Server) ([]byte, error) {
	there, err := fields(src, path, c.comments)
	if err != nil || !slices.Contains(there, "command") || slices.ContainsFunc(there, isAddress) {
		return Set(src, path, c.entry(s), c.comments) // it says what is wrong with the file
	}
	values := []struct {
		field string
		value any
	}{{"command", s.Command}, {"args", s.Args}}
	if c.typed {
		values = append(values, struct {
			field string
			value any
		}{"type", "stdio"})
	}
	for _, v := range values {
		if src, err = Set(src, append(slices.Clone(path), v.field), v.value, c.comments); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// isAddress reports whether a field of an entry says where a server is reached.
func isAddress(field string) bool {
	return slices.Contains([]string{"url", "serverUrl", "httpUrl", "headers"}, field)
}

// Uninstall plans to take a server out of a client's file.
func (c Client) Uninstall(path, name string) (*Plan, error) {
	p, err := read(path)
	if err != nil {
		return nil, err
	}
	if p.New, p.Changed, err = Remove(p.Old, []string{c.key, name}, c.comments); err != nil {
		return nil, fmt.Errorf("%s: %w; or give another file by --file", p.Path, err)
	}
	if p.Changed {
		// An object that holds no server any more is what install made, or says nothing.
		servers, err := fields(p.New, []string{c.key}, c.comments)
		if err == nil && len(servers) == 0 && !bytes.Contains(p.New, []byte("//")) && !bytes.Contains(p.New, []byte("/*")) {
			if p.New, _, err = Remove(p.New, []string{c.key}, c.comments); err != nil {
				return nil, fmt.Errorf("%s: %w; or give another file by --file", p.Path, err)
			}
		}
	}
	return p, nil
}

func read(path string) (*Plan, error) {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to // a link to a file that is kept elsewhere stays a link
	}
	p := &Plan{Path: path, mode: 0o600}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is no file; give another by --file", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %d bytes, and the limit is %d", path, info.Size(), maxFile)
	}
	p.mode = info.Mode().Perm()
	p.Old, err = os.ReadFile(path)
	return p, err
}

// Write makes the change: what was there is kept beside the file, whose path it
// returns ("" where there was none), and the new text takes its place whole. ErrRace.
func (p *Plan) Write(now time.Time) (backup string, err error) {
	if !p.Changed {
		return "", nil
	}
	if err := os.MkdirAll(filepath.Dir(p.Path), 0o700); err != nil {
		return "", err
	}
	current, err := os.ReadFile(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		current = nil
	case err != nil:
		return "", err
	}
	if !bytes.Equal(current, p.Old) {
		return "", fmt.Errorf("%s: %w; do it again", p.Path, ErrRace)
	}
	if p.Old != nil {
		backup = p.Path + ".backup-" + now.Format("20060102-150405.000")
		if err := writeNew(backup, p.Old, p.mode); err != nil {
			return "", fmt.Errorf("keep what was there: %w", err)
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(p.Path), ".epagent-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name()) // gone already when the rename succeeded
	_, err = tmp.Write(p.New)
	if err == nil {
		err = tmp.Chmod(p.mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return "", err
	}
	return backup, os.Rename(tmp.Name(), p.Path)
}

func writeNew(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
