package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// rowKeys are the keys of an object of a script file: those that must be there,
// those that may, and the objects in lists under some of them.
type rowKeys struct {
	required, optional []string
	nested             map[string]rowKeys
}

// The keys of the files.
var (
	sessionKeys = rowKeys{
		required: []string{"id", "time", "channel", "participants", "turns"},
		nested:   map[string]rowKeys{"turns": {required: []string{"id", "speaker", "text"}, optional: []string{"reply_to"}}},
	}
	factKeys = rowKeys{
		required: []string{"id", "sessions", "time", "text", "categories", "truth", "trusted", "whitelist", "blacklist"},
		optional: []string{"event"},
	}
	t1Keys = rowKeys{required: []string{"id", "fact", "level", "domain"}}
	t2Keys = rowKeys{required: []string{"id", "question", "facts", "sessions", "candidates", "allowed"}}
	t3Keys = rowKeys{
		required: []string{"id", "question", "facts", "sessions", "audiences"},
		nested:   map[string]rowKeys{"audiences": {required: []string{"person", "allowed", "denied", "answer"}}},
	}
)

// check reports keys that are missing, unknown or there twice. JSON is known to be
// whole.
func (k rowKeys) check(object []byte, where string, fault func(remedy, problem string)) {
	keys, values := members(object)
	known := slices.Concat(k.required, k.optional)
	seen := map[string]bool{}
	for _, key := range keys {
		switch {
		case !slices.Contains(known, key):
			fault("take it out, or write one of "+strings.Join(known, ", "), fmt.Sprintf("%sunknown key %q", where, key))
		case seen[key]:
			fault("keep one", fmt.Sprintf("%skey %q stands there twice", where, key))
		}
		seen[key] = true
	}
	for _, key := range k.required {
		if !seen[key] {
			fault("add it", fmt.Sprintf("%skey %q is missing", where, key))
		}
	}
	for i, key := range keys {
		inner, ok := k.nested[key]
		if !ok {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(values[i], &list) != nil {
			continue // the types were checked before
		}
		for n, one := range list {
			inner.check(one, fmt.Sprintf("%s[%d]: ", key, n), fault)
		}
	}
}

// members returns the keys of an object in their order, with the values.
func members(object []byte) (keys []string, values []json.RawMessage) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return keys, values
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return keys, values
		}
		name, _ := key.(string)
		keys, values = append(keys, name), append(values, value)
	}
	return keys, values
}
