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
