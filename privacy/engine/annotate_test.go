package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// annotated returns the marks of one draft that rests on one utterance.
func annotated(t testing.TB, p *privacy.Policy, u engine.Utterance, text string, exemplars ...engine.Exemplar) []privacy.Mark {
	t.Helper()
	return annotatedBy(t, engine.NewOffline(), p, u, text, exemplars...)
}

func annotatedBy(t testing.TB, o *engine.Offline, p *privacy.Policy, u engine.Utterance, text string, exemplars ...engine.Exemplar) []privacy.Mark {
	t.Helper()
	u.ID = "u"
	s := engine.Session{Utterances: []engine.Utterance{u}, Drafts: []privacy.Record{{ID: "f", Text: text, OwnerSaid: u.Owner, Speaker: u.Speaker, Evidence: []string{"u"}}}}
	marks, err := o.Annotate(t.Context(), p, s, exemplars)
	if err != nil {
		t.Fatal(err)
	}
	return marks[0]
}

func values(ms []privacy.Mark, kind privacy.MarkKind) []string {
	r := privacy.Record{Marks: ms}
	out := r.Values(kind)
	slices.Sort(out)
	return out
}

func TestCategories(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		policy     *privacy.Policy
		text, want string
	}{
		{en, "Nora has a biopsy at the hospital next week.", "health"},
		{en, "The doctor put Nora on new tablets.", "health"},
		{en, "Nora had a second interview and got an offer.", "career"},
		{en, "Nora borrowed money from the bank and still owes it.", "money"},
		{en, "Nora went to a concert and then rowing.", "hobbies"},
		{en, "Nora is planning a surprise birthday party.", "surprises"},
		{en, "The sky was grey.", ""},
		{en, "Pavel and Gerda came by.", ""},
		{zh, "知夏去医院做了检查，医生让她吃药。", "jiankang"},
		{zh, "知夏去面试了，打算跳槽。", "gongzuo"},
		{zh, "知夏晚上跑步，然后看电影。", "aihao"},
		{zh, "今天星期三。", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			ms := annotated(t, tt.policy, engine.Utterance{Owner: true, Text: tt.text}, tt.text)
			got := values(ms, privacy.MarkCategory)
			switch {
			case tt.want == "" && (len(got) > 0 || len(values(ms, privacy.MarkReview)) == 0):
				t.Errorf("categories %v, want none and a review", got)
			case tt.want != "" && !slices.Contains(got, tt.want):
				t.Errorf("categories %v, want %s among them", got, tt.want)
			}
		})
	}
}

func TestExemplars(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	text := "Nora had a second interview and got an offer."
	run := func(e engine.Exemplar) []string {
		return values(annotated(t, p, engine.Utterance{Owner: true, Text: text}, text, e), privacy.MarkCategory)
	}
	if got := run(engine.Exemplar{Text: text, Category: "hobbies", Fact: "g"}); !slices.Equal(got, []string{"hobbies"}) {
		t.Errorf("a correction of the same statement gives %v, want hobbies", got)
	}
	near := run(engine.Exemplar{Text: "Nora had a third interview with them.", Category: "money", Fact: "g"})
	if !slices.Contains(near, "career") || !slices.Contains(near, "money") {
		t.Errorf("a like correction gives %v, want career and money to meet", near)
	}
	if got := run(engine.Exemplar{Text: "The weather is fine.", Category: "hobbies", Fact: "g"}); slices.Contains(got, "hobbies") {
		t.Errorf("an unlike correction gives %v", got)
	}
	if got := run(engine.Exemplar{Text: text, NotFact: true}); len(got) != 0 {
		t.Errorf("no fact gives %v", got)
	}
	if got := run(engine.Exemplar{Text: text, Category: "gone"}); !slices.Contains(got, "career") {
		t.Errorf("a correction to a category that is gone gives %v", got)
	}
}

