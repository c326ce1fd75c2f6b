package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// ImportOptions say how to read a file or folder. The zero value reads what the
// file itself tells.
type ImportOptions struct {
	Self      string         // the owner's name in the export
	SelfID    string         // the owner's id in the export
	TZ        *time.Location // for sources without a zone
	DateOrder string         // "dmy", "mdy" or "ymd"
	Name      string         // original file name
	Gold      bool           // script folders: facts and marks from facts.jsonl
	Resurrect bool           // bring back what was forgotten
	// Progress is told after each stored batch; messages counts those of the file.
	Progress func(done, messages int)
}

// ImportReport is what one import did.
type ImportReport struct {
	Path      string   `json:"path"`
	Format    string   `json:"format"`
	Sessions  int      `json:"sessions"`
	Messages  int      `json:"messages"`
	New       int      `json:"new"`
	Duplicate int      `json:"duplicate"`
	Forgotten int      `json:"forgotten,omitempty"` // known, forgotten, and not brought back
	Skipped   []string `json:"skipped"`
	Warnings  []string `json:"warnings,omitempty"`

	Facts    int      `json:"-"` // stored new
	Review   int      `json:"-"` // of these, how many wait for the owner
	Self     string   `json:"-"` // whose words were taken as the owner's, "" nobody's
	Unknown  []string `json:"-"` // senders whom the policy doesn't know
	Adopted  bool     `json:"-"` // the script's policy became the home's
	NoPolicy error    `json:"-"` // why facts were marked without the policy in force
}

// batchMessages is how many messages one transaction stores, at least: enough that
// the cost of a durable commit is small beside the work, few enough that little is
// done twice after an interruption.
const batchMessages = 500

// ReadExport parses a file or folder and stores nothing.
func (a *Agent) ReadExport(ctx context.Context, path string, opts ImportOptions) (*ingest.Export, error) {
	self := opts.Self
	export, err := ingest.Read(ctx, path, ingest.Options{
		Self: self, SelfID: opts.SelfID, TZ: opts.TZ, DateOrder: opts.DateOrder, Name: opts.Name, Gold: opts.Gold,
	})
	return export, err
}

