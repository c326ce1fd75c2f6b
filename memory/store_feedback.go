package memory

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Feedback is what the owner says was wrong about a fact or an answer.
type Feedback struct {
	ID       int64          `json:"id"`
	At       time.Time      `json:"at"`
	Kind     string         `json:"kind"`
	Fact     privacy.FactID `json:"fact,omitempty"`
	Entry    int64          `json:"entry,omitempty"`    // of the ledger; 0 none
	Policy   string         `json:"policy,omitempty"`   // hash of the version in force
	Expected string         `json:"expected,omitempty"` // what would have been right
	Note     string         `json:"note,omitempty"`
	Origin   string         `json:"origin"` // by which way it came, such as "mcp"
}

// AddFeedback stores f and returns its id. A zero At becomes now. ErrNotFound: the
// fact or the ledger entry that it is about isn't there.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) (id int64, err error) {
	if f.Kind == "" {
		return 0, fmt.Errorf("add feedback: no kind: %w", ErrInvalid)
	}
	if f.At.IsZero() {
		f.At = s.opts.Now()
	}
	err = s.update(ctx, func(tx *writeTx) error {
		var n int
		if f.Fact != "" {
			if err := tx.scan("SELECT count(*) FROM facts WHERE id = ?", []any{string(f.Fact)}, &n); err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf("fact %q: %w", f.Fact, ErrNotFound)
			}
		}
		if f.Entry != 0 {
			if err := tx.scan("SELECT count(*) FROM ledger WHERE id = ?", []any{f.Entry}, &n); err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf("ledger entry %d: %w", f.Entry, ErrNotFound)
			}
		}
		id = insertFeedback(tx, f)
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("add feedback: %w", err)
	}
	return id, nil
}

func insertFeedback(tx *writeTx, f Feedback) (id int64) {
	err := tx.scan(`INSERT INTO feedback (at, kind, fact, entry, policy, expected, note, origin)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		[]any{encodeTime(f.At), f.Kind, string(f.Fact), f.Entry, f.Policy, f.Expected, f.Note, f.Origin}, &id)
	if tx.err == nil {
		tx.err = err
	}
	return id
}

// Feedback returns everything, oldest first.
func (s *Store) Feedback(ctx context.Context) ([]Feedback, error) {
	var out []Feedback
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadFeedback(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read feedback: %w", err)
	}
	return out, nil
}

func loadFeedback(each rowsOf) ([]Feedback, error) {
	var out []Feedback
	err := each("SELECT id, at, kind, fact, entry, policy, expected, note, origin FROM feedback ORDER BY id", nil, func(rows *sql.Rows) error {
		var f Feedback
		var at string
		err := rows.Scan(&f.ID, &at, &f.Kind, &f.Fact, &f.Entry, &f.Policy, &f.Expected, &f.Note, &f.Origin)
		if err == nil {
			f.At, err = decodeTime(at)
		}
		out = append(out, f)
		return err
	})
	return out, err
}
