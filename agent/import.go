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
	"github.com/epagent/epagent/privacy/engine"
)

// ImportOptions say how to read a file or folder. The zero value reads what the
// file itself tells.
type ImportOptions struct {
	Self      string         // the owner's name in the export
	SelfID    string         // the owner's id in the export
	TZ        *time.Location // for sources without a zone
	DateOrder string         // "dmy", "mdy" or "ymd"
	Name      string         // original file name
	Gap       time.Duration  // silence that ends a session; 0: ingest.DefaultGap
	TopicGap  time.Duration  // silence after which a change of topic ends one; 0: ingest.DefaultTopicGap, negative: never
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

	// Degraded are the stages that ran offline, for some session at least, although a
	// model was to run them.
	Degraded []string `json:"degraded,omitempty"`

	Facts    int      `json:"-"` // stored new
	Review   int      `json:"-"` // of these, how many wait for the owner
	Self     string   `json:"-"` // whose words were taken as the owner's, "" nobody's
	Unknown  []string `json:"-"` // senders whom the policy doesn't know
	Me       string   `json:"-"` // who was named as the owner, "" nobody
	Restored bool     `json:"-"` // it was an export of epagent
	Adopted  bool     `json:"-"` // the policy that came with it became the home's
	NoPolicy error    `json:"-"` // why facts were marked without the policy in force
}

// batchMessages is how many messages one transaction stores, at least: enough that
// the cost of a durable commit is small beside the work, few enough that little is
// done twice after an interruption.
const batchMessages = 500

// ReadExport opens a file or folder and stores nothing; the caller closes it.
// Without Self and SelfID the owner is a sender who bears one of the owner's names in
// the policy: the report of an import says whose words were taken, so it is never
// silent.
func (a *Agent) ReadExport(ctx context.Context, path string, opts ImportOptions) (*ingest.Reading, error) {
	in := ingest.Options{
		Self: opts.Self, SelfID: opts.SelfID, TZ: opts.TZ, DateOrder: opts.DateOrder, Name: opts.Name, Gold: opts.Gold,
		Gap: opts.Gap, TopicGap: opts.TopicGap,
	}
	policy, err := a.Policy(ctx)
	switch {
	case err == nil:
		owner := policy.Owner()
		in.Owner = append([]string{owner.Name}, owner.Aliases...)
		for _, p := range policy.People() {
			in.People = append(append(in.People, p.Name), p.Aliases...)
		}
	case !errors.Is(err, ErrNoPolicy) && !errors.Is(err, ErrPolicyBroken):
		return nil, err
	}
	return ingest.Open(ctx, path, in)
}

