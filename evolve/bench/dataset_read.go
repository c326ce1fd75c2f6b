package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

// formatError is ErrFormat at a place, with what to do about it. It names no content of
// the file beyond ids.
func formatError(file string, line int, problem, remedy string) error {
	return fmt.Errorf("%s:%d: %w: %s; %s", file, line, ErrFormat, problem, remedy)
}

// lines counts the lines of what is read through it.
type lines struct {
	r      io.Reader
	read   int64
	breaks []int64 // offsets of line breaks
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			l.breaks = append(l.breaks, l.read+int64(i))
		}
	}
	l.read += int64(n)
	return n, err
}

// at is the line of an offset, from 1.
func (l *lines) at(offset int64) int {
	return 1 + sort.Search(len(l.breaks), func(i int) bool { return l.breaks[i] >= offset })
}

// eachRecord reads the records of a file as a stream: a JSON list of objects, or objects
// one after the other (JSON Lines). It hands each with its line. ErrFormat names file,
// line and remedy; a file without a record is one.
func eachRecord[T any](r io.Reader, file string, each func(line int, record *T) error) error {
	counted := &lines{r: r}
	d := json.NewDecoder(counted)
	broken := func(err error) error {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		var kind *json.UnmarshalTypeError
		var syntax *json.SyntaxError
		problem := "the file ends too early"
		offset := d.InputOffset()
		switch {
		case errors.As(err, &kind):
			problem = fmt.Sprintf("field %q is %s, want %s", kind.Field, kind.Value, kind.Type)
		case errors.As(err, &syntax):
			problem, offset = "this is no JSON", syntax.Offset
		case !errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("%s: %w", file, err) // reading failed
		}
		return formatError(file, counted.at(offset), problem, "take the file as it was published")
	}
	list, n := false, 0
	first, err := firstByte(d)
	if err != nil && !errors.Is(err, io.EOF) {
		return broken(err)
	}
	if first == '[' {
		list = true
		if _, err := d.Token(); err != nil {
			return broken(err)
		}
	}
	for d.More() {
		record := new(T)
		if err := d.Decode(record); err != nil {
			return broken(err)
		}
		if err := each(counted.at(d.InputOffset()-1), record); err != nil {
			return err
		}
		n++
	}
	if list {
		if _, err := d.Token(); err != nil {
			return broken(err)
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return formatError(file, counted.at(d.InputOffset()), "something follows the records", "take the file as it was published")
	}
	if n == 0 {
		return formatError(file, 1, "it holds no record", "give a file of this data set")
	}
	return nil
}

// firstByte is the first byte of the first value, which stays to be read.
func firstByte(d *json.Decoder) (byte, error) {
	if !d.More() { // fills the buffer
		return 0, io.EOF
	}
	rest, err := io.ReadAll(io.LimitReader(d.Buffered(), 1<<10))
	if err != nil {
		return 0, err
	}
	for _, c := range rest {
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c, nil
		}
	}
	return 0, nil
}
