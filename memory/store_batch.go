package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/epagent/epagent/privacy"
)

// Batch is what one step of an import stores. It is stored whole or not at all.
type Batch struct {
	Sessions   []Session
	Layers     []Layers // each replaces the host's layers of its session
	Facts      []Fact
	EventRules []privacy.EventRule
	// FactMarks are marks to append to facts that are stored already. A fact
	// that was forgotten meanwhile takes none.
	FactMarks map[privacy.FactID][]privacy.Mark
	// Edits are turns whose words have changed in their source.
	Edits []TurnEdit
	// InForce is the version of the supplements that the facts were made with: ErrMoved where
	// another one is in force by now. Nil: that isn't asked.
	InForce *int64
	// Resurrect brings back what was forgotten and is in the batch: the owner asked
	// for it. Its tombstones go.
	Resurrect bool
}

// TurnEdit gives a stored turn the words that its source has now. Its id stays.
type TurnEdit struct {
	Conversation string
	Turn         Turn // ID is that of the stored turn
	// Drop are facts that rested on the old words alone. They go before the facts of
	// the batch are stored, and leave no tombstone: nobody has forgotten them.
	Drop []privacy.FactID
}

// Applied counts what a batch brought.
type Applied struct {
	Sessions       int // new sessions
	Turns          int // new turns
	Facts          int // new facts
	Edited         int // turns that got other words
	DuplicateTurns int // turns that were there already
	Tombstoned     int // turns, sessions and facts that were forgotten once and stay so
}

// Apply stores b in one transaction. Applying a batch again changes nothing:
//
//   - A known session takes the turns that it lacks; a turn is known by its
//     conversation and id, whatever session it comes in.
//   - A known fact keeps its text (the owner may have edited it) and takes the
//     marks, sessions and evidence that it lacks.
//   - An event rule is known by its id.
//   - What was forgotten is left out and counted. Of a session with forgotten
//     turns the layers are made anew, see Options.Rebuild.
//
// A fact without entries is linked to three entries of its sessions: those that
// restate its evidence, then the nearest ones. Embedding happens before the
// transaction opens. ErrInvalid names what lacks an id; nothing is stored then.
func (s *Store) Apply(ctx context.Context, b Batch) (Applied, error) {
	if err := b.check(); err != nil {
		return Applied{}, fmt.Errorf("store a batch: %w", err)
	}
	texts, err := s.embedBatch(ctx, b)
	if err != nil {
		return Applied{}, fmt.Errorf("store a batch: %w", err)
	}
	var done Applied
	unembedded := false // layers were made anew within the transaction
	err = s.update(ctx, func(tx *writeTx) error {
		done = Applied{}
		err := newApplier(s, tx, texts, &done).run(b)
		unembedded = tx.unembedded
		return err
	})
	if err == nil && unembedded {
		err = s.fillVectors(ctx, s.Embedder(), nil)
	}
	if err != nil {
		return Applied{}, fmt.Errorf("store a batch: %w", err)
	}
	return done, nil
}

// check refuses what could not be found again or would hide something else.
func (b *Batch) check() error {
	for i := range b.Sessions {
		session := &b.Sessions[i]
		if session.ID == "" {
			return fmt.Errorf("session %d of the batch has no id: %w", i, ErrInvalid)
		}
		seen := make(map[string]bool, len(session.Turns))
		for _, t := range session.Turns {
			if t.ID == "" || seen[t.ID] {
				return fmt.Errorf("session %q: turn id %q is empty or occurs twice: %w", session.ID, t.ID, ErrInvalid)
			}
			seen[t.ID] = true
		}
	}
	for _, l := range b.Layers {
		for _, e := range l.Entries {
			if e.ID == "" || e.Session != "" && e.Session != l.Session {
				return fmt.Errorf("layers of session %q: entry %q has no id or belongs to %q: %w", l.Session, e.ID, e.Session, ErrInvalid)
			}
		}
	}
	for i := range b.Facts {
		if b.Facts[i].ID == "" {
			return fmt.Errorf("fact %d of the batch has no id: %w", i, ErrInvalid)
		}
	}
	for i, r := range b.EventRules {
		if r.ID == "" {
			return fmt.Errorf("event rule %d of the batch has no id: %w", i, ErrInvalid)
		}
	}
	return nil
}

