package engine

import (
	"slices"
	"strconv"
	"time"
)

var monthNames = map[string][12]string{
	"en": {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	"de": {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
}

// dayIn writes the day "2006-01-02" as people of the language do: "12 May 2026",
// "2026年5月12日", "12. Mai 2026". What is no such day stays as it is.
func dayIn(language, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	y, m, d := strconv.Itoa(t.Year()), int(t.Month()), strconv.Itoa(t.Day())
	switch language {
	case "zh":
		return y + "年" + strconv.Itoa(m) + "月" + d + "日"
	case "de":
		return d + ". " + monthNames["de"][m-1] + " " + y
	default:
		return d + " " + monthNames["en"][m-1] + " " + y
	}
}

// statesDay reports whether a text says the day, or its month and year: a month is
// then all that is known, and its first day would be made up.
func statesDay(text, day string) bool {
	return slices.ContainsFunc(detailsOf(text).dates, func(x string) bool {
		return len(x) >= len("01-02") && sameDay(x, day) || x == day[:min(len(day), len("2006-01"))]
	})
}
