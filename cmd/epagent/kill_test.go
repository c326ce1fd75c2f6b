package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestImportKilled kills an import at several moments. Whatever the moment, the
// store opens, no session is half there, and importing again ends in the same
// state as an import that nobody disturbed.
func TestImportKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills processes; runs without -short")
	}
	dir := t.TempDir()
	chat := filepath.Join(dir, "chat.txt")
	const messages = 2000
	if err := os.WriteFile(chat, bigChat(messages), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole")
	epagent(t, whole, "init", "--yes", "--name", "Ines")
	start := time.Now()
	epagent(t, whole, "import", "--me", "Ines", "--tz", "UTC", chat)
	takes := time.Since(start)
	want := stored(t, whole)
	if len(want.turns) != messages {
		t.Fatalf("%d messages stored, want %d", len(want.turns), messages)
	}
	interrupted := 0
	for i, share := range []float64{0.25, 0.5, 0.75, 0.95} {
		after := time.Duration(share * float64(takes))
		home := filepath.Join(dir, fmt.Sprintf("home%d", i))
		epagent(t, home, "init", "--yes", "--name", "Ines")
		cmd := command(home, "import", "--me", "Ines", "--tz", "UTC", chat)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after) // any moment will do, these are likely ones
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		partial := stored(t, home)
		if n := len(partial.turns); n > 0 && n < len(want.turns) {
			interrupted++
		}
		for session, turns := range partial.sessions {
			if turns != want.sessions[session] {
				t.Errorf("killed after %v: session %s has %d of %d messages", after, session, turns, want.sessions[session])
			}
		}
		epagent(t, home, "import", "--me", "Ines", "--tz", "UTC", chat)
		got := stored(t, home)
		if len(got.turns) != len(want.turns) || len(got.facts) != len(want.facts) {
			t.Errorf("killed after %v and repeated: %d messages and %d facts, want %d and %d",
				after, len(got.turns), len(got.facts), len(want.turns), len(want.facts))
		}
		for id, text := range want.facts {
			if got.facts[id] != text {
				t.Errorf("killed after %v and repeated: fact %s is %q, want %q", after, id, got.facts[id], text)
			}
		}
	}
	t.Logf("%d of 4 kills fell inside the import", interrupted)
}

// TestFourProcesses lets four processes remember at once: nothing is lost.
func TestFourProcesses(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	epagent(t, home, "init", "--yes", "--name", "Ines")
	const each = 6
	done := make(chan error, 4)
	for p := range 4 {
		go func() {
			for k := range each {
				cmd := command(home, "remember", fmt.Sprintf("The locker in room %d of house %d has a blue door.", k, p))
				if out, err := cmd.CombinedOutput(); err != nil {
					done <- fmt.Errorf("%w: %s", err, out)
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := stored(t, home); len(got.facts) != 4*each {
		t.Errorf("%d facts, want %d", len(got.facts), 4*each)
	}
}

func bigChat(messages int) []byte {
	var b bytes.Buffer
	day := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range messages {
		if i%10 == 0 {
			day = day.Add(24 * time.Hour)
		}
		who := "Ines"
		if i%2 == 1 {
			who = "Tomas"
		}
		fmt.Fprintf(&b, "[%s] %s: I bought lamp number %d for room %d in Ghent.\n",
			day.Add(time.Duration(i%10)*time.Minute).Format("2006-01-02 15:04"), who, i, i%37)
	}
	return b.Bytes()
}

// command is a process of this very program.
func command(home string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "EPAGENT_TEST_MAIN=1", "EPAGENT_HOME="+home, "NO_COLOR=1")
	return cmd
}

func epagent(t *testing.T, home string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := command(home, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("epagent %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return out.String()
}

type state struct {
	turns    map[string]bool
	sessions map[string]int
	facts    map[string]string
}

// stored reads a home through its export.
func stored(t *testing.T, home string) state {
	t.Helper()
	s := state{map[string]bool{}, map[string]int{}, map[string]string{}}
	for line := range strings.SplitSeq(strings.TrimSpace(epagent(t, home, "export")), "\n") {
		var item struct {
			Kind  string
			Value json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			t.Fatalf("export: %v in %q", err, line)
		}
		switch item.Kind {
		case "session":
			var v struct {
				ID    string
				Turns []struct{ ID string }
			}
			if err := json.Unmarshal(item.Value, &v); err != nil {
				t.Fatal(err)
			}
			s.sessions[v.ID] = len(v.Turns)
			for _, turn := range v.Turns {
				s.turns[v.ID+"/"+turn.ID] = true
			}
		case "fact":
			var v struct{ ID, Text string }
			if err := json.Unmarshal(item.Value, &v); err != nil {
				t.Fatal(err)
			}
			s.facts[v.ID] = v.Text
		}
	}
	return s
}
