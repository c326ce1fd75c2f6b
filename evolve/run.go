package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/prompts"
)

// RunOptions are the settings of a run. The zero value learns offline from everything.
type RunOptions struct {
	Seed   int64
	Calls  int            // of a model, at most; 0: none is made
	Stages []prompts.Name // that may learn; none: all
	// Candidates is how many are tried at most. Default: 24.
	Candidates int
	Tolerance  float64     // see [Gate]
	Diagnosers []Diagnoser // asked in order. Default: by rule
	Proposers  []Proposer  // default: by rule
	// Again begins anew where an earlier run was stopped.
	Again    bool
	Progress func(done, total int) // of candidates; nil: nobody
}

// Bounds of a run.
const (
	defaultCandidates = 24
	maxFeedback       = 500
)

// RunReport is what came of a run.
type RunReport struct {
	Run      int64     `json:"run"`
	Resumed  bool      `json:"resumed"`
	Feedback int       `json:"feedback"` // looked at
	Findings []Finding `json:"findings"`
	// TriedBefore are those that were tried before the run was stopped, where it goes on.
	TriedBefore []Supplement `json:"tried_before,omitempty"`
	// Tried are the candidates with what became of them, in the order in which they were.
	Tried []Supplement `json:"tried"`
	// RolledBack are those that later feedback spoke against.
	RolledBack []RolledBackSupplement `json:"rolled_back"`
	Left       int                    `json:"left"` // candidates that a next run goes on with
	Calls      int                    `json:"calls"`
	Version    int64                  `json:"in_force"`          // number of the version
	Stopped    string                 `json:"stopped,omitempty"` // why it ended before its end
}

