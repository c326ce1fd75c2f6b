package ingest

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/epagent/epagent/privacy"
)

const (
	maxMailParts = 1000     // parts of one mail
	maxNested    = 20       // multiparts within each other
	maxText      = 16 << 20 // bytes of the words of one mail
)

// mailContent is the body of a mail: its words, and what hangs on it.
type mailContent struct {
	plain, html string
	media       []Media
	parts       int
}

// words prefers the plain text.
func (c *mailContent) words() string {
	if strings.TrimSpace(c.plain) != "" || c.html == "" {
		return c.plain
	}
	return htmlWords(c.html)
}

// mailBody reads a body or a part of one. Attachments are passed over unread.
func mailBody(h textproto.MIMEHeader, r io.Reader, depth int) (*mailContent, error) {
	c := &mailContent{}
	return c, c.read(h, r, depth)
}

func (c *mailContent) read(h textproto.MIMEHeader, r io.Reader, depth int) error {
	if c.parts++; c.parts > maxMailParts || depth > maxNested {
		return fmt.Errorf("%w: a mail of too many parts", ErrHostile)
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && kind == "" {
		kind = "text/plain"
	}
	kind = strings.ToLower(kind)
	disposition, dparams, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	name := decodeWords(dparams["filename"])
	if name == "" {
		name = decodeWords(params["name"])
	}
	if strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" {
		return c.multipart(params["boundary"], r, depth)
	}
	if strings.EqualFold(disposition, "attachment") || !strings.HasPrefix(kind, "text/") || kind != "text/plain" && kind != "text/html" || name != "" && !strings.EqualFold(disposition, "inline") {
		if kind == "message/rfc822" && name == "" {
			name = "message"
		}
		if kind != "application/pgp-signature" && kind != "application/pkcs7-signature" {
			c.media = append(c.media, Media{Type: typeByMIME(kind, name), Name: tidy(strings.ReplaceAll(name, "/", "_"))})
		}
		_, err := io.Copy(io.Discard, r)
		return err
	}
	text, err := readText(h, params["charset"], r)
	if err != nil {
		return err
	}
	switch {
	case kind == "text/html" && c.html == "":
		c.html = text
	case kind == "text/plain" && c.plain == "":
		c.plain = text
	case kind == "text/plain":
		c.plain += "\n" + text
	}
	return nil
}

func (c *mailContent) multipart(boundary string, r io.Reader, depth int) error {
	mr := multipart.NewReader(r, boundary)
	for {
		p, err := mr.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrTooLong), errors.Is(err, ErrHostile):
			return err
		case err != nil: // cut off: what was whole counts
			return nil
		}
		err = c.read(p.Header, p, depth+1)
		switch {
		case errors.Is(err, ErrTooLong), errors.Is(err, ErrHostile):
			return err
		case err != nil:
			continue
		}
	}
}

// readText decodes a text: transfer encoding, then charset.
func readText(h textproto.MIMEHeader, charset string, r io.Reader) (string, error) {
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, &base64Filter{r: r})
	}
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if errors.Is(err, ErrTooLong) || errors.Is(err, ErrHostile) {
		return "", err
	}
	// Else what was read counts: a soft fault at the end of a text loses no words.
	if len(b) > maxText {
		return "", fmt.Errorf("%w: a mail's text above %d MiB", ErrTooLong, maxText>>20)
	}
	return decodeCharset(b, charset), nil
}

// base64Filter passes on only what base64 is made of.
type base64Filter struct{ r io.Reader }

func (f *base64Filter) Read(p []byte) (int, error) {
	for {
		n, err := f.r.Read(p)
		k := 0
		for _, c := range p[:n] {
			if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=' {
				p[k] = c
				k++
			}
		}
		if k > 0 || err != nil {
			return k, err
		}
	}
}

