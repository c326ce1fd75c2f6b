package agent

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// ownWords knows what epagent itself has said: the sentences of the answers in the
// ledger, each with when it was first said. An answer that comes back, pasted into a
// chat, is no new source of what it tells.
type ownWords struct {
	said map[string]time.Time
	now  time.Time
}

// The least that a sentence must hold to be known as epagent's: less is anybody's.
const (
	ownTerms   = 3  // different words
	ownLetters = 12 // of any script
)

func (a *Agent) ownWords(ctx context.Context) (*ownWords, error) {
	o := &ownWords{said: map[string]time.Time{}, now: a.opts.Now()}
	ledger, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	for _, e := range ledger {
		for _, s := range lexical.Sentences(e.Answer) {
			key, ok := ownKey(s)
			if !ok {
				continue
			}
			if at, have := o.said[key]; !have || e.At.Before(at) {
				o.said[key] = e.At
			}
		}
	}
	return o, nil
}

// ownKey is a sentence without case, marks and blanks; false for one that is too
// short to be anybody's in particular.
func ownKey(sentence string) (string, bool) {
	var b strings.Builder
	letters := 0
	for _, r := range strings.ToLower(sentence) {
		switch {
		case unicode.IsLetter(r):
			letters++
			if unicode.Is(unicode.Han, r) {
				letters++ // says more than a letter
			}
			b.WriteRune(r)
		case unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	terms := map[string]bool{}
	for _, t := range lexical.Terms(sentence) {
		terms[t] = true
	}
	return b.String(), letters >= ownLetters && len(terms) >= ownTerms
}

// strike takes out of a turn what epagent said before it.
func (o *ownWords) strike(t *memory.Turn, chat *ChatReport) {
	if len(o.said) == 0 || t.Text == "" || t.Kind == memory.System {
		return
	}
	var left []string
	struck := false
	for _, s := range lexical.Sentences(t.Text) {
		if key, ok := ownKey(strings.TrimLeft(s, "> ")); ok {
			if at, said := o.said[key]; said && !before(t, at) {
				struck = true
				continue
			}
		}
		left = append(left, s)
	}
	if !struck {
		return
	}
	chat.Own++
	if t.Text = strings.TrimSpace(strings.Join(left, " ")); t.Text == "" && t.Caption == "" {
		t.Kind = memory.System
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
