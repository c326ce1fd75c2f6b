package ingest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// What apps put between a head and its words is part of the message; what was passed on
// isn't said by who did it.
func TestPlainBelowHead(t *testing.T) {
	e := read(t, "🌸 Ana, [15.03.2024 00:06]\n[In reply to Bob]\nsure, I quit\n\nBob, [15.03.2024 00:07]\n[Forwarded from News: today]\nstorm\n\n🌸 Ana, [15.03.2024 00:08]\n[ Photo ]\nmy garden\n\nBob, [15.03.2024 00:09]\n[ File : plan.pdf ]\n\nBob, [15.03.2024 00:10]\n[Xyzzy 🌸 Ana]\nok\n\nBob, [15.03.2024 00:10]\n[Xyzzy Qux]\nstrange\n\nBob, [15.03.2024 00:11]\none\n[two joined]\nthree\n", ingest.Options{})
	want := []string{"🌸 Ana|2024-03-15T00:06:00|sure, I quit", "Bob|2024-03-15T00:07:00|storm", "🌸 Ana|2024-03-15T00:08:00|my garden", "Bob|2024-03-15T00:09:00|",
		"Bob|2024-03-15T00:10:00|ok", "Bob|2024-03-15T00:10:00|strange", "Bob|2024-03-15T00:11:00|one⏎[two joined]⏎three"}
	if diff := cmp.Diff(want, show(e)); diff != "" || e.Format != "plain" || len(e.Skipped) > 0 {
		t.Fatalf("%s %v (-want +got)\n%s", e.Format, e.Skipped, diff)
	}
	for i, forwarded := range []bool{false, true, false, false, false, true, false} {
		if m := e.Messages[i]; m.Forwarded != forwarded {
			t.Errorf("message %d: forwarded %v", i+1, m.Forwarded)
		}
	}
	if from := e.Messages[1].ForwardedFrom; from != "News: today" {
		t.Errorf("forwarded from %q", from)
	}
	if a, b := e.Messages[2].Media, e.Messages[3].Media; len(a) != 1 || a[0].Type != "image" || len(b) != 1 || b[0].Name != "plan.pdf" {
		t.Errorf("media %+v, %+v", a, b)
	}
}

// Words below a notice are never lost: who spoke goes on behind a sound, and nobody is
// known to speak below what tells of people.
func TestPlainBelowNotice(t *testing.T) {
	e := read(t, "Ana: hi\nBo: hi\nAna: I think\n[laughter]\nthat I should quit\nBo: really\n[Cem joined]\nhello all\nAna: bye\n", ingest.Options{})
	want := []string{"Ana||hi", "Bo||hi", "Ana||I think", "-||[laughter]", "Ana||that I should quit", "Bo||really", "-||[Cem joined]", "unknown||hello all", "Ana||bye"}
	if diff := cmp.Diff(want, show(e)); diff != "" || len(e.Skipped) > 0 || !e.Messages[7].Bot {
		t.Errorf("%v (-want +got)\n%s", e.Skipped, diff)
	}
	e = read(t, "小明 2024-03-03 21:14:05\n[图片]\n小红 2024-03-03 21:15:00\n在吗\n小明 2024-03-03 21:16:05\n在\n", ingest.Options{})
	if diff := cmp.Diff([]string{"小明|2024-03-03T21:14:05|", "小红|2024-03-03T21:15:00|在吗", "小明|2024-03-03T21:16:05|在"}, show(e)); diff != "" || e.Messages[0].Kind != ingest.KindMedia {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
