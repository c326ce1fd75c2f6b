package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

// Options configure a run. Finder is required.
type Options struct {
	// Folder keeps everything: the journal, the homes, the results. A run that was
	// stopped goes on there. "": a temporary one, gone afterwards.
	Folder string
	Seed   *int64 // in place of the script's
	Finder Finder
	// Persona words the questions of parties with model: true; nil: they take one of
	// their lines.
	Persona Persona
	Agent   agent.Options // of every delegate: its model; Now and Relaxed are the run's own
	Model   string        // names the model, "offline" without one
	Connect Connector     // default: InMemory
	Code    string        // identifies the program: a run of another one isn't gone on with
	// Progress is told of each moment; nil: nobody.
	Progress func(at time.Time, played, left int)

	// EngineOff plays with the privacy engine switched off: everybody may know
	// everything that they ask for, whatever the policies say. It shows that planted
	// leaks are found, and nothing about the engine; the result says so.
	EngineOff bool
}

// Persona words a question as a party would ask it.
type Persona interface {
	// Word returns the next question of p to the delegate of owner. Heard is what
	// delegates told p lately, oldest first. Words of nothing but blanks: a line of the party.
	Word(ctx context.Context, p *Party, owner string, heard []string) (string, error)
}

// run is a script while it is played.
type run struct {
	script *Script
	o      Options
	seed   int64
	cast   *cast
	queue  queue
	added  int // steps that came up while playing

	exchanges []Exchange
	heard     map[string][]string // by party: what delegates told them, oldest first
	passed    map[string]int      // by colluder: the exchange that they were told last
}

// Run plays a script, or goes on with it, and returns what came of it. A run that is
// cancelled has kept what it had played; the error is the context's.
func Run(ctx context.Context, s *Script, o Options) (_ *Result, err error) {
	if o.Finder == nil {
		return nil, fmt.Errorf("%w: Options.Finder is missing", ErrOptions)
	}
	if o.Connect == nil {
		o.Connect = InMemory
	}
	if o.Progress == nil {
		o.Progress = func(time.Time, int, int) {}
	}
	if o.Model == "" {
		o.Model = "offline"
	}
	folder := o.Folder
	if folder == "" {
		if folder, err = os.MkdirTemp("", "epagent-sim-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	r := &run{script: s, o: o, seed: s.Seed, heard: map[string][]string{}, passed: map[string]int{}}
	if o.Seed != nil {
		r.seed = *o.Seed
	}
	j, err := openJournal(folder, runKey{1, s.hash, r.seed, o.Code, o.Model, o.EngineOff})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if r.cast, err = open(ctx, s, filepath.Join(folder, homesFolder), &o); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.cast.close()) }()
	if err := r.goOn(ctx, j.done); err != nil {
		return nil, err
	}
	r.queue.steps = s.schedule(r.seed)
	if err := r.play(ctx, j); err != nil {
		return nil, err
	}
	result, err := r.result(ctx)
	if err == nil && o.Folder != "" {
		err = result.write(folder)
	}
	return result, err
}

// goOn looks up what the delegates answered beyond what is in the journal.
func (r *run) goOn(ctx context.Context, done []Exchange) error {
	asked := map[string]int{}
	for i := range done {
		if done[i].Kind == KindAsk {
			asked[done[i].Of]++
		}
	}
	for _, name := range r.cast.names {
		d := r.cast.delegates[name]
		entries, err := d.agent.Ledger(ctx, memory.LedgerFilter{})
		if err != nil {
			return err
		}
		if len(entries) < asked[name] {
			return fmt.Errorf("%w: the ledger of %s lacks answers that the journal has; remove the folder to begin anew", ErrFolder, name)
		}
		d.before = entries[asked[name]:]
	}
	return nil
}

// play plays moment by moment. What the journal has isn't played again.
func (r *run) play(ctx context.Context, j *journal) error {
	for len(r.queue.steps) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		steps := r.queue.moment()
		var moment []Exchange
		if n := len(r.exchanges); n < len(j.done) {
			if n+len(steps) > len(j.done) {
				return fmt.Errorf("%w: the journal ends within a moment; remove the folder to begin anew", ErrFolder)
			}
			moment = slices.Clone(j.done[n : n+len(steps)])
			for i := range moment {
				moment[i].event = steps[i].event
			}
		} else {
			var err error
			if moment, err = r.moment(ctx, steps); err != nil {
				return err
			}
			if err := j.keep(moment); err != nil {
				return err
			}
		}
		r.exchanges = append(r.exchanges, moment...)
		for i := range moment {
			r.follow(&moment[i])
		}
		r.o.Progress(steps[0].at, len(r.exchanges), len(r.queue.steps))
	}
	return nil
}

