package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// publicMark stands before a text that was written for the client, in an error that
// goes out through the protocol library.
const publicMark = "epagent: "

// Marks like publicMark of a text about a mistake of the caller's: the library gives
// every error of a resource or prompt the code of an internal one.
const (
	mistakeMark = "epagent can't take that: "
	missingMark = "epagent has no such thing: "
)

// callerFault is the error of a resource or prompt as it goes to the library: a mistake
// of the caller's is told from what went wrong inside. missing says that what isn't
// there is a resource.
func callerFault(err error, text string, missing bool) error {
	var public *publicError
	var confusable *privacy.ConfusableError
	var ambiguous *privacy.AmbiguousError
	switch {
	case errors.As(err, &public), errors.As(err, &confusable), errors.As(err, &ambiguous), errors.Is(err, agent.ErrEmpty), errors.Is(err, privacy.ErrEmptyName):
		return errors.New(mistakeMark + text)
	case errors.Is(err, agent.ErrUnknownFact), errors.Is(err, agent.ErrUnknownSession), errors.Is(err, agent.ErrUnknownPerson),
		errors.Is(err, agent.ErrUnknownCategory), errors.Is(err, memory.ErrNotFound):
		if missing {
			return errors.New(missingMark + text)
		}
		return errors.New(mistakeMark + text)
	}
	return errors.New(publicMark + text)
}

// protocolTexts are what a client reads of a fault of the protocol, by its code. The
// library's own texts hold errors of Go and repeat what was asked for: a tool that
// is somebody else's and one that never was would be told apart by nothing else.
var protocolTexts = map[int]string{
	mcp.PARSE_ERROR:                        "the message is not valid JSON-RPC",
	mcp.INVALID_REQUEST:                    "the request is not valid",
	mcp.METHOD_NOT_FOUND:                   "there is no such method",
	mcp.INVALID_PARAMS:                     "there is no such thing, or the parameters are not valid",
	mcp.INTERNAL_ERROR:                     "internal error",
	mcp.RESOURCE_NOT_FOUND:                 "there is no such resource",
	mcp.REQUEST_INTERRUPTED:                "the request was cancelled",
	mcp.HEADER_MISMATCH:                    "the headers and the message don't agree, or one is missing",
	mcp.MISSING_REQUIRED_CLIENT_CAPABILITY: "the client lacks a capability that this needs",
	mcp.UNSUPPORTED_PROTOCOL_VERSION:       "the protocol version is not supported",
}

// faultText is the public text of a fault: the marked part of the library's text
// where we wrote it, else that of the code.
func faultText(code int, text string) string {
	if _, public, ok := strings.Cut(text, publicMark); ok {
		return public
	}
	if text, ok := protocolTexts[code]; ok {
		return text
	}
	return "the request can't be served"
}

// capabilityError says that a call needs a capability that its client has not
// declared. The library has no way for a handler to answer with the code that the
// stateless era has for it, so the border makes it from the text.
type capabilityError struct{ capability string }

const capabilityMark = "epagent needs capability: "

// Error names the capability.
func (e *capabilityError) Error() string { return capabilityMark + e.capability }

// fault is the error of a JSON-RPC answer.
type fault struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// askedFor is the address of the resource that a client asked for and that isn't
// there, which the protocol wants in the fault and the library has in its text.
func askedFor(text string) json.RawMessage {
	_, rest, _ := strings.Cut(text, "resource URI '")
	uri, _, ok := strings.Cut(rest, "': ")
	if !ok {
		return nil
	}
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		return nil
	}
	return data
}

// public is the fault as it may leave.
func (f fault) public() (fault, error) {
	inside := f.Message
	if _, capability, ok := strings.Cut(f.Message, capabilityMark); ok && f.Code == mcp.INTERNAL_ERROR {
		f.Code = mcp.MISSING_REQUIRED_CLIENT_CAPABILITY
		data, err := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{capability: struct{}{}}})
		if err != nil {
			return f, err
		}
		f.Data = data
	}
	// The code that the library gives the errors of handlers, and of what looks at a
	// request before it is handled.
	ours := f.Code == mcp.INTERNAL_ERROR || f.Code == mcp.INVALID_REQUEST
	if _, text, ok := strings.Cut(f.Message, mistakeMark); ok && ours {
		f.Code, f.Message = mcp.INVALID_PARAMS, publicMark+text
	} else if _, text, ok := strings.Cut(f.Message, missingMark); ok && ours {
		f.Code, f.Message = mcp.RESOURCE_NOT_FOUND, publicMark+text
	}
	f.Message = faultText(f.Code, f.Message)
	switch f.Code {
	case mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.URL_ELICITATION_REQUIRED:
		// What the protocol attaches names versions, capabilities, a page to open.
	case mcp.INVALID_PARAMS, mcp.RESOURCE_NOT_FOUND:
		f.Data = askedFor(inside)
	default:
		f.Data = nil // it may hold what went wrong inside
	}
	return f, nil
}

// atBorder returns a message of the library as it may leave: a fault in it is
// replaced by a public one, everything else stays as it is. What is no JSON object
// stays too. code is that of the fault, 0 without one.
func atBorder(message []byte) (out []byte, code int) {
	message = withParams(message)
	// A result is not looked into: only the outermost object can hold a fault.
	if !bytes.Contains(message, []byte(`"error"`)) {
		return message, 0
	}
	var fields map[string]json.RawMessage
	var inside fault
	if json.Unmarshal(message, &fields) != nil || fields["method"] != nil || fields["error"] == nil ||
		json.Unmarshal(fields["error"], &inside) != nil {
		return message, 0
	}
	public, err := inside.public()
	if err == nil {
		fields["error"], err = json.Marshal(public)
	}
	if err == nil {
		out, err = json.Marshal(fields)
	}
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`), mcp.INTERNAL_ERROR
	}
	if bytes.HasSuffix(message, []byte("\n")) {
		out = append(out, '\n')
	}
	return out, public.Code
}

// The library asks for a client's folders without params, and the official Go client
// reads nothing without. Both are told apart from a text that looks the same by its
// quotes, which would be escaped in there.
var (
	bareRoots  = []byte(`"inputRequests":{"` + questionID + `":{"method":"roots/list"}}`)
	wholeRoots = []byte(`"inputRequests":{"` + questionID + `":{"method":"roots/list","params":{}}}`)
)

func withParams(message []byte) []byte {
	if !bytes.Contains(message, bareRoots) {
		return message
	}
	return bytes.Replace(message, bareRoots, wholeRoots, 1)
}
