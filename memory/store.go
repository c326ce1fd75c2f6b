package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// FileName is the name of the record's file in a home folder.
const FileName = "epagent.db"

// Options are the settings of a store. The zero value works.
type Options struct {
	// ReadOnly opens without any write, also on a read-only disk.
	ReadOnly bool
	// Embedder makes the vectors. Default: [HashEmbedder].
	Embedder Embedder
	// Reindexing opens a store whose vectors are of another model. Until
	// [Store.Reindex] has run they are left out of recall.
	Reindexing bool
	// Rebuild makes the host's layers of a session anew after some of its turns
	// were forgotten. Default: none; what restates a forgotten turn is dropped,
	// the summary included.
	Rebuild func(*Session) (Layers, error)
	// Now is the clock of imports and tombstones. Default: time.Now.
	Now func() time.Time
	// Relaxed doesn't wait for the disk: a power cut may lose or damage the file. For
	// stores that can be made again, as those of simulations.
	Relaxed bool
	// BusyTimeout is how long to wait for another process's write. Default: 10 s.
	BusyTimeout time.Duration
}

// Store is the durable record: one SQLite file that several processes may share.
// Its methods may be called at once; values that go in or come out are copies.
type Store struct {
	path string
	opts Options
	read *sql.DB // several connections, snapshots

	embedder atomic.Pointer[Embedder] // changed by Reindex alone

	writing sync.Mutex // one writer a process; SQLite sees to the other processes
	write   *sql.DB    // one connection; nil when read-only

	asking revisionQuery

	group ledgerGroup // entries of the ledger that wait to be written together
}

// Open opens the record in the file path, makes it if there is none, and brings
// its schema up to date. It loads nothing: views come with the first question.
//
// Errors: ErrNotStore, ErrDamaged, ErrReadOnly, ErrFull, ErrNewer, ErrOlder,
// ErrBusy, ErrModelMismatch.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	if opts.Embedder == nil {
		opts.Embedder = HashEmbedder{}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.BusyTimeout <= 0 {
		opts.BusyTimeout = 10 * time.Second
	}
	if opts.Embedder.Dimensions() <= 0 || opts.Embedder.Dimensions() > maxDimensions {
		return nil, fmt.Errorf("embedder %q: %d dimensions: want 1 to %d: %w",
			opts.Embedder.Model(), opts.Embedder.Dimensions(), maxDimensions, ErrInvalid)
	}
	if err := emptied(path, opts.Now()); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	s := &Store{path: path, opts: opts}
	s.embedder.Store(&opts.Embedder)
	// Making a store, and turning its log on, is no write that waits for another's
	// by itself.
	deadline := time.Now().Add(opts.BusyTimeout)
	for {
		err := s.open(ctx)
		if err == nil {
			return s, nil
		}
		_ = s.Close()
		s.read, s.write = nil, nil
		if !errors.Is(err, ErrBusy) || time.Now().After(deadline) || ctx.Err() != nil {
			return nil, fmt.Errorf("open the store: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// emptied refuses a file that was cut to nothing. SQLite would take it for a new
// store, and whatever was in it would be gone without a word. A file that came
// into being just now is another process's, which is making a store.
func emptied(path string, now time.Time) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 || now.Sub(info.ModTime()) < time.Minute {
		return nil //nolint:nilerr // a missing file is a new store; any other fault shows when it is opened
	}
	if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
		return nil
	}
	return fmt.Errorf("%w: %s is empty; put a backup in its place, or remove it to begin anew", ErrDamaged, path)
}

func (s *Store) open(ctx context.Context) error {
	if s.opts.ReadOnly {
		return s.openReadOnly(ctx)
	}
	if err := prepareFile(s.path); err != nil {
		return err
	}
	var err error
	if s.write, err = sql.Open("sqlite", s.dsn("rwc", "_txlock=immediate")); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if err := s.migrate(ctx); err != nil {
		return s.fault(err)
	}
	// The reading side must see the write-ahead log, so it opens for writing and
	// is then kept from it.
	if s.read, err = sql.Open("sqlite", s.dsn("rw", "_pragma=query_only(1)")); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	if err := s.checkModel(ctx); err != nil {
		return err
	}
	return s.resumeScrub(ctx)
}

func (s *Store) openReadOnly(ctx context.Context) error {
	if _, err := os.Stat(s.path); err != nil {
		return fmt.Errorf("%w: %w: run epagent init, or give the right home", err, ErrNotFound)
	}
	var err error
	for _, more := range [][]string{nil, {"immutable=1"}} {
		if more != nil && !emptyFile(s.path+"-wal") {
			break // an unfinished log can't be read without writing
		}
		if s.read != nil {
			_ = s.read.Close()
		}
		if s.read, err = sql.Open("sqlite", s.dsn("ro", append(more, "_pragma=query_only(1)")...)); err != nil {
			return err
		}
		s.read.SetMaxOpenConns(4)
		// A write-ahead log needs a file of its own beside the database. Where
		// the folder allows none, nobody else writes either.
		if err = s.checkSchema(ctx, s.read); err == nil || !errors.Is(s.fault(err), ErrReadOnly) {
			break
		}
	}
	if err != nil {
		return s.fault(err)
	}
	return s.checkModel(ctx)
}

// Close releases the files. A closed store answers every call with an error.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Path returns the file of the record.
func (s *Store) Path() string { return s.path }

// Embedder returns the embedder of the store's vectors.
func (s *Store) Embedder() Embedder { return *s.embedder.Load() }

// Check looks through the whole file: ErrDamaged if its pages don't fit together.
// It takes about a second for each 100 MB.
func (s *Store) Check(ctx context.Context) error {
	var verdict string
	err := s.read.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = fmt.Errorf("%s: %w: restore the file from a backup, or import an export into a new home", s.path, ErrDamaged)
	}
	return s.fault(err)
}

