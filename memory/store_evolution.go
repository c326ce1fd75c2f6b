package memory

import (
	"context"
	"database/sql"
	"fmt"
)

// PutEvolutionRun stores the state of a run and returns its id; 0 is a new one.
func (s *Store) PutEvolutionRun(ctx context.Context, r EvolutionRun) (id int64, err error) {
	if r.At.IsZero() {
		r.At = s.opts.Now()
	}
	id = r.ID
	err = s.update(ctx, func(tx *writeTx) error {
		args := []any{encodeTime(r.At), r.Seed, encodeList(r.Stages), encodeList(r.Feedback), r.Position, encodeList(r.Candidates), r.Calls, encodeTime(r.Ended)}
		if r.ID == 0 {
			return tx.scan(`INSERT INTO evolution_runs (at, seed, stages, feedback, position, candidates, calls, ended)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, args, &id)
		}
		n := tx.exec(`UPDATE evolution_runs SET at = ?, seed = ?, stages = ?, feedback = ?, position = ?, candidates = ?, calls = ?, ended = ? WHERE id = ?`,
			append(args, r.ID)...)
		if tx.err == nil && n == 0 {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("store a run of evolution: %w", err)
	}
	return id, nil
}

// EvolutionRuns returns every run, oldest first.
func (s *Store) EvolutionRuns(ctx context.Context) ([]EvolutionRun, error) {
	var out []EvolutionRun
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT id, at, seed, stages, feedback, position, candidates, calls, ended FROM evolution_runs ORDER BY id", nil, func(rows *sql.Rows) error {
			var r EvolutionRun
			var at, stages, feedback, candidates, ended string
			err := rows.Scan(&r.ID, &at, &r.Seed, &stages, &feedback, &r.Position, &candidates, &r.Calls, &ended)
			if err == nil {
				r.At, err = decodeTime(at)
			}
			if err == nil {
				r.Ended, err = decodeTime(ended)
			}
			if err == nil {
				r.Stages, err = decodeList[string](stages, "evolution_runs.stages")
			}
			if err == nil {
				r.Feedback, err = decodeList[int64](feedback, "evolution_runs.feedback")
			}
			if err == nil {
				r.Candidates, err = decodeList[string](candidates, "evolution_runs.candidates")
			}
			out = append(out, r)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the runs of evolution: %w", err)
	}
	return out, nil
}
