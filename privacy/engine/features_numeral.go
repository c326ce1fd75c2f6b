package engine

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// numeralDay is a day of the year in Chinese numerals, in whole or in part: "六月十八号",
// "11月二十一". A number of months ("六个月") is no day.
var numeralDay = regexp.MustCompile(`(十[一二]?|[一二三四五六七八九]|\d{1,2})月(份?)(三十一?|[二廿]?十[一二三四五六七八九]?|廿[一二三四五六七八九]|[一二三四五六七八九])?([日号號]?)`)

// digitDays writes such days with digits: "6月18号".
func digitDays(s string) string {
	return numeralDay.ReplaceAllStringFunc(s, func(m string) string {
		g := numeralDay.FindStringSubmatch(m)
		month, day := g[1], g[3]
		if n := numeral(month); n > 0 {
			month = strconv.Itoa(n)
		}
		if n := numeral(day); n > 9 || n > 0 && g[4] != "" { // "六月三人" is three people
			day = strconv.Itoa(n)
			if g[4] == "" {
				return month + "月" + day + "日"
			}
		}
		return month + "月" + g[2] + day + g[4]
	})
}

// numeral is the number below forty that Chinese numerals write; 0 for anything else.
func numeral(s string) int {
	s = strings.ReplaceAll(s, "廿", "二十")
	if s == "二十十" { // "廿十"
		return 0
	}
	tens, ones := 0, s
	if before, after, ok := strings.Cut(s, "十"); ok {
		tens, ones = 1, after
		if before != "" {
			tens = digit(before)
		}
		if tens == 0 {
			return 0
		}
	}
	if ones == "" {
		return 10 * tens
	}
	n := digit(ones)
	if n == 0 {
		return 0
	}
	return 10*tens + n
}

// digit is 1 to 9 of one Chinese numeral; 0 for anything else.
func digit(s string) int {
	if utf8.RuneCountInString(s) != 1 {
		return 0
	}
	if i := strings.Index("一二三四五六七八九", s); i >= 0 {
		return i/len("一") + 1
	}
	return 0
}
