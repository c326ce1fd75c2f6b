package ingest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// escapedAs writes text as the apps do: each byte of its UTF-8 as a character.
func escapedAs(text string) string {
	var out strings.Builder
	for _, c := range []byte(text) {
		out.WriteRune(rune(c))
	}
	return out.String()
}

const messengerOne = `{"participants":[{"name":"Zoé Blanc"},{"name":"Ana Roth"}],"messages":[
{"sender_name":"Ana Roth","timestamp_ms":1710363960000,"content":"Ana Roth sent an attachment.","share":{"link":"https://example.org/x","share_text":"I won a prize"}},
{"sender_name":"Zoé Blanc","timestamp_ms":1710363950000,"content":"Reacted ❤ to your message "},
{"sender_name":"Zoé Blanc","timestamp_ms":1710363940000,"is_unsent":true,"content":""},
{"sender_name":"Ana Roth","timestamp_ms":1710363930000,"content":"our café","photos":[{"uri":"messages/inbox/x/photos/1.jpg"}],"reactions":[{"reaction":"❤","actor":"Zoé Blanc"}]},
{"sender_name":"Zoé Blanc","timestamp_ms":1710363920000,"content":"Zoé Blanc changed the theme to Love."},
{"sender_name":"Ana Roth","timestamp_ms":1710363915000,"content":"You missed a call from Zoé","call_duration":0},
{"sender_name":"Zoé Blanc","timestamp_ms":1710363910000,"content":"You left the door open"},
{"sender_name":"Ana Roth","timestamp_ms":1710363900000,"content":"naïve? 好"}],
"title":"Zoé Blanc","thread_path":"inbox/zoeblanc_12","thread_type":"Regular"}`

// Names and words of Messenger and Instagram are as they were typed, in order of time;
// what the app tells is nobody's.
func TestMessenger(t *testing.T) {
	want := []string{
		"Ana Roth|2024-03-13T21:05:00Z|naïve? 好", "Zoé Blanc|2024-03-13T21:05:10Z|You left the door open", "-|2024-03-13T21:05:15Z|You missed a call from Zoé",
		"-|2024-03-13T21:05:20Z|Zoé Blanc changed the theme to Love.", "Ana Roth|2024-03-13T21:05:30Z|our café", "-|2024-03-13T21:05:40Z|", "-|2024-03-13T21:05:50Z|", "Ana Roth|2024-03-13T21:06:00Z|",
	}
	for name, text := range map[string]string{"as exported": escapedAs(messengerOne), "mended": messengerOne} {
		e := readNamed(t, "message_1.json", text, ingest.Options{})
		if diff := cmp.Diff(want, show(e)); diff != "" || e.Format != "messenger" {
			t.Errorf("%s: %s (-want +got)\n%s", name, e.Format, diff)
		}
		m, c := e.Messages, e.Conversations[0]
		if c.Kind != ingest.Direct || *c.Title != "Zoé Blanc" || c.SourceID != "inbox/zoeblanc_12" || len(c.Participants) != 2 || !m[5].Deleted || m[4].Media[0].Name != "1.jpg" || m[7].Media[0].Caption != "I won a prize" || m[6].System != "reaction" {
			t.Errorf("%s: %+v %+v", name, c, m)
		}
	}
}

// The files of one chat are one, whose the account is stands in the export, and two
// accounts that are gone from two chats stay two.
func TestMessengerArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "facebook.zip")
	thread := func(at, who, text, place string) string {
		return escapedAs(`{"participants":[{"name":"Facebook user"},{"name":"Ana Roth"}],"messages":[{"sender_name":"` + who + `","timestamp_ms":` + at + `,"content":"` + text + `"}],"title":"Facebook user","thread_path":"inbox/` + place + `"}`)
	}
	writeZip(t, path,
		"your_facebook_activity/messages/inbox/x_1/message_1.json", thread("1710363900000", "Ana Roth", "third", "x_1"),
		"your_facebook_activity/messages/inbox/x_1/message_2.json", thread("1700363900000", "Facebook user", "second", "x_1"),
		"your_facebook_activity/messages/inbox/x_1/message_10.json", thread("1690363900000", "Facebook user", "first", "x_1"),
		"your_facebook_activity/messages/inbox/y_2/message_1.json", thread("1690363900000", "Facebook user", "other", "y_2"),
		"personal_information/profile_information/profile_information.json", `{"profile_v2":{"name":{"full_name":"Ana Roth"}}}`,
	)
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Facebook user (x_1)|2023-07-26T09:31:40Z|first", "Facebook user (x_1)|2023-11-19T03:18:20Z|second", "Ana Roth*|2024-03-13T21:05:00Z|third", "Facebook user (y_2)|2023-07-26T09:31:40Z|other"}
	if diff := cmp.Diff(want, show(e)); diff != "" || len(e.Conversations) != 2 {
		t.Errorf("%d chats (-want +got)\n%s", len(e.Conversations), diff)
	}
}

// Encrypted chats have a form of their own.
func TestMessengerEncrypted(t *testing.T) {
	e := readNamed(t, "Zoé Blanc_3.json", `{"participants":["Zoé Blanc","Ana Roth"],"threadName":"Zoé Blanc_3","messages":[
{"isUnsent":false,"media":[],"reactions":[],"senderName":"Zoé Blanc","text":"ça va","timestamp":1710363900000,"type":"text"},
{"isUnsent":true,"media":[],"reactions":[],"senderName":"Ana Roth","text":"","timestamp":1710363910000,"type":"text"},
{"isUnsent":false,"media":[{"uri":"./media/a.mp4"}],"reactions":[],"senderName":"Ana Roth","text":"","timestamp":1710363920000,"type":"media"}]}`, ingest.Options{})
	if diff := cmp.Diff([]string{"Zoé Blanc|2024-03-13T21:05:00Z|ça va", "-|2024-03-13T21:05:10Z|", "Ana Roth|2024-03-13T21:05:20Z|"}, show(e)); diff != "" || *e.Conversations[0].Title != "Zoé Blanc" || !e.Messages[1].Deleted || e.Messages[2].Media[0].Type != "video" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
