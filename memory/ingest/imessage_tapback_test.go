package ingest_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/epagent/epagent/memory/ingest"
)

// A tapback that came as words says nothing of who sent it, in chat.db as in the text
// export; words about a book or a film are their sender's.
func TestTapbacksInWords(t *testing.T) {
	for text, tapback := range map[string]bool{
		"Loved “I quit my job”":                    true,
		"Laughed at “I quit\nmy job”":              true,
		"Reacted 😂 to “I quit my job”":             true,
		"Emphasized an image":                      true,
		"Removed a heart from “I quit my job”":     true,
		"Gefällt „Ich habe gekündigt“":             true,
		"Hat über „Ich habe gekündigt“ gelacht":    true,
		"Reagierte mit 😂 auf „Ich habe gekündigt“": true,
		"Liebt ein Bild":                           true,
		"A adoré « j'ai démissionné »":             true,
		"N’a pas aimé « j'ai démissionné »":        true,
		"A réagi avec 😂 à « j'ai démissionné »":    true,
		"A aimé une image":                         true,
		"Le encantó “dejé mi trabajo”":             true,
		"Se rió de «dejé mi trabajo»":              true,
		"Reaccionó con 😂 a “dejé mi trabajo”":      true,
		"喜欢“我辞职了”":                                 true,
		"对“我辞职了”大笑":                                true,
		"强调了一张图片":                                  true,
		"對「我辭職了」按讚":                                true,
		"I loved “Dune”":                           false,
		"Loved the wine":                           false,
		"喜欢我的新工作":                                  false,
		"A aimé Paris":                             false,
		"Liebt er ein Bild von dir?":               false,
	} {
		t.Run(text, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "chat.db")
			at := time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)
			chatDB(t, path, "INSERT INTO message (ROWID, guid, text, handle_id, is_from_me, date) VALUES (?,?,?,?,?,?)",
				1, "G1", "I quit my job", 0, 1, apple(at),
				"INSERT INTO message (ROWID, guid, text, handle_id, is_from_me, date) VALUES (?,?,?,?,?,?)", 2, "G2", text, 1, 0, apple(at.Add(time.Minute)),
				"INSERT INTO chat_message_join VALUES (1,1),(1,2)")
			db, err := ingest.Read(t.Context(), path, ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			txt := readNamed(t, "Bo.txt", "Mar 13, 2024  9:05:06 PM\nMe\nI quit my job\n\nMar 13, 2024  9:06:06 PM\nBo\n"+text+"\n\n", ingest.Options{})
			for _, e := range []*ingest.Export{db, txt} {
				if len(e.Messages) != 2 {
					t.Fatalf("%+v", e.Messages)
				}
				m := e.Messages[1]
				if is := m.System == "reaction" && m.Kind == ingest.KindSystem && m.Text == "" && m.Sender == "" && m.Actor != ""; is != tapback {
					t.Errorf("%+v", m)
				}
				if !tapback && (m.Text != text || m.Kind != ingest.KindMessage || m.Sender == "") {
					t.Errorf("%+v", m)
				}
			}
		})
	}
}
