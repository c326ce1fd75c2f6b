package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Attached is somebody else's SQLite database, opened for reading: an app's own
// record that an import takes messages from. It lives in this package because nothing
// else may know SQLite.
//
// The file is never written, locked or given a log: it is opened as unchanging. Where
// a write-ahead log lies beside it, which holds what the app wrote last and can't be
// read without writing, both are copied into a private temporary folder first, which
// goes with Close.
type Attached struct {
	db  *sql.DB
	dir string
}

// OpenAttached opens the database in path. ErrNotStore: it is none; ErrDamaged: its
// pages don't fit together, and nothing of it is read.
func OpenAttached(ctx context.Context, path string) (*Attached, error) {
	a := &Attached{}
	if !emptyFile(path + "-wal") {
		var err error
		if path, err = a.copy(path); err != nil {
			return nil, errors.Join(fmt.Errorf("open a database: %w", err), a.Close())
		}
	}
	mode := "?mode=ro&immutable=1"
	if a.dir != "" {
		mode = "?mode=rw" // the copy: its log must be taken in
	}
	var err error
	a.db, err = sql.Open("sqlite", fileURI(path)+mode+"&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=temp_store(2)&_pragma=cache_size(-8000)")
	if err == nil {
		a.db.SetMaxOpenConns(2) // a row is looked up while others are listed
		var verdict string
		if err = a.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err == nil && verdict != "ok" {
			err = ErrDamaged
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open a database: %w", attachedFault(err)), a.Close())
	}
	return a, nil
}

// attachedFault is faultOf with remedies for a file that isn't ours.
func attachedFault(err error) error {
	switch fault := faultOf(err, "it"); {
	case errors.Is(fault, ErrDamaged):
		return fmt.Errorf("%w; copy it again while the app is closed", ErrDamaged)
	case errors.Is(fault, ErrNotStore):
		return errors.New("not an SQLite database, or an encrypted one")
	default:
		return fault
	}
}

// copy copies a database with its log into a folder of its own.
func (a *Attached) copy(path string) (string, error) {
	var err error
	if a.dir, err = os.MkdirTemp("", "epagent-import-"); err != nil { // for this user alone
		return "", err
	}
	to := filepath.Join(a.dir, "copy.db")
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(path+end, to+end); err != nil {
			return "", err
		}
	}
	return to, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Close closes the database and removes what was copied.
func (a *Attached) Close() error {
	var errs []error
	if a.db != nil {
		errs = append(errs, a.db.Close())
	}
	if a.dir != "" {
		errs = append(errs, os.RemoveAll(a.dir))
	}
	return errors.Join(errs...)
}

// Columns are the columns of a table, none for what is no table: a view could be
// anything, without end.
func (a *Attached) Columns(ctx context.Context, table string) (map[string]bool, error) {
	out := map[string]bool{}
	err := a.Each(ctx, "SELECT c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table' AND s.name = ?", []any{table}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		out[name] = true
		return err
	})
	return out, err
}

// Each runs a query and hands over each row, to be read with scan.
func (a *Attached) Each(ctx context.Context, query string, args []any, f func(scan func(...any) error) error) error {
	rows, err := a.db.QueryContext(ctx, query, args...)
	if err != nil {
		return attachedFault(err)
	}
	return attachedFault(eachRow(rows, func(rows *sql.Rows) error { return f(rows.Scan) }))
}
