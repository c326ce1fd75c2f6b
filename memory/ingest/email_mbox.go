package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mbox walks over the mails of a mailbox; as a reader it ends where a mail does.
// A line "From …" behind an empty line begins a mail; ">From" in a body is "From"
// (mboxrd takes off one sign, and so does mboxo with the only one it has).
type mbox struct {
	ctx    context.Context
	r      *bufio.Reader
	single bool
	line   int
	offset int64  // bytes read
	start  int64  // where the mail begins, behind its "From " line
	ended  bool   // the mail is over
	done   bool   // the file is over
	begun  bool   // the first mail has been given
	blank  bool   // the last line was empty
	rest   []byte // of a line that a small buffer couldn't take
	size   int64
}

// newMbox reads a mailbox, or with single one mail.
func newMbox(ctx context.Context, r io.Reader, single bool) *mbox {
	return &mbox{ctx: ctx, r: bufio.NewReaderSize(r, headSize), single: single}
}

// next goes to the next mail and returns the line that it begins on.
func (m *mbox) next() (int, bool, error) {
	if m.single {
		if m.begun {
			return 0, false, nil
		}
		m.begun = true
		return 1, true, nil
	}
	for m.begun && !m.ended {
		if _, err := m.readLine(); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return 0, false, err
		}
	}
	if !m.begun {
		if _, err := m.raw(); err != nil && !errors.Is(err, io.EOF) { // the first "From " line
			return 0, false, err
		}
	}
	if m.done {
		return 0, false, nil
	}
	m.begun, m.ended, m.blank, m.size, m.rest, m.start = true, false, false, 0, nil, m.offset
	return m.line, true, nil
}

func (m *mbox) raw() ([]byte, error) {
	var long []byte
	for {
		part, err := m.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, part...); len(long) > maxLine {
				return nil, fmt.Errorf("%w: above %d MiB", ErrTooLong, maxLine>>20)
			}
			continue
		}
		if len(part) == 0 && len(long) == 0 && err != nil {
			m.done = true
			return nil, err
		}
		m.offset += int64(len(part)) + int64(len(long))
		if m.line++; m.line%4096 == 0 {
			if ctxErr := m.ctx.Err(); ctxErr != nil {
				return nil, ctxErr
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if long != nil {
			part = append(long, part...)
		}
		return part, nil
	}
}

// readLine returns the next line of the mail, io.EOF at its end.
func (m *mbox) readLine() ([]byte, error) {
	if m.ended || m.done {
		return nil, io.EOF
	}
	if len(m.rest) > 0 {
		line := m.rest
		m.rest = nil
		return line, nil
	}
	line, err := m.raw()
	if err != nil {
		m.ended = true
		return nil, err
	}
	if m.size += int64(len(line)); m.size > maxMail {
		return nil, fmt.Errorf("%w: one mail above %d MiB", ErrTooLong, maxMail>>20)
	}
	if m.single {
		return line, nil
	}
	if m.blank && isFromLine(line) {
		m.ended = true
		return nil, io.EOF
	}
	m.blank = len(bytes.TrimRight(line, "\r\n")) == 0
	if line[0] == '>' {
		if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			line = line[1:]
		}
	}
	return line, nil
}

// drain passes over what is left of the mail.
func (m *mbox) drain() error {
	for {
		if _, err := m.readLine(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// isFromLine reports whether a line separates mails: "From ", an address or
// another word, and a year or a clock behind it. A sentence in a body that isn't
// quoted, as some programs leave it, has no such end.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	rest := string(bytes.TrimRight(line[len("From "):], "\r\n"))
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return len(fields) == 1 && strings.Contains(fields[0], "@") || rest == "" || rest == "-"
	}
	clock := false
	for _, f := range fields[1:] {
		if parts := strings.Split(f, ":"); len(parts) >= 2 && len(parts[0]) <= 2 && startsDigit(parts[0]) && startsDigit(parts[1]) {
			clock = true
		}
	}
	return clock
}

func (m *mbox) Read(p []byte) (int, error) {
	line, err := m.readLine()
	if err != nil {
		return 0, err
	}
	n := copy(p, line)
	if n < len(line) {
		m.rest = bytes.Clone(line[n:])
	}
	return n, nil
}
