package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// Runner runs stages on one chat model. It is safe for concurrent use.
type Runner struct {
	model  model.BaseChatModel
	opts   Options
	slots  chan struct{}
	counts counter
	form   atomic.Int32 // index into opts.Forms of the form that the endpoint takes
}

// Options are the settings of a Runner. The zero value works.
type Options struct {
	ID          string        // of the model, part of Version: "gpt-4o-mini"
	Supplements []Supplement  // what evolution learned
	Forms       []Form        // ways to ask for JSON, the best first. Default: all
	Concurrency int           // calls at once. Default: 4
	Timeout     time.Duration // of one request. Default: 60 s
	Total       time.Duration // of a call with its attempts and waits. Default: 5 min
	Retries     int           // of a request that the endpoint failed or put off. Default: 4; negative: none
	Log         *slog.Logger  // counts and errors, never content. Default: none
	// Sleep waits before a retry. Default: by the clock.
	Sleep func(context.Context, time.Duration) error
}

// NewRunner returns a Runner over an Eino chat model.
func NewRunner(m model.BaseChatModel, o Options) *Runner {
	if len(o.Forms) == 0 {
		o.Forms = []Form{FormSchema, FormTool, FormPlain}
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Total <= 0 {
		o.Total = 5 * time.Minute
	}
	if o.Retries == 0 {
		o.Retries = 4
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Runner{model: m, opts: o, slots: make(chan struct{}, o.Concurrency)}
}

// Version names all that a reply depends on beside its input: the model, the fixed
// parts and schemas of all stages, and the supplements.
func (r *Runner) Version() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", r.opts.ID, SupplementsVersion(r.opts.Supplements))
	for _, v := range Versions() {
		fmt.Fprintf(h, "%s\x00%s\x00", v.Stage, v.Version)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// StageVersion is a stage with the version of its fixed part and schema.
type StageVersion struct {
	Stage   Name   `json:"stage"`
	Version string `json:"version"`
}

// Versions lists the versions of all stages.
func Versions() []StageVersion {
	return []StageVersion{
		{StageExtract, Extract.Version()}, {StageAnnotate, Annotate.Version()}, {StageCorefer, Corefer.Version()},
		{StageQueryUnits, QueryUnits.Version()}, {StageProject, Project.Version()}, {StageRespond, Respond.Version()},
		{StageClaims, Claims.Version()}, {StageJudge, JudgeAnswer.Version()}, {StageMatch, JudgeUnits.Version()}, {StageDiagnose, Diagnose.Version()},
	}
}

// enter waits for a place among the calls that run at once.
func (r *Runner) enter(ctx context.Context) (release func(), err error) {
	select {
	case r.slots <- struct{}{}:
		return func() { <-r.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ask makes one request in the best form that the endpoint takes. A form that it
// rejects is not tried again.
func (r *Runner) ask(ctx context.Context, name Name, s *Schema, messages []*schema.Message) (string, error) {
	for {
		at := r.form.Load()
		form := r.opts.Forms[at]
		reply, err := r.request(ctx, name, form, s, messages)
		if !errors.Is(err, ErrRejected) || int(at) == len(r.opts.Forms)-1 {
			return reply, err
		}
		if r.form.CompareAndSwap(at, at+1) {
			r.opts.Log.Info("the endpoint doesn't take this form of request, the next one is used", "form", form, "next", r.opts.Forms[at+1])
		}
	}
}

// request sends one request, again where the endpoint failed or put it off.
func (r *Runner) request(ctx context.Context, name Name, form Form, s *Schema, messages []*schema.Message) (string, error) {
	messages, options, err := form.apply(messages, s)
	if err != nil {
		return "", err
	}
	sent := 0
	for _, m := range messages {
		sent += len(m.Content)
	}
	for retry := 0; ; retry++ {
		reply, err := r.once(ctx, name, sent, messages, options)
		wait, again := r.again(err, retry)
		if !again || ctx.Err() != nil {
			return reply, err
		}
		r.counts.retried(name)
		if sleepErr := r.opts.Sleep(ctx, wait); sleepErr != nil {
			return "", sleepErr
		}
	}
}

// once sends one request and sorts out what came back.
func (r *Runner) once(ctx context.Context, name Name, sent int, messages []*schema.Message, options []model.Option) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, r.opts.Timeout)
	defer cancel()
	ctx, seen := withExchange(ctx)
	message, err := r.model.Generate(ctx, messages, options...)
	if err != nil {
		r.counts.add(name, Usage{Calls: 1, PromptBytes: sent})
		return "", sorted(ctx, err, seen)
	}
	reply := message.Content
	if len(message.ToolCalls) > 0 {
		reply = message.ToolCalls[0].Function.Arguments
	}
	use := Usage{Calls: 1, PromptBytes: sent, ReplyBytes: len(reply)}
	finish := ""
	if meta := message.ResponseMeta; meta != nil {
		finish = meta.FinishReason
		if meta.Usage != nil && meta.Usage.PromptTokens > 0 {
			use.PromptTokens, use.ReplyTokens, use.Reported = meta.Usage.PromptTokens, meta.Usage.CompletionTokens, 1
		}
	}
	r.counts.add(name, use)
	switch {
	case seen.refused(), finish == "content_filter":
		return "", ErrRefused
	case finish == "length":
		return "", ErrTruncated
	case strings.TrimSpace(reply) == "":
		return "", fmt.Errorf("%w: it is empty", ErrInvalid)
	}
	return reply, nil
}

func (r *Runner) traced(ctx context.Context, name Name, attempts int, took time.Duration, err error) {
	level := slog.LevelDebug
	if err != nil {
		level = slog.LevelWarn
	}
	r.opts.Log.Log(ctx, level, "model stage", "stage", name, "attempts", attempts, "took", took, "error", err)
}

// Usage is what the calls of a stage came to. Tokens are those that the endpoint
// reported, for Reported of the Calls; bytes are counted here.
type Usage struct {
	Calls        int `json:"calls"`
	Retries      int `json:"retries"`
	PromptBytes  int `json:"prompt_bytes"`
	ReplyBytes   int `json:"reply_bytes"`
	PromptTokens int `json:"prompt_tokens"`
	ReplyTokens  int `json:"reply_tokens"`
	Reported     int `json:"reported"`
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
	sum.Calls += u.Calls
	sum.Retries += u.Retries
	sum.PromptBytes += u.PromptBytes
	sum.ReplyBytes += u.ReplyBytes
	sum.PromptTokens += u.PromptTokens
	sum.ReplyTokens += u.ReplyTokens
	sum.Reported += u.Reported
	c.by[name] = sum
}

func (c *counter) retried(name Name) { c.add(name, Usage{Retries: 1}) }

func (c *counter) all() map[Name]Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[Name]Usage, len(c.by))
	for name, u := range c.by {
		out[name] = u
	}
	return out
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
