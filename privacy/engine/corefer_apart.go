package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// What keeps two facts apart, however much else they share (MARKS 6). A link that
// is missing costs a review; one too many lends a whitelist to something of which
// the owner never spoke.

// rescheduled is by which a statement says that its event had another day before.
// With it a second day is no second event.
var rescheduled = regexp.MustCompile(`\b(?:moved (?:to|from|back|forward|up)|(?:been|be|was|is|got|gets|were) (?:moved|shifted|changed)|postpone[ds]?|postponing|postponement|put (?:off|back)|pushed (?:back|to)|brought forward|delay(?:ed|s)?|resched\w+|rebook\w+|rearrang\w+|instead|rather than|no longer on|not on|new date|called off|cancel\w+|verschoben|verlegt|stattdessen|vorverlegt)\b|延期|延后|延到|推迟|推到|推后|提前|改到|改在|改为|改成|改期|改签|挪到|调到|换到|顺延|取消`)

// dayWords are the days of a statement that are said without a number: weekdays, and
// days told from the day of speaking.
var dayWords = regexp.MustCompile(`\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tonight|tomorrow|yesterday)\b|(?:周|星期|礼拜)[一二三四五六日天]|今天|今晚|明天|明晚|后天|昨天|昨晚|前天`)

// dayCues are what most statements don't say.
var dayCues = newCues(rescheduled, dayWords, monthWord)

// calendar is what a statement says of when.
type calendar struct {
	days   []string // with and without a year: "2026-05-03", "05-03"
	months []string // "05", also of each day
	words  []string // days without a number, as spoken
	on     string   // the resolved day of a statement that names one of these, else ""
	moved  bool
}

func calendarOf(r *privacy.Record) calendar {
	c := calendarMemo.of(r.Text)
	if len(c.words) > 0 && len(c.days) == 0 {
		c.on = r.HappenedAt.Date()
	}
	return c
}

// readCalendar is what the words alone say.
func readCalendar(text string) calendar {
	folded := foldText(text)
	said := dayCues.in(folded)
	c := calendar{words: said.all(dayWords), moved: said.has(rescheduled)}
	for _, d := range detailsOf(text).dates {
		switch len(d) {
		case len("2006-01-02"):
			c.days, c.months = append(c.days, d), append(c.months, d[5:7])
		case len("01-02"):
			c.days, c.months = append(c.days, d), append(c.months, d[:2])
		case len("2006-01"):
			c.months = append(c.months, d[5:])
		case len("-01-"):
			c.months = append(c.months, d[1:3])
		}
	}
	for _, m := range said.all(monthWord) {
		if m != "may" || len(c.months) > 0 { // "may" is a verb as well
			c.months = append(c.months, twoDigits(months[m]))
		}
	}
	return c
}

// apart reports whether two statements speak of different days, and neither says
// that the one took the place of the other.
func (c *calendar) apart(d *calendar) bool {
	if c.moved || d.moved {
		return false
	}
	switch {
	case len(c.days) > 0 && len(d.days) > 0:
		return !shared(c.days, d.days, sameDay)
	case c.on != "" && d.on != "":
		return c.on != d.on
	case c.on != "" && len(d.days) > 0:
		return !shared([]string{c.on}, d.days, sameDay)
	case d.on != "" && len(c.days) > 0:
		return !shared([]string{d.on}, c.days, sameDay)
	case len(c.months) > 0 && len(d.months) > 0:
		return !shared(c.months, d.months, func(a, b string) bool { return a == b })
	case len(c.words) > 0 && len(d.words) > 0:
		return !shared(c.words, d.words, func(a, b string) bool { return a == b })
	}
	return false
}

// maxMembers bounds how many facts of one event a statement is held against.
const maxMembers = 64

// apart reports whether the event has a fact on another day than a statement and
// none on its day: a fact without a day would else carry the event from one day to
// the next.
func (e *Events) apart(c *calendar, event privacy.EventID) bool {
	members := e.of[event]
	apart := false
	for _, i := range members[max(0, len(members)-maxMembers):] {
		other := &e.facts[i].when
		if shared(c.days, other.days, sameDay) {
			return false
		}
		apart = apart || c.apart(other)
	}
	return apart
}

// frameShare is how much of the shorter of two statements must stand in both, in the
// same order at their ends, for what differs between to be what they are about.
const frameShare = 0.5

// frameOf returns the terms of a statement in their order, without days, numbers
// and everyday words: those may differ between two statements of one event.
func frameOf(text string) []string { return frameMemo.of(text) }

func readFrame(text string) []string {
	return slices.DeleteFunc(lexical.Terms(text), func(t string) bool {
		return isMonth(t) || isNumber(t) || lightWords[t] || lightCJK[t] || strings.ContainsAny(t, "0123456789")
	})
}

// contrast reports whether two statements are the same but for one thing that each
// says differently: "a scan for my knee" and "a scan for my back".
func contrast(x, y []string) bool {
	n := min(len(x), len(y))
	before := 0
	for before < n && x[before] == y[before] {
		before++
	}
	after := 0
	for after < n-before && x[len(x)-1-after] == y[len(y)-1-after] {
		after++
	}
	differs := before+after < n
	return differs && float64(before+after) >= frameShare*float64(n)
}
