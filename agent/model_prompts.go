package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// PromptCalls makes the calls of the stages by the prompts of package prompts, on
// the chat model of a runner. Before is told of each call before it is made, since
// content leaves the machine with it; nil for nobody.
func PromptCalls(r *prompts.Runner, before func()) ModelCalls {
	if before == nil {
		before = func() {}
	}
	return promptCalls{r, before, &outage{}}
}

type promptCalls struct {
	runner *prompts.Runner
	before func()
	out    *outage
}

// outage remembers that an endpoint is away, so that the stages of one request, and
// the sessions of an import, don't each wait for it in vain.
type outage struct {
	mu    sync.Mutex
	why   error
	until time.Time
}

// outageFor is how long an endpoint that failed every attempt of a call is taken to
// be away.
const outageFor = 20 * time.Second

func (o *outage) current() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Now().Before(o.until) {
		return o.why
	}
	return nil
}

func (o *outage) note(err error) {
	if errors.Is(err, prompts.ErrUnavailable) || errors.Is(err, prompts.ErrAuth) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.why, o.until = err, time.Now().Add(outageFor)
	}
}

// promptCall makes one call. That the model gave no reply that can be used is
// engine.ErrModel, whatever it was; that it could not be asked is not.
func promptCall[In, Out any](ctx context.Context, p promptCalls, stage prompts.Stage[In, Out], language string, in In, check func(Out) error) (Out, error) {
	if err := p.out.current(); err != nil {
		var none Out
		return none, err
	}
	p.before()
	out, err := prompts.Call(ctx, p.runner, stage, prompts.Input[In, Out]{Data: in, Language: language, Check: check})
	p.out.note(err)
	if errors.Is(err, prompts.ErrInvalid) || errors.Is(err, prompts.ErrRefused) || errors.Is(err, prompts.ErrTruncated) {
		err = fmt.Errorf("%w: %w", engine.ErrModel, err)
	}
	return out, err
}

// given checks that a reply names only what it was given, each once. Its error goes
// back to the model, and names no more than its place.
func given(what string, known map[string]bool, ids []string) error {
	seen := map[string]bool{}
	for i, id := range ids {
		switch {
		case !known[id]:
			return fmt.Errorf("%s %d has an id that was not given", what, i+1)
		case seen[id]:
			return fmt.Errorf("%s %d is there twice", what, i+1)
		}
		seen[id] = true
	}
	return nil
}

func knownItems(items []prompts.Item) map[string]bool {
	out := map[string]bool{}
	for _, x := range items {
		out[x.ID] = true
	}
	return out
}

func promptItems(list []engine.NamedText) []prompts.Item {
	out := make([]prompts.Item, len(list))
	for i, x := range list {
		out[i] = prompts.Item(x)
	}
	return out
}

// promptTurns are messages as a prompt shows them, and their ids.
func promptTurns(list []memory.ExtractTurn) ([]prompts.Turn, map[string]bool) {
	out, known := make([]prompts.Turn, len(list)), map[string]bool{}
	for i, t := range list {
		out[i] = prompts.Turn{ID: t.ID, Speaker: t.Speaker, Owner: t.Owner, When: t.When, Text: t.Text}
		known[t.ID] = true
	}
	return out, known
}

// Entries implements [ModelCalls].
func (p promptCalls) Entries(ctx context.Context, in simple.EntriesCall) ([]simple.ModelEntry, error) {
	turns, known := promptTurns(in.Turns)
	data := prompts.EntriesIn{Before: in.Before, Turns: turns}
	reply, err := promptCall(ctx, p, prompts.Entries, in.Language, data, func(out prompts.EntriesOut) error {
		for i, e := range out.Entries {
			if err := given(fmt.Sprintf("evidence of entry %d: item", i+1), known, e.Evidence); err != nil {
				return err
			}
		}
		return nil
	})
	var out []simple.ModelEntry
	for _, e := range reply.Entries {
		out = append(out, simple.ModelEntry(e))
	}
	return out, err
}

// Summary implements [ModelCalls].
func (p promptCalls) Summary(ctx context.Context, in gas.SummaryCall) (gas.SummaryReply, error) {
	turns, _ := promptTurns(in.Turns)
	reply, err := promptCall(ctx, p, prompts.Summary, in.Language, prompts.SummaryIn{Before: in.Before, Turns: turns}, nil)
	return gas.SummaryReply(reply), err
}

// Extract implements [ModelCalls].
func (p promptCalls) Extract(ctx context.Context, in memory.ExtractCall) ([]memory.ExtractedFact, error) {
	turns, known := promptTurns(in.Turns)
	data := prompts.ExtractIn{Owner: in.Owner, About: in.About, Start: in.Start, Turns: turns}
	reply, err := promptCall(ctx, p, prompts.Extract, in.Language, data, func(out prompts.ExtractOut) error {
		for i, f := range out.Facts {
			if err := given(fmt.Sprintf("evidence of fact %d: item", i+1), known, f.Evidence); err != nil {
				return err
			}
		}
		return nil
	})
	var out []memory.ExtractedFact
	for _, f := range reply.Facts {
		out = append(out, memory.ExtractedFact(f))
	}
	return out, err
}

