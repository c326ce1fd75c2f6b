package ingest

// A time of day whose units are written: "19 h 02" and "19 h 02 min 11 s", as phones in
// Canada show it in French.
var hoursForm = lazily(`^(\d{1,2})[ \x{A0}\x{202F}]?h[ \x{A0}\x{202F}]?(\d{2})(?:[ \x{A0}\x{202F}]?min[ \x{A0}\x{202F}]?(\d{2})[ \x{A0}\x{202F}]?s)?(?:[^\pL\pN]|$)`)

// cutHours reads such a time at the start of s and returns what follows it.
func cutHours(s string) (clock, string, bool) {
	if !startsDigit(s) {
		return clock{}, s, false
	}
	m := hoursForm.FindStringSubmatchIndex(s)
	if m == nil {
		return clock{}, s, false
	}
	end := m[5]
	c := clock{h: atoi(s[m[2]:m[3]]), m: atoi(s[m[4]:m[5]])}
	if m[6] >= 0 {
		c.s, c.seconds = atoi(s[m[6]:m[7]]), true
		for end = m[7]; s[end] != 's'; end++ {
		}
		end++
	}
	if c.h > 23 || c.m > 59 || c.s > 59 {
		return clock{}, s, false
	}
	return c, s[end:], true
}
