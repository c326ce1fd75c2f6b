package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitCodes: 0 done, 1 failed, 2 wrong usage, 3 refused for privacy.
func TestExitCodes(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	call := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"--home", home}, args...), strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	if code, text := call("init", "--yes", "--name", "Ines Falk", "--person", "Tomas Falk=partner"); code != exitDone {
		t.Fatalf("init: %d: %s", code, text)
	}
	if code, text := call("remember", "--from", "Raj", "Ines loves cardamom buns."); code != exitDone {
		t.Fatalf("remember: %d: %s", code, text)
	}
	_, found := call("recall", "--json", "cardamom")
	_, rest, _ := strings.Cut(found, `"facts":[{"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	missing := filepath.Join(t.TempDir(), "missing.txt")
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		want int
		args []string
	}{
		{exitDone, []string{"recall", "nothing of the sort"}},
		{exitDone, []string{"disclose", "--to", "Somebody", "anything?"}},
		{exitDone, []string{"policy", "check"}},
		{exitFailed, []string{"fact", "show", "nope"}},
		{exitFailed, []string{"import", missing}},
		{exitFailed, []string{"import", empty}},
		{exitFailed, []string{"init", "--yes"}},
		{exitUsage, []string{"remember", " "}},
		{exitUsage, []string{"recall", ""}},
		{exitUsage, []string{"partition", ""}},
		{exitUsage, []string{"disclose", "--to", "Tomas Falk", ""}},
		{exitUsage, []string{"disclose", "--to", " ", "x"}},
		{exitUsage, []string{"fact", "edit", id}},
		{exitUsage, []string{"fact", "edit", id, "--category", "nope"}},
		{exitUsage, []string{"fact", "edit", id, "--allow", "Tomas Falk", "--deny", "Tomas Falk"}},
		{exitFailed, []string{"forget", "--person", "Nobody At All"}},
		{exitUsage, []string{"nonsense"}},
		{exitUsage, []string{"recall"}},
		{exitUsage, []string{"recall", "--nope", "x"}},
		{exitUsage, []string{"disclose", "x"}},
		{exitUsage, []string{"forget", "--person", "Raj"}}, // asks, and this is no terminal
		{exitUsage, []string{"why", id}},
		{exitUsage, []string{"policy", "person", "nonsense"}},
		{exitRefused, []string{"disclose", "--to", "Tоmas Falk", "x"}}, // a Cyrillic о
		{exitRefused, []string{"disclose", "--to", "Tomas", "x"}},      // whose first name it is
		{exitRefused, []string{"remember", "--from", "Tоmas Falk", "x is y"}},
		{exitRefused, []string{"forget", "--person", "Tоmas Falk", "--dry-run"}},
		{exitRefused, []string{"ledger", "--to", "Tоmas Falk"}},
		{exitRefused, []string{"why", "--to", "Nobody", id}},
		{exitRefused, []string{"policy", "allow", "Nobody", "--category", "food"}},
		{exitRefused, []string{"policy", "person", "alias", "Nobody", "N"}},
		{exitRefused, []string{"fact", "edit", id, "--deny", "Nobody"}},
		{exitRefused, []string{"fact", "confirm", id}}, // opens something
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			if code, text := call(tt.args...); code != tt.want {
				t.Errorf("exit code %d, want %d: %s", code, tt.want, text)
			}
		})
	}
}

// TestFlagErrors: a value that a flag can't take is answered with what it takes.
func TestFlagErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"evolve revert --to abc", `--to "abc": want a whole number; see`},
		{"evolve run --calls 1.5", `--calls "1.5": want a whole number; see`},
		{"mcp --json=perhaps", `--json "perhaps": want true or false; see`},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), strings.Fields(tt.args), strings.NewReader(""), &out, &errs)
		if code != exitUsage || !strings.Contains(errs.String(), tt.want) || strings.Contains(errs.String(), "strconv") {
			t.Errorf("%s: %d: %s", tt.args, code, errs.String())
		}
	}
}
