package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ChangeKind is what a change is about.
type ChangeKind string

// The kinds of changes.
const (
	ChangeAddRule    ChangeKind = "add-rule"    // a rule into policy.yaml
	ChangeRemoveRule ChangeKind = "remove-rule" // a rule out of it
	ChangePolicy     ChangeKind = "policy"      // a whole new policy.yaml
	ChangeUndo       ChangeKind = "undo"        // an earlier version of it
	ChangeDecide     ChangeKind = "decide"      // the owner's answer to facts, as in a review
	ChangeGrant      ChangeKind = "grant"       // what words that were passed on as the owner's permit to somebody
	ChangeForget     ChangeKind = "forget"
	ChangeImport     ChangeKind = "import"
	ChangeLearned    ChangeKind = "supplements" // what evolution has in force
)

// Change is a change as data: it can be shown, agreed to, and kept until the owner
// decides. The owner's assistant asks for changes, and the assistant may have read a
// stranger's text: nothing in a Change says that the owner agreed. The fields of
// other kinds than Kind are not looked at.
type Change struct {
	Kind     ChangeKind       `json:"kind"`
	Note     string           `json:"note,omitempty"` // of the policy version
	Rule     *privacy.Rule    `json:"rule,omitempty"`
	RuleID   privacy.RuleID   `json:"rule_id,omitempty"`
	Source   string           `json:"source,omitempty"`  // the new policy.yaml
	Base     string           `json:"base,omitempty"`    // hash of the version that Source was made from
	Version  string           `json:"version,omitempty"` // as in [Agent.PolicyAt]; "" the one before
	Facts    []privacy.FactID `json:"facts,omitempty"`
	Decision *Decision        `json:"decision,omitempty"`
	Grants   []Permission     `json:"grants,omitempty"`
	Forget   *ForgetRequest   `json:"forget,omitempty"`
	Import   *ImportChange    `json:"import,omitempty"`
	Learned  *LearnedChange   `json:"learned,omitempty"`
}

// Permission is a mark by which the owner's words permit a fact to somebody.
type Permission struct {
	Fact privacy.FactID `json:"fact"`
	Mark privacy.Mark   `json:"mark"`
}

// ImportChange is an import that somebody else than the owner chose the file of.
type ImportChange struct {
	Path      string `json:"path"`
	Self      string `json:"self,omitempty"`
	TZ        string `json:"tz,omitempty"` // IANA name
	DateOrder string `json:"date_order,omitempty"`
}

// ErrConsent says that the change needs the owner's consent. Nothing was done.
var ErrConsent = errors.New("this change needs the owner's consent")

// ErrChanged says that what a change would do is no longer what the owner agreed to. Nothing
// was done.
var ErrChanged = errors.New("what the change would do has changed meanwhile; look at it again")

// Proposal is what a change would do, or did.
type Proposal struct {
	Change Change
	// Opens is what the owner has to agree to, a line each: whom it lets in by name,
	// and what it lets out of facts that are yet to come. Empty: it only tightens.
	Opens  []string
	Closes []string // who may know less, a line each
	Notes  []string // what else there is to know of it
	// People are those it lets in, by name and sorted; "anybody else" stands for whom
	// the policy doesn't know. Facts are what it opens to them.
	People []string
	Facts  []FactText
	Done   bool
	// Key stands for exactly this effect: a consent to it is none to another.
	Key string

	Plan      *PolicyPlan       // of a change of the policy
	Decided   *Decided          // of a decision
	Forgotten *memory.Forgotten // of forgetting
	Report    *ImportReport     // of an import that was done
	Learned   *LearnedPlan      // of a change of the supplements

	subjects []privacy.FactID // of Facts
	content  string           // hash of the file of an import

	apply func(ctx context.Context, progress func(done, total int)) error
}

// FactText is a fact by its words.
type FactText struct {
	ID   privacy.FactID `json:"id"`
	Text string         `json:"text"`
}

// Propose does a change at once if it only tightens. What would let anybody learn
// more, now or later, is not done: the proposal comes back with ErrConsent. Progress
// is told of imports and may be nil.
func (a *Agent) Propose(ctx context.Context, c Change, progress func(done, total int)) (*Proposal, error) {
	p, err := a.preview(ctx, c)
	if err != nil {
		return nil, err
	}
	if len(p.Opens) > 0 {
		return p, fmt.Errorf("%s: %w", c.Kind, ErrConsent)
	}
	return p, p.do(ctx, progress)
}

// Preview says what a change would do.
func (a *Agent) Preview(ctx context.Context, c Change) (*Proposal, error) { return a.preview(ctx, c) }

