package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestImportInterrupted presses Ctrl-C in an import: it ends by itself with 130 and
// says so, what it reported is stored, no session is half there, and a second run
// goes on to the state of one that nobody disturbed.
func TestImportInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes; runs without -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("a process can't be sent an interrupt on Windows")
	}
	dir := t.TempDir()
	chat := filepath.Join(dir, "chat.txt")
	const messages = 6000
	if err := os.WriteFile(chat, bigChat(messages), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	epagent(t, home, "init", "--yes", "--name", "Ines")
	cmd := command(home, "import", "--me", "Ines", "--tz", "UTC", chat)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// As soon as a batch is stored: the database grows past its empty schema.
	db := filepath.Join(home, "epagent.db-wal")
	for range 6000 {
		if info, err := os.Stat(db); err == nil && info.Size() > 600<<10 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Fatalf("exit %d, want %d\n%s%s", code, exitInterrupted, out.String(), errs.String())
	}
	if !strings.Contains(errs.String(), "run it again to go on") {
		t.Errorf("stderr %q", errs.String())
	}
	partial := stored(t, home)
	if n := len(partial.turns); n > 0 && n < messages {
		want := fmt.Sprintf("%d messages: %d new, 0 already there, 0 skipped\n  %d are left", messages, n, messages-n)
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in %q", want, out.String())
		}
	}
	if len(partial.turns) == 0 || len(partial.turns) >= messages {
		t.Logf("the interrupt fell outside of the import: %d of %d", len(partial.turns), messages)
	}
	epagent(t, home, "import", "--me", "Ines", "--tz", "UTC", chat)
	whole := filepath.Join(dir, "whole")
	epagent(t, whole, "init", "--yes", "--name", "Ines")
	epagent(t, whole, "import", "--me", "Ines", "--tz", "UTC", chat)
	got, want := stored(t, home), stored(t, whole)
	if len(got.turns) != messages || len(got.facts) != len(want.facts) {
		t.Errorf("%d messages and %d facts, want %d and %d", len(got.turns), len(got.facts), messages, len(want.facts))
	}
	for session, turns := range partial.sessions {
		if turns != want.sessions[session] {
			t.Errorf("interrupted: session %s has %d of %d messages", session, turns, want.sessions[session])
		}
	}
}
