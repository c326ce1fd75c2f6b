package privacy

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// span is a stretch of bytes of a text.
type span struct{ start, end int }

// layout is where the tokens of a policy stand in its text. The positions that
// the lexer gives go wrong at comments, block texts and CR LF; so its tokens are
// matched with the text again, one after the other, and what doesn't match is
// refused.
type layout struct {
	text   []byte
	eol    string // how lines end
	tokens []*token.Token
	spans  []span               // of tokens
	at     map[*token.Token]int // index into tokens
	top    ast.Node
	json   bool // the policy is one flow mapping: quote everything
}

func newLayout(src []byte) (l *layout, problem *Problem) {
	const remedy = "make the edit by hand"
	// The YAML library is not ours: whatever it trips over refuses the edit.
	defer func() {
		if recover() != nil {
			l, problem = nil, &Problem{Message: "the file can't be laid out", Remedy: remedy}
		}
	}()
	l = &layout{text: src, eol: "\n", at: make(map[*token.Token]int)}
	if n := bytes.IndexByte(src, '\n'); n > 0 && src[n-1] == '\r' {
		l.eol = "\r\n"
	}
	start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	l.tokens = lexer.Tokenize(string(bytes.ReplaceAll(src[start:], []byte("\r\n"), []byte("\n"))))
	if line, what := exceeded(l.tokens); line > 0 {
		return nil, &Problem{Line: line, Message: "too many " + what, Remedy: remedy}
	}
	file, err := parser.Parse(l.tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, message := syntaxFault(err)
		return nil, &Problem{Line: line, Message: "the edit doesn't fit in here: " + message, Remedy: remedy}
	}
	for _, doc := range file.Docs {
		if _, ok := doc.Body.(ast.MapNode); ok && l.top == nil {
			l.top = doc.Body
		}
	}
	if l.top == nil {
		return nil, &Problem{Message: "the file is no mapping", Remedy: remedy}
	}
	if line := l.align(start); line > 0 {
		return nil, &Problem{Line: line, Message: "this part of the file can't be laid out", Remedy: "write it in a plainer style, or " + remedy}
	}
	m, ok := l.top.(*ast.MappingNode)
	l.json = ok && m.IsFlowStyle
	return l, nil
}

// align finds the span of every token. It returns the line of the first that the
// text doesn't have, 0 if it has all of them and nothing else.
func (l *layout) align(cursor int) (line int) {
	for i, t := range l.tokens {
		l.at[t] = i
		if !l.isBlock(i) {
			cursor = l.skip(cursor)
		}
		end, ok := l.match(i, cursor)
		if !ok {
			return 1 + bytes.Count(l.text[:cursor], []byte("\n"))
		}
		s := span{cursor, end}
		if l.isBlock(i) {
			s.start = min(l.nextLine(cursor), end)
		}
		l.spans = append(l.spans, s)
		cursor = end
	}
	if rest := l.skip(cursor); rest < len(l.text) {
		return 1 + bytes.Count(l.text[:rest], []byte("\n"))
	}
	return 0
}

// isBlock reports whether the token at i is the text of a block scalar.
func (l *layout) isBlock(i int) bool {
	k := i - 1
	if k > 0 && l.tokens[k].Type == token.CommentType {
		k--
	}
	if k < 0 || l.tokens[i].Type != token.StringType {
		return false
	}
	return l.tokens[k].Type == token.LiteralType || l.tokens[k].Type == token.FoldedType
}

// match returns where the token at i ends if it begins at cursor.
func (l *layout) match(i, cursor int) (end int, ok bool) {
	t, text := l.tokens[i], l.text[cursor:]
	if l.isBlock(i) {
		return l.matchBlock(t.Value, cursor)
	}
	switch t.Type {
	case token.CommentType:
		return l.lineEnd(cursor), len(text) > 0 && text[0] == '#'
	case token.SingleQuoteType, token.DoubleQuoteType:
		return matchQuoted(l.text, cursor, t.Type == token.DoubleQuoteType)
	default:
		// A plain text may run over lines, whose breaks the lexer folds.
		end = cursor
		for _, word := range strings.Fields(t.Value) {
			end = l.skip(end)
			if !bytes.HasPrefix(l.text[end:], []byte(word)) {
				return 0, false
			}
			end += len(word)
		}
		return end, true
	}
}

func matchQuoted(text []byte, cursor int, double bool) (end int, ok bool) {
	quote := byte('\'')
	if double {
		quote = '"'
	}
	if cursor >= len(text) || text[cursor] != quote {
		return 0, false
	}
	for i := cursor + 1; i < len(text); i++ {
		switch {
		case double && text[i] == '\\':
			i++
		case text[i] == quote && !double && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1, true
		}
	}
	return 0, false
}

// matchBlock takes the lines after cursor that are indented like the first one
// with a text, up to the last one with a text.
func (l *layout) matchBlock(value string, cursor int) (end int, ok bool) {
	end = cursor
	if strings.TrimSpace(value) == "" {
		return end, true
	}
	indent := -1
	for at := l.nextLine(cursor); at < len(l.text); at = l.nextLine(at) {
		row := l.text[at:l.lineEnd(at)]
		if len(bytes.TrimSpace(row)) == 0 {
			continue
		}
		depth := len(row) - len(bytes.TrimLeft(row, " "))
		if indent < 0 {
			indent = depth
		}
		if depth < indent {
			break
		}
		end = l.lineEnd(at)
	}
	same := strings.Join(strings.Fields(string(l.text[cursor:end])), " ") == strings.Join(strings.Fields(value), " ")
	return end, same
}

