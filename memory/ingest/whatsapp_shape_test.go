package ingest_test

import (
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// said reads one body between two ordinary ones, as a phone writes it.
func said(t *testing.T, ios bool, body string) ingest.Message {
	t.Helper()
	at := "14/03/2024, 19:02 - "
	if ios {
		at = "[14/03/2024, 19:02:11] "
	}
	e := read(t, at+"Ana: hello\n"+at+"Ben: hi\n"+at+"Ben: "+body+"\n"+at+"Ana: bye\n", ingest.Options{})
	if len(e.Messages) != 4 {
		t.Fatalf("%q: %d messages", body, len(e.Messages))
	}
	return e.Messages[2]
}

// What the app writes in place of words is none, whatever its language.
func TestPlaceholdersByShape(t *testing.T) {
	const media, gone, call, edited, location, document = "media", "gone", "call", "edited", "location", "document"
	tests := []struct {
		ios        bool
		body, want string
	}{
		{false, "IMG-1.jpg (फ़ाइल अटैच की गई)", media},
		{false, "Joe Smith.pdf (附件檔案)", document},
		{false, "план.docx (тіркелген файл)", document}, // in no list
		{false, "ok <이 메시지가 수정되었습니다>", edited},
		{false, "ok <ข้อความนี้ถูกแก้ไข>", edited},
		{false, "ok <бул билдирүү өзгөртүлгөн>", edited}, // in no list
		{false, "ok ‹بالاخره ویرایش شد>", edited},
		{false, "<پیوست نما/رسانه حذف شد>", media},
		{false, "‹پیوست نما/رسانه حذف شد>", media},
		{false, "आपने यह मैसेज मिटाया", gone},
		{false, "यह मैसेज मिटा दिया गया था", gone},
		{false, "Usunąłeś(-ęłaś) tę wiadomość", gone},
		{false, "Це повідомлення було видалено", gone},
		{false, "Admin Joe deleted this message", gone},
		{false, "부재중 음성전화", call},
		{false, "부재중 영상통화", call},
		{false, "Пропущений голосовий виклик", call},
		{false, "Cuộc gọi thoại nhỡ", call},
		{false, "音声着信がありました", call},
		{false, "live location shared", location},
		{false, "ตำแหน่งที่ตั้ง: https://maps.google.com/?q=1,2", location},
		{false, "लोकेशन: https://maps.google.com/?q=1,2", location},
		{true, "\u200eобраз пропущено якось", media}, // in no list
		{true, "\u200eбез стикера", media},
		{true, "\u200eкарточка контакта пропущена", media},
		{true, "\u200eobraz został pominięty", media},
		{true, "\u200e联系人名片已忽略", media},
		{true, "\u200eסטיקר הושמט", media},
		{true, "\u200eסרטון הווידאו הושמט", media},
		{true, "\u200eتم استبعاد مقطع الفيديو", media},
		{true, "\u200eDiese Nachricht wurde vom Admin gelöscht.", gone},
		{true, "\u200eשיחה קולית שלא נענתה", call},
		{true, "\u200eNieodebrane połączenie głosowe", call},
	}
	for _, tt := range tests {
		m := said(t, tt.ios, tt.body)
		got := "words " + m.Text
		switch {
		case m.Deleted && m.Text == "" && m.Kind == ingest.KindSystem:
			got = gone
		case m.System == "call" && m.Actor == "Ben":
			got = call
		case m.Edited && m.Text == "ok" && m.Sender == "Ben":
			got = edited
		case m.Kind == ingest.KindMedia && m.Sender == "Ben" && m.Text == "" && len(m.Media) == 1:
			if got = media; m.Media[0].Type == location || m.Media[0].Type == document {
				got = m.Media[0].Type
			}
		}
		if got != tt.want {
			t.Errorf("%q is %q, want %q", tt.body, got, tt.want)
		}
	}
}

// What people write is theirs, however much it looks like the app's.
func TestPeoplesWordsStay(t *testing.T) {
	for _, body := range []string{
		"missed call from mom", "I had a missed voice call", "budget.xlsx (final version)", "look at plan.pdf (draft)",
		"done <grins widely again>", "ok <3", "well <sigh>", "a <b> c", "see config.yaml (old)", "she deleted this message",
		"this message was deleted, why?", "Admin rights deleted this message?", "live location shared my foot", "foto omitida por mí, perdona",
		"я пропустил звонок", "通話した", "ตำแหน่งนี้ดี", "le ficher.truc (déjà là)", "Nem fogadott hívás volt", "5 < 6 > 4",
	} {
		if m := said(t, false, body); m.Kind != ingest.KindMessage || m.Sender != "Ben" || m.Text != body || m.Edited {
			t.Errorf("%q: %s %q %q", body, m.Kind, m.Sender, m.Text)
		}
	}
	// A notice behind a label is nobody's; with U+200E before an address it is somebody's.
	for _, body := range []string{"\u200eAna created this group", "\u200eAna skapade gruppen", "\u200eYou blocked this contact"} {
		if m := said(t, true, body); m.Kind != ingest.KindSystem || m.Sender != "" {
			t.Errorf("%q: %s %q", body, m.Kind, m.Sender)
		}
	}
}
