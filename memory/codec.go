package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// How values look in the record's columns: lists are JSON ("" for none), times
// RFC 3339 with the zone that they came with ("" unknown).

func encodeList[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	if words, ok := any(list).([]string); ok {
		if text, ok := encodePlain(words); ok {
			return text
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(list); err != nil {
		return "" // strings, numbers and marks always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// encodePlain is encodeList for words that need no escapes.
func encodePlain(list []string) (string, bool) {
	size := 2
	for _, s := range list {
		for i := range len(s) {
			if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
				return "", false
			}
		}
		size += len(s) + 3
	}
	var b strings.Builder
	b.Grow(size)
	for i, s := range list {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteByte('"')
		b.WriteString(s)
		b.WriteByte('"')
	}
	b.WriteByte(']')
	return b.String(), true
}

func decodeList[T any](text string, column string) ([]T, error) {
	if text == "" {
		return nil, nil
	}
	var list []T
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("column %s: %w: restore the file from a backup", column, ErrDamaged)
	}
	return list, nil
}

func encodeTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func decodeTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("a stored time: %w: restore the file from a backup", ErrDamaged)
	}
	return t, nil
}

func decodeStamp(instant, local string) (privacy.Stamp, error) {
	t, err := decodeTime(instant)
	return privacy.Stamp{Instant: t, Local: local}, err
}

// sameStamp reports whether a and b are stored alike. Comparing with == would
// tell two zones of one offset apart.
func sameStamp(a, b privacy.Stamp) bool {
	return a.Local == b.Local && encodeTime(a.Instant) == encodeTime(b.Instant)
}

// The index terms of a text, as stored: its own terms, then those of its dates.
const (
	termSeparator = "\x1f"
	partSeparator = "\x1e"
)

func encodeTerms(own, dates []string) string {
	return strings.Join(own, termSeparator) + partSeparator + strings.Join(dates, termSeparator)
}

func decodeTerms(text string) (own, dates []string) {
	first, second, _ := strings.Cut(text, partSeparator)
	if first != "" {
		own = strings.Split(first, termSeparator)
	}
	if second != "" {
		dates = strings.Split(second, termSeparator)
	}
	return own, dates
}
