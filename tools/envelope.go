package tools

import (
	"bytes"
	"encoding/json"
)

// envelope is what the gate needs to know of a JSON-RPC message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// request reports whether an answer is due.
func (e *envelope) request() bool { return e.Method != "" && idKey(e.ID) != "" }

// idKey returns a canonical form of an id, the same for the number of a request
// and that of its answer; "" where id is neither a string nor a number.
func idKey(id json.RawMessage) string {
	var value any
	if len(id) == 0 || json.Unmarshal(id, &value) != nil {
		return ""
	}
	switch value.(type) {
	case string, float64:
		key, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(key)
	}
	return ""
}

// envelopeScanner finds id and method of a message that is too long to be held. It
// keeps only the scalars of the outermost object, and of these a bounded part.
type envelopeScanner struct {
	depth    int
	inString bool
	escaped  bool
	key      string // of the member being read, quoted; "" before its colon
	token    []byte // the scalar being read in the outermost object
	id       json.RawMessage
	method   bool
}

// maxToken bounds a key or scalar of the outermost object, in bytes.
const maxToken = 1 << 10

func (s *envelopeScanner) take(p []byte) {
	for _, c := range p {
		s.step(c)
	}
}

func (s *envelopeScanner) step(c byte) {
	if s.inString {
		s.keep(c)
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.inString = false
		}
		return
	}
	switch c {
	case '"':
		s.inString = true
		s.keep(c)
	case '{', '[':
		s.depth++
	case '}', ']':
		if s.depth == 1 {
			s.member()
		}
		s.depth--
	case ':':
		if s.depth == 1 {
			s.key, s.token = string(s.token), nil
		}
	case ',':
		if s.depth == 1 {
			s.member()
		}
	case ' ', '\t', '\r', '\n':
	default:
		s.keep(c)
	}
}

func (s *envelopeScanner) keep(c byte) {
	if s.depth == 1 && len(s.token) <= maxToken {
		s.token = append(s.token, c)
	}
}

// member ends a member of the outermost object.
func (s *envelopeScanner) member() {
	switch s.key {
	case `"id"`:
		if len(s.token) <= maxToken && idKey(s.token) != "" {
			s.id = bytes.Clone(s.token)
		}
	case `"method"`:
		s.method = true
	}
	s.key, s.token = "", nil
}
