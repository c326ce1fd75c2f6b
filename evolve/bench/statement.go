package bench

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
)

// statement is a text taken apart into what it can be recognised by: index terms,
// and the specific ones among its details, amounts, days and names. It shares no code
// with the guard, which it measures.
type statement struct {
	terms   map[string]bool // stems, and character pairs of Chinese
	amounts map[string]bool // "84000", "0.2"
	days    map[string]bool // "01-14"
	months  map[string]bool // "01", of days too
	names   map[string]bool // folded words that look like names
	runes   map[rune]bool   // Chinese characters
	clauses []clauseOf
}

// clauseOf is a clause with whether a word turns its claim into its contrary.
type clauseOf struct {
	terms  map[string]bool
	denies bool
}

var (
	amountWord = regexp.MustCompile(`(\d[\d,]*(?:\.\d+)?)\s?(k\b|m\b|million\b|thousand\b|万|千|亿|%)?`)
	isoDay     = regexp.MustCompile(`\b\d{4}-(\d{1,2})-(\d{1,2})\b`)
	dayMonth   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + monthNames + `)\b`)
	monthDay   = regexp.MustCompile(`\b(` + monthNames + `) (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b`)
	cjkDay     = regexp.MustCompile(`(\d{1,2})月(\d{1,2})(?:日|号)?`)
	cjkMonth   = regexp.MustCompile(`(\d{1,2})月`)
	monthAlone = regexp.MustCompile(`\b(` + monthNames + `)\b`)
	cjkNumber  = regexp.MustCompile(`[零一二两三四五六七八九十百千万亿]{1,}`)
	denial     = regexp.MustCompile(`\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't)\b`)
	clauseEnd  = regexp.MustCompile(`[,;:.!?，；：。！？、—\n]+\s*`)
	cjkDenial  = regexp.MustCompile(`没有|没|不是|不会|不能|不|未|别`)
)

const monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`

var monthNumber = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// numberWords are amounts in words, as they are said in chats.
var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100",
}

func readStatement(text string) *statement {
	s := &statement{terms: map[string]bool{}, amounts: map[string]bool{}, days: map[string]bool{}, months: map[string]bool{}, names: map[string]bool{}, runes: map[rune]bool{}}
	folded := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	for _, c := range clauseEnd.Split(folded, -1) {
		one := clauseOf{terms: map[string]bool{}, denies: denial.MatchString(c) || cjkDenial.MatchString(c)}
		for _, t := range lexical.Terms(c) {
			one.terms[t] = true
		}
		if len(one.terms) > 0 {
			s.clauses = append(s.clauses, one)
		}
	}
	rest := s.takeDays(folded)
	for _, m := range amountWord.FindAllStringSubmatch(rest, -1) {
		s.amounts[amount(m[1], m[2])] = true
	}
	rest = cjkNumber.ReplaceAllStringFunc(rest, func(m string) string {
		n, ok := readCJKNumber(m)
		if !ok || n <= 1 {
			return m
		}
		s.amounts[strconv.FormatFloat(n, 'f', -1, 64)] = true
		if utf8.RuneCountInString(m) < 2 {
			return m // 三 may belong to a word
		}
		return " "
	})
	for _, w := range lexical.Words(rest) {
		if n, ok := numberWords[w]; ok {
			s.amounts[n] = true
		}
	}
	for _, t := range lexical.Terms(rest) {
		if r, _ := utf8.DecodeRuneInString(t); !unicode.IsDigit(r) && monthNumber[firstRunes(t, 3)] == 0 {
			s.terms[t] = true
		}
	}
	for _, r := range folded {
		if unicode.Is(unicode.Han, r) {
			s.runes[r] = true
		}
	}
	s.takeNames(text)
	return s
}

func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n]
}

// amount writes a number so that 84k and 84,000 are one.
func amount(digits, unit string) string {
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if err != nil {
		return digits
	}
	switch unit {
	case "k", "thousand", "千":
		n *= 1e3
	case "m", "million":
		n *= 1e6
	case "万":
		n *= 1e4
	case "亿":
		n *= 1e8
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

var cjkDigits = map[rune]float64{'零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// readCJKNumber reads a Chinese numeral: 一百二十, 十一万六. A last digit behind 万,
// 千 or 百 stands for the next place.
func readCJKNumber(s string) (float64, bool) {
	total, section, digit, last := 0.0, 0.0, -1.0, 0.0
	for _, r := range s {
		if d, ok := cjkDigits[r]; ok {
			digit = d
			continue
		}
		unit := map[rune]float64{'十': 10, '百': 100, '千': 1000, '万': 1e4, '亿': 1e8}[r]
		if unit >= 1e4 {
			section += max(digit, 0)
			if section == 0 {
				section = 1
			}
			total += section * unit
			section = 0
		} else {
			if digit < 0 {
				digit = 1
			}
			section += digit * unit
		}
		digit, last = -1, unit
	}
	if digit > 0 {
		if last >= 100 {
			digit *= last / 10
		}
		section += digit
	}
	return total + section, total+section > 0
}

// takeDays moves days and months of folded text into s and returns the rest.
func (s *statement) takeDays(text string) string {
	day := func(month, day string) {
		m, d := monthOf(month), number(day)
		if m > 0 && d > 0 && d <= 31 {
			s.days[two(m)+"-"+two(d)] = true
			s.months[two(m)] = true
		}
	}
	take := func(re *regexp.Regexp, month, dayAt int) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			if dayAt > 0 {
				day(m[month], m[dayAt])
			} else if n := monthOf(m[month]); n > 0 {
				s.months[two(n)] = true
			}
		}
		text = re.ReplaceAllString(text, " ")
	}
	take(isoDay, 1, 2)
	take(dayMonth, 2, 1)
	take(monthDay, 1, 2)
	take(cjkDay, 1, 2)
	take(cjkMonth, 1, 0)
	for _, m := range monthAlone.FindAllString(text, -1) {
		if m != "may" && m != "mar" {
			s.months[two(monthOf(m))] = true
		}
	}
	return yearWord.ReplaceAllString(text, " ")
}

var yearWord = regexp.MustCompile(`\b(?:19|20)\d\d\b|(?:19|20)\d\d年`)

func monthOf(s string) int {
	if n := number(s); n > 0 && n <= 12 {
		return n
	}
	return monthNumber[firstRunes(s, 3)]
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// takeNames keeps the capitalised words that open no sentence.
func (s *statement) takeNames(text string) {
	start := true
	for _, field := range strings.Fields(text) {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(word)
		if unicode.IsUpper(r) && !start && utf8.RuneCountInString(word) > 1 && !lexical.IsStopWord(word) {
			folded := strings.ToLower(word)
			if !monthAlone.MatchString(folded) {
				s.names[lexical.Stem(folded)] = true
			}
		}
		start = strings.HasSuffix(field, ".") || strings.HasSuffix(field, "!") || strings.HasSuffix(field, "?") || strings.HasSuffix(field, ":")
	}
}

// sentencesOf cuts an answer into sentences and lines.
func sentencesOf(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "-•*"))
		if line == "" {
			continue
		}
		for _, s := range lexical.Sentences(line) {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// add puts what other says into s.
func (s *statement) add(other *statement) {
	maps.Copy(s.terms, other.terms)
	maps.Copy(s.amounts, other.amounts)
	maps.Copy(s.days, other.days)
	maps.Copy(s.months, other.months)
	maps.Copy(s.names, other.names)
	maps.Copy(s.runes, other.runes)
}

func (s *statement) clone() *statement {
	out := readStatement("")
	out.add(s)
	out.clauses = s.clauses
	return out
}

// denies reports whether the clause of s that shares most with other denies
// something; of several that share as much, all of them.
func (s *statement) denies(other *statement) bool {
	best, denies := 0, false
	for _, c := range s.clauses {
		shared := 0
		for t := range c.terms {
			shared += b2i(other.terms[t])
		}
		switch {
		case shared > best:
			best, denies = shared, c.denies
		case shared == best:
			denies = denies && c.denies
		}
	}
	return denies
}
