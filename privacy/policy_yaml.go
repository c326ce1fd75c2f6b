package privacy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// reader collects what is wrong with one file while its syntax tree is read, so
// that the owner sees all faults at once. Its methods return zero values where
// they note a fault.
type reader struct {
	file     string
	problems []Problem
	warnings []Problem
	atLeast  string // what an empty file lacks, as a remedy
}

func (r *reader) fault(line int, remedy, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.file, line, fmt.Sprintf(format, args...), remedy, SeverityError})
}

func (r *reader) warn(line int, remedy, format string, args ...any) {
	r.warnings = append(r.warnings, Problem{r.file, line, fmt.Sprintf(format, args...), remedy, SeverityWarning})
}

// parse returns the top node of the file, nil if there is none or a fault.
func (r *reader) parse(src []byte) (top ast.Node) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if !r.readable(src) {
		return nil
	}
	// The lexer counts the end of a comment twice where lines end in CR LF.
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	// The YAML library is not ours: whatever it trips over is a fault of the file.
	defer func() {
		if recover() != nil {
			r.fault(0, "check indentation, quotes and brackets", "the file can't be read as YAML")
			top = nil
		}
	}()
	tokens := lexer.Tokenize(string(src))
	if line, what := exceeded(tokens); line > 0 {
		r.fault(line, "check indentation and brackets there", "too many %s", what)
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, message := syntaxFault(err)
		remedy := "check indentation, quotes and brackets there"
		if tabbed(src, line) {
			remedy = "indent with blanks: YAML takes no tabs there"
		}
		r.fault(line, remedy, "not valid YAML: %s", message)
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.CommentGroupType {
			continue
		}
		if top != nil {
			r.fault(line(doc.Body), "keep one document, without --- between", "a second YAML document")
			return nil
		}
		top = doc.Body
	}
	if top == nil {
		r.fault(0, r.atLeast, "the file is empty")
	}
	return top
}

// tabbed reports whether a line, from 1, is indented with a tab.
func tabbed(src []byte, line int) bool {
	lines := bytes.SplitN(src, []byte("\n"), line+1)
	if line < 1 || line > len(lines) {
		return false
	}
	text := lines[line-1]
	return bytes.IndexByte(text[:len(text)-len(bytes.TrimLeft(text, " \t"))], '\t') >= 0
}

// readable checks the bytes before any parser sees them.
func (r *reader) readable(src []byte) bool {
	if len(src) > maxPolicyBytes {
		r.fault(0, "split off what is no policy", "%d bytes: a policy has at most %d", len(src), maxPolicyBytes)
		return false
	}
	at := func(offset int) int { return 1 + bytes.Count(src[:offset], []byte("\n")) }
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			r.fault(at(i), "save the file as UTF-8", "a byte that is not UTF-8")
			return false
		case c < ' ' && c != '\n' && c != '\r' && c != '\t', c == 0x7f:
			r.fault(at(i), "remove it", "a control character (U+%04X)", c)
			return false
		}
		i += size
	}
	return true
}

// syntaxFault returns the line and the first line of the text of a parser's error.
func syntaxFault(err error) (int, string) {
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) && syntax.Token != nil && syntax.Token.Position != nil {
		return syntax.Token.Position.Line, syntax.Message
	}
	message, _, _ := strings.Cut(err.Error(), "\n")
	return 0, message
}

func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

// object is a mapping of the file with the place it stands at.
type object struct {
	place  string // for messages: `group "team"`
	line   int
	fields map[string]ast.Node
}

// has reports whether the key is there, with or without a value.
func (o object) has(key string) bool { _, ok := o.fields[key]; return ok }

// lineOf returns the line of a key's value, else that of the object.
func (o object) lineOf(key string) int {
	if n := line(o.fields[key]); n > 0 {
		return n
	}
	return o.line
}

// object reads a mapping that may have these keys and no other.
func (r *reader) object(n ast.Node, place string, keys ...string) (object, bool) {
	o := object{place: place, line: line(n), fields: make(map[string]ast.Node)}
	m, ok := n.(ast.MapNode)
	if !ok {
		r.fault(o.line, "write it as key: value lines", "%s is %s, not a mapping", place, kind(n))
		return o, false
	}
	// Where the mapping is the first thing after a dash its own token is a colon.
	first := true
	for it := m.MapRange(); it.Next(); {
		at := line(it.Key())
		if first {
			o.line, first = at, false
		}
		key, ok := it.Key().(*ast.StringNode)
		switch {
		case !ok:
			r.fault(at, "keys here are "+strings.Join(keys, ", "), "%s has a key that is no word", place)
		case !slices.Contains(keys, key.Value):
			r.fault(at, "keys here are "+strings.Join(keys, ", "), "%s has an unknown key %q", place, key.Value)
		case o.has(key.Value):
			r.fault(at, "keep one of them", "%s has the key %q twice", place, key.Value)
		default:
			o.fields[key.Value] = it.Value()
		}
	}
	return o, true
}

