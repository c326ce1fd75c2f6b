package ingest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/memory/ingest"
)

// importCase is an expected file as the README of the import cases describes it.
type importCase struct {
	Case         string `json:"case"`
	File         string `json:"file"`
	Format       string `json:"format"`
	OriginalName string `json:"original_name"`
	Options      struct {
		Self      string `json:"self"`
		SelfID    string `json:"self_id"`
		TZ        string `json:"tz"`
		DateOrder string `json:"date_order"`
	} `json:"options"`
	Warnings      []string           `json:"warnings"`
	Skipped       []json.RawMessage  `json:"skipped"`
	Duplicates    int                `json:"duplicates"`
	Conversations []caseConversation `json:"conversations"`
	Messages      []caseMessage      `json:"messages"`
}

type caseConversation struct {
	ID               string   `json:"id"`
	Title            *string  `json:"title"`
	TitleAny         []string `json:"title_any"`
	Kind             string   `json:"kind"`
	Participants     []string `json:"participants"`
	ParticipantsNote string   `json:"participants_note"`
	Bots             []string `json:"bots"`
	SourceID         string   `json:"source_id"`
	SourceType       string   `json:"source_type"`
	SelfHint         string   `json:"self_hint"`
}

type caseMessage struct {
	N            int             `json:"n"`
	Conversation string          `json:"conversation"`
	Time         *string         `json:"time"`
	TimeLocal    json.RawMessage `json:"time_local"`
	TimeAny      []string        `json:"time_any"`
	Sender       *string         `json:"sender"`
	SenderAny    []string        `json:"sender_any"`
	SenderID     string          `json:"sender_id"`
	Self         *bool           `json:"self"`
	Kind         string          `json:"kind"`
	Text         string          `json:"text"`
	TextAny      []string        `json:"text_any"`
	ReplyTo      *int            `json:"reply_to"`
	Offset       *int            `json:"offset_seconds"`
	Optional     bool            `json:"optional"`
	Note         string          `json:"note"`
	Deleted      bool            `json:"deleted"`
	Edited       bool            `json:"edited"`
	Forwarded    bool            `json:"forwarded"`
	ForwardedBy  *string         `json:"forwarded_from"`
	ReplyMissing string          `json:"reply_to_missing"`
	ID           string          `json:"id"`
	Bot          bool            `json:"bot"`
	Actor        string          `json:"actor"`
	Recipients   []string        `json:"recipients"`
	Quoted       *struct {
		Sender string `json:"sender"`
		Text   string `json:"text"`
	} `json:"quoted"`
	Media []struct {
		Name    string `json:"name"`
		Caption string `json:"caption"`
	} `json:"media"`
}

func (m *caseMessage) optional() bool {
	return m.Optional || strings.Contains(m.Note, "may be dropped") || strings.Contains(m.Note, "left out")
}

// TestImportCases reads every case in testdata/cases and in the folders that
// EPAGENT_IMPORT_CASES lists (separated as in PATH), and compares by the rules
// of their README. A listed folder in which nothing ran is a failure.
func TestImportCases(t *testing.T) {
	t.Run("testdata", func(t *testing.T) { runCases(t, filepath.Join("testdata", "cases")) })
	for _, dir := range filepath.SplitList(os.Getenv("EPAGENT_IMPORT_CASES")) {
		if dir != "" {
			t.Run(filepath.Base(dir), func(t *testing.T) { runCases(t, dir) })
		}
	}
}

