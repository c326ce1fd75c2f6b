package memory

import (
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The faults of a store. Each is wrapped with the place and the remedy.
var (
	// ErrNotFound: the record has nothing of that id.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous: a turn id occurs in more than one conversation.
	ErrAmbiguous = errors.New("ambiguous id")
	// ErrForgotten: it was forgotten; the record keeps only that.
	ErrForgotten = errors.New("it was forgotten")
	// ErrInvalid: what is to be stored lacks an id or contradicts itself.
	ErrInvalid = errors.New("invalid input")
	// ErrDamaged: the database's pages don't fit together.
	ErrDamaged = errors.New("the database is damaged")
	// ErrNotStore: the file is something else than a store.
	ErrNotStore = errors.New("not an epagent database")
	// ErrReadOnly: the file, its folder or this process's access allows no writing.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrFull: no room is left on the disk.
	ErrFull = errors.New("the disk is full")
	// ErrNewer: a newer release has written the schema.
	ErrNewer = errors.New("the store is of a newer release")
	// ErrOlder: the schema needs a migration, which a read-only store can't have.
	ErrOlder = errors.New("the store is of an older release")
	// ErrBusy: another process held the write lock for too long.
	ErrBusy = errors.New("the store is busy")
	// ErrModelMismatch: the vectors are of another embedding model.
	ErrModelMismatch = errors.New("the vectors are of another embedding model")
	// ErrTooMany: a list that strangers could fill is full.
	ErrTooMany = errors.New("too many")
	// ErrHostMismatch: the layers are of another native host.
	ErrHostMismatch = errors.New("the layers are of another native host")
	// ErrHost: the native host can't be searched.
	ErrHost = errors.New("the native host doesn't answer")
	// ErrVector: a vector is zero, not finite or of the wrong length.
	ErrVector = errors.New("unfit vector")
)

// faultOf gives err, as SQLite reported it, the sentinel and the remedy that
// belong to it. The messages of SQLite name tables and columns, never values.
func faultOf(err error, path string) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var fault *sqlite.Error
	if !errors.As(err, &fault) {
		return err
	}
	wrap := func(kind error, remedy string) error {
		return fmt.Errorf("%s: %w: %s (%w)", path, kind, remedy, err)
	}
	switch fault.Code() {
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return wrap(ErrFull, "free some space or check the disk and repeat; nothing of this step was stored")
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS:
		return wrap(ErrDamaged, "restore the file from a backup, or import an export into a new home")
	}
	switch fault.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT:
		return wrap(ErrDamaged, "restore the file from a backup, or import an export into a new home")
	case sqlite3.SQLITE_NOTADB:
		return wrap(ErrNotStore, "choose another home, or restore the file from a backup")
	case sqlite3.SQLITE_READONLY:
		return wrap(ErrReadOnly, "make the file and its folder writable, or open it for reading")
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return wrap(ErrReadOnly, "check that the folder exists and that you own it")
	case sqlite3.SQLITE_FULL:
		return wrap(ErrFull, "free some space and repeat; nothing of this step was stored")
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return wrap(ErrBusy, "another process is writing; repeat when it is done")
	}
	return err
}
