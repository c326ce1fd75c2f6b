package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

var tiny = filepath.Join("testdata", "script", "en-tiny")

func TestScriptSessions(t *testing.T) {
	e, err := ingest.Read(t.Context(), tiny, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Format != "script" || e.Script == nil || e.Script.Owner != "Nell Arden" || len(e.Script.Policy) == 0 {
		t.Fatalf("format %q, script %+v", e.Format, e.Script)
	}
	sessions := e.Sessions()
	if len(sessions) != 2 {
		t.Fatalf("%d sessions, want 2", len(sessions))
	}
	band := sessions[1]
	if band.ID != "s02" || band.Channel != "group: band" || !band.Group || band.Turns[1].ID != "s02-02" || !band.Turns[1].Self || band.Turns[0].Self {
		t.Errorf("%+v", band)
	}
	if want := (memory.Source{Name: "en-tiny", Format: "script"}); band.Source != want {
		t.Errorf("source %+v, want %+v", band.Source, want)
	}
	if at := time.Date(2025, 3, 6, 19, 0, 0, 0, time.UTC); !band.Start.Instant.Equal(at) || band.Start.Local != "2025-03-06T20:00:00" {
		t.Errorf("start %+v", band.Start)
	}
	// The opening stays with the group; the two who answer each other are a pair.
	if len(band.Subs) != 1 || band.Subs[0].Pair != [2]string{"Nell Arden", "Priya Sen"} || !cmp.Equal(band.Subs[0].Turns, []string{"s02-02", "s02-03"}) {
		t.Errorf("sub-sessions %+v", band.Subs)
	}
	if got := band.Listeners(&band.Turns[2]); !cmp.Equal(got, []string{"Nell Arden"}) {
		t.Errorf("an answer is heard by %v", got)
	}
	if got := band.Listeners(&band.Turns[0]); !cmp.Equal(got, []string{"Nell Arden", "Oskar Lind"}) {
		t.Errorf("an opening is heard by %v", got)
	}
}

func TestGoldFacts(t *testing.T) {
	s, err := ingest.ReadScript(tiny)
	if err != nil {
		t.Fatal(err)
	}
	facts := s.GoldFacts()
	if len(facts) != 2 {
		t.Fatalf("%d facts", len(facts))
	}
	want := []privacy.Mark{
		{Kind: privacy.MarkCategory, Value: "health", By: privacy.ByGold},
		{Kind: privacy.MarkEvent, Value: "ev-wrist", By: privacy.ByGold},
		{Kind: privacy.MarkTruth, Value: "real", By: privacy.ByGold},
		{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByGold},
		{Kind: privacy.MarkWhitelist, Value: "Oskar", By: privacy.ByGold},
		{Kind: privacy.MarkBlacklist, Value: "group:band", By: privacy.ByGold},
	}
	if diff := cmp.Diff(want, facts[0].Marks); diff != "" {
		t.Errorf("marks (-want +got)\n%s", diff)
	}
	if facts[0].HappenedAt.Date() != "2025-03-02" || facts[0].SaidAt.Date() != "2025-03-04" || facts[0].Session != "s01" {
		t.Errorf("%+v", facts[0])
	}
	if facts[1].Value(privacy.MarkTrusted) != "" || facts[1].OwnerSaid {
		t.Error("an untrusted gold fact is trusted")
	}
}

// Each edit breaks one rule of the format; the error names file and id.
func TestScriptFaults(t *testing.T) {
	tests := []struct {
		name, file, old, new string
		says                 []string
	}{
		{"session id twice", "sessions.jsonl", `"id": "s02",`, `"id": "s01",`, []string{"sessions.jsonl", "s01", "twice"}},
		{"turn id twice", "sessions.jsonl", `"s01-02"`, `"s01-01"`, []string{"sessions.jsonl", "s01-01", "twice"}},
		{"stranger speaks", "sessions.jsonl", `"speaker": "Oskar Lind", "text": "oh no`, `"speaker": "Mallory", "text": "oh no`, []string{"sessions.jsonl", "s01-02", "takes no part"}},
		{"answer to nothing", "sessions.jsonl", `"reply_to": "s02-01"`, `"reply_to": "s01-01"`, []string{"s02-02", "no earlier turn"}},
		{"owner absent", "sessions.jsonl", `["Nell Arden", "Oskar Lind"]`, `["Oskar Lind"]`, []string{"s01", "owner"}},
		{"bad time", "sessions.jsonl", `"2025-03-04T19:30:00+01:00"`, `"4 March"`, []string{"sessions.jsonl:1"}},
		{"broken JSON", "sessions.jsonl", `{"id": "s02"`, `{"id": `, []string{"sessions.jsonl:3"}},
		{"unknown session", "facts.jsonl", `["s02"]`, `["s09"]`, []string{"facts.jsonl", "f02", "s09"}},
		{"unknown category", "facts.jsonl", `["music"]`, `["sport"]`, []string{"f02", "sport"}},
		{"unknown truth", "facts.jsonl", `"cover"`, `"lie"`, []string{"f02", "truth"}},
		{"unknown person", "facts.jsonl", `["Oskar"]`, `["Otto"]`, []string{"f01", "Otto"}},
		{"unknown group", "facts.jsonl", `"group:band"`, `"group:club"`, []string{"f01", "club"}},
		{"unknown fact", "t1.jsonl", `"fact": "f02"`, `"fact": "f77"`, []string{"t1.jsonl", "t1-02", "f77"}},
		{"level", "t1.jsonl", `"level": 4`, `"level": 5`, []string{"t1-02", "level 5"}},
		{"allowed no candidate", "t2.jsonl", `"allowed": ["Oskar Lind"]`, `"allowed": ["Nell Arden"]`, []string{"t2.jsonl", "t2-01"}},
		{"allowed and denied", "t3.jsonl", `"allowed": []`, `"allowed": ["f01"]`, []string{"t3.jsonl", "t3-01", "both"}},
		{"no owner", "policy.yaml", `name: Nell Arden`, `nick: Nell Arden`, []string{"policy.yaml", "owner"}},
		{"broken policy", "policy.yaml", `domains: [work`, `domains: [[work`, []string{"policy.yaml"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(tiny)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, tt.file)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(string(data), tt.old, tt.new, 1)
			if edited == string(data) {
				t.Fatalf("%q isn't in %s", tt.old, tt.file)
			}
			if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := ingest.Read(t.Context(), dir, ingest.Options{})
			if !errors.Is(err, ingest.ErrFormat) || e != nil {
				t.Fatalf("error %v, want ErrFormat and nothing read", err)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("error %q doesn't say %q", err, s)
				}
			}
			if strings.Contains(err.Error(), "wrist") || strings.Contains(err.Error(), dir) {
				t.Errorf("error %q tells private text or a path", err)
			}
		})
	}
}

func TestGoldAskedInVain(t *testing.T) {
	if _, err := ingest.Read(t.Context(), write(t, "a.txt", "Ana: a\nBo: b\nAna: c\nBo: d"), ingest.Options{Gold: true}); !errors.Is(err, ingest.ErrOptions) {
		t.Errorf("%v, want ErrOptions", err)
	}
}

func TestScriptsListed(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("EPAGENT_SCRIPTS"))
	if len(dirs) == 0 {
		t.Skip("EPAGENT_SCRIPTS lists no script folder")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e, err := ingest.Read(t.Context(), dir, ingest.Options{Gold: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(e.Sessions()) != len(e.Script.Sessions) || len(e.Script.GoldFacts()) == 0 {
				t.Errorf("%d of %d sessions, %d facts", len(e.Sessions()), len(e.Script.Sessions), len(e.Script.GoldFacts()))
			}
		})
	}
}
