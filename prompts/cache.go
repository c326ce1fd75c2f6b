package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/cloudwego/eino/schema"
)

// Cache keeps valid replies, so that the same question to the same model isn't paid
// for twice. It is used by several calls at once.
type Cache interface {
	// Get returns what was put under a key; found is false for nothing. The caller
	// doesn't change the reply.
	Get(ctx context.Context, key string) (reply []byte, found bool, err error)
	// Put stores a reply under a key, in place of an earlier one.
	Put(ctx context.Context, key string, reply []byte) error
}

// key names all that a reply depends on: the model, the fixed part with the
// supplements and the language, the schema, and the data. It is a hash.
func (c *call) key(messages []*schema.Message) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00", c.r.opts.ID, c.name, c.schema.JSON)
	for _, m := range messages {
		fmt.Fprintf(h, "%d\x00%s", len(m.Content), m.Content)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// cached returns a reply from the cache. A cache that fails is one that has nothing.
func (c *call) cached(ctx context.Context, key string) string {
	if c.r.opts.Cache == nil {
		return ""
	}
	reply, found, err := c.r.opts.Cache.Get(ctx, key)
	if err != nil {
		c.r.opts.Log.Warn("the cache of replies can't be read", "stage", c.name, "error", err)
	}
	if err != nil || !found {
		return ""
	}
	return string(reply)
}

// keep puts a valid reply into the cache.
func (c *call) keep(ctx context.Context, key string, reply []byte) {
	if c.r.opts.Cache == nil {
		return
	}
	if err := c.r.opts.Cache.Put(ctx, key, reply); err != nil {
		c.r.opts.Log.Warn("the cache of replies can't be written", "stage", c.name, "error", err)
	}
}
