package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// Runner runs stages on one chat model. It is safe for concurrent use.
type Runner struct {
	model model.BaseChatModel
	opts  Options
	*endpoint
}

// endpoint is what the runners of one model share: the calls at once, what they came to,
// and which form of request is taken.
type endpoint struct {
	slots  chan struct{}
	counts counter
	form   atomic.Int32 // index into opts.Forms of the form that the endpoint takes
	misses atomic.Int32 // calls in a row whose first reply had not the form asked for
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
	Observe     func(Event)   // told of each call when it has ended; it may come from several at once. Default: nobody
	// Sleep waits before a retry. Default: by the clock.
	Sleep func(context.Context, time.Duration) error
}

// NewRunner returns a Runner over an Eino chat model.
func NewRunner(m model.BaseChatModel, o Options) *Runner {
	if len(o.Forms) == 0 {
		o.Forms = Forms()
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
	return &Runner{model: m, opts: o, endpoint: &endpoint{slots: make(chan struct{}, o.Concurrency)}}
}

// With returns a Runner on the same model with other supplements. It shares the bound of
// calls at once, the usage, and what is known of the endpoint.
func (r *Runner) With(supplements []Supplement) *Runner {
	o := r.opts
	o.Supplements = slices.Clone(supplements)
	return &Runner{model: r.model, opts: o, endpoint: r.endpoint}
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
		{StageEntries, Entries.Version()}, {StageSummary, Summary.Version()},
		{StageExtract, Extract.Version()}, {StageAnnotate, Annotate.Version()}, {StageCorefer, Corefer.Version()},
		{StageQueryUnits, QueryUnits.Version()}, {StageProject, Project.Version()}, {StageRespond, Respond.Version()},
		{StageClaims, Claims.Version()}, {StageJudge, JudgeAnswer.Version()}, {StageMatch, JudgeUnits.Version()},
		{StageDifference, JudgeDifference.Version()}, {StageChoose, Choose.Version()}, {StagePersona, Persona.Version()},
		{StageDiagnose, Diagnose.Version()},
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

// maxMisses is after how many calls an endpoint is taken to ignore a form that it
// doesn't reject.
const maxMisses = 3

// formed takes down whether the first reply to a form had the form.
func (r *Runner) formed(form Form, ok bool) {
	at := r.form.Load()
	switch {
	case ok:
		r.misses.Store(0)
	case r.opts.Forms[at] != form || int(at) == len(r.opts.Forms)-1:
	case r.misses.Add(1) >= maxMisses:
		r.misses.Store(0)
		r.moveOn(at, at+1)
	}
}

// moveOn remembers the form that an endpoint takes.
func (r *Runner) moveOn(from, to int32) {
	if r.form.CompareAndSwap(from, to) {
		r.opts.Log.Info("the endpoint doesn't take this form of request, another one is used", "form", r.opts.Forms[from], "next", r.opts.Forms[to])
	}
}

// Form is the form of request that the endpoint is known to take, as far as calls so
// far have shown.
func (r *Runner) Form() Form { return r.opts.Forms[r.form.Load()] }

// ask makes one request in the best form that the endpoint takes. A form that it
// rejects while it takes another one is not tried again.
func (c *call) ask(ctx context.Context, messages []*schema.Message) (reply string, err error) {
	forms := c.r.opts.Forms
	first := c.r.form.Load()
	for at := first; ; at++ {
		c.form = forms[at]
		reply, err = c.request(ctx, messages)
		if err == nil && at > first {
			c.r.moveOn(first, at)
		}
		if !unsupported(err) || int(at) == len(forms)-1 {
			return reply, err
		}
	}
}

// request sends one request, again where the endpoint failed or put it off.
func (c *call) request(ctx context.Context, messages []*schema.Message) (string, error) {
	messages, options, err := c.form.apply(messages, c.schema, c.language)
	if err != nil {
		return "", err
	}
	for retry := 0; ; retry++ {
		reply, err := c.once(ctx, messages, options)
		wait, again := c.r.again(err, retry)
		if !again || !c.r.pause(ctx, wait) {
			if errors.Is(ctx.Err(), context.Canceled) {
				err = context.Canceled
			}
			return reply, err
		}
		c.count(Usage{Retries: 1})
	}
}

// once sends one request and sorts out what came back.
func (c *call) once(ctx context.Context, messages []*schema.Message, options []model.Option) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.r.opts.Timeout)
	defer cancel()
	ctx, seen := withExchange(ctx)
	use := Usage{Calls: 1}
	for _, m := range messages {
		use.PromptBytes += len(m.Content)
	}
	message, err := c.r.model.Generate(ctx, messages, options...)
	if err != nil {
		c.count(use)
		return "", sorted(ctx, err, seen)
	}
	reply := message.Content
	if len(message.ToolCalls) > 0 {
		reply = message.ToolCalls[0].Function.Arguments
	}
	use.ReplyBytes = len(reply)
	finish := ""
	if meta := message.ResponseMeta; meta != nil {
		finish = meta.FinishReason
		if meta.Usage != nil && meta.Usage.PromptTokens > 0 {
			use.PromptTokens, use.ReplyTokens, use.Reported = meta.Usage.PromptTokens, meta.Usage.CompletionTokens, 1
		}
	}
	c.count(use)
	if seen.refused() {
		return "", ErrRefused
	}
	if err := finished(finish); err != nil {
		return "", err
	}
	if strings.TrimSpace(reply) == "" {
		return "", fmt.Errorf("%w: it is empty", ErrInvalid)
	}
	return reply, nil
}

// finished is what a reason to end a reply means. The words differ by service; one
// that isn't known says nothing, and the reply must stand by itself.
func finished(reason string) error {
	switch strings.ToLower(reason) {
	case "length", "max_tokens", "model_length":
		return ErrTruncated
	case "content_filter", "refusal", "safety":
		return ErrRefused
	case "insufficient_system_resource", "error", "abort":
		return fmt.Errorf("%w: it gave up on the reply", ErrUnavailable)
	}
	return nil
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