// Import reads a file or folder, stores its sessions and learns facts from them.
// It is idempotent: what is there already is counted and left alone. Each batch is
// durable when Progress is told of it; a cancelled import ends between batches with
// the context's error and a report of what was stored, and can simply be run again.
func (a *Agent) Import(ctx context.Context, path string, opts ImportOptions) (*ImportReport, error) {
	if isExport(path) {
		return a.restore(ctx, path)
	}
	export, err := a.ReadExport(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	report := &ImportReport{
		Path: path, Format: export.Format, Messages: len(export.Messages),
		Skipped: []string{}, Warnings: export.Warnings, Me: opts.Self,
	}
	for _, s := range export.Skipped {
		if s.Line == 0 {
			report.Skipped = append(report.Skipped, s.Reason)
			continue
		}
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

// importSessions learns from sessions and stores them in batches. One batch is
// stored while the next is learned.
func (a *Agent) importSessions(ctx context.Context, l *learner, sessions []memory.Session, gold []memory.Fact, opts ImportOptions, report *ImportReport) error {
	fresh, err := a.freshTurns(ctx, sessions, opts.Resurrect, report)
	if err != nil {
		return err
	}
	// A batch that has begun is finished: cancelling takes effect between two.
	turns := report.Duplicate + report.Forgotten
	for _, ids := range fresh {
		turns += len(ids)
	}
	storing, stored := make(chan learnedBatch, 1), make(chan error, 1)
	go func() {
		var failed error
		for b := range storing {
			if failed != nil {
				continue // drained, so that the learner can't block
			}
			applied, err := a.store.Apply(context.WithoutCancel(ctx), b.Batch)
			if err != nil {
				failed = err
				continue
			}
			report.New += applied.Turns
			report.Facts += applied.Facts
			report.Review += min(b.review, applied.Facts) // none of what another process stored first
			if opts.Progress != nil {
				opts.Progress(b.done, report.Messages)
			}
		}
		stored <- failed
	}()
	ran := &notes{}
	learning := a.learnBatches(engine.WithNotes(ctx, ran.add), l, sessions, fresh, gold, opts.Resurrect, storing)
	close(storing)
	err = errors.Join(<-stored, learning)
	report.Degraded = ran.degraded()
	if err == nil {
		a.settleHost(ctx)
		// What another process stored meanwhile is there already, too.
		report.Duplicate = turns - report.New - report.Forgotten
		if a.opts.Model.Calls != nil {
			err = a.store.DropReplies(ctx) // they were for an import that is stopped
		}
	}
	return err
}

// learnedBatch is a batch on its way into the store.
type learnedBatch struct {
	memory.Batch
	done   int // messages of the file up to and with this batch
	review int // facts that wait for the owner
}

// learnBatches sends what it learns from sessions, in batches of at least
// batchMessages. A cancelled import still sends what it has begun.
func (a *Agent) learnBatches(ctx context.Context, l *learner, sessions []memory.Session, fresh map[string]map[string]bool, gold []memory.Fact, resurrect bool, out chan<- learnedBatch) error {
	batch, pending := learnedBatch{Batch: memory.Batch{Resurrect: resurrect}}, 0
	flush := func() {
		if pending > 0 || len(batch.Facts) > 0 {
			out <- batch
		}
		batch, pending = learnedBatch{Batch: memory.Batch{Resurrect: resurrect}, done: batch.done}, 0
	}
	isFresh := func(s *memory.Session) func(string) bool {
		return func(turn string) bool { return fresh[s.Conversation][turn] }
	}
	var todo []int // sessions with something new
	for i := range sessions {
		s := &sessions[i]
		if slices.ContainsFunc(s.Turns, func(t memory.Turn) bool { return isFresh(s)(t.ID) }) {
			todo = append(todo, i)
		}
	}
	drafts, stop := context.WithCancel(ctx)
	defer stop()
	next := ahead(drafts, len(todo), a.concurrency(), func(ctx context.Context, k int) (*drafted, error) {
		s := &sessions[todo[k]]
		if gold != nil {
			layers, err := l.host.Compose(ctx, s)
			return &drafted{layers: layers}, err
		}
		return l.draft(ctx, s, isFresh(s), nil)
	})
	for i := range sessions {
		if ctx.Err() != nil {
			flush()
			return ctx.Err()
		}
		s := &sessions[i]
		batch.done += len(s.Turns)
		if _, learns := slices.BinarySearch(todo, i); !learns {
			continue
		}
		draft, err := next()
		var got *learned
		switch {
		case err != nil:
		case gold != nil:
			got = &learned{layers: draft.layers}
		default:
			got, err = l.settle(ctx, s, draft)
		}
		if err != nil {
			flush()
			return err
		}
		batch.Sessions = append(batch.Sessions, *s)
		batch.Layers = append(batch.Layers, got.layers)
		batch.Facts = append(batch.Facts, got.facts...)
		batch.EventRules = append(batch.EventRules, got.rules...)
		for j := range got.facts {
			if len(openQuestions(&got.facts[j].Record, l.policy.Settings())) > 0 {
				batch.review++
			}
		}
		if pending += len(s.Turns); pending >= batchMessages {
			flush()
		}
	}
	for i := range gold {
		gold[i].ImportedAt = l.now
	}
	batch.Facts = append(batch.Facts, gold...)
	flush()
	return nil
}

// freshTurns returns, by conversation, which turns are not stored yet. It takes
// the forgotten ones out of the sessions unless they are to come back, and counts
// what it finds.
func (a *Agent) freshTurns(ctx context.Context, sessions []memory.Session, resurrect bool, report *ImportReport) (map[string]map[string]bool, error) {
	ids := map[string][]string{}
	for i := range sessions {
		c := sessions[i].Conversation
		for _, t := range sessions[i].Turns {
			ids[c] = append(ids[c], t.ID)
		}
	}
	fresh := make(map[string]map[string]bool, len(ids))
	known := make(map[string]map[string]memory.TurnState, len(ids))
	for c := range ids {
		states, err := a.store.Known(ctx, c, ids[c])
		if err != nil {
			return nil, err
		}
		known[c], fresh[c] = states, map[string]bool{}
	}
	for i := range sessions {
		c := sessions[i].Conversation
		sessions[i].Turns = slices.DeleteFunc(sessions[i].Turns, func(t memory.Turn) bool {
			switch state := known[c][t.ID]; {
			case state == memory.TurnStored:
				report.Duplicate++
			case state == memory.TurnForgotten && !resurrect:
				report.Forgotten++
				return true
			default:
				fresh[c][t.ID] = true
			}
			return false
		})
	}
	return fresh, nil
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
