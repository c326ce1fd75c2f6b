package tools

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// progress tells the client how far a call is, where it asked to be told. The
// numbers only rise, as the protocol wants it.
func progress(ctx context.Context) func(done, total int) {
	var mu sync.Mutex
	last := -1
	return func(done, total int) {
		now, call := present(ctx)
		mu.Lock()
		defer mu.Unlock()
		if call.Params.Meta == nil || call.Params.Meta.ProgressToken == nil || done <= last {
			return
		}
		last = done
		notify(now, "notifications/progress", map[string]any{
			"progressToken": call.Params.Meta.ProgressToken, "progress": done, "total": total,
		})
	}
}

// tell sends the client a log line, at the level it asked for. Messages are fixed
// strings, values counts: nothing private goes into a log.
func tell(ctx context.Context, level mcp.LoggingLevel, message string, counts map[string]int) {
	now, _ := present(ctx)
	if !wants(now, level) {
		return
	}
	data := map[string]any{"message": message}
	for name, n := range counts {
		data[name] = n
	}
	notify(now, "notifications/message", map[string]any{"level": level, "logger": "epagent", "data": data})
}

// tellOutcome sends the client a log line of what became of a call.
func tellOutcome(ctx context.Context, tool, outcome string) {
	level := mcp.LoggingLevelInfo
	if outcome != "done" {
		level = mcp.LoggingLevelWarning // a client that asked for no level hears errors alone
	}
	if wants(ctx, level) {
		notify(ctx, "notifications/message", map[string]any{
			"level": level, "logger": "epagent", "data": map[string]any{"message": "tool call", keyTool: tool, keyOutcome: outcome},
		})
	}
}

// wants reports whether the client of a call takes log lines of a level.
func wants(ctx context.Context, level mcp.LoggingLevel) bool {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.LogLevel != "" && level.ShouldSendTo(info.LogLevel)
	}
	session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithLogging)
	return ok && level.ShouldSendTo(session.GetLogLevel())
}
