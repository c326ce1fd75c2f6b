package memory

import (
	"strconv"
	"strings"
	"time"
)

// span is a time expression over n tokens.
type span struct {
	n       int
	text    string // what to write instead; "" leaves the words
	when    time.Time
	stretch int // days that it spans from when on, about
}

// englishTime reads a time expression at toks[i], or returns n == 0. Times that
// come back ("every Thursday", "Wednesday evenings") are none. Where a second one
// says the same more exactly ("next week, Tuesday 12 May") it is the one.
func englishTime(toks []token, i int, said time.Time) span {
	s := oneTime(toks, i, said)
	for s.n > 0 && s.text != "" {
		j := i + s.n
		if j < len(toks) && (toks[j].lower == "," || toks[j].lower == "-" || toks[j].lower == "–") {
			j++
		}
		next := oneTime(toks, j, said)
		if next.n == 0 || next.text == "" || next.stretch > s.stretch || next.when.Before(s.when) || !next.when.Before(s.when.AddDate(0, 0, max(s.stretch, 1))) {
			break
		}
		if !strings.HasPrefix(next.text, "on ") && strings.HasPrefix(s.text, "on ") || s.stretch > 1 && next.stretch == 1 && !strings.HasPrefix(next.text, "on ") {
			next.text = "on " + next.text
		}
		if len(next.text) < len(s.text) && next.stretch == s.stretch { // "on the evening of 4 May" says more than "on 4 May"
			next.text = s.text
		}
		next.n += j - i
		s = next
	}
	return s
}

// oneTime reads one time expression at toks[i].
func oneTime(toks []token, i int, said time.Time) span {
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].lower
		}
		return ""
	}
	if i >= len(toks) || !mayBeTime(at(0)) {
		return span{}
	}
	day := func(n int, t time.Time) span { return span{n, "on " + t.Format(englishDay), t, 1} }
	lead := 0 // a preposition that goes with the date
	if w := at(0); w == "on" || w == "this" && weekdayOK(at(1)) {
		lead = 1
	}
	switch w := at(lead); w {
	case "today":
		return day(lead+1, said)
	case "tonight":
		return span{1, "on the evening of " + said.Format(englishDay), said, 1}
	case "tomorrow", "tmrw", "tomoz", "tmr", "yesterday":
		t := said.AddDate(0, 0, 1)
		if w == "yesterday" {
			t = said.AddDate(0, 0, -1)
		}
		if half := at(lead + 1); halves[half] {
			return span{lead + 2, "on the " + half + " of " + t.Format(englishDay), t, 1}
		}
		return day(lead+1, t)
	case "day":
		if lead == 0 && at(1) == "after" && at(2) == "tomorrow" {
			return day(3, said.AddDate(0, 0, 2))
		}
		if lead == 0 && at(1) == "before" && at(2) == "yesterday" {
			return day(3, said.AddDate(0, 0, -2))
		}
	case "the":
		if at(lead+1) == "day" {
			if s := oneTime(toks, i+lead+1, said); s.n == 3 {
				s.n += lead + 1
				return s
			}
		}
		if n, ok := ordinalDay(at(lead + 1)); ok && !isDigits(at(lead+1)) {
			if s := dayOfMonthName(toks, i+lead+1, said); s.n > 0 {
				s.n += lead + 1
				return s
			}
			if next := at(lead + 2); numberedDay(toks, i, lead) && (next == "" || !isWord(next) || clauseWord[next]) && !recurring(toks, i, i+lead+2) {
				if t, ok := dayOfMonth(said, n, pastDay(toks, i, i+lead+2)); ok {
					return span{lead + 2, prefix(lead) + t.Format(englishDay), t, 1}
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
				return span{3, near(t, at(2)), t, unitDays(at(2))}
			}
		}
		if m, ok := monthsByName[at(1)]; ok && lead == 0 && !recurring(toks, i, i+2) {
			if y, err := strconv.Atoi(at(2)); err == nil && y > 1900 && y < 2200 {
				return span{3, "", time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), 28}
			}
			t := monthNear(said, m, tenseAt(toks, i, i+2))
			return span{2, "in " + t.Format("January 2006"), t, 28}
		}
	}
	if n, ok := cardinal(at(0)); ok && at(2) == "ago" {
		if t, ok := shift(said, -n, at(1)); ok {
			return span{3, near(t, at(1)), t, unitDays(at(1))}
		}
	}
	if s := dayOfMonthName(toks, i+lead, said); s.n > 0 {
		s.n += lead
		if lead == 0 {
			s.text = strings.TrimPrefix(s.text, "on ")
		}
		return s
	}
	if s := boundMonth(toks, i, said); s.n > 0 {
		return s
	}
	return weekday(toks, i, lead, said)
}

var (
	halves       = words("morning afternoon evening night")
	pluralTimes  = words("mornings afternoons evenings nights mondays tuesdays wednesdays thursdays fridays saturdays sundays")
	timeUnits    = words("day days week weeks month months year years weekend morning afternoon evening night")
	monthBinders = words("from by until till since through")
	timeOpeners  = words(`on this today tonight tomorrow tmrw tomoz tmr yesterday day the last next in a an one two three four five six seven eight nine ten
		eleven twelve half`)
)

// mayBeTime reports whether a time expression can begin with w.
func mayBeTime(w string) bool {
	if w == "" {
		return false
	}
	if w[0] >= '0' && w[0] <= '9' || timeOpeners[w] {
		return true
	}
	if _, ok := monthsByName[w]; ok {
		return true
	}
	_, ok := weekdayNames[w]
	return ok
}

// unitDays is about how many days a unit of time spans.
func unitDays(unit string) int {
	switch strings.TrimSuffix(unit, "s") {
	case "week", "wk":
		return 7
	case "month":
		return 28
	case "year":
		return 365
	}
	return 1
}

func prefix(lead int) string {
	if lead == 1 {
		return "on "
	}
	return ""
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
		return span{2, "on " + t.Format(englishDay), t, 1}
	}
	switch unit {
	case "night":
		if step < 0 {
			t := said.AddDate(0, 0, -1)
			return span{2, "on the night of " + t.Format(englishDay), t, 1}
		}
	case "morning", "afternoon", "evening":
		if step == 0 {
			return span{2, "on the " + unit + " of " + said.Format(englishDay), said, 1}
		}
	case "week":
		if n := i + 2; n+1 < len(toks) && toks[n].lower == "after" && toks[n+1].lower == "next" {
			return span{}
		}
		return span{2, "in the week of " + week.Format(englishDay), week, 7}
	case "weekend":
		t := inWeek(week, time.Saturday)
		return span{2, "on the weekend of " + t.Format(englishDay), t, 2}
	case "month":
		t := time.Date(said.Year(), said.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
		return span{2, "in " + t.Format("January 2006"), t, 28}
	case "year":
		t := time.Date(said.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC)
		return span{2, "in " + t.Format("2006"), t, 365}
	}
	if m, ok := monthsByName[unit]; ok && len(unit) > 2 {
		t := time.Date(said.Year(), m, 1, 0, 0, 0, 0, time.UTC)
		switch first := time.Date(said.Year(), said.Month(), 1, 0, 0, 0, 0, time.UTC); {
		case step < 0 && !t.Before(first):
			t = t.AddDate(-1, 0, 0)
		case step > 0 && !t.After(first):
			t = t.AddDate(1, 0, 0)
		}
		return span{2, "in " + t.Format("January 2006"), t, 28}
	}
	return span{}
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
