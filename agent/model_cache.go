package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy/engine"
)

// cachedCalls keeps the replies of the way in (entries, summary, extract, annotate,
// group) in the store, so that an import that was stopped goes on without paying twice. Calls of
// the way out are never kept: what somebody asks is answered anew each time.
type cachedCalls struct {
	ModelCalls
	store   *memory.Store
	version string // of model, prompts and supplements
}

// Extract implements [ModelCalls].
func (c cachedCalls) Extract(ctx context.Context, in memory.ExtractCall) ([]memory.ExtractedFact, error) {
	return cached(ctx, c, "extract", in, c.ModelCalls.Extract)
}

// Entries implements [ModelCalls].
func (c cachedCalls) Entries(ctx context.Context, in simple.EntriesCall) ([]simple.ModelEntry, error) {
	return cached(ctx, c, "entries", in, c.ModelCalls.Entries)
}

// Summary implements [ModelCalls].
func (c cachedCalls) Summary(ctx context.Context, in gas.SummaryCall) (gas.SummaryReply, error) {
	return cached(ctx, c, "summary", in, c.ModelCalls.Summary)
}

// Annotate implements [ModelCalls].
func (c cachedCalls) Annotate(ctx context.Context, in engine.AnnotateCall) (engine.AnnotateReply, error) {
	return cached(ctx, c, "annotate", in, c.ModelCalls.Annotate)
}

// Group implements [ModelCalls].
func (c cachedCalls) Group(ctx context.Context, in engine.GroupCall) (engine.GroupReply, error) {
	return cached(ctx, c, "group", in, c.ModelCalls.Group)
}

// cached makes a call unless its reply is known. A reply that can't be kept is
// still one; a kept one that can't be read is asked for again.
func cached[In, Out any](ctx context.Context, c cachedCalls, stage string, in In, call func(context.Context, In) (Out, error)) (Out, error) {
	key, err := cacheKey(c.version, stage, in)
	if err != nil {
		return call(ctx, in)
	}
	if kept, ok, err := c.store.CachedReply(ctx, key); err == nil && ok {
		var out Out
		if json.Unmarshal(kept, &out) == nil {
			return out, nil
		}
	}
	out, err := call(ctx, in)
	if err != nil {
		return out, err
	}
	if reply, err := json.Marshal(out); err == nil {
		_ = c.store.CacheReply(context.WithoutCancel(ctx), key, reply) // paid for already, also where the import is being stopped
	}
	return out, nil
}

// cacheKey names everything that a reply depends on.
func cacheKey(version, stage string, in any) (string, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s%d:%s", len(version), version, len(stage), stage)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil)), nil
}
