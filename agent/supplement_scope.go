package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// lessonOf is the lesson of a supplement with what it was approved for; false for a note,
// or what can't be read.
func lessonOf(x memory.StoredSupplement) (engine.Lesson, bool) {
	var l engine.Lesson
	if len(x.Lesson) == 0 || json.Unmarshal(x.Lesson, &l) != nil || l.Validate() != nil {
		return l, false
	}
	if x.Scope != nil {
		l.Scope = engine.ScopeOf(x.Scope)
	}
	return l, true
}

// scopeTo binds those of a set that again says, and those of which no scope is noted, to
// the categories of their themes in a policy, as they are with the whole set in force. It
// returns those that it has changed.
func scopeTo(p *privacy.Policy, set []memory.StoredSupplement, again func(memory.StoredSupplement) bool) []memory.StoredSupplement {
	var beside []engine.Lesson
	for _, x := range set {
		if l, ok := lessonOf(x); ok {
			beside = append(beside, l)
		}
	}
	var out []memory.StoredSupplement
	for _, x := range set {
		l, ok := lessonOf(x)
		if !ok || !l.Scoped() || x.Scope != nil && !again(x) {
			continue
		}
		ids := append([]privacy.CategoryID{}, l.Within(p, beside...).Scope.Categories()...)
		if x.Scope == nil || !slices.Equal(x.Scope, ids) {
			x.Scope = ids
			out = append(out, x)
		}
	}
	return out
}

// scopeUnnoted binds what is in force and of which no scope is noted, as from an earlier
// release, to what its theme has now, and notes that. False: there is no policy that it
// could be bound by.
func (a *Agent) scopeUnnoted(ctx context.Context, active []memory.StoredSupplement) (bool, error) {
	unnoted := func(x memory.StoredSupplement) bool {
		l, ok := lessonOf(x)
		return ok && l.Scoped() && x.Scope == nil
	}
	if !slices.ContainsFunc(active, unnoted) {
		return true, nil
	}
	w, err := a.current(ctx)
	if err != nil {
		return false, nil // without a policy nothing is judged
	}
	scoped := scopeTo(w.policy, active, func(memory.StoredSupplement) bool { return false })
	for _, x := range scoped {
		active[slices.IndexFunc(active, func(y memory.StoredSupplement) bool { return y.ID == x.ID })] = x
	}
	if a.readOnly {
		return true, nil
	}
	return true, a.store.PutSupplements(ctx, scoped...)
}

// OutgrownBy says why a lesson does nothing under a policy though its theme is there: the theme
// has a category that the lesson wasn't approved for. "" where that isn't so.
func OutgrownBy(l engine.Lesson, p *privacy.Policy) string {
	ids := l.Outgrown(p)
	if len(ids) == 0 {
		return ""
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return fmt.Sprintf("%s is about %s now, and it wasn't approved for that", strings.Join(names, ", "), l.Of)
}

// OutgrownRemedy is what the owner can do about it.
func OutgrownRemedy(id string) string {
	return fmt.Sprintf("look at `epagent evolve diff %[1]s`, then `epagent evolve approve %[1]s` again, or `epagent evolve revert %[1]s`", id)
}

// outgrown says which supplements in force do nothing by a new policy for that reason, and
// did something until now.
func (a *Agent) outgrown(ctx context.Context, was, now *privacy.Policy) ([]string, error) {
	_, active, err := a.store.ActiveSupplements(ctx)
	if err != nil || len(active) == 0 {
		return nil, err
	}
	for _, x := range scopeTo(was, active, func(memory.StoredSupplement) bool { return false }) {
		active[slices.IndexFunc(active, func(y memory.StoredSupplement) bool { return y.ID == x.ID })] = x
	}
	var out []string
	for _, x := range active {
		l, ok := lessonOf(x)
		if !ok || OutgrownBy(l, was) != "" {
			continue
		}
		if why := OutgrownBy(l, now); why != "" {
			out = append(out, fmt.Sprintf("the supplement %s would do nothing: %s; %s", x.ID, why, OutgrownRemedy(x.ID)))
		}
	}
	return out, nil
}
