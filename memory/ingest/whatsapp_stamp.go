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

	unpadded bool // a month or day of one digit
	foreign  bool // in digits or words that aren't those of American phones
}

// family is a style without what stands between date and clock: a comma, a word or
// blanks, which changed with the app's versions, so that one file may have several.
func family(style string) (f [7]byte) {
	copy(f[copy(f[:], style[:4]):], style[5:])
	return f
}

// waHalves are the words for the halves of a day, without dots and blanks, in
// lower case: true is the second half. Words such as 晚上 are second halves; 凌晨
// is the first, where twelve is midnight.
var waHalves = halvesOfDay()

// waNights are words for the night, which lies on both sides of midnight.
var waNights = wordSet("半夜 深夜 午夜 夜里 夜晚")

// waFillers are words between date and clock.
var waFillers = wordSet("at à às om kl klo um u в г alle ore klokken kello เวลา lúc ob")

func halvesOfDay() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq("am vorm πμ ص قظ قبلازظهر 上午 早上 凌晨 清晨 오전 午前 öö पूर्वाह्न fm de dop pg paradite sáng sa ก่อนเที่ยง дп prijepodne পূর্বাহ্ণ முற்பகல் ಪೂರ್ವಾಹ್ನ ip") {
		out[strings.ReplaceAll(w, ".", "")] = false
	}
	for w := range strings.FieldsSeq("pm nachm μμ م بظ بعدازظهر 下午 晚上 傍晚 오후 午後 ös अपराह्न em du odp ptg md pasdite chiều ch หลังเที่ยง пп poslijepodne অপরাহ্ণ பிற்பகல் ಅಪರಾಹ್ನ") {
		out[strings.ReplaceAll(w, ".", "")] = true
	}
	return out
}

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
var digitZeros = [...]rune{0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10}

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

// word reads letters and dots: "p. m.", "下午", "klo".
func (s *waScan) word() string {
	start := s.at
	var b strings.Builder
	for s.at-start < 40 {
		r, n := s.peek()
		if n == 0 || !(unicode.IsLetter(r) || unicode.IsMark(r) || r == '.' && b.Len() > 0) {
			break
		}
		if r != '.' {
			b.WriteRune(unicode.ToLower(r))
		}
		s.at += n
	}
	return b.String()
}

func (s *waScan) stamp(bracket bool) (waStamp, string, bool) {
	var out waStamp
	none := func() (waStamp, string, bool) { return waStamp{}, "", false }
	var style [8]byte
	d, sep, width, single, ok := s.date()
	clockFirst := !ok
	if clockFirst { // "21:05, 15/3/2024": some locales put the clock first
		c, how, ok := s.clock()
		if !ok {
			return none()
		}
		out.clock = c
		style[3] = how
		s.blanks()
		s.take(',')
		s.blanks()
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
		comma := byte(' ')
		half, known, noon, night := false, false, false, false
		for range 4 { // blanks, a comma, words of the language
			s.blanks()
			if s.take(',') {
				comma = ','
				continue
			}
			at := s.at
			w := s.word()
			if w == "" {
				break
			}
			if second, is := waHalves[w]; is {
				half, known = second, true
				continue
			}
			if w == "中午" { // 中午11:50 and 中午12:10
				noon = true
				continue
			}
			if waNights[w] {
				night = true
				continue
			}
			if !waFillers[w] {
				s.at = at
				return none()
			}
		}
		c, how, ok := s.clock()
		if !ok {
			return none()
		}
		if known {
			c, how = c.half(half), how|0x20
		} else if noon {
			c, how = c.half(c.h < 10), how|0x20
			if c.h == 0 {
				c.h = 12
			}
		}
		if night {
			c, how = c.half(c.h >= 6 && c.h < 12), how|0x20
		}
		out.clock, style[3], style[4] = c, how, comma
	}
	// The end: a half of the day, then "]" or " - ".
	s.blanks()
	if w := s.longWord(); w != "" {
		second, is := waHalves[w]
		if !is && w != "uhr" && w != "h" && w != "ч" {
			return none()
		}
		if is {
			out.clock = out.clock.half(second)
			style[3] |= 0x20
		}
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

// foreignStamp reports whether a stamp has digits or letters that aren't ASCII.
func foreignStamp(s string) bool {
	return !isASCII(s) && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) })
}

// longWord is a word that may have blanks after its dots: "p. m.".
func (s *waScan) longWord() string {
	w := s.word()
	for w != "" {
		at := s.at
		s.blanks()
		more := s.word()
		if _, is := waHalves[w+more]; more == "" || !is {
			s.at = at
			return w
		}
		w += more
	}
	return w
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
			s.blanks()
		case i == 0 && (r == '年' || r == '년'), i == 1 && sep == 'h' && (r == '月' || r == '월'):
			sep = 'h'
			s.at += size
			s.blanks()
		case i == 2 && sep == 'h' && (r == '日' || r == '일'):
			s.at += size
		case i == 2 && sep == '.' && r == '.':
			s.at += size
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
	if sep == '.' && !d.ordered { // dots are written day first everywhere
		d.ordered, d.dom, d.month = true, d.a, d.b
	}
	if d.year >= 2400 && d.year < 2700 { // the Buddhist calendar
		d.year -= 543
	}
	return d, sep, width, digits[0] == 1 || digits[1] == 1, true
}

// clock reads "9:05", "21.05" or "17:52:02".
func (s *waScan) clock() (clock, byte, bool) {
	start := s.at
	h, digits := s.number()
	r, size := s.peek()
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
	if r2, size := s.peek(); r2 == r {
		at := s.at
		s.at += size
		if v, digits := s.number(); digits == 2 {
			c.s, c.seconds, how = v, true, 2
		} else {
			s.at = at
		}
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
