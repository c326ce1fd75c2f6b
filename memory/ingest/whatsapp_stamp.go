package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A WhatsApp line begins with a stamp in the phone's own locale: numbers in any
// script, any order, and the words of that language around the clock.
//
//	[05.08.24, 17:52:02] Ana: …            iPhone
//	3/14/24, 7:02 PM - Ana: …              Android
//	2024/3/15 下午9:05 - Ana: …
//	15/9/2025، 8:44 م - Ana: …
//	15.3.2024 klo 21.05 - Ana: …

// waStamp is a stamp taken apart.
type waStamp struct {
	day   day
	clock clock
	style string // how it is written: every line of one export is written alike

	unpadded bool   // a month or day of one digit
	foreign  bool   // in digits or words that aren't those of American phones
	word     string // beside the clock, of which it isn't known what it says of the hour
}

// Bits of how a clock is written, in a style.
const (
	clockParts   = 0x20 // a word for the part of the day
	clockUnknown = 0x40 // a word that isn't known
)

// family is a style without what stands between date and clock: a comma, a word or
// blanks, which changed with the app's versions, so that one file may have several. A word
// that isn't known may be one for the part of the day.
func family(style string) (f [7]byte) {
	copy(f[copy(f[:], style[:4]):], style[5:])
	if f[3]&clockUnknown != 0 {
		f[3] = f[3]&^clockUnknown | clockParts
	}
	return f
}

// waFillers are words between date and clock, and those that say "o'clock".
var waFillers = wordSet("at à às alle ore om kl klo klockan klokken kello um u в г р ж lúc ob ê jam เวลา น นาฬิกา h uhr ч годз hodź hod godz óra ж saat बजे वाजता વાગ્યે ਵਜੇ টায় মি మి గంటలకు மணி ಗಂಟೆಗೆ മണി ម៉ោង ໂມງ នាទី 시 時 点")