func (l *layout) skip(at int) int {
	for at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[at]) >= 0 {
		at++
	}
	return at
}

// lineStart returns where the line begins that at is in.
func (l *layout) lineStart(at int) int { return 1 + bytes.LastIndexByte(l.text[:at], '\n') }

// lineEnd returns where the line ends that at is in, its line break not included.
func (l *layout) lineEnd(at int) int {
	n := bytes.IndexByte(l.text[at:], '\n')
	if n < 0 {
		return len(l.text)
	}
	if end := at + n; end > at && l.text[end-1] == '\r' {
		return end - 1
	}
	return at + n
}

// nextLine returns where the line after that of at begins.
func (l *layout) nextLine(at int) int {
	n := bytes.IndexByte(l.text[at:], '\n')
	if n < 0 {
		return len(l.text)
	}
	return at + n + 1
}

// line returns the number of the line that at is in, from 1.
func (l *layout) line(at int) int { return 1 + bytes.Count(l.text[:at], []byte("\n")) }

// indent returns blanks as wide as what stands before at on its line.
func (l *layout) indent(at int) string {
	before := bytes.TrimPrefix(l.text[l.lineStart(at):at], []byte("\ufeff"))
	return strings.Repeat(" ", utf8.RuneCount(before))
}

// first reports whether nothing but blanks stands before at on its line.
func (l *layout) first(at int) bool {
	before := bytes.TrimPrefix(l.text[l.lineStart(at):at], []byte("\ufeff"))
	return len(bytes.TrimSpace(before)) == 0
}

// extent returns the span of a node, and whether it is in the text: a value that
// is left out is not.
func (l *layout) extent(n ast.Node) (span, bool) {
	var out span
	found := false
	add := func(s span, ok bool) {
		switch {
		case !ok:
		case !found:
			out, found = s, true
		default:
			out = span{min(out.start, s.start), max(out.end, s.end)}
		}
	}
	token := func(t *token.Token) (span, bool) {
		i, ok := l.at[t]
		if !ok {
			return span{}, false
		}
		return l.spans[i], true
	}
	switch v := n.(type) {
	case nil:
	case *ast.MappingNode:
		if v.IsFlowStyle {
			add(token(v.Start))
			add(token(v.End))
		}
		for _, pair := range v.Values {
			add(l.extent(pair))
		}
	case *ast.MappingValueNode:
		add(l.extent(v.Key))
		add(token(v.Start))
		add(l.extent(v.Value))
	case *ast.SequenceNode:
		if v.IsFlowStyle {
			add(token(v.Start))
			add(token(v.End))
			break
		}
		for i, entry := range v.Entries {
			add(token(entry.Start))
			add(l.extent(v.Values[i]))
		}
	case *ast.LiteralNode:
		add(token(v.Start))
		add(token(v.Value.GetToken()))
	default:
		add(token(n.GetToken()))
	}
	return out, found
}

// pairs returns the keys of a mapping with their values.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}
	default:
		return nil
	}
}

// pair returns a key of a mapping, nil if it isn't there.
func pair(n ast.Node, key string) *ast.MappingValueNode {
	for _, p := range pairs(n) {
		if k, ok := p.Key.(*ast.StringNode); ok && k.Value == key {
			return p
		}
	}
	return nil
}

// entries returns the texts of a list under a key, and whether the key is there.
func (l *layout) entries(n ast.Node, key string) (out []string, ok bool) {
	p := pair(n, key)
	if p == nil {
		return nil, false
	}
	if list, isList := p.Value.(*ast.SequenceNode); isList {
		for _, v := range list.Values {
			if s, isText := v.(*ast.StringNode); isText {
				out = append(out, s.Value)
			} else {
				out = append(out, "")
			}
		}
	}
	return out, true
}

// item returns an entry of a section, nil if it isn't there.
func (l *layout) item(section string, i int) ast.Node {
	if p := pair(l.top, section); p != nil {
		if list, ok := p.Value.(*ast.SequenceNode); ok && i >= 0 && i < len(list.Values) {
			return list.Values[i]
		}
	}
	return nil
}

// comma returns the span of the next token after a place (step 1), or of the last
// one before it (step -1), comments passed over, if it is a comma.
func (l *layout) comma(at, step int) (span, bool) {
	i := 0
	if step > 0 {
		for i = 0; i < len(l.spans) && l.spans[i].start < at; i++ {
		}
	} else {
		for i = len(l.spans) - 1; i >= 0 && l.spans[i].end > at; i-- {
		}
	}
	for i >= 0 && i < len(l.tokens) && l.tokens[i].Type == token.CommentType {
		i += step
	}
	if i < 0 || i >= len(l.tokens) || l.tokens[i].Type != token.CollectEntryType {
		return span{}, false
	}
	return l.spans[i], true
}

// plainWord reports whether a text may stand without quotes anywhere in a policy
// and is read back as that text.
func plainWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	for i, c := range s {
		inside := unicode.IsDigit(c) || unicode.IsMark(c) || c == '_' || c == '-' || c == '.' || c == ' '
		if !unicode.IsLetter(c) && (i == 0 || !inside) {
			return false
		}
	}
	return s != "" && s == strings.TrimSpace(s) && !strings.Contains(s, "  ")
}
