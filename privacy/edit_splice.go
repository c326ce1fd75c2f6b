package privacy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// insertItem adds an entry, written in flow style, to the end of the list under a
// key of a mapping. A key that is missing is added, at the top level as a section
// of its own, which begins on a line of its own.
func (e *editor) insertItem(m ast.Node, key, item string) error {
	p := pair(m, key)
	if p == nil {
		return e.insertPair(m, key, []string{item})
	}
	at, explicit := e.extent(p.Value)
	list, isList := p.Value.(*ast.SequenceNode)
	colon := e.spans[e.at[p.Start]].end
	switch {
	case m == e.top && !e.json && explicit && e.holdsNothing(at):
		// A section grows by lines: "rules: []" gives way to "rules:".
		if err := e.cut(span{colon, at.end}, ""); err != nil {
			return err
		}
		return e.insertItem(e.top, key, item)
	case isNull(p.Value) && explicit:
		return e.cut(at, "["+item+"]")
	case isNull(p.Value):
		if m == e.top && !e.json {
			end := e.lineEnd(colon)
			return e.cut(span{end, end}, e.eol+"  - "+item)
		}
		return e.cut(span{colon, colon}, " ["+item+"]")
	case !isList:
		return e.refuse(at.start, "%s is no list", key)
	case list.IsFlowStyle:
		return e.insertFlow(list.End, item)
	default:
		end := e.lineEnd(at.end)
		dash := e.spans[e.at[list.Entries[0].Start]].start
		return e.cut(span{end, end}, e.eol+e.indent(dash)+"- "+item)
	}
}

// holdsNothing reports whether a span is an empty list or a null.
func (e *editor) holdsNothing(at span) bool {
	switch strings.Join(strings.Fields(string(e.text[at.start:at.end])), "") {
	case "[]", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// insertFlow adds an entry at the end of what a closing bracket closes: straight
// after what stands there last, so that a comment behind that stays behind.
func (e *editor) insertFlow(closing *token.Token, item string) error {
	i := e.at[closing] - 1
	for i > 0 && e.tokens[i].Type == token.CommentType {
		i--
	}
	text := ", " + item
	switch e.tokens[i].Type {
	case token.SequenceStartType, token.MappingStartType:
		text = item
	case token.CollectEntryType:
		text = " " + item
	}
	at := e.spans[i].end
	return e.cut(span{at, at}, text)
}

// insertPair adds a key at the end of a mapping. The value is a list of one entry,
// or a single text in flow style.
func (e *editor) insertPair(m ast.Node, key string, value any) error {
	flow, list := "", []string(nil)
	switch v := value.(type) {
	case string:
		flow = v
	case []string:
		flow, list = "["+strings.Join(v, ", ")+"]", v
	}
	if node, ok := m.(*ast.MappingNode); ok && node.IsFlowStyle {
		return e.insertFlow(node.End, e.word(key)+": "+flow)
	}
	at, ok := e.extent(m)
	if !ok {
		return e.refuse(0, "the mapping for %s can't be found", key)
	}
	end := e.lineEnd(at.end)
	if m == e.top && list != nil {
		text := e.eol + e.eol + key + ":"
		for _, item := range list {
			text += e.eol + "  - " + item
		}
		return e.cut(span{end, end}, text)
	}
	return e.cut(span{end, end}, e.eol+e.indent(at.start)+key+": "+flow)
}

// removeItem takes an entry out of the list under a key, in block style with all
// of its lines.
func (e *editor) removeItem(m ast.Node, key string, i int) error {
	p := pair(m, key)
	list, ok := (*ast.SequenceNode)(nil), false
	if p != nil {
		list, ok = p.Value.(*ast.SequenceNode)
	}
	if !ok || i < 0 || i >= len(list.Values) {
		return e.refuse(0, "%s has no entry %d", key, i+1)
	}
	at, _ := e.extent(list.Values[i])
	if list.IsFlowStyle {
		return e.removeFlow(at)
	}
	dash := e.spans[e.at[list.Entries[i].Start]]
	if !e.first(dash.start) {
		return e.refuse(dash.start, "an entry of %s shares its line with something else", key)
	}
	return e.cut(span{e.lineStart(dash.start), e.nextLine(max(at.end, dash.end))}, "")
}

// removeFlow takes an entry between brackets out, with one comma beside it.
func (e *editor) removeFlow(at span) error {
	if after, ok := e.comma(at.end, 1); ok {
		at.end = after.end
		for at.end < len(e.text) && (e.text[at.end] == ' ' || e.text[at.end] == '\t') {
			at.end++
		}
	} else if before, ok := e.comma(at.start, -1); ok {
		at.start = before.start
	}
	return e.cut(at, "")
}

// setPair gives a key of a mapping a value in flow style, the key added if it
// isn't there. A text in several lines gives way to one in one line.
func (e *editor) setPair(m ast.Node, key, value string) error {
	p := pair(m, key)
	if p == nil {
		return e.insertPair(m, key, value)
	}
	colon := e.spans[e.at[p.Start]].end
	at, there := e.extent(p.Value)
	switch {
	case !there:
		return e.cut(span{colon, colon}, " "+value)
	case e.line(at.start) != e.line(colon):
		return e.cut(span{colon, at.end}, " "+value)
	default:
		return e.cut(at, value)
	}
}

// removePair takes a key and its value out of a mapping; a key that isn't there
// needs no removing.
func (e *editor) removePair(m ast.Node, key string) error {
	p := pair(m, key)
	if p == nil {
		return nil
	}
	at, _ := e.extent(p)
	if node, ok := m.(*ast.MappingNode); ok && node.IsFlowStyle {
		return e.removeFlow(at)
	}
	if e.first(at.start) {
		return e.cut(span{e.lineStart(at.start), e.nextLine(at.end)}, "")
	}
	all := pairs(m)
	if len(all) < 2 || all[0] != p {
		return e.refuse(at.start, "%s shares its line with something else", key)
	}
	next, _ := e.extent(all[1])
	return e.cut(span{at.start, next.start}, "")
}

func (e *editor) refuse(at int, format string, args ...any) error {
	return &EditError{Problems: []Problem{{
		File: e.file, Line: e.line(at), Message: fmt.Sprintf(format, args...),
		Remedy: "make the edit by hand", Severity: SeverityError,
	}}}
}

// word writes a text as a YAML scalar of one line.
func (e *editor) word(s string) string {
	if !e.json && plainWord(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// words writes texts as a flow sequence.
func words[T ~string](e *editor, list []T) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = e.word(string(s))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// mapping writes keys and values, one after the other, as a flow mapping, leaving
// out keys with the value "".
func (e *editor) mapping(pairs ...string) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, e.word(pairs[i])+": "+pairs[i+1])
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// optional is [editor.word] that leaves an empty text out of a mapping.
func (e *editor) optional(s string) string {
	if s == "" {
		return ""
	}
	return e.word(s)
}

// optionalWords is words that leaves an empty list out of a mapping.
func optionalWords[T ~string](e *editor, list []T) string {
	if len(list) == 0 {
		return ""
	}
	return words(e, list)
}

func optionalFlag(b bool) string {
	if !b {
		return ""
	}
	return strconv.FormatBool(b)
}
