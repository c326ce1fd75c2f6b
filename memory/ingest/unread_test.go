package ingest_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A text of an archive that is no chat of it, and a big file of whatever kind, are named
// as left out; pictures and films aren't.
func TestUnreadMembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "backup.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range map[string]string{"chat.txt": "[2024-03-13 21:05] Ana: hi\n[2024-03-13 21:06] Bo: yo\n", "readme.txt": "nothing that anybody says\n"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"image.bin", "film.mp4"} { // as the table of contents says
		if _, err := z.CreateRaw(&zip.FileHeader{Name: name, UncompressedSize64: 600 << 20}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range e.Skipped {
		got = append(got, s.Place())
	}
	if diff := cmp.Diff([]string{"image.bin", "readme.txt"}, got); diff != "" || len(e.Messages) != 2 {
		t.Errorf("%d messages (-want +got)\n%s", len(e.Messages), diff)
	}
}

// An event of the owner's with guests is the owner's, attached, and names the guests.
func TestCalendarGuests(t *testing.T) {
	e := readNamed(t, "c.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Dinner\r\nDTSTART:20240514T190000Z\r\nDTSTAMP:20240501T090000Z\r\nORGANIZER;CN=Ana:mailto:ana@example.org\r\nATTENDEE;CN=Ana:mailto:ana@example.org\r\nATTENDEE;CN=Bo Li:mailto:bo@example.org\r\nATTENDEE:mailto:cy@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", ingest.Options{Self: "Ana", TZ: nil})
	m := e.Messages[0]
	if !m.Self || m.Kind != ingest.KindMedia || m.Text != "" || !strings.HasSuffix(m.Media[0].Caption, ", with Bo Li and cy@example.org") {
		t.Errorf("%+v", m)
	}
}

// Several chats of WhatsApp's in one zip or folder are as many conversations, each with
// the name of its file; a text that a message has attached is none of them, and is named.
func TestWhatsAppSeveral(t *testing.T) {
	chat := func(name string) string {
		return "13/03/24, 21:05 - Ana: hi " + name + "\n13/03/24, 21:06 - " + name + ": yo\n"
	}
	iphone := "[13/03/24, 21:05:10] Ana: hi\n[13/03/24, 21:06:11] Bo: yo\n"
	for _, tt := range []struct {
		name, zip   string
		members     []string
		chats, left []string
		messages    int
	}{
		{"beside the main one", "WhatsApp Chat - Bo.zip", []string{"_chat.txt", iphone, "WhatsApp Chat with Cy.txt", chat("Cy")}, []string{"Cy", "Bo"}, nil, 4},
		{"in a zip of another name", "backup.zip", []string{"_chat.txt", iphone, "WhatsApp Chat with Cy.txt", chat("Cy")}, []string{"Cy", ""}, nil, 4},
		{"no main one", "backup.zip", []string{"WhatsApp Chat with Bo.txt", chat("Bo"), "WhatsApp Chat with Cy.txt", chat("Cy")}, []string{"Bo", "Cy"}, nil, 4},
		{"one bears the archive's name", "WhatsApp Chat with Bo.zip", []string{"WhatsApp Chat with Bo.txt", chat("Bo"), "WhatsApp Chat with Cy.txt", chat("Cy")}, []string{"Bo", "Cy"}, nil, 4},
		{"one without a name", "WhatsApp Chat - Bo.zip", []string{"_chat.txt", iphone, "notes.txt", "milk\n", "talk.txt", chat("Cy")}, []string{"Bo"}, []string{"notes.txt", "talk.txt"}, 2},
		{"attached", "WhatsApp Chat with Bo.zip", []string{"WhatsApp Chat with Bo.txt", chat("Bo") + "13/03/24, 21:07 - Bo: WhatsApp Chat with Cy.txt (file attached)\n", "WhatsApp Chat with Cy.txt", chat("Cy")},
			[]string{"Bo"}, []string{"WhatsApp Chat with Cy.txt"}, 3},
		{"the same chat twice", "WhatsApp Chat - Bo.zip", []string{"_chat.txt", iphone, "WhatsApp Chat with Bo.txt", chat("Bo")}, []string{"Bo"}, []string{"WhatsApp Chat with Bo.txt"}, 2},
	} {
		for _, folder := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), tt.zip)
			if folder {
				path = strings.TrimSuffix(path, ".zip")
				if err := os.Mkdir(path, 0o700); err != nil {
					t.Fatal(err)
				}
				for i := 0; i < len(tt.members); i += 2 {
					if err := os.WriteFile(filepath.Join(path, tt.members[i]), []byte(tt.members[i+1]), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			} else {
				writeZip(t, path, tt.members...)
			}
			t.Run(fmt.Sprintf("%s/folder %v", tt.name, folder), func(t *testing.T) {
				e, err := ingest.Read(t.Context(), path, ingest.Options{Self: "Ana"})
				if err != nil {
					t.Fatal(err)
				}
				var chats, left []string
				for i := range e.Conversations {
					title := ""
					if e.Conversations[i].Title != nil {
						title = *e.Conversations[i].Title
					}
					chats = append(chats, title)
				}
				for _, s := range e.Skipped {
					left = append(left, s.Place())
				}
				if diff := cmp.Diff(tt.chats, chats) + cmp.Diff(tt.left, left); diff != "" || len(e.Messages) != tt.messages {
					t.Errorf("%d messages (-want +got)\n%s", len(e.Messages), diff)
				}
			})
		}
	}
}
