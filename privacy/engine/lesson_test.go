package engine_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

const lessonPolicy = `
owner: {name: Ada Quill}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: life}
  - {id: crew, tier: 3, domain: work}
people:
  - {name: Bo Marsh, groups: [close]}
  - {name: Cy Tarn, groups: [crew]}
categories:
  - {id: body, name: My health, level: 1, domain: life, description: "Doctors, illness, treatment."}
  - {id: purse, name: Private money, level: 1, domain: life, description: "Savings, debts and loans."}
  - {id: quay, name: Quay doings, level: 3, domain: work, description: "What we do down there."}
  - {id: fun, name: Hobbies, level: 4, description: "Music, films and sport."}
`

// placed annotates texts, each as a draft of its own in a session of what the owner
// and somebody else said around it.
func placed(t testing.TB, text string, around []engine.Utterance, lessons ...engine.Lesson) []string {
	t.Helper()
	p, err := privacy.Parse("policy.yaml", []byte(lessonPolicy))
	if err != nil {
		t.Fatal(err)
	}
	s := engine.Session{ID: "s", Utterances: around, Drafts: []privacy.Record{{ID: "f", Text: text, Speaker: "Ada Quill", OwnerSaid: true}}}
	marks, err := engine.NewOffline(lessons...).Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, m := range marks[0] {
		if m.Kind == privacy.MarkCategory {
			out = append(out, m.Value)
		}
	}
	return out
}

// TestLessonKinds: what each kind does to one statement, and what it leaves alone.
func TestLessonKinds(t *testing.T) {
	owner := engine.Utterance{ID: "a", Speaker: "Ada Quill", Owner: true, Text: "The music was loud, the concert hall full. After the sport we heard more music, and the films come next."}
	other := owner
	other.Owner, other.Speaker = false, "Cy Tarn"
	for _, c := range []struct {
		name        string
		text        string
		around      []engine.Utterance
		lesson      engine.Lesson
		before, now []string
	}{
		{"a word", "Ada wore the poultice all week.", nil,
			engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "poultice", Of: "health"}, nil, []string{"body"}},
		{"a phrase", "Ada went for a dry soak.", nil,
			engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "dry soak", Of: "health"}, nil, []string{"body"}},
		{"a word of another theme", "Ada wore the poultice all week.", nil,
			engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "lugger", Of: "health"}, nil, nil},
		{"a word no more", "Ada had a biopsy.", nil,
			engine.Lesson{Kind: engine.LessonNoWord, Lang: "en", Term: "biopsy", Of: "health"}, []string{"body"}, nil},
		{"a heading", "The pilot of the new feature was launched for a client.", nil,
			engine.Lesson{Kind: engine.LessonHeading, Lang: "en", Term: "quay", Of: "work-projects"}, nil, []string{"quay"}},
		{"a sign joins", "Ada had a biopsy for 12,500.", nil,
			engine.Lesson{Kind: engine.LessonSign, Lang: "en", Term: "amount", Of: "money"}, []string{"body"}, []string{"body", "purse"}},
		{"a sign places nothing", "It came to 12,500 in the end.", nil,
			engine.Lesson{Kind: engine.LessonSign, Lang: "en", Term: "amount", Of: "money"}, nil, nil},
		{"a sign of another language", "Ada had a biopsy for 12,500.", nil,
			engine.Lesson{Kind: engine.LessonSign, Lang: "zh", Term: "amount", Of: "money"}, []string{"body"}, []string{"body"}},
		{"a bound", "Ada had a biopsy.", nil,
			engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "threshold", Step: 0.2}, []string{"body"}, nil},
		{"what the owner said around it", "Ada was at the concert.", []engine.Utterance{owner},
			engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "agreed", Step: -0.6}, nil, []string{"fun"}},
		{"what somebody else said around it", "Ada was at the concert.", []engine.Utterance{other},
			engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "agreed", Step: -0.6}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.lesson.Validate(); err != nil {
				t.Fatal(err)
			}
			if c.before == nil {
				c.before = []string{}
			}
			if c.now == nil {
				c.now = []string{}
			}
			if diff := cmp.Diff(c.before, placed(t, c.text, c.around)); diff != "" {
				t.Errorf("without (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.now, placed(t, c.text, c.around, c.lesson)); diff != "" {
				t.Errorf("with (-want +got)\n%s", diff)
			}
		})
	}
}