// dsn names the database with the settings that each connection needs. A PRAGMA
// sent later would reach one pooled connection only.
func (s *Store) dsn(mode string, more ...string) string {
	params := append([]string{
		"mode=" + mode,
		fmt.Sprintf("_pragma=busy_timeout(%d)", s.opts.BusyTimeout.Milliseconds()),
		"_pragma=foreign_keys(1)",
		"_pragma=temp_store(2)", // memory: no private text in temporary files
	}, more...)
	if mode == "rwc" {
		synchronous := "FULL"
		if s.opts.Relaxed {
			synchronous = "OFF"
		}
		params = append(params,
			"_pragma=journal_mode(WAL)", "_pragma=synchronous("+synchronous+")", "_pragma=secure_delete(1)", "_pragma=cache_size(-16000)")
	}
	return fileURI(s.path) + "?" + strings.Join(params, "&")
}

func fileURI(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

// prepareFile makes the file and its folder for their owner alone. SQLite gives
// its log and index files the mode of the database.
func prepareFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return placeFault(err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return placeFault(err)
		}
		return f.Close()
	case err != nil:
		return placeFault(err)
	case info.IsDir():
		return fmt.Errorf("%s: %w: it is a folder; name a file", path, ErrNotStore)
	case info.Mode().Perm()&0o200 == 0:
		// The superuser could write all the same; the mode is what was asked for.
		return fmt.Errorf("%s: %w: make the file writable, or open it for reading", path, ErrReadOnly)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
			return placeFault(err)
		}
	}
	return nil
}

func placeFault(err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "read-only file system") {
		return fmt.Errorf("%w: %w: choose a home that you may write to", err, ErrReadOnly)
	}
	return err
}

