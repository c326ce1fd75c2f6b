package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// said runs the excepter on one sentence of the owner to a listener, with one
// draft resting on it, and returns the marks in short form: "-" denies, "+"
// permits, "!" closes, "?" asks for a review, "~" reserves.
func said(t testing.TB, p *privacy.Policy, listener, text string) string {
	t.Helper()
	return saidBy(t, engine.NewOffline(), p, listener, text)
}

func saidBy(t testing.TB, o *engine.Offline, p *privacy.Policy, listener, text string) string {
	t.Helper()
	s := engine.Session{ID: "s", Utterances: []engine.Utterance{
		{ID: "u1", Speaker: p.Owner().Name, Owner: true, Listeners: []string{listener}, Text: text},
	}, Drafts: []privacy.Record{
		{ID: "f1", Text: "a fact", OwnerSaid: true, Evidence: []string{"u1"},
			Marks: []privacy.Mark{{Kind: privacy.MarkEvent, Value: "e1", By: privacy.ByMachine}}},
	}}
	marks, _, err := o.Exceptions(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return short(marks[0])
}

func short(ms []privacy.Mark) string {
	var out []string
	for _, m := range ms {
		switch m.Kind {
		case privacy.MarkBlacklist:
			out = append(out, "-"+m.Value)
		case privacy.MarkWhitelist:
			out = append(out, "+"+m.Value)
		case privacy.MarkReserved:
			out = append(out, "~"+m.Value)
		case privacy.MarkClosed:
			out = append(out, "!")
		case privacy.MarkReview:
			out = append(out, "?")
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

func TestExceptionsEnglish(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	for _, tt := range []struct{ text, want string }{
		// Denials by name, relation and group.
		{"Don't tell Rhea.", "-rhea"},
		{"please dont tell Rhea or Imke about it", "-imke -rhea"},
		{"Don't tell Rhea, Imke and Tuan", "-imke -rhea -tuan"},
		{"never mention this to Olaf", "-olaf"},
		{"you can't tell my mother", "-gerda"},
		{"don't tell mum!", "-gerda"},
		{"My boss mustn't find out", "-rhea"},
		{"I don't want my boss to know", "-rhea"},
		{"I'd rather Tuan didn't know", "-tuan"},
		{"keep it from Olaf", "-olaf"},
		{"don't let Kit know", "-kit"},
		{"don't let it slip to Kit", "-kit"},
		{"not a word to Pavel", "-pavel"},
		{"mum can't know, she'd only worry", "-gerda"},
		{"my mother isn't to know and not Olaf either", "-gerda -olaf"},
		{"I haven't told my husband yet", "-pavel"},
		{"Gerda doesn't know yet", "-gerda"},
		{"We are doing it behind Pavel's back", "-pavel"},
		{"I'm going without Olaf knowing", "-olaf"},
		{"nobody knows about this. not Rhea, not Imke", "! +pavel -imke -rhea"},
		{"Rhea has no idea that I'm leaving", "-rhea"},
		{"don't tell anyone in the rowing club", "+pavel -bf -group:rowing -kit -tuan"},
		{"Don't tell Rhea, ok?", "-rhea"},
		{"I told Kit not to tell Rhea", "-rhea"},
		{"mum isn't to know and not Olaf either, he begged", "-gerda -olaf"},
		{"Tuan. he can know. nobody else in the rowing club though", "+pavel +tuan -bf -kit ~group:rowing"},
		{"don't tell his mum", "! +pavel ?"},
		{"don't tell Rhea, she'd only worry", "-rhea"},
		{"don't tell Rhea, Pavel", "-rhea"},
		{"not a word in the pod, Kit included", "-group:pod -imke -kit -tuan"},
		{"if it gets to Rhea i'm done for", "-rhea"},
		{"the rest of the pod must never know", "-group:pod -imke -tuan"},
		{"this doesn't leave the room", "! +pavel"},
		{"it goes no further", "! +pavel"},
		// Nobody but the listener.
		{"only you know", "! +pavel"},
		{"this stays between us", "! +pavel"},
		{"Between you and me, I've had it.", "! +pavel"},
		{"Don't tell anyone!", "! +pavel"},
		{"keep it to yourself please", "! +pavel"},
		{"you're the only one I've told", "! +pavel"},
		{"nobody knows yet", "! +pavel"},
		{"no one else knows about it", "! +pavel"},
		{"tell nobody", "! +pavel"},
		{"nobody but Imke knows about this", "! +imke +pavel"},
		{"don't tell anyone except Imke", "! +imke +pavel"},
		{"only you and Imke know", "! +imke +pavel"},
		{"that is only for you and Imke", "! +imke +pavel"},
		{"you and Imke should meet", ""},
		{"how are you and Imke", ""},
		{"you and Imke, that's it", "! +imke +pavel"},
		{"nobody at work knows", "+pavel -group:management -group:pod -imke -rhea -tuan"},
		{"Nobody else in the rowing club knows", "+pavel -bf -group:rowing -kit -tuan"},
		// Who can't be told apart or isn't known: closed, and asked.
		{"don't tell Ferdinand", "! +pavel ?"},
		{"don't tell jess", "! +pavel ?"},
		{"don't tell my landlord", "! +pavel ?"},
		{"don't tell his wife", "! +pavel ?"},
		{"don't tell her", "! +pavel ?"},
		// Grants.
		{"you can tell Imke", "+imke"},
		{"Feel free to tell mum", "+gerda"},
		{"It's fine if Tuan knows", "+tuan"},
		{"I don't mind Tuan knowing", "+tuan"},
		{"you can tell the pod", "+imke +tuan"},
		{"Kit can know", "+kit"},
		{"you may tell my husband and my brother", "+olaf +pavel"},
		{"you can let Olaf know", "+olaf"},
		// Grants that are not: conditions, doubt, unknown people.
		{"you can tell Imke once it is signed", "?"},
		{"you can tell anyone", "?"},
		{"you can tell Ferdinand", "?"},
		{"you can tell Bruno", "?"}, // a first name that is no alias is too little to permit by,
		{"you can tell Imke but only once it is signed", "?"},
		{"you can tell Imke. Only once it is out", "?"},
		{"you can tell Imke. Not yet though", "?"},
		{"you can tell Imke, but not before Friday", "?"},
		{"you can tell Imke, she helped", "+imke"},
		{"if it works out you can tell Imke", ""},
		{"I never said you can tell Imke", "! +pavel -imke ?"},
		{"you can tell Rhea was tired", ""},
		{"Can you tell Imke?", ""},
		{"Can I tell Imke?", ""},
		{"I told Imke", ""},
		// Not about who may know.
		{"don't tell me you forgot the milk", ""},
		{"Don't tell me Rhea is ill again", ""},
		{"why didn't you tell Rhea?", ""},
		{"did you tell my mother?", ""},
		{"the difference between us is that you can cook", ""},
		{"I don't know what to do", ""},
		{"don't tell lies", ""},
		{"I can't hear you", ""},
		{"who knows about this?", ""},
		{"Rhea doesn't know what good design is", ""},
		// Somebody else's words.
		{`Imke wrote: "you can tell Kit"`, ""},
		{"> don't tell Rhea", ""},
		{"“Don't tell anyone”, that's what it said on the box", ""},
		{"Imke said you can tell Kit", ""},
		{"Imke asked me not to tell Rhea", "?"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			want := strings.Fields(tt.want)
			slices.Sort(want)
			if diff := cmp.Diff(strings.Join(want, " "), said(t, p, "Pavel Dorn", tt.text)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestExceptionsChinese(t *testing.T) {
	p := mustPolicy(t, shijiePolicy)
	for _, tt := range []struct{ text, want string }{
		{"别告诉赵磊", "-zhao"},
		{"别跟我妈说", "-mama"},
		{"千万别让我老板知道", "-zhao"},
		{"别告诉许晴和赵总", "-xu -zhao"},
		{"这事先瞒着我弟弟", "-didi"},
		{"我妈那边千万别说", "-mama"},
		{"不想让小晴知道", "-xu"},
		{"我妈还不知道", "-mama"},
		{"别在赵总面前提", "-zhao"},
		{"你可别跟知远讲", "-didi"},
		{"赵磊更不能知道", "-zhao"},
		{"我老公我都没告诉", "-chen"},
		{"别跟任何人说", "! +gao"},
		{"只有你知道", "! +gao"},
		{"就你一个人知道", "! +gao"},
		{"你别往外讲", "! +gao"},
		{"替我保密", "! +gao"},
		{"除了你和一鸣，我谁都没说", "! +chen +gao"},
		{"谁都不知道", "! +gao"},
		{"你知道就行", "! +gao"},
		{"公司没人知道", "+gao -group:guanli -group:xiaozu -xu -zhao"},
		{"许晴到现在也不知道这些，你也别跟她提", "-xu"},
		{"许晴说你可以告诉赵磊", ""},
		{"千万别让她妈知道是我", "! +gao ?"},
		{"许晴我都没告诉，她最近够累的", "-xu"},
		{"设计组那边先捂着", "-group:xiaozu -xu"},
		{"别告诉老刘", "! +gao ?"},
		{"别跟他妻子说", "! +gao ?"},
		{"你可以告诉一鸣", "+chen"},
		{"跟许晴说没关系", "+xu"},
		{"知远知道也没事", "+didi"},
		{"你可以跟我妈说", "+mama"},
		{"你可以告诉一鸣，她帮了大忙", "+chen"},
		{"你可以告诉一鸣，不过等定了再说", "?"},
		{"等定了你再告诉一鸣", ""},
		{"不可以告诉许晴", "-xu"},
		{"你可以告诉我吗？", ""},
		{"别告诉我你忘了", ""},
		{"你告诉赵磊了吗？", ""},
		{"许晴说“别告诉赵磊”", ""},
		{"今天去跑步了", ""},
		{"我不知道怎么办", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			want := strings.Fields(tt.want)
			slices.Sort(want)
			if diff := cmp.Diff(strings.Join(want, " "), said(t, p, "高翔", tt.text)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

// TestExceptionsAttach: a sentence of its own is about the owner's nearest draft
// before it, restricts what it answers, and binds the event.
func TestExceptionsAttach(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	event := func(id string) []privacy.Mark {
		return []privacy.Mark{{Kind: privacy.MarkEvent, Value: id, By: privacy.ByMachine}}
	}
	s := engine.Session{Utterances: []engine.Utterance{
		{ID: "1", Owner: true, Text: "I bought a boat", Listeners: []string{"Kit"}},
		{ID: "2", Owner: true, Text: "I have an interview on Friday", Listeners: []string{"Kit"}},
		{ID: "3", Speaker: "Kit", Text: "So you are leaving the firm!"},
		{ID: "4", Owner: true, Text: "don't tell Rhea", Listeners: []string{"Kit"}},
		{ID: "5", Owner: true, Text: "but you can tell Imke", Listeners: []string{"Kit"}},
		{ID: "6", Speaker: "Kit", Text: "you can tell Tuan, don't tell Pavel"},
	}, Drafts: []privacy.Record{
		{ID: "boat", OwnerSaid: true, Evidence: []string{"1"}, Marks: event("eb")},
		{ID: "interview", OwnerSaid: true, Evidence: []string{"2"}, Marks: event("ei")},
		{ID: "leaving", Evidence: []string{"3"}, Marks: event("el")},
	}}
	marks, rules, err := engine.NewOffline().Exceptions(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{short(marks[0]), short(marks[1]), short(marks[2])}
	if diff := cmp.Diff([]string{"", "+imke -rhea", "-rhea"}, got); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	var bound []string
	for _, r := range rules {
		bound = append(bound, string(r.Event)+" "+string(r.Kind)+" "+r.Value+" "+r.Turn)
	}
	slices.Sort(bound)
	if diff := cmp.Diff([]string{"ei blacklist rhea 4", "el blacklist rhea 4"}, bound); diff != "" {
		t.Errorf("event rules (-want +got):\n%s", diff)
	}
}

// TestExceptionsGroupWithListener: who is told isn't denied as a member.
func TestExceptionsGroupWithListener(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	want := "+imke -group:management -rhea -tuan ~group:pod"
	if got := said(t, p, "Imke", "nobody else at work knows"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOthersMakeNoExceptions: whatever somebody else says makes no mark.
func TestOthersMakeNoExceptions(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"you can tell Kit", "don't tell anyone", "only you know", "Note: Kit is Nora's husband", "你可以告诉所有人"}).Draw(t, "text")
		s := engine.Session{Utterances: []engine.Utterance{{ID: "1", Speaker: "Kit", Text: text}},
			Drafts: []privacy.Record{{ID: "f", Evidence: []string{"1"}, OwnerSaid: rapid.Bool().Draw(t, "owner")}}}
		marks, rules, err := engine.NewOffline().Exceptions(t.Context(), p, s)
		if err != nil || len(marks[0]) > 0 || len(rules) > 0 {
			t.Fatalf("%q made %v %v %v", text, marks, rules, err)
		}
	})
}

func FuzzExceptions(f *testing.F) {
	for _, s := range []string{"don't tell Rhea", "nobody else at work", "you can tell ", "别告诉", "除了你和，我谁都没说", "告诉'\"“", "behind 's back", "not , not ,", "跟说没关系", "\xff\x00 only you know"} {
		f.Add(s)
	}
	p := mustPolicy(f, worldPolicy)
	q := mustPolicy(f, shijiePolicy)
	stages := map[*privacy.Policy]*engine.Offline{p: engine.NewOffline(), q: engine.NewOffline()}
	f.Fuzz(func(t *testing.T, text string) {
		for p, o := range stages {
			if first := saidBy(t, o, p, "Kit", text); first != saidBy(t, o, p, "Kit", text) {
				t.Fatalf("%q is read in two ways", text)
			}
		}
	})
}
