package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Ask is a question of somebody's that waits for the owner, or waited: the facts
// that it touched and on which nobody has decided.
type Ask struct {
	ID       string           `json:"id"`
	To       []string         `json:"to"`       // who asked, as the channel knows them
	Question string           `json:"question"` // their words
	Facts    []privacy.FactID `json:"facts"`    // sorted
	Why      string           `json:"why"`
	At       time.Time        `json:"at"` // when it was asked last
	Times    int              `json:"times"`
	Answer   string           `json:"answer,omitempty"` // what the owner decided, "" while it waits
	AnswerAt time.Time        `json:"answer_at,omitzero"`
}

// RecordAsking is [Store.Record] that also parks what an answer left open, in the
// same transaction: whether something was parked shows in no count of writes. The
// same people with the same facts are one ask, which counts how often it came.
// With no ask it is Record.
func (s *Store) RecordAsking(ctx context.Context, e LedgerEntry, ask *Ask) (int64, error) {
	return s.record(ctx, e, func(tx *writeTx) error {
		if ask == nil || len(ask.Facts) == 0 {
			return nil
		}
		if ask.ID == "" {
			return fmt.Errorf("park a question: no id: %w", ErrInvalid)
		}
		at := ask.At
		if at.IsZero() {
			at = s.opts.Now()
		}
		tx.exec(`INSERT INTO asks (id, recipient, question, facts, why, asked_at, times, answer, answer_at) VALUES (?, ?, ?, ?, ?, ?, 1, '', '')
			ON CONFLICT (id) DO UPDATE SET question = excluded.question, why = excluded.why, asked_at = excluded.asked_at, times = times + 1, answer = '', answer_at = ''`,
			ask.ID, encodeList(ask.To), ask.Question, encodeList(ask.Facts), ask.Why, encodeTime(at))
		return tx.err
	})
}

// Asks returns what was parked, oldest first; open: only what still waits.
func (s *Store) Asks(ctx context.Context, open bool) ([]Ask, error) {
	var out []Ask
	_, err := s.snapshot(ctx, func(tx readTx) error {
		all, err := loadAsks(reader(ctx, tx))
		for _, a := range all {
			if !open || a.Answer == "" {
				out = append(out, a)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the questions that wait: %w", err)
	}
	return out, nil
}

// AnswerAsk notes what the owner decided. ErrNotFound.
func (s *Store) AnswerAsk(ctx context.Context, id, answer string, at time.Time) error {
	err := s.update(ctx, func(tx *writeTx) error {
		if n := tx.exec("UPDATE asks SET answer = ?, answer_at = ? WHERE id = ?", answer, encodeTime(at), id); n == 0 && tx.err == nil {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("answer question %q: %w", id, err)
	}
	return nil
}

func loadAsks(each rowsOf) ([]Ask, error) {
	var out []Ask
	err := each("SELECT id, recipient, question, facts, why, asked_at, times, answer, answer_at FROM asks ORDER BY asked_at, id", nil, func(rows *sql.Rows) error {
		var a Ask
		var to, facts, at, answered string
		err := rows.Scan(&a.ID, &to, &a.Question, &facts, &a.Why, &at, &a.Times, &a.Answer, &answered)
		if err == nil {
			a.To, err = decodeList[string](to, "asks.recipient")
		}
		if err == nil {
			a.Facts, err = decodeList[privacy.FactID](facts, "asks.facts")
		}
		if err == nil {
			a.At, err = decodeTime(at)
		}
		if err == nil {
			a.AnswerAt, err = decodeTime(answered)
		}
		out = append(out, a)
		return err
	})
	return out, err
}

// unask removes the asks that touch a forgotten fact, that speak of one, or that
// come from a forgotten person; and whatever a model replied about anything.
func (f *forgetter) unask(Forget) error {
	asks, err := loadAsks(f.tx.rows())
	if err != nil {
		return err
	}
	for _, a := range asks {
		from := slices.ContainsFunc(a.To, func(name string) bool { return f.people[foldName(name)] })
		if from || slices.ContainsFunc(a.Facts, f.isDoomed) || f.tells(a.Question) {
			f.tx.exec("DELETE FROM asks WHERE id = ?", a.ID)
			f.cut = true
		}
	}
	if f.tx.exec("DELETE FROM stage_cache") > 0 {
		f.cut = true
	}
	return f.tx.err
}
