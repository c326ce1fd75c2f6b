package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// story is a script as the runner works on it, with the homes that its systems need.
type story struct {
	dir      string
	script   *ingest.Script
	policy   *privacy.Policy
	gold     *gold
	hash     string // of the folder's files
	sessions []memory.Session
	owner    []string
	now      time.Time // when everything is asked: after the last session

	summaries map[string]string
	days      func() map[string]bool // that facts and sessions of the script name or stand on
	homes     map[homeKey]*home
}

type homeKey struct {
	contestant string
	labels     Origin
}

// home is an opened agent over a temporary folder.
type home struct {
	*agent.Agent
	dir   string
	facts []agent.MarkedFact // what it holds

	mu sync.Mutex
	of map[privacy.FactID][]privacy.FactID // see counterparts
}

func openStory(ctx context.Context, dir string) (*story, error) {
	script, policy, err := sound(dir)
	if err != nil {
		return nil, err
	}
	export, err := ingest.Read(ctx, dir, ingest.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	s := &story{
		dir: dir, script: script, policy: policy, gold: newGold(script, policy),
		sessions: export.Sessions(), summaries: map[string]string{}, homes: map[homeKey]*home{},
		owner: append([]string{policy.Owner().Name}, policy.Owner().Aliases...),
	}
	if s.hash, err = hashFolder(dir); err != nil {
		return nil, err
	}
	for _, session := range script.Sessions {
		if session.Time.After(s.now) {
			s.now = session.Time
		}
	}
	s.now = s.now.Add(time.Hour)
	s.days = sync.OnceValue(s.knownDays)
	for i := range s.sessions {
		s.summaries[s.sessions[i].ID] = simple.Compose(&s.sessions[i]).Summary
	}
	return s, nil
}

// sound reads a script that has no fault: figures of another would look like those of
// a sound one and mean nothing.
func sound(dir string) (*ingest.Script, *privacy.Policy, error) {
	script, err := ingest.ReadScript(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: %w: policy.yaml or sessions.jsonl isn't there; give the folders of scripts themselves (docs/bench.md)", dir, ErrNoScripts)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	checked, err := Check(dir)
	if err != nil {
		return nil, nil, err
	}
	policy, broken := parsePolicy(script)
	if faults := checked.Faults; len(faults) > 0 || policy == nil {
		if len(faults) == 0 {
			faults = broken // the folder was changed in between
		}
		var first []string
		for _, f := range faults[:min(len(faults), shownFaults)] {
			first = append(first, "\n  "+f.Error())
		}
		return nil, nil, fmt.Errorf("%s: %w, so its figures would mean nothing; `epagent bench check %s` lists all %d:%s", dir, ErrFaults, dir, len(faults), strings.Join(first, ""))
	}
	return script, policy, nil
}

// shownFaults is how many faults of a script a run names that refuses it.
const shownFaults = 3

// close removes the homes.
func (s *story) close() error {
	var err error
	for _, h := range s.homes {
		err = errors.Join(err, h.Close(), os.RemoveAll(h.dir))
	}
	s.homes = map[homeKey]*home{}
	return err
}

// home returns the memory of a contestant, made when first asked for. Contestants
// that differ in nothing that a home holds still have one each, since their stages
// differ.
func (s *story) home(ctx context.Context, c *Contestant, labels Origin, o *Options) (*home, error) {
	key := homeKey{c.Name, labels}
	if h, ok := s.homes[key]; ok {
		return h, nil
	}
	var facts []memory.Fact // nil: those that an import makes
	if c.Holds != HoldsFacts {
		var err error
		if facts, err = s.holding(ctx, c, labels, o); err != nil {
			return nil, err
		}
	}
	h, err := s.open(ctx, c, labels, facts, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.script.Name, c.Name, err)
	}
	s.homes[key] = h
	return h, nil
}

func (s *story) open(ctx context.Context, c *Contestant, labels Origin, facts []memory.Fact, o *Options) (_ *home, err error) {
	h := &home{}
	if h.dir, err = os.MkdirTemp("", "epagent-bench-"); err != nil {
		return nil, err
	}
	options := agent.Options{Now: func() time.Time { return s.now }, Model: o.Model.Options}
	if c.Evolved != "" {
		if supplement, ok := o.Evolution(c.Evolved, s.script.Name); ok {
			options.Stages, options.Learned = supplement.Stages, &supplement.Learned
		}
	}
	if c.Plain {
		options.Stages.Projector, options.Stages.Guard = plainProjector{s, c.Summaries}, noGuard{}
	}
	defer func() {
		if err != nil {
			if h.Agent != nil {
				err = errors.Join(err, h.Close())
			}
			err = errors.Join(err, os.RemoveAll(h.dir))
		}
	}()
	if h.Agent, err = agent.Open(ctx, h.dir, options); err != nil {
		return nil, err
	}
	in := agent.ImportOptions{Facts: facts, Gold: facts == nil && labels == FromGold}
	if _, err = h.Import(ctx, s.dir, in); err != nil {
		return nil, err
	}
	h.facts, err = h.Facts(ctx)
	return h, err
}

// text is what a stored fact says.
func (h *home) text(id privacy.FactID) string {
	i := slices.IndexFunc(h.facts, func(f agent.MarkedFact) bool { return f.ID == id })
	if i < 0 {
		return ""
	}
	return h.facts[i].Text
}

// holding is what the memory of an ablated system holds, as facts whose marks say who
// may know them.
func (s *story) holding(ctx context.Context, c *Contestant, labels Origin, o *Options) ([]memory.Fact, error) {
	if c.Holds.ofTurns() {
		return s.turns(c.Holds), nil
	}
	whole := Contestants()[slices.IndexFunc(Contestants(), func(c Contestant) bool { return c.Name == EPMem })]
	h, err := s.home(ctx, &whole, labels, o)
	if err != nil {
		return nil, err
	}
	out := make([]memory.Fact, 0, len(h.facts))
	for _, f := range h.facts {
		one := f.Fact
		one.Entries = nil
		if c.Holds == HoldsLabels {
			one.Marks = marked(f.Label, "", privacy.Real)
		} else {
			one.Marks = marked(anyone, f.Judged.Event, f.Judged.Truth)
		}
		out = append(out, one)
	}
	return out, nil
}

// anyone is the label of what everybody may know.
var anyone = privacy.Label{Level: privacy.L4}

// turns makes a fact of every message, as it was said.
func (s *story) turns(holds Holding) []memory.Fact {
	var out []memory.Fact
	for i := range s.sessions {
		session := &s.sessions[i]
		for _, t := range session.Turns {
			if t.Kind != memory.Message || strings.TrimSpace(t.Text) == "" {
				continue
			}
			f := memory.Fact{
				Record: privacy.Record{
					ID: privacy.FactID(t.ID), Text: t.Speaker + ": " + t.Text, Session: session.ID,
					SaidAt: session.Start, Evidence: []string{t.ID}, Speaker: s.script.Owner, OwnerSaid: true,
				},
				Sessions: []string{session.ID}, Source: session.Source,
			}
			if holds == HoldsText {
				f.Marks = marked(anyone, "", privacy.Real)
			} else {
				f.Marks = marked(privacy.Label{}, "", privacy.Real)
				for _, person := range session.Participants {
					if !s.policy.IsOwner(person) {
						f.Marks = append(f.Marks, privacy.Mark{Kind: privacy.MarkWhitelist, Value: person, By: privacy.ByGold})
					}
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// marked are gold marks: they are taken as they are.
func marked(l privacy.Label, event privacy.EventID, truth privacy.Truth) []privacy.Mark {
	out := []privacy.Mark{
		{Kind: privacy.MarkLabel, Value: l.String(), By: privacy.ByGold},
		{Kind: privacy.MarkTruth, Value: truth.String(), By: privacy.ByGold},
		{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByGold},
	}
	if event != "" {
		out = append(out, privacy.Mark{Kind: privacy.MarkEvent, Value: string(event), By: privacy.ByGold})
	}
	return out
}

// plainProjector lays out what is permitted as it is stored: the ablation of
// projection.
type plainProjector struct {
	story     *story
	summaries bool
}

// Project implements [engine.Projector].
func (p plainProjector) Project(ctx context.Context, m engine.Material) (engine.Context, error) {
	out := engine.Context{Question: m.Question, Language: m.Language, Owner: m.Owner, Details: []engine.Detail{}, History: m.History}
	told := map[string]bool{}
	var story []string
	for i := range m.Facts {
		f := &m.Facts[i]
		text := f.Text
		if p.summaries {
			for _, session := range p.story.sessionsOf(f) {
				if summary := p.story.summaries[session]; summary != "" && !told[session] {
					told[session] = true
					text += "\n" + summary
				}
			}
		}
		story = append(story, text)
		out.Details = append(out.Details, engine.Detail{Fact: f.ID, Text: text})
	}
	out.Storyline = strings.Join(story, "\n")
	return out, ctx.Err()
}

// sessionsOf are the sessions that a fact rests on.
func (s *story) sessionsOf(r *privacy.Record) []string {
	if g := s.gold.facts[r.ID]; g != nil {
		return g.Sessions
	}
	return []string{r.Session}
}

// noGuard lets everything leave: the ablation of the guard, which belongs to
// projection.
type noGuard struct{}

// Check implements [engine.Guard].
func (noGuard) Check(ctx context.Context, _ engine.Outgoing) ([]engine.Leak, error) {
	return nil, ctx.Err()
}

// unit returns the stored facts that correspond to gold facts, and whether each gold
// fact has one. With gold labels they are the same.
func (s *story) unit(h *home, labels Origin, j *OfflineJudge, gold []privacy.FactID) (unit []privacy.FactID, whole bool) {
	if labels == FromGold {
		return gold, true
	}
	whole = true
	for _, id := range gold {
		found := s.counterparts(h, j, id)
		whole = whole && len(found) > 0
		for _, f := range found {
			if !slices.Contains(unit, f) {
				unit = append(unit, f)
			}
		}
	}
	return unit, whole
}

// counterparts are the stored facts that state a part of a gold fact: of its
// sessions, those that say enough of it.
func (s *story) counterparts(h *home, j *OfflineJudge, id privacy.FactID) []privacy.FactID {
	h.mu.Lock()
	defer h.mu.Unlock()
	if got, ok := h.of[id]; ok {
		return got
	}
	if h.of == nil {
		h.of = map[privacy.FactID][]privacy.FactID{}
	}
	fact := s.gold.facts[id]
	t := j.telling(j.read(fact.Text), j.given("", s.owner))
	type candidate struct {
		id    privacy.FactID
		share float64
	}
	var found []candidate
	best := 0.0
	for i := range h.facts {
		f := &h.facts[i]
		if !slices.ContainsFunc(f.Sessions, func(x string) bool { return slices.Contains(fact.Sessions, x) }) {
			continue
		}
		if share := j.share(t, j.read(f.Text)); share >= counterpartShare {
			found = append(found, candidate{f.ID, share})
			best = max(best, share)
		}
	}
	var out []privacy.FactID
	for _, c := range found {
		if c.share >= best/2 {
			out = append(out, c.id)
		}
	}
	h.of[id] = out
	return out
}

// counterpartShare of what is telling of a gold fact must stand in a stored fact of
// its sessions for the two to be about the same.
const counterpartShare = 0.25

func hashFolder(dir string) (string, error) {
	h := newHash()
	for _, name := range []string{policyFile, sessionsFile, factsFile, t1File, t2File, t3File} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		h.add(name, string(data))
	}
	return h.sum(), nil
}
