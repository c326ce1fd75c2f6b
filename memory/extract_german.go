package memory

import (
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

var germanDays = []struct {
	word string
	days int
}{{"vorgestern", -2}, {"gestern", -1}, {"heute", 0}, {"übermorgen", 2}, {"morgen", 1}}

var germanWeekdays = map[string]time.Weekday{
	"montag": 1, "dienstag": 2, "mittwoch": 3, "donnerstag": 4, "freitag": 5, "samstag": 6, "sonnabend": 6, "sonntag": 0,
}

// germanTimes finds the day that German time words name and writes it behind
// them: "morgen (12.3.2026)". Other languages pass through unchanged.
func germanTimes(s, said string) (string, privacy.Stamp) {
	day, ok := saidDay(said)
	if !ok {
		return s, privacy.Stamp{}
	}
	fields := strings.Fields(s)
	for i, f := range fields {
		word := strings.ToLower(strings.Trim(f, ".,;:!?\"()"))
		var t time.Time
		for _, d := range germanDays {
			if word == d.word {
				t = day.AddDate(0, 0, d.days)
			}
		}
		if w, ok := germanWeekdays[word]; ok && i > 0 {
			switch before := strings.ToLower(fields[i-1]); {
			case strings.HasPrefix(before, "letzte"), strings.HasPrefix(before, "vorige"), strings.HasPrefix(before, "vergangene"):
				t = day.AddDate(0, 0, -1-(int(day.Weekday())-int(w)+6)%7)
			case strings.HasPrefix(before, "nächste"), strings.HasPrefix(before, "kommende"):
				t = inWeek(monday(day).AddDate(0, 0, 7), w)
			case strings.HasPrefix(before, "diese"):
				t = inWeek(monday(day), w)
			}
		}
		if t.IsZero() {
			continue
		}
		end := f[len(strings.TrimRight(f, ".,;:!?")):]
		fields[i] = strings.TrimSuffix(f, end) + " (" + t.Format("2.1.2006") + ")" + end
		return strings.Join(fields, " "), stampOf(t)
	}
	return s, privacy.Stamp{}
}
