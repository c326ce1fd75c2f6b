package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// CachedReply returns what a model replied before to the call with this key, and
// whether it did. The key is a hash of everything that the reply depends on: the
// input, the prompt's version, the model and the supplements.
func (s *Store) CachedReply(ctx context.Context, key string) ([]byte, bool, error) {
	var reply []byte
	err := s.read.QueryRowContext(ctx, "SELECT reply FROM stage_cache WHERE key = ?", key).Scan(&reply)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read a cached reply: %w", s.fault(err))
	}
	return reply, true, nil
}

// CacheReply keeps a reply, durably, so that an import that was stopped doesn't
// pay for it twice. Forgetting anything empties the cache.
func (s *Store) CacheReply(ctx context.Context, key string, reply []byte) error {
	err := s.update(ctx, func(tx *writeTx) error {
		tx.exec("INSERT OR REPLACE INTO stage_cache (key, reply) VALUES (?, ?)", key, reply)
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("keep a reply: %w", err)
	}
	return nil
}

// DropReplies empties the cache of models' replies.
func (s *Store) DropReplies(ctx context.Context) error {
	err := s.update(ctx, func(tx *writeTx) error {
		tx.exec("DELETE FROM stage_cache")
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("drop cached replies: %w", err)
	}
	return nil
}