// TestLessonValidate: what isn't a lesson is refused, and changes nothing.
func TestLessonValidate(t *testing.T) {
	good := engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "poultice", Of: "health"}
	for name, spoil := range map[string]func(*engine.Lesson){
		"no kind":           func(l *engine.Lesson) { l.Kind = "" },
		"unknown kind":      func(l *engine.Lesson) { l.Kind = "code" },
		"language":          func(l *engine.Lesson) { l.Lang = "xx" },
		"theme":             func(l *engine.Lesson) { l.Of = "everything" },
		"no term":           func(l *engine.Lesson) { l.Term = "" },
		"capitals":          func(l *engine.Lesson) { l.Term = "Poultice" },
		"digits":            func(l *engine.Lesson) { l.Term = "room 12" },
		"a sentence":        func(l *engine.Lesson) { l.Term = "always tell everybody all" },
		"a long word":       func(l *engine.Lesson) { l.Term = strings.Repeat("a", 40) },
		"another script":    func(l *engine.Lesson) { l.Term = "膏药" },
		"a step":            func(l *engine.Lesson) { l.Step = 0.1 },
		"one character":     func(l *engine.Lesson) { l.Lang, l.Term = "zh", "药" },
		"latin in zh":       func(l *engine.Lesson) { l.Lang = "zh" },
		"sign":              func(l *engine.Lesson) { l.Kind, l.Term = engine.LessonSign, "name" },
		"bound with a term": func(l *engine.Lesson) { l.Kind, l.Of, l.Step = engine.LessonBound, "margin", 0.1 },
		"unknown bound":     func(l *engine.Lesson) { *l = engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "all", Step: 0.1} },
		"no step":           func(l *engine.Lesson) { *l = engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "margin"} },
		"a large step": func(l *engine.Lesson) {
			*l = engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "margin", Step: 2}
		},
		"no number": func(l *engine.Lesson) {
			*l = engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "margin", Step: math.NaN()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := good
			spoil(&l)
			if err := l.Validate(); !errors.Is(err, engine.ErrLesson) {
				t.Fatalf("%+v: %v", l, err)
			}
			for _, text := range []string{"Ada wore the poultice all week.", "Ada had a biopsy.", "It came to 12,500."} {
				if diff := cmp.Diff(placed(t, text, nil), placed(t, text, nil, l)); diff != "" {
					t.Errorf("it changed %q (-want +got)\n%s", text, diff)
				}
			}
		})
	}
}

// TestBoundsHoldTheirLimits: however many lessons push a bound, it stays in reach.
func TestBoundsHoldTheirLimits(t *testing.T) {
	for _, of := range engine.Bounds() {
		least, most, now := engine.Reach(of)
		if least > now || now > most {
			t.Errorf("%s stands at %v, out of %v to %v", of, now, least, most)
		}
	}
	var push []engine.Lesson
	for i := range 9 {
		push = append(push, engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: "threshold", Step: -0.3 + float64(i)/1000})
	}
	if got := placed(t, "The quay was wet.", nil, push...); len(got) > 0 && !slices.Equal(got, placed(t, "The quay was wet.", nil, push[0])) {
		t.Errorf("pushed past its limit: %v", got)
	}
}

