package prompts

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a key. It shows itself to nobody: not printed, logged or encoded.
type Secret string

const hidden = "[hidden]"

// String hides the key.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format hides the key from every verb, those included that don't ask for a string.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue hides the key.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the key.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
