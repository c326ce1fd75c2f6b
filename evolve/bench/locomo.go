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
	ID           string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string   `json:"question"`
		Category int      `json:"category"`
		Evidence []string `json:"evidence"`
	} `json:"qa"`
}

type locomoTurn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// ReadLocomo reads a file of the LoCoMo format: a list of samples, or one.
// Evidence is repaired as far as it can be read ("D8:6; D9:17", "D:11:26",
// "D30:05"); what names no turn is left out. ErrFormat names the place.
func ReadLocomo(data []byte) ([]Conversation, error) {
	var samples []locomoSample
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) > 0 && data[0] == '{' {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	if err := json.Unmarshal(data, &samples); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("%w: it holds no sample", ErrFormat)
	}
	out := make([]Conversation, 0, len(samples))
	for i := range samples {
		c, err := samples[i].conversation()
		if err != nil {
			return nil, fmt.Errorf("sample %d %q: %w", i+1, samples[i].ID, err)
		}
		out = append(out, c)
	}
	return out, nil
}

var sessionKey = regexp.MustCompile(`^session_([1-9][0-9]*)$`)

func (s *locomoSample) conversation() (Conversation, error) {
	out := Conversation{ID: s.ID}
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
				return out, fmt.Errorf("%s_date_time: %w: %w", key, ErrFormat, err)
			}
		}
		session.When = locomoTime(session.Given)
		var turns []locomoTurn
		if err := json.Unmarshal(s.Conversation[key], &turns); err != nil {
			return out, fmt.Errorf("%s: %w: %w", key, ErrFormat, err)
		}
		for i, t := range turns {
			id := session.ID + ":" + strconv.Itoa(i+1)
			if t.ID != "" && t.ID != id {
				return out, fmt.Errorf("%s: turn %d: %w: dia_id %q, want %q", key, i+1, ErrFormat, t.ID, id)
			}
			known[id] = true
			session.Turns = append(session.Turns, Turn{ID: id, Speaker: t.Speaker, Text: t.Text, Caption: t.Caption})
		}
		out.Sessions = append(out.Sessions, session)
	}
	if len(known) == 0 {
		return out, fmt.Errorf("%w: it has no turns", ErrFormat)
	}
	for _, qa := range s.QA {
		q := Question{Text: qa.Question, Category: qa.Category}
		q.Evidence, q.Sessions = repairEvidence(qa.Evidence, known)
		out.Questions = append(out.Questions, q)
	}
	return out, nil
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
