package memory

import (
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Relative times are resolved against the day on which they were said, never
// against today. A stretch of time (a week, a month, a year) stands in
// Record.HappenedAt by its first day; the text names the stretch.

const englishDay = "2 January 2006"

// day parses the day on which something was said.
func saidDay(said string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, said)
	return t, err == nil
}

func stampOf(t time.Time) privacy.Stamp { return privacy.Stamp{Local: t.Format(time.DateOnly)} }

// monday returns the first day of t's week.
func monday(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }

// inWeek returns a weekday (Sunday is 0) of the week that begins at start.
func inWeek(start time.Time, w time.Weekday) time.Time {
	return start.AddDate(0, 0, (int(w)+6)%7)
}

// nearest gives a day and month its year. In a sentence about the past that is
// the year that brings it closest to said; else the next such day, save that one
// of the last thirty days counts as that: people speak of it without saying so.
func nearest(said time.Time, month time.Month, day int, past bool) (time.Time, bool) {
	var best time.Time
	for _, year := range []int{said.Year() - 1, said.Year(), said.Year() + 1} {
		t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		switch {
		case t.Day() != day:
		case !past && t.Before(said.AddDate(0, 0, -30)):
		case best.IsZero(), past && t.Sub(said).Abs() < best.Sub(said).Abs():
			best = t
		}
	}
	return best, !best.IsZero()
}

// dayOfMonth returns the day numbered n around said: behind it in a sentence
// about the past, else ahead of it.
func dayOfMonth(said time.Time, n int, past bool) (time.Time, bool) {
	step, t := 1, said
	if past {
		step = -1
	}
	for range 62 {
		if t.Day() == n {
			return t, true
		}
		t = t.AddDate(0, 0, step)
	}
	return time.Time{}, false
}

var weekdayNames = map[string]time.Weekday{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	"sun": 0, "mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5,
}

var monthsByName = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// cardinal reads a small number, in figures or words.
func cardinal(w string) (int, bool) {
	if n, err := strconv.Atoi(w); err == nil && n > 0 && n < 1000 {
		return n, true
	}
	n, ok := smallNumbers[w]
	return n, ok
}

var smallNumbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}

// ordinal reads "4", "4th", "21st" as a day of the month.
func ordinalDay(w string) (int, bool) {
	bare := w
	for _, end := range []string{"st", "nd", "rd", "th"} {
		bare = strings.TrimSuffix(bare, end)
	}
	n, err := strconv.Atoi(bare)
	return n, err == nil && n >= 1 && n <= 31
}

// span is a time expression over n tokens.
type span struct {
	n    int
	text string // what to write instead; "" leaves the words
	when time.Time
}

