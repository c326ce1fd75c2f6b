package ingest_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"github.com/epagent/epagent/memory/ingest"
)

const appleSchema = `
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT, service TEXT);
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, chat_identifier TEXT, display_name TEXT);
CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER);
CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, attributedBody BLOB, handle_id INTEGER, is_from_me INTEGER, date INTEGER,
	date_edited INTEGER, date_retracted INTEGER, associated_message_type INTEGER, thread_originator_guid TEXT, item_type INTEGER, group_title TEXT, cache_has_attachments INTEGER);
CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, filename TEXT, mime_type TEXT);
CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
INSERT INTO handle VALUES (1, '+491510000001', 'iMessage'), (2, 'bo@example.org', 'iMessage');
INSERT INTO chat VALUES (1, 'iMessage;-;+491510000001', 45, '+491510000001', ''), (2, 'SMS;-;+491510000001', 45, '+491510000001', ''), (3, 'iMessage;+;chat7', 43, 'chat7', 'Garden');
INSERT INTO chat_handle_join VALUES (1, 1), (2, 1), (3, 1), (3, 2);
`

// typed archives a string as Foundation does in attributedBody.
func typed(s string) []byte {
	b := []byte("\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@\x84\x84\x84\x12NSAttributedString\x00\x84\x84\x08NSObject\x00\x85\x92\x84\x84\x84\x08NSString\x01\x94\x84\x01+")
	switch n := len(s); {
	case n < 0x80:
		b = append(b, byte(n))
	case n < 1<<15:
		b = binary.LittleEndian.AppendUint16(append(b, 0x81), uint16(n))
	default:
		b = binary.LittleEndian.AppendUint32(append(b, 0x82), uint32(n))
	}
	return append(append(b, s...), "\x86\x84\x02iI\x01\x05\x92\x84\x84\x84\x0cNSDictionary\x00"...)
}

// apple is a time as macOS stores it.
func apple(t time.Time) int64 { return (t.Unix() - 978_307_200) * 1e9 }

func chatDB(t testing.TB, path string, statements ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(appleSchema); err != nil {
		t.Fatal(err)
	}
	var args []any
	query := ""
	run := func() {
		if query != "" {
			if _, err := db.Exec(query, args...); err != nil {
				t.Fatal(err)
			}
		}
		query, args = "", nil
	}
	for _, s := range statements {
		if text, ok := s.(string); ok && (strings.HasPrefix(text, "INSERT ") || strings.HasPrefix(text, "UPDATE ") || strings.HasPrefix(text, "PRAGMA ")) {
			run()
			query = text
			continue
		}
		args = append(args, s)
	}
	run()
}

func fillChatDB(t testing.TB, path string) {
	at := time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)
	const put = "INSERT INTO message (ROWID, guid, text, attributedBody, handle_id, is_from_me, date, date_edited, date_retracted, associated_message_type, thread_originator_guid, item_type, group_title, cache_has_attachments) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
	long := strings.Repeat("长的话。", 60)
	chatDB(t, path,
		put, 1, "G1", "how was it?", nil, 1, 0, apple(at), 0, 0, 0, nil, 0, nil, 0,
		put, 2, "G2", nil, typed("fine, thanks 👍"), 0, 1, apple(at.Add(time.Minute)), 0, 0, 0, nil, 0, nil, 0,
		put, 3, "G3", nil, typed(long), 1, 0, apple(at.Add(2*time.Minute)), 0, 0, 0, "G2", 0, nil, 0,
		put, 4, "G4", "Loved “fine, thanks”", nil, 1, 0, apple(at.Add(3*time.Minute)), 0, 0, 2000, nil, 0, nil, 0,
		put, 5, "G5", nil, typed("at nine, not ten"), 0, 1, apple(at.Add(4*time.Minute)), apple(at.Add(5*time.Minute)), 0, 0, nil, 0, nil, 0,
		put, 6, "G6", nil, nil, 1, 0, apple(at.Add(5*time.Minute)), apple(at.Add(6*time.Minute)), 0, 0, nil, 0, nil, 0,
		put, 7, "G7", "\ufffc", typed("\ufffclook"), 1, 0, apple(at.Add(6*time.Minute)), 0, 0, 0, nil, 0, nil, 1,
		put, 8, "G8", "in seconds", nil, 1, 0, at.Add(7*time.Minute).Unix()-978_307_200, 0, 0, 0, nil, 0, nil, 0,
		put, 9, "G9", "hello all", nil, 2, 0, apple(at), 0, 0, 0, nil, 0, nil, 0,
		put, 10, "G10", nil, nil, 2, 0, apple(at.Add(time.Minute)), 0, 0, 0, nil, 2, "Garden", 0,
		put, 11, "G11", "hi Bo", nil, 0, 1, apple(at.Add(2*time.Minute)), 0, 0, 0, "G9", 0, nil, 0,
		put, 12, "G12", "no time", nil, 2, 0, 0, 0, 0, 0, nil, 0, nil, 0,
		"INSERT INTO chat_message_join VALUES (1,1),(1,2),(1,3),(1,4),(1,5),(1,6),(1,7),(2,8),(3,9),(3,10),(3,11),(3,12)",
		"INSERT INTO attachment VALUES (1, '~/Library/Messages/Attachments/ab/IMG_1.heic', 'image/heic')",
		"INSERT INTO message_attachment_join VALUES (7, 1)",
	)
}

func TestIMessageDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	fillChatDB(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"+491510000001|2024-05-06T07:00:00Z|how was it?",
		"Me*|2024-05-06T07:01:00Z|fine, thanks 👍",
		"+491510000001|2024-05-06T07:02:00Z|" + strings.Repeat("长的话。", 60),
		"Me*|2024-05-06T07:04:00Z|at nine, not ten",
		"-|2024-05-06T07:05:00Z|",
		"+491510000001|2024-05-06T07:06:00Z|look",
		"+491510000001|2024-05-06T07:07:00Z|in seconds",
		"bo@example.org|2024-05-06T07:00:00Z|hello all",
		"-|2024-05-06T07:01:00Z|Garden",
		"Me*|2024-05-06T07:02:00Z|hi Bo",
	}
	if diff := cmp.Diff(want, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	m := e.Messages
	if len(m) != len(want) {
		t.FailNow()
	}
	if !m[1].Self || m[2].ReplyTo != 2 || !m[3].Edited || !m[4].Deleted || m[5].Media[0].Name != "IMG_1.heic" || m[9].ReplyTo != 8 || m[8].Kind != ingest.KindSystem {
		t.Errorf("%+v", m)
	}
	if len(e.Conversations) != 2 || e.Conversations[0].Kind != ingest.Direct || e.Conversations[1].Kind != ingest.Group || *e.Conversations[1].Title != "Garden" {
		t.Errorf("%+v", e.Conversations)
	}
	if got := e.Conversations[1].Participants; !slices.Contains(got, "+491510000001") || !slices.Contains(got, "bo@example.org") {
		t.Errorf("%q", got)
	}
	if len(e.Skipped) != 1 {
		t.Errorf("skipped %+v", e.Skipped)
	}
	streamed(t, path, ingest.Options{}, e)
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Error("the database was written to")
	}
	if beside, _ := filepath.Glob(path + "*"); len(beside) != 1 {
		t.Errorf("left beside it: %q", beside)
	}
}

// What lies in the write-ahead log is the newest: it is read too, and neither file
// changes.
func TestIMessageDatabaseLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	fillChatDB(t, path)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE message SET text = 'from the log' WHERE ROWID = 1"); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + string(w)
	}
	before := read()
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Messages[0].Text != "from the log" {
		t.Errorf("%q", e.Messages[0].Text)
	}
	if read() != before {
		t.Error("the database or its log was written to")
	}
}

// Databases that are something else, broken, or built to harm are refused.
func TestIMessageDatabaseRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "chat.db")
	fillChatDB(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.db")
	if err := os.WriteFile(cut, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	view := filepath.Join(dir, "view.db")
	db, err := sql.Open("sqlite", "file:"+view)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`CREATE TABLE handle (id TEXT); CREATE TABLE chat (a); CREATE TABLE chat_message_join (a);
		CREATE VIEW message AS WITH RECURSIVE n(guid) AS (SELECT 1 UNION ALL SELECT guid + 1 FROM n) SELECT guid, guid AS text, guid AS handle_id, guid AS is_from_me, guid AS date FROM n`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{cut, view} {
		if _, err := ingest.Read(t.Context(), file, ingest.Options{}); !errors.Is(err, ingest.ErrFormat) {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
}

// FuzzIMessageBody takes bodies and texts of any bytes.
func FuzzIMessageBody(f *testing.F) {
	f.Add(typed("hello"), "x")
	f.Add(typed(strings.Repeat("x", 300)), "")
	f.Add([]byte("\x04\x0bstreamtyped NSString +\x82\xff\xff\xff\xff"), "\ufffc")
	path := filepath.Join(f.TempDir(), "chat.db")
	chatDB(f, path, "INSERT INTO message (ROWID, guid, text, attributedBody, handle_id, is_from_me, date) VALUES (1, 'G', 'x', NULL, 1, 0, ?)", apple(time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)),
		"INSERT INTO chat_message_join VALUES (1, 1)")
	f.Fuzz(func(t *testing.T, body []byte, text string) {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec("UPDATE message SET attributedBody = ?, text = ?, thread_originator_guid = ?", body, text, text)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		accepted(t, path, ingest.Options{})
	})
}

func execDB(t testing.TB, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(query)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
