package ingest

import (
	"strings"
)

// Logs of IRC: irssi, WeeChat, HexChat, mIRC and ZNC.
//
//	--- Log opened Thu Mar 14 19:00:00 2024     a day, for lines that have a time alone
//	19:02 <@alice> hi                           "@", "+" and others: what alice may do in the channel
//	19:05  * bob waves                          what bob does, written by himself
//	19:04 -!- carl [c@host] has joined #garden  a notice
//	2024-03-14 19:02:11⇥alice⇥hi                WeeChat; "-->", "<--", "--" and " *" in the place of a name
//	Mar 14 19:02:11 <alice>⇥hi                  HexChat, below "**** BEGIN LOGGING AT …"

// ircModes stand before a nick and say what its bearer may do.
const ircModes = " @+%&~!"

var (
	ircNick = lazily("^[\\p{L}\\p{N}\\[\\]\\\\`_^{|}~-]{1,40}$")
	// The date as C's libraries write it, in any language.
	ircDate = lazily(`^(?:(?:-{3}|\*{3,4})\s\D{0,60}?|Session \w{2,10}\s?: )\p{L}{2,12}\.?,? ((?:(\p{L}{3,10})\.? {1,2}(\d{1,2})|(\d{1,2})\.? (\p{L}{3,10})\.?)(?: \d{1,2}:\d{2}(?::\d{2})?)? (\d{4}))$`)
	// What a channel tells, where it isn't set apart from what people do.
	ircEvent  = lazily(`^\S+ (?:\([^()]{0,120}\) |\[[^\[\]]{0,120}\] )?(?:has (?:joined|left|quit|changed|kicked|set|removed|been|opened|closed)|(?:is|are) now known as|sets? (?:mode|ban|the topic)|changes? (?:the )?topic|was kicked|(?:joined|left|parted|joins|quits?|parts) ?(?:[#&(\[].*)?$|gives (?:voice|channel)|removes (?:voice|channel|ban)|sets a ban)`)
	ircNotice = lazily(`^-[^\s-]\S{0,80}-\s`)
)

// nickLike reports whether s could be who speaks in a log whose markup says so.
func nickLike(s string) bool { return nameLike(s) || ircNick.MatchString(s) }

// ircDay reads the lines by which logs tell the day.
func ircDay(s string) (mark, bool) {
	if len(s) > 160 || !strings.HasPrefix(s, "---") && !strings.HasPrefix(s, "***") && !strings.HasPrefix(s, "Session ") {
		return mark{}, false
	}
	m := ircDate.FindStringSubmatch(s)
	if m == nil {
		return mark{}, false
	}
	d := day{year: atoi(m[6]), ordered: true, month: months[strings.ToLower(m[2]+m[5])], dom: atoi(m[3] + m[4])}
	return mark{day: d, hasDay: true, given: m[1]}, true
}

// ircStarts reports whether what follows the time of a line may be for ircRow: most
// lines begin with a name.
func ircStarts(after string) bool {
	i := 0
	for i < len(after) && after[i] == ' ' {
		i++
	}
	return i < len(after) && strings.IndexByte("-*<\t", after[i]) >= 0
}

// ircRow reads what follows the time of a line: a notice, what somebody does, or
// WeeChat's name between tabs. Names in angles are left to cutAngled.
func ircRow(after string) (line, bool) {
	if prefix, text, ok := tabbed(after); ok {
		nick := strings.TrimLeft(strings.TrimSpace(prefix), ircModes)
		switch {
		case strings.TrimSpace(prefix) == "*":
			return ircAction(text)
		case !strings.ContainsAny(prefix, "<>=:") && strings.Trim(nick, "-") != "" && nickLike(nick):
			return line{kind: lineHeader, name: nick, text: strings.TrimSpace(text), marked: true}, true
		case strings.Trim(prefix, " -<>=!") == "":
			return line{kind: lineSystem, text: strings.TrimSpace(text)}, true
		}
		return line{}, false
	}
	t := strings.TrimLeft(after, " \t")
	if t == "" || t[0] != '-' && t[0] != '*' && t[0] != '<' {
		return line{}, false
	}
	for _, lead := range []string{"-!- ", "--> ", "<-- ", "*** ", "**** "} {
		if text, ok := strings.CutPrefix(t, lead); ok {
			return line{kind: lineSystem, text: strings.TrimSpace(text)}, true
		}
	}
	if text, ok := strings.CutPrefix(t, "*"); ok && text != "" && (text[0] == ' ' || text[0] == '\t') {
		return ircAction(text)
	}
	if ircNotice.MatchString(t) {
		return line{kind: lineSystem, text: t}, true
	}
	return line{}, false
}

// tabbed cuts what stands between two tabs at the start of s, and what follows.
func tabbed(s string) (between, rest string, ok bool) {
	if !strings.HasPrefix(s, "\t") {
		return "", "", false
	}
	return strings.Cut(s[1:], "\t")
}

// ircAction reads "bob waves": bob's words if he speaks elsewhere, else a notice.
func ircAction(text string) (line, bool) {
	text = strings.TrimSpace(text)
	if ircEvent.MatchString(text) {
		return line{kind: lineSystem, text: text}, true
	}
	nick, does, _ := strings.Cut(text, " ")
	if nick = strings.TrimLeft(nick, ircModes); !ircNick.MatchString(nick) || strings.TrimSpace(does) == "" {
		return line{}, false
	}
	return line{kind: lineHeader, name: nick, text: strings.TrimSpace(does), action: true}, true
}
