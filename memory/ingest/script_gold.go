package ingest

import (
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// GoldFacts returns the gold facts with their marks, each mark ByGold. When a
// fact happened is its gold time; when it was said is when its first session
// was.
func (s *Script) GoldFacts() []memory.Fact {
	started := map[string]time.Time{}
	for _, session := range s.Sessions {
		started[session.ID] = session.Time
	}
	out := make([]memory.Fact, 0, len(s.Facts))
	for _, f := range s.Facts {
		r := privacy.Record{
			ID: f.ID, Text: f.Text, OwnerSaid: f.Trusted,
			HappenedAt: privacy.At(f.Time), SaidAt: privacy.At(f.Time),
			Marks: f.marks(),
		}
		if len(f.Sessions) > 0 {
			r.Session = f.Sessions[0]
			if at, ok := started[r.Session]; ok {
				r.SaidAt = privacy.At(at)
			}
		}
		if f.Trusted {
			r.Speaker = s.Owner
		}
		out = append(out, memory.Fact{
			Record: r, Sessions: slices.Clone(f.Sessions),
			Source: memory.Source{Name: s.Name, Format: scriptReader{}.name()},
		})
	}
	return out
}

func (f *GoldFact) marks() []privacy.Mark {
	var out []privacy.Mark
	add := func(kind privacy.MarkKind, value string) {
		out = append(out, privacy.Mark{Kind: kind, Value: value, By: privacy.ByGold})
	}
	for _, c := range f.Categories {
		add(privacy.MarkCategory, string(c))
	}
	if f.Event != "" {
		add(privacy.MarkEvent, string(f.Event))
	}
	add(privacy.MarkTruth, f.Truth)
	if f.Trusted {
		add(privacy.MarkTrusted, "true")
	}
	for _, p := range f.Whitelist {
		add(privacy.MarkWhitelist, string(p))
	}
	for _, p := range f.Blacklist {
		add(privacy.MarkBlacklist, string(p))
	}
	return out
}
