package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

var germanDays = map[string]int{"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "übermorgen": 2}

var germanWeekdays = map[string]time.Weekday{
	"montag": 1, "dienstag": 2, "mittwoch": 3, "donnerstag": 4, "freitag": 5, "samstag": 6, "sonnabend": 6, "sonntag": 0,
}

// germanUnits are units of time behind a number, as days, months or years.
var germanUnits = map[string]string{
	"tag": "day", "tage": "day", "tagen": "day", "woche": "week", "wochen": "week",
	"monat": "month", "monate": "month", "monaten": "month", "jahr": "year", "jahre": "year", "jahren": "year",
}

var germanNumbers = map[string]int{
	"einem": 1, "einer": 1, "einen": 1, "eine": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12,
}

const germanDay = "2.1.2006"

// germanTimes finds the day or stretch that German time words name and writes it
// behind them: "morgen (12.3.2026)". Other languages pass through unchanged.
func germanTimes(s, said string) (string, privacy.Stamp) {
	day, ok := saidDay(said)
	if !ok {
		return s, privacy.Stamp{}
	}
	fields := strings.Fields(s)
	for i := range fields {
		t, at, form := germanTime(fields, i, day)
		if t.IsZero() {
			continue
		}
		f := fields[at]
		end := f[len(strings.TrimRight(f, ".,;:!?")):]
		fields[at] = strings.TrimSuffix(f, end) + " (" + t.Format(form) + ")" + end
		return strings.Join(fields, " "), stampOf(t)
	}
	return s, privacy.Stamp{}
}

// germanTime reads a time expression that begins at fields[i]: the day, the field
// behind which it is written, and how. The zero time is none.
func germanTime(fields []string, i int, day time.Time) (t time.Time, at int, form string) {
	bare := func(k int) string {
		if k < 0 || k >= len(fields) {
			return ""
		}
		return strings.ToLower(strings.Trim(fields[k], ".,;:!?\"()„“”"))
	}
	word := bare(i)
	if n, ok := germanDays[word]; ok && !germanMorning(fields, i, bare(i-1)) {
		return day.AddDate(0, 0, n), i, germanDay
	}
	if word == "vor" || word == "in" {
		n, ok := germanNumbers[bare(i+1)]
		if !ok {
			n, ok = cardinal(bare(i + 1))
		}
		unit := germanUnits[bare(i+2)]
		if !ok || unit == "" {
			return time.Time{}, 0, ""
		}
		if word == "vor" {
			n = -n
		}
		t, _ = shift(day, n, unit)
		switch unit {
		case "month":
			return t, i + 2, "1.2006"
		case "year":
			return t, i + 2, "2006"
		case "week":
			return t, i + 2, "um den 2.1.2006"
		}
		return t, i + 2, germanDay
	}
	step, ok := germanStep(word)
	if !ok {
		return time.Time{}, 0, ""
	}
	week := monday(day).AddDate(0, 0, 7*step)
	next := bare(i + 1)
	switch {
	case next == "woche":
		return week, i + 1, "ab 2.1.2006"
	case next == "wochenende":
		return inWeek(week, time.Saturday), i + 1, germanDay
	case next == "monat":
		return time.Date(day.Year(), day.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC), i + 1, "1.2006"
	case next == "jahr":
		return time.Date(day.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC), i + 1, "2006"
	}
	w, ok := germanWeekdays[next]
	switch {
	case !ok:
		return time.Time{}, 0, ""
	case step < 0: // the most recent one before the day
		return day.AddDate(0, 0, -1-(int(day.Weekday())-int(w)+6)%7), i + 1, germanDay
	}
	return inWeek(week, w), i + 1, germanDay
}

// germanStep reads "letzten", "diese", "kommendes" as -1, 0 and 1.
func germanStep(word string) (int, bool) {
	for step, stems := range map[int][]string{-1: {"letzte", "vorige", "vergangene"}, 0: {"diese"}, 1: {"nächste", "kommende"}} {
		for _, stem := range stems {
			if rest, ok := strings.CutPrefix(word, stem); ok && slices.Contains([]string{"", "n", "r", "s", "m"}, rest) {
				return step, true
			}
		}
	}
	return 0, false
}

// germanMorning reports whether "morgen" at fields[i] is the morning, not tomorrow:
// "jeden Morgen", "heute Morgen", "Guten Morgen".
func germanMorning(fields []string, i int, before string) bool {
	word := strings.Trim(fields[i], ".,;:!?\"()„“”")
	if strings.ToLower(word) != "morgen" {
		return false
	}
	_, day := germanDays[before]
	return day || germanWeekdays[before] != 0 || before == "sonntag" || word == "Morgen" && i > 0 && !strings.HasSuffix(fields[i-1], ".")
}
