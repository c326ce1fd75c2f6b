package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// rankedTexts gives each statement of the owner an id (its place, from "0") and no score,
// as recall does for what shares no word with the question.
func rankedTexts(texts ...string) []engine.Ranked {
	var out []engine.Ranked
	for i, text := range texts {
		r := draft(string(rune('0'+i)), text)
		r.SaidAt = privacy.Stamp{Instant: time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC)}
		out = append(out, engine.Ranked{Record: r, Score: 0.01})
	}
	return out
}

func unitsFor(t testing.TB, question string, candidates []engine.Ranked) string {
	t.Helper()
	u, err := engine.NewOffline().Units(t.Context(), question, candidates)
	if err != nil {
		t.Fatal(err)
	}
	ids := slices.Clone(u.Facts)
	slices.Sort(ids)
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(string(id))
	}
	return b.String()
}

// TestConcepts: a question finds what it asks for in whatever words that was told,
// and nothing beside it.
func TestConcepts(t *testing.T) {
	en := []string{"Nora moved to Tromsø in March.", "Nora has the flu.", "Nora booked a ferry to Sardinia.", "Nora had an interview at a bank.", "Nora plays the cello.", "Nora likes dumplings."}
	zh := []string{"知夏搬到厦门了。", "知夏发烧了，在吃药。", "知夏订了去西藏的机票。", "知夏下周去面试。", "知夏在学弹吉他。", "知夏爱吃饺子。"}
	for _, tt := range []struct{ question, want string }{
		{"where do I live", "0"}, {"Where does she live now?", "0"}, {"where Nora lives", "0"}, {"What is her address?", "0"}, {"Which city is she based in?", "0"},
		{"Is she ill?", "1"}, {"Is Nora sick?", "1"}, {"Is she feeling better?", "1"},
		{"Does Nora have any holidays planned?", "2"}, {"Is she going away soon?", "2"},
		{"Is she looking for a job?", "3"}, {"Is Nora changing jobs?", "3"},
		{"What does she do in her free time?", "4"}, {"What does she eat?", "5"},
		{"What is the capital of Peru?", ""}, {"Has she met the plumber?", ""},
	} {
		if got := unitsFor(t, tt.question, rankedTexts(en...)); got != tt.want {
			t.Errorf("%q asks for %q, want %q", tt.question, got, tt.want)
		}
	}
	for _, tt := range []struct{ question, want string }{
		{"她现在住哪里？", "0"}, {"你搬家了吗", "0"}, {"她生病了吗？", "1"}, {"你身体怎么样", "1"}, {"有旅行计划吗", "2"}, {"她还在找工作吗", "3"}, {"有什么爱好？", "4"}, {"她爱吃什么", "5"},
	} {
		if got := unitsFor(t, tt.question, rankedTexts(zh...)); got != tt.want {
			t.Errorf("%q asks for %q, want %q", tt.question, got, tt.want)
		}
	}
}

// TestOutcome: who asks how something went is told its outcome as well.
func TestOutcome(t *testing.T) {
	list := rankedTexts("Nora's biopsy was on 4 May.", "The results came back clean.", "Nora plays the cello.", "Nora passed the driving test.")
	for i := range list[:2] {
		list[i].Record.Marks = []privacy.Mark{{Kind: privacy.MarkCategory, Value: "health"}}
	}
	list[2].Record.Marks = []privacy.Mark{{Kind: privacy.MarkCategory, Value: "hobbies"}}
	list[3].Record.Marks = []privacy.Mark{{Kind: privacy.MarkCategory, Value: "hobbies"}}
	if got := unitsFor(t, "How did the biopsy go?", list); got != "01" {
		t.Errorf("asks for %q, want 01", got)
	}
	if got := unitsFor(t, "When was the biopsy?", list); got != "0" {
		t.Errorf("when: asks for %q, want 0", got)
	}
}

// TestExpand: the words added depend on the question alone, stand behind it, and
// are added only where it asks for a thing that has them.
func TestExpand(t *testing.T) {
	for _, tt := range []struct{ question, has string }{
		{"where do I live", "moved"}, {"你住哪里", "搬到"}, {"Is she ill?", "doctor"}, {"any holidays?", "trip"}, {"How did the exam go?", "results"},
	} {
		if got := engine.Expand(tt.question); !strings.HasPrefix(got, tt.question+" ") || !strings.Contains(got, tt.has) {
			t.Errorf("Expand(%q) = %q, want %q in it", tt.question, got, tt.has)
		}
	}
	for _, q := range []string{"Who won the chess match?", "", "谁赢了"} {
		if got := engine.Expand(q); got != q {
			t.Errorf("Expand(%q) = %q", q, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.String().Draw(t, "question")
		if !strings.HasPrefix(engine.Expand(q), q) {
			t.Fatalf("Expand(%q) lost the question", q)
		}
	})
}

func TestAsksForNews(t *testing.T) {
	for q, want := range map[string]bool{
		"What's new?": true, "How is Nora doing?": true, "Any news?": true, "知夏最近怎么样？": true, "有什么新消息": true,
		"What's new with the boat?": false, "How is the knee?": false, "Where is she?": false, "": false,
	} {
		if got := engine.AsksForNews(q, "Nora Quist", "Nora", "知夏"); got != want {
			t.Errorf("AsksForNews(%q) = %v", q, got)
		}
	}
	list := rankedTexts("Nora rows.", "Nora sold the boat.", "Nora met Kit.", "Nora likes jam.", "Nora has a cold.")
	if got := unitsFor(t, "What's new?", list); got != "1234" {
		t.Errorf("what's new asks for %q, want the newest four", got)
	}
}
