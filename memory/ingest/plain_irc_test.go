package ingest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

func TestPlainIRC(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"irssi", "--- Log opened Thu Mar 14 19:00:00 2024\n19:02 <@alice> hi\n19:03 < bob> hello: there\n19:04 -!- carl [c@x.example] has joined #garden\n19:05  * bob waves\n19:05  * dave nods\n--- Day changed Fri Mar 15 2024\n00:05 <@alice> night\n--- Log closed Fri Mar 15 00:06:00 2024\n",
			[]string{"alice|2024-03-14T19:02:00|hi", "bob|2024-03-14T19:03:00|hello: there", "-|2024-03-14T19:04:00|carl [c@x.example] has joined #garden", "bob|2024-03-14T19:05:00|waves", "-|2024-03-14T19:05:00|dave nods", "alice|2024-03-15T00:05:00|night"}},
		{"WeeChat", "2024-03-14 19:02:11\t@alice\thi\n2024-03-14 19:03:11\t+bob_\thello: there\n2024-03-14 19:03:12\t *\tbob_ waves\n2024-03-14 19:04:11\t-->\tcarl (c@x.example) has joined #garden\n2024-03-14 19:04:12\t--\tTopic is \"plants: all\"\n2024-03-15 00:04:11\t|carl|\they\n",
			[]string{"alice|2024-03-14T19:02:11|hi", "bob_|2024-03-14T19:03:11|hello: there", "bob_|2024-03-14T19:03:12|waves", "-|2024-03-14T19:04:11|carl (c@x.example) has joined #garden", "-|2024-03-14T19:04:12|Topic is \"plants: all\"", "|carl||2024-03-15T00:04:11|hey"}},
		{"HexChat, over a new year", "**** BEGIN LOGGING AT Tue Dec 31 23:00:00 2024\n\nDec 31 23:02:12 <alice>\thi\nDec 31 23:03:11 <bob>\tI moved to Ghent\nDec 31 23:04:11 *\tbob is happy: very\nDec 31 23:05:00 *\tbob (~b@x.example) has left #garden\nJan 01 00:00:02 <alice>\thello\n",
			[]string{"alice|2024-12-31T23:02:12|hi", "bob|2024-12-31T23:03:11|I moved to Ghent", "bob|2024-12-31T23:04:11|is happy: very", "-|2024-12-31T23:05:00|bob (~b@x.example) has left #garden", "alice|2025-01-01T00:00:02|hello"}},
		{"mIRC", "Session Start: Thu Mar 14 19:00:00 2024\n[19:02] <@alice> hi\n[19:03] <+bob> hello\n[19:04] * carl (c@x.example) has joined #garden\n[19:05] * alice waves\n",
			[]string{"alice|2024-03-14T19:02:00|hi", "bob|2024-03-14T19:03:00|hello", "-|2024-03-14T19:04:00|carl (c@x.example) has joined #garden", "alice|2024-03-14T19:05:00|waves"}},
		{"without a year", "Mar 14 19:02:11 <alice>\thi\nMar 14 19:03:11 <bob>\thello\n", []string{"alice||hi", "bob||hello"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := read(t, tt.text, ingest.Options{})
			if diff := cmp.Diff(tt.want, show(e)); diff != "" || e.Format != "plain" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
		})
	}
}
