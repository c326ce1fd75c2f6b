package agent

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// ownWords knows what epagent itself has said: the answers in the ledger and their
// sentences, each with when it was first said. An answer that comes back, pasted into
// a chat, is no new source of what it tells.
type ownWords struct {
	said  map[string][]ownSentence // by their first letters
	whole map[string]time.Time     // letters of whole answers, however few words they have: deflections
}

type ownSentence struct {
	key string
	at  time.Time
}

// The least that a sentence must hold to be known as epagent's: less is anybody's.
const (
	ownTerms = 3  // different words
	ownRunes = 12 // letters and digits; half of it in Chinese, where a letter says more
)

func (a *Agent) ownWords(ctx context.Context) (*ownWords, error) {
	o := &ownWords{said: map[string][]ownSentence{}, whole: map[string]time.Time{}}
	ledger, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, e := range ledger { // the oldest first
		if key, _ := lettersOf(e.Answer); ownStart(key) != "" && o.whole[key].IsZero() {
			o.whole[key] = e.At
		}
		for _, s := range append([]string{e.Answer}, lexical.Sentences(e.Answer)...) { // the longest first
			key, _ := lettersOf(s)
			terms := map[string]bool{}
			for _, t := range lexical.Terms(s) {
				terms[t] = true
			}
			start := ownStart(key)
			if start == "" || len(terms) < ownTerms || seen[key] {
				continue
			}
			seen[key] = true
			o.said[start] = append(o.said[start], ownSentence{key, e.At})
		}
	}
	return o, nil
}

// lettersOf are the letters and digits of s in lower case, and where in s each byte
// of them comes from.
func lettersOf(s string) (string, []int) {
	var b strings.Builder
	var at []int
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		n := b.Len()
		b.WriteRune(unicode.ToLower(r))
		for ; n < b.Len(); n++ {
			at = append(at, i)
		}
	}
	return b.String(), at
}

// ownStart is the beginning of a key by which it is looked for, "" of one that is too
// short.
func ownStart(key string) string {
	n := 0
	for i, r := range key {
		if n >= ownRunes {
			return key[:i]
		}
		if n++; unicode.Is(unicode.Han, r) {
			n++
		}
	}
	if n >= ownRunes {
		return key
	}
	return ""
}

// strike takes out of a turn what epagent said before it.
func (o *ownWords) strike(t *memory.Turn, chat *ChatReport) {
	if len(o.whole) == 0 || t.Text == "" || t.Kind == memory.System {
		return
	}
	key, at := lettersOf(t.Text)
	if since, ok := o.whole[key]; ok && !before(t, since) {
		chat.Own++
		t.Text = ""
		if t.Caption == "" {
			t.Kind = memory.System
		}
		return
	}
	var left strings.Builder
	kept := 0 // up to here of t.Text
	for i := 0; i < len(key); i++ {
		if !utf8.RuneStart(key[i]) {
			continue
		}
		for _, s := range o.said[ownStart(key[i:])] {
			if !strings.HasPrefix(key[i:], s.key) || before(t, s.at) {
				continue
			}
			left.WriteString(t.Text[kept:at[i]])
			i += len(s.key) - 1
			kept = len(t.Text)
			if i+1 < len(key) {
				kept = at[i+1]
			}
			break
		}
	}
	if kept == 0 {
		return
	}
	left.WriteString(t.Text[kept:])
	chat.Own++
	if t.Text = strings.TrimSpace(left.String()); !strings.ContainsFunc(t.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		t.Text = ""
		if t.Caption == "" {
			t.Kind = memory.System
		}
	}
}

// before reports whether a turn was certainly said before a moment. A wall clock
// without a zone may be a day off.
func before(t *memory.Turn, at time.Time) bool {
	if !t.When.Instant.IsZero() {
		return t.When.Instant.Before(at)
	}
	day := t.When.Date()
	return day != "" && day < at.Add(-24*time.Hour).UTC().Format(time.DateOnly)
}
