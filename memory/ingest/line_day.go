package ingest

import (
	"strings"
)

// LINE writes each day on a line of its own, with its weekday before it or behind it, in the
// phone's language: "Thu, 3/14/2024", "พฤ. 14/3/2024", "2024/03/14(木)". Somebody's words may
// end in such a line too ("until 20/3/2024"), so that a word that isn't known counts only
// where it is written as on the first day of the file, and never for two weekdays.

// lineDays are the forms in which a file writes its days.
type lineDays struct {
	form  string         // of the first day whose weekday isn't known
	known map[string]int // the weekday, from 1 for Sunday, that a word was first seen with, by the order in which days are certain
}

// isLineDay reports whether a line may be that of a day.
func isLineDay(line string) bool {
	_, _, ok := lineDate(line)
	return ok
}

// lineDate takes a line apart: the date, and the word with it ("" none), with the form in
// which the two are written.
func lineDate(raw string) (d day, word [2]string, ok bool) {
	if len(raw) > 90 || strings.IndexByte(raw, '\t') >= 0 {
		return day{}, word, false
	}
	m := lineDay.FindStringSubmatch(strings.TrimSpace(unmark(raw)))
	if m == nil || m[1] != "" && m[5] != "" {
		return day{}, word, false
	}
	word = [2]string{m[1], m[5]}
	weekday := weekdayNumber(m[1] + m[5])
	switch {
	case len(m[2]) == 4:
		return day{year: gregorian(atoi(m[2])), ordered: true, month: atoi(m[3]), dom: atoi(m[4]), weekday: weekday}, word, true
	case len(m[4]) == 4 && len(m[2]) <= 2:
		return day{year: gregorian(atoi(m[4])), a: atoi(m[2]), b: atoi(m[3]), weekday: weekday}, word, true
	}
	return day{}, word, false
}

// lineForm is how a word stands with a date: where, and with which marks.
func lineForm(word [2]string) string {
	form := "before "
	w := word[0]
	if w == "" {
		form, w = "behind ", word[1]
	}
	for _, mark := range []string{",", ".", "(", "（"} {
		if strings.Contains(strings.TrimSpace(w), mark) {
			form += mark
		}
	}
	return form
}

// survey is cut for the first pass, which learns how the days of the file are written.
func (l *lineDays) survey(raw string) (day, bool) {
	d, word, ok := lineDate(raw)
	if !ok {
		return day{}, false
	}
	if word != [2]string{} && l.form == "" {
		l.form = lineForm(word)
	}
	return d, l.takes(d, word)
}

// cut reads the line of a day.
func (l *lineDays) cut(raw string) (day, bool) {
	d, word, ok := lineDate(raw)
	return d, ok && l.takes(d, word)
}

// takes reports whether the word with a date is a weekday: none, one that is known, or one
// written as on the first day and not at odds with what it stood with before.
func (l *lineDays) takes(d day, word [2]string) bool {
	if word == [2]string{} || l.form == "" {
		return true
	}
	if lineForm(word) != l.form {
		return false
	}
	w := strings.ToLower(word[0] + word[1])
	var on int // where the date can be only one day, its weekday
	if t, ok := d.on("dmy", 0); ok && (d.ordered || d.a > 12 || d.a == d.b) {
		on = int(t.Weekday()) + 1
	} else if t, ok := d.on("mdy", 0); ok && d.b > 12 {
		on = int(t.Weekday()) + 1
	}
	if on == 0 {
		return true
	}
	if d.weekday == on {
		return true
	}
	if l.known == nil {
		l.known = map[string]int{}
	}
	switch was := l.known[w]; {
	case was == 0 && len(l.known) < 64:
		l.known[strings.Clone(w)] = on
	case was != 0 && was != on:
		return false
	}
	return true
}
