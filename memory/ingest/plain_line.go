package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineKind is what a line of a transcript can be.
type lineKind int

const (
	lineText      lineKind = iota // nothing of the below: it continues a message
	lineBlank                     // white space
	lineHeader                    // "Name: text", with or without a time
	lineSystem                    // "[crosstalk]", "[21:14] Bea joined"
	lineSeparator                 // "--- 3 March 2024 ---"
	lineHeading                   // "Chat with Elif", "Participants: …"
	lineCue                       // "00:00:01.000 --> 00:00:04.000": the time of the next words
)

// line is one line of a transcript, taken apart. Whether a header's name is a
// speaker is settled over the whole file.
type line struct {
	kind   lineKind
	when   mark
	timed  bool     // a time stands before or behind the name
	name   string   // of a header
	text   string   // what follows it; for a system line its notice
	names  []string // whom a heading announces
	bare   bool     // a separator without decoration
	marked bool     // the name stands in markup of its own
	to     string   // to whom alone it was said, "" everybody
	alone  bool     // a name behind a time and no words: they may stand below, or it is a notice
	action bool     // "* bob waves": bob's if he speaks elsewhere
	copied bool     // a head of Telegram's, as messages are copied
}

// bidi marks direct the eye and are no content.
var bidi = strings.NewReplacer("\u200e", "", "\u200f", "", "\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "",
	"\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "", "\ufeff", "")

var (
	afterName = lazily(`^\s*[(\[（]\s*([^)\]）]{3,40}?)\s*[)\]）]\s*$`)
	angled    = lazily(`^<([^<>]{1,40})>\s+(.*)$`)
	bracketed = lazily(`^(?:\[[^\[\]]+\]|【[^【】]+】|\*{1,3}\s?[^*]+\s?\*{1,3})$`)
	heading   = lazily(`^(?i)(?:#+\s*)?(?:(?:whatsapp |group |private )?(?:chat|conversation|dialogue|talk|messages|call|interview) (?:with|between)|(?:chat|gespräch|unterhaltung) (?:mit|zwischen)|与|和)\s*(.+?)\s*(?:的(?:聊天|对话)(?:记录)?)?\s*[:：]?$`)
	castLine  = lazily(`^(?i)(?:#+\s*)?(?:participants?|speakers?|attendees|present|people|members|between|teilnehmer(?:innen)?|anwesend|参与者|参会人员?|与会者?|成员|出席)\s*[:：]\s*(.+)$`)
	// What subtitles and meetings write.
	cueTimes  = lazily(`^((?:\d{1,3}:)?\d{2}:\d{2})[.,]\d{3}\s+-->\s+(?:\d{1,3}:)?\d{2}:\d{2}[.,]\d{3}(?:\s|$)`)
	cueVoice  = lazily(`^<v(?:\.[^\s>]*)?\s+([^<>]{1,60})>(.*?)(?:</v>)?$`)
	zoomFrom  = lazily(`^(?:From|Von|De|Da|来自|從)\s+(\S.{0,60}?)(?:\s+(?:to|To|an|An|à|À|a|A|para|Para|发送给|傳送給)\s+(\S.{0,60}?))?\s*(\((?i:direct message|privately|privat|direktnachricht|message direct|mensaje directo)\))?\s?[:：](?:\s+(.*))?$`)
	castSplit = lazily(`\s*(?:,|;|，|、|；|&|/|\band\b|\bund\b|和)\s*`)
	castRole  = lazily(`\s*[(（][^)）]*[)）]\s*$`)
)

// parseLine takes a line apart. It never fails: what it doesn't know is text.
func parseLine(raw string) line {
	s := strings.TrimSpace(unmark(raw))
	if s == "" {
		return line{kind: lineBlank}
	}
	if m := cueTimes.FindStringSubmatch(pickShort(s, strings.Contains(s, "-->"))); m != nil {
		times := m[1]
		if strings.Count(times, ":") == 1 {
			times = "00:" + times
		}
		if k, rest, ok := cutMark(times); ok && rest == "" {
			return line{kind: lineCue, when: k}
		}
	}
	if s[0] == '-' || s[0] == '*' || s[0] == 'S' {
		if k, ok := ircDay(s); ok {
			return line{kind: lineSeparator, when: k}
		}
	}
	if k, ok := separator(s); ok {
		return line{kind: lineSeparator, when: k, bare: strings.HasPrefix(s, k.given)}
	}
	if l, ok := timedLine(s); ok {
		return l
	}
	short := len(s) <= 400
	if m := castLine.FindStringSubmatch(pickShort(s, short && strings.ContainsAny(s, ":：") && castStart(s))); m != nil {
		return line{kind: lineHeading, names: splitCast(m[1])}
	}
	if m := cueVoice.FindStringSubmatch(pickShort(s, strings.HasPrefix(s, "<v"))); m != nil && nameLike(strings.TrimSpace(m[1])) {
		return line{kind: lineHeader, name: strings.TrimSpace(m[1]), text: strings.TrimSpace(m[2]), marked: true}
	}
	if m := cutAngled(s); m != nil && nickLike(m[1]) {
		return line{kind: lineHeader, name: m[1], text: m[2], marked: true}
	}
	if l, ok := header(s); ok {
		return l
	}
	if (s[0] == '[' || s[0] == '*' || strings.HasPrefix(s, "【")) && bracketed.MatchString(s) {
		return line{kind: lineSystem, text: s}
	}
	if m := heading.FindStringSubmatch(pickShort(s, len(s) <= 160)); m != nil && (!strings.HasPrefix(s, "与") && !strings.HasPrefix(s, "和") || strings.Contains(s, "的")) {
		return line{kind: lineHeading, names: splitCast(m[1])}
	}
	return line{kind: lineText, text: s}
}

// unmark drops marks that direct the eye, and characters without a width at both
// ends, behind which a line or a name would not be known again.
func unmark(s string) string {
	if strings.Contains(s, "\xe2\x80") || strings.Contains(s, "\xe2\x81") || strings.Contains(s, "\xef\xbb\xbf") {
		return strings.Trim(bidi.Replace(s), invisible)
	}
	return s
}

// invisible are characters that nobody sees at the edge of a line or name: zero
// width space, word joiner, soft hyphen.
const invisible = "\u200b\u2060\u00ad"

func cutAngled(s string) []string {
	if !strings.HasPrefix(s, "<") {
		return nil
	}
	m := angled.FindStringSubmatch(s)
	if m != nil {
		m[1] = strings.TrimSpace(strings.TrimLeft(m[1], ircModes))
	}
	return m
}

// pickShort returns s if a pattern is worth trying on it, else "".
func pickShort(s string, worth bool) string {
	if worth {
		return s
	}
	return ""
}

// castStart reports whether the word before the first colon can announce people.
func castStart(s string) bool {
	i := strings.IndexAny(s, ":：")
	return i > 0 && i <= 24
}

// separator reads a line that is nothing but a date, perhaps decorated.
func separator(s string) (mark, bool) {
	if len(s) > 120 || !strings.ContainsAny(s, "0123456789") {
		return mark{}, false
	}
	core := undecorate(s)
	if len(core) > 64 { // no date is as long, in any language
		return mark{}, false
	}
	core = strings.TrimPrefix(core, "Date: ")
	core = strings.TrimPrefix(core, "日期：")
	k, rest, ok := cutMark(core)
	if !ok || !k.hasDay || k.clock.zone == nil && undecorate(rest) != "" {
		return mark{}, false
	}
	return k, strings.TrimSpace(rest) == ""
}

// undecorate drops rules, bullets and brackets around a text.
func undecorate(s string) string {
	return strings.Trim(s, " \t-–—=_*#~•·.:|>[](){}【】（）\u00a0")
}

// timedLine reads a line that begins with a time: "[stamp] …", "stamp - …",
// "stamp, …" or "stamp …".
func timedLine(s string) (line, bool) {
	var k mark
	rest := s
	if open := s[0]; open == '[' || open == '(' {
		shut := strings.IndexByte(s, "])"[strings.IndexByte("[(", open)])
		if shut < 0 {
			return line{}, false
		}
		inner, after, ok := cutMark(strings.TrimSpace(s[1:shut]))
		if !ok {
			inner, after, ok = cutYearless(strings.TrimSpace(s[1:shut]))
		}
		if !ok || strings.TrimSpace(after) != "" || !inner.hasClock {
			return line{}, false
		}
		k, rest = inner, s[shut+1:]
		if ircStarts(rest) {
			if l, ok := ircRow(rest); ok {
				l.when, l.timed = k, true
				return l, true
			}
		}
	} else {
		inner, after, ok := cutMark(s)
		if !ok || !inner.hasClock {
			return line{}, false
		}
		if ircStarts(after) {
			if l, ok := ircRow(after); ok {
				l.when, l.timed = inner, true
				return l, true
			}
		}
		if trimmed := strings.TrimLeft(after, " \t-–—,|:"); len(trimmed) == len(after) {
			return line{}, false
		} else if after = trimmed; after == "" {
			return line{}, false
		}
		k, rest = inner, after
	}
	rest = strings.TrimSpace(strings.TrimLeft(rest, " \t-–—|"))
	if m := cutAngled(rest); m != nil && nickLike(m[1]) {
		return line{kind: lineHeader, when: k, timed: true, name: m[1], text: m[2], marked: true}, true
	}
	if l, ok := zoomLine(rest); ok {
		l.when, l.timed = k, true
		return l, true
	}
	if h, ok := header(rest); ok && !h.timed {
		h.when, h.timed = k, true
		return h, true
	}
	if k.hasDay && (s[0] == '[' || s[0] == '(') && (nameLike(rest) || surnameFirst(rest)) && capitalised(rest) && !joins.MatchString(rest) {
		return line{kind: lineHeader, when: k, timed: true, name: rest, text: "", alone: true}, true
	}
	return line{kind: lineSystem, when: k, timed: true, text: rest}, true
}

// everybody are the words of meetings for all who are in it.
var everybody = wordSet("everyone everybody all alle jeder allen tous todos tutti 所有人 每个人 everyone(in group)")

// zoomLine reads what a meeting writes behind the time of a message: "From Ana to
// Everyone: …". Some of these are for one person alone.
func zoomLine(s string) (line, bool) {
	if !strings.HasPrefix(s, "From ") && !strings.HasPrefix(s, "Von ") && !strings.HasPrefix(s, "De ") && !strings.HasPrefix(s, "Da ") && !strings.HasPrefix(s, "来自") && !strings.HasPrefix(s, "從") {
		return line{}, false
	}
	m := zoomFrom.FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[3] == "" && !strings.Contains(s, " :") || !nameLike(m[1]) {
		return line{}, false
	}
	l := line{kind: lineHeader, name: m[1], text: strings.TrimSpace(m[4])}
	if m[2] != "" && !everybody[strings.ToLower(m[2])] {
		l.to = strings.TrimSpace(m[2])
	}
	return l, true
}

// header reads "Name: text", "Name (21:14): text" and "Name 2024-03-03 21:14",
// the last followed by its text on the next lines.
func header(s string) (line, bool) {
	s = strings.TrimLeft(s, "•‣ \t")
	s = strings.TrimPrefix(s, "* ")
	s = strings.TrimPrefix(s, "- ")
	marked := strings.HasPrefix(s, "**") || strings.HasPrefix(s, "__")
	s = strings.Replace(s, "__", "", 2)
	s = strings.Replace(s, "**", "", 2)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if i > 120 {
			break
		}
		if r != ':' && r != '：' {
			i += n
			continue
		}
		before, text := strings.TrimSpace(s[:i]), s[i+n:]
		if r == ':' && text != "" && !startsText(text) {
			if insideMark(before) { // the colon of "Name (21:14): text"
				i += n
				continue
			}
			break
		}
		l := line{kind: lineHeader, name: before, text: strings.TrimSpace(text), marked: marked}
		if open := strings.LastIndexAny(before, "([（"); open > 0 {
			if m := afterName.FindStringSubmatch(before[open:]); m != nil {
				if k, rest, ok := cutMark(m[1]); ok && strings.TrimSpace(rest) == "" {
					l.name, l.when, l.timed = strings.TrimSpace(before[:open]), k, true
				}
			}
			if !l.timed && insideMark(before) {
				i += n
				continue
			}
		}
		l.name = strings.Trim(l.name, "*_")
		if nameLike(l.name) || surnameFirst(l.name) {
			return l, true
		}
		break
	}
	return nameThenTime(s)
}

