package evolve

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// ByScripts begins the author of what failed items of benchmark scripts taught; script and
// item of each follow.
const ByScripts = "rule of scripts"

// Bounds of what scripts teach at once.
const (
	scriptCandidates = 64
	namedItems       = 20 // that an author names
)

// ScriptsReport is what came of reading failed items.
type ScriptsReport struct {
	Items   int      `json:"items"`
	Scripts []string `json:"scripts"` // sorted
	Used    int      `json:"used"`    // that something can be learned from here
	// Foreign are items whose categories this home's policy doesn't have, or has with another
	// label: what is right there says nothing here. Idle are those of stages that nothing is
	// learned for without a model.
	Foreign     int          `json:"foreign"`
	Idle        int          `json:"idle"`
	Supplements []Supplement `json:"supplements"` // as [Import] returns them
}

// ImportScripts makes candidates of the failed items of benchmark scripts. Nothing of the
// scripts' texts comes into the home: what stays are the candidates, each with the names of
// script and items in its author. Items are no feedback of the owner's and no kept cases,
// since their policy isn't there to judge them by; so the home's own cases have to bear each candidate out,
// by the next run. bench.ErrFeedbackFile: the file is of another form, or there is nothing in it, and nothing was
// stored.
func ImportScripts(ctx context.Context, a *agent.Agent, in io.Reader) (*ScriptsReport, error) {
	items, err := bench.ReadFeedback(in)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%w: there is nothing in it", bench.ErrFeedbackFile)
	}
	door, err := openDoor(ctx, a)
	if err != nil {
		return nil, err
	}
	out := &ScriptsReport{Items: len(items), Scripts: []string{}}
	m, theirs := out.material(door.home.Policy(), items)
	proposed, err := NewRuleProposer().Propose(ctx, m)
	if err != nil {
		return nil, err
	}
	for _, s := range proposed {
		s.Author, s.At = scriptsAuthor(items, s.Evidence), a.Now()
		// Checked with its evidence, by which words of its own cases are known.
		if err := Check(s, theirs); err != nil && !door.knows(s) {
			s.Evidence = nil
			door.refuse(s, err)
			continue
		}
		s.Evidence, s.Status = nil, Candidate
		if err := door.take(s); err != nil {
			return nil, err
		}
	}
	out.Supplements = door.taken
	return out, a.Evolution().PutSupplements(ctx, door.put...)
}

// material is what proposals are made from: each script is a home of its own, under this
// home's policy. It counts what can't be used. Forbidden is what no candidate may hold of
// the scripts; feedback has the number of its item, from 1.
func (r *ScriptsReport) material(p *privacy.Policy, items []bench.FeedbackItem) (Material, *Forbidden) {
	m := Material{Policies: map[string]*privacy.Policy{}, Budget: scriptCandidates}
	var names []string
	for i := range items {
		item := &items[i]
		names = slices.Concat(names, item.To, item.Was.People, item.Right.People)
		if !slices.Contains(r.Scripts, item.Script) {
			r.Scripts = append(r.Scripts, item.Script)
		}
	}
	slices.Sort(r.Scripts)
	theirs := NewForbidden(nil, names, nil)
	for i := range items {
		item, n := &items[i], int64(i+1)
		f := Finding{
			Feedback: n, Kind: agent.FeedbackKind(item.Kind), Stage: prompts.Name(item.Stage),
			Language: item.Language, By: ByRule, Home: item.Script,
		}
		switch {
		case item.Task == bench.TaskLabel:
			theirs.AddFact(item.Text, n)
			if len(item.Right.Categories) == 0 || labelOf(p, item.Right.Categories) != *item.Right.Label {
				r.Foreign++
				continue
			}
			f.Trace = &Trace{
				Language: item.Language, Fact: &memory.Fact{Record: privacy.Record{ID: item.Fact, Text: item.Text}},
				Label: *item.Was.Label, Categories: item.Was.Categories, Right: Right{Categories: item.Right.Categories},
			}
		case f.Stage != prompts.StageQueryUnits || f.Kind != "should-not-have-told":
			r.Idle++
			continue
		}
		m.Policies[item.Script] = p
		m.Findings = append(m.Findings, f)
	}
	r.Used = len(m.Findings)
	return m, theirs
}

// scriptsAuthor names the items that a candidate comes from.
func scriptsAuthor(items []bench.FeedbackItem, from []int64) string {
	var names []string
	for _, n := range from {
		if name := items[n-1].Script + "/" + items[n-1].Item; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if more := len(names) - namedItems; more > 0 {
		names = append(names[:namedItems], fmt.Sprintf("and %d more", more))
	}
	return ByScripts + ": " + strings.Join(names, ", ")
}
