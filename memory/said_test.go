package memory_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// TestSaid: what a model writes counts as far as the messages bear it out.
func TestSaid(t *testing.T) {
	at := privacy.At(time.Date(2025, 3, 5, 12, 0, 0, 0, time.UTC)) // a Wednesday
	s := &memory.Session{ID: "s", Participants: []string{"Ines Falk", "Noor"}, Start: at, Turns: []memory.Turn{
		{ID: "t1", Speaker: "Noor", Kind: memory.Message, Text: "How is Karin?", When: at},
		{ID: "t2", Speaker: "Ines Falk", Self: true, Kind: memory.Message, Text: "She flies to Porto tomorrow at 9pm with two bags, costs 1,200.", When: at},
		{ID: "t3", Speaker: "Ines Falk", Self: true, Kind: memory.Message, Text: "我下周去北京，带两个箱子", When: at},
	}}
	of := func(ids ...int) *memory.Said {
		var rests []*memory.Turn
		for _, i := range ids {
			rests = append(rests, &s.Turns[i])
		}
		return memory.NewSaid(s, rests, memory.Spoken(s.Turns), "Berta is Karin's sister.")
	}
	for _, tt := range []struct {
		text string
		from int
		want bool
	}{
		{"Karin flies to Porto on 2025-03-06 at 21:00.", 1, true},
		{"Karin flies to Porto on 6 March 2025 with 2 bags for 1200.", 1, false}, // 1,200 is two runs; written otherwise it can't be told
		{"Karin flies to Porto on 6 March 2025 with 2 bags for 1,200.", 1, true},
		{"Berta flies to Porto.", 1, true}, // named before: who is meant the model may know
		{"Karin flies to Porto on 2025-03-07.", 1, false},
		{"Karin flies to Porto with 3 bags.", 1, false},
		{"Karin flies to Porto in March 2025.", 1, true},
		{"Karin flies to Porto in April.", 1, false},
		{"Karin flies to Porto on 2025-03-06 with 6 bags.", 1, false},
		{"Karin flies to Lisbon with bags.", 1, false},
		{"Zelda flies to Porto.", 1, false},
		{"I fly to Porto.", 1, false},
		{"Karin owns a castle.", 1, false}, // no word of the message
		{"Ines goes there with Karin.", 2, false},
		{"Ines 下周去北京，带2个箱子。", 2, true},
		{"Ines 下周去北京，带5个箱子。", 2, false},
	} {
		if got := of(tt.from).Supports(tt.text); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
	said := of(1)
	for date, want := range map[string]bool{"2025-03-05": true, "2025-03-06": true, "2025-03-07": false, "": false, "soon": false, "2025-3-6": false} {
		if day, ok := said.Day(date); ok != want || ok && day.Date() != date {
			t.Errorf("day %q: %v, %v", date, day, ok)
		}
	}
	for name, want := range map[string]bool{"Karin": true, "Berta": true, "Porto": true, "Ines Falk": true, "Karin Vogel": false, "": false, "Zelda": false} {
		if said.Knows(name) != want {
			t.Errorf("knows %q: %v", name, !want)
		}
	}
	for word, want := range map[string]string{"bags": "bags", " flies  to Porto": "flies to Porto", "the": "", "": "", "castle": ""} {
		if got := said.Keyword(word); got != want {
			t.Errorf("keyword %q: %q", word, got)
		}
	}
	for label, want := range map[string]string{" flight  costs ": "flight costs", "flight 77": "", "trip to Rome": ""} {
		if got := said.Label(label); got != want {
			t.Errorf("label %q: %q", label, got)
		}
	}
}

// What was said bears itself out, whatever it is.
func TestSaidBearsItselfOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([A-Z][a-z]{1,6}|[0-9]{1,5}|'s|-|on 6 May 2025|tomorrow|上周|三点| |\.|,){0,12}`)).Draw(t, "text")
		s := &memory.Session{ID: "s", Start: privacy.At(time.Date(2025, 3, 5, 12, 0, 0, 0, time.UTC)), Turns: []memory.Turn{{ID: "t", Speaker: "Noor", Kind: memory.Message, Text: text}}}
		said := memory.NewSaid(s, []*memory.Turn{&s.Turns[0]}, nil)
		short := strings.Join(strings.Fields(text), " ")
		if len([]rune(short)) <= 60 && said.Label(text) != short {
			t.Fatalf("%q is not what was said", text)
		}
		said.Supports(text)
		said.Knows(text)
		said.Day(text)
	})
}
