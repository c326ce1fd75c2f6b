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
