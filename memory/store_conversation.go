package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Talk is a conversation with somebody: whom it was begun for, and the ledger
// entries of its exchanges in their order. It has no words of its own.
type Talk struct {
	ID      string    `json:"id"`
	To      []string  `json:"to"`
	Started time.Time `json:"started"`
	Entries []int64   `json:"entries"`
}

// BeginTalk notes a conversation. One with this id must not be there: ErrInvalid.
func (s *Store) BeginTalk(ctx context.Context, t Talk) error {
	if t.ID == "" || len(t.To) == 0 {
		return fmt.Errorf("begin a conversation: no id or no reader: %w", ErrInvalid)
	}
	err := s.update(ctx, func(tx *writeTx) error {
		if n := tx.exec("INSERT OR IGNORE INTO conversations (id, recipient, started_at) VALUES (?, ?, ?)", t.ID, encodeList(t.To), encodeTime(t.Started)); n == 0 && tx.err == nil {
			return fmt.Errorf("there is one with this id: %w", ErrInvalid)
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("begin conversation %q: %w", t.ID, err)
	}
	return nil
}

// AddExchange notes that a ledger entry is the next of a conversation. ErrNotFound.
func (s *Store) AddExchange(ctx context.Context, talk string, entry int64) error {
	err := s.update(ctx, func(tx *writeTx) error {
		n := tx.exec(`INSERT INTO exchanges (conversation, pos, entry)
			SELECT id, (SELECT count(*) FROM exchanges WHERE conversation = id), ? FROM conversations WHERE id = ?`, entry, talk)
		if n == 0 && tx.err == nil {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("conversation %q: %w", talk, err)
	}
	return nil
}

// Talk returns a conversation. ErrNotFound.
func (s *Store) Talk(ctx context.Context, id string) (Talk, error) {
	return s.talk(ctx, id, "id = ?", id)
}

// LastTalk returns the conversation begun last with exactly these readers, in their
// order. ErrNotFound.
func (s *Store) LastTalk(ctx context.Context, to []string) (Talk, error) {
	return s.talk(ctx, "last", "recipient = ?", encodeList(to))
}

// talk returns the newest conversation that a condition finds; name is how errors
// call it.
func (s *Store) talk(ctx context.Context, name, where string, arg any) (Talk, error) {
	var t Talk
	_, err := s.snapshot(ctx, func(tx readTx) error {
		var to, started string
		err := tx.QueryRowContext(ctx, `SELECT id, recipient, started_at FROM conversations WHERE `+where+` ORDER BY started_at DESC, id DESC LIMIT 1`, arg).Scan(&t.ID, &to, &started)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		}
		if err == nil {
			t.To, err = decodeList[string](to, "conversations.recipient")
		}
		if err == nil {
			t.Started, err = decodeTime(started)
		}
		if err != nil {
			return err
		}
		return reader(ctx, tx)("SELECT entry FROM exchanges WHERE conversation = ? ORDER BY pos", []any{t.ID}, func(rows *sql.Rows) error {
			var n int64
			err := rows.Scan(&n)
			t.Entries = append(t.Entries, n)
			return err
		})
	})
	if err != nil {
		return Talk{}, fmt.Errorf("conversation %q: %w", name, err)
	}
	return t, nil
}
