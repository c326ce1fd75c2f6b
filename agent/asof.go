package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// AsOf names a moment to judge in: a policy version and a store revision. The zero
// value is now.
type AsOf struct {
	Policy   string // number of a version, beginning of its hash, or a time; "": the one in force
	Revision int64  // 0: the present one
	At       time.Time
}

// ParseAsOf reads a moment: a time ("2026-03-01", RFC 3339) stands for both sides,
// "VERSION" for a policy version over the present store, and "VERSION@REVISION" for
// both.
func ParseAsOf(text string) (AsOf, error) {
	if text == "" {
		return AsOf{}, nil
	}
	if t, ok := memory.ParseMoment(text, time.Local); ok {
		return AsOf{At: t}, nil
	}
	version, revision, both := strings.Cut(text, "@")
	out := AsOf{Policy: version}
	if both {
		n, err := strconv.ParseInt(revision, 10, 64)
		if err != nil || n < 1 {
			return AsOf{}, fmt.Errorf("as of %q: want a time, VERSION or VERSION@REVISION", text)
		}
		out.Revision = n
	}
	return out, nil
}

// worldAt returns the world of a moment.
func (a *Agent) worldAt(ctx context.Context, at AsOf) (*world, error) {
	w, err := a.current(ctx)
	if err != nil || at == (AsOf{}) {
		return w, err
	}
	policy, now := w.policy, a.opts.Now()
	if !at.At.IsZero() {
		version, err := a.store.PolicyVersionAt(ctx, at.At)
		if err != nil {
			return nil, err
		}
		if policy, err = privacy.Parse(PolicyFile, version.Source); err != nil {
			return nil, err
		}
		if at.Revision, err = a.store.RevisionAt(ctx, at.At); err != nil {
			return nil, err
		}
		now = at.At
	} else if at.Policy != "" {
		version, err := a.store.FindPolicyVersion(ctx, at.Policy)
		if err != nil {
			return nil, err
		}
		if policy, err = privacy.Parse(PolicyFile, version.Source); err != nil {
			return nil, err
		}
	}
	facts, rules := w.facts, w.rules
	if at.Revision > 0 {
		judged, err := a.store.JudgedAt(ctx, at.Revision)
		if err != nil {
			return nil, err
		}
		facts, rules = judged.Facts, judged.Rules
	}
	out := newWorld(policy, facts, rules, now)
	out.at = at.At
	return out, nil
}
