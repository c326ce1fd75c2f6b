package memory

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/epagent/epagent/privacy"
)

// WaitingChange is a change that waits for the owner. What it says is the business
// of whoever stored it.
type WaitingChange struct {
	ID     int64
	At     time.Time
	Facts  []privacy.FactID // that it is about; forgetting one of them drops it
	Change json.RawMessage
	Origin string // by which way it came, such as "mcp"
	Shown  string // key of what it would do, as the owner was last shown it
}

// maxWaiting is how many changes may wait. A client that goes on asking fills no
// disk and buries nothing.
const maxWaiting = 200

// AddWaiting stores a change and returns its id. The same change waits once: asking
// again returns the id it has and leaves Shown as it was. A zero At becomes now. ErrFull where too many wait.
func (s *Store) AddWaiting(ctx context.Context, c WaitingChange) (id int64, err error) {
	if !json.Valid(c.Change) {
		return 0, fmt.Errorf("store a change that waits: it is not JSON: %w", ErrInvalid)
	}
	if c.At.IsZero() {
		c.At = s.opts.Now()
	}
	sum := sha256.Sum256(c.Change)
	key := hex.EncodeToString(sum[:])
	err = s.update(ctx, func(tx *writeTx) error {
		var there, all int
		if err := tx.scan("SELECT coalesce(max(id), 0) FROM waiting_changes WHERE key = ?", []any{key}, &there); err != nil {
			return err
		}
		if there != 0 {
			id = int64(there)
			return nil
		}
		if err := tx.scan("SELECT count(*) FROM waiting_changes", nil, &all); err != nil {
			return err
		}
		if all >= maxWaiting {
			return fmt.Errorf("%d changes wait already: %w; decide on them by `epagent review`", all, ErrTooMany)
		}
		err := tx.scan("INSERT INTO waiting_changes (at, key, facts, change, origin, shown) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
			[]any{encodeTime(c.At), key, encodeList(c.Facts), string(c.Change), c.Origin, c.Shown}, &id)
		if err == nil {
			tx.changed = true
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store a change that waits: %w", err)
	}
	return id, nil
}

// Waiting returns the changes that wait, oldest first.
func (s *Store) Waiting(ctx context.Context) ([]WaitingChange, error) {
	var out []WaitingChange
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadWaiting(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the changes that wait: %w", err)
	}
	return out, nil
}

func loadWaiting(each rowsOf) ([]WaitingChange, error) {
	var out []WaitingChange
	err := each("SELECT id, at, facts, change, origin, shown FROM waiting_changes ORDER BY id", nil, func(rows *sql.Rows) error {
		var c WaitingChange
		var at, facts, change string
		err := rows.Scan(&c.ID, &at, &facts, &change, &c.Origin, &c.Shown)
		if err == nil {
			c.At, err = decodeTime(at)
		}
		if err == nil {
			c.Facts, err = decodeList[privacy.FactID](facts, "waiting_changes.facts")
		}
		c.Change = json.RawMessage(change)
		out = append(out, c)
		return err
	})
	return out, err
}

// ShowWaiting notes what the owner was shown of a change. ErrNotFound.
func (s *Store) ShowWaiting(ctx context.Context, id int64, shown string) error {
	err := s.update(ctx, func(tx *writeTx) error {
		n := tx.exec("UPDATE waiting_changes SET shown = ? WHERE id = ?", shown, id)
		if tx.err == nil && n == 0 {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("change %d that waits: %w", id, err)
	}
	return nil
}

// DropWaiting takes a change off the list: it was decided. ErrNotFound.
func (s *Store) DropWaiting(ctx context.Context, id int64) error {
	err := s.update(ctx, func(tx *writeTx) error {
		n := tx.exec("DELETE FROM waiting_changes WHERE id = ?", id)
		if tx.err == nil && n == 0 {
			return ErrNotFound
		}
		tx.changed = true
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("change %d that waits: %w", id, err)
	}
	return nil
}
