package agent

import (
	"context"
	"errors"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
)

// maxRenamed bounds what is remembered of turns that are stored under another id
// than the source gives them: answers are near what they answer.
const maxRenamed = 1 << 16

// meet holds a session of the source against the record. Its turns get the ids under
// which they are stored, what was forgotten goes, and what is left to learn comes
// back: the session with its new turns, put into the stored session that it goes on
// with, and stored sessions in which a message has other words now.
func (im *importer) meet(ctx context.Context, s *memory.Session) ([]toLearn, error) {
	chat := im.chat(s.Conversation)
	chat.Messages += len(s.Turns)
	met, err := im.met(ctx, s)
	if err != nil {
		return nil, err
	}
	new := toLearn{session: *s, fresh: map[string]bool{}}
	new.session.Turns = make([]memory.Turn, 0, len(s.Turns))
	edits := map[string][]memory.TurnEdit{} // by stored session
	var home string                         // the stored session that the new turns belong to
	for i := range s.Turns {
		t := s.Turns[i]
		if id, ok := im.renamed[t.ReplyTo]; ok {
			t.ReplyTo = id
		}
		im.own.strike(&t, chat)
		m := met[i]
		if m.ID != t.ID {
			im.rename(t.ID, m.ID)
			t.ID = m.ID
		}
		switch m.State {
		case memory.TurnForgotten:
			if !im.opts.Resurrect {
				chat.Forgotten++
				im.report.Forgotten++
				continue
			}
			new.fresh[t.ID] = true
			chat.New++
		case memory.TurnEdited:
			chat.Edited++
			edits[m.Session] = append(edits[m.Session], memory.TurnEdit{Conversation: s.Conversation, Turn: t})
		case memory.TurnStored, memory.TurnTakenBack: // the latter has gone since, see takeBack
			chat.Duplicate++
			if m.Unplaced {
				if err := im.place(ctx, memory.TurnPlace{Conversation: s.Conversation, ID: m.ID, When: t.When}); err != nil {
					return nil, err
				}
			}
		default:
			new.fresh[t.ID] = true
			if im.gaps[t.ID] { // of a message that was there
				new.gaps++
				chat.Duplicate++
			} else {
				chat.New++
			}
		}
		if home == "" && m.Session != "" {
			home = m.Session
		}
		new.session.Turns = append(new.session.Turns, t)
	}
	for i := range new.session.Subs {
		new.session.Subs[i].Turns = slices.Clone(new.session.Subs[i].Turns)
		for j, id := range new.session.Subs[i].Turns {
			if to, ok := im.renamed[id]; ok {
				new.session.Subs[i].Turns[j] = to
			}
		}
	}
	var out []toLearn
	if len(new.fresh) > 0 {
		if home == "" {
			return []toLearn{new}, nil
		}
		joined, err := im.join(ctx, home, &new, edits[home])
		if err != nil {
			return nil, err
		}
		delete(edits, home)
		joined.gaps = new.gaps
		out = append(out, *joined)
	}
	sessions := make([]string, 0, len(edits))
	for id := range edits {
		sessions = append(sessions, id)
	}
	slices.Sort(sessions)
	for _, id := range sessions {
		joined, err := im.join(ctx, id, &toLearn{session: *s, fresh: map[string]bool{}}, edits[id])
		if err != nil {
			return nil, err
		}
		out = append(out, *joined)
	}
	return out, nil
}

// met says what the record knows of the turns of a session. A conversation of which it
// held nothing when the import came to it needs no look: the import has each message
// once, and what another process stores meanwhile is found when it is stored.
func (im *importer) met(ctx context.Context, s *memory.Session) ([]memory.Met, error) {
	if im.r != nil && im.r.Script == nil && !im.shared[s.Conversation] {
		isNew, ok := im.newChats[s.Conversation]
		if !ok {
			var err error
			if isNew, err = im.a.store.Unknown(ctx, s.Conversation); err != nil {
				return nil, err
			}
			im.newChats[s.Conversation] = isNew
		}
		if isNew {
			out := make([]memory.Met, len(s.Turns))
			for i := range out {
				out[i].ID = s.Turns[i].ID
			}
			return out, nil
		}
	}
	return im.a.store.Meet(ctx, s.Conversation, s.Turns)
}

