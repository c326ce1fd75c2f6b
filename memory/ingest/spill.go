package ingest

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// pageSize is how many bytes of a spill are read and written at once.
const pageSize = 4 << 10

// spill is an array of records of one size: so many pages of it are in memory, the
// others in a temporary file that only its owner may read and that has no name where
// the system allows that. Without need there is no file.
//
// The first error stays: records that can't be had are zero, and fault tells why.
type spill struct {
	record  int // bytes
	n       int // records
	perPage int
	file    *os.File
	named   bool
	slots   []spillPage // page p lies in slot p modulo their number
	ends    int         // pages that the file may hold
	fault   error
}

type spillPage struct {
	page    int
	changed bool
	data    []byte // nil: empty
}

// newSpill makes an array of records with pages of it in memory, at most.
func newSpill(record, pages int) *spill {
	return &spill{record: record, perPage: pageSize / record, slots: make([]spillPage, pages)}
}

// add appends a record of zeros and returns its number.
func (s *spill) add() int {
	s.n++
	return s.n - 1
}

// at is record i, up to the next call: to read, or with change to write to.
func (s *spill) at(i int, change bool) []byte {
	p := s.load(i / s.perPage)
	p.changed = p.changed || change
	from := i % s.perPage * s.record
	return p.data[from : from+s.record]
}

// load brings a page into memory.
func (s *spill) load(page int) *spillPage {
	p := &s.slots[page%len(s.slots)]
	if p.data != nil && p.page == page {
		return p
	}
	if p.data == nil {
		p.data = make([]byte, pageSize)
	} else if p.changed {
		s.write(p)
	}
	p.page, p.changed = page, false
	n := 0
	if page < s.ends {
		var err error
		if n, err = s.file.ReadAt(p.data, int64(page)*pageSize); err != nil && !errors.Is(err, io.EOF) {
			s.fail(err)
			n = 0
		}
	}
	clear(p.data[n:])
	return p
}

func (s *spill) write(p *spillPage) {
	if s.file == nil {
		f, err := os.CreateTemp("", "epagent-import-*")
		if err != nil {
			s.fail(err)
			return
		}
		s.file, s.named = f, os.Remove(f.Name()) != nil
	}
	if _, err := s.file.WriteAt(p.data, int64(p.page)*pageSize); err != nil {
		s.fail(err)
		return
	}
	s.ends = max(s.ends, p.page+1)
}

func (s *spill) fail(err error) {
	if s.fault == nil {
		s.fault = fmt.Errorf("a temporary file: %w; TMPDIR says where it lies", unpath(err))
	}
}

func (s *spill) close() {
	if s.file == nil {
		return
	}
	_ = s.file.Close()
	if s.named {
		_ = os.Remove(s.file.Name())
	}
	s.file = nil
}

// textSpill is a spill of strings, each known by its place, never 0.
type textSpill struct{ bytes *spill }

func newTextSpill(pages int) textSpill {
	t := textSpill{newSpill(1, pages)}
	t.bytes.n = 1
	return t
}

const textLength = 4 // bytes before a text that say how long it is

// add appends a text and returns its place.
func (t textSpill) add(text string) uint64 {
	at := t.bytes.n
	n := uint32(len(text))
	t.bytes.n += textLength + len(text)
	t.put(at, string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}))
	t.put(at+textLength, text)
	return uint64(at)
}

func (t textSpill) put(at int, text string) {
	for text != "" {
		p := t.bytes.load(at / pageSize)
		p.changed = true
		n := copy(p.data[at%pageSize:], text)
		at, text = at+n, text[n:]
	}
}

// get is the text at a place, "" for place 0.
func (t textSpill) get(at uint64) string {
	if at == 0 {
		return ""
	}
	var head [textLength]byte
	t.copy(head[:], int(at))
	n := int(head[0]) | int(head[1])<<8 | int(head[2])<<16 | int(head[3])<<24
	if n > t.bytes.n { // what can't be read
		return ""
	}
	text := make([]byte, n)
	t.copy(text, int(at)+textLength)
	return string(text)
}

func (t textSpill) copy(to []byte, at int) {
	for len(to) > 0 {
		n := copy(to, t.bytes.load(at / pageSize).data[at%pageSize:])
		at, to = at+n, to[n:]
	}
}
