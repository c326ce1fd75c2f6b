package agent

import (
	"context"
	"errors"
	"fmt"
	"regexp"
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
	text = strings.TrimSpace(text)
	if t, ok := memory.ParseMoment(text, time.Local); ok {
		return AsOf{At: t}, nil
	}
	version, revision, both := strings.Cut(text, "@")
	out := AsOf{Policy: version}
	if !versionRef.MatchString(version) {
		return AsOf{}, fmt.Errorf("as of %q: %w", text, ErrMoment)
	}
	if both {
		n, err := strconv.ParseInt(revision, 10, 64)
		if err != nil || n < 1 {
			return AsOf{}, fmt.Errorf("as of %q: %w", text, ErrMoment)
		}
		out.Revision = n
	}
	return out, nil
}

// String says how the moment was read, "" for now: a time with its zone, so that it
// shows in which one it was taken to be.
func (at AsOf) String() string {
	switch {
	case at == AsOf{}:
		return ""
	case !at.At.IsZero():
		return at.At.Format("2006-01-02 15:04:05 -07:00")
	case at.Revision > 0:
		return fmt.Sprintf("policy version %s, store revision %d", at.Policy, at.Revision)
	}
	return "policy version " + at.Policy + ", the store as it is now"
}

// ErrMoment says that something names no moment to judge in.
var ErrMoment = errors.New("want a day (2026-03-01), a time (2026-03-01 15:04, in the zone of this machine unless it says one), a policy VERSION by number or hash, or VERSION@REVISION of the store; not in the future")

// versionRef is what may name a policy version: its number or six characters of
// its hash.
var versionRef = regexp.MustCompile(`^([0-9]{1,9}|[0-9a-fA-F]{6,})$`)

// lastDay is the last instant at which a version of the policy was in force, now for
// the one that is: a grant that had not ended by then counts.
func (a *Agent) lastDay(ctx context.Context, version memory.PolicyVersion, now time.Time) (time.Time, error) {
	versions, err := a.store.PolicyVersions(ctx)
	if err != nil {
		return now, err
	}
	for _, v := range versions {
		if v.At.After(version.At) && v.At.Before(now) {
			now = v.At.Add(-time.Nanosecond)
		}
	}
	return now, nil
}

// past returns a moment that is not in the future. A day stands for its end, and
// today hasn't ended: it is now.
func (a *Agent) past(at time.Time) (time.Time, error) {
	now := a.opts.Now()
	if !at.After(now) {
		return at, nil
	}
	if y, m, d := now.In(at.Location()).Date(); at.After(time.Date(y, m, d+1, 0, 0, 0, 0, at.Location())) {
		return at, fmt.Errorf("%s is in the future: %w", at.Format(time.RFC3339), ErrMoment)
	}
	return now, nil
}

// worldAt returns the world of a moment. A policy version is judged as on the last
// day of its reign.
func (a *Agent) worldAt(ctx context.Context, at AsOf) (*world, error) {
	w, err := a.current(ctx)
	if err != nil || at == (AsOf{}) {
		return w, err
	}
	policy, now := w.policy, a.opts.Now()
	if !at.At.IsZero() {
		if at.At, err = a.past(at.At); err != nil {
			return nil, err
		}
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
		if now, err = a.lastDay(ctx, version, now); err != nil {
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
