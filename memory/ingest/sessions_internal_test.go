package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// What waits for the end of its session is bounded in words, not in messages alone: a
// mailbox has long mails in thousands of threads. Nothing is lost by that.
func TestOpenWordsBounded(t *testing.T) {
	e := &Export{Format: "email", gap: DefaultGap, speakers: newSpeakers(Options{}, "email")}
	const threads, mails = 600, 3000
	for i := range threads {
		e.Conversations = append(e.Conversations, Conversation{ID: label(i), SourceID: fmt.Sprint(i), Participants: []string{"Ana", "Bo"}})
	}
	turns := 0
	c := newCutter(e, map[int]bool{}, func(s *memory.Session) error {
		turns += len(s.Turns)
		return nil
	})
	at := time.Date(2024, 3, 13, 9, 0, 0, 0, time.UTC)
	for i := range mails {
		m := &Message{
			N: i + 1, Conversation: label(i % threads), Sender: "Ana", Kind: KindMessage, Text: strings.Repeat(fmt.Sprintf("bed %d ", i), 700),
			When: privacy.Stamp{Instant: at.Add(time.Duration(i) * time.Second)},
		}
		if err := c.add(m); err != nil {
			t.Fatal(err)
		}
		open, words := 0, 0
		for _, cut := range c.open {
			open += len(cut.messages)
			for _, m := range cut.messages {
				words += len(m.Text)
			}
		}
		if c.held != open || c.words != words || words > maxWords {
			t.Fatalf("mail %d: %d messages of %d bytes are open, by account %d of %d", i, open, words, c.held, c.words)
		}
	}
	if err := c.end(); err != nil || turns != mails || c.words != 0 || c.held != 0 {
		t.Errorf("%v, %d turns of %d, left %d of %d bytes", err, turns, mails, c.held, c.words)
	}
}
