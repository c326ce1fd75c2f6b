package simple

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// The windows of SimpleMem, cut at the borders of sessions so that
// each entry belongs to one.
const (
	windowTurns = 20
	overlap     = 2 // turns that a window shares with the one before
	// WholeSession as Options.Window makes one window of each session.
	WholeSession = -1
)

// Window is a stretch of one session for a Writer.
type Window struct {
	Session *memory.Session
	Turns   []memory.Turn
	Before  []string // the first three entries of the window before, at most
}

// Written is an atomic entry as a Writer gives it: one statement that stands alone,
// without pronouns and with times as dates.
type Written struct {
	Text     string
	Turns    []string // ids of turns of the window; required
	When     privacy.Stamp
	Keywords []string
	Persons  []string
	Place    string
	Topic    string
}

// Writer writes the entries of a window, on a chat model for instance ([ModelWriter]).
// With a Version the same window is to give the same entries, and a store that was
// written by another one is refused until it is reindexed; "" leaves both open.
type Writer interface {
	Write(ctx context.Context, w Window) ([]Written, error)
	Version() string
}

// windows cuts a session's turns.
func (h *Host) windows(s *memory.Session) [][]memory.Turn {
	size := h.opts.Window
	switch {
	case len(s.Turns) == 0:
		return nil
	case size < 0 || len(s.Turns) <= max(size, windowTurns) && size == 0:
		return [][]memory.Turn{s.Turns}
	case size == 0:
		size = windowTurns
	}
	var out [][]memory.Turn
	step := max(size-overlap, 1)
	for from := 0; ; from += step {
		out = append(out, s.Turns[from:min(from+size, len(s.Turns))])
		if from+size >= len(s.Turns) {
			return out
		}
	}
}

// entriesOf checks what a writer gave for a window: false where something is without
// words, or rests on no turn of the window.
func entriesOf(s *memory.Session, turns []memory.Turn, written []Written) ([]memory.Entry, bool) {
	var out []memory.Entry
	for _, w := range written {
		text := strings.Join(strings.Fields(w.Text), " ")
		if text == "" || len(w.Turns) == 0 {
			return nil, false
		}
		entry := memory.Entry{
			Session: s.ID, Text: text, When: w.When, Place: w.Place, Topic: w.Topic,
			Keywords: slices.Clone(w.Keywords), Persons: slices.Clone(w.Persons),
		}
		for i := range turns { // in the order of the session
			if slices.Contains(w.Turns, turns[i].ID) {
				entry.Turns = append(entry.Turns, turns[i].ID)
				if entry.When.IsZero() {
					entry.When = s.TurnTime(&turns[i])
				}
			}
		}
		if len(entry.Turns) < len(w.Turns) {
			return nil, false
		}
		entry.ID = s.ID + "/" + hash(append([]string{text}, entry.Turns...)...)
		out = append(out, entry)
	}
	return out, len(out) > 0
}

func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:16])
}