// decodeCharset makes UTF-8. A charset that isn't known, or a wrong one, is tried
// as UTF-8 and then as Windows-1252, in which every byte is something.
func decodeCharset(b []byte, charset string) string {
	charset = strings.ToLower(strings.Trim(strings.TrimSpace(charset), `"'`))
	switch charset {
	case "utf-7", "unicode-1-1-utf-7":
		if s, ok := decodeUTF7(b); ok {
			return s
		}
	case "", "us-ascii", "ascii", "utf-8", "utf8", "unknown-8bit", "default":
	case "gb2312", "gbk", "x-gbk", "cp936":
		charset = "gb18030" // holds both
		fallthrough
	default:
		if e, err := htmlindex.Get(charset); err == nil {
			if out, err := e.NewDecoder().Bytes(b); err == nil {
				return strings.ToValidUTF8(string(out), "\ufffd")
			}
		}
	}
	if utf8.Valid(b) {
		return string(b)
	}
	e, err := htmlindex.Get("windows-1252")
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return string(out)
}

// decodeUTF7 reads RFC 2152: "+" and "-" around UTF-16 in base64.
func decodeUTF7(b []byte) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(b); i++ {
		if b[i] != '+' {
			if b[i] >= 0x80 {
				return "", false
			}
			out.WriteByte(b[i])
			continue
		}
		end := i + 1
		for end < len(b) && (b[end] >= 'A' && b[end] <= 'Z' || b[end] >= 'a' && b[end] <= 'z' || b[end] >= '0' && b[end] <= '9' || b[end] == '+' || b[end] == '/') {
			end++
		}
		if end == i+1 {
			out.WriteByte('+')
		} else {
			run := b[i+1 : end]
			if len(run)%4 == 1 { // a letter more than whole bytes need
				run = run[:len(run)-1]
			}
			raw, err := base64.RawStdEncoding.DecodeString(string(run))
			if err != nil {
				return "", false
			}
			units := make([]uint16, len(raw)/2)
			for k := range units {
				units[k] = binary.BigEndian.Uint16(raw[2*k:])
			}
			out.WriteString(string(utf16.Decode(units)))
		}
		if i = end - 1; end < len(b) && b[end] == '-' {
			i = end
		}
	}
	return out.String(), true
}

var encodedWord = lazily(`=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=`)

// decodeWords reads RFC 2047. Words of one charset that follow each other are
// joined before their bytes are decoded: some programs cut a character in two.
func decodeWords(s string) string {
	if !strings.Contains(s, "=?") {
		if utf8.ValidString(s) {
			return tidy(s)
		}
		return tidy(decodeCharset([]byte(s), ""))
	}
	var out strings.Builder
	var held []byte
	charset := ""
	flush := func() {
		if len(held) > 0 {
			out.WriteString(decodeCharset(held, charset))
			held = nil
		}
	}
	end := 0
	for _, m := range encodedWord.FindAllStringSubmatchIndex(s, -1) {
		between := s[end:m[0]]
		set, _, _ := strings.Cut(strings.ToLower(s[m[2]:m[3]]), "*") // RFC 2231 adds a language
		if strings.TrimSpace(between) != "" || end == 0 || set != charset {
			flush()
			if end == 0 || strings.TrimSpace(between) != "" {
				out.WriteString(decodeCharset([]byte(between), ""))
			}
		}
		charset = set
		held = append(held, decodeWord(s[m[4]:m[5]], s[m[6]:m[7]])...)
		end = m[1]
	}
	flush()
	out.WriteString(decodeCharset([]byte(s[end:]), ""))
	return strings.Join(strings.Fields(tidy(out.String())), " ")
}

func decodeWord(how, text string) []byte {
	if how == "b" || how == "B" {
		b, _ := io.ReadAll(base64.NewDecoder(base64.StdEncoding, &base64Filter{r: strings.NewReader(text)}))
		if len(b) == 0 {
			b, _ = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		}
		return b
	}
	b, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(strings.ReplaceAll(text, "_", " "))))
	if err != nil && len(b) == 0 {
		return []byte(text)
	}
	return b
}

