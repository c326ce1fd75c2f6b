package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// ErrNoFeed says that the native host holds nothing of its own to take in.
var ErrNoFeed = errors.New("the host has nothing of its own to import; it is what you import here that it holds")

// ImportHost takes into the sidecar what the native host holds that others put there.
// Each statement becomes a fact as it stands, about what the host files it under, and
// is annotated like any other. It is idempotent, and what was forgotten stays so. The
// host isn't changed; what it drops later stays here until it is forgotten here.
func (a *Agent) ImportHost(ctx context.Context, opts ImportOptions) (*ImportReport, error) {
	feeder, ok := a.host.(memory.Feeder)
	if !ok {
		return nil, fmt.Errorf("host %q: %w", a.host.Name(), ErrNoFeed)
	}
	report := &ImportReport{Path: a.host.Name(), Format: memory.FormatStatements, Skipped: []string{}}
	sessions, err := feeder.Feed(ctx)
	if err != nil {
		return report, err
	}
	l, err := a.newLearner(ctx)
	if err != nil {
		return report, err
	}
	if _, err := a.Policy(ctx); err != nil {
		report.NoPolicy = err
	}
	for i := range sessions {
		report.Messages += len(sessions[i].Turns)
	}
	im := &importer{a: a, l: l, from: listed(sessions), opts: opts, report: report, renamed: map[string]string{}}
	if im.own, err = a.ownWords(ctx); err != nil {
		return report, err
	}
	return report, im.learn(ctx)
}

// listed are sessions that are at hand.
type listed []memory.Session

// EachSession calls f with each session in order.
func (l listed) EachSession(_ context.Context, f func(*memory.Session) error) error {
	for i := range l {
		if err := f(&l[i]); err != nil {
			return err
		}
	}
	return nil
}

// stated are the drafts of a session of statements.
func stated(s *memory.Session) []privacy.Record {
	var out []privacy.Record
	for i := range s.Turns {
		t := &s.Turns[i]
		out = append(out, privacy.Record{
			ID: privacy.FactID("f" + shortHash("fact", t.ID)), Text: t.Text, Language: lexical.Language(t.Text),
			Speaker: t.Speaker, Subject: s.Title, SaidAt: t.When, Session: s.ID, Evidence: []string{t.ID},
		})
	}
	return out
}
