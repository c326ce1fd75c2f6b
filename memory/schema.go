package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/epagent/epagent/memory/lexical"
)

// migrations holds the steps of the schema, one SQL file a version, in order of
// their names. A released step is never edited: a change is a new step.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks our files in SQLite's header: "epag".
const applicationID = 0x65706167

func migrationFiles() ([]string, error) { return fs.Glob(migrations, "migrations/*.sql") }

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion reads what the file says of itself.
func schemaVersion(ctx context.Context, q querier) (version, application, tables int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil {
		err = q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application)
	}
	if err == nil {
		err = q.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	}
	return version, application, tables, err
}

// checkSchema refuses a file that this release can't read as it is.
func (s *Store) checkSchema(ctx context.Context, q querier) error {
	files, err := migrationFiles()
	if err != nil {
		return err
	}
	version, application, tables, err := schemaVersion(ctx, q)
	switch {
	case err != nil:
		return err
	case application != applicationID && tables > 0:
		return fmt.Errorf("%s: %w: it holds another program's tables; choose another home", s.path, ErrNotStore)
	case version > len(files):
		return fmt.Errorf("%s: %w: its schema is version %d and this release knows up to %d; update epagent",
			s.path, ErrNewer, version, len(files))
	case version < len(files):
		return fmt.Errorf("%s: %w: its schema is version %d of %d; open it once for writing", s.path, ErrOlder, version, len(files))
	}
	return nil
}

// migrate runs the steps that the file lacks, each in a transaction of its own.
func (s *Store) migrate(ctx context.Context) error {
	files, err := migrationFiles()
	if err != nil {
		return err
	}
	for {
		err := s.checkSchema(ctx, s.write)
		if !errors.Is(err, ErrOlder) {
			return err
		}
		tx, err := s.write.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		// Another process may have taken the step meanwhile; the lock is ours now.
		version, _, _, err := schemaVersion(ctx, tx)
		if err == nil && version < len(files) {
			err = s.step(ctx, tx, files[version], version+1)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("migrate to schema %d: %w", version+1, err), tx.Rollback())
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
}

func (s *Store) step(ctx context.Context, tx *sql.Tx, file string, version int) error {
	sqlText, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, string(sqlText)); err != nil {
		return err
	}
	switch version {
	case 1:
		key := make([]byte, 32)
		if _, err := rand.Read(key); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO tombstone_keys (key) VALUES (?)", key); err != nil {
			return err
		}
		for name, value := range map[string]any{"revision": 1, "rewritten": 1, "scrub": 0, "model": modelName(s.Embedder())} {
			if _, err := tx.ExecContext(ctx, "INSERT INTO meta (key, value) VALUES (?, ?)", name, value); err != nil {
				return err
			}
		}
	case 2:
		if _, err := tx.ExecContext(ctx, "INSERT INTO revisions (revision, at) SELECT value, ? FROM meta WHERE key = 'revision'", s.opts.Now().UnixMicro()); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version))
	return err
}

// modelName names what vectors and index terms come from.
func modelName(e Embedder) string {
	return fmt.Sprintf("%s/%d/%s", e.Model(), e.Dimensions(), lexical.Version)
}

// checkModel refuses vectors that the store's embedder has not made.
func (s *Store) checkModel(ctx context.Context) error {
	if s.opts.Reindexing {
		return nil
	}
	var stored string
	if err := s.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'model'").Scan(&stored); err != nil {
		return s.fault(err)
	}
	return s.compareModel(stored)
}

func (s *Store) compareModel(stored string) error {
	if want := modelName(s.Embedder()); stored != want {
		return fmt.Errorf("%s: %w: stored are those of %q, configured is %q; run epagent reindex", s.path, ErrModelMismatch, stored, want)
	}
	return nil
}
