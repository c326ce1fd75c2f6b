package privacy_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

func genStamp() *rapid.Generator[privacy.Stamp] {
	return rapid.Custom(func(t *rapid.T) privacy.Stamp {
		at := time.Date(2026, 3, 1, 0, 0, rapid.IntRange(0, 3*86400).Draw(t, "s"), 0, time.FixedZone("", rapid.IntRange(-12, 12).Draw(t, "zone")*3600))
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return privacy.At(at)
		case 1:
			return privacy.Stamp{Local: at.Format("2006-01-02T15:04:05")}
		case 2:
			return privacy.Stamp{Local: at.Format("2006-01-02")}
		}
		return privacy.Stamp{}
	})
}

// TestStampOrder: stamps with and without a zone stand in one order, without
// cycles.
func TestStampOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := genStamp().Draw(t, "a"), genStamp().Draw(t, "b"), genStamp().Draw(t, "c")
		if a.Compare(b) != -b.Compare(a) || a.Compare(a) != 0 {
			t.Fatalf("%v and %v", a, b)
		}
		if a.Compare(b) <= 0 && b.Compare(c) <= 0 && a.Compare(c) > 0 {
			t.Fatalf("%v, %v, %v go round", a, b, c)
		}
	})
}

func TestStampDate(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for _, tt := range []struct {
		in   privacy.Stamp
		want string
	}{
		{privacy.Stamp{}, ""},
		{privacy.Stamp{Local: "2026-03-04"}, "2026-03-04"},
		{privacy.At(time.Date(2026, 3, 4, 0, 30, 0, 0, berlin)), "2026-03-04"}, // where it was said, not in UTC
		{privacy.Stamp{Instant: time.Date(2026, 3, 4, 0, 30, 0, 0, berlin)}, "2026-03-04"},
	} {
		if got := tt.in.Date(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestRecordValues(t *testing.T) {
	r := privacy.Record{Marks: []privacy.Mark{
		{Kind: privacy.MarkEvent, Value: "e1", By: privacy.ByMachine},
		{Kind: privacy.MarkWhitelist, Value: "bo", By: privacy.BySpoken},
		{Kind: privacy.MarkEvent, Value: "e2", By: privacy.ByHand},
	}}
	if got := r.Value(privacy.MarkEvent); got != "e2" {
		t.Errorf("the last mark is the decision: got %q", got)
	}
	if got := r.Values(privacy.MarkEvent); len(got) != 2 || got[0] != "e1" {
		t.Errorf("values %q", got)
	}
	if r.Value(privacy.MarkLabel) != "" || r.Gold() {
		t.Error("marks that aren't there")
	}
	r.Marks[0].By = privacy.ByGold
	if !r.Gold() {
		t.Error("a gold mark makes a gold record")
	}
}
