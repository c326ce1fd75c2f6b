package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// TurnPlace says when a stored turn was said, whose source had no zone.
type TurnPlace struct {
	Conversation, ID string
	When             privacy.Stamp // its wall clock is the stored one
}

// Place gives turns that were stored by their wall clock alone the instant that it
// stood for, with the sessions that begin with them and the facts that rest on them. It
// returns how many turns had none. A turn that has an instant keeps it.
func (s *Store) Place(ctx context.Context, places []TurnPlace) (int, error) {
	placed := 0
	err := s.update(ctx, func(tx *writeTx) error {
		placed = 0
		for i := range places {
			done, err := placeTurn(tx, &places[i])
			if err != nil {
				return err
			}
			if done {
				placed++
			}
		}
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("place turns in time: %w", err)
	}
	return placed, nil
}

func placeTurn(tx *writeTx, p *TurnPlace) (bool, error) {
	if p.When.Instant.IsZero() || p.When.Local == "" {
		return false, nil
	}
	at := encodeTime(p.When.Instant)
	if tx.exec("UPDATE turns SET said_at = ? WHERE conversation = ? AND id = ? AND said_at = '' AND said_local = ?", at, p.Conversation, p.ID, p.When.Local) == 0 {
		return false, tx.err
	}
	tx.changed, tx.rewritten = true, true
	var session string
	if err := tx.scan("SELECT session FROM turns WHERE conversation = ? AND id = ?", []any{p.Conversation, p.ID}, &session); err != nil {
		return false, err
	}
	tx.exec("UPDATE sessions SET start_at = ? WHERE id = ? AND start_at = '' AND start_local = ?", at, session, p.When.Local)
	var facts []string
	err := tx.rows()("SELECT id FROM facts WHERE session = ? AND said_at = '' AND said_local = ?", []any{session, p.When.Local}, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		facts = append(facts, id)
		return err
	})
	if err != nil {
		return false, err
	}
	for _, id := range facts {
		f, err := loadFact(tx.rows(), privacy.FactID(id))
		if errors.Is(err, sql.ErrNoRows) || f == nil {
			continue
		}
		if err != nil {
			return false, err
		}
		if slices.Contains(f.Evidence, p.ID) {
			f.SaidAt.Instant = p.When.Instant
			writeFactRow(tx, f) // it was said then all along
		}
	}
	return true, tx.err
}
