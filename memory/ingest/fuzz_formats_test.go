package ingest_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// fuzzReader feeds a reader with broken forms of its own cases and of seeds. The
// invariants are those of accepted.
func fuzzReader(f *testing.F, name, pattern string, seeds ...string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", pattern))
	if err != nil {
		f.Fatal(err)
	}
	if len(files)+len(seeds) == 0 {
		f.Fatal("no seed")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	path := filepath.Join(f.TempDir(), name)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		accepted(t, path, ingest.Options{Self: "A"})
	})
}

func FuzzWhatsApp(f *testing.F) {
	fuzzReader(f, "WhatsApp Chat with A.txt", "whatsapp/*.txt", "[1/2/24, 10:00:00] A: x\n[1/2/24, 10:00:01] A: \u200e<attached: a>\n",
		"1/2/24, 10:00 - A: <x>\n1/2/24, 10:00 - B: \u200e<\n", "21:05, 1/2/2024 - A: b\n21:06, 1/2/2024 - A: b\n", "2024. 3. 5. 오후 9:05 - A: b\n")
}

func FuzzWhatsAppZip(f *testing.F) { fuzzReader(f, "a.zip", "whatsapp/*.zip") }

func FuzzTelegram(f *testing.F) {
	fuzzReader(f, "result.json", "telegram/*-*s.json", `{"name":"x","type":"personal_chat","id":1,"messages":[{"id":[],"date":{},"text":[1,{"text":[]}]}]}`,
		`{"chats":{"list":[{"type":"x","id":null,"messages":[{"type":"message","date":"2024-01-01T00:00:00","text":[[],null,"a"]}]}]}}`)
}

func FuzzMessenger(f *testing.F) {
	fuzzReader(f, "message_1.json", "messenger/*.json", escapedAs(messengerOne), messengerOne)
}

func FuzzKakao(f *testing.F) {
	fuzzReader(f, "k.txt", "kakaotalk/*.txt", kakaoTexts["Korean Android"], kakaoTexts["Korean computer"], kakaoTexts["English computer"], kakaoTexts["table"])
}

func FuzzDiscord(f *testing.F) { fuzzReader(f, "d.json", "discord/*[a-z].json") }

func FuzzSlack(f *testing.F) { fuzzReader(f, "s.zip", "slack/*.zip") }

// FuzzSlackDay breaks a day's file inside a sound export.
func FuzzSlackDay(f *testing.F) {
	f.Add([]byte(`[{"type":"message","user":"U1","ts":"1714982700.000300","text":"<@U2> a <b|c> &amp; <!date^1^x|y>"}]`))
	f.Add([]byte(`[{"ts":"1714982700.1","blocks":[{"type":"rich_text","elements":[{"type":"emoji","unicode":"1f44b-zz"},{"text":{"text":"<a"}}]}]}]`))
	f.Add([]byte(`[{"ts":"1714982700.1","subtype":"bot_message","attachments":[{"fallback":"x","is_share":true}],"thread_ts":"9"}]`))
	path := filepath.Join(f.TempDir(), "s.zip")
	f.Fuzz(func(t *testing.T, day []byte) {
		writeZip(t, path, "users.json", `[{"id":"U1","real_name":"A"}]`, "channels.json", `[{"id":"C1","name":"c","members":["U1"]}]`, "c/2024-05-06.json", string(day))
		accepted(t, path, ingest.Options{Self: "A"})
	})
}

// writeZip writes a zip of names and contents.
func writeZip(t testing.TB, path string, members ...string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(members); i += 2 {
		m, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func FuzzSignal(f *testing.F) {
	fuzzReader(f, "chat.md", "signal/*.md", "[2024-01-01 10:00:00] A: \n\n> q\n\nx  \n(- B: y -)\n", "[2024-01-01, 10:00] A: ![x](./media/y)  \n")
}

func FuzzSignalJSONL(f *testing.F) {
	fuzzReader(f, "main.jsonl", "signal/*.jsonl", `{"backupTimeMs":"1"}`+"\n"+`{"recipient":{"id":"1","self":{}}}`+"\n"+`{"chat":{"id":"1","recipientId":"1"}}`+"\n"+
		`{"chatItem":{"chatId":"1","authorId":"1","dateSent":"1762279200250","standardMessage":{"text":{"body":"a","bodyRanges":[{"start":-1,"length":9,"mentionAci":""}]}}}}`)
}

func FuzzIMessage(f *testing.F) { fuzzReader(f, "B - 7.txt", "imessage/*.txt") }

func FuzzWeChat(f *testing.F) {
	fuzzReader(f, "王.txt", "wechat/*.txt", "2024-05-01 08:30:12 A\n引用:\n\n2024-05-01 08:30:12 B\nx\n引用:B:", "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent\n1,1,49,57,0,1718067600,2,\"a\n引用:b:c\"\n")
}

func FuzzWeChatJSON(f *testing.F) {
	fuzzReader(f, "w.json", "wechat/*-group.json", `{"session":{"wxid":"x","type":1},"messages":[{"createTime":1715166060,"type":"引用消息","content":"[引用 a：b]\nc]\nd","isSend":0,"senderUsername":"x"}]}`)
}

func FuzzLINE(f *testing.F) {
	fuzzReader(f, "l.txt", "line/*.txt", "[LINE] Chat history with A\nSaved on: 2024/03/15 21:05\n\n2024/03/15(Fri)\n21:05\tA\t\"x\ny\"\n21:06\tB joined\n", "2024/03/15(金)\n午後9:05\tA\t[写真]\n")
}

func FuzzEmail(f *testing.F) {
	fuzzReader(f, "m.mbox", "email/*.[em]*", "From a@b Mon May  6 07:12:00 2024\nFrom: =?utf-7?q?+AOQ-?= <a@b>\nMessage-ID: <x>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n>From x\n\nFrom y 1:2 2024\n",
		"From: a@b\nMessage-ID: <a>\nReferences: <b> <a>\nIn-Reply-To: <a>\nContent-Type: text/html\n\n<p>x<blockquote>y<b")
}

func FuzzAssistant(f *testing.F) {
	fuzzReader(f, "conversations.json", "chatgpt/*.json",
		`[{"title":"t","mapping":{"a":{"parent":"b","message":{"author":{"role":"user"},"create_time":1.5,"content":{"content_type":"text","parts":["x",{}]}}},"b":{"parent":"a"}},"current_node":"a"}]`,
		`[{"uuid":"u","name":"n","chat_messages":[{"uuid":"m","sender":"human","text":"x","created_at":"2024-01-01T00:00:00Z"}]}]`)
}

func FuzzCalendar(f *testing.F) {
	fuzzReader(f, "c.ics", "calendar/*.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:x\\, y\nDTSTART;TZID=Europe/Berlin:20240331T023000\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nEND:VCALENDAR\n")
}

func FuzzContacts(f *testing.F) {
	fuzzReader(f, "c.vcf", "contacts/*.vcf", "BEGIN:VCARD\nVERSION:2.1\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BC=\nller;A\nTEL;CELL:1\nEND:VCARD\n")
}
