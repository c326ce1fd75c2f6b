package evolve

import (
	"encoding/json"
	"fmt"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// stored is a supplement as the record keeps it.
func (s Supplement) stored() (memory.StoredSupplement, error) {
	out := memory.StoredSupplement{
		ID: s.ID, Stage: string(s.Stage), Language: s.Language, Text: s.Text, Parents: s.Parents, Evidence: s.Evidence,
		Author: s.Author, At: s.At, Status: string(s.Status), Reason: s.Reason, Scope: s.Scope,
	}
	var err error
	if s.Lesson != nil {
		out.Lesson, err = json.Marshal(s.Lesson)
	}
	if err == nil && s.Gate != nil {
		out.Gate, err = json.Marshal(s.Gate)
	}
	if err != nil {
		return out, fmt.Errorf("supplement %s: %w", s.ID, err)
	}
	return out, nil
}

// fromStored reads a supplement of the record. One that can't be read is none.
func fromStored(x memory.StoredSupplement) (Supplement, error) {
	out := Supplement{
		ID: x.ID, Stage: prompts.Name(x.Stage), Language: x.Language, Text: x.Text, Parents: x.Parents, Evidence: x.Evidence,
		Author: x.Author, At: x.At, Status: Status(x.Status), Reason: x.Reason, Scope: x.Scope,
	}
	if len(x.Lesson) > 0 {
		out.Lesson = new(engine.Lesson)
		if err := json.Unmarshal(x.Lesson, out.Lesson); err != nil {
			return out, fmt.Errorf("supplement %s: its lesson: %w", x.ID, err)
		}
		if x.Scope != nil {
			out.Lesson.Scope = engine.ScopeOf(x.Scope)
		}
	}
	if len(x.Gate) > 0 {
		out.Gate = new(Figures)
		if err := json.Unmarshal(x.Gate, out.Gate); err != nil {
			return out, fmt.Errorf("supplement %s: its figures: %w", x.ID, err)
		}
	}
	return out, nil
}

// storedSet are supplements as the record keeps them.
func storedSet(set []Supplement) ([]memory.StoredSupplement, error) {
	list := make([]memory.StoredSupplement, len(set))
	for i := range set {
		var err error
		if list[i], err = set[i].stored(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Learned is a set of supplements as an agent takes it.
func Learned(set []Supplement) (agent.Learned, error) {
	list, err := storedSet(set)
	if err != nil {
		return agent.Learned{}, err
	}
	return agent.LearnedOf(list)
}

// marking is [Learned] of those by which marks may differ.
func marking(set []Supplement) (agent.Learned, error) {
	list, err := storedSet(set)
	if err != nil {
		return agent.Learned{}, err
	}
	return agent.LearnedOf(agent.Marking(list))
}
