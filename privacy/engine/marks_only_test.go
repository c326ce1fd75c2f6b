package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
)

// TestOnlyThoseGoOnHearing: "only Kit may know" closes what its event comes to hold, and Kit goes
// on hearing it, within what a link of the engine may lend.
func TestOnlyThoseGoOnHearing(t *testing.T) {
	said := func(k privacy.Mark, turn string) privacy.Mark { k.Turn = turn; return k }
	only := func(id, event, category, who, turn string) privacy.Record {
		return own(id, event, category, said(m(privacy.MarkWhitelist, who, privacy.BySpoken), turn), said(m(privacy.MarkClosed, "true", privacy.BySpoken), turn))
	}
	closing := func(turn string) privacy.EventRule {
		return privacy.EventRule{ID: "r-" + turn, Event: "e", Kind: privacy.MarkClosed, Value: "true", By: privacy.BySpoken, Turn: turn}
	}
	untrusted := own("f", "e", "health")
	untrusted.OwnerSaid = false
	for _, tt := range []struct {
		name    string
		records []privacy.Record
		rules   []privacy.EventRule
		want    []string
	}{
		{"the same matter, the same people", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{closing("t1")}, []string{"kit"}},
		{"from a stricter fact", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "hobbies")}, []privacy.EventRule{closing("t1")}, []string{"kit"}},
		{"not from a looser fact", []privacy.Record{only("g", "e", "hobbies", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{closing("t1")}, nil},
		{"not another event", []privacy.Record{only("g", "x", "health", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{closing("t1")}, nil},
		{"not by other words", []privacy.Record{only("g", "e", "health", "kit", "t2"), own("f", "e", "health")}, []privacy.EventRule{closing("t1")}, nil},
		{"not for what has no category", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "")}, []privacy.EventRule{closing("t1")}, nil},
		{"not under a label by hand", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health", m(privacy.MarkLabel, "L0", privacy.ByHand))}, []privacy.EventRule{closing("t1")}, nil},
		{"not what somebody else said", []privacy.Record{only("g", "e", "health", "kit", "t1"), untrusted}, []privacy.EventRule{closing("t1")}, nil},
		{"not a cover story", []privacy.Record{only("g", "e", "health", "kit", "t1"), coverOf("f", "e")}, []privacy.EventRule{closing("t1")}, nil},
		{"not what is closed by itself", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health", said(m(privacy.MarkClosed, "true", privacy.BySpoken), "t3"))}, []privacy.EventRule{closing("t1")}, nil},
		{"not what was closed by hand", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health", m(privacy.MarkClosed, "true", privacy.ByHand))}, []privacy.EventRule{closing("t1")}, nil},
		{"not what was confided", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health", m(privacy.MarkConfided, "gerda", privacy.ByMachine))}, []privacy.EventRule{closing("t1")}, nil},
		{"a rule without words lets nobody in", []privacy.Record{only("g", "e", "health", "kit", ""), own("f", "e", "health")}, []privacy.EventRule{closing("")}, nil},
		{"a rule by hand lets nobody in", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{{ID: "r", Event: "e", Kind: privacy.MarkClosed, Value: "true", By: privacy.ByHand, Turn: "t1"}}, nil},
		{"a deny still wins", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{closing("t1"), {ID: "d", Event: "e", Kind: privacy.MarkBlacklist, Value: "kit", By: privacy.BySpoken, Turn: "t2"}}, nil},
		{"two words that close: who is in both", []privacy.Record{only("g", "e", "health", "kit", "t1"), only("h", "e", "health", "kit", "t2"), own("f", "e", "health")}, []privacy.EventRule{closing("t1"), closing("t2")}, []string{"kit"}},
		{"two words that close: nobody in both", []privacy.Record{only("g", "e", "health", "kit", "t1"), only("h", "e", "health", "gerda", "t2"), own("f", "e", "health")}, []privacy.EventRule{closing("t1"), closing("t2")}, nil},
		{"a word that names nobody closes to all", []privacy.Record{only("g", "e", "health", "kit", "t1"), own("f", "e", "health")}, []privacy.EventRule{closing("t1"), closing("t4")}, nil},
		{"words for one sentence alone", []privacy.Record{own("g", "e", "health", privacy.Mark{Kind: privacy.MarkWhitelist, Value: "kit", By: privacy.BySpoken, Rule: "MARKS 4, these words", Turn: "t1"}), own("f", "e", "health")}, []privacy.EventRule{closing("t1")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustPolicy(t, worldPolicy)
			if diff := cmp.Diff(tt.want, audienceOf(t, p, tt.records, tt.rules, "f")); diff != "" {
				t.Errorf("who may know (-want +got):\n%s", diff)
			}
		})
	}
}
