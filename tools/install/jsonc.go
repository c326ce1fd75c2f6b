package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrBroken says that the file is not JSON as the client reads it. The error around it names
// line and column.
var ErrBroken = errors.New("the file can't be read as JSON")

// node is a value in the text: where it stands, and of an object its members.
type node struct {
	start, end int // of the value
	object     bool
	members    []member
	comma      int // of an object: where a comma follows the last member, -1 none
}

type member struct {
	key   string
	start int // of the key
	value node
}

func (n *node) find(key string) *member {
	for i := range n.members {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	return nil
}

// parser reads JSON, or with lenient JSON with comments and trailing commas.
type parser struct {
	src     []byte
	at      int
	lenient bool
	depth   int
}

const maxDepth = 200

func parse(src []byte, lenient bool) (*node, error) {
	p := &parser{src: src, lenient: lenient}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	if !utf8.Valid(src) {
		return nil, p.fault("it is not UTF-8")
	}
	if err := p.blank(); err != nil {
		return nil, err
	}
	n, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.blank(); err != nil {
		return nil, err
	}
	if p.at < len(src) {
		return nil, p.fault("something follows the end")
	}
	return &n, nil
}

func (p *parser) fault(what string) error {
	line := 1 + bytes.Count(p.src[:p.at], []byte("\n"))
	column := 1 + p.at - (bytes.LastIndexByte(p.src[:p.at], '\n') + 1)
	return fmt.Errorf("%w: line %d, column %d: %s; mend it", ErrBroken, line, column, what)
}

// blank skips white space, and comments where they are allowed.
func (p *parser) blank() error {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			p.at++
		case c == '/':
			if !p.lenient {
				return p.fault("a comment, which this client doesn't take")
			}
			rest := p.src[p.at:]
			switch {
			case bytes.HasPrefix(rest, []byte("//")):
				if end := bytes.IndexByte(rest, '\n'); end >= 0 {
					p.at += end
				} else {
					p.at = len(p.src)
				}
			case bytes.HasPrefix(rest, []byte("/*")):
				end := bytes.Index(rest[2:], []byte("*/"))
				if end < 0 {
					return p.fault("a comment without an end")
				}
				p.at += 2 + end + 2
			default:
				return p.fault("a stray slash")
			}
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) value() (node, error) {
	if p.at >= len(p.src) {
		return node{}, p.fault("it ends in the middle")
	}
	if p.depth++; p.depth > maxDepth {
		return node{}, p.fault("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	switch c := p.src[p.at]; c {
	case '{':
		return p.list('}')
	case '[':
		return p.list(']')
	case '"':
		start := p.at
		_, err := p.text()
		return node{start: start, end: p.at}, err
	}
	start := p.at
	for p.at < len(p.src) && !strings.ContainsRune(" \t\r\n,]}/:\"[{", rune(p.src[p.at])) {
		p.at++
	}
	if !json.Valid(p.src[start:p.at]) {
		p.at = start
		return node{}, p.fault("no value")
	}
	return node{start: start, end: p.at}, nil
}

// list reads an object or an array.
func (p *parser) list(closer byte) (node, error) {
	n := node{start: p.at, object: closer == '}', comma: -1}
	p.at++
	first := true
	for {
		if err := p.blank(); err != nil {
			return n, err
		}
		if p.at >= len(p.src) {
			return n, p.fault("it ends in the middle")
		}
		if p.src[p.at] == closer {
			if n.comma >= 0 && !p.lenient {
				p.at = n.comma
				return n, p.fault("a comma before the end, which this client doesn't take")
			}
			p.at++
			n.end = p.at
			return n, nil
		}
		if !first && n.comma < 0 {
			return n, p.fault("a comma is missing")
		}
		first, n.comma = false, -1
		if err := p.member(&n); err != nil {
			return n, err
		}
		if err := p.blank(); err != nil {
			return n, err
		}
		if p.at < len(p.src) && p.src[p.at] == ',' {
			n.comma = p.at
			p.at++
		}
	}
}

func (p *parser) member(n *node) error {
	m := member{start: p.at}
	if n.object {
		if p.src[p.at] != '"' {
			return p.fault("want a name in double quotes")
		}
		var err error
		if m.key, err = p.text(); err != nil {
			return err
		}
		if n.find(m.key) != nil {
			p.at = m.start
			return p.fault("the name occurs twice; remove one of them")
		}
		if err := p.blank(); err != nil {
			return err
		}
		if p.at >= len(p.src) || p.src[p.at] != ':' {
			return p.fault("a colon is missing")
		}
		p.at++
		if err := p.blank(); err != nil {
			return err
		}
	}
	var err error
	if m.value, err = p.value(); err != nil {
		return err
	}
	if n.object {
		n.members = append(n.members, m)
	}
	return nil
}

func (p *parser) text() (string, error) {
	start := p.at
	p.at++
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case '\\':
			p.at++
		case '\n':
			return "", p.fault("a text without an end")
		case '"':
			p.at++
			var s string
			if err := json.Unmarshal(p.src[start:p.at], &s); err != nil {
				p.at = start
				return "", p.fault("a text that can't be read")
			}
			return s, nil
		}
		p.at++
	}
	p.at = min(p.at, len(p.src))
	return "", p.fault("a text without an end")
}

