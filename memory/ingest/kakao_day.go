package ingest

import (
	"strings"
	"time"
)

// Phones write the day on a line of its own before its first message, in the form of a
// row's stamp, with or without an empty line above. Somebody's answer may be a date too:
// a line is the day's if it brings a new day, which the next row is of or with which the
// text ends.

// kakaoDayRow is a line that may be the day's, until the next row tells.
type kakaoDayRow struct {
	lines   []string  // it, and empty ones below; none: nothing waits
	date    time.Time // that it says
	last    time.Time // of the row above
	seen    bool      // the file has a day line below an empty one or before all rows
	clocked bool      // and it has a time of day
}

var kakaoDayOnly = lazily(`^` + kakaoDate)

// dayRow takes a line that is a stamp and nothing else, and settles the one that waits.
func (w *kakaoWriter) dayRow(line string, blank bool) bool {
	waits := len(w.day.lines) > 0
	bare := strings.TrimSpace(line)
	switch {
	case bare == "" && waits:
		w.day.lines = append(w.day.lines, line)
		return true
	case bare == "":
		return false
	case len(bare) > 64 || strings.Contains(bare, " : ") || !kakaoBare.MatchString(bare):
		if waits {
			w.endDayRow(kakaoRowDay(line))
		}
		return false
	}
	w.endDayRow(time.Time{})
	clocked := strings.Contains(bare, ":")
	if blank || w.open == nil {
		w.flush()
		w.lost, w.day.seen, w.day.clocked = false, true, clocked
		return true
	}
	date, real := kakaoDateOf(kakaoDayOnly.FindString(bare))
	if !real || w.day.seen && w.day.clocked != clocked || !date.After(w.day.last) {
		return false
	}
	w.day.lines, w.day.date = append(w.day.lines, line), date
	return true
}

// kakaoRowDay is the day of a row, the zero time for what is none.
func kakaoRowDay(line string) time.Time {
	if !kakaoRow.MatchString(line) && !kakaoNotice.MatchString(line) {
		return time.Time{}
	}
	date, _ := kakaoDateOf(kakaoDayOnly.FindString(line))
	return date
}

// endDayRow settles the line that waits by the day of the row below: a day line ends
// the message above, all else goes on with it.
func (w *kakaoWriter) endDayRow(next time.Time) {
	if len(w.day.lines) == 0 {
		return
	}
	if next.Equal(w.day.date) {
		w.flush()
		w.lost = false
	} else if w.open != nil {
		w.body = append(w.body, w.day.lines...)
	}
	w.day.lines = w.day.lines[:0]
}