func TestTruth(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		name         string
		policy       *privacy.Policy
		utterance    engine.Utterance
		draft, short string // truth, trusted, told_to, reserved
	}{
		{"a plain statement", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "I have an interview on Friday"}, "Nora has an interview on Friday.", "real true told:kit"},
		{"told them it was", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "I told Rhea it was a root canal"}, "Nora told Rhea it was a root canal.", "cover true told:rhea"},
		{"as far as she knows", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "as far as mum knows I'm on holiday in Rome"}, "As far as Gerda knows, Nora is on holiday in Rome.", "cover true told:gerda"},
		{"officially", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "officially I'm at the dentist"}, "Nora is officially at the dentist.", "cover true"},
		{"the story and what is so", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "I told Rhea it was a root canal but I was in Lund for an interview"}, "Nora was in Lund for an interview.", "real true reserved:rhea told:kit"},
		{"both in one draft", en, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "I told Rhea it was a root canal but I was in Lund for an interview"}, "Nora told Rhea it was a root canal but was in Lund for an interview.", "real true reserved:rhea told:kit"},
		{"somebody else's words", en, engine.Utterance{Speaker: "Kit", Text: "Nora is leaving"}, "Nora is leaving.", "real"},
		{"a quotation", en, engine.Utterance{Owner: true, Listeners: []string{"Imke"}, Text: `Kit wrote "Nora has been offered the post in Lund"`}, "Nora has been offered the post in Lund.", "real"},
		{"对外说", zh, engine.Utterance{Owner: true, Listeners: []string{"高翔"}, Text: "对外就说我去表弟婚礼了"}, "知夏对外说去表弟婚礼。", "cover true"},
		{"跟他说的是", zh, engine.Utterance{Owner: true, Listeners: []string{"高翔"}, Text: "我跟赵总说的是去看牙"}, "知夏跟赵总说去看牙。", "cover true told:zhao"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ms := annotated(t, tt.policy, tt.utterance, tt.draft)
			got := append(values(ms, privacy.MarkTruth), values(ms, privacy.MarkTrusted)...)
			for _, v := range values(ms, privacy.MarkReserved) {
				got = append(got, "reserved:"+v)
			}
			for _, v := range values(ms, privacy.MarkToldTo) {
				got = append(got, "told:"+v)
			}
			if diff := cmp.Diff(tt.short, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestToldAsk: with told_by_owner: ask the owner is asked, else not.
func TestToldAsk(t *testing.T) {
	u := engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "I have an interview on Friday"}
	for src, want := range map[string]int{settings("told_by_owner: ask"): 1, worldPolicy: 0} {
		ms := annotated(t, mustPolicy(t, src), u, "Nora has an interview on Friday.")
		if got := len(values(ms, privacy.MarkReview)); got != want {
			t.Errorf("%d reviews, want %d", got, want)
		}
	}
}

func TestConfided(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	s := engine.Session{Utterances: []engine.Utterance{
		{ID: "1", Speaker: "Kit Lowe", Text: "I'm getting divorced."},
		{ID: "2", Speaker: "Kit Lowe", Text: "Please keep it to yourself."},
		{ID: "3", Speaker: "Imke", Text: "I'm moving house."},
	}, Drafts: []privacy.Record{{Speaker: "Kit Lowe", Text: "Kit is getting divorced.", Evidence: []string{"1"}}, {Speaker: "Imke", Text: "Imke is moving house.", Evidence: []string{"3"}}}}
	marks, err := engine.NewOffline().Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := values(marks[0], privacy.MarkConfided); !slices.Equal(got, []string{"kit"}) {
		t.Errorf("confided %v, want kit", got)
	}
	if got := values(marks[1], privacy.MarkConfided); len(got) != 0 {
		t.Errorf("confided %v where nobody asked for it", got)
	}
}

// TestMixedEvidence: an answer of "yes" doesn't make somebody else's claim the
// owner's words (MARKS 11).
func TestMixedEvidence(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	s := engine.Session{Utterances: []engine.Utterance{
		{ID: "1", Speaker: "Kit", Text: "So you signed the contract with Brightwater in Lund?"},
		{ID: "2", Owner: true, Text: "yes!!"},
	}, Drafts: []privacy.Record{{OwnerSaid: true, Text: "Nora signed the contract with Brightwater in Lund.", Evidence: []string{"1", "2"}}}}
	marks, err := engine.NewOffline().Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := values(marks[0], privacy.MarkTrusted); len(got) != 0 {
		t.Errorf("trusted %v, want none", got)
	}
}

func FuzzAnnotate(f *testing.F) {
	f.Add("I told Rhea it was a root canal", "Nora told Rhea")
	f.Add("对外就说", "。")
	f.Add("\xff\x00", "")
	p, q := mustPolicy(f, worldPolicy), mustPolicy(f, shijiePolicy)
	stages := map[*privacy.Policy]*engine.Offline{p: engine.NewOffline(), q: engine.NewOffline()}
	f.Fuzz(func(t *testing.T, said, text string) {
		for p, o := range stages {
			if ms := annotatedBy(t, o, p, engine.Utterance{Owner: true, Listeners: []string{said}, Text: said}, text); len(values(ms, privacy.MarkTruth)) != 1 {
				t.Fatalf("marks %v: want one truth", ms)
			}
		}
	})
}
