package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// What hosts make of a session without a model. It depends on the session alone.

// Restate returns a turn as a statement, "Speaker: words", with the description of an
// attachment behind them. "" for system lines and turns without words.
func Restate(t *Turn) string {
	if t.Kind == System {
		return ""
	}
	words := collapse(t.Text)
	if caption := collapse(t.Caption); caption != "" {
		words = strings.TrimSpace(words + " [" + caption + "]")
	}
	if words == "" || t.Speaker == "" {
		return words
	}
	return t.Speaker + ": " + words
}

// TurnTime is the time of a turn, of its session's start if it has none.
func (s *Session) TurnTime(t *Turn) privacy.Stamp {
	if t.When.IsZero() {
		return s.Start
	}
	return t.When
}

// StatementOf is the entry of one turn; false for a turn without words.
func StatementOf(s *Session, t *Turn) (Entry, bool) {
	text := Restate(t)
	return Entry{ID: s.ID + "/" + t.ID, Session: s.ID, Text: text, Turns: []string{t.ID}, When: s.TurnTime(t)}, text != ""
}

// The size of a summary.
const (
	summaryStatements = 3
	summaryRunes      = 240 // of one statement; a longer one is cut at a word
)

// told is a statement of a session with its different terms and how much it tells: the
// sum of ln(1 + N/n) over its terms, where n of the session's N statements have each,
// divided by the root of their number so that length alone doesn't win.
type told struct {
	at    int
	text  string
	terms []string
	score float64
}

// statements returns the statements of a session, and in how many of them each term is.
func statements(s *Session) (all []told, spoken map[string]int) {
	spoken = map[string]int{}
	for i := range s.Turns {
		text := Restate(&s.Turns[i])
		if text == "" {
			continue
		}
		terms := slices.Compact(slices.Sorted(slices.Values(lexical.Terms(s.Turns[i].Text + " " + s.Turns[i].Caption))))
		for _, term := range terms {
			spoken[term]++
		}
		all = append(all, told{at: i, text: text, terms: terms})
	}
	for i := range all {
		for _, term := range all[i].terms {
			all[i].score += math.Log(1 + float64(len(all))/float64(spoken[term]))
		}
		all[i].score /= math.Sqrt(float64(max(len(all[i].terms), 1)))
	}
	return all, spoken
}

// Summarize is the summary of a session in its own words: who spoke, when, and the
// statements that tell most, in their order.
func Summarize(s *Session) string {
	chosen, _ := statements(s)
	if len(chosen) == 0 {
		return ""
	}
	slices.SortStableFunc(chosen, func(a, b told) int { return cmp.Compare(b.score, a.score) })
	chosen = chosen[:min(len(chosen), summaryStatements)]
	slices.SortFunc(chosen, func(a, b told) int { return cmp.Compare(a.at, b.at) })

	var b strings.Builder
	b.WriteString(Heading(s))
	for _, c := range chosen {
		b.WriteString("\n")
		b.WriteString(shorten(c.text, summaryRunes))
	}
	return b.String()
}

// Heading names the participants and the day of a session: the first line of its summary.
func Heading(s *Session) string {
	people := s.Participants
	if len(people) == 0 {
		for _, t := range s.Turns {
			if t.Speaker != "" && !slices.Contains(people, t.Speaker) {
				people = append(people, t.Speaker)
			}
		}
	}
	out := strings.Join(people, ", ")
	day := s.Start.Date()
	for i := 0; day == "" && i < len(s.Turns); i++ {
		day = s.Turns[i].When.Date()
	}
	if day != "" {
		out = strings.TrimPrefix(out+" · "+day, " · ")
	}
	return out
}

// Keywords returns at most n words that a session is about, the foremost first: those
// that stand out in few of its statements and more than once come before those said
// once, by f·ln(1 + N/n) of a word said f times in n of N statements, ties by the word.
// They are as first said, in lower case.
func Keywords(s *Session, n int) []string {
	all, spoken := statements(s)
	type word struct {
		text  string
		count int
	}
	words := map[string]*word{} // by term
	for i := range s.Turns {
		if s.Turns[i].Kind == System {
			continue
		}
		for _, w := range lexical.Words(s.Turns[i].Text + " " + s.Turns[i].Caption) {
			terms := lexical.Terms(w)
			if len(terms) != 1 || spoken[terms[0]] == 0 {
				continue
			}
			if words[terms[0]] == nil {
				words[terms[0]] = &word{text: w}
			}
			words[terms[0]].count++
		}
	}
	type scored struct {
		text  string
		score float64
	}
	var ranked []scored
	for term, w := range words {
		ranked = append(ranked, scored{w.text, float64(w.count) * math.Log(1+float64(len(all))/float64(spoken[term]))})
	}
	slices.SortFunc(ranked, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text, b.text)) })
	var out []string
	for _, w := range ranked[:min(n, len(ranked))] {
		out = append(out, w.text)
	}
	return out
}

// shorten cuts s after at most n runes, at a blank if there is one in the last third.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	cut := n
	for i := n; i > 2*n/3; i-- {
		if runes[i] == ' ' {
			cut = i
			break
		}
	}
	return string(runes[:cut]) + "…"
}