// cutStamp reads the stamp at the start of a line and returns what follows: the
// rest after "] " or " - ".
func cutStamp(line string) (waStamp, string, bool) {
	// Most lines of a long message fail here: no digit at the start.
	i := 0
	bracket := false
	for i < len(line) {
		c := line[i]
		if c == '[' && !bracket {
			bracket = true
			i++
			continue
		}
		if c >= '0' && c <= '9' {
			break
		}
		if c < 0x80 {
			return waStamp{}, "", false
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		if isBidi(r) {
			i += n
			continue
		}
		if unicode.IsDigit(r) || unicode.IsLetter(r) && bracket {
			break
		}
		return waStamp{}, "", false
	}
	s := waScan{in: line, at: i}
	return s.stamp(bracket)
}

func isBidi(r rune) bool {
	return r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}

// waScan walks over a stamp; marks that direct the eye aren't there for it, all
// blanks are one, and every digit is an ASCII digit.
type waScan struct {
	in string
	at int
}

func (s *waScan) peek() (rune, int) {
	for s.at < len(s.in) {
		c := s.in[s.at]
		if c < 0x80 {
			return rune(c), 1
		}
		r, n := utf8.DecodeRuneInString(s.in[s.at:])
		switch {
		case isBidi(r):
			s.at += n
			continue
		case r == 0x202f || r == 0xa0 || r == 0x2009:
			return ' ', n
		case r == '،' || r == '，' || r == '、':
			return ',', n
		case r == '：':
			return ':', n
		}
		r, _ = asciiDigit(r)
		return r, n
	}
	return 0, 0
}

// digitZeros are the zeros of the scripts that phones write numbers in; the digits
// follow in order.
var digitZeros = [...]rune{0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0x1c50, 0xff10}

// asciiDigit is the ASCII digit of the same value as r.
func asciiDigit(r rune) (rune, bool) {
	for _, zero := range digitZeros {
		if r >= zero && r <= zero+9 {
			return '0' + r - zero, true
		}
	}
	return r, false
}

func (s *waScan) number() (value, digits int) {
	for digits < 5 {
		r, n := s.peek()
		if n == 0 || r < '0' || r > '9' {
			break
		}
		value, digits = value*10+int(r-'0'), digits+1
		s.at += n
	}
	return value, digits
}

func (s *waScan) blanks() {
	for {
		if r, n := s.peek(); n > 0 && r == ' ' {
			s.at += n
			continue
		}
		return
	}
}

func (s *waScan) take(want rune) bool {
	if r, n := s.peek(); n > 0 && r == want {
		s.at += n
		return true
	}
	return false
}

// word reads letters, dots, apostrophes and Hebrew's marks of a shortened word, in the form of dayPartKey: "p.", "下午", "klo".
func (s *waScan) word() string {
	start, plain := s.at, true
	for s.at-start < 60 {
		r, n := s.peek()
		if n == 0 || !(unicode.IsLetter(r) || unicode.IsMark(r) || r == 0x200b || r == 0x200c || (r == '.' || r == '\'' || r == '’') && (s.at > start || r == '’') || shortens(r) && s.at > start && isHebrew(s.in[start:])) {
			break
		}
		plain = plain && r >= 'a' && r <= 'z'
		s.at += n
	}
	switch w := s.in[start:s.at]; {
	case plain:
		return w
	case w == "PM":
		return "pm"
	case w == "AM":
		return "am"
	default:
		return dayPartKey(w)
	}
}

func (s *waScan) stamp(bracket bool) (waStamp, string, bool) {
	var out waStamp
	none := func() (waStamp, string, bool) { return waStamp{}, "", false }
	var style [8]byte
	var words stampWords
	d, sep, width, single, ok := s.date()
	clockFirst := !ok
	if clockFirst { // "21:05, 15/3/2024": some locales put the clock first
		c, how, ok := s.clock()
		if !ok {
			return none()
		}
		out.clock, style[3] = c, how
		s.words(&words)
		if d, sep, width, single, ok = s.date(); !ok {
			return none()
		}
	}
	out.day, out.unpadded = d, single
	style[0], style[1], style[2] = sep, width, '-'
	if bracket {
		style[2] = '['
	}
	if !clockFirst {
		style[4] = ' '
		if s.words(&words) {
			style[4] = ','
		}
		switch r, n := s.peek(); r {
		case '(': // Basque: "24/3/14 (19:02)"
			s.at += n
		case '-': // Wolof: "14-03-2024 - 19:02"
			s.at += n
			s.blanks()
		}
		c, how, ok := s.clock()
		if !ok {
			return none()
		}
		out.clock, style[3] = c, how
	}
	// The end: a part of the day, then "]" or " - ".
	s.words(&words)
	s.take(')')
	if !words.apply(&out, &style[3]) {
		return none()
	}
	if bracket {
		s.blanks()
		if s.take('|') { // Skype: "| Edited 21:07:00"
			if end := strings.IndexByte(s.in[s.at:min(len(s.in), s.at+60)], ']'); end >= 0 {
				s.at += end
			}
		}
		if !s.take(']') {
			return none()
		}
		rest, _ := strings.CutPrefix(s.in[s.at:], " ")
		out.style, out.foreign = string(style[:]), foreignStamp(s.in[:s.at])
		return out, rest, true
	}
	s.blanks()
	if r, n := s.peek(); n == 0 || r != '-' && r != '–' {
		return none()
	} else {
		s.at += n
	}
	if r, n := s.peek(); n == 0 || r != ' ' {
		return none()
	} else {
		s.at += n
	}
	if out.clock.h > 23 {
		return none()
	}
	out.style, out.foreign = string(style[:]), foreignStamp(s.in[:s.at])
	return out, s.in[s.at:], true
}

// stampWords are the words of a stamp, in order: each by dayPartKey, without commas.
type stampWords struct {
	word    [6]string
	n       int
	capital bool // one begins with a capital, as names do
	more    bool // there are too many
}

// words reads blanks, commas and words; it reports whether there was a comma.
func (s *waScan) words(to *stampWords) (comma bool) {
	for {
		s.blanks()
		r, n := s.peek()
		if r == ',' {
			comma = true
			s.at += n
			continue
		}
		if n == 0 || r < 'A' && r != '\'' {
			return comma // a digit or a mark, as most often
		}
		at := s.at
		w := s.word()
		if w == "" {
			return comma
		}
		if to.n == len(to.word) {
			to.more = true
			return comma
		}
		if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s.in[at:s.at], " '’\u200e\u200f")); unicode.IsUpper(r) {
			to.capital = true
		}
		to.word[to.n], to.n = w, to.n+1
	}
}

// apply puts the hour into the part of the day that the words say, and the year into its
// era. It reports false for words that no stamp has.
func (w *stampWords) apply(out *waStamp, how *byte) bool {
	if w.n == 0 {
		return true
	}
	words := w.word[:w.n]
	if _, era := yearEras[words[0]]; (era || otherEras[words[0]]) && out.day.year != 0 {
		if _, part := dayParts[words[0]]; !part || len(words) > 1 {
			out.day, words = out.day.ofEra(words[0]), words[1:]
		}
	}
	// Of the words for "at" and "o'clock" around a part of the day, as few are left out as
	// can be: "u podne" is one.
	for left := 0; left <= len(words); left++ {
		for from := 0; from <= left && from <= len(words); from++ {
			to := len(words) - (left - from)
			if to < from || !allFillers(words[:from]) || !allFillers(words[to:]) {
				continue
			}
			if from == to {
				return true
			}
			key := words[from]
			if to-from > 1 {
				key = strings.Join(words[from:to], "")
			}
			part, ok := dayParts[key]
			if !ok {
				continue
			}
			c, ok := out.clock.in(part)
			if !ok { // a word that can't be said at that hour
				out.word = key
				*how |= clockUnknown
				return true
			}
			out.clock = c
			*how |= clockParts
			return true
		}
	}
	if w.capital || w.more || w.n > 4 {
		return false // "14/3/24, 7:02 Ana - …": somebody's name
	}
	out.word = strings.Join(words, " ")
	*how |= clockUnknown
	return true
}

