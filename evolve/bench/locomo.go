package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Conversation is one sample of a LoCoMo file: what was said, and questions.
type Conversation struct {
	ID        string
	Sessions  []Session
	Questions []Question
}

// Session is one sitting of a conversation.
type Session struct {
	ID    string        // "D3"
	When  privacy.Stamp // zero if the file gives none that can be read
	Given string        // its time as the file writes it
	Turns []Turn
}

// Turn is one message.
type Turn struct {
	ID      string // as the file names it: "D3:7"
	Speaker string
	Text    string
	Caption string // of an image; "" none
}

// Question is one question with where its answer was said.
type Question struct {
	Text     string
	Category int
	Evidence []string // ids of turns that exist, in the file's order, each once
	Sessions []string // ids of the sessions that the evidence names, each once; a turn that doesn't exist still names its session
}

type locomoSample struct {
	ID           json.RawMessage            `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []locomoQuestion           `json:"qa"`
}

type locomoQuestion struct {
	Question string          `json:"question"`
	Category json.RawMessage `json:"category"`
	Evidence json.RawMessage `json:"evidence"`
}

type locomoTurn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// ReadLocomo reads a file of the LoCoMo format: a list of samples, or one, with notes
// on what is left out. Evidence is repaired as far as it can be read ("D8:6; D9:17",
// "D:11:26", "D30:05"); what names no turn is left out. A sample without turns keeps
// its place and has no sessions. ErrFormat names the sample, the place in it and what
// is wanted there.
func ReadLocomo(data []byte) (conversations []Conversation, notes []string, err error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) > 0 && data[0] == '{' {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	if !json.Valid(data) {
		return nil, nil, fmt.Errorf("%w: it is no whole JSON file; get it again", ErrFormat)
	}
	var samples []json.RawMessage
	if err := json.Unmarshal(data, &samples); err != nil {
		return nil, nil, fmt.Errorf("%w: want a list of samples", ErrFormat)
	}
	if len(samples) == 0 {
		return nil, nil, fmt.Errorf("%w: it holds no sample", ErrFormat)
	}
	turns := false
	for i, raw := range samples {
		place := fmt.Sprintf("sample %d", i+1)
		c, noted, err := readSample(raw)
		if c.ID != "" {
			place += fmt.Sprintf(" %q", c.ID)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", place, err)
		}
		for _, n := range noted {
			notes = append(notes, place+": "+n)
		}
		turns = turns || len(c.Sessions) > 0
		conversations = append(conversations, c)
	}
	if !turns {
		return nil, nil, fmt.Errorf("%w: no sample has turns; want conversation.session_1 and so on", ErrFormat)
	}
	return conversations, notes, nil
}

func readSample(raw json.RawMessage) (Conversation, []string, error) {
	var s struct {
		ID           json.RawMessage `json:"sample_id"`
		Conversation json.RawMessage `json:"conversation"`
		QA           json.RawMessage `json:"qa"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return Conversation{}, nil, fmt.Errorf("%w: want an object with sample_id, conversation and qa", ErrFormat)
	}
	sample := locomoSample{ID: s.ID}
	c := Conversation{ID: sample.name()}
	if len(s.Conversation) > 0 && json.Unmarshal(s.Conversation, &sample.Conversation) != nil {
		return c, nil, fmt.Errorf("conversation: %w: want an object with session_1 and so on", ErrFormat)
	}
	var questions []json.RawMessage
	if len(s.QA) > 0 && json.Unmarshal(s.QA, &questions) != nil {
		return c, nil, fmt.Errorf("qa: %w: want a list of questions", ErrFormat)
	}
	for i, q := range questions {
		var question locomoQuestion
		if json.Unmarshal(q, &question) != nil {
			return c, nil, fmt.Errorf("question %d: %w: want an object with question, category and evidence", i+1, ErrFormat)
		}
		sample.QA = append(sample.QA, question)
	}
	return sample.conversation()
}

// name is the sample's id, which may be a number.
func (s *locomoSample) name() string {
	var text string
	if json.Unmarshal(s.ID, &text) == nil {
		return text
	}
	return strings.TrimSpace(string(s.ID))
}

