package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// telegramFrom is a message's author with the id; telegramNameless is one whose name the
// export hasn't at that place. A quotation mark within words bears a backslash before it.
var (
	telegramFrom     = lazily(`"(?:from|actor)"\s*:\s*("(?:[^"\\]|\\.){1,200}")\s*,\s*"(?:from|actor)_id"\s*:\s*"?([a-z]{0,10}\d{1,20})`)
	telegramNameless = lazily(`"(?:from|actor)"\s*:\s*null\s*,\s*"(?:from|actor)_id"`)
)

// telegramNames are the names of accounts by id, where some message has the id alone:
// the name may stand elsewhere, also behind it.
func telegramNames(ctx context.Context, src *source) (map[string]string, error) {
	nameless, names := false, map[string]string{}
	err := chunks(ctx, src, func(b []byte) bool {
		nameless = telegramNameless.Match(b)
		return !nameless
	})
	if err != nil || !nameless {
		return nil, err
	}
	return names, chunks(ctx, src, func(b []byte) bool {
		for _, m := range telegramFrom.FindAllSubmatch(b, -1) {
			var name string
			id := string(m[2])
			if names[id] != "" || len(names) >= 1<<16 || json.Unmarshal(m[1], &name) != nil || strings.TrimSpace(name) == "" {
				continue
			}
			names[id] = strings.TrimSpace(tidy(name))
		}
		return true
	})
}

// chunks hands over a file in parts that overlap, until f says false.
func chunks(ctx context.Context, src *source, f func([]byte) bool) error {
	const size, overlap = 256 << 10, 1 << 10
	file, err := src.open()
	if err != nil {
		return err
	}
	defer file.Close()
	buf, kept := make([]byte, size), 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(file, buf[kept:])
		if part := buf[:kept+n]; n > 0 && !f(part) {
			return nil
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
		kept = copy(buf, bytes.Clone(buf[size-overlap:]))
	}
}
