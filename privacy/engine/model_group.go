package engine

import (
	"context"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Grouper says which drafts of one session are about one event, before they are
// matched with known ones. It needs nothing of what is stored, so it may take its
// time.
type Grouper interface {
	// Group returns sets of indexes into drafts, disjoint, each of two or more.
	Group(ctx context.Context, drafts []privacy.Record) ([][]int, error)
}

// A link that only a model made: its confidence, and its rule.
const (
	groupedScore = 0.6
	groupedRule  = "MARKS 6, by model"
)

// Grouped reports whether an event mark is a link that only a model made.
func Grouped(m privacy.Mark) bool {
	return m.Kind == privacy.MarkEvent && m.By == privacy.ByMachine && m.Rule == groupedRule
}

// Group implements [Grouper]. Drafts with days that can't be one event stay apart
// whatever the model says. Without a usable reply nothing is grouped.
func (m *Model) Group(ctx context.Context, drafts []privacy.Record) ([][]int, error) {
	if len(drafts) < 2 {
		return nil, ctx.Err()
	}
	in := GroupCall{Language: lexical.Language(drafts[0].Text)}
	at := map[string]int{}
	for i := range drafts {
		at[string(drafts[i].ID)] = i
		in.Drafts = append(in.Drafts, NamedText{ID: string(drafts[i].ID), Text: drafts[i].Text, When: drafts[i].HappenedAt.Date()})
	}
	reply, err := m.calls.Group(ctx, in)
	if err != nil {
		return nil, m.FallBack(ctx, "corefer", err)
	}
	var out [][]int
	seen := map[int]bool{}
	for _, ids := range reply.Groups {
		var group []int
		for _, id := range ids {
			i, ok := at[id]
			if !ok || seen[i] {
				return nil, m.FallBack(ctx, "corefer", unusable("it groups a draft that it wasn't given, or one twice"))
			}
			seen[i] = true
			if !slices.ContainsFunc(group, func(k int) bool { return apartDays(&drafts[i], &drafts[k]) }) {
				group = append(group, i)
			}
		}
		if len(group) > 1 {
			slices.Sort(group)
			out = append(out, group)
		}
	}
	return out, nil
}

func apartDays(a, b *privacy.Record) bool {
	x, y := featuresOf(a), featuresOf(b)
	return x.when.apart(&y.when)
}

// Corefer implements [Coreferrer] offline: what is stored is matched under a lock,
// and no model is called under one. [Model.Group] comes before it, [Join] after.
func (m *Model) Corefer(ctx context.Context, drafts []privacy.Record, known *Events) ([]privacy.Mark, error) {
	return m.off.Corefer(ctx, drafts, known)
}

// Join puts the drafts of each group into one event: that of the first whose event
// was known before, else that of the first. A draft that has a known event of its
// own keeps it. The links are the engine's, with all that it means (MARKS 6).
func Join(drafts []privacy.Record, events []privacy.Mark, groups [][]int) {
	for _, group := range groups {
		lead := group[0]
		for _, i := range group {
			if events[i].Value != string(ownEvent(drafts[i].ID)) {
				lead = i
				break
			}
		}
		for _, i := range group {
			if i != lead && events[i].Value == string(ownEvent(drafts[i].ID)) {
				events[i] = privacy.Mark{Kind: privacy.MarkEvent, Value: events[lead].Value, By: privacy.ByMachine, Rule: groupedRule, Score: groupedScore}
			}
		}
	}
}