// category reads 4 and "4"; 0 is none.
func (q *locomoQuestion) category() (int, error) {
	given := strings.TrimSpace(string(q.Category))
	if given == "" || given == "null" {
		return 0, nil
	}
	var text string
	if json.Unmarshal(q.Category, &text) == nil {
		given = strings.TrimSpace(text)
	}
	n, err := strconv.ParseFloat(given, 64)
	if err != nil || n != float64(int(n)) || n < 1 || n > 5 {
		return 0, fmt.Errorf("category: %w: want a number from 1 to 5", ErrFormat)
	}
	return int(n), nil
}

// evidence reads a list of ids, and one that stands alone.
func (q *locomoQuestion) evidence() ([]string, error) {
	var list []string
	var one string
	switch {
	case len(q.Evidence) == 0 || json.Unmarshal(q.Evidence, &list) == nil:
		return list, nil
	case json.Unmarshal(q.Evidence, &one) == nil:
		return []string{one}, nil
	}
	return nil, fmt.Errorf("evidence: %w: want a list of turns, as in [\"D1:3\"]", ErrFormat)
}

var sessionKey = regexp.MustCompile(`^session_([1-9][0-9]*)$`)

func (s *locomoSample) conversation() (out Conversation, notes []string, err error) {
	out.ID = s.name()
	var numbers []int
	for key := range s.Conversation {
		if m := sessionKey.FindStringSubmatch(key); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	known := map[string]bool{}
	for _, n := range numbers {
		key := "session_" + strconv.Itoa(n)
		session := Session{ID: "D" + strconv.Itoa(n)}
		if raw, ok := s.Conversation[key+"_date_time"]; ok {
			if err := json.Unmarshal(raw, &session.Given); err != nil {
				return out, nil, fmt.Errorf("%s_date_time: %w: want a text like \"1:56 pm on 8 May, 2023\"", key, ErrFormat)
			}
		}
		session.When = locomoTime(session.Given)
		var turns []locomoTurn
		if err := json.Unmarshal(s.Conversation[key], &turns); err != nil {
			return out, nil, fmt.Errorf("%s: %w: want a list of turns with speaker, dia_id and text", key, ErrFormat)
		}
		for i, t := range turns {
			id := session.ID + ":" + strconv.Itoa(i+1)
			if t.ID != "" && t.ID != id {
				return out, nil, fmt.Errorf("%s: turn %d: %w: dia_id %q, want %q", key, i+1, ErrFormat, t.ID, id)
			}
			known[id] = true
			session.Turns = append(session.Turns, Turn{ID: id, Speaker: t.Speaker, Text: t.Text, Caption: t.Caption})
		}
		out.Sessions = append(out.Sessions, session)
	}
	if len(known) == 0 {
		out.Sessions = nil
		return out, []string{"it has no turns; skipped"}, nil
	}
	unsorted := 0
	for i := range s.QA {
		q := Question{Text: s.QA[i].Question}
		var given []string
		if q.Category, err = s.QA[i].category(); err == nil {
			given, err = s.QA[i].evidence()
		}
		if err != nil {
			return out, nil, fmt.Errorf("question %d: %w", i+1, err)
		}
		if q.Category == 0 {
			unsorted++
		}
		q.Evidence, q.Sessions = repairEvidence(given, known)
		out.Questions = append(out.Questions, q)
	}
	if unsorted > 0 {
		notes = append(notes, fmt.Sprintf("questions without a category: %d; they count in no5 and all", unsorted))
	}
	return out, notes, nil
}

// evidenceID is a turn's id however it is spelt: "D3:7", "D:3:7", "D3:07".
var evidenceID = regexp.MustCompile(`[Dd]:?0*([0-9]+):0*([0-9]+)`)

func repairEvidence(given []string, known map[string]bool) (turns, sessions []string) {
	for _, text := range given {
		for _, m := range evidenceID.FindAllStringSubmatch(text, -1) {
			session := "D" + m[1]
			turn := session + ":" + m[2]
			if known[turn] && !slices.Contains(turns, turn) {
				turns = append(turns, turn)
			}
			if known[session+":1"] && !slices.Contains(sessions, session) {
				sessions = append(sessions, session)
			}
		}
	}
	return turns, sessions
}

// locomoTime reads "1:56 pm on 8 May, 2023", a wall clock without a zone.
func locomoTime(given string) privacy.Stamp {
	t, err := time.Parse("3:04 pm on 2 January, 2006", strings.ToLower(strings.TrimSpace(given)))
	if err != nil {
		return privacy.Stamp{}
	}
	return privacy.Stamp{Local: t.Format("2006-01-02T15:04:05")}
}
