package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// Action is what a disclosure came to.
type Action string

// The actions. A deflection looks the same whatever its reason.
const (
	Answered  Action = "answer"
	Deflected Action = "deflect"
)

// DiscloseRequest asks on behalf of the readers of one message.
type DiscloseRequest struct {
	Question string
	// To are the readers, as the channel knows them. Empty: nothing may be told.
	To []Reader
	// Preview shows the owner what would be told: nothing is recorded. Explain
	// adds each fact considered, with its verdict. Both are the owner's.
	Preview bool
	Explain bool
	// Listener: the readers themselves get what comes of it. Where nothing may be
	// told at all (no policy that loads, a ledger that can't be written) they get
	// the deflection, and Withheld says why; without it that is an error.
	Listener bool
	// Facts are what the question asks for, where the owner names it: nothing is
	// looked for then, and of these the readers get what they may know, each judged
	// on its own. Sessions narrows what is looked for to facts that rest on one of
	// them. Both are the owner's, and open nothing. Nil: everything.
	Facts    []privacy.FactID
	Sessions []string
}

// Disclosure is the outcome. Only Answer may be shown to a recipient; the rest is
// the owner's.
type Disclosure struct {
	Question   string           `json:"question"`
	To         []string         `json:"to"`
	Action     Action           `json:"action"`
	Answer     string           `json:"answer"`
	FactsTold  []privacy.FactID `json:"facts_told"`
	Considered []Considered     `json:"considered,omitempty"`
	Context    *engine.Context  `json:"-"`
	Ledger     int64            `json:"-"` // id of the ledger entry; 0 for a preview
	Leaks      []privacy.FactID `json:"-"` // denied facts that the guard kept from leaving
	// Degraded are the stages that ran offline although a model was to run them.
	Degraded []string `json:"degraded,omitempty"`
	// Asked is the question that waits for the owner's word, "" if none does.
	Asked string `json:"-"`
	// Withheld is why nothing could be told whatever the question, for the owner;
	// nil where that was not so. See DiscloseRequest.Listener.
	Withheld error `json:"-"`
}

// Considered is one fact that a question touched, as the owner sees it.
type Considered struct {
	ID     privacy.FactID `json:"id"`
	Text   string         `json:"text"`
	Allow  bool           `json:"allow"`
	Reason privacy.Reason `json:"reason"`
	Label  privacy.Label  `json:"label"`
	Rule   string         `json:"rule,omitempty"` // what decided, in words
}

// considerAtMost bounds the facts that one question looks at: those that recall
// ranks for the listener, and those that the owner's view ranks, from which the
// guard learns what must not leave.
const considerAtMost = 40

// Disclose answers a question for the readers of one message from what all of
// them may know. The answer is in the ledger when Disclose returns, unless it is a
// preview. An error means that nothing may be told; its text is the owner's.
func (a *Agent) Disclose(ctx context.Context, req DiscloseRequest) (*Disclosure, error) {
	return a.run(ctx, &turn{request: req})
}

// run sends one question through the graph.
func (a *Agent) run(ctx context.Context, t *turn) (*Disclosure, error) {
	t.notes = &notes{}
	if _, err := a.graph.Invoke(engine.WithNotes(ctx, t.notes.add), t, a.traced()...); err != nil {
		if t.failed != nil {
			err = t.failed // the graph's own error holds node paths and stacks
		}
		if err = a.withhold(ctx, t, err); err != nil {
			return nil, fmt.Errorf("disclose: %w", err)
		}
	}
	if t.withheld != nil {
		a.log.Warn("nothing may be told; the listener got the deflection", "why", withheldWhy(t.withheld))
	}
	d := &Disclosure{
		Question:  t.request.Question,
		To:        t.names,
		Action:    Answered,
		Answer:    t.answer.Text,
		FactsTold: nonNil(t.answer.Facts),
		Context:   &t.context,
		Ledger:    t.entry,
		Leaks:     t.leaks,
		Degraded:  t.notes.degraded(),
		Withheld:  t.withheld,
	}
	if t.ask != nil && !t.request.Preview {
		d.Asked = t.ask.ID
	}
	if len(t.answer.Facts) == 0 {
		d.Action = Deflected
	}
	if t.request.Explain {
		d.Considered = t.explain()
	}
	return d, nil
}

// Reader is one reader of a message: who it is to the calculus, and what the
// channel calls them, which is what the ledger keeps.
type Reader struct {
	Recipient privacy.Recipient
	Name      string
}

// Readers turns names that the owner typed into readers. Anyone may be one: a name
// that is nobody's gets what a stranger gets. A name that can be mistaken for
// somebody's is an error that names the candidate (privacy.ErrConfusable).
func (a *Agent) Readers(ctx context.Context, names []string) ([]Reader, error) {
	policy, err := a.Policy(ctx)
	if err != nil {
		return nil, err
	}
	return readers(policy, names)
}

// Listeners is [Agent.Readers] for those who get the answers themselves: while the
// policy is missing or broken, names are those of the newest version that was in
// force. Nothing is told to them then.
func (a *Agent) Listeners(ctx context.Context, names []string) ([]Reader, error) {
	policy, err := a.listenersPolicy(ctx)
	if err != nil {
		return nil, err
	}
	return readers(policy, names)
}

func readers(policy *privacy.Policy, names []string) ([]Reader, error) {
	var out []Reader
	for _, name := range names {
		r, err := policy.Lookup(name)
		if errors.Is(err, privacy.ErrEmptyName) {
			return nil, fmt.Errorf("recipient: %w; name the person who asks", ErrEmpty)
		}
		if err != nil {
			return nil, err
		}
		if r.Known() {
			name = r.Name()
		}
		out = append(out, Reader{Recipient: r, Name: name})
	}
	return out, nil
}

func recipients(readers []Reader) []privacy.Recipient {
	out := make([]privacy.Recipient, len(readers))
	for i, r := range readers {
		out[i] = r.Recipient
	}
	return out
}

// explain lists every fact that was looked at, allowed ones first as they were
// ranked, then what the owner's view found beside them.
func (t *turn) explain() []Considered {
	var out []Considered
	seen := map[privacy.FactID]bool{}
	add := func(id privacy.FactID, v privacy.Verdict, why string) {
		fact, ok := t.world.fact(id)
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		if why == "" {
			why = t.world.rule(id, t.to)
		}
		out = append(out, Considered{
			ID: id, Text: fact.Text, Allow: v.Allow, Reason: v.Reason,
			Label: t.world.label(id), Rule: why,
		})
	}
	for _, j := range t.judged {
		add(j.id, j.verdict, j.why)
	}
	for _, hit := range t.considered {
		add(hit.Fact, t.world.audience(hit.Fact, t.to), "")
	}
	return out
}

// rule says in words what decided on a fact: the step of the first reader who may
// not know it, or of the first reader where all may.
func (w *world) rule(id privacy.FactID, to []privacy.Recipient) string {
	i, ok := w.judge.Index(id)
	if !ok || len(to) == 0 {
		return ""
	}
	decider := to[0]
	for _, r := range to {
		if !w.judge.Verdict(i, r).Allow {
			decider = r
			break
		}
	}
	for _, step := range w.judge.Explain(i, decider).Steps {
		if step.Decided {
			return step.Rule + ": " + step.Looked
		}
	}
	return ""
}

// nonNil makes an empty list of nil, so that it prints as [].
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return slices.Clone(list)
}
