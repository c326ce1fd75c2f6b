package bench

import (
	"context"
	"slices"
	"sync"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// Trial is a script on which lessons of the offline stages are tried: what labels its
// gold facts get, and who is chosen. Its home is made once; labels of what is stored
// there stay those that it was made with.
type Trial struct {
	story *story
	a     *attempt
	units *switchedUnits
	in    []engine.Session // of each gold fact
}

// switchedUnits is a unit finder whose lessons can be exchanged.
type switchedUnits struct {
	mu  sync.Mutex
	now engine.UnitFinder
}

// Units implements [engine.UnitFinder].
func (s *switchedUnits) Units(ctx context.Context, question string, candidates []engine.Ranked) (engine.Units, error) {
	s.mu.Lock()
	now := s.now
	s.mu.Unlock()
	return now.Units(ctx, question, candidates)
}

// OpenTrial opens a script. Close it.
func OpenTrial(ctx context.Context, dir string) (*Trial, error) {
	s, err := openStory(ctx, dir)
	if err != nil {
		return nil, err
	}
	t := &Trial{story: s, units: &switchedUnits{now: engine.NewOffline()}}
	o := Options{Evolution: func(Form, string) (Supplement, bool) {
		return Supplement{Stages: agent.Stages{Units: t.units}}, true
	}}.withDefaults()
	c := Contestant{Name: EPMem, Holds: HoldsFacts, Chooses: ChoosesByVerdict, Evolved: FormAuto}
	t.a = &attempt{story: s, c: &c, labels: FromEngine, o: &o, words: NewOfflineJudge()}
	said := map[string][]engine.Utterance{}
	for i := range s.script.Sessions {
		session := &s.script.Sessions[i]
		for _, turn := range session.Turns {
			said[session.ID] = append(said[session.ID], engine.Utterance{ID: turn.ID, Speaker: turn.Speaker, Owner: s.policy.IsOwner(turn.Speaker), Text: turn.Text, ReplyTo: turn.ReplyTo})
		}
	}
	for i := range s.script.Facts {
		f := &s.script.Facts[i]
		in := engine.Session{ID: "gold", Drafts: []privacy.Record{{ID: f.ID, Text: f.Text, Speaker: s.policy.Owner().Name, OwnerSaid: true}}}
		for _, id := range f.Sessions {
			in.Utterances = append(in.Utterances, said[id]...)
		}
		t.in = append(t.in, in)
	}
	return t, nil
}

// Close removes what was made.
func (t *Trial) Close() error { return t.story.close() }

// Name is the script's, Policy its policy, Language that of most of its facts.
func (t *Trial) Name() string            { return t.story.script.Name }
func (t *Trial) Policy() *privacy.Policy { return t.story.policy }
func (t *Trial) Language() string        { return languageOf(t.story.script) }

// Facts are the gold facts.
func (t *Trial) Facts() []ingest.GoldFact { return slices.Clone(t.story.script.Facts) }

// Items are the ids of the questions of T2.
func (t *Trial) Items() []string {
	var out []string
	for _, item := range t.story.script.T2 {
		out = append(out, item.ID)
	}
	return out
}

// Outcome is what became of a fact or an item of a trial.
type Outcome struct {
	Right bool
	Open  bool // somebody is let in, or chosen, who may not be
}

// Labels labels every gold fact with lessons, and compares with gold. The judge holds
// the facts with the labels that they got.
func (t *Trial) Labels(ctx context.Context, lessons []engine.Lesson) ([]Outcome, *privacy.Judge, error) {
	off := engine.NewOffline(lessons...)
	p := t.story.policy
	out := make([]Outcome, len(t.in))
	facts := make([]privacy.Fact, len(t.in))
	for i := range t.in {
		marks, err := off.Annotate(ctx, p, t.in[i], nil)
		if err != nil {
			return nil, nil, err
		}
		r := t.in[i].Drafts[0]
		r.Marks = marks[0]
		judged := engine.Effective(p, []privacy.Record{r}, nil)
		got := privacy.NewJudge(p, judged).CategoryLabel(0)
		gold := t.story.gold.label(r.ID)
		facts[i] = privacy.Fact{ID: r.ID, Label: &got, Truth: privacy.Real, Trusted: true}
		out[i].Right = got == gold
		pair := privacy.NewJudge(p, []privacy.Fact{{ID: "got", Label: &got}, {ID: "gold", Label: &gold}})
		for _, q := range p.People() {
			who, err := p.Lookup(q.Name)
			out[i].Open = out[i].Open || err == nil && pair.VerdictOf("got", who).Allow && !pair.VerdictOf("gold", who).Allow
		}
	}
	return out, privacy.NewJudge(p, facts), nil
}

// Choices chooses for every question of T2 with lessons of the unit finder.
func (t *Trial) Choices(ctx context.Context, lessons []engine.Lesson) ([]Outcome, error) {
	t.units.mu.Lock()
	t.units.now = engine.NewOffline(lessons...)
	t.units.mu.Unlock()
	var out []Outcome
	for i := range t.story.script.T2 {
		item := &t.story.script.T2[i]
		got, err := t.a.t2(ctx, item, 0)
		if err != nil {
			return nil, err
		}
		exact, _ := scoreT2(item.Allowed, got.Chosen)
		out = append(out, Outcome{Right: exact == 1, Open: len(less(got.Chosen, item.Allowed)) > 0})
	}
	return out, nil
}

// languageOf is the language of most facts of a script.
func languageOf(s *ingest.Script) string {
	count := map[string]int{}
	best := ""
	for i := range s.Facts {
		l := lexical.Base(lexical.Language(s.Facts[i].Text))
		if count[l]++; count[l] > count[best] || count[l] == count[best] && l < best {
			best = l
		}
	}
	return best
}
