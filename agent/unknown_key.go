package agent

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// UnknownKey is the first key, by name, of a JSON object that no field of the struct T has,
// exactly as it is written; "" for none, and for what is no object. One that can't be shown is
// said to be so. A key that stands twice counts as unknown: which of the two holds is no
// reader's to guess.
func UnknownKey[T any](object []byte) string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(object, &keys) != nil {
		return ""
	}
	known := map[string]bool{}
	for t, i := reflect.TypeFor[T](), 0; i < t.NumField(); i++ {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "-" {
			known[name] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !known[key] {
			return shownKey(key)
		}
	}
	return shownKey(doubled(object))
}

// doubled is a key that stands twice in a JSON object, "" for none.
func doubled(object []byte) string {
	dec := json.NewDecoder(bytes.NewReader(object))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return ""
	}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return ""
		}
		if seen[key] {
			return key
		}
		seen[key] = true
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return ""
		}
	}
	return ""
}

// shownKey is a key as an error may name it.
func shownKey(key string) string {
	const most = 40
	if key != "" && (len(key) > most || strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsPrint(r) })) {
		return "(can't be shown)"
	}
	return key
}
