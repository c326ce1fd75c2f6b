package engine_test

import (
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// TestAsksForMatter: for how a whole matter stands, and not for one thing of it.
func TestAsksForMatter(t *testing.T) {
	for _, q := range []string{
		"What became of the flat in Lund?", "Whatever came of the audition?", "What's going on with the garden?", "What happened with your bike?",
		"So how is the choir going?", "What's the real story with the fence?", "Is everything all right between you and Pim?", "Tell me all about the regatta.",
		"Is it true that you met the people of Norrvik?", "What are you two cooking up for Easter?", "What was all that about with the boiler?",
		"Draft a message to the landlord about the damp.", "Please write an e-mail to the choir: the trip is off.", "帮我写封邮件给房东说漏水的事",
		"那台钢琴后来怎么回事？", "你最近在张罗什么？", "你跟老秦出过什么事？", "你們以後有什麼打算？", "两个孩子咋打算的？",
	} {
		if !engine.AsksForMatter(q) {
			t.Errorf("%q asks for a matter", q)
		}
	}
	for _, q := range []string{
		"When is the audition?", "Where does the choir sing?", "Who mends the fence?", "How much was the boiler?", "Did you sell the bike?", "Which train do you take?",
		"Did you write the letter?", "When does the mail come?", "信写好了吗？",
		"几点开会？", "谁去接孩子？", "钢琴多少钱？", "你住在哪里？",
	} {
		if engine.AsksForMatter(q) {
			t.Errorf("%q asks for one thing", q)
		}
	}
}

// saidIn ranks statements of sessions and events: "session/event: text", id by place.
func saidIn(lines ...[3]string) []engine.Ranked {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l[2])
	}
	out := rankedTexts(texts...)
	for i, l := range lines {
		out[i].Record.Session = l[0]
		if l[1] != "" {
			out[i].Record.Marks = []privacy.Mark{{Kind: privacy.MarkEvent, Value: l[1], By: privacy.ByMachine}}
		}
	}
	return out
}

// TestWholeMatter: a question for a matter is answered by its event, and by what was said
// beside it and is of the same sort or of none; one for a single thing isn't.
func TestWholeMatter(t *testing.T) {
	all := saidIn(
		[3]string{"s1", "ev", "Nora auditioned at the Norrvik opera."},
		[3]string{"s2", "ev", "They took the other soprano."},
		[3]string{"s1", "", "It lasted eleven minutes."},
		[3]string{"s3", "", "The ferry was late again."},
		[3]string{"s1", "", "Nora has the flu and a fever."},
	)
	for q, want := range map[string]string{
		"What became of Norrvik?":              "012",
		"What happened with the audition?":     "012",
		"When was the audition?":               "0",
		"Where is Norrvik?":                    "0",
		"What became of the house in Uppsala?": "",
	} {
		if got := unitsFor(t, q, all); got != want {
			t.Errorf("%q asks for %q, want %q", q, got, want)
		}
	}
}

// TestMonths: a month finds what happened in it where nothing else finds anything.
func TestMonths(t *testing.T) {
	en := rankedTexts("Nora was at a clinic on 14 June 2026.", "Nora rowed on 2 August 2026.", "Nora may sell the boat.")
	zh := rankedTexts("知夏2026年6月14日住院。", "知夏2026年8月2日去划船。", "知夏十一月二十一号搬家。")
	for _, tt := range []struct {
		question string
		all      []engine.Ranked
		want     string
	}{
		{"Where were you in June?", en, "0"}, {"What did you do last August?", en, "1"}, {"Where were you in May?", en, ""},
		{"What did the boat cost in June?", en, "2"},
		{"你六月份去哪了？", zh, "0"}, {"你8月去哪了？", zh, "1"}, {"十一月21号你去哪了？", zh, "2"}, {"六月十四号你去哪了？", zh, "0"}, {"六月三号你去哪了？", zh, ""},
	} {
		if got := unitsFor(t, tt.question, tt.all); got != tt.want {
			t.Errorf("%q asks for %q, want %q", tt.question, got, tt.want)
		}
	}
}

// TestBodyAndStudy: parts of the body and of an education are asked for by name.
func TestBodyAndStudy(t *testing.T) {
	all := rankedTexts("Nora tore a ligament and needs surgery.", "Nora was admitted for a master's degree.", "Nora sings.")
	zh := rankedTexts("知夏扭伤了，医生要她养着。", "知夏被录取了，学校九月开学。", "知夏唱歌。")
	for _, tt := range []struct {
		question string
		all      []engine.Ranked
		want     string
	}{
		{"What is wrong with your knee?", all, "0"}, {"Are you thinking of studying further?", all, "1"}, {"Is there somebody in your life?", all, ""},
		{"你那个腰到底怎么了？", zh, "0"}, {"你还打算读书吗？", zh, "1"},
	} {
		if got := unitsFor(t, tt.question, tt.all); got != tt.want {
			t.Errorf("%q asks for %q, want %q", tt.question, got, tt.want)
		}
	}
}

// What most that is found speaks of is asked for where the question holds nothing else.
func TestCommonMatter(t *testing.T) {
	all := rankedTexts("Nora saw the chiropodist on Monday.", "The chiropodist has moved.", "Nora likes her chiropodist.", "The chiropodist costs too much.",
		"Nora was late at the chiropodist's.", "The chiropodist has a dog.", "Nora sang in the choir.")
	for question, want := range map[string]bool{"Did she see the chiropodist?": true, "Who painted the boat?": false} {
		if got := unitsFor(t, question, all); (got != "") != want {
			t.Errorf("%q asks for %q", question, got)
		}
	}
	if got := unitsFor(t, "Did the chiropodist hear you in the choir?", all); got != "6" {
		t.Errorf("what tells candidates apart is no longer all that counts: %q", got)
	}
}
