package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// story is facts about one person, said a day after each other.
func story(texts ...string) []privacy.Record {
	out := make([]privacy.Record, len(texts))
	for i, text := range texts {
		out[i] = privacy.Record{
			ID: privacy.FactID(fmt.Sprint("f", i)), Text: text, Subject: "Ines",
			SaidAt: privacy.Stamp{Local: fmt.Sprintf("2026-03-%02d", i+1)},
		}
	}
	return out
}

func TestCourse(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		event []int // of each fact; nil: one each
		want  map[privacy.FactID]privacy.FactID
	}{
		{"a home gives way to another", []string{"Ines lives in Lyon.", "Ines moved out of Lyon, Ines lives in Ghent now."}, nil,
			map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"what is taken back gives the place back", []string{"Ines lives in Lyon.", "Ines moved out of Lyon, Ines lives in Ghent now.", "Scrap that, Ines never moved, the flat fell through."}, nil,
			map[privacy.FactID]privacy.FactID{"f1": "f2"}},
		{"a liking ends", []string{"Ines loves fish.", "Ines no longer eats fish."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"another liking stays", []string{"Ines loves cheese.", "Ines no longer eats fish."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"planned, put off, cancelled", []string{"Ines has an operation on 4 April.", "The operation of Ines was postponed to 9 May.", "The operation of Ines is cancelled."}, []int{1, 1, 1},
			map[privacy.FactID]privacy.FactID{"f0": "f2", "f1": "f2"}},
		{"planned, done", []string{"Ines plans a trip to Malmö.", "Ines went to Malmö."}, []int{1, 1}, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"done is not undone by more", []string{"Ines went to Malmö.", "Ines was in Malmö with Bo."}, []int{1, 1}, map[privacy.FactID]privacy.FactID{}},
		{"more about an event is no change", []string{"Ines has an operation on 4 April.", "The operation is at St Anne's hospital."}, []int{1, 1}, map[privacy.FactID]privacy.FactID{}},
		{"another event's end ends nothing", []string{"Ines has an operation on 4 April.", "The concert is cancelled."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"Chinese", []string{"Ines 住在里昂。", "Ines 现在住在根特。"}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"German", []string{"Ines wohnt in Lyon.", "Ines wohnt jetzt in Gent."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"a move told without now", []string{"Ines moved to Ghent in March 2026.", "Ines moved from Ghent to Lisbon."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"one place in two ways", []string{"Ines moved to Ghent in March 2026.", "Ines lives in Ghent now."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"one flat in two ways", []string{"Ines lives in a flat in Ghent.", "Ines lives in Ghent with Bo."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"two flats", []string{"Ines lives in a flat in Ghent.", "Ines has moved into a flat in Lisbon."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"a former home told later", []string{"Ines lives in Ghent.", "Ines used to live in Lyon."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"a home that is wished for", []string{"Ines lives in Ghent.", "Ines would like to live in Lyon."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"where and as what", []string{"Ines works at the library.", "Ines works as a nurse."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"one firm in two ways", []string{"Ines works at Kitefield.", "Ines works for Kitefield since May."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"a plan carried out", []string{"Ines plans to buy a boat in May 2026.", "Ines bought the boat."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"another plan", []string{"Ines plans to buy a boat.", "Ines bought a car."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"the contrary", []string{"Ines plans to sell the boat.", "Ines bought the boat."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"not carried out", []string{"Ines plans to buy a boat.", "Ines hasn't bought the boat yet."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"another plan for it", []string{"Ines plans to buy a boat.", "Ines plans to paint the boat."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"joined, left", []string{"Ines joined the choir.", "Ines left the choir."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"left, joined again", []string{"Ines left the choir.", "Ines rejoined the choir."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"left something else", []string{"Ines joined the choir.", "Ines left the theatre at ten."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"left the house", []string{"Ines loves the house.", "Ines left the house at eight."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"several end in one sentence", []string{"Ines smokes.", "Ines drinks wine.", "Ines runs.", "Ines stopped smoking and drinking wine, and started running."}, nil,
			map[privacy.FactID]privacy.FactID{"f0": "f3", "f1": "f3"}},
		{"taken up again", []string{"Ines quit smoking.", "Ines started smoking again."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"what adds up", []string{"Ines bought a boat.", "Ines bought a trailer for the boat.", "Ines joined the choir.", "Ines joined the chess club."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"German plan", []string{"Ines: Ich will ein Boot kaufen.", "Ines: Ich habe das Boot gekauft."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"German, another thing", []string{"Ines: Ich will ein Boot kaufen.", "Ines: Ich habe ein Rad gekauft."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"German move", []string{"Ines: Ich bin nach Gent gezogen.", "Ines: Ich lebe jetzt in Wien."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"German, one place", []string{"Ines: Ich bin im März nach Wien gezogen.", "Ines: Ich lebe jetzt in Wien."}, nil, map[privacy.FactID]privacy.FactID{}},
		{"German end", []string{"Ines: Ich spiele Tennis.", "Ines: Ich spiele kein Tennis mehr."}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"Chinese move", []string{"Ines 搬到根特了。", "Ines 从根特搬到里斯本了。"}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"Chinese, one place", []string{"Ines 三月搬到根特。", "Ines 现在住在根特。"}, nil, map[privacy.FactID]privacy.FactID{}},
		{"Chinese plan", []string{"Ines 打算买船。", "Ines 买了船。"}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"Chinese, another thing", []string{"Ines 打算买船。", "Ines 买了车。"}, nil, map[privacy.FactID]privacy.FactID{}},
		{"Chinese, joined and left", []string{"Ines 加入了合唱团。", "Ines 退出了合唱团。"}, nil, map[privacy.FactID]privacy.FactID{"f0": "f1"}},
		{"a repetition", []string{"Ines lives in Lyon.", "Ines lives in Lyon."}, nil, map[privacy.FactID]privacy.FactID{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			event := func(id privacy.FactID) privacy.EventID {
				var i int
				_, _ = fmt.Sscanf(string(id), "f%d", &i)
				if tt.event != nil {
					i = tt.event[i]
				}
				return privacy.EventID(fmt.Sprint("e", i))
			}
			if diff := cmp.Diff(tt.want, engine.CourseOf(story(tt.texts...), event).Superseded); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestCourseOrder: the order in which facts come is no matter, and only what
// was said earlier is superseded.
func TestCourseOrder(t *testing.T) {
	texts := []string{"Ines lives in Lyon.", "Ines lives in Ghent now.", "Scrap that, Ines never moved.", "Ines loves fish.", "Ines no longer eats fish.", "The trip is cancelled.", "Ines plans a trip."}
	rapid.Check(t, func(t *rapid.T) {
		records := story(rapid.SliceOfN(rapid.SampledFrom(texts), 0, 12).Draw(t, "texts")...)
		event := func(id privacy.FactID) privacy.EventID { return privacy.EventID("e" + string(id[len(id)-1]%3)) }
		course := engine.CourseOf(records, event)
		want := course.Superseded
		shuffled := rapid.Permutation(records).Draw(t, "order")
		if diff := cmp.Diff(course, engine.CourseOf(shuffled, event)); diff != "" {
			t.Fatalf("another order (-want +got)\n%s", diff)
		}
		said := map[privacy.FactID]privacy.Stamp{}
		for _, r := range records {
			said[r.ID] = r.SaidAt
		}
		for earlier, later := range want {
			if said[earlier].Compare(said[later]) >= 0 {
				t.Fatalf("%s gives way to %s, which was not said later", earlier, later)
			}
		}
	})
}
