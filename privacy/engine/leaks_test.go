package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// TestAlibi: what somebody may be told is for those words alone, and whoever gets
// them needs a whitelist for what was said around them.
func TestAlibi(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		name   string
		policy *privacy.Policy
		lines  []line
		want   []string
	}{
		{"after the matter", en, []line{
			{"", "I have an interview in Lund.", []string{"Nora has an interview in Lund."}},
			{"", "You can tell Rhea I am at the dentist.", []string{"Nora is at the dentist."}},
		}, []string{"Nora has an interview in Lund. ~rhea", "Nora is at the dentist. ! +rhea"}},
		{"in one message", en, []line{
			{"", "I'm seeing a heart specialist on Monday. You may tell the pod that I'm at a christening.", []string{"Nora sees a heart specialist on Monday.", "Nora is at a christening."}},
		}, []string{"Nora sees a heart specialist on Monday. ~group:pod ~imke ~tuan", "Nora is at a christening. ! +imke +tuan"}},
		{"before the matter", en, []line{
			{"", "Feel free to tell mum that we're visiting friends.", nil},
			{"", "I am being operated on.", []string{"Nora is being operated on."}},
		}, []string{"Nora is being operated on. ~gerda"}},
		{"an order", en, []line{
			{"", "I failed the exam.", []string{"Nora failed the exam."}},
			{"", "Just tell Olaf I'm still waiting for the result.", nil},
		}, []string{"Nora failed the exam. ~olaf"}},
		{"no draft of the words", en, []line{
			{"", "I am moving to Oslo and you can tell Imke I'm looking for a flat here", []string{"Nora is moving to Oslo."}},
		}, []string{"Nora is moving to Oslo. ~imke"}},
		{"a greeting", en, []line{
			{"", "I bought a canoe.", []string{"Nora bought a canoe."}},
			{"", "Tell Olaf I said hi.", nil},
		}, []string{"Nora bought a canoe."}},
		{"the matter itself", en, []line{
			{"", "I bought a canoe.", []string{"Nora bought a canoe."}},
			{"", "You can tell Olaf about it.", nil},
		}, []string{"Nora bought a canoe. +olaf"}},
		{"跟老板说", zh, []line{
			{"", "我明天去面试。", []string{"知夏明天去面试。"}},
			{"", "你可以跟赵总说我发烧了。", []string{"知夏发烧了。"}},
		}, []string{"知夏明天去面试。 ~zhao", "知夏发烧了。 ! +zhao"}},
		{"告诉", zh, []line{
			{"", "我怀孕了，你可以告诉我妈我在加班。", []string{"知夏怀孕了。"}},
		}, []string{"知夏怀孕了。 ~mama"}},
		{"就说", zh, []line{
			{"", "我离职了。", []string{"知夏离职了。"}},
			{"", "你就跟知远说我在休年假。", nil},
		}, []string{"知夏离职了。 ~didi"}},
		{"这事可以说", zh, []line{
			{"", "我买了车。", []string{"知夏买了车。"}},
			{"", "你可以跟我妈说。", nil},
		}, []string{"知夏买了车。 +mama"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listener := "Kit"
			if tt.policy == zh {
				listener = "高翔"
			}
			if diff := cmp.Diff(tt.want, spokenMarks(t, tt.policy, listener, tt.lines...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAlibiIsNotLent: whoever may be told the words isn't let in on the event.
func TestAlibiIsNotLent(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	event := []privacy.Mark{{Kind: privacy.MarkEvent, Value: "e", By: privacy.ByHand}}
	s := engine.Session{Utterances: []engine.Utterance{
		{ID: "1", Owner: true, Text: "I have an interview in Lund. You can tell Kit I am at the dentist.", Listeners: []string{"Pavel"}},
	}, Drafts: []privacy.Record{
		{ID: "a", Text: "Nora has an interview in Lund.", OwnerSaid: true, Evidence: []string{"1"}, Marks: event},
		{ID: "b", Text: "Nora is at the dentist.", OwnerSaid: true, Evidence: []string{"1"}, Marks: event},
	}}
	o := engine.NewOffline()
	truth, err := o.Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	marks, rules, err := o.Exceptions(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Drafts {
		s.Drafts[i].Marks = slices.Concat(s.Drafts[i].Marks, truth[i], marks[i])
	}
	j := privacy.NewJudge(p, engine.Effective(p, s.Drafts, rules))
	if v := j.Verdict(0, p.Recipient("Kit")); v.Allow {
		t.Errorf("who may hear the alibi hears the truth: %+v", v)
	}
	if v := j.Verdict(1, p.Recipient("Kit")); !v.Allow {
		t.Errorf("the alibi is denied to whom it is for: %+v", v)
	}
}

// TestEvasions: prohibitions that are none by their grammar, and those that
// nothing else reads.
func TestEvasions(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct{ text, want string }{
		{"Do not, under any circumstances, tell Rhea that I signed", "-rhea"},
		{"Never, whatever happens, mention this to Olaf", "-olaf"},
		{"Under no circumstances should you tell Olaf", "-olaf"},
		{"Please don't say anything to my husband.", "-pavel"},
		{"Not even Olaf knows.", "! +kit -olaf"},
		{"Not even my boss has a clue about it", "! +kit -rhea"},
		{"If Olaf asks, you know nothing.", "-olaf"},
		{"if mum ever asks about it, just say I was asleep", "-gerda"},
		{"You haven't seen me if Rhea asks", "-rhea"},
		{"Olaf still thinks I have the old job, but I quit", "-olaf"},
		{"My mother still believes that we are engaged", "-gerda"},
		{"It would be awful for Tuan to find out, so careful", "! +kit -tuan ?"},
		{"I'd hate it if you were to tell Imke, so don't", "! +kit -imke ?"},
		{"I'd die if Olaf found out", "! +kit -olaf ?"},
		{"What Olaf doesn't know won't hurt him", "! +kit -olaf ?"},
		{"Please leave my brother out of this", "-olaf"},
		{"Tell Rhea nothing", "! +kit -rhea ?"},
		{"Rhea is the last person who should hear about this", "! +kit -rhea ?"},
		{"There's no way Olaf can learn about it", "! +kit -olaf ?"},
		// Ordinary sentences.
		{"Olaf said he can't come on Saturday", ""},
		{"I don't know when Olaf arrives", ""},
		{"Rhea doesn't know how to cook", ""},
		{"I didn't hear from Imke this week", ""},
		{"mum never tells Olaf what to do", ""},
		{"I told Kit I'm not coming", ""},
		{"If Olaf asks, you can tell him", ""},
		{"If Tuan calls, we eat at eight", ""},
		{"Imke still thinks the film was good", ""},
		{"Don't worry, I told mum", ""},
		{"Pavel knows no fear", ""},
	} {
		t.Run(tt.text, func(t *testing.T) { sameMarks(t, tt.text, tt.want, said(t, en, "Kit", tt.text)) })
	}
	for _, tt := range []struct{ text, want string }{
		{"绝对不可以把我欠钱的事告诉赵磊", "-zhao"},
		{"千万别把这件事说给许晴听", "-xu"},
		{"赵总要是问起来你就说不知道", "-zhao"},
		{"万一我妈问，你就说我在开会", "-mama"},
		{"我妈问起的话，就说我出差了", "-mama"},
		{"许晴那边我什么都没说", "! +gao -xu ?"},
		{"知远还以为我在上班", "-didi"},
		{"连许晴都不知道", "! +gao -xu"},
		{"许晴说他不来了", ""},
		{"我告诉许晴不用等我", ""},
		{"我不知道许晴几点到", ""},
		{"许晴不知道怎么用这个软件", ""},
		{"赵总要是问，你可以如实说", ""},
		{"许晴问我周末去不去爬山", ""},
	} {
		t.Run(tt.text, func(t *testing.T) { sameMarks(t, tt.text, tt.want, said(t, zh, "高翔", tt.text)) })
	}
}

func sameMarks(t *testing.T, text, want, got string) {
	t.Helper()
	f := strings.Fields(want)
	slices.Sort(f)
	if diff := cmp.Diff(strings.Join(f, " "), got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", text, diff)
	}
}

// TestOnlyThose: who alone may know is let in, and nobody else.
func TestOnlyThose(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct{ text, want string }{
		{"Only Imke may know.", "! +imke +kit"},
		{"only my brother knows about it", "! +kit +olaf"},
		{"You can only tell Imke", "! +imke +kit"},
		{"Tell only Imke and Tuan please", "! +imke +kit +tuan"},
		{"You may tell Imke only", "! +imke +kit"},
		{"nobody but Imke", "! +imke +kit"},
		{"No one except my brother, please", "! +kit +olaf"},
		{"Only Ferdinand may know", "! +kit ?"},
		{"I only know Imke", ""},
		{"Only Imke came", ""},
		{"I can only tell you that it hurts", ""},
	} {
		t.Run(tt.text, func(t *testing.T) { sameMarks(t, tt.text, tt.want, said(t, en, "Kit", tt.text)) })
	}
	for _, tt := range []struct{ text, want string }{
		{"只能告诉许晴", "! +gao +xu"},
		{"知远知道就行了", "! +didi +gao"},
		{"只有一鸣可以知道", "! +chen +gao"},
		{"这事只让我妈知道", "! +gao +mama"},
		{"只能告诉奥斯卡", "! +gao ?"},
		{"只有许晴来了", ""},
		{"我只跟许晴去过一次", ""},
		// A name that nobody has, in a permission.
		{"可以告诉奥斯卡", "?"},
	} {
		t.Run(tt.text, func(t *testing.T) { sameMarks(t, tt.text, tt.want, said(t, zh, "高翔", tt.text)) })
	}
	sameMarks(t, "Ferdinand may know", "?", said(t, en, "Kit", "Ferdinand may know"))
}

// TestColon: a colon in the owner's sentence doesn't make it a pasted message.
func TestColon(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	for _, tt := range []struct{ text, want string }{
		{"Please keep this to yourself: I owe the bank 7,000 euros.", "! +kit"},
		{"Don't ever tell Olaf: I sold the piano.", "-olaf"},
		{"Between us: I failed.", "! +kit"},
		{"Imke Sand: you can tell Tuan", ""},
		{"Tuan: don't tell Olaf", ""},
		{"[12:30] My Brother: don't tell Rhea", ""},
	} {
		t.Run(tt.text, func(t *testing.T) { sameMarks(t, tt.text, tt.want, said(t, p, "Kit", tt.text)) })
	}
	ms := annotated(t, p, engine.Utterance{Owner: true, Listeners: []string{"Kit"}, Text: "Keep it to yourself: I owe the bank 7,000 euros."}, "Nora owes the bank 7,000 euros.")
	if !slices.Equal(values(ms, privacy.MarkTrusted), []string{"true"}) {
		t.Errorf("the owner's own words are not trusted: %v", ms)
	}
}

// TestToldStraight: a story that is told like a fact, and set right after.
func TestToldStraight(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		name, text, draft, want string
		policy                  *privacy.Policy
	}{
		{"the story", "I told Rhea I was at the gym. In fact I was at the clinic for a scan.", "Nora was at the gym.", "cover true told:rhea", en},
		{"what is so", "I told Rhea I was at the gym. In fact I was at the clinic for a scan.", "Nora was at the clinic for a scan.", "real true reserved:rhea told:kit", en},
		{"both", "I told Rhea I was at the gym. In fact I was at the clinic.", "Nora told Rhea she was at the gym but was at the clinic.", "real true reserved:rhea told:kit", en},
		{"to be told", "I'll tell mum I have choir on Monday, but really I go to a therapist", "Nora has choir on Monday.", "cover true told:gerda", en},
		{"because", "We said to Olaf that we can't come because of the car, but we simply don't want to see his boss", "Nora can't come because of the car.", "cover true told:olaf", en},
		{"told and true", "I told Rhea I really like the new office.", "Nora likes the new office.", "real true told:kit", en},
		{"told, and nobody else", "I told Imke I'm moving, but I haven't told Rhea", "Nora is moving.", "real true told:kit", en},
		{"加班", "我告诉许晴我周六加班，其实我去医院化验", "知夏周六加班。", "cover true told:xu", zh},
		{"化验", "我告诉许晴我周六加班，其实我去医院化验", "知夏去医院化验。", "real true reserved:xu told:gao", zh},
		{"两样", "我告诉赵总我周六要去参加侄子的婚礼，其实去面试", "知夏告诉赵总周六要去参加侄子的婚礼，其实去面试。", "real true reserved:zhao told:gao", zh},
		{"感冒", "我跟老板说我感冒了，其实我去面试了", "知夏感冒了。", "cover true told:zhao", zh},
		{"真话", "我告诉许晴我周六加班。", "知夏周六加班。", "real true told:gao", zh},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listener := "Kit"
			if tt.policy == zh {
				listener = "高翔"
			}
			ms := annotated(t, tt.policy, engine.Utterance{Owner: true, Listeners: []string{listener}, Text: tt.text}, tt.draft)
			if got := truthOf(ms); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// truthOf is the truth, trust, reserved and told_to marks of ms in short form.
func truthOf(ms []privacy.Mark) string {
	got := append(values(ms, privacy.MarkTruth), values(ms, privacy.MarkTrusted)...)
	for _, v := range values(ms, privacy.MarkReserved) {
		got = append(got, "reserved:"+v)
	}
	for _, v := range slices.Compact(values(ms, privacy.MarkToldTo)) {
		got = append(got, "told:"+v)
	}
	return strings.Join(got, " ")
}

// TestSetRightLater: the owner sets the story right in the next message.
func TestSetRightLater(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	s := engine.Session{Utterances: []engine.Utterance{
		{ID: "1", Owner: true, Text: "I told Rhea I was at the gym.", Listeners: []string{"Kit"}},
		{ID: "2", Speaker: "Kit", Text: "Nice."},
		{ID: "3", Owner: true, Text: "Actually I was at the clinic.", Listeners: []string{"Kit"}},
	}, Drafts: []privacy.Record{
		{OwnerSaid: true, Text: "Nora was at the gym.", Evidence: []string{"1"}},
		{OwnerSaid: true, Text: "Nora was at the clinic.", Evidence: []string{"3"}},
	}}
	marks, err := engine.NewOffline().Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := truthOf(marks[0]); got != "cover true told:rhea" {
		t.Errorf("the story: %q", got)
	}
	if got := truthOf(marks[1]); got != "real true reserved:rhea told:kit" {
		t.Errorf("what is so: %q", got)
	}
}

// TestPassedOn: a confidence that the owner passes on stays one; who heard it from
// the owner isn't let in.
func TestPassedOn(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		text, draft, subject, want string
		policy                     *privacy.Policy
	}{
		{"Imke is seeing a lawyer, she told me in confidence.", "Imke is seeing a lawyer.", "Imke", "imke", en},
		{"Tuan confided in me that he wants to leave.", "Tuan wants to leave.", "Tuan", "tuan", en},
		{"Olaf has debts. He made me promise not to tell anyone.", "Olaf has debts.", "Olaf", "olaf", en},
		{"许晴偷偷告诉我她要离婚了。", "许晴要离婚了。", "许晴", "xu", zh},
		{"知远欠了钱，他让我保密。", "知远欠了钱。", "知远", "didi", zh},
		{"Imke is seeing a lawyer, she told me yesterday.", "Imke is seeing a lawyer.", "Imke", "", en},
		{"I am sure that Tuan told me the date.", "Tuan told Nora the date.", "Tuan", "", en},
		{"许晴告诉我她要搬家。", "许晴要搬家。", "许晴", "", zh},
	} {
		t.Run(tt.text, func(t *testing.T) {
			listener := "Pavel"
			if tt.policy == zh {
				listener = "高翔"
			}
			s := engine.Session{Utterances: []engine.Utterance{{ID: "u", Owner: true, Listeners: []string{listener}, Text: tt.text}},
				Drafts: []privacy.Record{{ID: "f", Text: tt.draft, OwnerSaid: true, Subject: tt.subject, Evidence: []string{"u"}}}}
			marks, err := engine.NewOffline().Annotate(t.Context(), tt.policy, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(values(marks[0], privacy.MarkConfided), " "); got != tt.want {
				t.Fatalf("confided %q, want %q", got, tt.want)
			}
			s.Drafts[0].Marks = marks[0]
			f := engine.Effective(tt.policy, s.Drafts, nil)[0]
			if secret := tt.want != ""; f.Closed != secret || secret == (len(f.OwnWhitelist) > 0) {
				t.Errorf("closed %v, whitelisted %v", f.Closed, f.OwnWhitelist)
			}
		})
	}
}

// TestTellerOfConfidence: who asked to keep it hears their own words again, under
// whichever of their names they are stored.
func TestTellerOfConfidence(t *testing.T) {
	p := mustPolicy(t, shijiePolicy)
	for _, speaker := range []string{"许晴", "小晴"} {
		s := engine.Session{Utterances: []engine.Utterance{{ID: "u", Speaker: speaker, Text: "我怀孕了，你先别告诉别人"}},
			Drafts: []privacy.Record{{ID: "f", Text: "许晴怀孕了。", Speaker: speaker, Subject: "许晴", Evidence: []string{"u"}}}}
		marks, err := engine.NewOffline().Annotate(t.Context(), p, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Drafts[0].Marks = marks[0]
		f := engine.Effective(p, s.Drafts, nil)[0]
		if !f.Closed || !slices.Equal(f.OwnWhitelist, []privacy.Party{"xu"}) {
			t.Errorf("%s: closed %v, whitelisted %v", speaker, f.Closed, f.OwnWhitelist)
		}
	}
}