// moment plays the steps of one moment: first what is said and asked, then what is
// heard. Different delegates work at once, each on its own steps in their order.
func (r *run) moment(ctx context.Context, steps []step) ([]Exchange, error) {
	r.cast.clock.Store(steps[0].at.UnixNano())
	out := make([]Exchange, len(steps))
	said := newLanes()
	for i := range steps {
		st := &steps[i]
		text, err := r.words(ctx, st)
		if err != nil {
			return nil, err
		}
		out[i] = Exchange{
			N: len(r.exchanges) + i + 1, At: st.at, Kind: st.kind, From: st.from, To: st.to, Of: st.of, In: st.in, Text: text,
			About: st.about, Tells: st.tells, Attack: st.attack, Carries: st.carry, event: st.event,
		}
		said.add(r.acting(&out[i]), func() error { return r.act(ctx, &out[i]) })
	}
	if err := said.run(); err != nil {
		return nil, err
	}
	hearing := newLanes()
	for i := range out {
		e := &out[i]
		if e.heard() == "" {
			continue
		}
		for _, name := range e.To {
			if d := r.cast.delegates[name]; d != nil {
				hearing.add(name, func() error { return r.hear(ctx, d, e) })
			}
		}
	}
	return out, hearing.run()
}

// acting is whose delegate a step concerns first, "" nobody's.
func (r *run) acting(e *Exchange) string {
	if e.Of != "" {
		return e.Of
	}
	return e.From
}

// act does what the step's own delegate has to do.
func (r *run) act(ctx context.Context, e *Exchange) (err error) {
	d := r.cast.delegates[r.acting(e)]
	switch e.Kind {
	case KindNote:
		err = d.remember(ctx, e, agent.RememberRequest{Text: e.Text})
	case KindSay:
		if d != nil {
			err = d.remember(ctx, e, agent.RememberRequest{Text: e.Text, To: e.To})
		}
	case KindAsk:
		e.Answer, err = r.cast.ask(ctx, d, e.Text, e.To)
	case KindPolicy:
		if !r.o.EngineOff {
			err = d.change(ctx, fmt.Sprintf("simulation: exchange %d", e.N), r.script.Timeline[e.event].Policy)
		}
	case KindRetell, KindAudience:
	default:
		err = fmt.Errorf("%w: step of kind %q", ErrOptions, e.Kind)
	}
	if err != nil {
		return fmt.Errorf("exchange %d at %s: %w", e.N, e.At.Format("2006-01-02 15:04"), err)
	}
	return nil
}

// remember has a delegate remember its owner's own words.
func (d *delegate) remember(ctx context.Context, e *Exchange, req agent.RememberRequest) error {
	got, err := d.agent.Remember(ctx, req)
	if err != nil {
		return err
	}
	for _, f := range got.Facts {
		e.Facts = append(e.Facts, f.ID)
	}
	return nil
}

// hear has a listener's delegate remember what was said to its owner, as the words of
// whoever said it: of another's delegate, its owner.
func (r *run) hear(ctx context.Context, d *delegate, e *Exchange) error {
	from := e.From
	if e.Kind == KindAsk {
		from = e.Of
	}
	if from == d.owner {
		return nil
	}
	var others []string
	for _, name := range e.To {
		if name != d.owner {
			others = append(others, name)
		}
	}
	_, err := d.agent.Remember(ctx, agent.RememberRequest{Text: e.heard(), From: from, To: others})
	if err != nil {
		return fmt.Errorf("exchange %d: the delegate of %s: %w", e.N, d.owner, err)
	}
	return nil
}

// lanes are what different delegates have to do at once.
type lanes struct {
	names []string
	work  map[string][]func() error
}

func newLanes() *lanes { return &lanes{work: map[string][]func() error{}} }

func (l *lanes) add(name string, f func() error) {
	if _, ok := l.work[name]; !ok {
		l.names = append(l.names, name)
	}
	l.work[name] = append(l.work[name], f)
}

// run does the work of each lane in order. The error is that of the first lane which
// has one.
func (l *lanes) run() error {
	if len(l.names) == 1 {
		return inOrder(l.work[l.names[0]])
	}
	errs := make([]error, len(l.names))
	var wait sync.WaitGroup
	for i, name := range l.names {
		wait.Go(func() { errs[i] = inOrder(l.work[name]) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func inOrder(work []func() error) error {
	for _, f := range work {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}
