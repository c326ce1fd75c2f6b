package tools

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// publicMark stands before a text that was written for the client, in an error that
// goes out through the protocol library.
const publicMark = "epagent: "

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

// atBorder returns a message of the library as it may leave: the text of a fault is
// replaced, everything else stays as it is. What is no JSON object stays too.
func atBorder(message []byte) []byte {
	// A result is not looked into: only the outermost object can hold a fault.
	if !bytes.Contains(message, []byte(`"error"`)) {
		return message
	}
	var fields map[string]json.RawMessage
	var fault struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	if json.Unmarshal(message, &fields) != nil || fields["method"] != nil || fields["error"] == nil ||
		json.Unmarshal(fields["error"], &fault) != nil {
		return message
	}
	public := faultText(fault.Code, fault.Message)
	switch fault.Code {
	case mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.URL_ELICITATION_REQUIRED:
		// What the protocol attaches names versions, capabilities, a page to open.
	default:
		fault.Data = nil // it may hold what went wrong inside
	}
	fault.Message = public
	raw, err := json.Marshal(fault)
	if err != nil {
		return message
	}
	fields["error"] = raw
	out, err := json.Marshal(fields)
	if err != nil {
		return message
	}
	if bytes.HasSuffix(message, []byte("\n")) {
		out = append(out, '\n')
	}
	return out
}
