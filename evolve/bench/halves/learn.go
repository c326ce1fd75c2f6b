package halves

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// Options say what is learned. The zero value learns everything from every script.
type Options struct {
	Seed    int64    // of the halves
	Scripts []string // names of scripts that evolution is run for: the others count as EP-Mem; default: all
	Stages  []string // stages that may learn; default: all
	// Progress is told of what is done; nil: nobody.
	Progress func(half string, done, total int)
}

// budget is how many candidates are tried for a half and form; tolerance the share of
// its cases that may turn from right to wrong on the closed side.
const (
	budget    = 120
	tolerance = 0.01
)

// Taught is what the two halves taught each other.
type Taught struct {
	Halves []bench.Half
	sets   map[bench.Form]map[string]bench.Supplement // by script
}

// Evolution is for [bench.Options].
func (t *Taught) Evolution(form bench.Form, script string) (bench.Supplement, bool) {
	s, ok := t.sets[form][script]
	return s, ok
}

// Learn splits the scripts and learns from the failed items of each half for the other.
// Equal scripts and options give equal lessons.
// bench.ErrOptions: there is nothing to split, or a script or stage that isn't there.
func Learn(ctx context.Context, dirs []string, o Options) (_ *Taught, err error) {
	if len(dirs) < 2 {
		return nil, fmt.Errorf("%w: EP-Mem+Evo with %d script; name two at least, so that one can teach the other", bench.ErrOptions, len(dirs))
	}
	var trials []*bench.Trial
	defer func() {
		for _, t := range trials {
			err = errors.Join(err, t.Close())
		}
	}()
	where := map[string]string{}
	for _, dir := range dirs {
		t, err := bench.OpenTrial(ctx, dir)
		if err != nil {
			return nil, err
		}
		trials = append(trials, t)
		where[t.Name()] = dir
	}
	for _, name := range o.Scripts {
		if where[name] == "" {
			return nil, fmt.Errorf("%w: no script %q among those given", bench.ErrOptions, name)
		}
	}
	for _, stage := range o.Stages {
		if !slices.Contains(Stages(), stage) {
			return nil, fmt.Errorf("%w: stage %q; one of %q learns offline", bench.ErrOptions, stage, Stages())
		}
	}
	out := &Taught{sets: map[bench.Form]map[string]bench.Supplement{bench.FormAuto: {}, bench.FormApproved: {}}}
	parts := split(trials, o.Seed)
	for i, name := range []string{"A", "B"} {
		teachers, pupils := parts[1-i], parts[i]
		half := bench.Half{Name: name, Scripts: namesOf(pupils), Lessons: map[bench.Form][]string{}}
		if len(teachers) > 0 && len(pupils) > 0 {
			if err := out.teach(ctx, &half, teachers, where, &o); err != nil {
				return nil, fmt.Errorf("half %s: %w", name, err)
			}
		}
		out.Halves = append(out.Halves, half)
	}
	return out, nil
}

// Stages lists the offline stages that the benchmark can teach.
func Stages() []string {
	return []string{string(prompts.StageAnnotate), string(prompts.StageQueryUnits)}
}

// teach learns from teachers alone what the scripts of a half are then run with.
func (t *Taught) teach(ctx context.Context, half *bench.Half, teachers []*bench.Trial, where map[string]string, o *Options) error {
	var dirs []string
	for _, x := range teachers {
		dirs = append(dirs, where[x.Name()])
	}
	l := &lesson{ground: newGround(teachers), stages: o.Stages}
	systems, err := bench.Find([]string{bench.EPMem})
	if err != nil {
		return err
	}
	if _, err := bench.Run(ctx, dirs, bench.Options{
		Systems: systems, Tasks: []bench.Task{bench.TaskLabel, bench.TaskWho},
		Feedback: func(f bench.FeedbackItem) { l.items = append(l.items, f) },
	}); err != nil {
		return err
	}
	half.Feedback = len(l.items)
	for _, form := range []bench.Form{bench.FormAuto, bench.FormApproved} {
		taken, tried, err := l.run(ctx, form, func(done, total int) {
			if o.Progress != nil {
				o.Progress(half.Name+" "+string(form), done, total)
			}
		})
		if err != nil {
			return err
		}
		half.Tried = max(half.Tried, tried)
		learned := learnedOf(taken)
		for _, s := range taken {
			half.Lessons[form] = append(half.Lessons[form], s.Language+": "+s.Says())
		}
		for _, script := range half.Scripts {
			if len(taken) > 0 && (len(o.Scripts) == 0 || slices.Contains(o.Scripts, script)) {
				t.sets[form][script] = bench.Supplement{Version: learned.Version, Learned: learned}
			}
		}
	}
	return nil
}

