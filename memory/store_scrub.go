package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// scrub makes sure that what was deleted is gone as bytes. secure_delete has
// zeroed the freed pages; what is left are old pages in the write-ahead log and
// remains within pages, so the file is rewritten and the log emptied. ErrBusy if
// another process reads all the while; the record remembers that it is due.
func (s *Store) scrub(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.write.ExecContext(ctx, "VACUUM"); err != nil {
		return s.fault(err)
	}
	// Our own readers may hold the log for a moment, another process for longer.
	deadline := time.Now().Add(s.opts.BusyTimeout)
	for {
		var busy, logged, moved int
		if err := s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved); err != nil {
			return s.fault(err)
		}
		if busy == 0 {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: %w: another process is reading; the log is emptied later", s.path, ErrBusy)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	_, err := s.write.ExecContext(ctx, "UPDATE meta SET value = 0 WHERE key = 'scrub'")
	return s.fault(err)
}

// resumeScrub does what an earlier process left undone.
func (s *Store) resumeScrub(ctx context.Context) error {
	var due bool
	if err := s.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'scrub'").Scan(&due); err != nil || !due {
		return s.fault(err)
	}
	if err := s.scrub(ctx); err != nil && !errors.Is(err, ErrBusy) {
		return err
	}
	return nil
}

// collapse trims s and makes one blank of each run of white space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