// Annotate implements [ModelCalls].
func (p promptCalls) Annotate(ctx context.Context, in engine.AnnotateCall) (engine.AnnotateReply, error) {
	data := prompts.AnnotateIn{Owner: in.Owner, Facts: promptItems(in.Drafts)}
	categories := map[string]bool{}
	for _, c := range in.Categories {
		data.Categories = append(data.Categories, prompts.CategoryText(c))
		categories[c.ID] = true
	}
	for _, t := range in.Turns {
		data.Turns = append(data.Turns, prompts.Turn{ID: t.ID, Speaker: t.Speaker, Owner: t.Owner, Text: t.Text})
	}
	known := knownItems(data.Facts)
	reply, err := promptCall(ctx, p, prompts.Annotate, in.Language, data, func(out prompts.AnnotateOut) error {
		var ids []string
		for i, f := range out.Facts {
			ids = append(ids, f.ID)
			var named []string
			for _, c := range f.Categories {
				named = append(named, c.ID)
			}
			if err := given(fmt.Sprintf("categories of fact %d: item", i+1), categories, named); err != nil {
				return err
			}
		}
		return given("fact", known, ids)
	})
	var out engine.AnnotateReply
	for _, f := range reply.Facts {
		d := engine.AnnotatedDraft{ID: f.ID}
		for _, c := range f.Categories {
			d.Categories = append(d.Categories, engine.CategoryScore(c))
		}
		for _, e := range f.Cover {
			evidence := engine.Evidence(e)
			d.Cover = &evidence
		}
		for _, x := range f.Exceptions {
			d.Exceptions = append(d.Exceptions, engine.Exception{
				Allow: x.Effect == "allow", Closed: x.Effect == "closed", People: x.People,
				Evidence: engine.Evidence{Turn: x.Turn, Span: x.Span},
			})
		}
		out.Drafts = append(out.Drafts, d)
	}
	return out, err
}

// Group implements [ModelCalls].
func (p promptCalls) Group(ctx context.Context, in engine.GroupCall) (engine.GroupReply, error) {
	data := prompts.CoreferIn{Facts: promptItems(in.Drafts)}
	known := knownItems(data.Facts)
	reply, err := promptCall(ctx, p, prompts.Corefer, in.Language, data, func(out prompts.CoreferOut) error {
		var ids []string
		for _, g := range out.Groups {
			ids = append(ids, g...)
		}
		return given("fact", known, ids)
	})
	return engine.GroupReply{Groups: reply.Groups}, err
}

// Units implements [ModelCalls].
func (p promptCalls) Units(ctx context.Context, in engine.UnitsCall) (engine.UnitsReply, error) {
	data := prompts.QueryUnitsIn{Question: in.Question, Facts: promptItems(in.Candidates)}
	known := knownItems(data.Facts)
	reply, err := promptCall(ctx, p, prompts.QueryUnits, in.Language, data, func(out prompts.QueryUnitsOut) error {
		return given("fact", known, out.Facts)
	})
	return engine.UnitsReply{Facts: reply.Facts, Connect: reply.Connect}, err
}

// Project implements [ModelCalls].
func (p promptCalls) Project(ctx context.Context, in engine.ProjectCall) (engine.ProjectReply, error) {
	data := prompts.ProjectIn{Owner: in.Owner, Question: in.Question, Facts: promptItems(in.Details)}
	known := knownItems(data.Facts)
	reply, err := promptCall(ctx, p, prompts.Project, in.Language, data, func(out prompts.ProjectOut) error {
		var ids []string
		for _, d := range out.Details {
			ids = append(ids, d.ID)
		}
		return given("detail", known, ids)
	})
	out := engine.ProjectReply{Storyline: reply.Storyline}
	for _, d := range reply.Details {
		out.Details = append(out.Details, engine.NamedText{ID: d.ID, Text: d.Text})
	}
	return out, err
}

// Respond implements [ModelCalls].
func (p promptCalls) Respond(ctx context.Context, in engine.RespondCall) (engine.RespondReply, error) {
	data := prompts.RespondIn{
		Owner: in.Owner, Question: in.Question, Storyline: in.Storyline, Details: promptItems(in.Details),
		Boundary: in.Boundary, Avoid: in.Avoid,
	}
	for _, x := range in.History {
		data.History = append(data.History, prompts.Exchange(x))
	}
	known := knownItems(data.Details)
	reply, err := promptCall(ctx, p, prompts.Respond, in.Language, data, func(out prompts.RespondOut) error {
		return given("fact", known, out.Facts)
	})
	return engine.RespondReply{Answer: reply.Answer, Facts: reply.Facts}, err
}

// Claims implements [ModelCalls].
func (p promptCalls) Claims(ctx context.Context, in engine.ClaimsCall) (engine.ClaimsReply, error) {
	data := prompts.ClaimsIn{Question: in.Question, Answer: in.Answer, Facts: promptItems(in.Details)}
	reply, err := promptCall(ctx, p, prompts.Claims, in.Language, data, nil)
	return engine.ClaimsReply{Unsupported: reply.Unsupported, YesOrNo: reply.YesOrNo}, err
}
