package ingest_test

import (
	"fmt"
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

// Two of one surname, of whom the file names one, are two, also where words hold blanks
// and a notice stands right behind the name.
func TestLINENamesOfOneSurname(t *testing.T) {
	path := write(t, "[LINE]陳 小明的聊天.txt", "2024.03.12 星期二\n09:01 陳 小明 早安\n09:02 陳 小明 我 懷孕了\n09:03 陳 大文 恭喜\n09:04 Ines Falk 圖片\n09:06 陳 小明已收回訊息\n09:07 陳 大文 我 離職了\n")
	e, err := ingest.Read(t.Context(), path, ingest.Options{Owner: []string{"Ines Falk"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		if m.Text == "恭喜" && m.Sender != "陳 大文" || strings.Contains(m.Text, "懷孕") && m.Sender != "陳 小明" || m.Sender == "陳" {
			t.Errorf("%q says %q", m.Sender, m.Text)
		}
	}
}

// What somebody says of somebody else's message, of a picture or of calling stays theirs.
func TestLINEWordsLikeNotices(t *testing.T) {
	rows := []string{"Anna unsent a message.", "[Photo] of my new house", "☎ I will call you about the flat", "☎ 通話時間 1:23", "Bo Lind unsent a message."}
	text := "[LINE] Chat with Bo Lind\nSaved on: 3/15/2024, 9:05 PM\n\nWed, 3/13/2024\n"
	for i, row := range rows {
		text += fmt.Sprintf("09:0%d AM\tBo Lind\t%s\n", i, row)
	}
	e, err := ingest.Read(t.Context(), write(t, "x.txt", text), ingest.Options{Owner: []string{"Ines Falk"}})
	if err != nil || len(e.Messages) != len(rows) {
		t.Fatalf("%+v, %v", e, err)
	}
	m := e.Messages
	if m[0].Deleted || m[0].Text != rows[0] || len(m[1].Media) != 1 || m[1].Media[0].Caption != "of my new house" || m[2].Text != rows[2] || m[2].Sender != "Bo Lind" ||
		m[3].Kind != ingest.KindSystem || !m[4].Deleted {
		t.Errorf("%+v", m)
	}
}