// applier carries one batch into one transaction.
type applier struct {
	store  *Store
	tx     *writeTx
	texts  embedded
	graves *graves
	done   *Applied
	relink map[privacy.FactID]*Fact // facts whose links are to be made; nil: read it first

	dead          map[turnRef]bool  // turns of the batch that were left out as forgotten
	conversations map[string]string // of sessions looked up so far
	begun         map[string]bool   // sessions that the batch brought, which have no layers yet
	facts         map[string]bool   // facts of the batch that are stored
}

func newApplier(s *Store, tx *writeTx, texts embedded, done *Applied) *applier {
	return &applier{store: s, tx: tx, texts: texts, done: done, relink: map[privacy.FactID]*Fact{},
		dead: map[turnRef]bool{}, conversations: map[string]string{}, begun: map[string]bool{}}
}

type turnRef struct{ conversation, id string }

func (a *applier) run(b Batch) error {
	var model string
	if err := a.tx.scan("SELECT value FROM meta WHERE key = 'model'", nil, &model); err != nil {
		return err
	}
	if err := a.store.compareModel(model); err != nil {
		return err // reindexed by another process since we opened
	}
	if b.InForce != nil {
		newest, err := newestVersion(a.tx.rows())
		if err != nil {
			return err
		}
		if newest.Seq != *b.InForce {
			return fmt.Errorf("supplements of version %d, and now it is %d: %w", *b.InForce, newest.Seq, ErrMoved)
		}
	}
	var err error
	if a.graves, err = loadGraves(a.tx); err != nil {
		return err
	}
	if b.Resurrect {
		a.exhume(b)
	}
	if err := a.edits(b); err != nil {
		return fmt.Errorf("edited turns: %w", err)
	}
	damaged := map[string]bool{} // sessions that came with forgotten turns
	for i := range b.Sessions {
		lost, err := a.session(&b.Sessions[i])
		if err != nil {
			return fmt.Errorf("session %q: %w", b.Sessions[i].ID, err)
		}
		if lost {
			damaged[b.Sessions[i].ID] = true
		}
	}
	for i := range b.Layers {
		if err := a.layers(&b.Layers[i], damaged[b.Layers[i].Session]); err != nil {
			return fmt.Errorf("layers of session %q: %w", b.Layers[i].Session, err)
		}
	}
	ids := make([]string, len(b.Facts))
	for i := range b.Facts {
		ids[i] = string(b.Facts[i].ID)
	}
	if a.facts, err = among(a.tx.rows(), "SELECT id FROM facts WHERE id IN", ids); err != nil {
		return err
	}
	for i := range b.Facts {
		if err := a.fact(&b.Facts[i]); err != nil {
			return fmt.Errorf("fact %q: %w", b.Facts[i].ID, err)
		}
	}
	for id, marks := range b.FactMarks {
		if err := a.marks(id, marks); err != nil {
			return fmt.Errorf("marks of fact %q: %w", id, err)
		}
	}
	if err := a.link(); err != nil {
		return fmt.Errorf("link facts to entries: %w", err)
	}
	for _, r := range b.EventRules {
		insertEventRule(a.tx, r)
	}
	return a.tx.err
}

// edits gives turns their new words. What they were known by before is kept, so that
// an older export is known again.
func (a *applier) edits(b Batch) error {
	for i := range b.Edits {
		e := &b.Edits[i]
		t := &e.Turn
		var before string
		err := a.tx.scan("SELECT print FROM turns WHERE conversation = ? AND id = ?", []any{e.Conversation, t.ID}, &before)
		if errors.Is(err, sql.ErrNoRows) {
			continue // forgotten meanwhile
		}
		if err != nil {
			return err
		}
		a.done.Edited++
		a.tx.changed, a.tx.rewritten = true, true
		if before != "" && before != t.Print {
			a.tx.exec("INSERT OR REPLACE INTO turn_versions (conversation, print, turn) VALUES (?, ?, ?)", e.Conversation, before, t.ID)
		}
		a.tx.exec("DELETE FROM turn_versions WHERE conversation = ? AND print = ?", e.Conversation, t.Print)
		a.tx.exec("UPDATE turns SET kind = ?, text = ?, caption = ?, print = ?, slot = ?, edited = ?, deleted = ? WHERE conversation = ? AND id = ?",
			string(t.Kind), t.Text, t.Caption, t.Print, t.Slot, t.Edited, t.Deleted, e.Conversation, t.ID)
		for _, id := range e.Drop {
			a.tx.exec("DELETE FROM facts WHERE id = ?", string(id)) // and its links and history
		}
	}
	return a.tx.err
}
