package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// changingHost is what the record says of its host while [Store.Recompose] runs.
const changingHost = "being changed"

// HostName is the name of the host whose layers the record has; "" before the first.
func (s *Store) HostName(ctx context.Context) (string, error) {
	var stored string
	err := s.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'host'").Scan(&stored)
	return stored, s.fault(err)
}

// CheckHost reports ErrHostMismatch unless the layers of the record are those of the
// host name. The first host to come makes the layers of a new record.
func (s *Store) CheckHost(ctx context.Context, name string) error {
	stored, err := s.HostName(ctx)
	if err != nil {
		return err
	}
	switch {
	case stored == name || stored == "" && s.write == nil:
		return nil
	case stored == "":
		return s.update(ctx, func(tx *writeTx) error {
			tx.exec("UPDATE meta SET value = ? WHERE key = 'host' AND value = ''", name)
			return tx.err
		})
	}
	return fmt.Errorf("%s: %w: stored are those of %q, configured is %q; run epagent reindex", s.path, ErrHostMismatch, stored, name)
}

// recomposeChunk is how many sessions are composed between two writes.
const recomposeChunk = 64

// Recompose makes the layers of every session anew with host, in the order of the
// sessions' times, unless they are its own already. Vectors are missing then until
// [Store.Reindex]. It may be broken off and repeated; meanwhile [Store.CheckHost]
// refuses every host. progress may be nil.
func (s *Store) Recompose(ctx context.Context, host Host, progress func(done, total int)) error {
	stored, err := s.HostName(ctx)
	if err != nil || stored == host.Name() {
		return err
	}
	var ids []string
	_, err = s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT id FROM sessions ORDER BY iif(start_local <> '', start_local, start_at), id", nil, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		})
	})
	if err == nil {
		err = s.setHost(ctx, changingHost)
	}
	for done := 0; err == nil && done < len(ids); {
		next := ids[done:min(done+recomposeChunk, len(ids))]
		err = s.recomposeSome(ctx, host, next)
		done += len(next)
		if progress != nil {
			progress(done, len(ids))
		}
	}
	if err == nil {
		err = s.setHost(ctx, host.Name())
	}
	if err != nil {
		return fmt.Errorf("make the layers of host %q: %w", host.Name(), err)
	}
	return nil
}

func (s *Store) setHost(ctx context.Context, name string) error {
	return s.update(ctx, func(tx *writeTx) error {
		tx.exec("UPDATE meta SET value = ? WHERE key = 'host'", name)
		return tx.err
	})
}

// recomposeSome composes outside the transaction: a host may be slow. A session that
// changes meanwhile has lost or gained turns, and is composed again.
func (s *Store) recomposeSome(ctx context.Context, host Host, ids []string) error {
	for {
		var composed []Layers
		at, err := s.snapshot(ctx, func(tx readTx) error {
			composed = composed[:0]
			for _, id := range ids {
				session, err := loadSession(reader(ctx, tx), id)
				if err != nil {
					return err
				}
				if session == nil {
					continue
				}
				layers, err := host.Compose(ctx, session)
				if err != nil {
					return err
				}
				layers.Session = id
				composed = append(composed, layers)
			}
			return nil
		})
		if err != nil {
			return err
		}
		stale := false
		err = s.update(ctx, func(tx *writeTx) error {
			if stale = tx.revision-1 != at; stale {
				return nil
			}
			for i := range composed {
				if err := replaceLayers(tx, composed[i].Session, &composed[i], nil, func(privacy.FactID) {}); err != nil {
					return err
				}
			}
			return tx.err
		})
		if err != nil || !stale {
			return err
		}
	}
}

// relinkChunk is how many facts are linked between two writes.
const relinkChunk = 512

// relinkAll makes the links of all facts anew.
func (s *Store) relinkAll(ctx context.Context) error {
	var ids []privacy.FactID
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT id FROM facts ORDER BY id", nil, func(rows *sql.Rows) error {
			var id privacy.FactID
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		})
	})
	for chunk := range slices.Chunk(ids, relinkChunk) {
		if err != nil {
			return err
		}
		err = s.update(ctx, func(tx *writeTx) error { return linkFacts(tx, chunk, nil, nil, s.Embedder()) })
	}
	return err
}
