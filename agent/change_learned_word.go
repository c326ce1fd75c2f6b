package agent

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy/engine"
)

// needsWord has the owner asked about what waits for their word, and shown what it says: a
// consent is to a text that was read. What waits no longer isn't asked about.
func (c *learnedChange) needsWord(p *Proposal) error {
	for _, id := range c.change.Add {
		s, ok := c.all[id]
		if !ok {
			return fmt.Errorf("%q: %w", id, ErrUnknownSupplement)
		}
		if s.Status != memory.SupplementProposed {
			return fmt.Errorf("%s is %s: %w", id, s.Status, ErrNotProposed)
		}
		said, lesson := s.Text, (*engine.Lesson)(nil)
		if len(s.Lesson) > 0 {
			lesson = new(engine.Lesson)
			if err := json.Unmarshal(s.Lesson, lesson); err != nil {
				return fmt.Errorf("%w: supplement %s: %w", ErrLearned, id, err)
			}
			said = lesson.Text()
		}
		if id != SupplementID(s.Stage, s.Language, SupplementKey(s.Text, lesson)) {
			return fmt.Errorf("supplement %q: %w", id, errSupplementID)
		}
		p.Opens = append(p.Opens, fmt.Sprintf("supplement %s comes in force for %s (%s), which may change who knows what is said later:", id, s.Stage, s.Language))
		for _, part := range shownPieces(said, maxShownLine) {
			p.Opens = append(p.Opens, fmt.Sprintf("%s says %q", id, part))
		}
	}
	return nil
}

// maxShownLine is how many bytes of a supplement a line shows: whoever asks the owner cuts
// longer ones, and nobody agrees to what was cut off.
const maxShownLine = 200

// shownPieces cuts a text into pieces of at most size bytes, at characters' borders.
func shownPieces(text string, size int) []string {
	var out []string
	for len(text) > size {
		end := size
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		if end == 0 {
			end = size // no UTF-8: quoted all the same
		}
		out, text = append(out, text[:end]), text[end:]
	}
	return append(out, text)
}
