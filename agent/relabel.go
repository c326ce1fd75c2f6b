package agent

import (
	"context"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// supplementRule begins the rule of a mark that a supplement gave to a fact; what follows
// is its id.
const supplementRule = engine.SupplementRule

// labels reports whether what a fact is about may differ by a supplement.
func labels(x memory.StoredSupplement) bool { return prompts.Name(x.Stage) == prompts.StageAnnotate }

// sameSaid reports whether two marks say the same, whoever says it.
func sameSaid(a, b privacy.Mark) bool { return a.Kind == b.Kind && a.Value == b.Value }

func says(marks []privacy.Mark, m privacy.Mark) bool {
	return slices.ContainsFunc(marks, func(x privacy.Mark) bool { return sameSaid(x, m) })
}

// sayEqual reports whether two runs of the stages give a fact the same.
func sayEqual(a, b []privacy.Mark) bool {
	return !slices.ContainsFunc(a, func(m privacy.Mark) bool { return !says(b, m) }) &&
		!slices.ContainsFunc(b, func(m privacy.Mark) bool { return !says(a, m) })
}

// supplemented gives marks what a chain of runs of the stages differs by, each with one
// supplement more than the one before: chain[0] has none of ids, and chain[k+1] has ids[k],
// too. Did is what each of them does to the marks, and undoes to the byte
// ([memory.Unsupplemented]).
func supplemented(marks []privacy.Mark, ids []string, chain [][]privacy.Mark, at time.Time) (out []privacy.Mark, did []memory.SupplementMarks) {
	out = slices.Clone(marks)
	for k, id := range ids {
		m := memory.SupplementMarks{Supplement: id}
		before, after := chain[k], chain[k+1]
		for _, x := range before {
			if says(after, x) {
				continue
			}
			for _, y := range out {
				if sameSaid(x, y) && replayed(y) {
					m.Removed = append(m.Removed, y)
				}
			}
		}
		for _, x := range after {
			if !says(before, x) && !says(out, x) {
				x.Rule, x.At = supplementRule+id, at
				m.Added = append(m.Added, x)
			}
		}
		if len(m.Added)+len(m.Removed) > 0 {
			out = append(without(out, m.Removed), m.Added...)
			did = append(did, m)
		}
	}
	return out, did
}

// sameDeeds reports whether supplements did to a fact what they are to do, whenever.
func sameDeeds(did, does []memory.SupplementMarks) bool {
	if len(did) != len(does) {
		return false
	}
	for _, m := range does {
		at := slices.IndexFunc(did, func(x memory.SupplementMarks) bool { return x.Supplement == m.Supplement })
		if at < 0 || !sayEqual(did[at].Added, m.Added) || !sayEqual(did[at].Removed, m.Removed) {
			return false
		}
	}
	return true
}

// relabelled is what a set of supplements makes of the stored facts: the marks of those that
// the owner hasn't decided on are what the stages said of them with nothing learned, and
// what the set does to that. So going back, or to another version, leads to the same
// whatever was in force in between, also for facts that came in meanwhile.
type relabelled struct {
	memory.Relabelling
	facts []memory.Fact // all of them, with their marks then
}

// relabel finds out what the supplements of a set do to the stored facts, given what others
// did to them until now.
func (r *Replayer) relabel(ctx context.Context, set []memory.StoredSupplement, did []memory.SupplementMarks) (*relabelled, error) {
	set = slices.DeleteFunc(slices.Clone(set), func(x memory.StoredSupplement) bool { return !labels(x) })
	does, err := r.deeds(ctx, set)
	if err != nil {
		return nil, err
	}
	return r.relabelBy(set, does, did), nil
}

// relabelBy relabels by what is known of the facts' chains (see supplemented); a fact
// without one has no mark of a supplement.
func (r *Replayer) relabelBy(set []memory.StoredSupplement, chains map[int][][]privacy.Mark, did []memory.SupplementMarks) *relabelled {
	ids := make([]string, len(set))
	for k := range set {
		ids[k] = set[k].ID
	}
	was := map[privacy.FactID][]memory.SupplementMarks{}
	for _, m := range did {
		was[m.Fact] = append(was[m.Fact], m)
	}
	out := &relabelled{facts: slices.Clone(r.w.facts)}
	for i := range out.facts {
		f := &out.facts[i]
		old := was[f.ID]
		marks := memory.Unsupplemented(f.Marks, old...)
		var does []memory.SupplementMarks
		switch chain := chains[i]; {
		case decidedByHand(&f.Record):
			// What was decided stands over it. What is still in force keeps its part.
			for _, m := range old {
				if slices.Contains(ids, m.Supplement) {
					does = append(does, m)
					marks = append(without(marks, m.Removed), m.Added...)
				}
			}
		case chain != nil:
			marks, does = supplemented(marks, ids, chain, r.w.now)
		}
		if sameDeeds(old, does) {
			continue
		}
		f.Marks = marks
		out.Facts = append(out.Facts, f.ID)
		for _, m := range does {
			m.Fact = f.ID
			out.Marks = append(out.Marks, m)
		}
	}
	return out
}

// deeds runs the stages without the set and with it, and where they differ, with one of its
// supplements after the other: the chains of the facts that the set does something to.
func (r *Replayer) deeds(ctx context.Context, set []memory.StoredSupplement) (map[int][][]privacy.Mark, error) {
	if len(set) == 0 {
		return nil, nil
	}
	base, err := r.runOf(ctx, nil)
	if err != nil {
		return nil, err
	}
	full, err := r.runOf(ctx, set)
	if err != nil {
		return nil, err
	}
	out := map[int][][]privacy.Mark{}
	for i := range base.marks {
		if !sayEqual(base.marks[i], full.marks[i]) {
			out[i] = [][]privacy.Mark{base.marks[i]}
		}
	}
	var among []replaySession
	for k := range r.sessions {
		if slices.ContainsFunc(r.sessions[k].facts, func(i int) bool { return out[i] != nil }) {
			among = append(among, r.sessions[k])
		}
	}
	for k := 1; k < len(set) && len(out) > 0; k++ {
		l, err := LearnedOf(set[:k])
		if err != nil {
			return nil, err
		}
		marks, err := r.annotate(ctx, r.a.stagesWith(l), r.taught, among)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = append(out[i], marks[i])
		}
	}
	for i := range out {
		out[i] = append(out[i], full.marks[i])
	}
	return out, nil
}

// runOf is [Replayer.Run] with a set of supplements.
func (r *Replayer) runOf(ctx context.Context, set []memory.StoredSupplement) (*Replay, error) {
	l, err := LearnedOf(set)
	if err != nil {
		return nil, err
	}
	return r.Run(ctx, l)
}
