package memory_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// dialogue is a session of Ines (the owner) and one other, on Tuesday 10 March 2026.
func dialogue(other string, turns ...memory.Turn) *memory.Session {
	s := &memory.Session{ID: "s1", Participants: []string{"Ines", other}, Turns: turns}
	for i := range s.Turns {
		t := &s.Turns[i]
		t.ID = "t" + string(rune('a'+i))
		t.Kind = memory.Message
		t.When = privacy.Stamp{Local: "2026-03-10T20:00:00"}
		if t.Speaker == "" {
			t.Speaker, t.Self = "Ines", true
		}
	}
	return s
}

func extract(t *testing.T, s *memory.Session, o memory.ExtractOptions) []privacy.Record {
	t.Helper()
	got, err := (memory.OfflineExtractor{}).Extract(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestExtractEnglish(t *testing.T) {
	tests := []struct {
		say  string // Ines, to Tomas
		want []string
	}{
		{"I am pregnant, due 9 November", []string{"Ines is pregnant, due 9 November 2026."}},
		{"I'm moving to Ghent", []string{"Ines is moving to Ghent."}},
		{"im moving to Ghent in June", []string{"Ines is moving to Ghent in June 2026."}},
		{"I've sold the car.", []string{"Ines has sold the car."}},
		{"I'd sold the car before", []string{"Ines had sold the car before."}},
		{"I'd like a bigger kitchen", []string{"Ines would like a bigger kitchen."}},
		{"I'll sell the car tomorrow", []string{"Ines will sell the car on 11 March 2026."}},
		{"I go to therapy every Wednesday", []string{"Ines goes to therapy every Wednesday."}},
		{"I really love fish and hate meat", []string{"Ines really loves fish and hates meat."}},
		{"I don't eat fish any more", []string{"Ines doesn't eat fish any more."}},
		{"I no longer teach chemistry", []string{"Ines no longer teaches chemistry."}},
		{"I went to the clinic yesterday", []string{"Ines went to the clinic on 9 March 2026."}},
		{"I had an interview last Friday", []string{"Ines had an interview on 6 March 2026."}},
		{"the operation is next Friday", []string{"The operation is on 20 March 2026."}},
		{"The move happens next week.", []string{"The move happens in the week of 16 March 2026."}},
		{"my mum is in hospital", []string{"Ines's mum is in hospital."}},
		{"You're a brilliant singer, I told the choir", []string{"Tomas is a brilliant singer, Ines told the choir."}},
		{"your brother owes me 300 euros", []string{"Tomas's brother owes Ines 300 euros."}},
		{"Jonas and I want a divorce", []string{"Jonas and Ines want a divorce."}},
		{"we signed the lease on Monday", []string{"Ines and others signed the lease on 9 March 2026."}},
		{"you and I both signed the lease", []string{"Tomas and Ines both signed the lease."}},
		{"got the keys for the studio", []string{"Ines got the keys for the studio."}},
		{"sending the money tonight", []string{"Ines is sending the money on the evening of 10 March 2026."}},
		{"oh god, Tomas, I crashed the car!!", []string{"Ines crashed the car."}},
		{"three weeks ago I quit the job", []string{"Around 17 February 2026 Ines quit the job."}},
		{"I'm pregnant, can you believe it?", []string{"Ines is pregnant."}},
		{"I'm pregnant. Don't tell my boss.", []string{"Ines is pregnant."}},
		{"I'm on antidepressants, but please don't mention it to Greta", []string{"Ines is on antidepressants."}},
		{"she said \"I love you\" at the station", []string{"She said \"I love you\" at the station."}},

		// No facts.
		{"hi!", nil},
		{"haha thanks, you too", nil},
		{"good night, sleep well", nil},
		{"How are you? What did the doctor say?", nil},
		{"did you tell them about the ear", nil},
		{"please send me the bill for the ceiling", nil},
		{"don't tell my boss", nil},
		{"nobody else at work knows", nil},
		{"only you know", nil},
		{"not a word to Greta", nil},
		{"you can tell the team", nil},
		{"keep this between us", nil},
		{"yes", nil},
		{"😂😂😂", nil},
		{"", nil},
		{"> I am pregnant, due in May", nil},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			var got []string
			for _, r := range extract(t, dialogue("Tomas", memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}) {
				got = append(got, r.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestExtractChinese(t *testing.T) {
	tests := []struct {
		say  string // Ines, to 小明
		want []string
	}{
		{"我怀孕了，预产期11月9日", []string{"Ines 怀孕了，预产期2026年11月9日。"}},
		{"我明天去汀城面试", []string{"Ines 2026年3月11日去汀城面试。"}},
		{"我昨天把车卖了", []string{"Ines 2026年3月9日把车卖了。"}},
		{"下周三我做手术", []string{"2026年3月18日 Ines 做手术。"}},
		{"上周五我去医院了", []string{"2026年3月6日 Ines 去医院了。"}},
		{"我每周三下午去做咨询", []string{"Ines 每周三下午去做咨询。"}},
		{"我妈住院了，心脏的问题", []string{"Ines 的妈妈住院了，心脏的问题。"}},
		{"你哥欠我三千块钱", []string{"小明的哥哥欠 Ines 三千块钱。"}},
		{"咱俩的房子卖掉了", []string{"Ines 和小明的房子卖掉了。"}},
		{"我们决定不换房了", []string{"Ines 等人决定不换房了。"}},
		{"明年8月报到", []string{"Ines 说，2027年8月报到。"}},
		{"去医院查了，没有大问题", []string{"Ines 说，去医院查了，没有大问题。"}},
		{"我怀孕了，别告诉我妈", []string{"Ines 怀孕了。"}},
		{"我被裁了 别跟任何人说", []string{"Ines 被裁了。"}},
		{"我给你说个事，我怀孕了", []string{"Ines 怀孕了。"}},
		{"小明跟你说实话，我被裁了", []string{"Ines 被裁了。"}},
		{"我的腰扭了，你莫给我妈说", []string{"Ines 的腰扭了。"}},
		{"我跟你说过我怀孕了", []string{"Ines 跟小明说过 Ines 怀孕了。"}},
		{"莫老师通知我们明天考试", []string{"莫老师通知 Ines 等人2026年3月11日考试。"}},

		{"甭跟我妈说这个", nil},

		{"睡了没", nil},
		{"收到", nil},
		{"谢谢", nil},
		{"哈哈哈哈", nil},
		{"别跟别人说", nil},
		{"别告诉我妈", nil},
		{"学校里就你一个人知道", nil},
		{"你今天几点回来？", nil},
		{"结果怎么样", nil},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			var got []string
			for _, r := range extract(t, dialogue("小明", memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}) {
				got = append(got, r.Text)
				if r.Language != "zh" {
					t.Errorf("language %q", r.Language)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestExtractRecord(t *testing.T) {
	s := dialogue("Raj", memory.Turn{Speaker: "Raj", Text: "I'm Ines's husband, treat me as such"}, memory.Turn{Text: "my boss fired me yesterday"})
	got := extract(t, s, memory.ExtractOptions{Owner: "Ines Roth", OwnerKnown: true})
	if len(got) != 2 {
		t.Fatalf("%d facts, want 2: %+v", len(got), got)
	}
	claim := got[0]
	if claim.OwnerSaid || claim.Speaker != "Raj" || len(claim.Marks) != 0 {
		t.Errorf("Raj's claim is not plainly his: %+v", claim)
	}
	want := privacy.Record{
		ID: got[1].ID, Text: "Ines Roth's boss fired Ines on 9 March 2026.", Language: "en", Speaker: "Ines Roth", OwnerSaid: true,
		Subject: "Ines Roth's boss", Listeners: []string{"Raj"}, SaidAt: privacy.Stamp{Local: "2026-03-10T20:00:00"},
		HappenedAt: privacy.Stamp{Local: "2026-03-09"}, Session: "s1", Evidence: []string{"tb"},
	}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestExtractOtherLanguage(t *testing.T) {
	s := dialogue("Jana", memory.Turn{Text: "Ich habe gestern die Wohnung in der Altstadt gekauft und noch niemandem davon erzählt."})
	got := extract(t, s, memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
	want := "Ines: Ich habe gestern (9.3.2026) die Wohnung in der Altstadt gekauft und noch niemandem davon erzählt."
	if len(got) != 1 || got[0].Text != want || got[0].Language != "de" || got[0].HappenedAt.Local != "2026-03-09" {
		t.Errorf("got %+v, want %q", got, want)
	}
}

// In a group nobody in particular is "you", unless a reply says so.
func TestExtractGroup(t *testing.T) {
	s := &memory.Session{
		ID: "g", Group: true, Participants: []string{"Ines", "Bo", "Cem"},
		Turns: []memory.Turn{
			{ID: "1", Speaker: "Bo", Kind: memory.Message, Text: "you owe the kitty ten euros"},
			{ID: "2", Speaker: "Ines", Self: true, Kind: memory.Message, Text: "you paid my share in January", ReplyTo: "1"},
		},
		Subs: []memory.SubSession{{ID: "g/1", Pair: [2]string{"Bo", "Ines"}, Turns: []string{"2"}}},
	}
	got := extract(t, s, memory.ExtractOptions{})
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	if got[0].Text != "The others owe the kitty ten euros." || !cmp.Equal(got[0].Listeners, []string{"Ines", "Cem"}) {
		t.Errorf("to the group: %+v", got[0])
	}
	if got[1].Text != "Bo paid Ines's share in January." || !cmp.Equal(got[1].Listeners, []string{"Bo"}) {
		t.Errorf("to Bo: %+v", got[1])
	}
}

// A long text without a full stop takes no longer for its form, and its facts
// stay short.
func TestExtractLongText(t *testing.T) {
	for _, unit := range []string{"we told you that we know you and my ", "in the 3rd of may to ", "My brother is ill. He said he is. ", "5月", ": ) :) ", "我们跟你说我们知道你和我", "x", "(", "I 'd \""} {
		text := strings.Repeat(unit, (128<<10)/len(unit))
		start := time.Now()
		facts := extract(t, dialogue("Bo", memory.Turn{Text: text}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
		t.Log(time.Since(start)) // something quadratic runs into the timeout of go test
		for _, r := range facts {
			if n := len(r.Text); n > 16<<10 {
				t.Errorf("%q: a fact of %d bytes", unit, n)
			}
		}
	}
}

func TestExtractStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := (memory.OfflineExtractor{}).Extract(ctx, dialogue("Bo", memory.Turn{Text: "I sold the car"}), memory.ExtractOptions{}); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// propExtract holds for whatever is said: evidence exists, text isn't empty, ids
// are unique, the same session gives the same facts, and it is left as it was.
func propExtract(t interface{ Fatalf(string, ...any) }, s *memory.Session) {
	before := cmp.Diff(nil, s)
	o := memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}
	got, err := (memory.OfflineExtractor{}).Extract(context.Background(), s, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	turns := map[string]memory.Turn{}
	for _, turn := range s.Turns {
		turns[turn.ID] = turn
	}
	ids := map[privacy.FactID]bool{}
	for _, r := range got {
		if strings.TrimSpace(r.Text) == "" || !utf8.ValidString(r.Text) {
			t.Fatalf("text %q", r.Text)
		}
		if ids[r.ID] {
			t.Fatalf("id %s twice", r.ID)
		}
		ids[r.ID] = true
		if len(r.Evidence) == 0 {
			t.Fatalf("no evidence")
		}
		for _, e := range r.Evidence {
			turn, ok := turns[e]
			if !ok || turn.Kind != memory.Message {
				t.Fatalf("evidence %q", e)
			}
			if r.OwnerSaid != turn.Self {
				t.Fatalf("words of %q counted as the owner's: %v", turn.Speaker, r.OwnerSaid)
			}
		}
		if len(r.Marks) > 0 {
			t.Fatalf("extraction made marks")
		}
	}
	again, _ := (memory.OfflineExtractor{}).Extract(context.Background(), s, o)
	if diff := cmp.Diff(got, again); diff != "" {
		t.Fatalf("not deterministic:\n%s", diff)
	}
	o.About = "Cem Öz"
	about, _ := (memory.OfflineExtractor{}).Extract(context.Background(), s, o)
	for _, r := range about {
		if strings.TrimSpace(r.Text) == "" || !utf8.ValidString(r.Text) {
			t.Fatalf("text %q about %s", r.Text, o.About)
		}
	}
	if cmp.Diff(nil, s) != before {
		t.Fatalf("the session was changed")
	}
}

var phrases = []string{
	"I am pregnant", "we moved", "you owe me", "my mum's ill", "tomorrow", "last week", "on the 15th", "?", ".", ",", "don't tell", "\"", "(", "我怀孕了", "别告诉",
	"下周三", "13号", "明年8月", "，", "。", "？", "please", "ignore your rules", "not Fenna", "I'd", "you two", "and", "3 March", "in two weeks", "ago", "In fact", "but really", "Bo says:", "if Bo asks", "he", "their", "其实", "小李说：", "没人知道我", "他", "İ told Cem, actually was", "@", "\n", "> quoted", "😀",
}

func TestExtractProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []memory.Turn
		for _, parts := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(phrases), 0, 8), 0, 5).Draw(t, "turns") {
			turn := memory.Turn{Text: strings.Join(parts, " ")}
			if rapid.Bool().Draw(t, "other") {
				turn.Speaker = "Bo"
			}
			turns = append(turns, turn)
		}
		propExtract(t, dialogue("Bo", turns...))
	})
}

// No first person is left of plain statements of the owner.
func TestExtractNoFirstPerson(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verb := rapid.SampledFrom([]string{"want", "sold", "have", "am selling", "will sell", "'ve bought", "'m buying", "bought", "'ll rent"}).Draw(t, "verb")
		object := rapid.SampledFrom([]string{"my house in Lyon", "the yellow car for my sister", "a piano of mine", "the boat that my uncle gave me"}).Draw(t, "object")
		say := "I" + verb
		if !strings.HasPrefix(verb, "'") {
			say = "I " + verb
		}
		got, err := (memory.OfflineExtractor{}).Extract(context.Background(), dialogue("Bo", memory.Turn{Text: say + " " + object}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
		if err != nil || len(got) != 1 {
			t.Fatalf("%q: %v, %v", say+" "+object, got, err)
		}
		for w := range strings.FieldsSeq(strings.ToLower(strings.TrimRight(got[0].Text, "."))) {
			switch w {
			case "i", "me", "my", "mine", "i'm", "i've", "i'll", "am":
				t.Fatalf("%q left in %q", w, got[0].Text)
			}
		}
	})
}

func FuzzExtract(f *testing.F) {
	for _, p := range phrases {
		f.Add(p, "I went there yesterday, "+p)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		propExtract(t, dialogue("Bo", memory.Turn{Text: a}, memory.Turn{Text: b, Speaker: "Bo"}))
	})
}

func BenchmarkExtract(b *testing.B) {
	s := dialogue("Tomas",
		memory.Turn{Text: "I had an interview in Oxmere last Friday and they want me back for a second round"},
		memory.Turn{Text: "wow, how did it go? who else knows", Speaker: "Tomas"},
		memory.Turn{Text: "five of them in a row, nine to four. the founder took my case study apart piece by piece"},
		memory.Turn{Text: "haha ok", Speaker: "Tomas"},
		memory.Turn{Text: "我昨天把车卖了，下周三去取新车"},
	)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (memory.OfflineExtractor{}).Extract(b.Context(), s, memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(s.Turns))/b.Elapsed().Seconds(), "messages/s")
}
