package prompts

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Event is a call that has ended: counts and kinds, no word of a prompt or a reply.
type Event struct {
	Stage    Name
	Form     Form // in which it was asked last
	Attempts int  // replies that were asked for
	Usage    Usage
	Took     time.Duration
	Err      error // one of the package's
}

// ended tells of a call.
func (c *call) ended(ctx context.Context, attempts int, err error) {
	e := Event{Stage: c.name, Form: c.form, Attempts: attempts, Usage: c.use, Took: time.Since(c.began), Err: err}
	level := slog.LevelDebug
	if err != nil && !errors.Is(err, context.Canceled) {
		level = slog.LevelWarn
	}
	c.r.opts.Log.Log(ctx, level, "model stage", "stage", e.Stage, "form", e.Form, "attempts", e.Attempts,
		"prompt_bytes", e.Usage.PromptBytes, "reply_bytes", e.Usage.ReplyBytes, "took", e.Took, "error", err)
	if c.r.opts.Observe != nil {
		c.r.opts.Observe(e)
	}
}

// count adds to what the call and its stage came to.
func (c *call) count(u Usage) {
	c.use.add(u)
	c.r.counts.add(c.name, u)
}

// Usage is what the calls of a stage came to. Calls are the requests that were sent;
// tokens are those that the endpoint reported, for Reported of the Calls; bytes are
// counted here.
type Usage struct {
	Calls        int `json:"calls"`
	Retries      int `json:"retries"`
	PromptBytes  int `json:"prompt_bytes"`
	ReplyBytes   int `json:"reply_bytes"`
	PromptTokens int `json:"prompt_tokens"`
	ReplyTokens  int `json:"reply_tokens"`
	Reported     int `json:"reported"`
}

func (u *Usage) add(more Usage) {
	u.Calls += more.Calls
	u.Retries += more.Retries
	u.PromptBytes += more.PromptBytes
	u.ReplyBytes += more.ReplyBytes
	u.PromptTokens += more.PromptTokens
	u.ReplyTokens += more.ReplyTokens
	u.Reported += more.Reported
}

// Usage returns what each stage came to so far.
func (r *Runner) Usage() map[Name]Usage { return r.counts.all() }

type counter struct {
	mu sync.Mutex
	by map[Name]Usage
}

func (c *counter) add(name Name, u Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = make(map[Name]Usage)
	}
	sum := c.by[name]
	sum.add(u)
	c.by[name] = sum
}

func (c *counter) all() map[Name]Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[Name]Usage, len(c.by))
	for name, u := range c.by {
		out[name] = u
	}
	return out
}