// englishTime reads a time expression at toks[i], or returns n == 0. past tells
// whether the sentence is about the past.
func englishTime(toks []token, i int, said time.Time, past bool) span {
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].lower
		}
		return ""
	}
	on := func(n int, t time.Time) span { return span{n, "on " + t.Format(englishDay), t} }
	lead := 0 // a preposition that goes with the date
	if w := at(0); w == "on" || w == "this" && weekdayOK(at(1)) {
		lead = 1
	}
	switch w := at(lead); w {
	case "today":
		return on(lead+1, said)
	case "tonight":
		return span{1, "on the evening of " + said.Format(englishDay), said}
	case "tomorrow", "tmrw", "tomoz", "tmr":
		t := said.AddDate(0, 0, 1)
		if half := at(lead + 1); half == "morning" || half == "afternoon" || half == "evening" || half == "night" {
			return span{lead + 2, "on the " + half + " of " + t.Format(englishDay), t}
		}
		return on(lead+1, t)
	case "yesterday":
		t := said.AddDate(0, 0, -1)
		if half := at(lead + 1); half == "morning" || half == "afternoon" || half == "evening" {
			return span{lead + 2, "on the " + half + " of " + t.Format(englishDay), t}
		}
		return on(lead+1, t)
	case "day":
		if lead == 0 && at(1) == "after" && at(2) == "tomorrow" {
			return on(3, said.AddDate(0, 0, 2))
		}
		if lead == 0 && at(1) == "before" && at(2) == "yesterday" {
			return on(3, said.AddDate(0, 0, -2))
		}
	case "the":
		if s := englishTime(toks, i+lead+1, said, past); s.n == 3 && at(lead+1) == "day" {
			s.n += lead + 1
			return s
		}
		if n, ok := ordinalDay(at(lead + 1)); ok && !isDigits(at(lead+1)) {
			if s := dayOfMonthName(toks, i+lead+1, said, past); s.n > 0 {
				s.n += lead + 1
				return s
			}
			if next := at(lead + 2); numberedDay(toks, i, lead) && (next == "" || !isWord(next) || clauseWord[next]) {
				if t, ok := dayOfMonth(said, n, past); ok {
					return span{lead + 2, prefix(lead) + t.Format(englishDay), t}
				}
			}
		}
	case "last", "next", "this":
		if s := lastNext(toks, i+lead, said); s.n > 0 {
			s.n += lead
			return s
		}
	case "in":
		if n, ok := cardinal(at(1)); ok && lead == 0 {
			if t, ok := shift(said, n, at(2)); ok {
				return span{3, near(t, at(2)), t}
			}
		}
		if m, ok := monthsByName[at(1)]; ok && lead == 0 {
			if y, err := strconv.Atoi(at(2)); err == nil && y > 1900 && y < 2200 {
				return span{3, "", time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)}
			}
			t := monthNear(said, m, past)
			return span{2, "in " + t.Format("January 2006"), t}
		}
	}
	if n, ok := cardinal(at(0)); ok && at(2) == "ago" {
		if t, ok := shift(said, -n, at(1)); ok {
			return span{3, near(t, at(1)), t}
		}
	}
	if s := dayOfMonthName(toks, i+lead, said, past); s.n > 0 {
		s.n += lead
		if lead == 0 {
			s.text = strings.TrimPrefix(s.text, "on ")
		}
		return s
	}
	if w, ok := weekdayNames[at(lead)]; ok && (len(at(lead)) > 3 || lead == 1) && aloneDay(toks, i, lead) {
		// "on tuesday the 14th", "thursday the 5th": the number tells.
		if at(lead+1) == "the" {
			if n, ok := ordinalDay(at(lead + 2)); ok {
				if t, ok := dayOfMonth(said, n, past); ok && t.Weekday() == w {
					return on(lead+3, t)
				}
			}
		}
		t := said.AddDate(0, 0, (int(w)-int(said.Weekday())+7)%7)
		if past {
			t = said.AddDate(0, 0, -((int(said.Weekday()) - int(w) + 7) % 7))
		}
		if at(0) == "this" {
			t = inWeek(monday(said), w)
		}
		return on(lead+1, t)
	}
	return span{}
}

// numberedDay reports whether "the 28th" surely is a day: "by the 28th", "on the
// 5th". Which month it is, is told by said; "keen on the 1st" goes on with a month
// that was named before, so it stays as it is.
func numberedDay(toks []token, i, lead int) bool {
	if lead == 1 {
		return i == 0 || beForms[toks[i-1].lower] || !isWord(toks[i-1].lower) || verbLike(toks[i-1].lower)
	}
	return i > 0 && (toks[i-1].lower == "by" || toks[i-1].lower == "until" || toks[i-1].lower == "till")
}

// aloneDay reports whether a weekday is a day, not part of a name ("Sunday
// roast") or a habit ("on a Sunday").
func aloneDay(toks []token, i, lead int) bool {
	if i > 0 {
		switch toks[i-1].lower {
		case "a", "an", "every", "each", "any", "some", "most", "per", "alternate", "the":
			return false
		}
	}
	if lead == 1 || i+1 >= len(toks) {
		return true
	}
	next := toks[i+1].lower
	return !isWord(next) || clauseWord[next] || next == "the" || next == "morning" || next == "afternoon" || next == "evening" || next == "night" || beForms[next]
}

func weekdayOK(w string) bool { _, ok := weekdayNames[w]; return ok && len(w) > 3 }

func prefix(lead int) string {
	if lead == 1 {
		return "on "
	}
	return ""
}

// clauseWord are words that can follow "the 15th" where it means a day.
var clauseWord = words("or and but so i we he she they it at from to till until because if when which for with is was will")