func runCases(t *testing.T, dir string) {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.expected.json", "*/*.expected.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	ran := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want importCase
		if err := json.Unmarshal(data, &want); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		name := want.Case
		if name == "" {
			name = strings.TrimSuffix(filepath.Base(file), ".expected.json")
		}
		t.Run(name, func(t *testing.T) {
			ran++
			runCase(t, filepath.Join(filepath.Dir(file), want.File), &want)
		})
	}
	if ran == 0 {
		t.Errorf("%s: no case ran", dir)
	}
}

func runCase(t *testing.T, path string, want *importCase) {
	t.Helper()
	o := ingest.Options{Self: want.Options.Self, SelfID: want.Options.SelfID, DateOrder: want.Options.DateOrder, Name: want.OriginalName}
	if want.Options.TZ != "" {
		zone, err := time.LoadLocation(want.Options.TZ)
		if err != nil {
			t.Fatal(err)
		}
		o.TZ = zone
	}
	e, err := ingest.Read(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	// Compare what the command prints, not what the package holds.
	printed, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var got importCase
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != want.Format {
		t.Errorf("format %q, want %q", got.Format, want.Format)
	}
	if len(got.Skipped) < len(want.Skipped) {
		t.Errorf("%d rows reported as skipped, want %d", len(got.Skipped), len(want.Skipped))
	}
	if len(want.Warnings) > 0 && len(got.Warnings) == 0 {
		t.Error("no warning")
	}
	if got.Duplicates != want.Duplicates {
		t.Errorf("%d duplicates, want %d", got.Duplicates, want.Duplicates)
	}
	compareMessages(t, &got, want)
	again, err := ingest.Read(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := turnIDs(e), turnIDs(again); !slices.Equal(a, b) {
		t.Error("a second import of the same file gives other messages")
	}
}

// compareMessages walks both lists, passing over optional rows that are absent.
func compareMessages(t *testing.T, got, want *importCase) {
	t.Helper()
	number := map[int]int{0: 0} // want's n → got's n
	label := map[string]string{}
	g := 0
	for _, w := range want.Messages {
		if g >= len(got.Messages) {
			if !w.optional() {
				t.Errorf("message %d is missing", w.N)
			}
			continue
		}
		m := got.Messages[g]
		fault := differ(&m, &w, number)
		if fault != "" && w.optional() {
			continue
		}
		if fault != "" {
			t.Errorf("message %d: %s", w.N, fault)
		}
		if seen, ok := label[w.Conversation]; ok && seen != m.Conversation {
			t.Errorf("message %d is in conversation %s, want the one of %s", w.N, m.Conversation, seen)
		}
		label[w.Conversation] = m.Conversation
		number[w.N] = m.N
		g++
	}
	if g < len(got.Messages) {
		t.Errorf("%d messages too many, first: %q", len(got.Messages)-g, got.Messages[g].Text)
	}
	for _, w := range want.Conversations {
		i := slices.IndexFunc(got.Conversations, func(c caseConversation) bool { return c.ID == label[w.ID] })
		if i < 0 {
			continue // no message told which one it is
		}
		c := got.Conversations[i]
		if c.Kind != w.Kind {
			t.Errorf("conversation %s is %q, want %q", w.ID, c.Kind, w.Kind)
		}
		slices.Sort(c.Participants)
		slices.Sort(w.Participants)
		// A note says that names are free: then who is told by the messages' ids.
		if len(c.Participants) != len(w.Participants) || w.ParticipantsNote == "" && !slices.Equal(c.Participants, w.Participants) {
			t.Errorf("participants of %s: %q, want %q", w.ID, c.Participants, w.Participants)
		}
		if !slices.Equal(c.Bots, w.Bots) || c.SourceID != w.SourceID && w.SourceID != "" || c.SourceType != w.SourceType && w.SourceType != "" || c.SelfHint != w.SelfHint {
			t.Errorf("conversation %s: %+v, want %+v", w.ID, c, w)
		}
		if title := deref(c.Title); title != deref(w.Title) && !slices.Contains(w.TitleAny, title) {
			t.Errorf("title of %s: %q, want %q", w.ID, title, deref(w.Title))
		}
	}
}

func differ(got, want *caseMessage, number map[int]int) string {
	if got.Kind != want.Kind {
		return fmt.Sprintf("kind %q, want %q", got.Kind, want.Kind)
	}
	if want.SenderID != "" {
		if got.SenderID != want.SenderID {
			return fmt.Sprintf("sender id %q, want %q", got.SenderID, want.SenderID)
		}
	} else if s := deref(got.Sender); s != deref(want.Sender) && !slices.Contains(want.SenderAny, s) {
		return fmt.Sprintf("sender %q, want %q", s, deref(want.Sender))
	}
	if want.Kind != "system" {
		text := canonical(got.Text)
		if text != canonical(want.Text) && !slices.ContainsFunc(want.TextAny, func(s string) bool { return canonical(s) == text }) {
			return fmt.Sprintf("text %q, want %q", text, canonical(want.Text))
		}
	}
	if got.Deleted != want.Deleted || got.Edited != want.Edited || got.Forwarded != want.Forwarded || got.Bot != want.Bot {
		return fmt.Sprintf("deleted, edited, forwarded, bot: %v %v %v %v, want %v %v %v %v",
			got.Deleted, got.Edited, got.Forwarded, got.Bot, want.Deleted, want.Edited, want.Forwarded, want.Bot)
	}
	if deref(got.ForwardedBy) != deref(want.ForwardedBy) || got.ReplyMissing != want.ReplyMissing || want.ID != "" && got.ID != want.ID || want.Actor != "" && got.Actor != want.Actor {
		return fmt.Sprintf("forwarded from %q, answers the missing %q, id %q, actor %q", deref(got.ForwardedBy), got.ReplyMissing, got.ID, got.Actor)
	}
	if want.Quoted != nil && (got.Quoted == nil || *got.Quoted != *want.Quoted) {
		return fmt.Sprintf("quoted %+v, want %+v", got.Quoted, *want.Quoted)
	}
	if want.Recipients != nil && !slices.Equal(got.Recipients, want.Recipients) {
		return fmt.Sprintf("recipients %q, want %q", got.Recipients, want.Recipients)
	}
	if self, wantSelf := got.Self != nil && *got.Self, want.Self != nil && *want.Self; self != wantSelf {
		return fmt.Sprintf("self %v, want %v", self, wantSelf)
	}
	if want.ReplyTo == nil != (got.ReplyTo == nil) || want.ReplyTo != nil && number[*want.ReplyTo] != *got.ReplyTo {
		return "it answers another message"
	}
	if want.Offset != nil && (got.Offset == nil || *got.Offset != *want.Offset) {
		return fmt.Sprintf("offset, want %d s", *want.Offset)
	}
	if len(got.Media) != len(want.Media) {
		return fmt.Sprintf("%d media, want %d", len(got.Media), len(want.Media))
	}
	for i, m := range want.Media {
		if m.Name != "" && got.Media[i].Name != m.Name {
			return fmt.Sprintf("media called %q, want %q", got.Media[i].Name, m.Name)
		}
	}
	return differTime(got, want)
}

func differTime(got, want *caseMessage) string {
	if want.Time == nil {
		if got.Time != nil {
			return fmt.Sprintf("time %s, want none", *got.Time)
		}
		if len(want.TimeLocal) > 0 && string(want.TimeLocal) != string(got.TimeLocal) {
			return fmt.Sprintf("wall clock %s, want %s", got.TimeLocal, want.TimeLocal)
		}
		return ""
	}
	if got.Time == nil {
		return "no time, want " + *want.Time
	}
	g, err := time.Parse(time.RFC3339, *got.Time)
	if err != nil {
		return err.Error()
	}
	for _, s := range append([]string{*want.Time}, want.TimeAny...) {
		if w, err := time.Parse(time.RFC3339, s); err == nil && w.Truncate(time.Second).Equal(g.Truncate(time.Second)) {
			return ""
		}
	}
	return fmt.Sprintf("time %s, want %s", *got.Time, *want.Time)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

var bidiMarks = strings.NewReplacer("\u200e", "", "\u200f", "", "\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "",
	"\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// canonical is the form in which texts are compared.
func canonical(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(s, "\ufeff"))
	lines := strings.Split(norm.NFC.String(bidiMarks.Replace(s)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\u00a0")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func turnIDs(e *ingest.Export) []string {
	var out []string
	for _, s := range e.Sessions() {
		for _, turn := range s.Turns {
			out = append(out, turn.ID)
		}
	}
	return out
}
