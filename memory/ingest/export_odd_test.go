package ingest_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// What some program exported in a form that isn't read is neither the owner's notes nor
// words of somebody called "Type".
func TestForeignFormsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"hours":        "2024-03-12\n9am Ines Falk: hello\n10am Bo Lind: I moved to Ghent.\n11am Ines Falk: nice\n12pm Bo Lind: I quit my job.\n",
		"hour - name":  "9am - Ines Falk: hello\n10am - Bo Lind: I moved\n11 am - Ines Falk: oh\n",
		"words":        "[yesterday 10:00] Mira: I am pregnant\n[yesterday 10:01] Ines Falk: wow\n[today 10:00] Mira: see you\n",
		"dates, hours": "2024-03-12 9am Ines Falk: hello\n2024-03-12 7 pm Bo: yes\n2024-03-12 8 pm Ines Falk: ok\n",
		"comma behind": "12 March 2024 at 20:15, Ana: I am moving\n12 March 2024 at 20:16, Bo: when?\n",
		"head lines":   "From: Ana (+4915111)\nType: incoming\nSent: Tue, 12 Mar 2024 20:15:00 +0100\n\nI move\n\nFrom: Me\nType: outgoing\nSent: Tue, 12 Mar 2024 20:16:00 +0100\n\nok\n",
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ingest.Read(t.Context(), write(t, "x.txt", text), ingest.Options{Owner: []string{"Ines"}})
			if err != nil {
				return
			}
			for _, m := range e.Messages {
				if m.Self || m.Sender == "Type" || m.Sender == "Sent" {
					t.Errorf("read as %s: %q says %q", e.Format, m.Sender, m.Text)
				}
			}
		})
	}
}

// An archive in an archive is named.
func TestZipInZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if _, err := z.Create("chats/WhatsApp Chat with Bo.zip"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Read(t.Context(), path, ingest.Options{}); err == nil || !strings.Contains(err.Error(), "WhatsApp Chat with Bo.zip; unpack it") {
		t.Errorf("%v", err)
	}
}

// Every row that is left out has its file, and its line or message.
func TestSkippedHavePlaces(t *testing.T) {
	for name, text := range map[string]string{
		"a.txt":     "x\n12/03/2024, 20:15 - Ana: a\n03.04.24 post, 21:16 q - Bo: I quit\n12/03/2024, 20:16 - Ana: b\n",
		"b.json":    `{"name":"Bo","type":"personal_chat","id":1,"messages":[{"id":7,"type":"message","date":"","from":"Bo","from_id":"user1","text":"x"},{"type":"message","date":"","from":"Bo","from_id":"user1","text":"x"}]}`,
		"c.json":    `{"guild":{"id":"0","name":"D"},"channel":{"id":"9","type":"DirectTextChat","name":"Bo"},"messages":[{"id":"","type":"Default","timestamp":"bad","content":"x","author":{"id":"7","name":"ana"}}]}`,
		"d.csv":     "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n2,1,1,0,1,x,,a,,,,\n",
		"e.vcf":     "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n",
		"f.ics":     "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n",
		"g.mbox":    "From a@x.org Tue Mar 12 20:15:00 2024\nSubject: x\nFrom: <>\nMessage-ID: <1@x>\n\nx\n",
		"dir/h.txt": "[LINE] Chat history with Bo\n2024/03/12(Tue)\n20:15\tAna\ta\n2O.16\tCy\tI quit\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := ingest.Read(t.Context(), path, ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(e.Skipped) == 0 {
				t.Fatalf("nothing was left out of what was read as %s", e.Format)
			}
			for _, s := range e.Skipped {
				if s.File != filepath.Base(name) || (s.Line == 0) == (s.Message == "") || s.Reason == "" {
					t.Errorf("%+v", s)
				}
			}
		})
	}
}
