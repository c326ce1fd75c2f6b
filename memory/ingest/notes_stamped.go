package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stampOpens reports whether a line begins like a message at a day and a time in any
// form: a day's three numbers and an hour, a boundary, a name and a colon. How the
// numbers are written doesn't matter: "2024-03-14 19 h 02 - Ana: …", "14/03/24 @ 7pm | Bo: …".
func stampOpens(s string) bool {
	s = strings.TrimLeft(unmark(s), "[( \t")
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsDigit(first) && !unicode.IsLetter(first) {
		return false
	}
	var numbers []int
	digits, letters, begun := 0, 0, false
	for i, r := range s {
		if i > 90 {
			return false
		}
		if v, is := asciiDigit(r); is || r >= '0' && r <= '9' {
			if digits++; digits == 1 {
				numbers = append(numbers, 0)
			}
			if digits > 4 {
				return false
			}
			n := &numbers[len(numbers)-1]
			*n, letters, begun = *n*10+int(v-'0'), 0, true
			continue
		}
		digits = 0
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			if letters++; letters > 12 || !begun && i > 24 {
				return false
			}
			continue
		}
		letters = 0
		if timeLike(numbers) && (s[i] == ' ' || boundary(s[i:])) && namedColon(s[i:], boundary(s[i:])) {
			return true
		}
	}
	return false
}

// timeLike reports whether numbers begin with what can be a day, with or without its
// year, or with the name of a month in place of a number, and an hour.
func timeLike(n []int) bool {
	day := func(n []int) bool { // of two or three numbers
		months, doms, years := 0, 0, 0
		for _, v := range n {
			switch {
			case v >= 1 && v <= 12:
				months++
			case v >= 1 && v <= 31:
				doms++
			case v >= 1300 && v <= 2700 || v >= 32 && v <= 99:
				years++
			default:
				return false
			}
		}
		return months+doms > 0 && years <= 1
	}
	switch {
	case len(n) >= 4 && len(n) <= 7:
		return day(n[:3]) && n[3] <= 24 || day(n[:2]) && n[2] <= 24 && n[3] <= 59
	default:
		return false
	}
}

// boundary reports whether s begins with what stands between a stamp and a name, and
// hardly elsewhere.
func boundary(s string) bool {
	for _, b := range []string{"]", ") ", " - ", " – ", " — ", " | ", "\t"} {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}

// namedColon reports whether a name and a colon follow what may separate them from a
// stamp. Without a boundary only what is written like a name is one.
func namedColon(s string, bounded bool) bool {
	s = strings.TrimLeft(s, "])-–—|,: \t~")
	i := strings.IndexAny(s, ":：")
	if i <= 0 || i > 120 {
		return false
	}
	name := strings.TrimSpace(s[:i])
	_, size := utf8.DecodeRuneInString(s[i:])
	first, _ := utf8.DecodeRuneInString(name)
	return startsText(s[i+size:]+" ") && nameLike(name) && (bounded || capitalised(name) || first == '+') && (first == '+' || !strings.ContainsFunc(name, unicode.IsDigit))
}
