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

// libraryHandler takes what the protocol library logs with slog. Its values hold
// the texts of errors and panics, and ids of sessions: only debugging shows them.
type libraryHandler struct {
	log *slog.Logger
}

// Enabled is true for what the server's own log would take.
func (l libraryHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return l.log.Enabled(ctx, level)
}

// Handle passes a line on without its values.
func (l libraryHandler) Handle(ctx context.Context, r slog.Record) error {
	if l.log.Enabled(ctx, slog.LevelDebug) {
		return l.log.Handler().Handle(ctx, r)
	}
	if r.Level >= slog.LevelWarn {
		l.log.WarnContext(ctx, "the protocol library reports a fault; log at debug level to see it")
	}
	return nil
}

// WithAttrs and WithGroup change nothing: what they add is left out.
func (l libraryHandler) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup is as WithAttrs.
func (l libraryHandler) WithGroup(string) slog.Handler { return l }