// nameThenTime reads "Name 2024-03-03 21:14:05" as copied from some apps.
func nameThenTime(s string) (line, bool) {
	if len(s) > 120 || !strings.ContainsAny(s, "0123456789") {
		return line{}, false
	}
	if name, stamp, ok := strings.Cut(s, ", ["); ok && strings.HasSuffix(stamp, "]") && utf8.RuneCountInString(name) <= 64 && !strings.ContainsAny(name, "[]") { // Telegram
		k, rest, ok := cutMark(strings.TrimSuffix(stamp, "]"))
		if ok && k.hasDay && k.hasClock && strings.TrimSpace(rest) == "" {
			return line{kind: lineHeader, when: k, timed: true, name: name, copied: true}, true
		}
	}
	if i := max(strings.LastIndex(s, "  "), strings.LastIndexByte(s, '\t')); i > 0 { // transcripts of recordings
		c, rest, ok := cutClock(strings.TrimSpace(s[i:]))
		if name := strings.TrimSpace(s[:i]); ok && rest == "" && nameLike(name) && !strings.ContainsAny(name, "0123456789") {
			return line{kind: lineHeader, when: mark{clock: c, hasClock: true, given: strings.TrimSpace(s[i:])}, timed: true, name: name}, true
		}
	}
	for i, r := range s {
		if i == 0 || i > 60 || r != ' ' && r != '\t' && r != ',' || !startsDigit(s[i+1:]) {
			continue
		}
		k, rest, ok := cutMark(strings.TrimLeft(s[i:], " \t,"))
		if name := strings.TrimRight(s[:i], " \t,"); ok && k.hasDay && k.hasClock && strings.TrimSpace(rest) == "" && (nameLike(name) || surnameFirst(name)) {
			return line{kind: lineHeader, when: k, timed: true, name: name}, true
		}
	}
	return line{}, false
}

