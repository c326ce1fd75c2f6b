package ingest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/privacy"
)

// foreign watches a note for signs that it holds somebody else's words: messages
// pasted from a chat, or a saved mail. A note is the owner's own and is trusted, so
// such a text is refused rather than read as one.
type foreign struct {
	mail   int // header lines of a mail, one after the other
	header int // line of a chat header that waits for its message
	strong bool
	pasted int // chat headers with a message under them
	first  int

	lines int    // that aren't blank
	turns turns  // leads such as "Ana - "
	heads turns  // headings
	last  string // the line before, if it could be a name
}

// turns watches whether few names take turns at the start of lines.
type turns struct {
	count     map[string]int
	lines     int
	firstLine int
	last      string
	twice     bool // the same one came twice without another between
}

func (t *turns) see(n int, lead string) {
	if t.count == nil {
		t.count, t.firstLine = map[string]int{}, n
	}
	t.lines++
	t.twice = t.twice || lead == t.last
	t.last = lead
	if len(t.count) < 1000 {
		t.count[lead]++
	}
}

// few reports whether at least two took turns, and not many more.
func (t *turns) few() bool {
	return t.lines >= 3 && len(t.count) >= 2 && len(t.count)*3 <= t.lines*2 && len(t.count) < 12
}

var (
	mailHead = lazily(`(?i)^(?:from|to|sent|cc|date|subject|von|an|gesendet|betreff|datum|de|para|fecha|asunto|à|objet|envoyé|发件人|收件人|主题|发送时间|日期|抄送)\s*[:：]\s*\S`)
	// "Fern — Today at 10:00", "Fern  10:05 AM", "[10:05] Fern", "Fern, [3 Mar 2026 10:05]".
	pastedStrong = lazily(`(?i)^\S.{0,48}?(?:\s+[—–]\s+.{0,20}|\s{2,}|,\s*\[.{0,24}|\s+(?:today|yesterday|heute|gestern|今天|昨天)\s+(?:at|um)?\s*)\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?\]?:?$|^\[[^\[\]]{0,16}?\d{1,2}[:.]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?|uhr)?\]\s+\S[^:：]{0,60}$`)
	// "15.03.24 г., 21:05 ч. - Ana: …": a chat whose times are written in no known way.
	stampedHead = lazily(`^[\[\s]{0,2}(\p{Nd}{1,4}(?:\P{Nd}{1,3}\p{Nd}{1,4}){2}\P{Nd}{1,16}\p{Nd}{1,2}[:.]\p{Nd}{2}.{0,32}?)(?:\s[-–]|\])\s(\S.{0,60}?[:：](?:\s|$))`)
	// "小明(12345678) 2024-03-15 21:05:33" and "[Ana] [9:05 PM] …".
	pastedAccount = lazily(`^\S.{0,40}?(?:\(\d{5,12}\)|<[^<>\s]+@[^<>\s]+>)\s+(?:\d{4}\D\d{1,2}\D\d{1,2}\s+)?\d{1,2}:\d{2}(?::\d{2})?$|^\[[^\[\]]{1,40}\] \[[^\[\]]{0,10}\d{1,2}:\d{2}[^\[\]]{0,4}\]\s`)
	// "Vogel, Karin 4/3/2024 9:15 PM".
	stampedTail = lazily(`(?i)^\p{L}[\p{L}\p{M} .,'’()-]{1,60}\s\p{Nd}{1,4}[./-]\p{Nd}{1,2}(?:[./-]\p{Nd}{2,4})?\.?,?\s+\p{Nd}{1,2}[:.]\p{Nd}{2}(?:[:.]\p{Nd}{2})?\s*(?:[ap]\.?m\.?|uhr)?$`)
	// A field between those of a mail: "Type: incoming".
	fieldForm = lazily(`^\p{Lu}[\p{L}-]{1,20}: \S`)
	// "2024년 3월 12일 오후 8:15, 홍길동 : …", "12 March 2024 at 20:15, Ana: …".
	stampedComma = lazily(`^[\[(]?` + oddTime + `[\])]?,\s?\S.{0,60}?\s?[:：]\s`)
	// "10am Bo Lind: …", "[noon] Bo: …", "2024-03-12 7 pm Ana: …", "[yesterday 10:00] Mira: …":
	// an hour, or a word for one, and who says it.
	hourHead   = lazily(`(?i)^[\[(]?(?:\p{Nd}{4}-\p{Nd}{1,2}-\p{Nd}{1,2},?\s+)?(?:(?:today|yesterday|heute|gestern|hier|hoy|ayer|今天|昨天)?,?\s*~?\p{Nd}{1,2}(?:(?:[:.h]|\s?h\s)\p{Nd}{2})?\s*(?:[ap]\.?m\.?|h|uhr)?|noon|midnight|mittag|mitternacht)[\])]?,?\s(?:[-–]\s)?(\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{Lu}[\p{L}\p{M}.'’-]*){0,3}): \S`)
	clockAlone = lazily(`(?i)^\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?$`)
	leadForm   = lazily(`^(\p{L}[\p{L}\p{M} .'’]{0,30}?)\s+(?:[-–—>|»]|->|=>)\s+\S`)
	// A table of messages, and a page.
	tableHead = lazily(`(?i)^(?:[^,;\t]{0,40}[,;\t])*"?(?:from|sender|author|username|speaker|user|von|absender|发送者|发送人)(?:[ _]?name)?"?[,;\t].*\b(?:text|message|content|body|msg|nachricht|内容)"?\b|^(?:[^,;\t]{0,40}[,;\t])*"?(?:text|message|content|body|msg|nachricht|内容)"?[,;\t].*\b(?:from|sender|author|username|speaker)\b`)
	pageHead  = lazily(`(?i)^\s*(?:<!doctype html|<html|<\?xml|<body|<div[ >])`)
	// roles head the parts of a talk with an assistant.
	roles      = wordSet("user assistant human chatgpt claude gemini copilot deepseek you ai bot system 用户 助手")
	pastedWeak = lazily(`(?i)^\p{L}[\p{L} .'’-]{0,40}\s\d{1,2}:\d{2}\s*(?:[ap]m)?$`)
)

