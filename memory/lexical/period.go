package lexical

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Days is a stretch of whole days, both ends in it, as days since 1 January 1970.
// The zero value is no time at all: nothing is asked of that day itself.
type Days struct{ First, Last int32 }

// Meet reports whether two stretches have a day in common.
func (d Days) Meet(e Days) bool {
	return d != Days{} && e != Days{} && d.First <= e.Last && e.First <= d.Last
}

func meets(list []Days, d Days) bool {
	for _, e := range list {
		if e.Meet(d) {
			return true
		}
	}
	return false
}

// Day returns the stretch of one day, "2006-01-02"; none for anything else.
func Day(date string) Days {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return Days{}
	}
	return between(t, t)
}

// between returns the stretch from one day to another.
func between(first, last time.Time) Days {
	return Days{int32(first.Unix() / 86400), int32(last.Unix() / 86400)}
}

// unit is a stretch of the calendar.
type unit int

const (
	day unit = iota
	week
	month
	year
	weekend
	season // by its first month
)

// span returns the stretch of u that begins n units after the one of t.
func (u unit) span(t time.Time, n int) Days {
	switch u {
	case week:
		first := t.AddDate(0, 0, 7*n-(int(t.Weekday())+6)%7)
		return between(first, first.AddDate(0, 0, 6))
	case weekend:
		first := t.AddDate(0, 0, 7*n+5-(int(t.Weekday())+6)%7)
		return between(first, first.AddDate(0, 0, 1))
	case month:
		first := date(t.Year(), t.Month()+time.Month(n), 1)
		return between(first, first.AddDate(0, 1, -1))
	case year:
		return between(date(t.Year()+n, 1, 1), date(t.Year()+n, 12, 31))
	}
	return between(t.AddDate(0, 0, n), t.AddDate(0, 0, n))
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

var periodUnits = map[string]unit{
	"day": day, "days": day, "week": week, "weeks": week, "month": month, "months": month, "year": year, "years": year, "weekend": weekend, "weekends": weekend,
	"tag": day, "tage": day, "tagen": day, "woche": week, "wochen": week, "monat": month, "monate": month, "monaten": month, "jahr": year, "jahre": year, "jahren": year, "wochenende": weekend,
}

var periodMonths = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"januar": 1, "februar": 2, "marz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12,
}

var periodWeekdays = map[string]time.Weekday{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	"montag": 1, "dienstag": 2, "mittwoch": 3, "donnerstag": 4, "freitag": 5, "samstag": 6, "sonntag": 0,
}

// periodSeasons are the first months of the northern seasons; three months each.
var periodSeasons = map[string]time.Month{
	"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "fruhling": 3, "fruhjahr": 3, "sommer": 6, "herbst": 9,
}

// direction of "last", "this" and "next", German by the stem.
func periodDirection(w string) (n int, ok bool) {
	switch {
	case w == "last", w == "previous", w == "past", strings.HasPrefix(w, "letzt"), strings.HasPrefix(w, "vergangen"), strings.HasPrefix(w, "vorig"):
		return -1, true
	case w == "this", w == "current", w == "diese", w == "diesen", w == "diesem", w == "dieses", w == "dieser":
		return 0, true
	case w == "next", w == "coming", strings.HasPrefix(w, "nachst"), strings.HasPrefix(w, "kommend"):
		return 1, true
	}
	return 0, false
}

var periodSmall = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
}