// Run learns from the feedback that was given since, tries what comes of it, and puts in
// force what may be applied by itself. A run that was stopped goes on where it was. An
// error leaves everything that was decided until then as it is.
func Run(ctx context.Context, a *agent.Agent, o RunOptions) (*RunReport, error) {
	if o.Candidates <= 0 {
		o.Candidates = defaultCandidates
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	if len(o.Diagnosers) == 0 {
		o.Diagnosers = []Diagnoser{NewRuleDiagnoser()}
	}
	if len(o.Proposers) == 0 {
		o.Proposers = []Proposer{NewRuleProposer()}
	}
	r := &runner{a: a, store: a.Evolution(), o: o, report: &RunReport{Findings: []Finding{}, Tried: []Supplement{}, RolledBack: []RolledBackSupplement{}}}
	err := r.run(ctx)
	if r.report.Version == 0 {
		if v, _, verr := r.store.ActiveSupplements(context.WithoutCancel(ctx)); verr == nil {
			r.report.Version = v
		}
	}
	if errors.Is(err, ErrBudget) {
		r.report.Stopped, err = err.Error(), nil
	}
	return r.report, err
}

// runner carries one run.
type runner struct {
	a      *agent.Agent
	store  agent.EvolutionStore
	o      RunOptions
	report *RunReport

	home  *Home
	known map[string]Supplement
	state memory.EvolutionRun
	calls int // left
}

func (r *runner) run(ctx context.Context) error {
	r.calls = r.o.Calls
	var err error
	if r.home, err = OpenHome(ctx, r.a); err != nil {
		return err
	}
	if err := r.rollBack(ctx); err != nil {
		return err
	}
	if r.known, err = Known(ctx, r.a); err != nil {
		return err
	}
	if err := r.withdraw(ctx); err != nil {
		return err
	}
	if err := r.recheck(ctx); err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	return r.try(ctx)
}

// withdraw refuses what waits and rests on nothing that still holds.
func (r *runner) withdraw(ctx context.Context) error {
	for _, id := range sortedIDs(r.known) {
		s := r.known[id]
		if (s.Status == Proposed || s.Status == Candidate) && len(s.Evidence) > 0 && len(r.home.live(s)) == 0 {
			s.Status, s.Reason = Refused, ErrWithdrawn.Error()
			if err := r.put(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// recheck notes what has become of feedback by what is in force now.
func (r *runner) recheck(ctx context.Context) error {
	stored, err := r.a.FeedbackGiven(ctx)
	if err != nil {
		return err
	}
	was := map[int64]memory.FeedbackStatus{}
	for _, f := range stored {
		was[f.ID] = f.Status
	}
	if err := r.home.recheck(ctx, r.active()); err != nil {
		return err
	}
	now := map[memory.FeedbackStatus][]int64{}
	for _, f := range r.home.Feedback() {
		if f.Status != was[f.ID] {
			now[f.Status] = append(now[f.Status], f.ID)
		}
	}
	for status, ids := range now {
		if err := r.store.SetFeedbackStatus(ctx, status, ids...); err != nil {
			return err
		}
	}
	return nil
}

// begin takes up the run that was stopped, or makes a new one with its candidates.
func (r *runner) begin(ctx context.Context) error {
	runs, err := r.store.EvolutionRuns(ctx)
	if err != nil {
		return err
	}
	if n := len(runs); n > 0 && runs[n-1].Ended.IsZero() && !r.o.Again {
		r.state, r.report.Resumed = runs[n-1], true
		if err := r.sameRun(); err != nil {
			return err
		}
		r.report.Run, r.report.Feedback = r.state.ID, len(r.state.Feedback)
		for _, id := range r.state.Candidates[:min(r.state.Position, len(r.state.Candidates))] {
			if s, ok := r.known[id]; ok {
				r.report.TriedBefore = append(r.report.TriedBefore, s)
			}
		}
		return nil
	}
	r.state = memory.EvolutionRun{Seed: r.o.Seed}
	for _, s := range r.o.Stages {
		r.state.Stages = append(r.state.Stages, string(s))
	}
	candidates, err := r.candidates(ctx)
	if err != nil {
		return err
	}
	if len(candidates) == 0 && len(r.state.Feedback) == 0 {
		return nil // nothing to learn from
	}
	var put []memory.StoredSupplement
	for _, s := range candidates {
		x, err := s.stored()
		if err != nil {
			return err
		}
		put = append(put, x)
		r.known[s.ID] = s
		r.state.Candidates = append(r.state.Candidates, s.ID)
	}
	if err := r.store.PutSupplements(ctx, put...); err != nil {
		return err
	}
	r.state.Calls = r.o.Calls - r.calls
	if r.state.ID, err = r.store.PutEvolutionRun(ctx, r.state); err != nil {
		return err
	}
	r.report.Run = r.state.ID
	return r.store.SetFeedbackStatus(ctx, memory.FeedbackUsed, r.fresh()...)
}

// sameRun refuses to go on with a run by other settings than those that it began with.
func (r *runner) sameRun() error {
	var stages []string
	for _, s := range r.o.Stages {
		stages = append(stages, string(s))
	}
	slices.Sort(stages)
	if r.o.Seed != 0 && r.o.Seed != r.state.Seed || len(stages) > 0 && !slices.Equal(stages, slices.Sorted(slices.Values(r.state.Stages))) {
		return fmt.Errorf("run %d, of seed %d and %s, %w", r.state.ID, r.state.Seed, cmp.Or(strings.Join(r.state.Stages, ", "), "all stages"), ErrOtherRun)
	}
	return nil
}

// fresh is the feedback of the run that no run has looked at.
func (r *runner) fresh() []int64 {
	var out []int64
	for _, f := range r.home.Feedback() {
		if f.Status == memory.FeedbackNew && slices.Contains(r.state.Feedback, f.ID) {
			out = append(out, f.ID)
		}
	}
	return out
}

// candidates diagnoses feedback and proposes from it, beside those that wait since they
// were brought from elsewhere.
func (r *runner) candidates(ctx context.Context) ([]Supplement, error) {
	var out []Supplement
	for _, id := range sortedIDs(r.known) {
		s := r.known[id]
		if s.Lesson == nil && r.a.ModelName() == "" {
			continue // no stage would run with it: it waits for a model
		}
		if s.Status == Candidate && r.wants(s.Stage) {
			out = append(out, s)
		}
	}
	r.state.Feedback = r.toLearnFrom()
	r.report.Feedback = len(r.state.Feedback)
	if len(r.fresh()) > 0 {
		proposed, err := r.propose(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, proposed...)
	}
	out = merged(out)
	return out[:min(len(out), r.o.Candidates)], nil
}

// toLearnFrom is the feedback that nothing in force answers yet, by id: what an earlier
// run found too little in counts again, with what came since. Where there is too much of it
// the seed chooses.
func (r *runner) toLearnFrom() []int64 {
	var ids []int64
	for _, f := range r.home.Feedback() {
		if f.Status != memory.FeedbackAnswered && f.Status != memory.FeedbackSuperseded {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) > maxFeedback {
		rnd := rand.New(rand.NewPCG(uint64(r.o.Seed), 1))
		rnd.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:maxFeedback]
	}
	slices.Sort(ids)
	return ids
}

func (r *runner) wants(stage prompts.Name) bool {
	return len(r.o.Stages) == 0 || slices.Contains(r.o.Stages, stage)
}

// propose makes candidates of the run's feedback.
func (r *runner) propose(ctx context.Context) ([]Supplement, error) {
	active := r.active()
	traces, err := r.home.Traces(ctx, active, r.state.Feedback)
	if err != nil {
		return nil, err
	}
	forbidden, err := r.home.Forbidden(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range r.o.Diagnosers {
		if m, ok := d.(*ModelDiagnoser); ok {
			m.begin(active, forbidden)
		}
	}
	for _, t := range traces {
		f, err := r.diagnose(ctx, t)
		if err != nil {
			return nil, err
		}
		if r.wants(f.Stage) || f.Stage == "" {
			r.report.Findings = append(r.report.Findings, f)
		}
	}
	m := Material{
		Findings: r.report.Findings, Existing: r.existing(), Policy: r.home.Policy(), Facts: r.home.Labelled(),
		Budget: r.o.Candidates, Seed: r.o.Seed, Model: r.a.ModelName() != "",
	}
	var out []Supplement
	for _, p := range append(slices.Clone(r.o.Proposers), noteProposer{}) {
		proposed, err := p.Propose(ctx, m)
		if err != nil {
			return nil, fmt.Errorf("propose: %w", err)
		}
		for _, s := range proposed {
			s = s.Identify()
			if known, ok := r.known[s.ID]; ok && !again(known, s) || !r.wants(s.Stage) {
				continue // what was declined once stays so
			}
			s.Status, s.At = Candidate, r.a.Now()
			out = append(out, s)
		}
	}
	return out, nil
}

// again reports whether a candidate that was tried before is worth another trial: there is
// feedback that it did not rest on then, and it was refused for what came of the trial, or
// went out of force by itself and not by being merged. What the owner declined stays so.
func again(known, now Supplement) bool {
	worth := false
	switch known.Status {
	case Refused:
		worth = strings.HasPrefix(known.Reason, ErrFull.Error()) ||
			slices.ContainsFunc([]error{ErrNoBetter, ErrWorse, ErrOpens, ErrWithdrawn, ErrStep}, func(err error) bool { return strings.HasPrefix(known.Reason, err.Error()) })
	case Retired:
		worth = !strings.HasPrefix(known.Reason, agent.MergedInto)
	case RolledBack:
		worth = true
	}
	return worth && slices.ContainsFunc(now.Evidence, func(id int64) bool { return !slices.Contains(known.Evidence, id) })
}

// wentOut reports whether a supplement was in force once: what was taken out comes back by
// the owner's word alone.
func (r *runner) wentOut(ctx context.Context, id string) (bool, error) {
	versions, err := r.store.SupplementVersions(ctx)
	return slices.ContainsFunc(versions, func(v memory.SupplementVersion) bool { return slices.Contains(v.Active, id) }), err
}

// ReasonOthers is the reason of a finding of which nothing is learned.
const ReasonOthers = "its words are somebody else's"

// diagnose asks one diagnoser after the other until one knows the stage.
func (r *runner) diagnose(ctx context.Context, t *Trace) (Finding, error) {
	f := Finding{Feedback: t.Feedback.ID, Kind: agent.FeedbackKind(t.Feedback.Kind), Language: t.Language, Reason: "no rule fits", By: ByRule, Trace: t}
	if t.Others {
		f.Reason = ReasonOthers
		return f, nil
	}
	for _, d := range r.o.Diagnosers {
		if m, ok := d.(*ModelDiagnoser); ok && !m.may(&r.calls) {
			continue
		}
		got, err := d.Diagnose(ctx, t)
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case err != nil:
			f.Reason = err.Error() // the next one may know
		case got.Stage != "":
			got.Feedback, got.Trace = t.Feedback.ID, t
			return got, nil
		}
	}
	return f, nil
}

func (r *runner) active() []Supplement { return inForce(r.known) }

func (r *runner) existing() []Supplement {
	var out []Supplement
	for _, id := range sortedIDs(r.known) {
		out = append(out, r.known[id])
	}
	return out
}

func sortedIDs(m map[string]Supplement) []string {
	out := make([]string, 0, len(m))
	for id := range m {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// merged is a list in which each content stands once, with all its evidence.
func merged(list []Supplement) []Supplement {
	var out []Supplement
	for _, s := range list {
		at := slices.IndexFunc(out, func(x Supplement) bool {
			return x.Stage == s.Stage && x.Language == s.Language && x.Key() == s.Key()
		})
		if at < 0 {
			s.Evidence = slices.Clone(s.Evidence)
			slices.Sort(s.Evidence)
			s.Evidence = slices.Compact(s.Evidence)
			out = append(out, s)
			continue
		}
		out[at].Evidence = append(out[at].Evidence, s.Evidence...)
		slices.Sort(out[at].Evidence)
		out[at].Evidence = slices.Compact(out[at].Evidence)
	}
	return out
}

// try takes one candidate after the other through the gate, and keeps where it is.
func (r *runner) try(ctx context.Context) error {
	if r.state.ID == 0 {
		return nil
	}
	forbidden, err := r.home.Forbidden(ctx)
	if err != nil {
		return err
	}
	g := &Gate{Ground: r.home, Cases: r.home.Cases(), Tolerance: r.o.Tolerance, Forbidden: forbidden, Calls: r.calls}
	defer func() { r.report.Left = len(r.state.Candidates) - r.state.Position }()
	spent := r.state.Calls
	for r.state.Position < len(r.state.Candidates) {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.o.Progress(r.state.Position, len(r.state.Candidates))
		s, ok := r.known[r.state.Candidates[r.state.Position]]
		if ok && s.Status == Candidate {
			left := g.Calls
			t, err := g.Try(ctx, r.active(), s)
			spent += left - g.Calls
			r.report.Calls = r.o.Calls - g.Calls
			if err != nil {
				return err
			}
			if s, err = r.settle(ctx, s, t); err != nil {
				return err
			}
			r.report.Tried = append(r.report.Tried, s)
		}
		r.state.Position++
		r.state.Calls = spent
		if r.state.Position == len(r.state.Candidates) {
			r.state.Ended = r.a.Now()
		}
		if _, err := r.store.PutEvolutionRun(context.WithoutCancel(ctx), r.state); err != nil {
			return err
		}
	}
	r.o.Progress(len(r.state.Candidates), len(r.state.Candidates))
	r.report.Calls = max(r.report.Calls, r.o.Calls-g.Calls)
	if r.state.Ended.IsZero() {
		r.state.Ended = r.a.Now()
		_, err = r.store.PutEvolutionRun(ctx, r.state)
	}
	return err
}

// settle stores what became of a candidate, and puts in force what may be: by the way
// that every change takes, which holds once more that nobody is let in by it.
func (r *runner) settle(ctx context.Context, s Supplement, t Trial) (Supplement, error) {
	if t.Status == Proposed && r.smallerStep(s, t) {
		t = t.refuse(ErrStep)
	}
	s.Gate, s.Status, s.Reason = &t.Figures, t.Status, t.Reason
	if t.Status == Active {
		out, err := r.wentOut(ctx, s.ID)
		if err != nil {
			return s, err
		}
		if out {
			t.Status, s.Status, s.Reason = Proposed, Proposed, "it was in force once, and was taken out"
		} else {
			s.Status = Candidate
		}
	}
	if err := r.put(ctx, s); err != nil || t.Status != Active {
		return s, err
	}
	change := agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{Add: []string{s.ID}, Author: s.Author, Note: "by a run"}}
	p, err := r.a.Propose(ctx, change, nil)
	switch {
	case errors.Is(err, agent.ErrConsent):
		s.Status, s.Reason = Proposed, fmt.Sprintf("%d outcomes would open", len(p.Opens))
		return s, r.put(ctx, s)
	case errors.Is(err, agent.ErrTooManyLearned):
		s.Status, s.Reason = Refused, ErrFull.Error()
		return s, r.put(ctx, s)
	case err != nil:
		return s, err
	}
	s.Status, s.Reason = Active, ""
	r.known[s.ID] = s
	for _, id := range s.Parents {
		if parent, ok := r.known[id]; ok && parent.Status == Active {
			parent.Status = Retired
			r.known[id] = parent
		}
	}
	r.report.Version = p.Learned.Version
	return s, nil
}

// smallerStep reports whether a smaller step of the same bound waits that puts as much right.
func (r *runner) smallerStep(s Supplement, t Trial) bool {
	for _, x := range r.known {
		if x.ID != s.ID && x.Status == Proposed && x.Gate != nil && sameWay(x.Lesson, s.Lesson) &&
			x.Gate.TargetNow >= t.Figures.TargetNow && x.Gate.RightNow >= t.Figures.RightNow {
			return true
		}
	}
	return false
}

func (r *runner) put(ctx context.Context, s Supplement) error {
	x, err := s.stored()
	if err != nil {
		return err
	}
	r.known[s.ID] = s
	return r.store.PutSupplements(ctx, x)
}

// Known returns every supplement of a home by its id.
func Known(ctx context.Context, a *agent.Agent) (map[string]Supplement, error) {
	stored, err := a.Evolution().Supplements(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]Supplement{}
	for _, x := range stored {
		s, err := fromStored(x)
		if err != nil {
			if x.Status == memory.SupplementActive {
				return nil, fmt.Errorf("%w: %w", agent.ErrLearned, err)
			}
			continue // of a later release, say: it does nothing
		}
		out[s.ID] = s
	}
	return out, nil
}

// List returns every supplement of a home: those in force first, then what waits for the
// owner, then the rest; the newest first within each.
func List(ctx context.Context, a *agent.Agent) ([]Supplement, error) {
	known, err := Known(ctx, a)
	if err != nil {
		return nil, err
	}
	out := make([]Supplement, 0, len(known))
	for _, s := range known {
		out = append(out, s)
	}
	rank := func(s Status) int {
		return slices.Index([]Status{Active, Proposed, Candidate, Refused, Retired, RolledBack}, s)
	}
	slices.SortFunc(out, func(a, b Supplement) int {
		return cmp.Or(cmp.Compare(rank(a.Status), rank(b.Status)), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return withIdle(ctx, a, out), nil
}

// Find returns one supplement; ErrUnknown for one that isn't there, or is no more.
func Find(ctx context.Context, a *agent.Agent, id string) (Supplement, error) {
	list, err := List(ctx, a)
	if err != nil {
		return Supplement{}, err
	}
	if at := slices.IndexFunc(list, func(x Supplement) bool { return x.ID == id }); at >= 0 {
		return list[at], nil
	}
	return Supplement{}, fmt.Errorf("%q: %w", id, ErrUnknown)
}

// declined is the reason of what the owner declined.
const declined = "declined by the owner"

// Decline refuses a supplement by the owner's word, so that it isn't proposed again.
func Decline(ctx context.Context, a *agent.Agent, s Supplement) error {
	if s.Status == Active {
		return fmt.Errorf("%s is in force: take it out by a change", s.ID)
	}
	s.Status, s.Reason = Refused, declined
	x, err := s.stored()
	if err != nil {
		return err
	}
	return a.Evolution().PutSupplements(ctx, x)
}
