package ingest

import (
	"fmt"
	"strings"
)

// A line that opens a message at a time written in no known way is no part of the
// message before it: its words would be taken for somebody else's. It is its own
// speaker's, at no known time, where that name speaks elsewhere; else it is left out
// with what goes on with it.

// oddTime is a date with a time of day in any order and language: numbers, or the
// name of a month.
const oddTime = `(?:\p{L}{2,12}\.?,? ?)?(?:\p{Nd}{1,4}\s?[./年년-]\s?\p{Nd}{1,2}\s?[./月월-]\s?\p{Nd}{1,4}[日일]?|\p{L}{3,12}\.? \p{Nd}{1,2}(?:st|nd|rd|th)?,? \p{Nd}{4}|\p{Nd}{1,2}\.?(?: de)? \p{L}{3,12}\.?,?(?: de)? \p{Nd}{4})[,T]?\s*(?:(?:at|um|às|à|a las|上午|下午|午前|午後|오전|오후) ?)?\p{Nd}{1,2}[:.h：]\p{Nd}{1,2}(?:[:.：]\p{Nd}{1,2})?\s?(?:[AaPp]\.?\s?[Mm]\.?|[Uu]hr)?`

var (
	oddAlone   = lazily(`^(` + oddTime + `)(?: \([^()]{0,60}\))?$`)
	oddWithWho = lazily(`^(` + oddTime + `) (\S.{0,60})$`)
	oddBracket = lazily(`^\[(` + oddTime + `)\] ([^:\n]{1,120}?): ?(.*)$`)
)

// oddClocked is a time of day, behind a date or alone, that no clock shows.
var oddClocked = lazily(`^[\[(]?\s?(\d{1,3}[:.：]\d{2}(?:[:.：]\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?)\s?[\])]?(?:\s?[-–—|,]\s?|\s+|:\s)(\S.*)$`)

// oddHour is an hour as people write it, a word for one, or what stands for none. No clock
// reads it.
var oddHour = lazily(`(?i)^[\[(]?\s?((?:(?:at|um|today|yesterday|heute|gestern|今天|昨天),?\s(?:at\s|um\s)?)?~?(?:\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\.?|h|uhr)|\d{1,2}h\d{2}|\d{1,2}:\d{2})|noon|midnight|mittag|mitternacht|[?-]{1,2}:[?-]{1,2})\s?[\])]?(?:\s?[-–—|,]\s?|\s+)(\S.*)$`)

// oddClock takes a line apart that opens with a time of day that can't be, such as
// "2024-03-05 25:10 Ines: …" or "19:75 Ines: …". dated tells whether a day stands before it.
func oddClock(s string) (given, rest string, dated, ok bool) {
	if s == "" || len(s) > 400 {
		return "", "", false, false
	}
	after := s
	if d, behind, is := cutDay(strings.TrimLeft(s, "[(")); is && d.year != 0 {
		after, dated = strings.TrimLeft(behind, " ,T\u202f\u00a0，"), true
	}
	m := oddClocked.FindStringSubmatch(after)
	if m != nil {
		if c, _, real := cutClock(m[1]); real && c.h < 24 {
			return "", "", false, false
		}
	} else if m = oddHour.FindStringSubmatch(after); m == nil {
		return "", "", false, false
	}
	return strings.Trim(s[:len(s)-len(m[2])], "[]()|,-–— \t"), m[2], dated, true
}

// oddStamps counts the lines that open a message in no known way.
type oddStamps struct{ count, first int }

func (o *oddStamps) see(line int) {
	if o.count++; o.count == 1 {
		o.first = line
	}
}

// tell reports them.
func (o *oddStamps) tell(b *builder) {
	if o.count > 0 {
		b.warn(fmt.Sprintf("time_unsure: %d lines open a message with a time that isn't known how to read (first: line %d); those of who speaks elsewhere have no time, the others are left out", o.count, o.first))
	}
}

const skipOdd = "a time that can't be read, and a name that speaks nowhere else; what goes on with it is left out too"
