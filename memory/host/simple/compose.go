package simple

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Compose makes the layers of a session: an entry for each message or attachment
// with words, and the summary. It depends on the session alone.
func Compose(s *memory.Session) memory.Layers {
	out := memory.Layers{Session: s.ID}
	for i := range s.Turns {
		t := &s.Turns[i]
		text := statement(t)
		if text == "" {
			continue
		}
		out.Entries = append(out.Entries, memory.Entry{
			ID: s.ID + "/" + t.ID, Session: s.ID, Text: text, Turns: []string{t.ID}, When: when(s, t),
		})
	}
	out.Summary = summary(s)
	return out
}

// statement is a turn as an entry: "Speaker: words", with the description of an
// attachment after them. "" for system lines and turns without words.
func statement(t *memory.Turn) string {
	if t.Kind == memory.System {
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

// when is the time of a turn, of its session's start if it has none.
func when(s *memory.Session, t *memory.Turn) privacy.Stamp {
	if t.When.IsZero() {
		return s.Start
	}
	return t.When
}

// The size of a summary.
const (
	summaryStatements = 3
	summaryRunes      = 240 // of one statement; a longer one is cut at a word
)

// summary says who spoke, when, and the most informative statements in their
// order. A statement informs by its words that are rare within the session: the
// sum of ln(1 + N/n) over its different terms, divided by the root of their
// number so that length alone doesn't win.
func summary(s *memory.Session) string {
	type candidate struct {
		at    int
		text  string
		terms []string
		score float64
	}
	var all []candidate
	spoken := map[string]int{} // in how many statements a term is
	for i := range s.Turns {
		text := statement(&s.Turns[i])
		if text == "" || s.Turns[i].Kind == memory.System {
			continue
		}
		terms := slices.Compact(slices.Sorted(slices.Values(lexical.Terms(s.Turns[i].Text + " " + s.Turns[i].Caption))))
		for _, term := range terms {
			spoken[term]++
		}
		all = append(all, candidate{at: i, text: text, terms: terms})
	}
	if len(all) == 0 {
		return ""
	}
	for i := range all {
		for _, term := range all[i].terms {
			all[i].score += math.Log(1 + float64(len(all))/float64(spoken[term]))
		}
		all[i].score /= math.Sqrt(float64(max(len(all[i].terms), 1)))
	}
	chosen := slices.Clone(all)
	slices.SortStableFunc(chosen, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	chosen = chosen[:min(len(chosen), summaryStatements)]
	slices.SortFunc(chosen, func(a, b candidate) int { return cmp.Compare(a.at, b.at) })

	var b strings.Builder
	b.WriteString(heading(s))
	for _, c := range chosen {
		b.WriteString("\n")
		b.WriteString(shorten(c.text, summaryRunes))
	}
	return b.String()
}

// heading names the participants and the day.
func heading(s *memory.Session) string {
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

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

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
