package ingest

import (
	"slices"

	"github.com/epagent/epagent/memory"
)

// Split finds the two-party parts of a group session along its reply links
// (EP-Mem, arXiv 2609.35233, "Memory Material Preprocessing"). A turn that
// answers somebody else belongs to the two of them; one that goes on with the
// speaker's own turn belongs where that one does. A turn without a link stays
// with the parent, whose audience is everybody in it, even if it is answered:
// an opening addressed to all is not a word between two.
func Split(s *memory.Session) []memory.SubSession {
	type place struct {
		speaker string
		pair    [2]string
	}
	placed := make(map[string]place, len(s.Turns))
	members := map[[2]string][]string{}
	for i := range s.Turns {
		t := &s.Turns[i]
		p := place{speaker: t.Speaker}
		if parent, ok := placed[t.ReplyTo]; ok && t.Speaker != "" && parent.speaker != "" {
			if parent.speaker == t.Speaker {
				p.pair = parent.pair
			} else {
				p.pair = [2]string{min(parent.speaker, t.Speaker), max(parent.speaker, t.Speaker)}
			}
		}
		placed[t.ID] = p
		if p.pair != [2]string{} {
			members[p.pair] = append(members[p.pair], t.ID)
		}
	}
	out := make([]memory.SubSession, 0, len(members))
	for pair, turns := range members {
		out = append(out, memory.SubSession{ID: s.ID + "/" + digest(s.ID, pair[0], pair[1]), Pair: pair, Turns: turns})
	}
	slices.SortFunc(out, func(a, b memory.SubSession) int { return slices.Compare(a.Pair[:], b.Pair[:]) })
	return out
}
