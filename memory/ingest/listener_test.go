package ingest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// Where only one has written, the other party is who the chat, its header or its file
// is called after.
func TestOneSided(t *testing.T) {
	const (
		whatsApp = "12/03/2024, 20:15 - Ana: I am moving\n12/03/2024, 20:16 - Ana: in May\n"
		iMessage = "Mar 12, 2024  8:15:03 PM\nMe\nI am moving\n\nMar 12, 2024  8:16:03 PM\nMe\nin May\n\n"
		signal   = "[2024-03-12 20:15:03] Me: I am moving  \n[2024-03-12 20:16:03] Me: in May  \n"
		weChat   = "2024-03-12 20:15:03 我\n我五月搬家\n\n2024-03-12 20:16:03 我\n真的\n"
		line     = "[LINE] Chat history with Bo\nSaved on: 2024/03/20 10:00\n\n2024/03/12(Tue)\n20:15\tAna\tI am moving\n20:16\tAna\tin May\n"
		discord  = `{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"9","type":"DirectTextChat","name":"Bo"},"messages":[{"id":"1","type":"Default","timestamp":"2024-03-12T20:15:00+00:00","content":"I am moving","author":{"id":"7","name":"ana","isBot":false}}]}`
		telegram = `{"name":"Bo Lund","type":"personal_chat","id":42,"messages":[{"id":1,"type":"message","date":"2024-03-12T20:15:00","date_unixtime":"1710274500","from":"Ana","from_id":"user7","text":"I am moving"}]}`
	)
	tests := []struct {
		file, text string
		want       []string
	}{
		{"WhatsApp Chat with Bo.txt", whatsApp, []string{"Ana", "Bo"}},
		{"Chat with Bo (2).txt", whatsApp, []string{"Ana", "Bo"}},
		{"WhatsApp Chat - 小李 🦊.txt", whatsApp, []string{"Ana", "小李 🦊"}},
		{"notes from work.txt", whatsApp, []string{"Ana"}},
		{"Bo Lund.txt", iMessage, []string{"Bo Lund", "Me"}},
		{"Bo Lund, Cy Moe.txt", iMessage, []string{"Bo Lund", "Cy Moe", "Me"}},
		{"+15550100.txt", iMessage, []string{"+15550100", "Me"}},
		{"Skiing - 12.txt", iMessage, []string{"Me"}}, // a name that the chat was given
		{"messages.txt", iMessage, []string{"Me"}},
		{"Bo.txt", strings.ReplaceAll(iMessage, "Me\n", "Ana\n"), []string{"Ana"}}, // the owner reads
		{"Bo.md", signal, []string{"Bo", "Me"}},
		{"export.md", signal, []string{"Me"}},
		{"小李_utf8.txt", weChat, []string{"小李", "我"}},
		{"聊天记录.txt", weChat, []string{"我"}},
		{"line.txt", line, []string{"Ana", "Bo"}},
		{"Chat with Bo.txt", "[2024-03-12 20:15] Ana: I am moving\n[2024-03-12 20:16] Ana: in May\n[2024-03-12 20:17] Ana: yes\n", []string{"Ana", "Bo"}},
		{"result.json", telegram, []string{"Ana", "Bo Lund"}},
		{"dm.json", discord, []string{"Bo", "ana"}},
		{"dm.json", strings.ReplaceAll(discord, "DirectTextChat", "DirectGroupTextChat"), []string{"ana"}},
		{"result.json", strings.ReplaceAll(telegram, `"personal_chat"`, `"private_group"`), []string{"Ana"}},
		{"result.json", strings.ReplaceAll(telegram, `"name":"Bo Lund"`, `"name":null`), []string{"Ana"}},
		{"result.json", strings.ReplaceAll(telegram, `"user7"`, `"user42"`), []string{"Ana"}}, // the other one alone
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.file)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := ingest.Read(t.Context(), path, ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Sorted(slices.Values(e.Conversations[0].Participants))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("read as %s (-want +got)\n%s", e.Format, diff)
			}
			for _, p := range e.Speakers() {
				if p.Messages == 0 {
					t.Errorf("%s counts as somebody who speaks", p.Name)
				}
			}
		})
	}
}

// LINE on computers writes blanks where phones write tabs.
func TestLineSpaced(t *testing.T) {
	tests := []struct {
		name, text, format string
		want               []string
	}{
		{"headed", "[LINE] 美咲とのトーク履歴\n保存日時：2024/03/20 10:00\n\n2024/03/12(火)\n21:05 美咲 引っ越すことにした\n21:06 太郎 いつ？\n21:07 美咲 五月に\n", "line",
			[]string{"美咲|2024-03-12T21:05:00|引っ越すことにした", "太郎|2024-03-12T21:06:00|いつ？", "美咲|2024-03-12T21:07:00|五月に"}},
		{"weekday behind", "2024.03.12 火曜日\n21:05 美咲 引っ越す\n21:06 太郎 いつ？\n21:07 美咲 五月に\nたぶん\n", "line",
			[]string{"美咲|2024-03-12T21:05:00|引っ越す", "太郎|2024-03-12T21:06:00|いつ？", "美咲|2024-03-12T21:07:00|五月に⏎たぶん"}},
		{"afternoon", "2024/03/12（二）\n下午9:05 小明 我要搬去台中\n下午9:06 小華 什麼時候\n下午9:07 小明 [貼圖]\n", "line",
			[]string{"小明|2024-03-12T21:05:00|我要搬去台中", "小華|2024-03-12T21:06:00|什麼時候", "小明|2024-03-12T21:07:00|"}},
		{"names of two words", "2024.03.12 Tuesday\n21:05 Misaki Sato I am moving\n21:06 Taro when?\n21:07 Misaki Sato in May\n21:08 Misaki Sato [Photo]\n", "line",
			[]string{"Misaki Sato|2024-03-12T21:05:00|I am moving", "Taro|2024-03-12T21:06:00|when?", "Misaki Sato|2024-03-12T21:07:00|in May", "Misaki Sato|2024-03-12T21:08:00|"}},
		{"an agenda", "2024/03/12 (Tue)\n09:00 Meeting with Ana\n10:30 Dentist\n12:00 Meeting with Bo\n", "notes", nil},
		{"a diary", "2024/03/12 (Tue)\n09:07 got up late\n10:33 missed the bus\n12:02 had soup\n", "notes", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := read(t, tt.text, ingest.Options{})
			if e.Format != tt.format {
				t.Errorf("read as %s", e.Format)
			}
			if diff := cmp.Diff(tt.want, show(e)); tt.want != nil && diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
