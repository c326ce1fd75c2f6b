package memory

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/epagent/epagent/privacy"
)

func insertEventRule(tx *writeTx, r privacy.EventRule) {
	n := tx.exec("INSERT OR IGNORE INTO event_rules (id, event, kind, value, made_by, turn, at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		r.ID, string(r.Event), string(r.Kind), r.Value, string(r.By), r.Turn, encodeTime(r.At), tx.revision)
	tx.changed = tx.changed || n > 0
}

// AddEventRule stores what the owner said about an event as a whole. A rule is
// known by its id; one that is there already stays as it is.
func (s *Store) AddEventRule(ctx context.Context, r privacy.EventRule) error {
	if r.ID == "" {
		return fmt.Errorf("event rule without an id: %w", ErrInvalid)
	}
	err := s.update(ctx, func(tx *writeTx) error {
		insertEventRule(tx, r)
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("event rule %q: %w", r.ID, err)
	}
	return nil
}

// EventRules returns every event rule, by id. Forgetting leaves them: a "don't
// tell" outlives the words that said so.
func (s *Store) EventRules(ctx context.Context) ([]privacy.EventRule, error) {
	var out []privacy.EventRule
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadEventRules(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read event rules: %w", err)
	}
	return out, nil
}

func loadEventRules(each rowsOf) ([]privacy.EventRule, error) {
	return loadEventRulesAt(each, math.MaxInt64)
}

// loadEventRulesAt reads the rules that were there at a revision.
func loadEventRulesAt(each rowsOf, revision int64) ([]privacy.EventRule, error) {
	var out []privacy.EventRule
	err := each("SELECT id, event, kind, value, made_by, turn, at FROM event_rules WHERE revision <= ? ORDER BY id", []any{revision}, func(rows *sql.Rows) error {
		var r privacy.EventRule
		var at string
		err := rows.Scan(&r.ID, &r.Event, &r.Kind, &r.Value, &r.By, &r.Turn, &at)
		if err == nil {
			r.At, err = decodeTime(at)
		}
		out = append(out, r)
		return err
	})
	return out, err
}

// Exemplar is a decision of the owner about one fact, kept to teach the
// annotator (MARKS 12).
type Exemplar struct {
	ID       int64              `json:"id"`
	Text     string             `json:"text"`
	Category privacy.CategoryID `json:"category,omitempty"` // "" with NotFact
	NotFact  bool               `json:"not_fact,omitempty"` // the owner said: this is no fact
	Fact     privacy.FactID     `json:"fact,omitempty"`     // the fact that was corrected
	At       time.Time          `json:"at,omitzero"`
}

// Exemplars returns every exemplar in the order of their making.
func (s *Store) Exemplars(ctx context.Context) ([]Exemplar, error) {
	var out []Exemplar
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadExemplars(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read exemplars: %w", err)
	}
	return out, nil
}

func loadExemplars(each rowsOf) ([]Exemplar, error) {
	var out []Exemplar
	err := each("SELECT id, text, category, not_fact, fact, at FROM exemplars ORDER BY id", nil, func(rows *sql.Rows) error {
		var e Exemplar
		var at string
		err := rows.Scan(&e.ID, &e.Text, &e.Category, &e.NotFact, &e.Fact, &at)
		if err == nil {
			e.At, err = decodeTime(at)
		}
		out = append(out, e)
		return err
	})
	return out, err
}

// AddExemplar stores e and returns its id. A zero At becomes now.
func (s *Store) AddExemplar(ctx context.Context, e Exemplar) (int64, error) {
	if e.At.IsZero() {
		e.At = s.opts.Now()
	}
	var id int64
	err := s.update(ctx, func(tx *writeTx) error {
		id = insertExemplar(tx, e)
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("add an exemplar: %w", err)
	}
	return id, nil
}

func insertExemplar(tx *writeTx, e Exemplar) (id int64) {
	tx.changed = true
	err := tx.scan("INSERT INTO exemplars (text, category, not_fact, fact, at) VALUES (?, ?, ?, ?, ?) RETURNING id",
		[]any{e.Text, string(e.Category), e.NotFact, string(e.Fact), encodeTime(e.At)}, &id)
	if tx.err == nil {
		tx.err = err
	}
	return id
}

// RemoveExemplar takes an exemplar back. ErrNotFound.
func (s *Store) RemoveExemplar(ctx context.Context, id int64) error {
	err := s.update(ctx, func(tx *writeTx) error {
		n := tx.exec("DELETE FROM exemplars WHERE id = ?", id)
		if tx.err == nil && n == 0 {
			return ErrNotFound
		}
		tx.changed = true
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("remove exemplar %d: %w", id, err)
	}
	return nil
}
