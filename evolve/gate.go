package evolve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// Gate tries candidates. It stores nothing, and it is the only place that says what a
// candidate becomes.
type Gate struct {
	Ground Ground
	Cases  []Case // that are kept; those of a candidate's own evidence are its target
	// Tolerance is the share of the cases, 0..1, that may turn from right to wrong on the
	// closed side, where as many become right. A case that opens wrongly and a test of the
	// policy that no longer holds always refuse. Default: 0.
	Tolerance float64
	Forbidden *Forbidden
	// Calls is how many calls of a model may still be made; each trial takes from it.
	Calls int

	base    *Replay // of the active set that was tried last
	baseKey string
}

// Trial is what became of a candidate.
type Trial struct {
	Status  Status // Active: it may be applied by itself. Proposed: the owner decides. Refused
	Reason  string
	Err     error // of Refused: what Reason says, to compare with
	Figures Figures
	// Difference is whom it opens and closes, by home (see [Replay]).
	Difference map[string]privacy.Difference
	// Looser are facts, "home/fact", whose label opens, though no verdict turns today.
	Looser []string
}

func refused(err error, f Figures) Trial {
	return Trial{Status: Refused, Reason: err.Error(), Err: err, Figures: f}
}

// Try tries a candidate on top of the active set. ErrBudget: more calls are needed than
// are left; the candidate stays one.
func (g *Gate) Try(ctx context.Context, active []Supplement, candidate Supplement) (Trial, error) {
	if err := Check(candidate, g.Forbidden); err != nil {
		return refused(err, Figures{}), nil
	}
	if err := room(active, candidate); err != nil {
		return refused(err, Figures{}), nil
	}
	before, err := g.before(ctx, active)
	if err != nil {
		return Trial{}, err
	}
	after, err := g.replay(ctx, with(active, candidate))
	if err != nil {
		return Trial{}, err
	}
	return g.judge(candidate, before, after), nil
}

// room refuses what is in force already, and what its stage has no room for.
func room(active []Supplement, candidate Supplement) error {
	n := 0
	for _, s := range active {
		if s.ID == candidate.ID || s.Stage == candidate.Stage && s.Language == candidate.Language && s.Key() == candidate.Key() {
			return ErrKnown
		}
		if candidate.replaces(s) {
			continue
		}
		if s.Stage == candidate.Stage && s.Language == candidate.Language && (s.Lesson == nil) == (candidate.Lesson == nil) {
			n++
		}
	}
	most := prompts.MaxSupplements
	if candidate.Lesson != nil {
		most = agent.MaxLessons
	}
	if n >= most {
		return fmt.Errorf("%w: %d of %s (%s)", ErrFull, n, candidate.Stage, candidate.Language)
	}
	return nil
}

// replaces reports whether a supplement takes the place of another one that is in force.
func (s Supplement) replaces(other Supplement) bool {
	return slices.Contains(s.Parents, other.ID) || s.Lesson != nil && other.Lesson != nil && s.Lesson.Replaces(*other.Lesson)
}

// with is the active set with a candidate in the place of what it replaces.
func with(active []Supplement, candidate Supplement) []Supplement {
	out := slices.DeleteFunc(slices.Clone(active), candidate.replaces)
	return append(out, candidate)
}

// before replays the active set, once for all candidates that are tried on it.
func (g *Gate) before(ctx context.Context, active []Supplement) (*Replay, error) {
	ids := make([]string, len(active))
	for i := range active {
		ids[i] = active[i].ID
	}
	slices.Sort(ids)
	key := strings.Join(ids, " ")
	if g.base != nil && g.baseKey == key {
		return g.base, nil
	}
	r, err := g.replay(ctx, active)
	if err != nil {
		return nil, err
	}
	g.base, g.baseKey = r, key
	return r, nil
}

func (g *Gate) replay(ctx context.Context, set []Supplement) (*Replay, error) {
	r, err := g.Ground.Replay(ctx, set, g.Cases, max(g.Calls, 0))
	if r != nil {
		g.Calls -= r.Calls
	}
	if err != nil {
		return nil, err
	}
	if len(r.Results) != len(g.Cases) {
		return nil, fmt.Errorf("replay: results for %d of %d cases", len(r.Results), len(g.Cases))
	}
	return r, nil
}