// oddStamp takes a line apart that opens a message at a time written in no known way.
func oddStamp(s string) (given, rest string, ok bool) {
	s = unmark(s)
	m := stampedHead.FindStringSubmatchIndex(s)
	if m == nil {
		return "", "", false
	}
	return s[m[2]:m[3]], s[m[4]:], true
}

// see takes a line of the note.
func (f *foreign) see(n int, s string) {
	if mailHead.MatchString(s) {
		f.mail++
	} else if strings.TrimSpace(s) != "" && !fieldForm.MatchString(s) {
		f.mail = 0
	}
	if stampedHead.MatchString(unmark(s)) || stampedComma.MatchString(unmark(s)) || stampOpens(s) {
		if f.pasted++; f.first == 0 {
			f.first = n
		}
		return
	}
	if n == 1 && (tableHead.MatchString(s) || pageHead.MatchString(s)) || pastedAccount.MatchString(s) {
		f.pasted, f.first = f.pasted+2, n
		return
	}
	f.takesTurns(n, s)
	s = strings.Trim(strings.TrimLeft(s, "# "), " ")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "__", "")
	before := f.last
	if f.last = ""; s != "" && nameLike(s) && len(strings.Fields(s)) <= 3 && !strings.ContainsAny(s, "0123456789:,") {
		f.last = s
	}
	switch strong := pastedStrong.MatchString(s); {
	case before != "" && clockAlone.MatchString(s):
		f.header, f.strong = n, false
	case utf8.RuneCountInString(s) <= 80 && (strong || pastedWeak.MatchString(s) || stampedTail.MatchString(s)):
		f.header, f.strong = n, strong
	case strings.TrimSpace(s) != "" && f.header == n-1 && n > 1:
		if f.pasted++; f.first == 0 {
			f.first = f.header
		}
		if f.strong {
			f.pasted++ // one is enough
		}
	}
}

// takesTurns looks at what a line begins with, and at headings.
func (f *foreign) takesTurns(n int, s string) {
	if lead := hourHead.FindStringSubmatch(s); lead != nil {
		f.turns.see(n, privacy.NormalizeName(lead[1]))
	} else if lead := leadForm.FindStringSubmatch(s); lead != nil {
		f.turns.see(n, privacy.NormalizeName(lead[1]))
	} else if text := strings.TrimLeft(s, "#"); len(text) < len(s) && strings.HasPrefix(text, " ") {
		f.heads.see(n, privacy.NormalizeName(strings.Trim(text, " *_:：#")))
	}
	if strings.TrimSpace(s) != "" {
		f.lines++
	}
}

// talk returns the line at which the text begins to be a talk of several, 0 if it
// is none: most lines begin with a few names in turn, or all headings are such names.
func (f *foreign) talk() int {
	if f.turns.few() && f.turns.lines*10 >= f.lines*6 {
		return f.turns.firstLine
	}
	named := 0
	for name := range f.heads.count {
		if roles[name] {
			named++
		}
		if !nameLike(name) {
			return 0
		}
	}
	if named >= 2 || f.heads.few() && !f.heads.twice && len(f.heads.count)*2 <= f.heads.lines+1 {
		return f.heads.firstLine
	}
	return 0
}

// fault says why the text is no note of the owner, nil if it may be one.
func (f *foreign) fault(n int) error {
	const remedy = "only your own words are notes; save a chat as lines of \"Name: text\", and a mail as .eml"
	switch {
	case f.mail >= 2:
		return fmt.Errorf("%w: line %d looks like the head of a mail: %s", ErrFormat, n, remedy)
	case f.talk() > 0:
		return fmt.Errorf("%w: line %d begins what looks like a talk of several: %s", ErrFormat, f.talk(), remedy)
	case f.pasted >= 2:
		return fmt.Errorf("%w: line %d looks like the head of somebody's message: %s", ErrFormat, f.first, remedy)
	}
	return nil
}