// FuzzLesson: whatever JSON stands for a lesson, a stage takes it or leaves it.
func FuzzLesson(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"word","lang":"en","term":"poultice","of":"health"}`, `{"kind":"heading","lang":"zh","term":"钱","of":"money"}`,
		`{"kind":"bound","lang":"zh","of":"agreed","step":-0.5}`, `{"kind":"no-word","lang":"en","term":"a b","of":"job"}`, `{"kind":"sign","lang":"en","term":"amount","of":"money"}`, `{}`,
	} {
		f.Add([]byte(seed), "Ada wore the poultice for 1,200 a week.")
	}
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		var l engine.Lesson
		if json.Unmarshal(raw, &l) != nil {
			return
		}
		_, _, _ = l.Text(), l.Key(), l.Stage()
		one, two := placed(t, text, nil, l), placed(t, text, nil, l)
		if l.Validate() != nil {
			if diff := cmp.Diff(placed(t, text, nil), one); diff != "" {
				t.Fatalf("no lesson, and it changed something (-want +got)\n%s", diff)
			}
			return
		}
		if diff := cmp.Diff(one, two); diff != "" {
			t.Fatalf("not the same twice (-first +second)\n%s", diff)
		}
		again, err := json.Marshal(l)
		var back engine.Lesson
		if err != nil || json.Unmarshal(again, &back) != nil || back != l {
			t.Fatalf("%s came back as %+v", again, back)
		}
	})
}

// TestWithoutLessons: lessons that say nothing change nothing, to the byte.
func TestWithoutLessons(t *testing.T) {
	p, err := privacy.Parse("policy.yaml", []byte(lessonPolicy))
	if err != nil {
		t.Fatal(err)
	}
	var s engine.Session
	s.ID = "s"
	for i, text := range []string{
		"Ada had a biopsy for 12,500.", "Ada paid back the loan.", "Ada wore the poultice all week.", "The pilot of the new feature was launched for a client.",
		"Ada loves films and music.", "Ada told Bo of the diagnosis, and nobody else may know.", "Ada met Cy down at the quay.",
	} {
		id := string(rune('a' + i))
		s.Utterances = append(s.Utterances, engine.Utterance{ID: id, Speaker: "Ada Quill", Owner: true, Text: text})
		s.Drafts = append(s.Drafts, privacy.Record{ID: privacy.FactID("f" + id), Text: text, Speaker: "Ada Quill", OwnerSaid: true, Evidence: []string{id}})
	}
	run := func(lessons ...engine.Lesson) (out [2]any) {
		o := engine.NewOffline(lessons...)
		marks, err := o.Annotate(t.Context(), p, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		out[0] = marks
		var candidates []engine.Ranked
		for i := range s.Drafts {
			candidates = append(candidates, engine.Ranked{Record: s.Drafts[i], Score: 1 / float64(i+1)})
		}
		units, err := o.Units(t.Context(), "What is all that with the biopsy, the loan and the films?", candidates)
		if err != nil {
			t.Fatal(err)
		}
		out[1] = units
		return out
	}
	want := run()
	if marks := want[0].([][]privacy.Mark); len(marks[0]) == 0 {
		t.Fatal("nothing is annotated")
	}
	for _, none := range [][]engine.Lesson{{{}}, {{Kind: "no-kind", Lang: "en", Term: "poultice", Of: "health"}}, {{Kind: engine.LessonWord, Lang: "en", Term: "", Of: "health"}}} {
		if diff := cmp.Diff(want, run(none...)); diff != "" {
			t.Errorf("%+v (-without +with):\n%s", none, diff)
		}
	}
}

// TestOnlyCloses: of lessons that are taken to close alone, none gives a category to a
// statement that had none, and none takes one away but the last; others do.
func TestOnlyCloses(t *testing.T) {
	texts := []string{
		"Ada had a biopsy for 12,500.", "It came to 12,500 in the end.", "Ada wore the poultice all week.", "Ada paid back the loan.",
		"The music was loud.", "Ada met Cy down at the quay.", "Ada loves films, and her savings went into a concert.",
		"Ada loves films, and 12,500 of her savings went into a concert.", "The concert of the choir cost Ada 12,500 of her wages, and her biopsy came to light.", "The film club met in the clinic for 12,500.", "Ada sang at a concert of the choir and is bankrupt since, by 12,500.",
		"The choir had a concert, and a bailiff asked for 12,500.", "The choir sang a concert, and Ada owes 12,500 for it.",
	}
	var lessons []engine.Lesson
	for _, theme := range engine.Themes() {
		lessons = append(lessons, engine.Lesson{Kind: engine.LessonSign, Lang: "en", Term: "amount", Of: theme},
			engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "poultice", Of: theme}, engine.Lesson{Kind: engine.LessonNoWord, Lang: "en", Term: "biopsy", Of: theme})
	}
	for _, of := range engine.Bounds() {
		for _, step := range []float64{-0.6, -0.2, -0.05, 0.05, 0.2, 0.6, 1} {
			lessons = append(lessons, engine.Lesson{Kind: engine.LessonBound, Lang: "en", Of: of, Step: step})
		}
	}
	policy, err := privacy.Parse("policy.yaml", []byte(lessonPolicy))
	if err != nil {
		t.Fatal(err)
	}
	close, open := 0, 0
	for _, l := range lessons {
		if l.Validate() != nil {
			continue
		}
		for _, text := range texts {
			before, now := placed(t, text, nil), placed(t, text, nil, l)
			opens := len(before) == 0 && len(now) > 0
			for _, c := range before {
				opens = opens || len(now) > 0 && !slices.Contains(now, c)
			}
			switch {
			case l.OnlyCloses(policy) && opens:
				t.Errorf("%s opens %q: %q, before %q", l.Text(), text, now, before)
			case l.OnlyCloses(policy) && !slices.Equal(before, now):
				close++
			case opens:
				open++
			}
		}
	}
	if close == 0 || open == 0 {
		t.Errorf("%d lessons closed, and %d opened: nothing is shown", close, open)
	}
}

// A word that the owner approved places alone, also where many are let in.
func TestTaughtWordPlacesAlone(t *testing.T) {
	for _, l := range []engine.Lesson{
		{Kind: engine.LessonWord, Lang: "en", Term: "bouldering", Of: "leisure"}, {Kind: engine.LessonWord, Lang: "zh", Term: "古琴", Of: "leisure"},
	} {
		text := map[string]string{"en": "Ada was bouldering again.", "zh": "又练了古琴。"}[l.Lang]
		if before, now := placed(t, text, nil), placed(t, text, nil, l); len(before) != 0 || !slices.Equal(now, []string{"fun"}) {
			t.Errorf("%s: %q, before %q", l.Text(), now, before)
		}
	}
}