// Agree does a change that the owner has seen as the proposal of this key and has
// agreed to. If it would do anything else by now, nothing is done: the new proposal
// comes back with ErrChanged.
func (a *Agent) Agree(ctx context.Context, c Change, key string, progress func(done, total int)) (*Proposal, error) {
	p, err := a.preview(ctx, c)
	if err != nil {
		return nil, err
	}
	if p.Key != key {
		return p, fmt.Errorf("%s: %w", c.Kind, ErrChanged)
	}
	return p, p.do(ctx, progress)
}

func (p *Proposal) do(ctx context.Context, progress func(done, total int)) error {
	if progress == nil {
		progress = func(int, int) {}
	}
	if err := p.apply(ctx, progress); err != nil {
		return err
	}
	p.Done = true
	return nil
}

// preview finds out what a change would do, and how it is done.
func (a *Agent) preview(ctx context.Context, c Change) (*Proposal, error) {
	p := &Proposal{Change: c, Opens: []string{}, Closes: []string{}, Notes: []string{}}
	var err error
	switch c.Kind {
	case ChangeAddRule, ChangeRemoveRule, ChangePolicy, ChangeUndo:
		err = a.previewPolicy(ctx, p)
	case ChangeDecide:
		err = a.previewDecision(ctx, p)
	case ChangeGrant:
		err = a.previewGrants(ctx, p)
	case ChangeForget:
		err = a.previewForget(ctx, p)
	case ChangeImport:
		err = a.previewImport(ctx, p)
	case ChangeLearned:
		err = a.previewLearned(ctx, p)
	default:
		err = fmt.Errorf("change %q: %w", c.Kind, ErrEmpty)
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(p.People)
	p.People = slices.Compact(p.People)
	if w, err := a.current(ctx); err == nil {
		for _, id := range unique(p.subjects) {
			if f, ok := w.fact(id); ok {
				p.Facts = append(p.Facts, FactText{id, f.Text})
			}
		}
	}
	p.Opens = unique(p.Opens) // two marks may permit the same
	parts := append([]string{string(c.Kind), p.content}, p.Opens...)
	parts = append(append(parts, "\x00closes"), p.Closes...)
	if p.Plan != nil {
		parts = append(parts, p.Plan.Hash)
	}
	p.Key = shortHash(append([]string{"proposal"}, parts...)...)
	return p, nil
}

// previewPolicy plans a change of policy.yaml.
func (a *Agent) previewPolicy(ctx context.Context, p *Proposal) error {
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	c := &p.Change
	var source []byte
	var restores int64
	note := c.Note
	switch c.Kind {
	case ChangePolicy:
		source = []byte(c.Source)
		if c.Base != "" && w.stale == nil && !strings.HasPrefix(w.policy.Hash(), c.Base) {
			return fmt.Errorf("the policy is no longer the version %.12s that this one was made from: %w", c.Base, ErrChanged)
		}
	case ChangeUndo:
		back, undo, err := a.versionBefore(ctx, c.Version)
		if err != nil {
			return err
		}
		source, restores, note = back.Source, standsFor(back), undo
	default:
		if source, err = w.edited(*c); err != nil {
			return err
		}
	}
	plan, err := a.plan(ctx, w, source)
	if err != nil {
		return err
	}
	after, err := privacy.Parse(PolicyFile, source)
	if err != nil {
		return err
	}
	p.Plan = plan
	if w.stale != nil {
		// Nobody is told anything now, and what stands in the file is the owner's.
		p.Opens = append(p.Opens, "the policy file is missing or can't be read, so that nobody is told anything; this takes its place")
	}
	p.opens(plan.Shown, plan.Loosened)
	p.Opens = append(p.Opens, plan.Loosens...)
	for _, line := range loosens(w.policy, after) {
		if !slices.Contains(p.Opens, line) {
			p.Opens = append(p.Opens, line)
		}
	}
	if len(p.Opens) > 0 {
		p.Opens = append(ruleChanges(w.policy, after), p.Opens...)
	}
	p.Closes = pairsClose(plan.Hidden)
	p.Notes = append(append(p.Notes, plan.Beaten...), plan.Outgrown...)
	for _, problem := range plan.Warnings {
		p.Notes = append(p.Notes, problem.String())
	}
	p.apply = func(ctx context.Context, _ func(int, int)) error {
		done, err := a.apply(ctx, w, source, note, true, restores)
		if done != nil {
			p.Plan = done
		}
		if errors.Is(err, errPolicyMoved) {
			return fmt.Errorf("%w: %w", ErrChanged, err)
		}
		return err
	}
	return nil
}

// edited is policy.yaml with a rule added or removed.
func (w *world) edited(c Change) ([]byte, error) {
	if w.stale != nil {
		return nil, w.stale
	}
	var edit privacy.Edit
	switch {
	case c.Kind == ChangeRemoveRule:
		edit = privacy.RemoveRule{ID: c.RuleID}
	case c.Rule == nil:
		return nil, fmt.Errorf("rule: %w", ErrEmpty)
	default:
		for _, party := range c.Rule.Parties() {
			if _, err := w.party(party); err != nil {
				return nil, err
			}
		}
		if err := w.canMatch(*c.Rule); err != nil {
			return nil, err
		}
		edit = privacy.AddRule{Rule: *c.Rule}
	}
	edited, err := w.policy.Edit(edit)
	if err != nil {
		return nil, err
	}
	return edited.Source(), nil
}

// previewGrants plans what words that were passed on as the owner's permit.
func (a *Agent) previewGrants(ctx context.Context, p *Proposal) error {
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	if w.stale != nil {
		return w.stale
	}
	var changes []change
	at := map[privacy.FactID]int{}
	for _, g := range p.Change.Grants {
		if _, _, err := w.need(g.Fact); err != nil {
			return err
		}
		k, ok := at[g.Fact]
		if !ok {
			k = len(changes)
			at[g.Fact] = k
			changes = append(changes, change{id: g.Fact})
		}
		changes[k].marks = append(changes[k].marks, g.Mark)
		name := g.Mark.Value
		if person, ok := w.policy.Person(name); ok {
			name = person.Name
		}
		p.People, p.subjects = append(p.People, name), append(p.subjects, g.Fact)
		p.Opens = append(p.Opens, fmt.Sprintf("%s may know %s, by words passed on as the owner's", name, g.Fact))
	}
	if len(changes) == 0 {
		return fmt.Errorf("grant: %w", ErrEmpty)
	}
	plan, err := a.difference(ctx, w, w.after(changes, a.opts.Now()))
	if err != nil {
		return err
	}
	p.opens(plan.Shown, plan.Loosened)
	p.Closes = pairsClose(plan.Hidden)
	p.apply = func(ctx context.Context, _ func(int, int)) error {
		for _, c := range changes {
			if err := a.makeChange(ctx, c); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

// previewForget plans a forgetting. Forgetting a cover story can open what it hid, and
// what the owner taught by a fact goes with it, which later facts may owe their place
// to: that asks.
func (a *Agent) previewForget(ctx context.Context, p *Proposal) error {
	if p.Change.Forget == nil {
		return fmt.Errorf("forget: %w", ErrEmpty)
	}
	req := *p.Change.Forget
	dry := req
	dry.DryRun = true
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	gone, err := a.Forget(ctx, dry)
	if err != nil {
		return err
	}
	p.Forgotten = gone
	var changes []change
	for _, id := range gone.Facts {
		if _, ok := w.fact(id); ok {
			changes = append(changes, change{id: id, removed: true})
		}
	}
	plan, err := a.difference(ctx, w, w.after(changes, a.opts.Now()))
	if err != nil {
		return err
	}
	p.opens(plan.Shown, plan.Loosened)
	if len(gone.Supplements) > 0 {
		p.Opens = append(p.Opens, fmt.Sprintf("what was learned from feedback on it goes too (%d supplements): later facts like those may be put elsewhere", len(gone.Supplements)))
	}
	if n := len(gone.Relabelled); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d facts that stay lose what was learned so", n))
	}
	if gone.Exemplars > 0 {
		p.Opens = append(p.Opens, fmt.Sprintf("what the owner taught goes too (%d exemplars): later facts like those may be put elsewhere", gone.Exemplars))
	}
	p.apply = func(ctx context.Context, _ func(int, int)) error {
		if req.DryRun {
			return nil
		}
		done, err := a.Forget(ctx, req)
		if done != nil {
			p.Forgotten = done
		}
		return err
	}
	return nil
}

// opens notes whom verdicts open to, a line a pair.
func (p *Proposal) opens(shown []privacy.PairChange, loosened []privacy.Apart) {
	for _, c := range shown {
		p.Opens = append(p.Opens, fmt.Sprintf("%s may know %s (%s)", anybody(c.Name), c.Fact, c.After.Reason))
		p.People, p.subjects = append(p.People, anybody(c.Name)), append(p.subjects, c.Fact)
	}
	for _, l := range loosened {
		p.Opens = append(p.Opens, fmt.Sprintf("the combination %s no longer holds %s back from %s", l.Combination, l.Fact, anybody(l.Name)))
		p.People, p.subjects = append(p.People, anybody(l.Name)), append(p.subjects, l.Fact)
	}
}

func pairsClose(hidden []privacy.PairChange) []string {
	out := []string{}
	for _, c := range hidden {
		out = append(out, fmt.Sprintf("%s may no longer know %s (%s)", anybody(c.Name), c.Fact, c.After.Reason))
	}
	return out
}

// anybody names the person of a pair; the one without a name is anybody whom the
// policy doesn't know.
func anybody(name string) string {
	if name == "" {
		return "anybody else"
	}
	return name
}

// zone reads an IANA name; "" is none.
func zone(name string) (*time.Location, error) {
	if name == "" {
		return nil, nil
	}
	return time.LoadLocation(name)
}
