package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"
)

const (
	headSize = 64 << 10 // what sniffing may look at without opening the file again
	maxLine  = 16 << 20 // longest line of a text; a longer one is an error, not cut
)

// source is a file or folder to read, or a file in an archive. Its name is a
// base name, never a path.
type source struct {
	path string
	name string
	chat string // what the file is called after where its own name is the app's: its folder's
	dir  bool
	head []byte // the first headSize bytes of a file

	in     *archive // the zip or folder: of a whole one, or of the member
	member string   // path in it, "" for the whole
	shape  *shape   // of JSON, once asked for
	unread []string // of a whole one: files in it that are left out and named

	charset charset // of a text without a mark; a mail says itself how it is encoded
	given   charset // what Options.Encoding says, asUTF8 for nothing
	decoded bool    // it was read by it

	mailbox bool // of mail: many, not one
}

// filePath is where the text lies as a file of its own, outside of any zip.
func (s *source) filePath() (string, bool) {
	switch {
	case s.member == "":
		return s.path, !s.whole()
	case s.in.zip == nil:
		return filepath.Join(s.in.dir, filepath.FromSlash(s.member)), true
	}
	return "", false
}

// whole reports whether the source is a zip or folder, not a text.
func (s *source) whole() bool { return s.in != nil && s.member == "" }

// part is one file of a zip or folder, as a source of its own.
func (s *source) part(member string) (*source, error) {
	p := &source{name: path.Base(member), in: s.in, member: member, given: s.given}
	r, err := s.in.open(member)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, headSize))
	if err != nil {
		return nil, err
	}
	p.takeHead(head)
	return p, nil
}

// takeHead keeps the first bytes of the file, in UTF-8.
func (s *source) takeHead(head []byte) {
	if !isZip(head) {
		s.charset = charsetOf(head, s.given)
	}
	if s.charset == asUTF16LE || s.charset == asUTF16BE {
		head = head[:len(head)&^1]
	}
	if s.charset != asUTF8 {
		if out, err := s.charset.decodeHead(head); err == nil {
			head = out
		}
	}
	s.head = plainHead(head)
}

// place is how reports call the source: the path in a zip or folder, else the name.
func (s *source) place() string {
	if s.member != "" {
		return s.member
	}
	return s.name
}

// stem is the name without its extension: what a chat's title is taken from.
func (s *source) stem() string {
	if s.chat != "" {
		return s.chat
	}
	return stemOf(s.name)
}

func (s *source) close() { _ = s.in.Close() }

// openSource looks at file without reading it whole.
func openSource(file, original string, given charset) (*source, error) {
	src := &source{path: file, given: given, name: baseName(file, original), chat: folderName(file, original)}
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", src.name, unpath(err))
	}
	if info.IsDir() {
		src.dir = true
		src.in, err = openDir(file)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", src.name, err)
		}
		return src, nil
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w: neither a file nor a folder", src.name, ErrFormat)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", src.name, unpath(err))
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", src.name, unpath(err))
	}
	src.takeHead(head)
	if isZip(head) {
		if src.in, err = openZip(file); err != nil {
			return nil, fmt.Errorf("read %s: %w", src.name, err)
		}
		return src, nil
	}
	if len(bytes.TrimSpace(src.head)) == 0 && info.Size() <= headSize {
		return nil, fmt.Errorf("read %s: %w; export it again", src.name, ErrEmpty)
	}
	return src, nil
}

// folderName is the folder of a file whose own name is the same in each chat.
func folderName(file, original string) string {
	if original != "" {
		file = original
	} else if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	file = filepath.ToSlash(file)
	if dir := path.Base(path.Dir(file)); slices.Contains(mains, path.Base(file)) && dir != "." && dir != "/" {
		return dir
	}
	return ""
}

// unpath drops the path from an *os.PathError, since errors name inputs by
// their base name.
func unpath(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, utf8BOM) }

// open opens the file for reading from its start, as plainText passes it on: in UTF-8
// where it is UTF-16, else as its bytes are.
func (s *source) open() (io.ReadCloser, error) {
	if s.charset == asUTF16LE || s.charset == asUTF16BE {
		s.decoded = true
		return s.openAs(s.charset)
	}
	return s.openAs(asUTF8)
}

// openText is open for a text that doesn't say itself how it is encoded.
func (s *source) openText() (io.ReadCloser, error) {
	s.decoded = true
	return s.openAs(s.charset)
}

func (s *source) openAs(c charset) (io.ReadCloser, error) {
	var f io.ReadCloser
	var err error
	if s.member != "" {
		f, err = s.in.open(s.member)
	} else {
		f, err = os.Open(s.path)
	}
	if err != nil {
		return nil, unpath(err)
	}
	return struct {
		io.Reader
		io.Closer
	}{plainText(c.decode(f)), f}, nil
}

// lines calls f with each line of the file, numbered from 1, without its end
// (LF, CRLF or a lone CR). It stops at f's first error. Text that isn't UTF-8, a
// NUL and a line above maxLine are errors that name the line.
func (s *source) lines(ctx context.Context, f func(n int, line string) error) error {
	file, err := s.openText()
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(make([]byte, 0, headSize), maxLine)
	n := 0
	for scan.Scan() {
		n++
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		line := bytes.TrimSuffix(scan.Bytes(), []byte("\r"))
		if err := isText(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(line) > 0 && line[0] >= utf8.RuneSelf {
			line = bytes.TrimLeft(line, invisible) // it would hide who speaks
		}
		if err := f(n, string(line)); err != nil {
			return err
		}
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: %w: above %d MiB; break the line or leave it out", n+1, ErrTooLong, maxLine>>20)
	} else if errors.Is(err, ErrEncoding) {
		return fmt.Errorf("line %d or soon after: %w", n+1, err)
	} else if err != nil {
		return unpath(err)
	}
	return nil
}