func periodNumber(w string) (int, bool) {
	if n, ok := periodSmall[w]; ok {
		return n, true
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n > 0 && n < 1000
}

// ReadDays returns the times that a question names, in English, German or Chinese:
// "last May", "two weeks ago", "im letzten Mai", "vor drei Tagen", "8. Mai 2023",
// 上周, 去年五月. today is the day on which it is asked, "2006-01-02"; without one
// only full dates are read.
func ReadDays(text, today string) []Days {
	now, err := time.Parse(time.DateOnly, today)
	p := periodReader{now: now, known: err == nil}
	rest := p.chinese(fold(text))
	for _, w := range periodWord.FindAllString(rest, -1) {
		p.words = append(p.words, strings.TrimSuffix(w, "'s"))
	}
	for i := 0; i < len(p.words); {
		d, n := p.at(i)
		if n > 0 {
			p.out = append(p.out, d)
		}
		i += max(n, 1)
	}
	return p.out
}

var periodWord = regexp.MustCompile(`[\p{Latin}]+(?:'[\p{Latin}]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]+`)

type periodReader struct {
	now   time.Time
	known bool
	words []string
	out   []Days
}

func (p *periodReader) word(i int) string {
	if i < 0 || i >= len(p.words) {
		return ""
	}
	return strings.TrimSuffix(p.words[i], ".")
}

// at reads the time that begins with word i, and says over how many words it goes.
func (p *periodReader) at(i int) (Days, int) {
	w := p.word(i)
	if d := Day(w); d != (Days{}) {
		return d, 1
	}
	if d, n := p.calendar(i); n > 0 {
		return d, n
	}
	if !p.known {
		return Days{}, 0
	}
	switch w {
	case "yesterday", "gestern":
		return day.span(p.now, -1), 1
	case "today", "tonight", "heute":
		return day.span(p.now, 0), 1
	case "tomorrow":
		return day.span(p.now, 1), 1
	case "vorgestern":
		return day.span(p.now, -2), 1
	case "ubermorgen":
		return day.span(p.now, 2), 1
	case "vor", "in":
		if n, ok := periodNumber(p.word(i + 1)); ok {
			if u, ok := periodUnits[p.word(i+2)]; ok {
				if w == "vor" {
					n = -n
				}
				return u.span(p.now, n), 3
			}
		}
	}
	if n, ok := periodNumber(w); ok && p.word(i+2) == "ago" {
		if u, ok := periodUnits[p.word(i+1)]; ok {
			return u.span(p.now, -n), 3
		}
	}
	n, ok := periodDirection(w)
	if !ok {
		return Days{}, 0
	}
	next := p.word(i + 1)
	if u, ok := periodUnits[next]; ok && u != day {
		return u.span(p.now, n), 2
	}
	if m, ok := periodMonths[next]; ok {
		return p.monthAt(m, n), 2
	}
	if m, ok := periodSeasons[next]; ok {
		first := p.monthStart(m, n)
		return between(first, first.AddDate(0, 3, -1)), 2
	}
	if wd, ok := periodWeekdays[next]; ok {
		away := (int(wd) - int(p.now.Weekday()) + 7) % 7 // 0..6 ahead
		switch {
		case n < 0 && away >= 0:
			away -= 7
		case n > 0 && away == 0:
			away = 7
		}
		return day.span(p.now, away), 2
	}
	return Days{}, 0
}

// monthStart is the first day of the month m behind, at or ahead of today.
func (p *periodReader) monthStart(m time.Month, n int) time.Time {
	y := p.now.Year()
	switch {
	case n < 0 && m >= p.now.Month():
		y--
	case n > 0 && m <= p.now.Month():
		y++
	}
	return date(y, m, 1)
}

func (p *periodReader) monthAt(m time.Month, n int) Days {
	return month.span(p.monthStart(m, n), 0)
}

// calendar reads "8 May 2023", "May 8th, 2023", "8. Mai", "May 2023", "in 2023".
func (p *periodReader) calendar(i int) (Days, int) {
	w := p.word(i)
	d, isDay := monthDay(w)
	j := i
	if isDay {
		j++
		if x := p.word(j); x == "st" || x == "nd" || x == "rd" || x == "th" {
			j++
		}
		if p.word(j) == "of" {
			j++
		}
	}
	m, ok := periodMonths[p.word(j)]
	if !ok {
		if y, ok := yearOf(w); ok {
			return year.span(date(y, 1, 1), 0), 1
		}
		return Days{}, 0
	}
	j++
	if !isDay {
		if n, ok := monthDay(p.word(j)); ok {
			d, isDay = n, true
			j++
			if x := p.word(j); x == "st" || x == "nd" || x == "rd" || x == "th" {
				j++
			}
		}
	}
	y, hasYear := yearOf(p.word(j))
	switch {
	case hasYear:
		j++
	case !p.known || (m == 3 || m == 5) && !isDay && !beforeMonth[p.word(i-1)]: // "may" and "march" are mostly no months
		return Days{}, 0
	default:
		y = p.monthStart(m, -1).Year()
		if m == p.now.Month() {
			y = p.now.Year()
		}
	}
	if isDay {
		t := date(y, m, d)
		return between(t, t), j - i
	}
	return month.span(date(y, m, 1), 0), j - i
}

// beforeMonth are words that make a month of the "may" behind them.
var beforeMonth = set("in im of since seit during until bis before after by from between early late mid ab")

func monthDay(w string) (int, bool) {
	n, err := strconv.Atoi(w)
	return n, err == nil && n >= 1 && n <= 31 && len(w) <= 2
}

func yearOf(w string) (int, bool) {
	n, err := strconv.Atoi(w)
	return n, err == nil && n >= 1900 && n < 2100 && len(w) == 4
}

var (
	chineseDate     = regexp.MustCompile(`(?:([0-9]{4})年|(去年|今年|明年|前年))?([0-9]{1,2}|[一二三四五六七八九十]{1,2})月(?:([0-9]{1,2}|[一二三四五六七八九十]{1,3})[日号])?`)
	chineseYear     = regexp.MustCompile(`([0-9]{4})年|(去年|今年|明年|前年)`)
	chineseAgo      = regexp.MustCompile(`([0-9]{1,3}|[一二两三四五六七八九十]{1,3})个?(天|周|星期|月|年)(前|之前|以前|后|之后)`)
	chineseRelative = regexp.MustCompile(`(上上|上|这|本|下)个?(周末|周|星期|月)([一二三四五六日天])?`)
	chineseNear     = regexp.MustCompile(`大前天|前天|昨天|昨晚|今天|今晚|明天|后天`)
)

var (
	chineseUnits = map[string]unit{"天": day, "周": week, "星期": week, "月": month, "年": year, "周末": weekend}
	chineseStep  = map[string]int{"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "前年": -2, "去年": -1, "今年": 0, "明年": 1}
	chineseDays  = map[string]int{"大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "明天": 1, "后天": 2}
)

// chinese reads the times of Chinese text, most exact first: a longer one takes
// its characters from the shorter ones. It returns what is left.
func (p *periodReader) chinese(s string) string {
	take := func(re *regexp.Regexp, read func(m []string) (Days, bool)) {
		s = re.ReplaceAllStringFunc(s, func(found string) string {
			if d, ok := read(re.FindStringSubmatch(found)); ok {
				p.out = append(p.out, d)
				return " "
			}
			return found
		})
	}
	yearIn := func(given, relative string) (int, bool) {
		if given != "" {
			return yearOf(given)
		}
		n, ok := chineseStep[relative]
		return p.now.Year() + n, ok && p.known
	}
	take(chineseAgo, func(m []string) (Days, bool) {
		n := chineseNumber(m[1])
		if m[3] != "后" && m[3] != "之后" {
			n = -n
		}
		return chineseUnits[m[2]].span(p.now, n), p.known && n != 0
	})
	take(chineseRelative, func(m []string) (Days, bool) {
		u := chineseUnits[m[2]]
		d := u.span(p.now, chineseStep[m[1]])
		if m[3] != "" && u == week {
			at := d.First + int32(max(strings.Index("一二三四五六日", strings.Replace(m[3], "天", "日", 1))/len("一"), 0))
			d = Days{at, at}
		}
		return d, p.known
	})
	take(chineseDate, func(m []string) (Days, bool) {
		y, ok := yearIn(m[1], m[2])
		mon := time.Month(chineseNumber(m[3]))
		if mon < 1 || mon > 12 {
			return Days{}, false
		}
		if !ok {
			if !p.known {
				return Days{}, false
			}
			y = p.now.Year()
			if mon > p.now.Month() {
				y--
			}
		}
		if n := chineseNumber(m[4]); n >= 1 && n <= 31 {
			return between(date(y, mon, n), date(y, mon, n)), true
		}
		return month.span(date(y, mon, 1), 0), true
	})
	take(chineseYear, func(m []string) (Days, bool) {
		y, ok := yearIn(m[1], m[2])
		return year.span(date(y, 1, 1), 0), ok
	})
	take(chineseNear, func(m []string) (Days, bool) { return day.span(p.now, chineseDays[m[0]]), p.known })
	return s
}

// chineseNumber reads 1..99 in figures or characters; 0 for anything else.
func chineseNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	n, tens := 0, 0
	for _, r := range s {
		if r == '十' {
			tens, n = 10*max(n, 1), 0
			continue
		}
		if r == '两' {
			r = '二'
		}
		n = strings.Index("一二三四五六七八九", string(r))/len("一") + 1
	}
	return tens + n
}
