package simple

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// Compose makes the layers of a session without a model: an entry for each message or
// attachment with words, and the summary. It depends on the session alone.
func Compose(s *memory.Session) memory.Layers {
	out := memory.Layers{Session: s.ID, Summary: memory.Summarize(s)}
	keywords := memory.Keywords(s, 4*keywordsAtMost)
	for i := range s.Turns {
		if entry, ok := offline(s, &s.Turns[i], keywords); ok {
			out.Entries = append(out.Entries, entry)
		}
	}
	return out
}

// keywordsAtMost is how many keywords an entry has.
const keywordsAtMost = 6

// offline is the entry of one turn. Of the session's keywords it has those in its own
// words; its topic is the foremost of them, else the session's.
func offline(s *memory.Session, t *memory.Turn, keywords []string) (memory.Entry, bool) {
	entry, ok := memory.StatementOf(s, t)
	if !ok {
		return entry, false
	}
	terms := lexical.Terms(t.Text + " " + t.Caption)
	for _, k := range keywords {
		if len(entry.Keywords) < keywordsAtMost && slices.Contains(terms, lexical.Stem(k)) {
			entry.Keywords = append(entry.Keywords, k)
		}
	}
	switch {
	case len(entry.Keywords) > 0:
		entry.Topic = entry.Keywords[0]
	case len(keywords) > 0:
		entry.Topic = keywords[0]
	}
	entry.Persons = persons(s, t)
	entry.Place = place(t.Text, entry.Persons)
	return entry, true
}

// persons are who speaks, and the participants whom the words name.
func persons(s *memory.Session, t *memory.Turn) []string {
	var out []string
	if t.Speaker != "" {
		out = append(out, t.Speaker)
	}
	words := lexical.Words(t.Text + " " + t.Caption)
	for _, p := range s.Participants {
		name := lexical.Words(p)
		if len(name) > 0 && !slices.Contains(out, p) && slices.Contains(words, name[0]) {
			out = append(out, p)
		}
	}
	return out
}

// beforePlace are the words after which a name is a place, in English and German.
var beforePlace = map[string]bool{"in": true, "at": true, "to": true, "from": true, "near": true, "nach": true, "aus": true, "bei": true}

// place is the first name that stands behind such a word and is nobody's and no time's:
// "" if there is none. In languages without capitals it finds nothing.
func place(text string, persons []string) string {
	words := strings.Fields(text)
	for i := 1; i < len(words); i++ {
		if !beforePlace[strings.ToLower(words[i-1])] {
			continue
		}
		var name []string
		for _, w := range words[i:] {
			bare := strings.TrimFunc(w, unicode.IsPunct)
			if r, _ := utf8.DecodeRuneInString(bare); !unicode.IsUpper(r) || lexical.CuesOf(bare)&lexical.TellsTime != 0 || lexical.IsStopWord(bare) {
				break
			}
			name = append(name, bare)
			if bare != w {
				break
			}
		}
		found := strings.Join(name, " ")
		if found != "" && !slices.ContainsFunc(persons, func(p string) bool { return strings.Contains(p, found) }) {
			return found
		}
	}
	return ""
}

// written makes the layers of a session with a writer, window by window. A message that
// no entry rests on is one of its own, as without a writer: no words are lost. That
// includes the messages of a window that the writer makes nothing of, or something that
// can't be its.
func (h *Host) written(ctx context.Context, s *memory.Session) (memory.Layers, error) {
	out := memory.Layers{Session: s.ID, Summary: memory.Summarize(s)}
	var before []string
	restated := map[string]bool{} // turns
	for _, turns := range h.windows(s) {
		written, err := h.opts.Writer.Write(ctx, Window{Session: s, Turns: turns, Before: before})
		if err != nil {
			return memory.Layers{}, err
		}
		before = nil
		entries, ok := entriesOf(s, turns, written)
		if !ok {
			continue
		}
		for _, e := range entries {
			if len(before) < 3 {
				before = append(before, e.Text)
			}
			for _, id := range e.Turns {
				restated[id] = true
			}
			if !slices.ContainsFunc(out.Entries, func(known memory.Entry) bool { return known.ID == e.ID }) {
				out.Entries = append(out.Entries, e) // windows overlap
			}
		}
	}
	keywords := memory.Keywords(s, 4*keywordsAtMost)
	at := map[string]int{}
	for i := range s.Turns {
		at[s.Turns[i].ID] = i
		if entry, ok := offline(s, &s.Turns[i], keywords); ok && !restated[s.Turns[i].ID] {
			out.Entries = append(out.Entries, entry)
		}
	}
	slices.SortStableFunc(out.Entries, func(a, b memory.Entry) int { return at[a.Turns[0]] - at[b.Turns[0]] })
	return out, nil
}
