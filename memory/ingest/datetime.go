package ingest

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// day is a date as a source writes it. Which of a and b is the month isn't
// always certain: that is settled for a whole file, by dayOrder.
type day struct {
	year    int  // 0: not written
	short   bool // the year is written with two digits
	a, b    int  // numbers as written, in order
	ordered bool
	month   int  // with ordered: month and day are certain
	dom     int  // likewise
	dotted  bool // with ordered: by the dots between the numbers, unless the user says otherwise
	first   bool // "24. 3. 14.": likely the year, as Koreans write
	weekday int  // as written, from 1 for Sunday; 0: not written
}

// on resolves d with the order of a file ("dmy", "mdy" or "ymd"), taking a missing year
// from context (0: none). It reports false, and no time, for what is no date.
func (d day) on(order string, year int) (time.Time, bool) {
	month, dom := d.month, d.dom
	if d.year != 0 {
		year = d.year
	}
	order, slashes := strings.CutSuffix(order, slashesAlone)
	if !d.ordered || d.dotted && !slashes {
		switch dom, month = d.a, d.b; {
		case order == "mdy", order == "ymd" && d.year == 0 && !d.dotted:
			dom, month = d.b, d.a
		case order == "ymd" && d.short: // "24/3/15", read as if the year came last
			year, month, dom = 2000+d.a, d.b, d.year%100
		case order == "ymd" && !d.dotted: // a year of four digits stays where it stands
			return time.Time{}, false
		}
	}
	if year == 0 || month < 1 || month > 12 || dom < 1 || dom > 31 {
		return time.Time{}, false
	}
	t := time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC)
	if t.Day() != dom { // 31 April is no date, and not 1 May either
		return time.Time{}, false
	}
	return t, true
}

// clock is a time of day, or an offset from the start of a recording.
type clock struct {
	h, m, s int
	seconds bool           // seconds are written
	twelve  bool           // a half of the day is: "9:00 AM"
	zone    *time.Location // "Z", "+01:00"; nil: not written
}

func (c clock) offset() int { return c.h*3600 + c.m*60 + c.s }

