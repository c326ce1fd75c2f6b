package ingest

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A text without a mark says nothing of how it is encoded. UTF-8 is certain by its form.
// Two more are taken where what the text begins with bears them out, and the report says
// which: UTF-16 and Windows-1252, in which ISO 8859-1 is contained. Everything else,
// such as GB18030 or Shift JIS, can be taken for another one and is refused with the
// line named, unless somebody says which it is: a wrong letter in a name makes another
// person.

// charset is how a text without a mark is encoded: one of those below, or the name of
// another one that was given.
type charset string

const (
	asUTF8    charset = ""
	asUTF16LE charset = "UTF-16LE"
	asUTF16BE charset = "UTF-16BE"
	asWindows charset = "Windows-1252"
)

// KnownEncoding reports whether name, "" included, is that of an encoding as
// [Options].Encoding takes it: a label of the WHATWG Encoding Standard.
func KnownEncoding(name string) bool {
	e, err := htmlindex.Get(name)
	return name == "" || err == nil && e != encoding.Replacement
}

// givenCharset is the charset of a known name.
func givenCharset(name string) charset {
	e, err := htmlindex.Get(name)
	if err != nil {
		return asUTF8
	}
	switch name, _ = htmlindex.Name(e); name {
	case "utf-8":
		return asUTF8
	case "utf-16le":
		return asUTF16LE
	case "utf-16be":
		return asUTF16BE
	case "gbk":
		return "gb18030" // holds it
	}
	return charset(name)
}

// charsetOf tells it from the first bytes of a file. What was given holds for texts that
// don't show themselves to be UTF-8 or to have a mark.
func charsetOf(head []byte, given charset) charset {
	switch {
	case bytes.HasPrefix(head, utf8BOM), bytes.HasPrefix(head, utf16LE), bytes.HasPrefix(head, utf16BE):
		return asUTF8
	case given != asUTF8 && (!validStart(head) || isASCII(string(head))):
		return given
	case bytes.IndexByte(head, 0) >= 0:
		return unmarkedUTF16(head)
	case !validStart(head) && windowsText(head):
		return asWindows
	}
	return asUTF8
}

// validStart is utf8.Valid for bytes that may end within a character.
func validStart(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(b)
		}
		b = b[n:]
	}
	return true
}

// minUTF16 is how many code units there must be to tell UTF-16 without its mark.
const minUTF16 = 32

// unmarkedUTF16 tells the order of bytes: in the right one there are blanks, figures
// and line ends among characters that exist; in the other one these make others.
func unmarkedUTF16(head []byte) charset {
	le, be := units(head, 0, 1), units(head, 1, 0)
	switch l, b := plainShare(le), plainShare(be); {
	case l > 0.05 && l > 4*b:
		return asUTF16LE
	case b > 0.05 && b > 4*l:
		return asUTF16BE
	}
	return asUTF8
}

func units(b []byte, low, high int) []uint16 {
	out := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		out = append(out, uint16(b[i+low])|uint16(b[i+high])<<8)
	}
	return out
}

// plainShare is the share of blanks, figures, line ends and ASCII marks; 0 where the
// units are no text.
func plainShare(u []uint16) float64 {
	if len(u) < minUTF16 {
		return 0
	}
	plain := 0
	for i, r := range utf16.Decode(u) {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			plain++
		case r < 0x20 || r == utf8.RuneError && i < len(u)-1 || r >= 0x80 && !unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r):
			return 0
		case r < 0x80 && !unicode.IsLetter(r):
			plain++
		}
	}
	return float64(plain) / float64(len(u))
}

// windowsLetters are the letters outside of ASCII of the languages that wrote in
// Windows-1252; windowsMarks its marks that texts have. What else is above ASCII there
// speaks for another encoding.
const (
	windowsLetters = "àáâãäåæçèéêëìíîïñòóôõöøùúûüßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜœŒ"
	windowsMarks   = "€…‘’“”•–—\u00a0¡«»¿°§´"
)

var windowsBytes = func() (out [256]byte) {
	for i := 0x80; i < 256; i++ {
		switch r := charmap.Windows1252.DecodeByte(byte(i)); {
		case strings.ContainsRune(windowsLetters, r):
			out[i] = 'a'
		case strings.ContainsRune(windowsMarks, r):
			out[i] = '.'
		}
	}
	return out
}()