// place keeps a message that is to get its instant, until there are enough of them.
func (im *importer) place(ctx context.Context, p memory.TurnPlace) error {
	if im.unplaced = append(im.unplaced, p); len(im.unplaced) < batchMessages {
		return nil
	}
	return im.placeAll(ctx)
}

func (im *importer) placeAll(ctx context.Context) error {
	if len(im.unplaced) == 0 {
		return nil
	}
	n, err := im.a.store.Place(ctx, im.unplaced)
	im.unplaced = im.unplaced[:0]
	im.report.Placed += n
	return err
}

func (im *importer) rename(from, to string) {
	if len(im.renamed) >= maxRenamed {
		clear(im.renamed)
	}
	im.renamed[from] = to
}

// join puts new turns and edits into the stored session with that id. Turns that are
// stored in other sessions stay where they are.
func (im *importer) join(ctx context.Context, id string, in *toLearn, edits []memory.TurnEdit) (*toLearn, error) {
	old, err := im.a.store.Session(ctx, id)
	if errors.Is(err, memory.ErrNotFound) { // it is in a batch that is on its way
		return in, nil
	}
	if err != nil {
		return nil, err
	}
	out := &toLearn{session: *old, fresh: map[string]bool{}, edits: edits}
	s := &out.session
	for _, name := range in.session.Participants {
		if !slices.Contains(s.Participants, name) {
			s.Participants = append(s.Participants, name)
		}
	}
	s.Group = s.Group || in.session.Group
	for i := range edits {
		out.edited = append(out.edited, edits[i].Turn.ID)
		for j := range s.Turns {
			if t := &s.Turns[j]; t.ID == edits[i].Turn.ID {
				edits[i].Turn.When, edits[i].Turn.ReplyTo = t.When, t.ReplyTo
				*t = edits[i].Turn
			}
		}
	}
	timed := true
	for _, t := range in.session.Turns {
		if in.fresh[t.ID] {
			s.Turns = append(s.Turns, t)
			out.fresh[t.ID] = true
		}
	}
	for _, t := range s.Turns {
		timed = timed && !t.When.IsZero()
	}
	if timed {
		slices.SortStableFunc(s.Turns, func(x, y memory.Turn) int { return x.When.Compare(y.When) })
	}
	if s.Group {
		s.Subs = ingest.Split(s)
	}
	return out, nil
}

// takeBack forgets the stored messages that the source shows as deleted by who said
// them: what was taken back there is not remembered here. Facts that also rest on
// something else stay.
func (im *importer) takeBack(ctx context.Context) error {
	if im.r.Deletions == 0 {
		return nil
	}
	im.gaps = map[string]bool{}
	var gone []memory.TurnAddress
	err := im.r.EachSession(ctx, func(s *memory.Session) error {
		if !slices.ContainsFunc(s.Turns, func(t memory.Turn) bool { return t.Deleted }) {
			return nil
		}
		met, err := im.a.store.Meet(ctx, s.Conversation, s.Turns)
		for i := range met {
			if met[i].State == memory.TurnTakenBack {
				gone = append(gone, memory.TurnAddress{Conversation: s.Conversation, ID: met[i].ID})
				im.gaps[s.Turns[i].ID] = true
				im.chat(s.Conversation).TakenBack++
			}
		}
		return err
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	im.report.TakenBack = len(gone)
	if _, err := im.a.forget(ctx, memory.Forget{Turns: gone}); err != nil {
		return err
	}
	// The learner knows events by the words that are gone.
	im.l, err = im.a.newLearner(ctx)
	return err
}
