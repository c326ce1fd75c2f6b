package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// utf8BOM, and those of UTF-16: what Windows puts before a text.
var (
	utf8BOM  = []byte("\xef\xbb\xbf")
	utf16LE  = []byte("\xff\xfe")
	utf16BE  = []byte("\xfe\xff")
	lineFeed = []byte("\n")
)

// plainText passes on a file after its BOM: UTF-16 that has one as UTF-8, and a
// carriage return alone, the line end of old Macs, as a line feed. A pair stays.
func plainText(f io.Reader) io.Reader {
	r := bufio.NewReaderSize(f, headSize)
	if bom, err := r.Peek(3); err == nil && bytes.Equal(bom, utf8BOM) {
		_, _ = r.Discard(3)
	} else if bom, err := r.Peek(2); err == nil && (bytes.Equal(bom, utf16LE) || bytes.Equal(bom, utf16BE)) {
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder() // the BOM says which
		r = bufio.NewReaderSize(transform.NewReader(r, decoder), headSize)
	}
	return &lineEnds{r: r}
}

// plainHead is what plainText makes of the first bytes of a file. Half a
// character at its end is left out.
func plainHead(head []byte) []byte {
	if len(head)%2 == 1 && (bytes.HasPrefix(head, utf16LE) || bytes.HasPrefix(head, utf16BE)) {
		head = head[:len(head)-1]
	}
	out, err := io.ReadAll(plainText(bytes.NewReader(head)))
	if err != nil {
		return head
	}
	return out
}

// lineEnds turns a carriage return that no line feed follows into one.
type lineEnds struct{ r *bufio.Reader }

func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i := 0; i < n; {
		at := bytes.IndexByte(p[i:n], '\r')
		if at < 0 {
			break
		}
		i += at + 1
		next := p[i:n]
		if i == n {
			next, _ = l.r.Peek(1) // an error comes again with the next Read
		}
		if !bytes.HasPrefix(next, lineFeed) {
			p[i-1] = '\n'
		}
	}
	return n, err
}

// isText is nil for text in UTF-8; else it is the error that says what is amiss.
func isText(b []byte) error {
	switch {
	case bytes.IndexByte(b, 0) >= 0:
		return fmt.Errorf("%w: it holds NUL bytes, so it is binary or UTF-16 without a mark; save it as UTF-8", ErrEncoding)
	case !utf8.Valid(b):
		return fmt.Errorf("%w, and no other encoding is certain; save it as UTF-8, or say which by --encoding", ErrEncoding)
	}
	return nil
}
