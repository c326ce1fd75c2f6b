package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/NAME, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", file, diff)
	}
}

// TestDemo holds what the demo shows: four people, four answers.
func TestDemo(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	if errs.Len() > 0 {
		t.Errorf("on stderr: %s", errs.String())
	}
	golden(t, "demo.golden", out.String())

	out.Reset()
	if code := run(t.Context(), []string{"demo", "--json"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var result struct {
		Version int
		Answers []struct {
			To     []string
			Action string
			Answer string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	if result.Version != 1 || len(result.Answers) != 4 {
		t.Fatalf("version %d, %d answers", result.Version, len(result.Answers))
	}
	seen := map[string]string{}
	for _, a := range result.Answers {
		if other, ok := seen[a.Answer]; ok {
			t.Errorf("%s and %s get the same answer", a.To, other)
		}
		seen[a.Answer] = a.To[0]
	}
	if last := result.Answers[3]; last.Action != "deflect" {
		t.Errorf("%s gets %q", last.To, last.Action)
	}
}
