package engine

import (
	"maps"
	"slices"
	"sync"
)

// What is read from the words of a fact is the same each time, and each question
// reads some dozens of facts: it is kept for the texts read last. A memo holds words
// of facts in this process for a while; it answers for the very text alone, so
// nothing that was forgotten comes back by it.
var (
	detailsMemo = newMemo(readDetails, func(d details) details {
		return details{slices.Clone(d.numbers), slices.Clone(d.dates), slices.Clone(d.names), slices.Clone(d.terms)}
	})
	termsMemo    = newMemo(readTerms, slices.Clone[[]string])
	calendarMemo = newMemo(readCalendar, func(c calendar) calendar { return c })
	frameMemo    = newMemo(readFrame, func(s []string) []string { return s }) // compared, never changed
	themesMemo   = newMemo(readThemes, maps.Clone[map[string]bool])
	// Nobody changes what a turn's words say.
	turnMemo = newMemo(readTurnWords, func(t turnWords) turnWords { return t })
)

const (
	memoTexts = 4096    // kept, up to twice as many
	memoText  = 2 << 10 // longer ones are read each time, in bytes
)

// memo keeps what a function of a text alone gave for the texts asked for last.
type memo[T any] struct {
	read func(string) T
	copy func(T) T

	mu       sync.Mutex
	now, old map[string]T
}

func newMemo[T any](read func(string) T, clone func(T) T) *memo[T] {
	return &memo[T]{read: read, copy: clone, now: map[string]T{}}
}

// of returns what is read from text: a copy, which the caller may change.
func (m *memo[T]) of(text string) T {
	if len(text) > memoText {
		return m.read(text)
	}
	m.mu.Lock()
	value, ok := m.now[text]
	if !ok {
		value, ok = m.old[text]
	}
	m.mu.Unlock()
	if !ok {
		value = m.read(text)
	}
	m.mu.Lock()
	if len(m.now) >= memoTexts {
		m.now, m.old = make(map[string]T, memoTexts), m.now
	}
	m.now[text] = value
	m.mu.Unlock()
	return m.copy(value)
}