// dayOfMonthName reads "4 June", "4th of june 2025", "June 4th" at toks[i].
func dayOfMonthName(toks []token, i int, said time.Time, past bool) span {
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].lower
		}
		return ""
	}
	var month time.Month
	var day, n int
	if d, ok := ordinalDay(at(0)); ok {
		k := 1
		if at(k) == "of" {
			k++
		}
		if m, ok := monthsByName[at(k)]; ok {
			day, month, n = d, m, k+1
		}
	} else if m, ok := monthsByName[at(0)]; ok {
		k := 1
		if at(k) == "the" {
			k++
		}
		if d, ok := ordinalDay(at(k)); ok {
			day, month, n = d, m, k+1
		}
	}
	if n == 0 {
		return span{}
	}
	k := n
	if at(k) == "," {
		k++
	}
	if y, err := strconv.Atoi(at(k)); err == nil && y > 1900 && y < 2200 {
		t := time.Date(y, month, day, 0, 0, 0, 0, time.UTC)
		if t.Day() == day {
			return span{k + 1, "on " + t.Format(englishDay), t}
		}
		return span{}
	}
	if t, ok := nearest(said, month, day, past); ok {
		return span{n, "on " + t.Format(englishDay), t}
	}
	return span{}
}

// lastNext reads "last week", "next tuesday", "this weekend" at toks[i].
func lastNext(toks []token, i int, said time.Time) span {
	if i+1 >= len(toks) {
		return span{}
	}
	step := 0
	switch toks[i].lower {
	case "last":
		step = -1
	case "next":
		step = 1
	}
	week := monday(said).AddDate(0, 0, 7*step)
	unit := toks[i+1].lower
	if w, ok := weekdayNames[unit]; ok && len(unit) > 3 {
		t := inWeek(week, w)
		if step < 0 { // the most recent one before today
			t = said.AddDate(0, 0, -1-(int(said.Weekday())-int(w)+6)%7)
		}
		return span{2, "on " + t.Format(englishDay), t}
	}
	switch unit {
	case "night":
		if step < 0 {
			t := said.AddDate(0, 0, -1)
			return span{2, "on the night of " + t.Format(englishDay), t}
		}
	case "morning", "afternoon", "evening":
		if step == 0 {
			return span{2, "on the " + unit + " of " + said.Format(englishDay), said}
		}
	case "week":
		if n := i + 2; n+1 < len(toks) && toks[n].lower == "after" && toks[n+1].lower == "next" {
			return span{}
		}
		return span{2, "in the week of " + week.Format(englishDay), week}
	case "weekend":
		t := inWeek(week, time.Saturday)
		return span{2, "on the weekend of " + t.Format(englishDay), t}
	case "month":
		t := time.Date(said.Year(), said.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
		return span{2, "in " + t.Format("January 2006"), t}
	case "year":
		t := time.Date(said.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC)
		return span{2, "in " + t.Format("2006"), t}
	}
	if m, ok := monthsByName[unit]; ok && len(unit) > 2 {
		t := time.Date(said.Year(), m, 1, 0, 0, 0, 0, time.UTC)
		switch first := time.Date(said.Year(), said.Month(), 1, 0, 0, 0, 0, time.UTC); {
		case step < 0 && !t.Before(first):
			t = t.AddDate(-1, 0, 0)
		case step > 0 && !t.After(first):
			t = t.AddDate(1, 0, 0)
		}
		return span{2, "in " + t.Format("January 2006"), t}
	}
	return span{}
}

func shift(said time.Time, n int, unit string) (time.Time, bool) {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return said.AddDate(0, 0, n), true
	case "week", "wk":
		return said.AddDate(0, 0, 7*n), true
	case "month":
		first := time.Date(said.Year(), said.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		return first, true
	case "year":
		return time.Date(said.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC), true
	}
	return time.Time{}, false
}

// near words a shifted time by how exact its unit is.
func near(t time.Time, unit string) string {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return "on " + t.Format(englishDay)
	case "month":
		return "in " + t.Format("January 2006")
	case "year":
		return "in " + t.Format("2006")
	}
	return "around " + t.Format(englishDay)
}

// monthNear returns the month ahead of said, or behind it in the past tense.
func monthNear(said time.Time, m time.Month, past bool) time.Time {
	year := said.Year()
	if past && m > said.Month() {
		year--
	}
	if !past && m < said.Month() {
		year++
	}
	return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC)
}

func isDigits(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
