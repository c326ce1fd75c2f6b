package memory_test

import (
	"fmt"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// TestRecallPeopleAndTimes: in a group of five, in several languages, the fact that
// is about the person whom a question names, or was in the time that it names, comes
// first among those that have the same words; for the owner and for a recipient.
func TestRecallPeopleAndTimes(t *testing.T) {
	facts := []struct{ id, text, by, about, happened string }{
		{"jon-boat", "Jon Berg bought a boat.", "Mia", "Jon Berg", "2023-04-03"},
		{"falk-boat", "Jon Falk bought a boat.", "Mia", "Jon Falk", "2023-05-09"},
		{"ulla-boat", "Ulla bought a boat.", "Jon Berg", "Ulla", "2022-05-02"},
		{"mia-boat", "I bought a boat.", "Mia", "Mia", "2023-06-01"},
		{"name-boat", "They call the boat of the club Wavedancer.", "Ulla", "", "2021-08-08"},
		{"jon-trip", "Jon Berg war im Krankenhaus und hatte zwei Operationen.", "Mia", "Jon Berg", "2023-05-20"},
		{"ulla-trip", "Ulla war nicht im Krankenhaus, sie hatte keine Operationen.", "Mia", "Ulla", "2023-03-20"},
		{"ming-home", "小明搬到了北京。", "Mia", "小明", "2023-06-07"},
		{"ulla-home", "乌拉搬到了上海。", "Mia", "Ulla", "2023-02-07"},
		{"jon-dom", "Jon Berg kupił dom w Gdańsku.", "Mia", "Jon Berg", "2020-01-02"},
		{"ulla-dom", "Ulla kupiła dom w Krakowie.", "Mia", "Ulla", "2020-01-03"},
	}
	s := openNew(t)
	session := talk("s1", "c1", "hello", "hello")
	session.Group, session.Participants = true, []string{"Mia", "Jon Berg", "Jon Falk", "Ulla", "小明"}
	b := withLayers(session)
	for _, f := range facts {
		one := fact(privacy.FactID(f.id), f.text, "s1")
		one.Speaker, one.Subject, one.HappenedAt = f.by, f.about, privacy.Stamp{Local: f.happened}
		b.Facts = append(b.Facts, one)
	}
	apply(t, s, b)
	r := newRecaller(t, s, memory.RecallOptions{Host: simple.New(s)})
	people := []lexical.Person{{Names: []string{"Ulla", "乌拉", "Captain"}}, {Names: []string{"Jon Falk", "Falky"}}, {Names: []string{"小明", "Xiao Ming"}}}
	for _, tt := range []struct{ question, want string }{
		{"Did Jon Falk buy a boat?", "falk-boat"},
		{"did ulla buy the boat", "ulla-boat"},
		{"Has Falky got a boat?", "falk-boat"},       // an alias
		{"Which boat has Captain?", "ulla-boat"},     // an alias that is a word
		{"Who bought a boat last May?", "falk-boat"}, // asked in June 2023
		{"Who bought a boat in May 2022?", "ulla-boat"},
		{"What is the boat called?", "name-boat"},
		{"Welche Operation hatte Jon Berg?", "jon-trip"},
		{"Wer hatte im letzten März eine Operation?", "ulla-trip"},
		{"乌拉搬到哪里了？", "ulla-home"},
		{"上周谁搬家了", "ming-home"},
		{"Ulla kupiła dom", "ulla-dom"},
		{"dom w Gdańsku", "jon-dom"},
	} {
		for _, keep := range []func(privacy.FactID) bool{nil, func(privacy.FactID) bool { return true }} {
			hits, err := r.Facts(t.Context(), memory.Query{Text: tt.question, K: 3, Keep: keep, Today: "2023-06-14", People: people})
			if err != nil || len(hits) == 0 || string(hits[0].Fact) != tt.want {
				t.Errorf("%q (owner: %v) finds %s, want %s first; %v", tt.question, keep == nil, idsOf(hits), tt.want, err)
			}
		}
	}
}

func idsOf(hits []memory.Hit) string {
	out := ""
	for _, h := range hits {
		out += fmt.Sprintf("%s %.2f ", h.Fact, h.Score)
	}
	return out
}
