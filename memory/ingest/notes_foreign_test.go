package ingest_test

import (
	"errors"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// TestNotesAreTheOwners: a text that shows signs of somebody else's words is no
// note of the owner; ordinary notes are.
func TestNotesAreTheOwners(t *testing.T) {
	owner := ingest.Options{Owner: []string{"Nadia Brook", "Nadia"}}
	for name, text := range map[string]string{
		"pasted from a chat, clock behind blanks": "Fern  10:05 AM\nI go climbing every Monday in Delft.\n",
		"pasted from a chat, today":               "Fern — Today at 10:00\nI am seeing a doctor.\n",
		"clock before the name":                   "[10:05] Fern\nI go climbing.\n[10:06] Nadia\nok\n",
		"two weak heads":                          "Fern 10:05\nI go climbing.\n\nOleg 10:07\nSo do I.\n",
		"names in turn":                           "Ana - hi there\nFern - I quit my job\nAna - really\n",
		"names in turn, with arrows":              "Ana > hi there\nFern > I quit my job\nAna > really\nof course\n",
		"name, clock, words":                      "Ana\n10:02\nhi there\n\nFern\n10:03\nI moved to Ghent\n",
		"names in bold":                           "**Ana** 10:02\nhi there\n\n**Fern** 10:03\nI quit my job\n",
		"names as headings":                       "### Ana\n\nhi\n\n### Fern\n\nI quit my job\n\n### Ana\n\nreally\n",
		"a talk with an assistant":                "## User\n\nWhere do I live?\n\n## Assistant\n\nIn Ghent.\n",
		"a table":                                 "date,from,text\n2024-03-15 21:05,Ana,hi\n2024-03-15 21:06,Fern,I quit\n",
		"a page":                                  "<html><body><div class=\"from_name\">Fern</div>I quit</body></html>\n",
		"accounts":                                "小明(12345678) 2024-03-15 21:05:33\n你好\n",
		"names and clocks in brackets":            "[Ana] [9:05 PM] hi\n[Fern] [9:06 PM] I quit\n",
		"head of a mail":                          "From: Fern\nSent: Monday\n\nI am pregnant.\n",
		"head of a German mail":                   "Von: Fern\nGesendet: Montag\n\nIch bin schwanger.\n",
		"head of a Chinese mail":                  "发件人：林芳\n发送时间：周一\n\n我怀孕了。\n",
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ingest.Read(t.Context(), write(t, "a.txt", text), owner)
			if err == nil {
				for _, m := range e.Messages {
					if m.Self {
						t.Fatalf("read as %s, and as the owner's words", e.Format)
					}
				}
			} else if !errors.Is(err, ingest.ErrFormat) {
				t.Errorf("%v, want ErrFormat", err)
			}
		})
	}
	for name, text := range map[string]string{
		"plain":          "I sleep badly since March.\n\nThe doctor wants to see me again.\n",
		"a timetable":    "Dentist 10:30\nLunch 12:30\nCall with Oskar 15:00\n",
		"one clock":      "Dinner with Fern 19:30\nBring the book.\n",
		"a colon":        "To: do\n\nBuy milk.\n",
		"a list":         "Milk - two bottles\nEggs - twelve\nBread - one\n",
		"headings":       "# Monday\n\n## Work\n\nDull.\n\n# Tuesday\n\n## Work\n\nBetter.\n",
		"names":          "Fern\nOleg\nCall both at\n10:30\nand ask.\n",
		"a page of code": "Notes on HTML\n\n<div> is a box.\n",
		"with heading":   "# Diary\n\nBooked the flights, 10:05 AM out.\n",
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ingest.Read(t.Context(), write(t, "a.md", text), owner)
			if err != nil || e.Format != "notes" {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestInvisibleEdges: a character without a width before a line or a name hides
// nobody.
func TestInvisibleEdges(t *testing.T) {
	e, err := ingest.Read(t.Context(), write(t, "a.txt", "2026-10-01 10:00 - Nadia: hi\n\u200b2026-10-01 10:01 - Fern: I moved to Ghent\n2026-10-01 10:02 - \u200bFern: and again\n"), ingest.Options{Self: "Nadia"})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Messages) != 3 {
		t.Fatalf("%d messages: %+v", len(e.Messages), e.Messages)
	}
	for i, want := range []string{"Nadia", "Fern", "Fern"} {
		if m := e.Messages[i]; m.Sender != want || m.Self != (want == "Nadia") {
			t.Errorf("message %d: %q, self %v", i+1, m.Sender, m.Self)
		}
	}
}
