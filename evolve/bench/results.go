package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Results is the folder of a run: what is needed to repeat it, every item done, and
// the figures. Items are appended as they are done, so that a run that was stopped
// goes on where it was; what depends on other settings, another script, model or
// program is kept beside and not used.
type Results struct {
	dir  string
	mu   sync.Mutex
	done map[string]span // where the record of a key stands in the file
	file *os.File
	size int64
	// aside is where the figures of an earlier run were moved, "" for nowhere.
	aside string
}

// span is where a line stands: records are read again when they are wanted, so that a
// long run isn't held in memory.
type span struct{ at, length int64 }

// The files of a results folder.
const (
	ItemsFile    = "items.jsonl"
	ConfigFile   = "config.json"
	ScoresFile   = "scores.json"
	HTMLFile     = "report.html"
	MarkdownFile = "report.md"
)

// OpenResults opens a results folder and makes it where it is missing. A last line
// that was cut off by a stop is dropped; any other that can't be read is an error.
func OpenResults(dir string) (*Results, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	r := &Results{dir: dir, done: map[string]span{}}
	path := filepath.Join(dir, ItemsFile)
	whole, err := r.load(path)
	if err != nil {
		return nil, err
	}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if err = r.file.Truncate(whole); err == nil {
		_, err = r.file.Seek(whole, 0)
	}
	if err != nil {
		return nil, errors.Join(err, r.file.Close())
	}
	r.size = whole
	return r, nil
}

// load reads what is there and returns how many bytes of it are whole lines.
func (r *Results) load(path string) (whole int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return whole, nil // the last line has no end: it was cut off
		}
		record := &Record{}
		if err := json.Unmarshal(line, record); err != nil || record.Key == "" {
			return 0, fmt.Errorf("%s:%d: %w; take the line out, or choose another folder", path, n, ErrFormat)
		}
		r.done[record.Key] = span{whole, int64(len(line))}
		whole += int64(len(line))
	}
}

// Folder is where the results are.
func (r *Results) Folder() string { return r.dir }

// find returns what is known under a key.
func (r *Results) find(key string) (*Record, bool) {
	if r == nil {
		return nil, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.done[key]
	if !ok {
		return nil, false
	}
	line := make([]byte, at.length)
	record := &Record{}
	if _, err := r.file.ReadAt(line, at.at); err != nil || json.Unmarshal(line, record) != nil || record.Key != key {
		return nil, false // then it is done again
	}
	return record, true
}

// keep appends a record.
func (r *Results) keep(record *Record) error {
	if r == nil {
		return nil
	}
	line, err := json.Marshal(record)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	line = append(line, '\n')
	if _, err = r.file.Write(line); err != nil {
		return fmt.Errorf("keep the results: %w; choose another folder by --out", err)
	}
	r.done[record.Key] = span{r.size, int64(len(line))}
	r.size += int64(len(line))
	return nil
}

// Aside is where the figures of an earlier run of other scripts or settings were moved
// when those of this one were written; "" where there was none.
func (r *Results) Aside() string { return r.aside }

// setAside moves the figures of an earlier run out of the way, with all that is needed
// to repeat it, unless its config is this one. The config goes last: a move that was
// stopped is gone on with by the next run.
func (r *Results) setAside(config []byte) error {
	before, err := os.ReadFile(filepath.Join(r.dir, ConfigFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(before, config) {
		return nil
	}
	if err != nil {
		return err
	}
	h := newHash()
	h.add(string(before))
	to := filepath.Join(r.dir, "earlier", h.sum()[:12])
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, name := range []string{ScoresFile, HTMLFile, MarkdownFile, ConfigFile} {
		err := os.Rename(filepath.Join(r.dir, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	r.aside = to
	return nil
}

// Write puts a file beside the items, whole or not at all.
func (r *Results) Write(name string, data []byte) error {
	path := filepath.Join(r.dir, name)
	temp, err := os.CreateTemp(r.dir, "."+name+"-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// Close closes the folder.
func (r *Results) Close() error {
	if r == nil {
		return nil
	}
	return r.file.Close()
}