// startsText reports whether what follows a colon can be a message: white space
// comes first, or a script that doesn't write spaces.
func startsText(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r) || unicode.Is(unicode.Han, r)
}

// insideMark reports whether a bracket is open at the end of s.
func insideMark(s string) bool {
	return strings.LastIndexAny(s, "([（") > strings.LastIndexAny(s, ")]）")
}

// nameLike reports whether s could be a speaker: short, with a letter or a phone
// number, and without the marks of a sentence or an address.
func nameLike(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > 40 || len(strings.Fields(s)) > 5 {
		return false
	}
	if strings.ContainsAny(s, "?!;\"“”<>=/\\{}|。？！，；、「」@#") || strings.Contains(s, "://") || strings.Contains(s, ", ") {
		return false
	}
	letter, digits := false, 0
	for _, r := range s {
		letter = letter || unicode.IsLetter(r)
		if unicode.IsDigit(r) {
			digits++
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !letter {
		return digits >= 6 && (first == '+' || unicode.IsDigit(first) || first == '(')
	}
	return unicode.IsLetter(first) || unicode.IsDigit(first) || first == '~' || first == '+'
}

// surnameFirst reports whether s is a name as directories write it: "Vogel, Karin".
func surnameFirst(s string) bool {
	surname, given, ok := strings.Cut(s, ", ")
	if !ok || utf8.RuneCountInString(s) > 60 {
		return false
	}
	for _, part := range []string{surname, given} {
		if !nameLike(part) || !capitalised(part) || len(strings.Fields(part)) > 3 || weekday(part) != "" || startsDate(part) {
			return false
		}
	}
	return true
}

// capitalised reports whether s begins as names do, in a script that has capitals.
func capitalised(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) && !unicode.IsLower(r)
}

// labels are words before a colon that introduce a remark, not a speaker.
var labels = wordSet(`ps pps p.s. nb n.b. note notes reason reasons re fyi tldr tl;dr edit update warning attention
	subject to from cc bcc date time when where who what why how address phone tel email mail link url http https
	todo to-do example e.g. i.e. plan price total result results summary topic agenda location venue place
	status reminder important conclusion question answer option disclaimer hint tip spoiler correction
	type sent received attachment attachments body sender recipient recipients thread timestamp id
	gesendet empfangen typ anhang objet envoyé asunto enviado assunto
	groceries shopping ingredients menu homework meeting dinner lunch breakfast today tomorrow yesterday tonight now later first second third
	monday tuesday wednesday thursday friday saturday sunday news fact facts truth breaking verdict moral bonus rule rules step steps source sources credit caption translation
	definition pro pros con cons goal goals idea ideas problem solution fix bug cause effect remember warning alert info details deal decision next also plus minus bottom-line
	heads-up recap highlights recipe title author version quote job name age birthday budget cost costs rent deadline task tasks list wishlist packing flight train bus hotel room password code
	erinnerung einkauf einkaufsliste heute morgen gestern montag dienstag mittwoch donnerstag freitag samstag sonntag problem lösung idee ziel aufgabe termin treffpunkt fazit zutaten rezept achtung info
	recordatorio nota importante mañana hoy rappel remarque demain aujourd'hui
	hinweis grund betreff von an datum uhrzeit ort wichtig frage antwort nachtrag übrigens
	注 注意 备注 附 原因 理由 主题 时间 地点 地址 电话 日期 更正 补充 问题 答案 提醒 链接 总结 结论 价格 另 另外`)

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// selfNames are what people call themselves in a transcript of their own.
var selfNames = wordSet("me i myself 我 本人 我自己 ich moi je yo io eu ik mij 私 나 я")

// splitCast takes a list of people apart: "Ana (host), Bo and Cem".
func splitCast(s string) []string {
	var out []string
	for _, part := range castSplit.Split(s, -1) {
		name := strings.Trim(castRole.ReplaceAllString(part, ""), " .*_\"“”")
		if nameLike(name) {
			out = append(out, name)
		}
	}
	return out
}
