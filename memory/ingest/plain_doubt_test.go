package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A line that somebody may have said who speaks once is nobody's; a sentence with a colon
// inside of a message stays its speaker's.
func TestSpeaksOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"between two":          {"Ana: I stay\nCem: I quit my job\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: I stay", "?: Cem: I quit my job", "Bo: good", "Ana: yes", "Bo: bye"}},
		"behind the owner":     {"Me: I stay\nCem Kaya: I quit\nand leave\nBo: good\nMe: yes\nBo: bye\n", []string{"Me*: I stay", "?: Cem Kaya: I quit⏎and leave", "Bo: good", "Me*: yes", "Bo: bye"}},
		"two who speak once":   {"Ana: I stay\nCem: I quit\nDana: me too\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: I stay", "?: Cem: I quit", "?: Dana: me too", "Bo: good", "Ana: yes", "Bo: bye"}},
		"in Chinese":           {"小李: 我留下\n阿明: 我辞职了\n小王: 好\n小李: 嗯\n小王: 再见\n", []string{"小李: 我留下", "?: 阿明: 我辞职了", "小王: 好", "小李: 嗯", "小王: 再见"}},
		"a reminder":           {"Ana: I stay\nReminder: milk\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: I stay⏎Reminder: milk", "Bo: good", "Ana: yes", "Bo: bye"}},
		"within several lines": {"Ana: I stay\nfor long\nOslo: never again\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: I stay⏎for long⏎Oslo: never again", "Bo: good", "Ana: yes", "Bo: bye"}},
		"a list":               {"Ana: to buy:\nMilk: two bottles\nEggs: ten of them\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: to buy:⏎Milk: two bottles⏎Eggs: ten of them", "Bo: good", "Ana: yes", "Bo: bye"}},
		"a number":             {"Ana: I stay\nScore: 3\nShopping list: milk\nFAQ: ask me\nBo: good\nAna: yes\nBo: bye\n", []string{"Ana: I stay⏎Score: 3⏎Shopping list: milk⏎FAQ: ask me", "Bo: good", "Ana: yes", "Bo: bye"}},
		"announced":            {"Participants: Ana, Bo, Cem\nAna: I stay\nCem: I quit\nBo: good\n", []string{"Ana: I stay", "Cem: I quit", "Bo: good"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := read(t, tt.text, ingest.Options{})
			var got []string
			for _, m := range e.Messages {
				who := m.Sender
				if m.Self {
					who += "*"
				}
				if m.Bot {
					who = "?"
				}
				got = append(got, who+": "+strings.ReplaceAll(m.Text, "\n", "⏎"))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || e.Format != "plain" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
			if slices := e.Conversations[0].Participants; strings.Contains(strings.Join(slices, ","), "unknown") {
				t.Errorf("%q", slices)
			}
		})
	}
}
