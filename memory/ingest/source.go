package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

const (
	headSize = 64 << 10 // what sniffing may look at without opening the file again
	maxLine  = 16 << 20 // longest line of a text; a longer one is an error, not cut
)

// source is a file or folder to read. Its name is a base name, never a path.
type source struct {
	path string
	name string
	dir  bool
	head []byte // the first headSize bytes of a file
}

// openSource looks at path without reading it whole.
func openSource(path, original string) (*source, error) {
	src := &source{path: path, name: baseName(path, original)}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", src.name, unpath(err))
	}
	if info.IsDir() {
		src.dir = true
		return src, nil
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w: neither a file nor a folder", src.name, ErrFormat)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", src.name, unpath(err))
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", src.name, unpath(err))
	}
	src.head = trimBOM(head)
	if len(bytes.TrimSpace(src.head)) == 0 && info.Size() <= headSize {
		return nil, fmt.Errorf("read %s: %w; export it again", src.name, ErrEmpty)
	}
	return src, nil
}

// unpath drops the path from an *os.PathError, since errors name inputs by
// their base name.
func unpath(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

// open opens the file for reading from its start, after a BOM.
func (s *source) open() (io.ReadCloser, error) {
	f, err := os.Open(s.path)
	if err != nil {
		return nil, unpath(err)
	}
	r := bufio.NewReaderSize(f, headSize)
	if bom, err := r.Peek(3); err == nil && bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(3)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// lines calls f with each line of the file, numbered from 1, without its end
// (LF, CRLF or a lone CR at the end). It stops at f's first error. Text that
// isn't UTF-8, a NUL and a line above maxLine are errors that name the line.
func (s *source) lines(ctx context.Context, f func(n int, line string) error) error {
	file, err := s.open()
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
		if bytes.IndexByte(line, 0) >= 0 {
			return fmt.Errorf("line %d: %w: it holds NUL bytes, so it is binary or UTF-16; save it as UTF-8", n, ErrEncoding)
		}
		if !utf8.Valid(line) {
			return fmt.Errorf("line %d: %w; save it as UTF-8", n, ErrEncoding)
		}
		if err := f(n, string(line)); err != nil {
			return err
		}
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d: %w: above %d MiB; break the line or leave it out", n+1, ErrTooLong, maxLine>>20)
	} else if err != nil {
		return unpath(err)
	}
	return nil
}
