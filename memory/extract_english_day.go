package memory

import (
	"strconv"
	"strings"
	"time"
)

// boundMonth reads a month without a day that "from", "by", "until", "since" and
// the like make a time: "until July".
func boundMonth(toks []token, i int, said time.Time) span {
	if i == 0 || !monthBinders[toks[i-1].lower] {
		return span{}
	}
	m, ok := monthsByName[toks[i].lower]
	if !ok || recurring(toks, i, i+1) {
		return span{}
	}
	if i+1 < len(toks) { // "until March 2027" is told, "by April Jones" no time
		if y, err := strconv.Atoi(toks[i+1].lower); err == nil && y > 1900 && y < 2200 {
			return span{2, "", time.Date(y, m, 1, 0, 0, 0, 0, time.UTC), 28}
		}
		if isCapital(toks[i+1]) {
			return span{}
		}
	}
	t := monthNear(said, m, tenseAt(toks, i, i+1))
	return span{1, t.Format("January 2006"), t, 28}
}

// weekday reads "on tuesday", "this friday", "Tuesday 12 May", "thursday the 5th".
func weekday(toks []token, i, lead int, said time.Time) span {
	k := i + lead
	if k >= len(toks) {
		return span{}
	}
	name := toks[k].lower
	w, ok := weekdayNames[name]
	if !ok || len(name) <= 3 && lead == 0 {
		return span{}
	}
	j := k + 1
	if j < len(toks) && toks[j].lower == "," {
		j++
	}
	if j < len(toks) && toks[j].lower == "the" {
		j++
	}
	if s := dayOfMonthName(toks, j, said); s.n > 0 { // the date tells, and the weekday its year
		s.n += j - i
		if lead == 0 {
			s.text = strings.TrimPrefix(s.text, "on ")
		}
		return s
	}
	if !aloneDay(toks, k) || recurring(toks, i, k+1) {
		return span{}
	}
	past := pastDay(toks, i, k+1)
	if k+2 < len(toks) && toks[k+1].lower == "the" {
		if n, ok := ordinalDay(toks[k+2].lower); ok {
			if t, ok := dayOfMonth(said, n, past); ok && t.Weekday() == w {
				return span{lead + 3, "on " + t.Format(englishDay), t, 1}
			}
		}
	}
	t := said.AddDate(0, 0, (int(w)-int(said.Weekday())+7)%7)
	if past {
		t = said.AddDate(0, 0, -((int(said.Weekday()) - int(w) + 7) % 7))
	}
	if toks[i].lower == "this" {
		t = inWeek(monday(said), w)
	}
	if k+1 < len(toks) && halves[toks[k+1].lower] {
		return span{lead + 2, "on the " + toks[k+1].lower + " of " + t.Format(englishDay), t, 1}
	}
	return span{lead + 1, "on " + t.Format(englishDay), t, 1}
}

// recurring reports whether the time in toks[i:j] comes back: "every 3 May", "on
// Thursday evenings", "on Friday each week", "always in March".
func recurring(toks []token, i, j int) bool {
	if j < len(toks) && pluralTimes[toks[j].lower] {
		return true
	}
	for k := clauseStart(toks, i); k < clauseEnd(toks, j); k++ {
		if k < i || k >= j {
			switch w := toks[k].lower; w {
			case "always", "usually", "weekly", "monthly", "yearly", "annually", "fortnightly":
				return true
			case "every", "each":
				if k+1 == i || k+2 == i && k+1 < len(toks) && timeBinders[toks[k+1].lower] || k+1 < len(toks) && (timeUnits[toks[k+1].lower] || toks[k+1].lower == "other" || weekdayOK(toks[k+1].lower)) {
					return true
				}
			case "a", "per":
				if k > 0 && k+1 < len(toks) && timeUnits[toks[k+1].lower] && (toks[k-1].lower == "once" || toks[k-1].lower == "twice" || toks[k-1].lower == "times") {
					return true
				}
			}
		}
	}
	return false
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

// aloneDay reports whether the weekday at k is a day, not part of a name ("Sunday
// roast") or a habit ("on a Sunday").
func aloneDay(toks []token, k int) bool {
	if k > 0 {
		switch toks[k-1].lower {
		case "a", "an", "every", "each", "any", "some", "most", "per", "alternate", "the":
			return false
		case "on", "this":
			return true
		}
	}
	if k+1 >= len(toks) {
		return true
	}
	next := toks[k+1].lower
	return !isWord(next) || clauseWord[next] || next == "the" || halves[next] || beForms[next]
}

func weekdayOK(w string) bool { _, ok := weekdayNames[w]; return ok && len(w) > 3 }

// clauseWord are words that can follow "the 15th" where it means a day.
var clauseWord = words("or and but so i we he she they it at from to till until because if when which for with is was will")

// dayOfMonthName reads "4 June", "4th of june 2025", "June 4th" and the stretch
// "5 to 16 September" at toks[i]. A weekday before it helps to tell the year.
func dayOfMonthName(toks []token, i int, said time.Time) span {
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].lower
		}
		return ""
	}
	if !mayBeTime(at(0)) {
		return span{}
	}
	var month time.Month
	var day, last, n int
	if d, ok := ordinalDay(at(0)); ok {
		k := 1
		if rangeWords[at(1)] {
			if e, ok := ordinalDay(at(2)); ok && e > d {
				last, k = e, 3
			}
		}
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
	if n == 0 || recurring(toks, i, i+n) {
		return span{}
	}
	write := func(n int, t time.Time) span {
		if last > 0 {
			return span{n, strconv.Itoa(day) + " to " + strconv.Itoa(last) + t.Format(" January 2006"), t, last - day + 1}
		}
		return span{n, "on " + t.Format(englishDay), t, 1}
	}
	k := n
	if at(k) == "," {
		k++
	}
	if y, err := strconv.Atoi(at(k)); err == nil && y > 1900 && y < 2200 {
		t := time.Date(y, month, day, 0, 0, 0, 0, time.UTC)
		if t.Day() == day {
			return write(k+1, t)
		}
		return span{}
	}
	named := time.Weekday(-1)
	before := i - 1
	for before >= 0 && (toks[before].lower == "," || toks[before].lower == "the") {
		before--
	}
	if before >= 0 {
		if w, ok := weekdayNames[toks[before].lower]; ok {
			named = w
		}
	}
	if t, ok := nearest(said, month, day, tenseAt(toks, i, i+n), named); ok {
		return write(n, t)
	}
	return span{}
}

var rangeWords = words("to until till - – — and &")
