package memory_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// The test binary runs itself as another process: childMode says as what.
const (
	childMode = "EPAGENT_TEST_CHILD"
	childPath = "EPAGENT_TEST_PATH"
	childName = "EPAGENT_TEST_NAME"
	childSize = "EPAGENT_TEST_SIZE"
)

// child does the work of a child process, if this is one.
func child() bool {
	mode := os.Getenv(childMode)
	if mode == "" {
		return false
	}
	s, err := memory.Open(context.Background(), os.Getenv(childPath), options())
	if err != nil {
		fmt.Println("error", err)
		return true
	}
	defer s.Close()
	name, size := os.Getenv(childName), 1<<30
	if text := os.Getenv(childSize); text != "" {
		_, _ = fmt.Sscan(text, &size)
	}
	for i := range size {
		if _, err := s.Apply(context.Background(), numbered(name, i)); err != nil {
			fmt.Println("error", err)
			return true
		}
		fmt.Println("done", i) // after the commit: from here on it must not be lost
	}
	return true
}

// numbered is a batch that can be recognised: a session of three turns and a fact.
func numbered(name string, i int) memory.Batch {
	id := fmt.Sprintf("%s%05d", name, i)
	b := withLayers(talk(id, "c-"+name, "one "+id, "two "+id, "three "+id))
	b.Facts = []memory.Fact{fact(privacy.FactID("f"+id), "Mia said "+id+".", id, id+"-0")}
	return b
}

func startChild(t *testing.T, path, name string, size int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childMode+"=write", childPath+"="+path, childName+"="+name, fmt.Sprintf("%s=%d", childSize, size))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// wholeSessions checks that the store is sound and holds no half batch, and
// returns how many there are.
func wholeSessions(t *testing.T, s *memory.Store) int {
	t.Helper()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := s.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		if info.Turns != 3 {
			t.Errorf("session %s has %d turns", info.ID, info.Turns)
		}
		if f, err := s.Fact(t.Context(), privacy.FactID("f"+info.ID)); err != nil || len(f.Entries) == 0 {
			t.Errorf("session %s without its fact: %v", info.ID, err)
		}
		if entries, err := s.Entries(t.Context(), info.ID); err != nil || len(entries) != 3 {
			t.Errorf("session %s has %d entries, %v", info.ID, len(entries), err)
		}
	}
	return len(list)
}

func TestKilledWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), memory.FileName)
	acknowledged := map[string]int{}
	for round := range 4 {
		name := string(rune('a' + round))
		cmd, lines := startChild(t, path, name, 1<<30)
		for lines.Scan() {
			if acknowledged[name] == 0 { // it writes now; where in a batch it is hit is chance
				time.AfterFunc(time.Duration(10+17*round)*time.Millisecond, func() { _ = cmd.Process.Kill() })
			}
			if text, ok := strings.CutPrefix(lines.Text(), "error"); ok {
				t.Error(text)
			}
			acknowledged[name]++
		}
		_ = cmd.Wait() // it was killed
		s := open(t, path, options())
		stored := map[string]int{}
		list, err := s.Sessions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range list {
			stored[info.ID[:1]]++
		}
		for name, n := range acknowledged {
			if stored[name] < n {
				t.Errorf("round %d: %d of %s were acknowledged, %d are there", round, n, name, stored[name])
			}
		}
		wholeSessions(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) == 0 {
		t.Error("no child was quick enough to write: the test shows nothing")
	}
}

func TestTwoProcessesWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), memory.FileName)
	const each = 40
	_, a := startChild(t, path, "a", each) // they race for the migration, too
	_, b := startChild(t, path, "b", each)
	for _, lines := range []*bufio.Scanner{a, b} {
		n := 0
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			n++
		}
		if n != each {
			t.Errorf("%d acknowledged, want %d", n, each)
		}
	}
	if n := wholeSessions(t, open(t, path, options())); n != 2*each {
		t.Errorf("%d sessions, want %d", n, 2*each)
	}
}