// judge says what a candidate becomes from the replays before and after it.
func (g *Gate) judge(candidate Supplement, before, after *Replay) Trial {
	t := Trial{Figures: Figures{Cases: len(g.Cases), Calls: after.Calls}}
	f := &t.Figures
	opened, failed := false, false
	var broken, wider []string
	for i := range g.Cases {
		was, now := before.Results[i], after.Results[i]
		// What brings no feedback of this home is meant for every case.
		target := len(candidate.Evidence) == 0 || g.Cases[i].Feedback != 0 && slices.Contains(candidate.Evidence, g.Cases[i].Feedback)
		f.RightWas, f.RightNow = f.RightWas+one(was.Right), f.RightNow+one(now.Right)
		f.OpenWas, f.OpenNow = f.OpenWas+one(was.Open), f.OpenNow+one(now.Open)
		if was.Right && !now.Right {
			f.Broken++
			broken = append(broken, g.Cases[i].says())
		}
		if now.Open && !was.Open {
			opened, wider = true, append(wider, g.Cases[i].says())
		}
		failed = failed || g.Cases[i].Kind == CaseTest && was.Right && !now.Right
		if target {
			f.Target++
			f.TargetWas, f.TargetNow = f.TargetWas+one(was.Right), f.TargetNow+one(now.Right)
		}
	}
	t.compare(before, after)
	if before.Events != nil && after.Events != nil {
		f.Moved = len(after.Events.Moved(before.Events))
	}
	switch {
	case opened:
		return t.refuse(ErrOpens, wider...)
	case failed, float64(f.Broken) > g.Tolerance*float64(f.Cases), f.RightNow < f.RightWas:
		return t.refuse(ErrWorse, broken...)
	case f.Target == 0 && candidate.Lesson == nil && f.RightNow == f.RightWas:
		f.Unmeasured = true
		t.Status, t.Reason = Proposed, "no kept case shows its effect"
		return t
	case f.TargetNow <= f.TargetWas && f.OpenNow >= f.OpenWas:
		return t.refuse(ErrNoBetter)
	case f.Shown > 0:
		t.Status, t.Reason = Proposed, fmt.Sprintf("%d pairs of a fact and a person would open", f.Shown)
		return t
	case len(t.Looser) > 0:
		t.Status, t.Reason = Proposed, fmt.Sprintf("the labels of %d facts would become looser", len(t.Looser))
		return t
	}
	if !onlyCloses(candidate, after.Judges) {
		t.Status, t.Reason = Proposed, unseen(candidate)
		return t
	}
	t.Status = Active
	return t
}

// unseen says what a candidate may do to what is said later, which no replay shows.
func unseen(s Supplement) string {
	if s.Stage == prompts.StageCorefer {
		return "what is said later may be of another event by it, and by their events facts lend and withhold who may know"
	}
	return "what is said later may get a category by it, and be told to whoever may know that"
}

// onlyCloses reports whether a supplement can open nothing that nobody has seen yet: a
// replay shows what it does to the facts at hand, and no more. Of notes those that say
// how a permitted answer is found and put can't, where they were made here; those of the
// way in can, and who wrote one that was imported isn't known.
func onlyCloses(s Supplement, homes map[string]*privacy.Judge) bool {
	if s.Lesson == nil {
		return agent.Answers(s.Stage) && !s.Imported()
	}
	for _, j := range homes {
		if j == nil || !s.Lesson.OnlyCloses(j.Policy()) {
			return false
		}
	}
	return len(homes) > 0 || s.Lesson.OnlyCloses(nil)
}

// namedCases is how many cases a reason names.
const namedCases = 3

// refuse is the trial as refused, with the cases that say so.
func (t Trial) refuse(err error, cases ...string) Trial {
	t.Status, t.Reason, t.Err = Refused, err.Error(), err
	if n := len(cases); n > 0 {
		t.Reason += ": " + strings.Join(cases[:min(n, namedCases)], ", ")
		if n > namedCases {
			t.Reason += fmt.Sprintf(" and %d more", n-namedCases)
		}
	}
	return t
}

// pair is a fact and a person, of a home.
type pair struct{ home, fact, person string }

// compare finds whom the candidate opens to and closes from, over every fact and person
// of every home, and which labels become looser.
func (t *Trial) compare(before, after *Replay) {
	t.Difference = map[string]privacy.Difference{}
	shown, hidden, pairs := map[pair]bool{}, map[pair]bool{}, map[string]privacy.Difference{}
	homes := make([]string, 0, len(after.Judges))
	for home := range after.Judges {
		homes = append(homes, home)
	}
	slices.Sort(homes)
	for _, home := range homes {
		was, now := before.Judges[home], after.Judges[home]
		if was == nil || now == nil {
			t.Looser = append(t.Looser, home+"/*") // what can't be compared may be open
			continue
		}
		d := privacy.Plan(was, now)
		t.Difference[home] = d
		of := strings.TrimSuffix(home, alone) // a pair counts once, be it today's or a later one like it
		for _, x := range d.Shown {
			shown[pair{of, string(x.Fact), x.Name}] = true
		}
		for _, x := range d.Loosened {
			shown[pair{of, string(x.Fact), x.Name}] = true
		}
		for _, x := range d.Hidden {
			hidden[pair{of, string(x.Fact), x.Name}] = true
		}
		pairs[of] = d
		for _, id := range agent.LooserLabels(was, now) {
			t.Looser = append(t.Looser, home+"/"+string(id))
		}
	}
	t.Figures.Shown, t.Figures.Hidden = len(shown), len(hidden)
	for _, d := range pairs {
		t.Figures.Facts += d.Facts
		t.Figures.Decisions += d.Decisions / 2 // both sides of each
	}
	if len(before.Judges) != len(after.Judges) {
		t.Looser = append(t.Looser, "*")
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