func emptyFile(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

func (s *Store) fault(err error) error { return faultOf(err, s.path) }

// update runs f in one writing transaction. If f reports a change, the revision
// goes up by one and f's rows carry the new number. Nothing of a failed f stays.
func (s *Store) update(ctx context.Context, f func(tx *writeTx) error) error {
	if s.write == nil {
		return fmt.Errorf("%s: %w: open it for writing", s.path, ErrReadOnly)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.fault(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it has nothing to do
	w := &writeTx{ctx: ctx, tx: tx, prepared: map[string]*sql.Stmt{}}
	if err := w.scan("SELECT value FROM meta WHERE key = 'revision'", nil, &w.revision); err != nil {
		return s.fault(err)
	}
	w.revision++
	if err := f(w); err != nil {
		return s.fault(err)
	}
	if w.changed {
		w.exec("UPDATE meta SET value = ? WHERE key = 'revision'", w.revision)
		noteRevision(w, s.opts.Now())
	}
	if w.rewritten {
		w.exec("UPDATE meta SET value = ? WHERE key = 'rewritten'", w.revision)
	}
	if w.err != nil {
		return s.fault(w.err)
	}
	return s.fault(tx.Commit())
}

// writeTx is a writing transaction. The first failed statement sticks in err, so
// that a run of statements is checked once, at its end.
type writeTx struct {
	ctx       context.Context
	tx        *sql.Tx
	prepared  map[string]*sql.Stmt
	err       error
	revision  int64 // of the record once this is committed
	changed   bool  // something was written
	rewritten bool  // something indexed was changed or removed, not only added

	unembedded bool // vectors are to be made after the transaction
}

func (w *writeTx) stmt(query string) *sql.Stmt {
	if st := w.prepared[query]; st != nil || w.err != nil {
		return st
	}
	st, err := w.tx.PrepareContext(w.ctx, query)
	if err != nil {
		w.err = err
		return nil
	}
	w.prepared[query] = st
	return st
}

// exec runs one statement and returns how many rows it touched.
func (w *writeTx) exec(query string, args ...any) int64 {
	st := w.stmt(query)
	if w.err != nil {
		return 0
	}
	res, err := st.ExecContext(w.ctx, args...)
	if err != nil {
		w.err = err
		return 0
	}
	n, err := res.RowsAffected()
	w.err = err
	return n
}

// scan reads one row; sql.ErrNoRows is returned and does not stick.
func (w *writeTx) scan(query string, args []any, into ...any) error {
	st := w.stmt(query)
	if w.err != nil {
		return w.err
	}
	err := st.QueryRowContext(w.ctx, args...).Scan(into...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		w.err = err
	}
	return err
}

// each runs f on every row. f must not use the transaction's connection.
func (w *writeTx) each(query string, args []any, f func(rows *sql.Rows) error) error {
	st := w.stmt(query)
	if w.err != nil {
		return w.err
	}
	rows, err := st.QueryContext(w.ctx, args...)
	if err == nil {
		err = eachRow(rows, f)
	}
	if err != nil {
		w.err = err
	}
	return err
}

// rows is each as a value.
func (w *writeTx) rows() rowsOf { return w.each }

// among returns which of ids a query finds; it ends in "IN".
func among(each rowsOf, query string, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(ids) == 0 {
		return out, nil
	}
	if slices.ContainsFunc(ids, func(id string) bool { return !utf8.ValidString(id) || strings.Contains(id, "\x00") }) {
		for _, id := range ids { // JSON would hold another one
			if err := each(query+" (?)", []any{id}, func(*sql.Rows) error { out[id] = true; return nil }); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return out, each(query+" (SELECT value FROM json_each(?))", []any{encodeList(ids)}, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		out[id] = true
		return err
	})
}

func eachRow(rows *sql.Rows, f func(rows *sql.Rows) error) error {
	defer rows.Close() //nolint:errcheck // Err below tells what went wrong
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// snapshot runs f on one unchanging state of the record and returns its revision.
func (s *Store) snapshot(ctx context.Context, f func(tx readTx) error) (int64, error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return 0, s.fault(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	var revision int64
	if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'revision'").Scan(&revision); err != nil {
		return 0, s.fault(err)
	}
	if err := f(tx); err != nil {
		return 0, s.fault(err)
	}
	return revision, nil
}

// Revision returns the number of the record's state. It goes up with every
// change of sessions, layers, facts, rules and exemplars, whatever process makes
// it. The ledger and the policy versions only grow and are read anew each time;
// telling somebody something must not throw away every process's caches.
func (s *Store) Revision(ctx context.Context) (int64, error) {
	st, err := s.asking.prepare(ctx, s.read)
	if err != nil {
		return 0, s.fault(err)
	}
	var revision int64
	err = st.QueryRowContext(ctx).Scan(&revision)
	return revision, s.fault(err)
}

// revisionQuery is the question that every request begins with, prepared once.
type revisionQuery struct {
	mu sync.Mutex
	st *sql.Stmt
}

func (q *revisionQuery) prepare(ctx context.Context, db *sql.DB) (*sql.Stmt, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.st == nil {
		st, err := db.PrepareContext(context.WithoutCancel(ctx), "SELECT value FROM meta WHERE key = 'revision'")
		if err != nil {
			return nil, err
		}
		q.st = st // closed with the database
	}
	return q.st, nil
}

// readTx is a transaction that only reads.
type readTx = *sql.Tx
