package ingest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
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
	streamed(t, path, o, e)
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

// streamed holds Open to what Read gives: the same conversations, messages and
// sessions, one at a time.
func streamed(t *testing.T, path string, o ingest.Options, want *ingest.Export) {
	t.Helper()
	r, err := ingest.Open(t.Context(), path, o)
	if err != nil {
		t.Fatalf("Open refuses what Read accepts: %v", err)
	}
	defer r.Close()
	got := r.Export
	got.Conversations = nil
	_ = r.EachConversation(func(c *ingest.Conversation) error {
		got.Conversations = append(got.Conversations, *c)
		return nil
	})
	err = r.Each(t.Context(), func(m *ingest.Message) error {
		got.Messages = append(got.Messages, *m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]any{{want.Messages, got.Messages}, {want.Conversations, got.Conversations}, {want.Skipped, got.Skipped}, {want.Warnings, got.Warnings}} {
		a, err := json.Marshal(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) && !(string(a) == "null" || string(b) == "null") {
			t.Fatalf("Read gives\n%s\nOpen gives\n%s", a, b)
		}
	}
	sessions := map[string]memory.Session{}
	err = r.EachSession(t.Context(), func(s *memory.Session) error {
		sessions[s.ID] = *s
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := want.Sessions()
	if len(whole) != len(sessions) {
		t.Fatalf("%d sessions, streamed %d", len(whole), len(sessions))
	}
	for _, s := range whole {
		if diff := cmp.Diff(s, sessions[s.ID]); diff != "" {
			t.Fatalf("session %s (-whole +streamed)\n%s", s.ID, diff)
		}
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
	for _, s := range []string{"[21:14] A: b\n[21:15] B: c", "小明：你好\n我：好\n小明：嗯", "A 2024-03-03 21:14\nhi\nB 2024-03-03 21:15\nyo", "# T\n\n> q\n\n31.2.2024\ntext", "---\n---\n---", "[[[[", "(:", "：", "*", "1:", "A:\nA:\n", "---\ntitle: x\n---\n```\n",
		"2024-03-14 19:02:11\ta\thi\n2024-03-14 19:02:12\t *\ta b\n\t\t", "**** BEGIN LOGGING AT Tue Dec 31 23:00:00 2024\nDec 31 23:02:12 <a>\thi\nJan 01 0:1 * a b", "A, [15.03.2024 00:06]\n[]\n[ ]\n[ : ]\nx", "2024-03-14 19 h 02 - A: b\n19 h"} {
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