var (
	months = monthNames()

	isoDay    = lazily(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})`)
	numberDay = lazily(`^(\d{1,2})([-/.])(\d{1,2})([-/.])(\d{4}|\d{2})\b`)
	hanDay    = lazily(`^(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]`)
	dayMonth  = lazily(`^(\d{1,2})(?:st|nd|rd|th|\.|º|er)?(?:\s+(?:of|de))?\s+(\p{L}+)\.?,?(?:\s+(?:de\s+)?(\d{4}))?`)
	monthDay  = lazily(`^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?`)
	weekdays  = lazily(`^(?i:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|(?:星期|周|週|礼拜)[一二三四五六日天])(?:[\s,.，、]+|$)`)
	weekdayOf = lazily(`^[\s,，(（]*(?:星期|周|週)[一二三四五六日天][)）]?`)

	clockForm = lazily(`^(上午|下午|晚上|凌晨|中午|早上|清晨|傍晚)?\s?(\d{1,3})[:.h：](\d{2})(?:[:：.](\d{2}))?(?:[.,]\d{1,6})?(?:[\s\x{202F}\x{00A0}]?([AaPp]\.?[Mm])\b\.?)?(?:\s?(?:Uhr|uur|h)\b)?`)
	zoneForm  = lazily(`^\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})(?:\b|$)`)
)

func monthNames() map[string]int {
	out := map[string]int{}
	for i, names := range []string{
		"january jan januar jänner janvier janv enero ene gennaio gen janeiro januari",
		"february feb februar février févr febrero febbraio fevereiro fev februari",
		"march mar märz mär mrz mars marzo março maart mrt",
		"april apr avril avr abril abr aprile",
		"may mai mayo maggio mag maio mei",
		"june jun juni juin junio giugno giu junho",
		"july jul juli juillet juil julio luglio lug julho",
		"august aug août agosto ago augustus",
		"september sep sept septembre septiembre settembre set setembro",
		"october oct oktober okt octobre octubre ottobre ott outubro out",
		"november nov novembre noviembre novembro",
		"december dec dezember dez décembre déc diciembre dic dicembre dezembro",
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = i + 1
		}
	}
	return out
}

// cutDay reads a date at the start of s and returns what follows it.
func cutDay(s string) (day, string, bool) {
	if s == "" || !startsDigit(s) && !startsDate(s) {
		return day{}, s, false
	}
	if w := weekday(s); w != "" && w != s {
		d, rest, ok := cutDay(s[len(w):])
		if d.weekday == 0 {
			d.weekday = weekdayNumber(w)
		}
		return d, rest, ok
	}
	if !startsDigit(s) {
		return cutMonthFirst(s)
	}
	if d, after, ok := plainISO(s); ok {
		return d, afterDay(after), true
	}
	if m := isoDay.FindStringSubmatch(s); m != nil && m[2] == m[4] && !startsDigit(s[len(m[0]):]) {
		return day{year: atoi(m[1]), ordered: true, month: atoi(m[3]), dom: atoi(m[5])}, afterDay(s[len(m[0]):]), true
	}
	if m := numberDay.FindStringSubmatch(s); m != nil && m[2] == m[4] {
		d := day{year: atoi(m[5]), a: atoi(m[1]), b: atoi(m[3])}
		if len(m[5]) == 2 {
			d.year, d.short = d.year+2000, true
		}
		if m[2] == "." { // dots are written day first everywhere
			d.ordered, d.dotted, d.dom, d.month = true, true, d.a, d.b
		}
		return d, afterDay(s[len(m[0]):]), true
	}
	if m := hanDay.FindStringSubmatch(s); m != nil { // 3月3日
		return day{year: atoi(m[1]), ordered: true, month: atoi(m[2]), dom: atoi(m[3])}, afterDay(s[len(m[0]):]), true
	}
	if m := dayMonth.FindStringSubmatch(s); m != nil && months[strings.ToLower(m[2])] != 0 {
		return day{year: atoi(m[3]), ordered: true, month: months[strings.ToLower(m[2])], dom: atoi(m[1])}, afterDay(s[len(m[0]):]), true
	}
	return day{}, s, false
}

// cutMonthFirst reads "March 3, 2024".
func cutMonthFirst(s string) (day, string, bool) {
	if m := monthDay.FindStringSubmatch(s); m != nil && months[strings.ToLower(m[1])] != 0 {
		return day{year: atoi(m[3]), ordered: true, month: months[strings.ToLower(m[1])], dom: atoi(m[2])}, afterDay(s[len(m[0]):]), true
	}
	return day{}, s, false
}

// startsDate reports whether s begins with a month or a weekday, so that most
// lines need no pattern.
func startsDate(s string) bool {
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); i > 0 && i <= 12 && months[strings.ToLower(s[:i])] != 0 {
		return true
	}
	return weekday(s) != ""
}

// weekday returns the weekday at the start of s with what separates it.
func weekday(s string) string {
	if startsDigit(s) || len(s) < 2 {
		return ""
	}
	word := s
	if i := strings.IndexAny(s, " \t,.，、"); i >= 0 {
		word = s[:i]
	}
	if len(word) > 16 {
		return ""
	}
	return weekdays.FindString(s)
}

// weekdayWords are beginnings of weekdays in the languages that write them beside
// dates, Sunday first.
var weekdayWords = [7][]string{
	strings.Fields("sun sonntag so dim dom 日 天 일 อาทิตย์ อา"), strings.Fields("mon montag mo lun 月 一 월 จันทร์ จ"),
	strings.Fields("tue dienstag di mar 火 二 화 อังคาร อ"), strings.Fields("wed mittwoch mi mer mié 水 三 수 พุธ พ"),
	strings.Fields("thu donnerstag do jeu jue 木 四 목 พฤหัส พฤ"), strings.Fields("fri freitag fr ven vie 金 五 금 ศุกร์ ศ"),
	strings.Fields("sat samstag sonnabend sa sam sáb 土 六 토 เสาร์ ส"),
}

// weekdayNumber is the weekday that a word says, from 1 for Sunday; 0 for none. The
// longest beginning counts: "dom" is no "do".
func weekdayNumber(s string) int {
	s = strings.ToLower(strings.Trim(s, " \t,.，、()（）\u00a0"))
	for _, prefix := range []string{"星期", "周", "週", "礼拜", "วัน"} {
		s = strings.TrimPrefix(s, prefix)
	}
	number, length := 0, 0
	for i, words := range weekdayWords {
		for _, w := range words {
			if len(w) > length && strings.HasPrefix(s, w) {
				number, length = i+1, len(w)
			}
		}
	}
	return number
}

func startsDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// afterDay drops a weekday written behind a date.
func afterDay(s string) string {
	if s == "" {
		return s
	}
	head := s[:min(len(s), 16)]
	if strings.IndexByte(head, 0xe6) < 0 && strings.IndexByte(head, 0xe5) < 0 && strings.IndexByte(head, 0xe9) < 0 {
		return s // 星, 周 and 週 begin with these bytes
	}
	if loc := weekdayOf.FindStringIndex(s); loc != nil {
		return s[loc[1]:]
	}
	return s
}

// cutClock reads a time of day (or an offset) at the start of s.
func cutClock(s string) (clock, string, bool) {
	if s == "" || !startsDigit(s) && s[0] < 0x80 {
		return clock{}, s, false
	}
	if c, after, ok := plainClock(s); ok {
		return c, after, true
	}
	m := clockForm.FindStringSubmatch(s)
	if m == nil {
		return clock{}, s, false
	}
	c := clock{h: atoi(m[2]), m: atoi(m[3]), s: atoi(m[4]), seconds: m[4] != "", twelve: m[1] != "" || m[5] != ""}
	rest := s[len(m[0]):]
	if word := m[1] + m[5]; word != "" {
		if c, ok := c.in(dayParts[dayPartKey(word)]); ok || c.h > 23 {
			return cutZone(c, s, rest)
		}
		return clock{}, s, false
	}
	return cutZone(c, s, rest)
}

// cutZone reads the zone that follows a clock, and refuses a clock that can't be.
func cutZone(c clock, s, rest string) (clock, string, bool) {
	if z := zoneForm.FindStringSubmatch(rest); z != nil {
		c.zone = time.UTC
		if z[1][0] == '+' || z[1][0] == '-' {
			d := strings.ReplaceAll(z[1][1:], ":", "")
			seconds := atoi(d[:2])*3600 + atoi(d[2:])*60
			if z[1][0] == '-' {
				seconds = -seconds
			}
			c.zone = time.FixedZone("", seconds)
		}
		rest = rest[len(z[0]):]
	}
	if c.m > 59 || c.s > 59 {
		return clock{}, s, false
	}
	return c, rest, true
}

// plainISO and plainClock read the commonest forms without a pattern; they give
// what the patterns give, or leave it to them.
func plainISO(s string) (day, string, bool) {
	if len(s) < len("2024-03-03") || s[4] != '-' && s[4] != '/' && s[4] != '.' || s[7] != s[4] || len(s) > 10 && s[10] >= '0' && s[10] <= '9' {
		return day{}, "", false
	}
	y, ok1 := digits(s[:4])
	m, ok2 := digits(s[5:7])
	d, ok3 := digits(s[8:10])
	return day{year: y, ordered: true, month: m, dom: d}, s[10:], ok1 && ok2 && ok3
}

func plainClock(s string) (clock, string, bool) {
	if len(s) < len("21:14") || s[2] != ':' {
		return clock{}, "", false
	}
	h, ok1 := digits(s[:2])
	m, ok2 := digits(s[3:5])
	c, rest := clock{h: h, m: m}, s[5:]
	if len(rest) >= 3 && rest[0] == ':' {
		sec, ok := digits(rest[1:3])
		if !ok {
			return clock{}, "", false
		}
		c.s, c.seconds, rest = sec, true, rest[3:]
	}
	if !ok1 || !ok2 || c.m > 59 || c.s > 59 {
		return clock{}, "", false
	}
	switch {
	case rest == "" || rest[0] == ']' || rest[0] == ')':
	case rest[0] == ' ' && len(rest) > 2 && (rest[1] == '-' && rest[2] == ' ' || rest[1] == '<' || rest[1] == '|'):
	default: // a half of the day or a zone may follow
		return clock{}, "", false
	}
	return c, rest, true
}

// digits is the number that ASCII digits make.
func digits(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// mark is what a source writes to say when: a date, a clock, or both.
type mark struct {
	day      day
	clock    clock
	hasDay   bool
	hasClock bool
	given    string
}

// cutMark reads a date, a clock, or both in either order, at the start of s.
func cutMark(s string) (mark, string, bool) {
	var k mark
	rest := s
	if d, after, ok := cutDay(rest); ok {
		k.day, k.hasDay, rest = d, true, after
		sep := strings.TrimLeft(rest, " ,T\u202f\u00a0，")
		sep = strings.TrimPrefix(sep, "at ")
		sep = strings.TrimPrefix(sep, "um ")
		if c, after, ok := cutClock(sep); ok && len(sep) < len(rest) && c.h < 24 {
			k.clock, k.hasClock, rest = c, true, after
		} else if c, after, ok := cutClock(rest); ok && strings.ContainsAny(s[:len(s)-len(rest)], "日号") && c.h < 24 {
			k.clock, k.hasClock, rest = c, true, after
		} else if c, after, ok := cutHours(sep); ok && len(sep) < len(rest) {
			k.clock, k.hasClock, rest = c, true, after
		}
	} else if c, after, ok := cutClock(rest); ok {
		k.clock, k.hasClock, rest = c, true, after
		sep := strings.TrimLeft(rest, " ,")
		if d, after, ok := cutDay(sep); ok && len(sep) < len(rest) && d.year != 0 {
			k.day, k.hasDay, rest = d, true, after
		}
	} else if c, after, ok := cutHours(rest); ok && (after == "" || strings.HasPrefix(after, " -") || strings.HasPrefix(after, " –")) {
		k.clock, k.hasClock, rest = c, true, after
	} else {
		return mark{}, s, false
	}
	k.given = s[:len(s)-len(rest)]
	return k, rest, true
}

var yearless = lazily(`^(\d{1,2})([/.])(\d{1,2})\.?,?\s+`)

// cutYearless reads "4/3 9:15 PM", a stamp without its year, as chats that were
// copied bear them: the file must tell the year.
func cutYearless(s string) (mark, string, bool) {
	m := yearless.FindStringSubmatch(s)
	if m == nil {
		return mark{}, s, false
	}
	c, rest, ok := cutClock(s[len(m[0]):])
	if !ok || c.h > 23 {
		return mark{}, s, false
	}
	d := day{a: atoi(m[1]), b: atoi(m[3])}
	if m[2] == "." {
		d.ordered, d.dom, d.month = true, d.a, d.b
	}
	return mark{day: d, hasDay: true, clock: c, hasClock: true, given: s[:len(s)-len(rest)]}, rest, true
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
