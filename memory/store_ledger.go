package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/privacy"
)

// LedgerEntry is who was told what, when, and under which policy.
type LedgerEntry struct {
	ID        int64            `json:"id"`
	At        time.Time        `json:"at"`
	To        []string         `json:"to"`
	Question  string           `json:"question,omitempty"`
	Policy    string           `json:"policy"` // hash of the policy version
	Action    string           `json:"action"` // "disclose", "deflect", …
	Permitted []privacy.FactID `json:"permitted,omitempty"`
	Answer    string           `json:"answer,omitempty"`
	Told      []privacy.FactID `json:"told,omitempty"` // of the permitted ones, those in the answer
	Finished  bool             `json:"finished"`       // the answer has left
	// Degraded are the stages that ran offline although a model was to run them.
	Degraded []string `json:"degraded,omitempty"`
	// Redacted: a fact of the entry was forgotten. Question and answer are gone;
	// the traces stand for the forgotten facts.
	Redacted bool    `json:"redacted,omitempty"`
	Traces   []Trace `json:"traces,omitempty"`
}

// Trace is what remains of a forgotten fact in the ledger: that there was one,
// of these categories and rules, so that combinations still count it. It has no words and
// no id; Key tells two traces of one fact from traces of two.
type Trace struct {
	Key        string               `json:"key"`
	Categories []privacy.CategoryID `json:"categories,omitempty"`
	Rules      []privacy.RuleID     `json:"rules,omitempty"` // that the fact met when it was forgotten
	Told       bool                 `json:"told"`            // it was in the answer
}

// LedgerFilter chooses entries. The zero value chooses all.
type LedgerFilter struct {
	To    string    // one of the recipients, as recorded; "" anyone
	Since time.Time // at or after; zero: from the beginning
}

// Record writes an entry before its answer leaves and returns its id. A zero At
// becomes now. An answer whose entry can't be written must not leave; that goes
// for one that tells a fact which was forgotten since it was recalled, too:
// ErrForgotten.
func (s *Store) Record(ctx context.Context, e LedgerEntry) (id int64, err error) {
	return s.record(ctx, e, nil)
}

// record writes an entry, and in the same transaction what also does.
func (s *Store) record(ctx context.Context, e LedgerEntry, also func(tx *writeTx) error) (id int64, err error) {
	if len(e.To) == 0 {
		return 0, fmt.Errorf("record a disclosure: no recipient: %w", ErrInvalid)
	}
	if e.At.IsZero() {
		e.At = s.opts.Now()
	}
	err = s.grouped(ctx, func(tx *writeTx) error {
		for _, fact := range e.Permitted {
			if gone, err := factForgotten(tx, fact); err != nil || gone {
				return errors.Join(err, fmt.Errorf("fact %q: %w", fact, ErrForgotten))
			}
		}
		if id = insertLedger(tx, e); also != nil && tx.err == nil {
			return also(tx)
		}
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("record a disclosure: %w", err)
	}
	return id, nil
}

func insertLedger(tx *writeTx, e LedgerEntry) (id int64) {
	err := tx.scan(`INSERT INTO ledger (at, recipient, question, policy, action, permitted, answer, told, finished, redacted, traces, degraded)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		[]any{encodeTime(e.At), encodeList(e.To), e.Question, e.Policy, e.Action, encodeList(e.Permitted), e.Answer,
			encodeList(e.Told), e.Finished, e.Redacted, encodeList(e.Traces), encodeList(e.Degraded)}, &id)
	if tx.err == nil {
		tx.err = err
	}
	return id
}

// Finish adds to an entry what has left. Facts that were forgotten since it was
// recorded are left out, and so are the words of its answer then. ErrNotFound.
func (s *Store) Finish(ctx context.Context, id int64, answer string, told []privacy.FactID) error {
	err := s.update(ctx, func(tx *writeTx) error {
		var redacted bool
		if err := tx.scan("SELECT redacted FROM ledger WHERE id = ?", []any{id}, &redacted); err != nil {
			if tx.err == nil {
				return ErrNotFound
			}
			return err
		}
		var living []privacy.FactID
		for _, fact := range told {
			gone, err := factForgotten(tx, fact)
			if err != nil {
				return err
			}
			if !gone {
				living = append(living, fact)
			}
		}
		if redacted || len(living) < len(told) {
			answer, redacted = "", true
		}
		tx.exec("UPDATE ledger SET answer = ?, told = ?, finished = 1, redacted = ? WHERE id = ?", answer, encodeList(living), redacted, id)
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("finish ledger entry %d: %w", id, err)
	}
	return nil
}

// Ledger returns the entries of the filter, oldest first.
func (s *Store) Ledger(ctx context.Context, filter LedgerFilter) ([]LedgerEntry, error) {
	var out []LedgerEntry
	_, err := s.snapshot(ctx, func(tx readTx) error {
		all, err := loadLedger(reader(ctx, tx))
		for _, e := range all {
			if (filter.To == "" || slices.Contains(e.To, filter.To)) && !e.At.Before(filter.Since) {
				out = append(out, e)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	return out, nil
}

// LedgerEnd returns the id of the newest entry, 0 for none.
func (s *Store) LedgerEnd(ctx context.Context) (int64, error) {
	var id int64
	if err := s.read.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM ledger").Scan(&id); err != nil {
		return 0, fmt.Errorf("read the ledger: %w", s.fault(err))
	}
	return id, nil
}

func loadLedger(each rowsOf) ([]LedgerEntry, error) {
	var out []LedgerEntry
	err := each(`SELECT id, at, recipient, question, policy, action, permitted, answer, told, finished, redacted, traces, degraded FROM ledger ORDER BY id`, nil,
		func(rows *sql.Rows) error {
			var e LedgerEntry
			var at, to, permitted, told, traces, degraded string
			err := rows.Scan(&e.ID, &at, &to, &e.Question, &e.Policy, &e.Action, &permitted, &e.Answer, &told, &e.Finished, &e.Redacted, &traces, &degraded)
			if err == nil {
				e.At, err = decodeTime(at)
			}
			if err == nil {
				e.To, err = decodeList[string](to, "ledger.recipient")
			}
			if err == nil {
				e.Permitted, err = decodeList[privacy.FactID](permitted, "ledger.permitted")
			}
			if err == nil {
				e.Told, err = decodeList[privacy.FactID](told, "ledger.told")
			}
			if err == nil {
				e.Traces, err = decodeList[Trace](traces, "ledger.traces")
			}
			if err == nil {
				e.Degraded, err = decodeList[string](degraded, "ledger.degraded")
			}
			out = append(out, e)
			return err
		})
	return out, err
}
