package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
)

// What is likely one person is proposed with its reason, and nothing else is.
func TestPeopleProposals(t *testing.T) {
	tests := []struct {
		name  string
		names []string
		want  []string
	}{
		{"accents", []string{"José Núñez", "Jose Nunez"}, []string{"José Núñez = Jose Nunez"}},
		{"umlauts", []string{"Jürgen Groß", "Juergen Gross"}, []string{"Jürgen Groß = Juergen Gross"}},
		{"a short form", []string{"Dora Lind", "Dora"}, []string{"Dora Lind = Dora"}},
		{"words turned", []string{"Dora Lind", "Lind Dora"}, []string{"Dora Lind = Lind Dora"}},
		{"the same letters", []string{"Dora Lind", "Lida Dorn"}, nil},
		{"numbers that end alike", []string{"+49 151 23456789", "0151 23456789"}, []string{"+49 151 23456789 = 0151 23456789"}},
		{"numbered", []string{"Speaker 1", "Speaker 2", "user17", "user18"}, nil},
		{"part of a word", []string{"Ann", "Anna"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source, err := agent.Starter{Name: "Ines"}.Policy()
			if err != nil {
				t.Fatal(err)
			}
			a := openIn(t, t.TempDir(), string(source))
			text := ""
			for i := range 3 {
				for j, name := range tt.names {
					text += fmt.Sprintf("2024-03-0%d 10:%02d - %s: hello\n", i+1, j, name)
				}
			}
			path := filepath.Join(t.TempDir(), "chat.txt")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Import(t.Context(), path, agent.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			list, proposals, err := a.People(t.Context())
			if err != nil || len(list) != len(tt.names) {
				t.Fatalf("%+v: %v", list, err)
			}
			var got []string
			for _, p := range proposals {
				one, other := p.One, p.Other
				if one != tt.names[0] {
					one, other = other, one
				}
				got = append(got, one+" = "+other)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Two accounts of one app are two people, whatever they are called, in one export or
// in two.
func TestTwoAccountsOfOneName(t *testing.T) {
	source, err := agent.Starter{Name: "Ines", People: []agent.StarterPerson{{Name: "Bob", Group: "friends"}}}.Policy()
	if err != nil {
		t.Fatal(err)
	}
	day := func(rows string) map[string]string {
		return map[string]string{
			"users.json":              `[{"id":"U1","name":"ines","real_name":"Ines"},{"id":"U3","name":"bob","real_name":"Bob"},{"id":"U4","name":"bob2","real_name":"Bob"}]`,
			"channels.json":           `[{"id":"C1","name":"general","members":["U1","U3","U4"]}]`,
			"general/2024-04-03.json": rows,
		}
	}
	three := `{"type":"message","user":"U3","text":"I moved to Ghent","ts":"1712178900.000100"}`
	four := `{"type":"message","user":"U4","text":"I quit my job","ts":"1712178960.000100"}`
	for name, exports := range map[string][]string{"one export": {"[" + three + "," + four + "]"}, "two": {"[" + three + "]", "[" + four + "]"}} {
		t.Run(name, func(t *testing.T) {
			a := openIn(t, t.TempDir(), string(source))
			for _, rows := range exports {
				dir := t.TempDir()
				for file, text := range day(rows) {
					if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := a.Import(t.Context(), dir, agent.ImportOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			list, _, err := a.People(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			speak := 0
			for _, p := range list {
				if p.Messages > 1 {
					t.Errorf("%+v is two people", p)
				}
				if p.Messages == 1 {
					speak++
				}
			}
			if speak != 2 {
				t.Errorf("%+v, want two who speak", list)
			}
		})
	}
}
