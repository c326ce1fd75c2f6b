package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/evolve/bench"
)

// scripts are the benchmark scripts of the tree that every test of them runs on, and
// those that EPAGENT_SCRIPTS lists.
func scripts(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../agent/testdata/scripts/*", "../../examples/epbench/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				out = append(out, dir)
			}
		}
	}
	if len(out) < 2 {
		t.Fatalf("only %d scripts in the tree", len(out))
	}
	return append(out, filepath.SplitList(os.Getenv("EPAGENT_SCRIPTS"))...)
}

func TestCheckScripts(t *testing.T) {
	for _, dir := range scripts(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got, err := bench.Check(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range append(got.Faults, got.Notes...) {
				t.Error(f)
			}
			if got.Script != filepath.Base(dir) || got.Sessions == 0 || got.Turns == 0 || got.Facts == 0 || got.T1 == 0 || got.T2 == 0 || got.T3 == 0 {
				t.Errorf("counts %+v", got)
			}
		})
	}
}

// Each edit of a sound script breaks one rule; the fault names file, line and id.
func TestCheckFaults(t *testing.T) {
	tests := []struct {
		name, file, old, new string
		line                 int
		id                   string
		says                 string
	}{
		{"sound", "README.md", "five lines", "a few lines", 0, "", ""},
		{"unknown key", "facts.jsonl", `"truth": "real"`, `"mood": "sad", "truth": "real"`, 1, "", `unknown key "mood"`},
		{"missing key", "facts.jsonl", `"trusted": true, `, ``, 1, "", `key "trusted" is missing`},
		{"key twice", "t1.jsonl", `"level": 1`, `"level": 1, "level": 1`, 1, "", "twice"},
		{"missing key in a turn", "sessions.jsonl", `"speaker": "Bram Holt", "text": "glad`, `"text": "glad`, 2, "", `turns[1]: key "speaker" is missing`},
		{"unknown key in an audience", "t3.jsonl", `"answer": "I was ill`, `"mood": 1, "answer": "I was ill`, 1, "", `audiences[1]: unknown key "mood"`},
		{"broken JSON", "t2.jsonl", `{"id"`, `{id`, 1, "", "broken JSON"},
		{"type", "t1.jsonl", `"level": 1`, `"level": "one"`, 1, "", "level"},
		{"time", "facts.jsonl", "2025-02-03T09:00:00+01:00", "3 February", 1, "", "RFC 3339"},
		{"id twice", "facts.jsonl", `"id": "f02"`, `"id": "f01"`, 2, "f01", "twice"},
		{"turn id of another session", "sessions.jsonl", `"id": "s02-02"`, `"id": "s01-01"`, 2, "s01-01", "twice"},
		{"reply to another session", "sessions.jsonl", `"reply_to": "s02-01"`, `"reply_to": "s01-01"`, 2, "s02-02", "no earlier turn"},
		{"participant twice", "sessions.jsonl", `["Vera Lund", "Bram Holt"]`, `["Vera Lund", "Bram Holt", "Bram Holt"]`, 2, "s02", "stands twice"},
		{"empty turn", "sessions.jsonl", `"text": "glad you're back"`, `"text": " "`, 2, "s02-02", "text is empty"},
		{"unknown session", "facts.jsonl", `["s01"]`, `["s77"]`, 1, "f01", "s77"},
		{"unknown group", "facts.jsonl", "group:office", "group:club", 1, "f01", "club"},
		{"unknown domain", "t1.jsonl", `"domain": "life"`, `"domain": "hobby"`, 1, "t1-01", "hobby"},
		{"wrong level", "t1.jsonl", `"level": 1`, `"level": 2`, 1, "t1-01", "the calculus gives f01 L1/life"},
		{"wrong domain", "t1.jsonl", `"domain": "life"`, `"domain": null`, 1, "t1-01", "the calculus gives f01 L1/life"},
		{"domain of nobody", "t1.jsonl", `"level": 1`, `"level": 0`, 1, "t1-01", "level 0 is nobody's and has no domain"},
		{"no facts", "t2.jsonl", `"facts": ["f01"]`, `"facts": []`, 1, "t2-01", "no facts"},
		{"one allowed too many", "t2.jsonl", `"allowed": ["Ada Wren"]`, `"allowed": ["Ada Wren", "Bram Holt"]`, 1, "t2-01", `allowed names "Bram Holt"`},
		{"one allowed too few", "t2.jsonl", `"allowed": ["Ada Wren"]`, `"allowed": []`, 1, "t2-01", `"Ada Wren" know it all`},
		{"no candidates", "t2.jsonl", `"candidates": ["Ada Wren", "Bram Holt"], "allowed": ["Ada Wren"]`, `"candidates": [], "allowed": []`, 1, "t2-01", "no candidates"},
		{"unknown candidate", "t2.jsonl", `"Bram Holt"]`, `"Bram Hold"]`, 1, "t2-01", "Bram Hold"},
		{"neither allowed nor denied", "t3.jsonl", `"allowed": ["f02"], "denied": ["f01"]`, `"allowed": ["f02"], "denied": []`, 1, "t3-01", "neither"},
		{"allowed to whom it is denied", "t3.jsonl", `"allowed": ["f02"], "denied": ["f01"]`, `"allowed": ["f02", "f01"], "denied": []`, 1, "t3-01", `f01 is allowed to "Bram Holt"`},
		{"denied to whom it is allowed", "t3.jsonl", `"allowed": ["f02"], "denied": ["f01"]`, `"allowed": [], "denied": ["f01", "f02"]`, 1, "t3-01", `allows f02 to "Bram Holt"`},
		{"policy", "policy.yaml", "tier: 1", "tier: 9", 5, "", "tier"},
		{"policy without owner", "policy.yaml", "name: Vera Lund, ", "", 0, "", "owner"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bench.Check(edited(t, tt.file, tt.old, tt.new))
			if err != nil {
				t.Fatal(err)
			}
			if tt.says == "" {
				if !got.Valid() || len(got.Notes) > 0 {
					t.Errorf("faults %v, notes %v", got.Faults, got.Notes)
				}
				return
			}
			for _, f := range got.Faults {
				if f.File == tt.file && (tt.line == 0 || f.Line == tt.line) && (tt.id == "" || f.ID == tt.id) && strings.Contains(f.Problem, tt.says) {
					if f.Remedy == "" {
						t.Errorf("%v: no remedy", f)
					}
					return
				}
			}
			t.Errorf("no fault of %s:%d %q says %q: %v", tt.file, tt.line, tt.id, tt.says, got.Faults)
		})
	}
}

func TestCheckMissingFiles(t *testing.T) {
	for _, name := range []string{"policy.yaml", "sessions.jsonl", "facts.jsonl", "t1.jsonl", "t2.jsonl", "t3.jsonl", "README.md"} {
		dir := edited(t, "README.md", "five lines", "a few lines")
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		got, err := bench.Check(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Faults) == 0 || got.Faults[0].File != name && !strings.Contains(got.Faults[len(got.Faults)-1].Error()+got.Faults[0].Error(), name) {
			t.Errorf("without %s: %v", name, got.Faults)
		}
	}
	if got, err := bench.Check(t.TempDir()); err != nil || got.Valid() {
		t.Errorf("an empty folder: %+v, %v", got, err)
	}
	if got, err := bench.Check(filepath.Join(t.TempDir(), "nowhere")); err != nil || len(got.Faults) != 1 || got.Faults[0].Problem != "there is no such folder" {
		t.Errorf("no folder: %+v, %v", got, err)
	}
}

func TestCheckNotes(t *testing.T) {
	tests := []struct{ name, file, old, new, says string }{
		{"stranger", "sessions.jsonl", `["Vera Lund", "Bram Holt"]`, `["Vera Lund", "Bram Holt", "Bramm Holt"]`, `"Bramm Holt" takes part`},
		{"order", "sessions.jsonl", `2025-02-05T08`, `2025-01-05T08`, "begins before"},
		{"evidence", "t2.jsonl", `"sessions": ["s01"]`, `"sessions": ["s02"]`, "tells fact f01"},
		{"evidence in part", "facts.jsonl", `"id": "f01", "sessions": ["s01"]`, `"id": "f01", "sessions": ["s01", "s02"]`, "leave out s02, which tells fact f01"},
		{"both lists", "facts.jsonl", `"whitelist": [], "blacklist": ["group:office"]`, `"whitelist": ["group:office"], "blacklist": ["group:office"]`, "stands in whitelist and blacklist"},
		{"both lists by alias", "facts.jsonl", `"whitelist": [], "blacklist": ["group:office"]`, `"whitelist": ["Bram Holt"], "blacklist": ["Bram"]`, "stands in whitelist and blacklist"},
		{"a cover of nothing", "facts.jsonl", `"event": "ev-fever", "truth": "real", "trusted": true, "whitelist": [], "blacklist": []`, `"event": "ev-other", "truth": "cover", "trusted": true, "whitelist": [], "blacklist": []`, "no real fact is of its event"},
		{"a cover without event", "facts.jsonl", `"event": "ev-fever", "truth": "real", "trusted": true, "whitelist": [], "blacklist": []`, `"truth": "cover", "trusted": true, "whitelist": [], "blacklist": []`, "no real fact is of its event"},
		{"empty group", "policy.yaml", "people:", "  - {id: club, tier: 4, description: \"the club\"}\npeople:", "nobody is in this group"},
	}
	for _, tt := range tests {
		got, err := bench.Check(edited(t, tt.file, tt.old, tt.new))
		if err != nil || !got.Valid() || len(got.Notes) != 1 || !strings.Contains(got.Notes[0].Problem, tt.says) {
			t.Errorf("%s: %v, faults %v, notes %v", tt.name, err, got.Faults, got.Notes)
		}
	}
}

// A row that can't be read takes nothing from the counts of the others.
func TestCheckCountsOthers(t *testing.T) {
	got, err := bench.Check(edited(t, "sessions.jsonl", `{"id": "s02"`, `{id: "s02"`))
	if err != nil || len(got.Faults) != 1 || got.Sessions != 1 || got.Turns != 2 || got.Facts != 2 || got.T1 != 1 || got.T2 != 1 || got.T3 != 1 {
		t.Errorf("%+v %v", got, err)
	}
}

// An item that asks for nothing has one fault, and no verdict without a reason.
func TestCheckNoFacts(t *testing.T) {
	got, err := bench.Check(edited(t, "t2.jsonl", `"facts": ["f01"]`, `"facts": []`))
	if err != nil || len(got.Faults) != 1 {
		t.Errorf("%v %v", got.Faults, err)
	}
}

// edited returns a copy of the small script with one replacement, which must apply.
func edited(t *testing.T, file, old, replacement string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "small"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := strings.Replace(string(data), old, replacement, 1)
	if out == string(data) {
		t.Fatalf("%q isn't in %s", old, file)
	}
	if err := os.WriteFile(path, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
