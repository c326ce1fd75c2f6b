package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/memory/lexical"
)

// foldText is the form in which the stages compare text: compatibility forms
// unified, lower case, straight apostrophes and quotes, invisible characters out.
func foldText(s string) string {
	if isASCII(s) {
		return strings.ToLower(strings.ReplaceAll(s, "`", "'"))
	}
	return norm.NFKC.String(strings.ToLower(strings.Map(visible, norm.NFKC.String(s))))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func visible(r rune) rune {
	switch {
	case r == '’' || r == '‘' || r == 'ʼ' || r == '`':
		return '\''
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == utf8.RuneError:
		return -1
	}
	return r
}

// details are the attributable parts of a statement: what identifies it, rather
// than what it is about. Each list is sorted and without repetition.
type details struct {
	numbers []string // normalised digits: "84000", "0.2", years left out of dates
	dates   []string // "2025-06-13", or "06-13" where no year is stated, "2025-06" for a month
	names   []string // words that look like proper names, folded
	terms   []string // index terms
}

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12,
}

const monthWords = `january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|sept|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec`

var (
	monthWord  = regexp.MustCompile(`\b(?:` + monthWords + `)\b`)
	isoDate    = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	dayMonth   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(` + monthWords + `)\b(?:,? (\d{4})\b)?`)
	monthDay   = regexp.MustCompile(`\b(` + monthWords + `) (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?`)
	monthYear  = regexp.MustCompile(`\b(` + monthWords + `),? (\d{4})\b`)
	cjkDate    = regexp.MustCompile(`(?:(\d{4})年)?(\d{1,2})月(?:份)?(?:(\d{1,2})[日号號])?`)
	numberWord = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
)

// detailsOf returns the details of a statement.
func detailsOf(text string) details { return detailsMemo.of(text) }

func readDetails(text string) details {
	s := foldText(text)
	var d details
	s = d.takeDates(s)
	for _, n := range numberWord.FindAllString(s, -1) {
		d.numbers = append(d.numbers, strings.TrimRight(strings.ReplaceAll(n, ",", ""), "."))
	}
	d.names = properNames(text)
	d.terms = lexical.Terms(text)
	for _, list := range []*[]string{&d.numbers, &d.dates, &d.names, &d.terms} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return d
}

// takeDates moves the dates of s into d and returns s without them.
func (d *details) takeDates(s string) string {
	take := func(re *regexp.Regexp, year, month, day int) {
		s = re.ReplaceAllStringFunc(s, func(m string) string {
			g := re.FindStringSubmatch(m)
			at := func(i int) string {
				if i == 0 {
					return ""
				}
				return g[i]
			}
			mon := at(month)
			if n, ok := months[mon]; ok {
				mon = twoDigits(n)
			} else {
				mon = pad(mon)
			}
			switch y, dd := at(year), pad(at(day)); {
			case y != "" && dd != "":
				d.dates = append(d.dates, y+"-"+mon+"-"+dd)
			case dd != "":
				d.dates = append(d.dates, mon+"-"+dd)
			case y != "":
				d.dates = append(d.dates, y+"-"+mon)
			default:
				d.dates = append(d.dates, "-"+mon+"-")
			}
			return " "
		})
	}
	if !strings.ContainsAny(s, "0123456789") && !strings.Contains(s, "月") {
		return s
	}
	if strings.Contains(s, "-") {
		take(isoDate, 1, 2, 3)
	}
	if dayCues.in(s).has(monthWord) {
		take(dayMonth, 3, 2, 1)
		take(monthYear, 2, 1, 0)
		take(monthDay, 3, 1, 2)
	}
	if strings.Contains(s, "月") {
		s = digitDays(s)
		take(cjkDate, 1, 2, 3)
	}
	return s
}

func twoDigits(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

func pad(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// sameDay reports whether two dates of details can be one: equal, or one lacks
// the year of the other.
func sameDay(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) == len("01-02") && len(b) == len("2006-01-02") && strings.HasSuffix(b, "-"+a)
}

// properNames returns the words of text that look like names: capitalised words
// in Latin script that do not open a sentence. Scripts without capitals have
// none; there the rare terms stand in.
func properNames(text string) []string {
	var out []string
	start := true
	for _, w := range splitWords(text) {
		r, _ := utf8.DecodeRuneInString(w.text)
		if unicode.IsUpper(r) && !start && utf8.RuneCountInString(w.text) > 1 {
			f := strings.TrimSuffix(foldText(w.text), "'s")
			if _, month := months[f]; !month && !weekdays[f] && !lexical.IsStopWord(f) {
				out = append(out, f)
			}
		}
		start = w.endsSentence
	}
	return out
}

var weekdays = map[string]bool{"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true}

type word struct {
	text         string
	endsSentence bool
}

// splitWords splits at everything but letters, digits, apostrophes and hyphens,
// and notes where a sentence ends.
func splitWords(text string) []word {
	var out []word
	begin := -1
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' || r == '-' || unicode.Is(unicode.Mn, r) {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 {
			out = append(out, word{text: strings.Trim(text[begin:i], "'’-")})
			begin = -1
		}
		if len(out) > 0 && strings.ContainsRune(".!?\n。！？:", r) {
			out[len(out)-1].endsSentence = true
		}
	}
	if begin >= 0 {
		out = append(out, word{text: strings.Trim(text[begin:], "'’-")})
	}
	return slices.DeleteFunc(out, func(w word) bool { return w.text == "" })
}