// Import reads a file or folder, stores its sessions and learns facts from them.
// It is idempotent: what is there already is counted and left alone. Each batch is
// durable when Progress is told of it; a cancelled import ends between batches with
// the context's error and a report of what was stored, and can simply be run again.
func (a *Agent) Import(ctx context.Context, path string, opts ImportOptions) (*ImportReport, error) {
	opts, err := a.ownerInExport(ctx, opts)
	if err != nil {
		return nil, err
	}
	export, err := a.ReadExport(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	report := &ImportReport{
		Path: path, Format: export.Format, Messages: len(export.Messages),
		Skipped: []string{}, Warnings: export.Warnings, Duplicate: export.Duplicates,
	}
	for _, s := range export.Skipped {
		report.Skipped = append(report.Skipped, fmt.Sprintf("line %d: %s", s.Line, s.Reason))
	}
	if export.Script != nil {
		if report.Adopted, err = a.adoptPolicy(export.Script.Policy, opts.Gold); err != nil {
			return report, err
		}
	}
	l, err := a.newLearner(ctx)
	if err != nil {
		return report, err
	}
	if _, err := a.Policy(ctx); err != nil {
		report.NoPolicy = err
	}
	sessions := export.Sessions()
	report.Sessions = len(sessions)
	report.Unknown, report.Self = senders(l.policy, sessions)

	var gold []memory.Fact
	if opts.Gold {
		if export.Script == nil {
			return report, fmt.Errorf("%s: --gold needs a benchmark script folder, and this is %s", path, export.Format)
		}
		gold = export.Script.GoldFacts()
	}
	err = a.importSessions(ctx, l, sessions, gold, opts, report)
	return report, err
}

// importSessions stores sessions in batches.
func (a *Agent) importSessions(ctx context.Context, l *learner, sessions []memory.Session, gold []memory.Fact, opts ImportOptions, report *ImportReport) error {
	var batch memory.Batch
	pending, done := 0, 0
	flush := func() error {
		if pending == 0 && len(batch.Facts) == 0 {
			return nil
		}
		// A batch that has begun is finished: cancelling takes effect between two.
		applied, err := a.store.Apply(context.WithoutCancel(ctx), batch)
		if err != nil {
			return err
		}
		report.New += applied.Turns
		report.Facts += applied.Facts
		batch, pending = memory.Batch{}, 0
		if opts.Progress != nil {
			opts.Progress(done, report.Messages)
		}
		return nil
	}
	for i := range sessions {
		if err := ctx.Err(); err != nil {
			return errors.Join(flush(), err)
		}
		s := &sessions[i]
		done += len(s.Turns)
		fresh, err := a.freshTurns(ctx, s, opts.Resurrect, report)
		if err != nil {
			return err
		}
		if len(fresh) == 0 {
			continue
		}
		if gold != nil {
			layers, err := l.host.Compose(ctx, s)
			if err != nil {
				return err
			}
			batch.Layers = append(batch.Layers, layers)
		} else {
			got, err := l.session(ctx, s, func(turn string) bool { return fresh[turn] }, nil)
			if err != nil {
				return err
			}
			batch.Layers = append(batch.Layers, got.layers)
			batch.Facts = append(batch.Facts, got.facts...)
			batch.EventRules = append(batch.EventRules, got.rules...)
			for j := range got.facts {
				if _, waits := waitsForReview(&got.facts[j].Record); waits {
					report.Review++
				}
			}
		}
		batch.Sessions = append(batch.Sessions, *s)
		if pending += len(s.Turns); pending >= batchMessages {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	for i := range gold {
		gold[i].ImportedAt = l.now
	}
	batch.Facts = append(batch.Facts, gold...)
	return flush()
}

// freshTurns returns which turns of s are not stored yet, takes the forgotten ones
// out of s unless they are to come back, and counts both.
func (a *Agent) freshTurns(ctx context.Context, s *memory.Session, resurrect bool, report *ImportReport) (map[string]bool, error) {
	ids := make([]string, len(s.Turns))
	for i := range s.Turns {
		ids[i] = s.Turns[i].ID
	}
	states, err := a.store.Known(ctx, s.Conversation, ids)
	if err != nil {
		return nil, err
	}
	fresh := map[string]bool{}
	s.Turns = slices.DeleteFunc(s.Turns, func(t memory.Turn) bool {
		switch states[t.ID] {
		case memory.TurnStored:
			report.Duplicate++
		case memory.TurnForgotten:
			if !resurrect {
				report.Forgotten++
				return true
			}
			fresh[t.ID] = true
		default:
			fresh[t.ID] = true
		}
		return false
	})
	return fresh, nil
}

// ownerInExport fills in the owner's name where none was given: a speaker whose
// name is exactly one of the owner's names in the policy is the owner. The report
// says whose words were taken as the owner's, so it is never silent.
func (a *Agent) ownerInExport(ctx context.Context, opts ImportOptions) (ImportOptions, error) {
	if opts.Self != "" || opts.SelfID != "" {
		return opts, nil
	}
	policy, err := a.Policy(ctx)
	if errors.Is(err, ErrNoPolicy) || errors.Is(err, ErrPolicyBroken) {
		return opts, nil
	}
	if err != nil {
		return opts, err
	}
	opts.Self = policy.Owner().Name
	return opts, nil
}

// adoptPolicy makes a script's policy the home's where the home has none. With
// gold marks another policy is refused: marks and policy belong together.
func (a *Agent) adoptPolicy(source []byte, gold bool) (adopted bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err = a.policyLocked(context.Background())
	switch {
	case errors.Is(err, ErrNoPolicy):
		if _, err := privacy.Parse(PolicyFile, source); err != nil {
			return false, fmt.Errorf("the script's own policy: %w", err)
		}
		_, err := WritePolicy(a.home, source)
		return err == nil, err
	case err != nil:
		return false, err
	case gold && !bytes.Equal(bytes.TrimSpace(a.policy.source), bytes.TrimSpace(source)):
		return false, fmt.Errorf("%w; import it into an empty home (--home)", ErrPolicyDiffers)
	}
	return false, nil
}

// senders returns the speakers whom the policy doesn't know, in order of
// appearance, and the name under which the owner spoke.
func senders(p *privacy.Policy, sessions []memory.Session) (unknown []string, self string) {
	seen := map[string]bool{}
	for i := range sessions {
		for _, t := range sessions[i].Turns {
			if t.Speaker == "" || seen[t.Speaker] {
				continue
			}
			seen[t.Speaker] = true
			if t.Self {
				self = t.Speaker
			} else if _, ok := p.Person(t.Speaker); !ok && !p.IsOwner(t.Speaker) {
				unknown = append(unknown, t.Speaker)
			}
		}
	}
	return unknown, self
}
