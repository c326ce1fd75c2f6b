package memory

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Said is what a statement that a model writes about messages may draw on. It tells
// what is there from what is made up, as far as that can be told without
// understanding: numbers, days, names, and that a word is shared at all.
type Said struct {
	terms   map[string]bool // of the messages that it rests on
	names   map[string]bool // stems of whatever the messages around have
	numbers map[string]bool
	days    []lexical.Days // on which it was said, or which it names
	today   string         // of the first of rests: what "tomorrow" is counted from
}

// NewSaid is what a statement that rests on turns of s may draw on. Numbers and days are
// those of these turns; names may also come from who takes part, from the other turns
// around and from what was written of those before.
func NewSaid(s *Session, rests, around []*Turn, before ...string) *Said {
	out := &Said{terms: map[string]bool{}, names: map[string]bool{}, numbers: map[string]bool{}}
	name := func(text string) {
		for _, w := range slices.Concat(lexical.Words(text), lexical.Capitals(text)) {
			out.names[lexical.Stem(w)] = true
		}
	}
	name(s.Title)
	for _, p := range s.Participants {
		name(p)
	}
	for _, text := range before {
		name(text)
	}
	for _, t := range slices.Concat(around, rests) {
		name(t.Speaker)
		name(t.Text)
		name(t.Caption)
	}
	for _, t := range rests {
		text := t.Text + " " + t.Caption
		for _, term := range lexical.Terms(text) {
			out.terms[term] = true
		}
		for _, n := range lexical.Numbers(text, true) {
			out.number(n)
		}
		date := s.TurnTime(t).Date()
		if out.today == "" {
			out.today = date
		}
		if day := lexical.Day(date); day != (lexical.Days{}) {
			out.days = append(out.days, day)
		}
		out.days = append(out.days, lexical.ReadDays(text, date)...)
	}
	return out
}

// number takes a number that was said; one of a clock with twelve hours also as one with
// twenty-four.
func (d *Said) number(n string) {
	d.numbers[n] = true
	if hour, err := strconv.Atoi(n); err == nil && hour > 0 && hour <= 12 {
		d.numbers[strconv.Itoa(hour%12+12)] = true
		d.numbers["0"] = true // 9 is 9:00
	}
}

// Supports reports whether a statement says nothing that is seen to be made up: it
// speaks of nobody as "I", shares a word with the messages that it rests on, and has no
// number and no name more than there are. One in another language than the messages
// shares none: it is to be in theirs.
func (d *Said) Supports(text string) bool {
	shared := slices.ContainsFunc(lexical.Terms(text), func(term string) bool { return d.terms[term] })
	return shared && !speaksAsI(text) && !d.adds(text)
}

// Knows reports whether a name, or what something is called, is among what was said.
func (d *Said) Knows(name string) bool {
	words := lexical.Words(name)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !d.names[lexical.Stem(w)] })
}

// adds reports whether a text has a number, day or name that was not said. A time may be
// told less exactly than it was ("in March"), not more.
func (d *Said) adds(text string) bool {
	date := map[string]int{} // the numbers of its days, which stand once for each
	for _, named := range lexical.ReadDays(text, d.today) {
		if !slices.ContainsFunc(d.days, func(said lexical.Days) bool { return named.First <= said.First && said.Last <= named.Last }) {
			return true
		}
		at := time.Unix(int64(named.First)*86400, 0).UTC()
		date[strconv.Itoa(at.Year())]++
		date[strconv.Itoa(int(at.Month()))]++
		if named.First == named.Last {
			date[strconv.Itoa(at.Day())]++
		}
	}
	made := func(n string) bool {
		if !d.numbers[n] {
			date[n]--
		}
		return !d.numbers[n] && date[n] < 0
	}
	return slices.ContainsFunc(lexical.Numbers(text, false), made) ||
		slices.ContainsFunc(lexical.Capitals(text), func(w string) bool { return !d.names[lexical.Stem(w)] })
}

// Day returns a date as a time, if it was said then or the messages name that very day.
func (d *Said) Day(date string) (privacy.Stamp, bool) {
	day := lexical.Day(date)
	at, err := time.Parse(time.DateOnly, date)
	if err != nil || !slices.Contains(d.days, day) {
		return privacy.Stamp{}, false
	}
	return stampOf(at), true
}

// Label is a short text that a model gives what was said (a topic, a keyword): without
// blanks at its ends, and "" where it is long, or has a number or name that was not said.
func (d *Said) Label(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) > maxLabelRunes || d.adds(text) {
		return ""
	}
	return text
}

const maxLabelRunes = 60

// Keyword returns a word or term by which what was said would be searched; "" for what
// isn't among its words, and for words that no search goes by.
func (d *Said) Keyword(text string) string {
	if text = d.Label(text); len(lexical.Terms(text)) > 0 && d.Knows(text) {
		return text
	}
	return ""
}

// CallTurns are turns as a call shows them.
func CallTurns(s *Session, turns []*Turn) []ExtractTurn {
	var out []ExtractTurn
	for _, t := range turns {
		text := t.Text
		if caption := collapse(t.Caption); caption != "" {
			text = strings.TrimSpace(text + " [" + caption + "]")
		}
		out = append(out, ExtractTurn{ID: t.ID, Speaker: t.Speaker, Owner: t.Self, When: wallClock(s.TurnTime(t)), Text: text})
	}
	return out
}

// Spoken are the turns with words, system lines left out.
func Spoken(turns []Turn) []*Turn {
	var out []*Turn
	for i := range turns {
		if Restate(&turns[i]) != "" {
			out = append(out, &turns[i])
		}
	}
	return out
}

// Batches cuts turns into runs of about so many tokens; a turn above that goes alone.
func Batches(turns []*Turn, tokens int) [][]*Turn {
	var out [][]*Turn
	used := 0
	for _, t := range turns {
		n := len([]rune(t.Text+t.Caption))/2 + 16 // between a letter of CJK and one of a word
		if len(out) == 0 || used+n > tokens {
			out, used = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], t)
		used += n
	}
	return out
}