// list reads a sequence; a key that is missing or has no value is an empty one.
func (r *reader) list(o object, key string) []ast.Node {
	n := o.fields[key]
	if isNull(n) {
		return nil
	}
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fault(line(n), "write it as ["+key+", …] or as lines that begin with a dash", "%s of %s is %s, not a list",
			key, o.place, kind(n))
		return nil
	}
	return seq.Values
}

// word is a piece of text with its line.
type word struct {
	text string
	line int
}

// words reads a list of texts.
func (r *reader) words(o object, key string) []word {
	var out []word
	for _, n := range r.list(o, key) {
		if s, ok := r.text(n, "an entry of "+key+" of "+o.place); ok {
			out = append(out, word{s, line(n)})
		}
	}
	return out
}

// text reads a scalar that is written as text.
func (r *reader) text(n ast.Node, place string) (string, bool) {
	s := ""
	switch v := n.(type) {
	case *ast.StringNode:
		s = v.Value
	case *ast.LiteralNode:
		s = v.Value.Value
	default:
		r.fault(line(n), "put it in quotes if it is meant as text", "%s is %s, not text", place, kind(n))
		return "", false
	}
	// An escape in quotes can bring in what the bytes of the file may not have.
	if !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
		r.fault(line(n), "remove the escape", "%s has a control character", place)
		return "", false
	}
	return s, true
}

func isControl(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }

// str reads a text; a key that is missing or has no value is "".
func (r *reader) str(o object, key string) string {
	if isNull(o.fields[key]) {
		return ""
	}
	s, _ := r.text(o.fields[key], key+" of "+o.place)
	return s
}

// need reads a text that has to be there.
func (r *reader) need(o object, key string) string {
	if isNull(o.fields[key]) {
		r.fault(o.lineOf(key), "add "+key+": …", "%s has no %s", o.place, key)
		return ""
	}
	s, ok := r.text(o.fields[key], key+" of "+o.place)
	if ok && strings.TrimSpace(s) == "" {
		r.fault(o.lineOf(key), "write something", "%s of %s is blank", key, o.place)
	}
	return s
}

// integer reads a whole number between low and high that has to be there.
func (r *reader) integer(o object, key string, low, high int) (int, bool) {
	n := o.fields[key]
	remedy := fmt.Sprintf("give a whole number from %d to %d", low, high)
	if low == high {
		remedy = fmt.Sprintf("%d is the only one that is known here", low)
	}
	if isNull(n) {
		r.fault(o.lineOf(key), remedy, "%s has no %s", o.place, key)
		return 0, false
	}
	v, ok := n.(*ast.IntegerNode)
	if !ok {
		r.fault(line(n), remedy, "%s of %s is %s, not a whole number", key, o.place, kind(n))
		return 0, false
	}
	// The parser gives uint64 where the number has no sign and int64 where it has.
	if u, ok := v.Value.(uint64); ok && u >= uint64(max(low, 0)) && u <= uint64(high) {
		return int(u), true
	}
	if i, ok := v.Value.(int64); ok && i >= int64(low) && i <= int64(high) {
		return int(i), true
	}
	r.fault(line(n), remedy, "%s of %s is %s", key, o.place, v.Token.Value)
	return 0, false
}

// share reads a number between 0 and 1; a key that is missing is 0.
func (r *reader) share(o object, key string) float64 {
	n := o.fields[key]
	if isNull(n) {
		return 0
	}
	value := -1.0
	switch v := n.(type) {
	case *ast.IntegerNode:
		if u, ok := v.Value.(uint64); ok {
			value = float64(u)
		}
	case *ast.FloatNode:
		value = v.Value
	}
	if !(value >= 0 && value <= 1) {
		r.fault(line(n), "give a number from 0 to 1", "%s of %s is not a share", key, o.place)
		return 0
	}
	return value
}

// flag reads true or false; a key that is missing is false.
func (r *reader) flag(o object, key string) bool {
	n := o.fields[key]
	if isNull(n) {
		return false
	}
	v, ok := n.(*ast.BoolNode)
	if !ok {
		r.fault(line(n), "write true or false", "%s of %s is %s, not true or false", key, o.place, kind(n))
		return false
	}
	return v.Value
}

// choice reads one of the words that a key may have; the first is the default.
func choice[T ~string](r *reader, o object, key string, options ...T) T {
	if isNull(o.fields[key]) {
		return options[0]
	}
	got, ok := r.text(o.fields[key], key+" of "+o.place)
	if ok && !slices.Contains(options, T(got)) {
		r.fault(o.lineOf(key), "use one of "+quoteAll(options), "%s of %s is %q", key, o.place, got)
		return options[0]
	}
	if !ok {
		return options[0]
	}
	return T(got)
}

func isNull(n ast.Node) bool { return n == nil || n.Type() == ast.NullType }

// kind names a node's type for messages.
func kind(n ast.Node) string {
	if n == nil {
		return "nothing"
	}
	switch n.Type() {
	case ast.NullType:
		return "nothing"
	case ast.StringType, ast.LiteralType:
		return "text"
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType:
		return "a number"
	case ast.BoolType:
		return "true or false"
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	case ast.AnchorType, ast.AliasType, ast.MergeKeyType, ast.TagType:
		return "an anchor, alias or tag (a policy uses none)"
	default:
		return "something else"
	}
}
