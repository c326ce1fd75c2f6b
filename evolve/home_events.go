package evolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Event is what is right about the event of a fact, by the facts that it shares one with:
// the ids of events are the stages' own, and differ by what these do. The zero value says
// nothing.
type Event struct {
	With  privacy.FactID   `json:"with,omitempty"`  // it is of one event with this fact
	Apart []privacy.FactID `json:"apart,omitempty"` // and of none with these
	// Missed: the stages had left it apart from With. Where Apart is given they had joined it.
	Missed bool `json:"missed,omitempty"`
	// Stays: it is of an event with Members and nobody else, but for those of which the owner
	// said that theirs is wrong.
	Stays   bool             `json:"stays,omitempty"`
	Members []privacy.FactID `json:"members,omitempty"`
}

// Known reports whether it says anything.
func (e Event) Known() bool { return e.With != "" || len(e.Apart) > 0 || e.Stays }

// holds reports whether a fact is of such an event in a replay; wrong are those of which
// the owner said that theirs is wrong.
func (e Event) holds(fact privacy.FactID, c *agent.Coreferred, wrong map[privacy.FactID]bool) bool {
	of := c.Event(fact)
	if e.With != "" && c.Event(e.With) != of || slices.ContainsFunc(e.Apart, func(id privacy.FactID) bool { return c.Event(id) == of }) {
		return false
	}
	if !e.Stays {
		return true
	}
	now := slices.DeleteFunc(c.With(fact), func(id privacy.FactID) bool { return wrong[id] })
	return slices.Equal(now, slices.DeleteFunc(slices.Clone(e.Members), func(id privacy.FactID) bool { return wrong[id] }))
}

// machineEvent is the event that the stages gave a fact when it came in.
func machineEvent(f *memory.Fact) privacy.EventID { return eventBy(f, false) }

// handEvent is the event that the owner put a fact into, "" for none.
func handEvent(f *memory.Fact) privacy.EventID { return eventBy(f, true) }

func eventBy(f *memory.Fact, hand bool) privacy.EventID {
	for _, m := range slices.Backward(f.Marks) {
		if m.Kind == privacy.MarkEvent && (m.By == privacy.ByHand) == hand {
			return privacy.EventID(m.Value)
		}
	}
	return ""
}

// wrongEvents are the facts of which the owner said, by feedback or by hand, that their
// event is wrong.
func (h *Home) wrongEvents() map[privacy.FactID]bool {
	out := map[privacy.FactID]bool{}
	for i := range h.given {
		if f := &h.given[i]; agent.FeedbackKind(f.Kind) == "wrong-event" && f.Status != memory.FeedbackSuperseded {
			out[f.Fact] = true
		}
	}
	for i := range h.facts {
		f := &h.facts[i]
		if by := handEvent(f); by != "" && by != machineEvent(f) {
			out[f.ID] = true
		}
	}
	return out
}

// rightEvent reads what a piece of feedback says of the event of its fact: by --expected, or
// by what the owner has done to it by hand; else no more than that it is wrong.
func (h *Home) rightEvent(f *memory.Feedback, wrong map[privacy.FactID]bool) Event {
	fact := h.fact(f.Fact)
	if agent.FeedbackKind(f.Kind) != "wrong-event" || fact == nil || agent.EventStands(fact) {
		return Event{}
	}
	had, expected := machineEvent(fact), strings.TrimSpace(f.Expected)
	if by := handEvent(fact); expected == "" && by != "" && by != had {
		expected = string(by)
	}
	own := agent.OwnEvent(fact.ID)
	switch {
	case agent.SaysOwnEvent(expected), expected == string(own), expected == string(fact.ID), expected == "" && had != own:
		return Event{Apart: h.wronglyWith(fact.ID, had, wrong)}
	case expected == "":
		return Event{} // it began its event, and may be what is right about it
	}
	with := h.anchor(expected, fact.ID)
	if with == nil || agent.EventStands(with) {
		return Event{}
	}
	return Event{With: with.ID, Missed: had == own && machineEvent(with) != had}
}

// movedOtherwise reports whether the owner has put a fact into another event since than a
// piece of feedback says.
func (h *Home) movedOtherwise(f *memory.Feedback, fact *memory.Fact) bool {
	by := handEvent(fact)
	since := slices.ContainsFunc(fact.Marks, func(m privacy.Mark) bool {
		return m.Kind == privacy.MarkEvent && m.By == privacy.ByHand && m.At.After(f.At)
	})
	expected := strings.TrimSpace(f.Expected)
	switch other := h.fact(privacy.FactID(expected)); {
	case !since:
		return false
	case expected == "":
		return by == machineEvent(fact)
	case agent.SaysOwnEvent(expected), expected == string(fact.ID):
		return by != agent.OwnEvent(fact.ID)
	case other != nil:
		return string(by) != other.Value(privacy.MarkEvent)
	}
	return string(by) != expected
}

// wronglyWith are the facts to which the stages had joined another one that belongs
// elsewhere: not those that do so, too, but always the one that the event began with.
func (h *Home) wronglyWith(id privacy.FactID, event privacy.EventID, wrong map[privacy.FactID]bool) []privacy.FactID {
	var out []privacy.FactID
	for i := range h.facts {
		f := &h.facts[i]
		if f.ID != id && machineEvent(f) == event && (!wrong[f.ID] || agent.OwnEvent(f.ID) == event) {
			out = append(out, f.ID)
		}
	}
	return out
}

// anchor is a fact other than id by which an event is meant, given by its id or that of a
// fact of it: of an event the one that it began with, else the oldest.
func (h *Home) anchor(named string, id privacy.FactID) *memory.Fact {
	if f := h.fact(privacy.FactID(named)); f != nil && f.ID != id {
		return f
	}
	var out *memory.Fact
	for i := range h.facts {
		f := &h.facts[i]
		if f.ID == id || f.Value(privacy.MarkEvent) != named {
			continue
		}
		if string(agent.OwnEvent(f.ID)) == named {
			return f
		}
		if out == nil || f.ImportedAt.Before(out.ImportedAt) {
			out = f
		}
	}
	return out
}

// eventCases are the kept cases of the feedback that says what is right about an event, and
// where there are any, of the facts that the owner decided on: their events are to stay.
func (h *Home) eventCases() []Case {
	var out []Case
	wrong := h.wrongEvents()
	for i := range h.given {
		f := &h.given[i]
		if f.Status == memory.FeedbackSuperseded {
			continue
		}
		if right := h.rightEvent(f, wrong); right.Known() {
			out = append(out, Case{ID: fmt.Sprintf("feedback %d", f.ID), Kind: CaseEvent, Source: FromFeedback, Feedback: f.ID, Fact: f.Fact, Event: right})
		}
	}
	if len(out) == 0 {
		return nil
	}
	members := map[privacy.EventID][]privacy.FactID{}
	for i := range h.facts {
		members[machineEvent(&h.facts[i])] = append(members[machineEvent(&h.facts[i])], h.facts[i].ID)
	}
	for i := range h.facts {
		f := &h.facts[i]
		if wrong[f.ID] || agent.EventStands(f) || !h.replay.Decided(f.ID) && handEvent(f) == "" {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(members[machineEvent(f)]), func(id privacy.FactID) bool { return id == f.ID })
		out = append(out, Case{ID: "event of " + string(f.ID), Kind: CaseEvent, Source: FromReview, Fact: f.ID, Event: Event{Stays: true, Members: others}})
	}
	return out
}
