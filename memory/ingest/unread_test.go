package ingest_test

import (
	"archive/zip"
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