// addresses reads an address field. One that is broken is read as far as it goes:
// who got a mail matters.
func addresses(h mail.Header, field string) []mailPerson {
	var out []mailPerson
	for _, raw := range h[textproto.CanonicalMIMEHeaderKey(field)] {
		for _, one := range splitAddresses(raw) {
			if p, ok := mailAddress(one); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// splitAddresses cuts at commas and semicolons that stand in no quotes, brackets
// or comments; a group's name and end are dropped.
func splitAddresses(s string) []string {
	var out []string
	quoted, angle, comment, start := false, false, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"' && comment == 0:
			quoted = !quoted
		case quoted:
		case c == '(':
			comment++
		case c == ')' && comment > 0:
			comment--
		case comment > 0:
		case c == '<':
			angle = true
		case c == '>':
			angle = false
		case c == ':' && !angle:
			start = i + 1
		case (c == ',' || c == ';') && !angle:
			out = append(out, s[start:i])
			start = i + 1
		}
		if len(out) > 5000 {
			return out
		}
	}
	return append(out, s[min(start, len(s)):])
}

func mailAddress(s string) (mailPerson, bool) {
	s = strings.TrimSpace(s)
	var p mailPerson
	if i := strings.LastIndexByte(s, '<'); i >= 0 {
		if end := strings.IndexByte(s[i:], '>'); end > 0 {
			p.name, p.address = strings.TrimSpace(s[:i]), s[i+1:i+end]
		}
	} else if address, comment, ok := strings.Cut(s, "("); ok {
		p.address, p.name = address, strings.TrimSuffix(strings.TrimSpace(comment), ")")
	} else {
		p.address = s
	}
	p.address = strings.ToLower(strings.TrimSpace(tidy(strings.ToValidUTF8(p.address, ""))))
	if !strings.Contains(p.address, "@") || strings.ContainsAny(p.address, " \t\n") || len(p.address) > 320 {
		return mailPerson{}, false
	}
	p.name = strings.TrimSpace(p.name)
	if len(p.name) > 1 && p.name[0] == '"' && p.name[len(p.name)-1] == '"' {
		p.name = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(p.name[1 : len(p.name)-1])
	}
	p.name = givenFirst(strings.Trim(decodeWords(p.name), `"' `))
	if privacy.NormalizeName(p.name) == "" || strings.Contains(p.name, "@") {
		p.name = "" // an address as a name shows nothing new
	}
	return p, true
}

// nameTails stand behind a comma and are no given name.
var nameTails = wordSet("jr sr ii iii iv md phd dds esq mba cpa rn msc bsc ba ma dr prof inc ltd llc llp gmbh ag kg plc corp co sa srl bv ev")

// givenFirst turns "Falk, Ines", as offices write it, into what people are called.
func givenFirst(name string) string {
	family, given, ok := strings.Cut(name, ", ")
	if !ok || family == "" || given == "" || strings.ContainsAny(given, ",(") || strings.ContainsAny(name, "0123456789&|/") {
		return name
	}
	for w := range strings.FieldsSeq(strings.ToLower(given)) {
		if nameTails[strings.ReplaceAll(w, ".", "")] {
			return name
		}
	}
	if len(strings.Fields(given)) > 3 || len(strings.Fields(family)) > 3 {
		return name
	}
	return given + " " + family
}

var subjectMark = lazily(`^(?i)\s*(?:\[[^\]]{1,30}\]\s*)?(?:re|aw|antw|antwort|sv|vs|vá|odp|r|rif|res|fw|fwd|wg|tr|rv|enc|i|回复|答复|回覆|转发|轉寄|轉發|返信|답장|전달|ynt|ilt|отв|пересл)(?:\[\d+\]|\(\d+\))?\s*[:：]\s*`)

// bareSubject drops "Re:" and "Fwd:" in the languages of mail programs.
func bareSubject(s string) string {
	for range 20 {
		rest := subjectMark.ReplaceAllString(s, "")
		if rest == s || rest == "" {
			break
		}
		s = rest
	}
	return strings.TrimSpace(s)
}
