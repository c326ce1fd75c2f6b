package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// Where blanks stand between name and words, the whole file and its name tell where the
// name ends.
func TestLINENamesWithBlanks(t *testing.T) {
	for name, tt := range map[string]struct {
		file, rows string
		options    ingest.Options
		want       []string
		unsure     bool
	}{
		"by the file's name": {"[LINE]佐藤 亜紀とのトーク.txt", "19:02 佐藤 亜紀 こんにちは\n19:03 田中 元気\n19:04 佐藤 亜紀 写真", ingest.Options{},
			[]string{"佐藤 亜紀: こんにちは", "田中: 元気", "佐藤 亜紀: <image>"}, false},
		"by the file's name, in English": {"[LINE] Chat with Ana Lima.txt", "19:02 Ana Lima hello there\n19:03 Bo what now", ingest.Options{},
			[]string{"Ana Lima: hello there", "Bo: what now"}, false},
		"by the owner": {"x.txt", "19:02 Ana Lima Moin you\n19:03 Bo Moin\n19:04 Bo Moin again\n19:06 Ana Lima Moin", ingest.Options{Self: "Ana Lima"},
			[]string{"Ana Lima: Moin you", "Bo: Moin", "Bo: Moin again", "Ana Lima: Moin"}, false},
		"by all rows": {"x.txt", "19:02 佐藤 亜紀 こんにちは\n19:03 田中 元気\n19:05 佐藤 亜紀 東京に行く\n19:07 田中 メッセージの送信を取り消しました\n19:08 佐藤 亜紀がメッセージの送信を取り消しました\n19:09 佐藤 亜紀 スタンプ", ingest.Options{},
			[]string{"佐藤 亜紀: こんにちは", "田中: 元気", "佐藤 亜紀: 東京に行く", "田中: deleted", "佐藤 亜紀: deleted", "佐藤 亜紀: <sticker>"}, false},
		"two of one surname": {"x.txt", "19:02 佐藤 亜紀 こんにちは\n19:03 佐藤 健 元気\n19:05 佐藤 亜紀 東京に行く\n19:07 佐藤 健 いいね", ingest.Options{},
			[]string{"佐藤 亜紀: こんにちは", "佐藤 健: 元気", "佐藤 亜紀: 東京に行く", "佐藤 健: いいね"}, false},
		"what both begin with": {"x.txt", "19:02 Aki I bought milk\n19:03 Bo I bought bread\n19:04 Aki I bought eggs\n19:06 Bo I bought tea\n19:07 Aki I bought rice\n19:08 Bo I bought jam", ingest.Options{},
			[]string{"Aki: I bought milk", "Bo: I bought bread", "Aki: I bought eggs", "Bo: I bought tea", "Aki: I bought rice", "Bo: I bought jam"}, false},
		"a greeting of both": {"x.txt", "19:02 Aki Moin you\n19:03 Bo Moin all\n19:04 Aki Moin there\n19:06 Bo Moin then", ingest.Options{},
			[]string{"Aki: Moin you", "Bo: Moin all", "Aki: Moin there", "Bo: Moin then"}, true},
		"placeholders": {"x.txt", "19:02 Aki hi you\n19:03 Bo Photos\n19:04 Aki Stickers\n19:06 Bo File\n19:07 Aki so photos\n19:08 Bo Videos", ingest.Options{},
			[]string{"Aki: hi you", "Bo: <image>", "Aki: <sticker>", "Bo: <document>", "Aki: so photos", "Bo: <video>"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := readNamed(t, tt.file, "2024.03.15 Friday\n"+tt.rows+"\n", tt.options)
			var got []string
			for _, m := range e.Messages {
				words := m.Text
				if m.Deleted {
					words = "deleted"
				}
				for _, media := range m.Media {
					words += "<" + media.Type + ">"
				}
				got = append(got, m.Sender+": "+words)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || e.Format != "line" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
			if unsure := strings.Contains(strings.Join(e.Warnings, "\n"), "speaker_unsure"); unsure != tt.unsure {
				t.Errorf("warnings %q", e.Warnings)
			}
		})
	}
}
