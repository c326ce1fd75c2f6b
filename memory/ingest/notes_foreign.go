package ingest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
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
}

var (
	mailHead = regexp.MustCompile(`(?i)^(?:from|to|sent|cc|date|subject|von|an|gesendet|betreff|datum|de|para|fecha|asunto|à|objet|envoyé|发件人|收件人|主题|发送时间|日期|抄送)\s*[:：]\s*\S`)
	// "Fern — Today at 10:00", "Fern  10:05 AM", "[10:05] Fern", "Fern, [3 Mar 2026 10:05]".
	pastedStrong = regexp.MustCompile(`(?i)^\S.{0,48}?(?:\s+[—–]\s+.{0,20}|\s{2,}|,\s*\[.{0,24}|\s+(?:today|yesterday|heute|gestern|今天|昨天)\s+(?:at|um)?\s*)\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?\]?:?$|^\[\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]m)?\]\s+\S[^:：]{0,40}$`)
	// "15.03.24 г., 21:05 ч. - Ana: …": a chat whose times are written in no known way.
	stampedHead = regexp.MustCompile(`^[\[\s]{0,2}\p{Nd}{1,4}(?:\P{Nd}{1,3}\p{Nd}{1,4}){2}\P{Nd}{1,16}\p{Nd}{1,2}[:.]\p{Nd}{2}.{0,16}?(?:\s[-–]|\])\s\S.{0,60}?[:：]\s`)
	pastedWeak  = regexp.MustCompile(`(?i)^\p{L}[\p{L} .'’-]{0,40}\s\d{1,2}:\d{2}\s*(?:[ap]m)?$`)
)

// see takes a line of the note.
func (f *foreign) see(n int, s string) {
	if mailHead.MatchString(s) {
		f.mail++
	} else if strings.TrimSpace(s) != "" {
		f.mail = 0
	}
	if stampedHead.MatchString(unmark(s)) {
		if f.pasted++; f.first == 0 {
			f.first = n
		}
		return
	}
	switch strong := pastedStrong.MatchString(s); {
	case utf8.RuneCountInString(s) <= 80 && (strong || pastedWeak.MatchString(s)):
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

// fault says why the text is no note of the owner, nil if it may be one.
func (f *foreign) fault(n int) error {
	const remedy = "only your own words are notes; save a chat as lines of \"Name: text\", and a mail as .eml"
	switch {
	case f.mail >= 2:
		return fmt.Errorf("%w: line %d looks like the head of a mail: %s", ErrFormat, n, remedy)
	case f.pasted >= 2:
		return fmt.Errorf("%w: line %d looks like the head of somebody's message: %s", ErrFormat, f.first, remedy)
	}
	return nil
}
