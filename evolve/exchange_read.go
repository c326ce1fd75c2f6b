package evolve

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy/engine"
)

// read is a supplement of a file, and the first of its keys that none has; "" for none.
type read struct {
	Exported
	unknown string
}

// readFile reads a [File]. A supplement with a key that this release doesn't know is one that
// it can't understand: what the key says may be what bounds it.
func readFile(source []byte) ([]read, error) {
	var file struct {
		Version     int               `json:"version"`
		Supplements []json.RawMessage `json:"supplements"`
	}
	switch err := json.Unmarshal(source, &file); {
	case err != nil:
		return nil, fmt.Errorf("%w: it is no JSON of that form", ErrFile)
	case file.Version != fileVersion:
		return nil, fmt.Errorf("%w: version %d, this release reads %d", ErrFile, file.Version, fileVersion)
	case len(file.Supplements) > maxFileLength:
		return nil, fmt.Errorf("%w: %d supplements, at most %d", ErrFile, len(file.Supplements), maxFileLength)
	}
	if key := agent.UnknownKey[File](source); key != "" {
		return nil, fmt.Errorf("%w: %w %q", ErrFile, ErrKey, key)
	}
	if len(file.Supplements) == 0 {
		return nil, fmt.Errorf("%w: there is no supplement in it", ErrFile)
	}
	out := make([]read, len(file.Supplements))
	for i, raw := range file.Supplements {
		if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) || json.Unmarshal(raw, &out[i].Exported) != nil {
			return nil, fmt.Errorf("%w: supplement %d of %d is no object of that form", ErrFile, i+1, len(out))
		}
		out[i].unknown = agent.UnknownKey[Exported](raw)
		var parts struct {
			Lesson json.RawMessage `json:"lesson"`
		}
		if out[i].unknown == "" && json.Unmarshal(raw, &parts) == nil {
			out[i].unknown = agent.UnknownKey[engine.Lesson](parts.Lesson)
		}
	}
	return out, nil
}
