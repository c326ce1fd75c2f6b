package tools

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/server"
)

// outlet is where the answer of a call will be written, and what is to be told
// before it.
type outlet interface {
	// tell writes a notification at once, before anything that is written later.
	tell(message []byte)
}

type outletKey struct{}

func withOutlet(ctx context.Context, o outlet) context.Context {
	return context.WithValue(ctx, outletKey{}, o)
}

// notify sends a notification that belongs to the call of ctx: progress, a log
// line. It is written where the call's answer will be, and before it. The library
// writes notifications beside the answers: the last ones of a call come after its
// answer or never, and those of a session may go to any stream of it, in any order.
// A client that is gone is no error.
func notify(ctx context.Context, method string, params map[string]any) {
	out, ok := ctx.Value(outletKey{}).(outlet)
	if !ok {
		if s := server.ServerFromContext(ctx); s != nil {
			_ = s.SendNotificationToClient(ctx, method, params) // nobody listens
		}
		return
	}
	message, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		Method  string         `json:"method"`
		Params  map[string]any `json:"params,omitempty"`
	}{"2.0", method, params})
	if err == nil {
		out.tell(message)
	}
}
