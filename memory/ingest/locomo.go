package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// locomoReader reads files of the LoCoMo benchmark: a list of samples, or one.
// Only the conversations are memory; questions, observations and summaries are
// the benchmark's answer key and are left alone.
type locomoReader struct{}

func (locomoReader) name() string { return "locomo" }

// sniff looks for a sample whose conversation names its two speakers. A sample
// may begin with a long answer key, so it walks over tokens, not over bytes.
func (locomoReader) sniff(src *source, _ Options) bool {
	if src.whole() || !strings.ContainsRune("[{", firstByte(src.head)) {
		return false
	}
	f, err := src.open()
	if err != nil {
		return false
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	t, err := dec.Token()
	if t == json.Delim('[') {
		t, err = dec.Token()
	}
	if err != nil || t != json.Delim('{') {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false
		}
		if key != "conversation" {
			if skipValue(dec) != nil {
				return false
			}
			continue
		}
		if t, err := dec.Token(); err != nil || t != json.Delim('{') {
			return false
		}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return false
			}
			if key == "speaker_a" || key == "speaker_b" {
				return true
			}
			if skipValue(dec) != nil {
				return false
			}
		}
		return false
	}
	return false
}

func firstByte(b []byte) rune {
	if s := strings.TrimLeft(string(b[:min(len(b), 512)]), " \t\r\n"); s != "" {
		return rune(s[0])
	}
	return 0
}

// skipValue passes over the next value of dec, down to maxDepth.
func skipValue(dec *json.Decoder) error {
	depth := 0
	for {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		if d, ok := t.(json.Delim); ok {
			if d == '[' || d == '{' {
				depth++
			} else {
				depth--
			}
		}
		if depth > maxDepth {
			return errTooDeep
		}
		if depth <= 0 {
			return nil
		}
	}
}

// maxSample is how many bytes one sample may have; it is read whole.
const maxSample = 64 << 20

type locomoSample struct {
	ID           string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
}

type locomoTurn struct {
	Speaker string          `json:"speaker"`
	ID      string          `json:"dia_id"`
	Text    string          `json:"text"`
	Images  json.RawMessage `json:"img_url"`
	Caption string          `json:"blip_caption"`
}

func (locomoReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	f, err := src.open()
	if err != nil {
		return err
	}
	defer f.Close()
	g := &guard{r: f, left: maxSample}
	dec := json.NewDecoder(g)
	isList := firstByte(src.head) == '['
	if isList {
		if _, err := dec.Token(); err != nil {
			return fmt.Errorf("%w: %w", ErrFormat, jsonFault(err))
		}
	}
	for n := 1; dec.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var s locomoSample
		g.left = maxSample
		if err := dec.Decode(&s); errors.Is(err, ErrTooLong) || errors.Is(err, ErrHostile) {
			return fmt.Errorf("sample %d: %w", n, err)
		} else if err != nil {
			return fmt.Errorf("sample %d: %w: %w", n, ErrFormat, jsonFault(err))
		}
		if err := b.locomo(n, &s, o.TZ); err != nil {
			return err
		}
		if !isList {
			break
		}
	}
	if isList {
		if _, err := dec.Token(); err != nil {
			return fmt.Errorf("%w: the list of samples doesn't end: %w", ErrFormat, jsonFault(err))
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows the samples", ErrFormat)
	}
	return nil
}

// locomo adds one sample. Sessions go by number, each turn at its session's
// time; a time without turns is no session.
func (b *builder) locomo(n int, s *locomoSample, zone *time.Location) error {
	place := fmt.Sprintf("sample %d", n)
	if s.ID != "" {
		place = fmt.Sprintf("sample %q", s.ID)
	}
	speakers := make([]string, 2)
	for i, key := range []string{"speaker_a", "speaker_b"} {
		if err := json.Unmarshal(s.Conversation[key], &speakers[i]); err != nil || strings.TrimSpace(speakers[i]) == "" {
			return fmt.Errorf("%s: %w: conversation has no %s", place, ErrFormat, key)
		}
	}
	title := strings.Join(speakers, " & ")
	label := b.conversation(Conversation{SourceID: s.ID, Title: &title, Participants: speakers})
	seen := map[string]bool{}
	for _, k := range sessionNumbers(s.Conversation) {
		name := "session_" + strconv.Itoa(k)
		var turns []locomoTurn
		if err := json.Unmarshal(s.Conversation[name], &turns); err != nil {
			return fmt.Errorf("%s: %s: %w: %w", place, name, ErrFormat, jsonFault(err))
		}
		var given string
		if raw, ok := s.Conversation[name+"_date_time"]; ok {
			if err := json.Unmarshal(raw, &given); err != nil {
				return fmt.Errorf("%s: %s_date_time: %w: %w", place, name, ErrFormat, jsonFault(err))
			}
		}
		when, ok := locomoTime(given, zone)
		if !ok {
			b.warn(fmt.Sprintf("%s: %s: its time isn't known", place, name))
		}
		for i, t := range turns {
			if strings.TrimSpace(t.Speaker) == "" {
				return fmt.Errorf("%s: %s: turn %d: %w: no speaker", place, name, i+1, ErrFormat)
			}
			if t.ID != "" && seen[t.ID] {
				b.warn(fmt.Sprintf("%s: dia_id %q occurs twice", place, t.ID))
			}
			seen[t.ID] = true
			b.message(t.message(label, name, given, when))
		}
	}
	return nil
}

func (t *locomoTurn) message(label, session, given string, when privacy.Stamp) Message {
	m := Message{
		ID: t.ID, Conversation: label, When: when, Sender: t.Speaker, Kind: KindMessage,
		Text: strings.TrimSpace(t.Text), session: session, given: given,
	}
	if t.Caption != "" || len(t.Images) > 0 && string(t.Images) != "null" && string(t.Images) != "[]" {
		m.Media = []Media{{Type: "image", Caption: t.Caption}}
		if m.Text == "" {
			m.Kind = KindMedia
		}
	}
	return m
}

// sessionNumbers returns the numbers of the sessions that have turns, in
// numeric order: session_10 comes after session_2.
func sessionNumbers(c map[string]json.RawMessage) []int {
	var out []int
	for key := range c {
		rest, ok := strings.CutPrefix(key, "session_")
		if k, err := strconv.Atoi(rest); ok && err == nil && strconv.Itoa(k) == rest {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// locomoTime reads "1:56 pm on 8 May, 2023".
func locomoTime(s string, zone *time.Location) (privacy.Stamp, bool) {
	clock, date, ok := strings.Cut(s, " on ")
	if !ok {
		return privacy.Stamp{}, false
	}
	t, err := time.Parse("3:04 pm 2 January, 2006", strings.ToLower(strings.TrimSpace(clock))+" "+strings.TrimSpace(date))
	if err != nil {
		return privacy.Stamp{}, false
	}
	return wall(t, true, zone), true
}
