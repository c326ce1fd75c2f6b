package tools

import (
	"context"
	"log/slog"
	"strings"
)

// Keys of log lines. Messages are fixed strings; values are names of tools, kinds,
// counts and durations.
const (
	keyTool      = "tool"
	keyPrincipal = "principal"
	keyOutcome   = "outcome"
	keyKind      = "kind"
	keyDetail    = "detail" // may hold private text: at debug level only
	keyStack     = "stack"
	keyTook      = "took"
	keyBytes     = "bytes"
	keyLimit     = "limit"
	keyOpen      = "open_calls"
)

// libraryLog takes what the protocol library writes to a log.Logger. Its lines hold
// the texts of errors and panics, so that only debugging shows them.
type libraryLog struct {
	log *slog.Logger
}

func (l libraryLog) Write(line []byte) (int, error) {
	ctx := context.Background()
	if l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "the protocol library reports", keyDetail, strings.TrimSpace(string(line)))
	} else {
		l.log.WarnContext(ctx, "the protocol library reports a fault; log at debug level to see it")
	}
	return len(line), nil
}
