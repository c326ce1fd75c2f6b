package ingest_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bigForm is how a form of [bigSource] is written: what stands at the front, a row a
// message, what stands between two and at the end.
type bigForm struct {
	open, between, end string
	row                func(i int, at time.Time, who, text string) string
}

// bigLists are forms that need no more than that.
var bigLists = map[string]bigForm{
	"discord": {`{"guild":{"id":"1","name":"G"},"channel":{"id":"2","type":"GuildTextChat","name":"garden"},"messages":[`, ",\n", "]}", func(i int, at time.Time, who, text string) string {
		return fmt.Sprintf(`{"id":"%d","type":"Default","timestamp":"%s","content":%q,"author":{"id":"%d","name":%q,"isBot":false},"attachments":[]}`, i+1, at.Format(time.RFC3339), text, 10+i%4, who)
	}},
	"signal": {`{"version":"1","backupTimeMs":"1"}
{"account":{"givenName":"Ana"}}
{"recipient":{"id":"1","self":{}}}
{"recipient":{"id":"2","contact":{"aci":"a","profileGivenName":"Bo"}}}
{"chat":{"id":"1","recipientId":"2"}}
`, "\n", "\n", func(i int, at time.Time, _, text string) string {
		way := `"outgoing":{}`
		if i%2 == 1 {
			way = `"incoming":{}`
		}
		return fmt.Sprintf(`{"chatItem":{"chatId":"1","authorId":"%d","dateSent":"%d",%s,"standardMessage":{"text":{"body":%q}}}}`, 1+i%2, at.UnixMilli(), way, text)
	}},
	"line": {"[LINE] Chat history with Ana\nSaved on: 2024/03/15\n", "", "", func(i int, at time.Time, who, text string) string {
		day := ""
		if i%100 == 0 {
			day = at.Format("\n2006/01/02(Mon)\n")
		}
		return day + fmt.Sprintf("%s\t%s\t%s\n", at.Format("15:04"), who, text)
	}},
	"calendar": {"BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Garden\n", "", "END:VCALENDAR\n", func(i int, at time.Time, _, text string) string {
		return fmt.Sprintf("BEGIN:VEVENT\nUID:e%d@example.org\nCREATED:%[2]s\nDTSTART:%[2]s\nSUMMARY:%[3]s\nEND:VEVENT\n", i, at.Format("20060102T150405Z"), text)
	}},
	"claude": {"[", ",\n", "]", func(i int, at time.Time, _, text string) string {
		var rows []string
		for k := range 40 {
			rows = append(rows, fmt.Sprintf(`{"uuid":"m%d-%d","sender":%q,"created_at":%q,"text":%q}`, i, k, []string{"human", "assistant"}[k%2], at.Add(time.Duration(k)*time.Minute).Format(time.RFC3339), text))
		}
		return fmt.Sprintf(`{"uuid":"c%d","name":"Bed %d","chat_messages":[%s]}`, i, i, strings.Join(rows, ","))
	}},
	"chatgpt": {"[", ",\n", "]", func(i int, at time.Time, _, text string) string {
		rows := []string{`"n":{"parent":null,"children":["n0"]}`}
		for k := range 40 {
			parent := "n"
			if k > 0 {
				parent = fmt.Sprintf("n%d", k-1)
			}
			rows = append(rows, fmt.Sprintf(`"n%d":{"parent":%q,"children":[],"message":{"id":"m%d-%d","author":{"role":%q},"create_time":%d,"content":{"content_type":"text","parts":[%q]}}}`,
				k, parent, i, k, []string{"user", "assistant"}[k%2], at.Unix()+int64(k), text))
		}
		return fmt.Sprintf(`{"id":"c%d","title":"Bed %d","current_node":"n39","mapping":{%s}}`, i, i, strings.Join(rows, ","))
	}},
	"wechat": {`{"session":{"wxid":"bo","nickname":"Bo","type":"私聊"},"messages":[`, ",\n", "]}", func(i int, at time.Time, _, text string) string {
		return fmt.Sprintf(`{"localId":%d,"createTime":%d,"formattedTime":%q,"type":"文本消息","content":%q,"isSend":%d,"senderUsername":%q,"senderDisplayName":%q}`,
			i+1, at.Unix(), at.Format("2006-01-02 15:04:05"), text, i%2, []string{"bo", "ana"}[i%2], []string{"Bo", "Ana"}[i%2])
	}},
	"notes": {"# Beds\n\n", "\n", "", func(_ int, _ time.Time, _, text string) string { return "I wrote a " + text + ".\n" }},
}

// write writes about size bytes.
func (f bigForm) write(w *bufio.Writer, size int64) {
	n, _ := w.WriteString(f.open)
	at := time.Date(2012, 1, 1, 6, 0, 0, 0, time.UTC)
	for i := 0; int64(n) < size; i++ {
		at = at.Add(time.Duration(20+i%7*11) * time.Second)
		if i > 0 {
			k, _ := w.WriteString(f.between)
			n += k
		}
		k, _ := w.WriteString(f.row(i, at, []string{"Ana", "Bo", "Cem Öz", "Dilara"}[i%4], fmt.Sprintf("message number %d, about the garden, the weather and what grows in bed %d", i, i%41)))
		n += k
	}
	w.WriteString(f.end)
}

// bigChatDB writes a chat.db of about that size with one chat.
func bigChatDB(t testing.TB, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chat.db")
	chatDB(t, path)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2012, 1, 1, 6, 0, 0, 0, time.UTC)
	for i := 1; int64(i)*150 < size; i++ {
		at = at.Add(time.Minute)
		_, err = tx.Exec("INSERT INTO message (ROWID, guid, text, handle_id, is_from_me, date) VALUES (?,?,?,1,?,?)", i, fmt.Sprintf("G%d", i), fmt.Sprintf("message number %d, about the garden, the weather and what grows in bed %d", i, i%41), i%2, apple(at))
		if err == nil {
			_, err = tx.Exec("INSERT INTO chat_message_join VALUES (1,?)", i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err == nil {
		t.Logf("chat.db of %d bytes", info.Size())
	}
	return path
}