func allFillers(words []string) bool {
	for _, w := range words {
		if !waFillers[w] {
			return false
		}
	}
	return true
}

// foreignStamp reports whether a stamp has digits or letters that aren't ASCII.
func foreignStamp(s string) bool {
	return !isASCII(s) && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) })
}

// half puts an hour of twelve into its half of the day.
func (c clock) half(second bool) clock {
	switch {
	case second && c.h < 12:
		c.h += 12
	case !second && c.h == 12:
		c.h = 0
	}
	return c
}

// date reads three numbers with one separator between them, or the Chinese and
// Korean forms. It returns the separator and how wide the year is.
func (s *waScan) date() (d day, sep, width byte, single, ok bool) {
	start := s.at
	fail := func() (day, byte, byte, bool, bool) { s.at = start; return day{}, 0, 0, false, false }
	var n, digits [3]int
	spaced, closed := 0, false
	for i := range 3 {
		n[i], digits[i] = s.number()
		if digits[i] == 0 || digits[i] > 4 {
			return fail()
		}
		r, size := s.peek()
		switch {
		case i < 2 && (r == '/' || r == '.' || r == '-'):
			if i == 1 && sep != byte(r) {
				return fail()
			}
			sep = byte(r)
			s.at += size
			before := s.at
			if s.blanks(); s.at > before {
				spaced++
			}
		case i == 0 && (r == '年' || r == '년'), i == 1 && sep == 'h' && (r == '月' || r == '월'):
			sep = 'h'
			s.at += size
			s.blanks()
		case i == 2 && sep == 'h' && (r == '日' || r == '일'):
			s.at += size
		case i == 2 && sep == '.' && r == '.':
			s.at += size
			closed = true
		case i < 2:
			return fail()
		}
	}
	switch {
	case digits[0] >= 3:
		d, width = day{year: n[0], ordered: true, month: n[1], dom: n[2]}, 'Y'
	case digits[2] == 4 || digits[2] == 3:
		d, width = day{year: n[2], a: n[0], b: n[1]}, '4'
	case digits[2] <= 2:
		d, width = day{year: 2000 + n[2], short: true, a: n[0], b: n[1]}, '2'
	default:
		return fail()
	}
	if sep == '.' && !d.ordered { // dots are written day first everywhere, but in Korea
		d.ordered, d.dotted, d.dom, d.month = true, true, d.a, d.b
		if d.short && spaced == 2 && closed {
			d.ordered, d.first = false, true
		}
	}
	d.year = gregorian(d.year)
	return d, sep, width, digits[0] == 1 || digits[1] == 1, true
}

// clock reads "9:05", "21.05", "17:52:02", and as Canadians write in French "17 h 52 min 02 s".
func (s *waScan) clock() (clock, byte, bool) {
	start := s.at
	h, digits := s.number()
	r, size := s.peek()
	if r == ' ' || r == 'h' {
		s.at = start
		c, rest, ok := cutHours(s.in[start:])
		if !ok {
			return clock{}, 0, false
		}
		s.at = len(s.in) - len(rest)
		how := byte(1 | 0x08)
		if c.seconds {
			how = 2 | 0x08
		}
		return c, how, true
	}
	if digits == 0 || digits > 2 || r != ':' && r != '.' {
		s.at = start
		return clock{}, 0, false
	}
	s.at += size
	c, how := clock{h: h}, byte(1)
	if c.m, digits = s.number(); digits != 2 {
		s.at = start
		return clock{}, 0, false
	}
	at := s.at
	next := s.take(r)
	if v, digits := s.number(); next && digits == 2 {
		c.s, c.seconds, how = v, true, 2
	} else {
		s.at = at
	}
	if c.h > 24 || c.m > 59 || c.s > 59 {
		s.at = start
		return clock{}, 0, false
	}
	if c.h == 24 {
		c.h = 0
	}
	if r == '.' {
		how |= 0x10
	}
	return c, how, true
}
