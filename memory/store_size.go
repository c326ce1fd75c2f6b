package memory

import (
	"context"
	"fmt"
)

// Size is how much a store holds.
type Size struct {
	Facts int64 `json:"facts"`
	Bytes int64 `json:"bytes"` // of the database: facts, messages, indexes and vectors
}

// BytesPerFact is what a fact takes with its share of everything else; 0 without facts.
func (s Size) BytesPerFact() int64 {
	if s.Facts == 0 {
		return 0
	}
	return s.Bytes / s.Facts
}

// Size returns how much the store holds now. Pages that the database keeps for later
// use don't count.
func (s *Store) Size(ctx context.Context) (Size, error) {
	var out Size
	err := s.read.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM facts),
		       (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) -
		       (SELECT freelist_count FROM pragma_freelist_count()) * (SELECT page_size FROM pragma_page_size())`).Scan(&out.Facts, &out.Bytes)
	if err != nil {
		return Size{}, fmt.Errorf("size of the store: %w", err)
	}
	return out, nil
}