func TestOpenRefuses(t *testing.T) {
	ctx := context.Background()
	edit := func(t *testing.T, path, statement string) {
		t.Helper()
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	made := func(t *testing.T) string {
		s := openNew(t)
		apply(t, s, numbered("x", 1))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return s.Path()
	}
	cases := map[string]struct {
		prepare func(t *testing.T) string
		opts    memory.Options
		want    error
	}{
		"text": {prepare: func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, []byte(strings.Repeat("no database at all\n", 100)), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, want: memory.ErrNotStore},
		"folder": {prepare: func(t *testing.T) string { return t.TempDir() }, want: memory.ErrNotStore},
		"other program": {prepare: func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "x.db")
			edit(t, path, "CREATE TABLE songs (title TEXT)")
			return path
		}, want: memory.ErrNotStore},
		"newer": {prepare: func(t *testing.T) string {
			path := made(t)
			edit(t, path, "PRAGMA user_version = 99")
			return path
		}, want: memory.ErrNewer},
		"newer, reading": {prepare: func(t *testing.T) string {
			path := made(t)
			edit(t, path, "PRAGMA user_version = 99")
			return path
		}, opts: memory.Options{ReadOnly: true}, want: memory.ErrNewer},
		"older, reading": {prepare: func(t *testing.T) string {
			path := made(t)
			edit(t, path, "PRAGMA user_version = 0")
			return path
		}, opts: memory.Options{ReadOnly: true}, want: memory.ErrOlder},
		"not there, reading": {prepare: func(t *testing.T) string { return filepath.Join(t.TempDir(), "x.db") },
			opts: memory.Options{ReadOnly: true}, want: memory.ErrNotFound},
		"read-only file": {prepare: func(t *testing.T) string {
			path := made(t)
			if err := os.Chmod(path, 0o400); err != nil {
				t.Fatal(err)
			}
			return path
		}, want: memory.ErrReadOnly},
		"cut short": {prepare: func(t *testing.T) string {
			path := made(t)
			if err := os.Truncate(path, 3*4096+100); err != nil {
				t.Fatal(err)
			}
			return path
		}, want: memory.ErrDamaged},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := c.prepare(t)
			s, err := memory.Open(ctx, path, c.opts)
			if err == nil {
				// Damage shows when the pages are read, at the latest.
				err = s.Check(ctx)
				_ = s.Close()
			}
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), ";") && !strings.Contains(err.Error(), ":") {
				t.Errorf("the error names no place or remedy: %v", err)
			}
		})
	}
}

func TestReadOnlyStore(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	apply(t, s, numbered("x", 1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.Path(), 0o400); err != nil {
		t.Fatal(err)
	}
	ro := open(t, s.Path(), memory.Options{ReadOnly: true})
	if n := wholeSessions(t, ro); n != 1 {
		t.Errorf("%d sessions", n)
	}
	r := newRecaller(t, ro, memory.RecallOptions{})
	if hits, err := r.Facts(ctx, memory.Query{Text: "x00001"}); err != nil || len(hits) != 1 {
		t.Errorf("recall: %+v, %v", hits, err)
	}
	for name, write := range map[string]func() error{
		"apply":  func() error { _, err := ro.Apply(ctx, numbered("x", 2)); return err },
		"record": func() error { _, err := ro.Record(ctx, memory.LedgerEntry{To: []string{"bo"}}); return err },
		"forget": func() error { _, err := ro.Forget(ctx, memory.Forget{Sessions: []string{"x00001"}}); return err },
		"update": func() error { return ro.UpdateFact(ctx, "fx00001", func(*memory.Fact) error { return nil }) },
	} {
		if err := write(); !errors.Is(err, memory.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := ro.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(s.Path()); err != nil || string(after) != string(before) {
		t.Errorf("reading changed the file, %v", err)
	}
}

// TestOpenEmptied: a file that was cut to nothing is no new store.
func TestOpenEmptied(t *testing.T) {
	path := filepath.Join(t.TempDir(), memory.FileName)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if s, err := memory.Open(t.Context(), path, memory.Options{}); !errors.Is(err, memory.ErrDamaged) {
		if err == nil {
			s.Close()
		}
		t.Errorf("an emptied file: %v, want ErrDamaged", err)
	}
	// One that came into being just now is being made by another process.
	fresh := filepath.Join(t.TempDir(), memory.FileName)
	if err := os.WriteFile(fresh, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := memory.Open(t.Context(), fresh, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
