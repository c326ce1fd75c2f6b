package privacy

import (
	"github.com/goccy/go-yaml/token"
)

// Bounds of a policy file. They are far above what a person writes, and keep a
// hostile file from using up the stack or the day: the YAML parser recurses by
// nesting, and its time grows with the square of the keys of one mapping.
const (
	maxPolicyBytes  = 4 << 20
	maxPolicyDepth  = 32
	maxMappingKeys  = 256
	maxPolicyFaults = 100 // more than that are counted, not listed
)

// bounds follows the tokens of a file far enough to see nesting and the size of
// mappings before the parser does.
type bounds struct {
	frames []frame // open brackets, the outermost one being none
	run    int     // dashes, question marks, tags and anchors with nothing else between
	row    int     // the present line
	colons int     // on that line, without a comma or bracket between
}

// frame is what is open within one pair of brackets: outside of any, the
// mappings told apart by the column of their keys.
type frame struct {
	columns []int
	keys    []int
}

// exceeded returns the line at which tokens go over a bound and the bound's
// name, or 0.
func exceeded(tokens token.Tokens) (line int, what string) {
	b := bounds{frames: make([]frame, 1)}
	for _, t := range tokens {
		if t.Position.Line != b.row {
			b.row, b.colons = t.Position.Line, 0
		}
		keys := b.next(t)
		switch {
		case max(len(b.frames), b.run, b.colons, len(b.frames[0].columns)) > maxPolicyDepth:
			return b.row, "levels of nesting"
		case keys > maxMappingKeys:
			return b.row, "keys in one mapping"
		}
	}
	return 0, ""
}

// next takes one token and returns how many keys the mapping has that it is in.
func (b *bounds) next(t *token.Token) (keys int) {
	top := &b.frames[len(b.frames)-1]
	block := len(b.frames) == 1
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		b.run, b.colons = 0, 0
		b.frames = append(b.frames, frame{})
	case token.SequenceEndType, token.MappingEndType:
		b.run, b.colons = 0, 0
		if !block {
			b.frames = b.frames[:len(b.frames)-1]
		}
	case token.CollectEntryType:
		b.run, b.colons = 0, 0
	case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType:
		b.run++
		if block && t.Type == token.SequenceEntryType {
			top.close(t.Position.Column + 1)
		}
	case token.MappingValueType:
		b.colons++
		column := 0
		if block {
			column = t.Position.Column
			if t.Prev != nil && t.Prev.Position.Line == b.row {
				column = t.Prev.Position.Column
			}
		}
		return top.count(column)
	default:
		b.run = 0
	}
	return 0
}

// close ends the mappings whose keys stand at a column or right of it.
func (f *frame) close(column int) {
	n := len(f.columns)
	for n > 0 && f.columns[n-1] >= column {
		n--
	}
	f.columns, f.keys = f.columns[:n], f.keys[:n]
}

// count notes a key at a column and returns how many its mapping has.
func (f *frame) count(column int) int {
	f.close(column + 1)
	if n := len(f.columns); n > 0 && f.columns[n-1] == column {
		f.keys[n-1]++
		return f.keys[n-1]
	}
	f.columns, f.keys = append(f.columns, column), append(f.keys, 1)
	return 1
}