// indent is the white space at the beginning of the line of a place, and whether
// nothing else stands before it.
func indent(src []byte, at int) (string, bool) {
	line := bytes.LastIndexByte(src[:at], '\n') + 1
	before := src[line:at]
	blank := before[:len(before)-len(bytes.TrimLeft(before, " \t"))]
	return string(blank), len(blank) == len(before)
}

// Set returns the text with value at path, a name within an object for each part.
// Objects that are missing are made; an entry that is there is replaced; every other
// byte stays. Empty text is an empty object.
func Set(src []byte, path []string, value any, lenient bool) ([]byte, error) {
	body, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		src = []byte("{}\n")
	}
	root, err := parse(src, lenient)
	if err != nil {
		return nil, err
	}
	at := root
	for i, key := range path {
		if !at.object {
			where := "the whole of it"
			if i > 0 {
				where = fmt.Sprintf("%q", strings.Join(path[:i], "."))
			}
			return nil, fmt.Errorf("%w: %s is no object; mend it", ErrBroken, where)
		}
		m := at.find(key)
		if m == nil {
			for j := len(path) - 1; j > i; j-- {
				name, _ := json.Marshal(path[j])
				body = []byte("{\n  " + string(name) + ": " + shifted(body, "  ") + "\n}")
			}
			return insert(src, at, key, body), nil
		}
		at = &m.value
		if i == len(path)-1 {
			if there := src[m.value.start:m.value.end]; json.Valid(there) && compact(there) == compact(body) {
				return src, nil // laid out otherwise, it says the same
			}
			pad, _ := indent(src, m.start)
			return splice(src, m.value.start, m.value.end, shifted(body, pad)), nil
		}
	}
	return nil, fmt.Errorf("set: no path")
}

// fields are the names within the object at path; none where there is no such object.
func fields(src []byte, path []string, lenient bool) ([]string, error) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		return nil, nil
	}
	at, err := parse(src, lenient)
	if err != nil {
		return nil, err
	}
	for _, key := range path {
		m := at.find(key)
		if m == nil {
			return nil, nil
		}
		at = &m.value
	}
	var names []string
	for _, m := range at.members {
		names = append(names, m.key)
	}
	return names, nil
}

// insert puts a member at the end of an object.
func insert(src []byte, n *node, key string, body []byte) []byte {
	name, _ := json.Marshal(key)
	outer, _ := indent(src, n.start)
	inner := outer + "  "
	if len(n.members) > 0 {
		last := n.members[len(n.members)-1]
		pad, alone := indent(src, last.start)
		if !alone { // all on one line
			text := ", " + string(name) + ": " + compact(body)
			at := last.value.end
			if n.comma >= 0 {
				text, at = " "+string(name)+": "+compact(body), n.comma+1
			}
			return splice(src, at, at, text)
		}
		text := pad + string(name) + ": " + shifted(body, pad)
		if n.comma >= 0 { // and one behind it, as before
			at := lineEnd(src, n.comma+1, n.end-1)
			return splice(src, at, at, newline(src, at)+text+",")
		}
		at := lineEnd(src, last.value.end, n.end-1)
		text = newline(src, at) + text
		return splice(splice(src, at, at, text), last.value.end, last.value.end, ",")
	}
	// What an empty object holds are comments and white space: the member comes
	// first, so that no comment swallows it.
	rest := string(src[n.start+1 : n.end-1])
	text := "\n" + inner + string(name) + ": " + shifted(body, inner)
	if strings.TrimSpace(rest) == "" {
		return splice(src, n.start+1, n.end-1, text+"\n"+outer)
	}
	return splice(src, n.start+1, n.start+1, text)
}

