package ingest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/ingest"
)

// accepted holds for every input that a reader accepts: it marshals, nothing in
// it is broken, its sessions hold every message once, and ids are unique.
func accepted(t *testing.T, path string, o ingest.Options) {
	t.Helper()
	e, err := ingest.Read(t.Context(), path, o)
	if err != nil {
		if e != nil {
			t.Fatal("half read")
		}
		return
	}
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	turns, sessions := map[string]bool{}, map[string]bool{}
	n := 0
	for _, s := range e.Sessions() {
		if sessions[s.ID] || s.ID == "" || s.Conversation == "" {
			t.Fatalf("session id %q twice or empty", s.ID)
		}
		sessions[s.ID] = true
		for _, turn := range s.Turns {
			if turns[turn.ID] || turn.ID == "" {
				t.Fatalf("turn id %q twice or empty", turn.ID)
			}
			turns[turn.ID] = true
			n++
			if !utf8.ValidString(turn.Text) {
				t.Fatal("broken text")
			}
		}
	}
	if n != len(e.Messages) {
		t.Fatalf("%d of %d messages in sessions", n, len(e.Messages))
	}
}

func FuzzPlain(f *testing.F) {
	for _, pattern := range []string{"plain/*.txt", "locomo/*.json"} {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", pattern))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	for _, s := range []string{"[21:14] A: b\n[21:15] B: c", "小明：你好\n我：好\n小明：嗯", "A 2024-03-03 21:14\nhi\nB 2024-03-03 21:15\nyo", "# T\n\n> q\n\n31.2.2024\ntext", "---\n---\n---", "[[[[", "(:", "：", "*", "1:", "A:\nA:\n", "---\ntitle: x\n---\n```\n"} {
		f.Add([]byte(s))
	}
	path := filepath.Join(f.TempDir(), "in.txt") // one file a process: making folders costs more than reading
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		accepted(t, path, ingest.Options{Self: "A"})
	})
}

func FuzzScript(f *testing.F) {
	for _, name := range []string{"sessions.jsonl", "facts.jsonl", "policy.yaml", "t3.jsonl"} {
		data, err := os.ReadFile(filepath.Join(tiny, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	dir := f.TempDir()
	if err := os.CopyFS(dir, os.DirFS(tiny)); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		switch name {
		case "sessions.jsonl", "facts.jsonl", "policy.yaml", "t1.jsonl", "t2.jsonl", "t3.jsonl":
		default:
			return
		}
		path := filepath.Join(dir, name)
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.WriteFile(path, sound, 0o600); err != nil {
				t.Fatal(err)
			}
		}()
		accepted(t, dir, ingest.Options{})
	})
}
