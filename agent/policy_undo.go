package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
)

// UndoPolicy brings an earlier version of the policy back, as a new version. With to
// empty it is the one before the newest; doing it again goes on to the one before
// that, since a version that brought another one back stands where that one stood.
// While the file is broken or missing, the newest version is what comes back. With
// to it is the version that to names, as in [Agent.PolicyAt]. What opens by it asks,
// as with ApplyPolicy.
func (a *Agent) UndoPolicy(ctx context.Context, to string, agreed bool) (*PolicyPlan, error) {
	back, note, err := a.versionBefore(ctx, to)
	if err != nil {
		return nil, err
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	return a.apply(ctx, w, back.Source, note, agreed, standsFor(back))
}

// versionBefore finds the version that an undo brings back, and the note of doing
// so, see UndoPolicy.
func (a *Agent) versionBefore(ctx context.Context, to string) (back memory.PolicyVersion, note string, err error) {
	versions, err := a.PolicyHistory(ctx)
	if err != nil {
		return back, "", err
	}
	_, broken := a.Policy(ctx)
	if to != "" {
		if back, err = a.findVersion(ctx, to); err != nil {
			return back, "", err
		}
	} else {
		at := undone(versions, broken != nil)
		if at < 0 {
			return back, "", fmt.Errorf("there is no earlier version of the policy to go back to; `epagent policy history` lists them, `epagent policy undo --to N` takes any: %w", memory.ErrNotFound)
		}
		back = versions[at]
	}
	of := "a broken file"
	if broken == nil {
		of = fmt.Sprintf("version %d", standsFor(versions[len(versions)-1]))
	}
	return back, fmt.Sprintf("undo of %s: back to version %d of %s", of, standsFor(back), back.At.Local().Format(time.DateTime)), nil
}

// standsFor is the number of the version that a version is: the one that it
// brought back, else its own.
func standsFor(v memory.PolicyVersion) int64 {
	if v.Restores != 0 {
		return v.Restores
	}
	return v.Seq
}

// undone returns where the version is that an undo brings back, -1 for none.
func undone(versions []memory.PolicyVersion, broken bool) int {
	at := len(versions) - 1
	if broken || at < 0 {
		return at // what was broken is no version: the newest one comes back
	}
	if seq := versions[at].Restores; seq != 0 {
		at = slices.IndexFunc(versions, func(v memory.PolicyVersion) bool { return v.Seq == seq })
	}
	return max(at, 0) - 1
}