// newline is how the line ends that ends at a place.
func newline(src []byte, at int) string {
	if at < len(src) && src[at] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineEnd is where the line of a place ends, behind the comments that trail there; before
// what closes the object, at most.
func lineEnd(src []byte, at, most int) int {
	for at < most {
		rest := src[at:most]
		switch {
		case rest[0] == '\n':
			if src[at-1] == '\r' {
				at--
			}
			return at
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				return most
			}
			at += end
		case bytes.HasPrefix(rest, []byte("/*")):
			at += 2 + bytes.Index(rest[2:], []byte("*/")) + 2
		default:
			at++
		}
	}
	return len(bytes.TrimRight(src[:most], " \t"))
}

// Remove returns the text without the entry at path, and whether there was one.
func Remove(src []byte, path []string, lenient bool) ([]byte, bool, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return src, false, nil
	}
	at, err := parse(src, lenient)
	if err != nil {
		return nil, false, err
	}
	for i, key := range path {
		k := -1
		for j := range at.members {
			if at.members[j].key == key {
				k = j
			}
		}
		if !at.object || k < 0 {
			return src, false, nil
		}
		if i < len(path)-1 {
			at = &at.members[k].value
			continue
		}
		from, to := at.members[k].start, at.members[k].value.end
		switch {
		case k+1 < len(at.members):
			// Up to the next member, with the comma; comments before that one stay.
			comma := commaAfter(src, to)
			to = comma + 1
			if pad, alone := indent(src, from); alone {
				from -= len(pad)
				if end := bytes.IndexByte(src[to:], '\n'); end >= 0 && len(bytes.TrimSpace(src[to:to+end])) == 0 {
					to += end + 1
				}
			}
		case k > 0:
			before := at.members[k-1].value.end
			comma := commaAfter(src, before)
			if at.comma >= 0 {
				to = at.comma + 1 // the comma before it now ends the list, as its own did
			}
			if at.comma < 0 && strings.Trim(string(src[before:from]), " \t") == "," {
				return splice(src, before, to, ""), true, nil // all on one line
			}
			out := splice(src, from, to, "")
			if at.comma < 0 {
				out = splice(out, comma, comma+1, "")
				from--
			}
			return trimLine(out, from), true, nil
		default:
			if at.comma >= 0 {
				to = at.comma + 1
			}
			return trimLine(splice(src, from, to, ""), from), true, nil
		}
		return splice(src, from, to, ""), true, nil
	}
	return src, false, nil
}

// commaAfter is where the comma behind a value stands, over comments.
func commaAfter(src []byte, at int) int {
	p := &parser{src: src, at: at, lenient: true}
	_ = p.blank() // it was read before
	return p.at
}

// trimLine takes away the line of a place if it is blank.
func trimLine(src []byte, at int) []byte {
	line := bytes.LastIndexByte(src[:at], '\n')
	end := bytes.IndexByte(src[at:], '\n')
	if line < 0 || end < 0 || len(bytes.TrimSpace(src[line:at+end])) > 0 {
		return src
	}
	return splice(src, line, at+end, "")
}

func splice(src []byte, from, to int, text string) []byte {
	out := make([]byte, 0, len(src)+len(text))
	out = append(out, src[:from]...)
	out = append(out, text...)
	return append(out, src[to:]...)
}

// shifted indents every line of a value but the first.
func shifted(body []byte, pad string) string {
	return strings.ReplaceAll(string(body), "\n", "\n"+pad)
}

func compact(body []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return string(body)
	}
	return b.String()
}
