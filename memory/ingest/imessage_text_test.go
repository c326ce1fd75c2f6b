package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// What the exporter and phones write about a message is none of its words: versions,
// tapbacks, that it answers something.
func TestIMessageLines(t *testing.T) {
	e := readNamed(t, "Bo.txt", `Mar 13, 2024  9:05:06 PM
Me
I come at 9
Edited 2 minutes, 5 seconds later: I come at 10
Edited 1 hour later: I come at 11
and bring wine

Mar 13, 2024  9:06:06 PM
Bo
Fine by me
Tapbacks:
Loved by Me
👍 by Cy

Mar 13, 2024  9:07:06 PM
Bo
Loved “I come at 11”

Mar 13, 2024  9:07:36 PM
Bo
Reacted 😂 to “I come
at 11”

Mar 13, 2024  9:08:06 PM
Bo
Edited to “Fine by us”

Mar 13, 2024  9:09:06 PM
Me
Good
This message responded to an earlier message.

Mar 13, 2024  9:10:06 PM
Bo
Edited the text later: it is fine
Loved the wine

`, ingest.Options{})
	want := []string{
		"Me*|2024-03-13T21:05:06|I come at 11⏎and bring wine", "Bo|2024-03-13T21:06:06|Fine by me", "-|2024-03-13T21:07:06|", "-|2024-03-13T21:07:36|",
		"Bo|2024-03-13T21:08:06|Fine by us", "Me*|2024-03-13T21:09:06|Good", "Bo|2024-03-13T21:10:06|Edited the text later: it is fine⏎Loved the wine",
	}
	if diff := cmp.Diff(want, show(e)); diff != "" || e.Format != "imessage" {
		t.Errorf("%s (-want +got)\n%s", e.Format, diff)
	}
	if !e.Messages[0].Edited || !e.Messages[4].Edited || e.Messages[2].System != "reaction" || e.Messages[2].Actor != "Bo" {
		t.Errorf("%+v", e.Messages)
	}
}

// What was taken back or out of the chat is no words, nor is what apps, translations and
// transcriptions write.
func TestIMessageApps(t *testing.T) {
	var text strings.Builder
	for i, body := range []string{
		"You unsent this message part!", "Bo Falk unsent this message part 5 seconds after sending!", "I stay\nThey unsent this message part 3 minutes, 2 seconds after sending!",
		"This message was deleted from the conversation!\nI quit my job",
		"/Users/x/Library/Messages/Attachments/ab/Audio Message.caf\nTranscription: I quit\nmy job",
		"I quit my job\nTranslated from:\nIch habe gekündigt", "Apple Cash transaction: $5.00", "SharePlay Message\nEnded",
		"Check\u00a0In: Timer Started\nChecked in at Mar 13, 2024  9:05:06 PM", "Digital Touch Message: Heartbeat", "Handwriting", "Outline Sticker from Bo: /Users/x/StickerCache/1.heic",
		"Apple Pay is down: bring cash", "Transcription: none", "Check in at nine",
	} {
		fmt.Fprintf(&text, "Mar 13, 2024  9:%02d:06 PM\nBo Falk\n%s\n\n", i, body)
	}
	e := readNamed(t, "Bo Falk.txt", text.String(), ingest.Options{})
	var got []string
	for _, m := range e.Messages {
		words := m.Text
		if m.Deleted {
			words = "deleted" + words
		}
		for _, media := range m.Media {
			words += "<" + media.Type + ": " + media.Caption + ">"
		}
		got = append(got, strings.ReplaceAll(m.Sender+": "+m.System+words, "\n", "⏎"))
	}
	want := []string{
		"Bo Falk: deleted", "Bo Falk: deleted", "Bo Falk: I stay", "Bo Falk: deleted", "Bo Falk: <audio: I quit⏎my job>", "Bo Falk: Ich habe gekündigt",
		"Bo Falk: <payment: >", ": app", "Bo Falk: <app: >", "Bo Falk: <drawing: >", "Bo Falk: <drawing: >", "Bo Falk: <sticker: >",
		"Bo Falk: Apple Pay is down: bring cash", "Bo Falk: Transcription: none", "Bo Falk: Check in at nine",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Who only reacts takes part by the name or number that stands there.
func TestIMessageOnlyReacts(t *testing.T) {
	for _, text := range []string{
		"Mar 13, 2024  9:05:06 PM\nMe\nI quit my job\nTapbacks:\nLoved by +15555550123\n\n",
		"Mar 13, 2024  9:05:06 PM\nMe\nI quit my job\n\nMar 13, 2024  9:06:06 PM\n+15555550123\nLoved “I quit my job”\n\n",
	} {
		e := readNamed(t, "Bo Falk.txt", text, ingest.Options{})
		if diff := cmp.Diff([]string{"Me", "+15555550123"}, e.Conversations[0].Participants); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// A file in which the app changed how it writes dates, half way, is one chat.
func TestWhatsAppMixedDates(t *testing.T) {
	for _, forms := range [][2]string{
		{"13/03/2024 à 21:05 - ", "14/03/2024, 00:10 - "},
		{"3/13/24 at 9:05\u202fPM - ", "3/14/24, 12:10 AM - "},
		{"3/13/24, 9:05 PM - ", "3/14/24\u202fat\u202f12:10\u202fAM - "},
		{"[13.03.24, 21:05:00] ", "[14.03.24 00:10:00] "},
	} {
		e := readNamed(t, "x.txt", forms[0]+"Ana: one\n"+forms[0]+"Bo: two\n"+forms[1]+"Ana: three\n"+forms[1]+"Bo: four\n", ingest.Options{})
		want := []string{"Ana|2024-03-13T21:05:00|one", "Bo|2024-03-13T21:05:00|two", "Ana|2024-03-14T00:10:00|three", "Bo|2024-03-14T00:10:00|four"}
		if diff := cmp.Diff(want, show(e)); diff != "" || e.Format != "whatsapp" {
			t.Errorf("%q: %s (-want +got)\n%s", forms, e.Format, diff)
		}
	}
}
