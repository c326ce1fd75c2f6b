package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/epagent/epagent/privacy"
)

// JudgedAt is [Store.Judged] as it was at an earlier revision of the record: the
// facts with the texts and marks that they had then, and the event rules that
// there were. JudgedAt of the present revision equals Judged.
//
// Three things are of today all the same:
//
//   - What was forgotten or dropped since is absent at every past revision, and so
//     is, on the facts that stayed, what rested on it. An earlier wording that tells
//     of something forgotten has given way to the present one.
//   - Entries are the present links: the host's layers have no history.
//   - A rule whose turn was forgotten has lost the turn.
//
// The history of a record that is older than its keeping begins at the revision
// at which the keeping began. ErrInvalid: the revision is outside the history; the
// error names the range.
func (s *Store) JudgedAt(ctx context.Context, revision int64) (Judged, error) {
	out := Judged{Revision: revision}
	_, err := s.snapshot(ctx, func(tx readTx) error {
		first, last, err := historyRange(ctx, tx)
		if err != nil {
			return err
		}
		if revision < first || revision > last {
			return fmt.Errorf("%w: the record knows revisions %d to %d", ErrInvalid, first, last)
		}
		each := reader(ctx, tx)
		if out.Facts, err = loadFactsAt(each, revision); err != nil {
			return err
		}
		out.Rules, err = loadEventRulesAt(each, revision)
		return err
	})
	if err != nil {
		return Judged{}, fmt.Errorf("read facts and rules as of revision %d: %w", revision, err)
	}
	return out, nil
}

// RevisionAt returns the revision that the record had at the instant t, the
// present one for an instant to come. ErrNotFound: its history begins later; the
// error names when.
func (s *Store) RevisionAt(ctx context.Context, t time.Time) (int64, error) {
	var revision int64
	_, err := s.snapshot(ctx, func(tx readTx) error {
		// Not by the latest time: a clock that was wrong once must not hide what
		// was written after it was put right.
		err := tx.QueryRowContext(ctx, "SELECT revision FROM revisions WHERE at <= ? ORDER BY revision DESC LIMIT 1", t.UnixMicro()).Scan(&revision)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var begin int64
		if err := tx.QueryRowContext(ctx, "SELECT min(at) FROM revisions").Scan(&begin); err != nil {
			return err
		}
		return fmt.Errorf("%w: the record's history begins at %s; ask for a later time", ErrNotFound, time.UnixMicro(begin).UTC().Format(time.RFC3339))
	})
	if err != nil {
		return 0, fmt.Errorf("revision at %s: %w", t.Format(time.RFC3339), err)
	}
	return revision, nil
}

// historyRange returns the first and the last revision that can be asked for.
func historyRange(ctx context.Context, q querier) (first, last int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT value, (SELECT value FROM meta WHERE key = 'revision') FROM meta WHERE key = 'history'").Scan(&first, &last)
	return first, last, err
}

// noteRevision writes down when a revision was made.
func noteRevision(tx *writeTx, now time.Time) {
	tx.exec("INSERT INTO revisions (revision, at) VALUES (?, ?)", tx.revision, now.UnixMicro())
}

// keepFact keeps what a fact is before this transaction changes it. What one
// transaction changes twice was nobody's to see in between.
func keepFact(tx *writeTx, id privacy.FactID) {
	n := tx.exec("INSERT INTO fact_history ("+factColumns+", since, until) SELECT "+factColumns+", since, ? FROM facts WHERE id = ? AND since < ?",
		tx.revision, string(id), tx.revision)
	if n > 0 {
		tx.exec("UPDATE facts SET since = ? WHERE id = ?", tx.revision, string(id))
	}
}

// loadFactsAt reads the facts as they were at a revision, by id.
func loadFactsAt(each rowsOf, revision int64) ([]Fact, error) {
	facts, err := selectFacts(each, "facts WHERE since <= ?", revision)
	if err != nil {
		return nil, err
	}
	past, err := selectFacts(each, "fact_history WHERE since <= ? AND until > ?", revision, revision)
	if err != nil {
		return nil, err
	}
	facts = mergeFacts(facts, past)
	return facts, attachLinks(each, facts, 0)
}

// pastFact is a fact as it was before a change.
type pastFact struct {
	Fact
	since int64 // which of the fact's pasts it is
}

// loadPast reads the whole history, by id and revision.
func loadPast(each rowsOf) ([]pastFact, error) {
	var out []pastFact
	err := each("SELECT "+factColumns+", since FROM fact_history ORDER BY id, since", nil, func(rows *sql.Rows) error {
		var since int64
		f, err := scanFact(rows, &since)
		if err == nil {
			out = append(out, pastFact{*f, since})
		}
		return err
	})
	return out, err
}
