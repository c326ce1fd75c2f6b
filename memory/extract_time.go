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

// nearest gives a day and month its year, as tense tells: the last one, the next
// one (the day of the talk counts as either), or where nothing tells the nearest,
// on a tie the one ahead. A weekday that was said with it settles the year where
// only one fits; pass a negative one for none.
func nearest(said time.Time, month time.Month, day int, when tense, weekday time.Weekday) (time.Time, bool) {
	var best, fitting time.Time
	better := func(t, than time.Time) bool {
		if than.IsZero() {
			return true
		}
		a, b := t.Sub(said).Abs(), than.Sub(said).Abs()
		return a < b || a == b && t.After(than)
	}
	for year := said.Year() - 4; year <= said.Year()+4; year++ { // 29 February may be four years away
		t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if t.Day() != day {
			continue
		}
		if t.Weekday() == weekday && t.Sub(said).Abs() < 400*24*time.Hour && better(t, fitting) {
			fitting = t
		}
		if onSide(said, t, when) && better(t, best) {
			best = t
		}
	}
	if !fitting.IsZero() {
		best = fitting
	}
	return best, !best.IsZero()
}

// onSide reports whether t is on the side of said that tense allows.
func onSide(said, t time.Time, when tense) bool {
	switch when {
	case tensePast:
		return !t.After(said)
	case tenseFuture:
		return !t.Before(said)
	case tensePresent: // people speak of what has just been as they do of what comes
		return !t.Before(said.AddDate(0, 0, -30))
	}
	return true
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

// monthNear gives a month its year by the same rule as nearest does a day. The
// month of the talk itself counts as either side.
func monthNear(said time.Time, m time.Month, when tense) time.Time {
	ahead := (int(m) - int(said.Month()) + 12) % 12
	switch {
	case ahead == 0, when == tenseFuture:
	case when == tensePast, when == tensePresent && ahead == 11, when == tenseUnclear && ahead > 6:
		ahead -= 12
	}
	return time.Date(said.Year(), said.Month()+time.Month(ahead), 1, 0, 0, 0, 0, time.UTC)
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

func isDigits(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
