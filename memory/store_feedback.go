package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

	Status FeedbackStatus `json:"status"`
	// What was in force: the version of the supplements, 0 for none, and of the prompts
	// by their stages, none where no model ran.
	Supplements int64             `json:"supplements,omitempty"`
	Prompts     map[string]string `json:"prompts,omitempty"`
	// Was is what the stages had said of the fact, before the owner decided anything.
	Was *FeedbackWas `json:"was,omitempty"`
}

// FeedbackStatus is what became of a piece of feedback.
type FeedbackStatus string

// The states of feedback.
const (
	FeedbackNew      FeedbackStatus = "new"
	FeedbackUsed     FeedbackStatus = "used"     // a run of evolution has looked at it
	FeedbackAnswered FeedbackStatus = "answered" // what is in force puts it right
	// FeedbackSuperseded: the owner has said otherwise of the same fact since.
	FeedbackSuperseded FeedbackStatus = "superseded"
	// FeedbackDropped: the owner has taken it back. Its words are gone; its number stays, so
	// that no other piece is taken for it by what rests on it.
	FeedbackDropped FeedbackStatus = "dropped"
)

// MaxFeedback is the most that a piece of feedback says in words, in bytes: what would have
// been right and the note together.
const MaxFeedback = 4 << 10

// check refuses what no piece of feedback is. ErrInvalid.
func (f *Feedback) check() error {
	known := []FeedbackStatus{"", FeedbackNew, FeedbackUsed, FeedbackAnswered, FeedbackSuperseded, FeedbackDropped}
	switch size := len(f.Expected) + len(f.Note); {
	case f.Kind == "":
		return fmt.Errorf("feedback of no kind: %w", ErrInvalid)
	case size > MaxFeedback:
		return fmt.Errorf("feedback whose expected and note have %d bytes together, and the limit is %d: %w", size, MaxFeedback, ErrInvalid)
	case !slices.Contains(known, f.Status):
		return fmt.Errorf("feedback of status %q: %w", f.Status, ErrInvalid)
	}
	return nil
}

// FeedbackWas is what the stages had said of a fact when feedback on it was given: by
// the machine alone, and as it counted.
type FeedbackWas struct {
	Categories []privacy.CategoryID `json:"categories,omitempty"`
	Label      privacy.Label        `json:"label"`
	Counted    privacy.Label        `json:"counted"` // with what the owner had said by then
	Event      string               `json:"event,omitempty"`
	Decided    bool                 `json:"decided,omitempty"` // by the owner's hand
}

// AddFeedback stores f and returns its id. A zero At becomes now. ErrNotFound: the
// fact or the ledger entry that it is about isn't there. ErrInvalid: it is of no kind, or
// longer than MaxFeedback.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) (id int64, err error) {
	if err := f.check(); err != nil {
		return 0, fmt.Errorf("add: %w", err)
	}
	if f.At.IsZero() {
		f.At = s.opts.Now()
	}
	if f.Status == "" {
		f.Status = FeedbackNew
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
	prompts, err := encodeObject(f.Prompts, len(f.Prompts) == 0)
	was, wasErr := encodeObject(f.Was, f.Was == nil)
	if err = errors.Join(err, wasErr); err == nil {
		err = tx.scan(`INSERT INTO feedback (at, kind, fact, entry, policy, expected, note, origin, status, supplements, prompts, was)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			[]any{encodeTime(f.At), f.Kind, string(f.Fact), f.Entry, f.Policy, f.Expected, f.Note, f.Origin, string(f.Status), f.Supplements, prompts, was}, &id)
	}
	if tx.err == nil {
		tx.err = err
	}
	return id
}

// encodeObject writes a value as JSON, "" for none.
func encodeObject(v any, none bool) (string, error) {
	if none {
		return "", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// SetFeedbackStatus notes what became of feedback. One that is gone or was taken back
// meanwhile is passed over.
func (s *Store) SetFeedbackStatus(ctx context.Context, status FeedbackStatus, ids ...int64) error {
	err := s.update(ctx, func(tx *writeTx) error {
		for _, id := range ids {
			tx.exec("UPDATE feedback SET status = ? WHERE id = ? AND status <> ?", string(status), id, string(FeedbackDropped))
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("note what became of feedback: %w", err)
	}
	return nil
}

// DropFeedback takes a piece of feedback back: what it says goes, and what the stages had said
// by then; its time is that of being taken back, and what rests on it stays. ErrNotFound: there is none of this id, or it is taken back
// already.
func (s *Store) DropFeedback(ctx context.Context, id int64) error {
	err := s.update(ctx, func(tx *writeTx) error {
		n := tx.exec("UPDATE feedback SET status = ?1, at = ?3, expected = '', note = '', was = '', prompts = '' WHERE id = ?2 AND status <> ?1",
			string(FeedbackDropped), id, encodeTime(s.opts.Now()))
		if tx.err == nil && n == 0 {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("take feedback %d back: %w", id, err)
	}
	return nil
}

// Feedback returns everything, oldest first, with what is left of those that were taken back.
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
	err := each("SELECT id, at, kind, fact, entry, policy, expected, note, origin, status, supplements, prompts, was FROM feedback ORDER BY id", nil, func(rows *sql.Rows) error {
		var f Feedback
		var at, prompts, was string
		err := rows.Scan(&f.ID, &at, &f.Kind, &f.Fact, &f.Entry, &f.Policy, &f.Expected, &f.Note, &f.Origin, &f.Status, &f.Supplements, &prompts, &was)
		if err == nil {
			f.At, err = decodeTime(at)
		}
		if err == nil && prompts != "" && json.Unmarshal([]byte(prompts), &f.Prompts) != nil ||
			err == nil && was != "" && json.Unmarshal([]byte(was), &f.Was) != nil {
			err = fmt.Errorf("feedback %d: %w: restore the file from a backup", f.ID, ErrDamaged)
		}
		out = append(out, f)
		return err
	})
	return out, err
}
