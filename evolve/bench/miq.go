package bench

import (
	"slices"

	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// How bad a failure of integration is, 0 none to 4 (MIQ).
const (
	miqContradiction = 4.0 // it tells a cover story beside what it covers
	miqWrongTime     = 3.0 // it names a day that nothing of the script has
	miqLanguage      = 2.0 // it is in another language than the question
)

// visible is the part of MIQ that rules can see: the worst of a contradiction between
// cover and truth, a day from nowhere, and an answer in another language. Nil where
// none of the rules has anything to look at.
func (a *attempt) visible(in Judged, item *ingest.T3Item) *float64 {
	worst, looked := 0.0, false
	said := a.words.read(in.Answer)
	if len(said.days) > 0 {
		looked = true
		for d := range said.days {
			if !a.days()[d] {
				worst = max(worst, miqWrongTime)
			}
		}
	}
	var read []*statement
	for _, s := range sentencesOf(in.Answer) {
		read = append(read, a.words.read(s))
	}
	for _, event := range a.coveredEvents(item) {
		looked = true
		if a.tellsBoth(read, event, in) {
			worst = max(worst, miqContradiction)
		}
	}
	if asked, answered := in.Language, lexical.Language(in.Answer); asked == "zh" || answered == "zh" {
		looked = true
		if asked != answered {
			worst = max(worst, miqLanguage)
		}
	}
	if !looked {
		return nil
	}
	return &worst
}

// tellsBoth reports whether sentences state a cover story of an event and something
// of what it covers, each by what only it says.
func (a *attempt) tellsBoth(sentences []*statement, event privacy.EventID, in Judged) bool {
	var texts [2][]string // what is so, and the story that covers it
	for i := range a.script.Facts {
		if f := &a.script.Facts[i]; f.Event == event {
			kind := b2i(f.Truth == privacy.Cover.String())
			texts[kind] = append(texts[kind], f.Text)
		}
	}
	says := func(kind int) bool {
		beside := a.words.given(in.Question, in.Owner)
		for _, text := range texts[1-kind] {
			beside.add(text)
		}
		return slices.ContainsFunc(texts[kind], func(text string) bool { return a.words.states(sentences, text, beside) })
	}
	return says(0) && says(1)
}

// coveredEvents are the events of an item's facts that have a cover story.
func (a *attempt) coveredEvents(item *ingest.T3Item) []privacy.EventID {
	var out []privacy.EventID
	for _, id := range item.Facts {
		event := a.gold.facts[id].Event
		if event == "" || slices.Contains(out, event) {
			continue
		}
		if slices.ContainsFunc(a.script.Facts, func(f ingest.GoldFact) bool {
			return f.Event == event && f.Truth == privacy.Cover.String()
		}) {
			out = append(out, event)
		}
	}
	return out
}

// knownDays are the days that facts and sessions of the script name or stand on.
func (s *story) knownDays() map[string]bool {
	days := map[string]bool{}
	add := func(text string) {
		for d := range readStatement(text).days {
			days[d] = true
		}
	}
	for i := range s.script.Facts {
		add(s.script.Facts[i].Text)
		add(s.script.Facts[i].Time.Format("2006-01-02"))
	}
	for i := range s.script.Sessions {
		add(s.script.Sessions[i].Time.Format("2006-01-02"))
		for _, t := range s.script.Sessions[i].Turns {
			add(t.Text)
		}
	}
	return days
}
