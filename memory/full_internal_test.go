package memory

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A disk that fills up in the middle of a batch loses nothing that was stored and
// keeps nothing of the batch. SQLite's own page limit stands for the disk.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(t.TempDir(), FileName), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.write.Exec("PRAGMA max_page_count = 100"); err != nil {
		t.Fatal(err)
	}
	session := func(i int) Session {
		out := Session{ID: fmt.Sprint("s", i), Conversation: "c"}
		for j := range 20 {
			out.Turns = append(out.Turns, Turn{ID: fmt.Sprint(i, "-", j), Kind: Message, Text: strings.Repeat("word ", 100)})
		}
		return out
	}
	stored := 0
	for ; stored < 100; stored++ {
		if _, err = s.Apply(ctx, Batch{Sessions: []Session{session(stored)}}); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "free some space") || !strings.Contains(err.Error(), s.path) {
		t.Fatalf("error %v, want ErrFull with place and remedy", err)
	}
	list, err := s.Sessions(ctx)
	if err != nil || len(list) != stored || stored == 0 {
		t.Fatalf("%d sessions, %v; %d were stored", len(list), err, stored)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	if _, err := s.write.Exec("PRAGMA max_page_count = 10000"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(ctx, Batch{Sessions: []Session{session(stored)}}); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