// learnedOf is what an agent is given of a set.
func learnedOf(set []evolve.Supplement) agent.Learned {
	var out agent.Learned
	h := sha256.New()
	for _, s := range set {
		fmt.Fprintf(h, "%s\x00", s.ID)
		if s.Lesson != nil {
			out.Lessons = append(out.Lessons, *s.Lesson)
		}
	}
	out.Version = hex.EncodeToString(h.Sum(nil))[:12]
	return out
}

// lesson is one half's failed items on their way to supplements.
type lesson struct {
	ground *ground
	items  []bench.FeedbackItem
	stages []string
}

// run diagnoses, proposes and tries; it returns what the form takes, and how many
// candidates were tried.
func (l *lesson) run(ctx context.Context, form bench.Form, progress func(done, total int)) (taken []evolve.Supplement, tried int, err error) {
	feedback := map[string]int64{}
	m := evolve.Material{Policies: map[string]*privacy.Policy{}, Budget: budget}
	for i := range l.items {
		item := &l.items[i]
		n := int64(i + 1)
		f := evolve.Finding{
			Feedback: n, Kind: agent.FeedbackKind(item.Kind), Stage: prompts.Name(item.Stage), Language: item.Language,
			Reason: item.Reason, By: evolve.ByRule, Home: item.Script,
		}
		if item.Task == bench.TaskLabel {
			f.Trace = &evolve.Trace{
				Language: item.Language, Fact: &memory.Fact{Record: privacy.Record{ID: item.Fact, Text: item.Text}},
				Label: *item.Was.Label, Categories: item.Was.Categories, Right: evolve.Right{Categories: item.Right.Categories},
			}
		}
		feedback[item.Script+"/"+item.Item] = n
		m.Findings = append(m.Findings, f)
	}
	var names []string
	for _, t := range l.ground.trials {
		p := t.Policy()
		m.Policies[t.Name()] = p
		names = append(append(names, p.Owner().Name), p.Owner().Aliases...)
		for _, q := range p.People() {
			names = append(append(names, q.Name), q.Aliases...)
		}
		for _, f := range t.Facts() {
			m.Facts = append(m.Facts, evolve.LabelledFact{
				Fact: memory.Fact{Record: privacy.Record{ID: f.ID, Text: f.Text}}, Categories: f.Categories, Decided: true, Home: t.Name(),
			})
		}
	}
	candidates, err := evolve.NewRuleProposer().Propose(ctx, m)
	if err != nil {
		return nil, 0, err
	}
	if len(l.stages) > 0 {
		candidates = slices.DeleteFunc(candidates, func(s evolve.Supplement) bool { return !slices.Contains(l.stages, string(s.Stage)) })
	}
	gate := &evolve.Gate{Ground: l.ground, Cases: l.ground.cases(feedback), Tolerance: tolerance, Forbidden: evolve.NewForbidden(nil, names, nil)}
	for i, c := range candidates {
		trial, err := gate.Try(ctx, taken, c)
		if err != nil {
			return nil, i, err
		}
		// The gate has held it against gold: what opens to somebody whom gold keeps out
		// is refused. So gold approves what is merely proposed.
		if trial.Status == evolve.Active || form == bench.FormApproved && trial.Status == evolve.Proposed {
			c.Status, c.Gate = evolve.Active, &trial.Figures
			taken = append(taken, c)
		}
		progress(i+1, len(candidates))
	}
	return taken, len(candidates), nil
}
