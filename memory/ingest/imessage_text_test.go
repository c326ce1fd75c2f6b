package ingest_test

import (
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