// windowsText reports whether bytes that aren't UTF-8 are Windows-1252: each letter
// outside of ASCII stands in a word with others of ASCII, and each byte is of those
// languages. Where the neighbours of a letter are those of Hungarian or Polish it isn't.
func windowsText(head []byte) bool {
	letters, alone := 0, 0
	for i, c := range head {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
		if c < 0x80 {
			continue
		}
		kind := windowsBytes[c]
		if kind == 0 {
			return false
		}
		if kind != 'a' {
			continue
		}
		before, after := at(head, i-1), at(head, i+1)
		if before >= 0x80 && windowsBytes[before] == 'a' && after >= 0x80 && windowsBytes[after] == 'a' {
			return false // three in a row: a script of its own
		}
		letters++
		if !asciiLetter(before) && !asciiLetter(after) {
			alone++
		}
		if (c == 0xf5 || c == 0xd5) && after|0x20 != 'e' { // "õe" is Portuguese; else it stands for Hungarian "ő"
			return false
		}
	}
	return letters > 0 && alone*4 <= letters
}

func at(b []byte, i int) byte {
	if i < 0 || i >= len(b) {
		return 0
	}
	return b[i]
}

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// decode passes on a text in UTF-8. A byte that the encoding's texts don't have is an
// error.
func (c charset) decode(r io.Reader) io.Reader {
	switch c {
	case asUTF16LE:
		return transform.NewReader(r, xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM).NewDecoder())
	case asUTF16BE:
		return transform.NewReader(r, xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM).NewDecoder())
	case asWindows:
		return &windowsReader{r: r}
	case asUTF8:
		return r
	}
	e, err := htmlindex.Get(string(c))
	if err != nil {
		return r
	}
	return &strictReader{r: transform.NewReader(r, e.NewDecoder()), of: c}
}

// decodeHead is decode for the first bytes of a text, which may end within a character.
func (c charset) decodeHead(head []byte) ([]byte, error) {
	e, err := htmlindex.Get(string(c))
	if err != nil || c == asUTF16LE || c == asUTF16BE || c == asWindows {
		return io.ReadAll(c.decode(bytes.NewReader(head)))
	}
	out, err := e.NewDecoder().Bytes(head)
	return bytes.TrimSuffix(out, []byte(replacement)), err
}

// strictReader refuses what a decoder put U+FFFD for: bytes that the encoding hasn't.
type strictReader struct {
	r    io.Reader
	of   charset
	tail []byte // the last bytes passed on, which may begin the character
	err  error
}

const replacement = string(utf8.RuneError)

func (s *strictReader) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	seen := append(s.tail, p[:n]...)
	if bytes.Contains(seen, []byte(replacement)) {
		s.err = fmt.Errorf("%w: it holds bytes that %s hasn't; give another --encoding, or save it as UTF-8", ErrEncoding, s.of)
		return 0, s.err
	}
	s.tail = append(s.tail[:0], seen[max(0, len(seen)-len(replacement)+1):]...)
	return n, err
}

// windowsReader makes UTF-8 of Windows-1252.
type windowsReader struct {
	r   io.Reader
	in  [4096]byte
	out []byte // made and not yet passed on
	buf []byte
	err error
}

func (w *windowsReader) Read(p []byte) (int, error) {
	for len(w.out) == 0 {
		if w.err != nil {
			return 0, w.err
		}
		n, err := w.r.Read(w.in[:])
		w.err, w.buf = err, w.buf[:0]
		for _, c := range w.in[:n] {
			if c >= 0x80 && windowsBytes[c] == 0 {
				w.err = fmt.Errorf("%w: it began as %s, and a byte 0x%02x is none of its letters; save it as UTF-8", ErrEncoding, asWindows, c)
				break
			}
			if c < 0x80 {
				w.buf = append(w.buf, c)
			} else {
				w.buf = utf8.AppendRune(w.buf, charmap.Windows1252.DecodeByte(c))
			}
		}
		w.out = w.buf
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

// tellCharset reports which encoding was taken for a text without a mark.
func (s *source) tellCharset(b *builder) {
	if s.charset != asUTF8 && s.charset != s.given && s.decoded {
		b.warnOnce("encoding_taken\x00"+string(s.charset), fmt.Sprintf("encoding_taken: %s isn't UTF-8; it is read as %s, by the characters in it; save it as UTF-8 if names look wrong", s.place(), s.charset))
	}
}
