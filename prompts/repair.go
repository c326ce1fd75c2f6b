package prompts

import (
	"bytes"
	"encoding/json"
	"strings"
)

// repair finds the JSON object in a reply that has more around it: a fence, prose
// before and after, a reasoning block, or a comma too many. Where it finds none, or
// more than one, it returns nil: a model that quotes what it was sent may quote an
// object that somebody planted there, and which of the two is the reply is a guess.
// What it returns is validated like any other reply; nothing is made up.
func repair(reply string) []byte {
	reply = withoutThinking(reply)
	var found []byte
	for at := strings.IndexByte(reply, '{'); at >= 0; {
		next := at + 1
		if end := objectEnd(reply[at:]); end > 0 {
			if object := withoutTrailingCommas([]byte(reply[at : at+end])); json.Valid(object) {
				if found != nil {
					return nil
				}
				found, next = object, at+end
			}
		}
		skip := strings.IndexByte(reply[next:], '{')
		if skip < 0 {
			break
		}
		at = next + skip
	}
	return found
}

// withoutThinking cuts what some models write about their reasoning before a reply.
// The reasoning may quote the end of a reasoning block, so the last one counts.
func withoutThinking(reply string) string {
	const end = "</think>"
	if strings.HasPrefix(strings.TrimSpace(reply), "{") {
		return reply
	}
	if i := strings.LastIndex(reply, end); i >= 0 {
		return reply[i+len(end):]
	}
	return reply
}

// objectEnd is the length of the object at the start of s, 0 if it doesn't end.
func objectEnd(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// withoutTrailingCommas drops commas before a closing bracket, outside of texts.
func withoutTrailingCommas(b []byte) []byte {
	out := make([]byte, 0, len(b))
	quoted := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case quoted && c == '\\' && i+1 < len(b):
			out = append(out, c, b[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			if rest := bytes.TrimLeft(b[i+1:], " \t\r\n"); len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
