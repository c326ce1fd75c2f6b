package ingest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds on what an archive or folder may hold. They are far above any export
// and far below what hurts.
const (
	maxMembers  = 200_000  // files; a chat of twenty years with its pictures has fewer
	maxMember   = 8 << 30  // bytes of one unpacked text
	maxUnpacked = 16 << 30 // bytes of all texts that are read
	maxRatio    = 200      // unpacked to packed, above ratioFree; chats pack 5 to 20 times
	ratioFree   = 64 << 20 // bytes that may pack as well as they like
	maxDepthDir = 6        // folders within folders
	maxParts    = 20_000   // texts that are read as one export
	minZipBytes = 22       // an empty archive
	nameLimit   = 512      // bytes of a member's path
)

// archive is a zip or a folder: a set of files under relative names with
// slashes. Nothing is ever unpacked to a disk.
type archive struct {
	dir   string // of a folder
	zip   *zip.ReadCloser
	files map[string]*zip.File
	names []string // sorted, as the export may be read; pictures and sounds included
	read  int64    // bytes unpacked so far
}

// isZip reports whether a file begins as a zip does.
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// openZip reads the table of contents and refuses what no export has: members
// that point outside, encrypted ones, far too many, far too big.
func openZip(file string) (*archive, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		if errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("%w: the zip is cut off or damaged; export or download it again", ErrFormat)
		}
		if errors.Is(err, zip.ErrInsecurePath) {
			_ = z.Close()
			return nil, fmt.Errorf("%w: a member's name points outside of the archive", ErrHostile)
		}
		return nil, unpath(err)
	}
	a := &archive{zip: z, files: make(map[string]*zip.File, len(z.File))}
	if err := a.check(); err != nil {
		_ = z.Close()
		return nil, err
	}
	slices.Sort(a.names)
	return a, nil
}

func (a *archive) check() error {
	if len(a.zip.File) > maxMembers {
		return fmt.Errorf("%w: %d members, more than %d", ErrHostile, len(a.zip.File), maxMembers)
	}
	for i, f := range a.zip.File {
		name := memberName(f)
		if strings.HasSuffix(name, "/") || f.FileInfo().IsDir() {
			continue
		}
		switch {
		case !safePath(name):
			return fmt.Errorf("member %d: %w: its name points outside of the archive or isn't a path", i+1, ErrHostile)
		case f.Mode()&fs.ModeType != 0:
			return fmt.Errorf("member %d: %w: a link or device", i+1, ErrHostile)
		case a.files[name] != nil:
			return fmt.Errorf("member %d: %w: two members of one name", i+1, ErrHostile)
		}
		if strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(path.Base(name), "._") {
			continue
		}
		a.files[name] = f
		a.names = append(a.names, name)
	}
	return nil
}

// memberName is a member's path in UTF-8. Old packers write other encodings;
// the names of media don't matter then, and the texts have ASCII names.
func memberName(f *zip.File) string {
	name := strings.ReplaceAll(f.Name, "\\", "/")
	return strings.ToValidUTF8(name, "_")
}

func safePath(name string) bool {
	return name != "" && len(name) <= nameLimit && utf8.ValidString(name) && !strings.ContainsRune(name, 0) && fs.ValidPath(name) && filepath.IsLocal(filepath.FromSlash(name))
}

// openDir lists the files under a folder. Hidden files and links are left out.
func openDir(dir string) (*archive, error) {
	a := &archive{dir: dir}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return unpath(err)
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".":
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.IsDir():
			if strings.Count(rel, "/") >= maxDepthDir {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && safePath(rel):
			a.names = append(a.names, rel)
		}
		if len(a.names) > maxMembers {
			return fmt.Errorf("%w: more than %d files in it; point at the export's own folder", ErrHostile, maxMembers)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(a.names)
	return a, nil
}

// sizeOf is how many bytes a file has, as the table of contents says; 0 unknown.
func (a *archive) sizeOf(name string) int64 {
	if f := a.files[name]; f != nil {
		return int64(min(f.UncompressedSize64, 1<<62))
	}
	if a.zip == nil {
		if info, err := os.Stat(filepath.Join(a.dir, filepath.FromSlash(name))); err == nil {
			return info.Size()
		}
	}
	return 0
}

func (a *archive) Close() error {
	if a == nil || a.zip == nil {
		return nil
	}
	return a.zip.Close()
}

// has reports whether a file of that name is there.
func (a *archive) has(name string) bool {
	_, found := slices.BinarySearch(a.names, name)
	return found
}

// open opens one file. What a zip member unpacks to is bounded in bytes and in
// its ratio to the packed size, whatever its header says.
func (a *archive) open(name string) (io.ReadCloser, error) {
	if a.zip == nil {
		f, err := os.Open(filepath.Join(a.dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, unpath(err)
		}
		return f, nil
	}
	f := a.files[name]
	if f == nil {
		return nil, fmt.Errorf("%s: %w", path.Base(name), fs.ErrNotExist)
	}
	if f.Flags&1 != 0 {
		return nil, fmt.Errorf("%s: %w: it is encrypted; unpack it with its password first", path.Base(name), ErrFormat)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path.Base(name), ErrFormat, err)
	}
	return &member{r: r, a: a, name: path.Base(name), packed: int64(min(f.CompressedSize64, 1<<62))}, nil
}

// member reads one member of a zip within its bounds.
type member struct {
	r      io.ReadCloser
	a      *archive
	name   string
	packed int64
	n      int64
}

func (m *member) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n += int64(n)
	m.a.read += int64(n)
	switch {
	case m.n > maxMember || m.a.read > maxUnpacked*4: // texts are looked at, surveyed and read
		return n, fmt.Errorf("%s: %w: it unpacks to too much", m.name, ErrHostile)
	case m.n > ratioFree && m.n/max(m.packed, 1) > maxRatio:
		return n, fmt.Errorf("%s: %w: it unpacks to more than %d times its size", m.name, ErrHostile, maxRatio)
	case err != nil && !errors.Is(err, io.EOF):
		return n, fmt.Errorf("%s: %w: byte %d: %w; export or download it again", m.name, ErrFormat, m.n, err)
	}
	return n, err
}

func (m *member) Close() error { return m.r.Close() }
