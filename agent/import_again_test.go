package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

const againPolicy = `
version: 1
owner: {name: Ines, language: en}
groups: [{id: family, tier: 1, domain: life}, {id: public, tier: 4, domain: life}]
people: [{name: Greta, groups: [family]}, {name: Bo, groups: [public]}]
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "pregnancy, doctor, clinic, operation", examples: ["I am pregnant", "the operation at the clinic"]}
  - {id: music, name: Music, level: 4, domain: life, description: "cello, lessons, concert", examples: ["I play the cello"]}
`

// again is a home into which a chat is imported time and again.
type again struct {
	t   *testing.T
	a   *agent.Agent
	dir string
}

func newAgain(t *testing.T) *again {
	t.Helper()
	return &again{t, open(t, againPolicy), t.TempDir()}
}

func (x *again) take(name, text string, opts agent.ImportOptions) *agent.ImportReport {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
	r, err := x.a.Import(x.t.Context(), path, opts)
	if err != nil {
		x.t.Fatal(err)
	}
	return r
}

// facts are the texts of all facts, with their ids.
func (x *again) facts() map[privacy.FactID]string {
	x.t.Helper()
	list, _, err := x.a.Store().Facts(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	out := map[privacy.FactID]string{}
	for _, f := range list {
		out[f.ID] = f.Text
	}
	return out
}

func (x *again) says(word string) bool {
	for _, text := range x.facts() {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// turns counts the stored messages of every conversation.
func (x *again) turns() map[string]int {
	x.t.Helper()
	sessions, err := x.a.Store().Sessions(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	out := map[string]int{}
	for _, s := range sessions {
		out[s.Conversation] += s.Turns
	}
	return out
}

// entries counts the host's entries: what is doubled there ranks higher.
func (x *again) entries() int {
	x.t.Helper()
	sessions, err := x.a.Store().Sessions(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	n := 0
	for _, s := range sessions {
		list, err := x.a.Store().Entries(x.t.Context(), s.ID)
		if err != nil {
			x.t.Fatal(err)
		}
		n += len(list)
	}
	return n
}

func (x *again) want(r *agent.ImportReport, fresh, duplicate, edited, takenBack int) {
	x.t.Helper()
	got := [4]int{r.New, r.Duplicate, r.Edited, r.TakenBack}
	if want := [4]int{fresh, duplicate, edited, takenBack}; got != want {
		x.t.Errorf("%s: new, duplicate, edited, taken back: %v, want %v", r.Path, got, want)
	}
}

// android writes a chat as WhatsApp does on Android, ios as on an iPhone.
func android(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%02d/03/26, %02d:%02d - %s\n", 13+i/30, 9+i%30/6, i%6*7, line)
	}
	return b.String()
}

func ios(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "[%02d.03.26, %02d:%02d:%02d] %s\n", 13+i/30, 9+i%30/6, i%6*7, 11+i%40, line)
	}
	return b.String()
}

var talk = []string{
	"Greta: how did it go at the clinic?",
	"Ines: I am pregnant, due 9 November.",
	"Greta: wow",
	"Greta: ok",
	"Ines: I started cello lessons in Lund.",
	"Greta: since when?",
}

// TestImportAgain: a chat that comes again in another wrapping, renamed, longer, in
// part, or with other members adds only what is new (bugs B10).
func TestImportAgain(t *testing.T) {
	longer := append(append([]string{}, talk...), "Ines: since May.", "Greta: I moved to Ghent.")
	tests := []struct {
		name, file, text  string
		fresh, duplicate  int
		edited, takenBack int
	}{
		{"the same", "WhatsApp Chat with Greta.txt", android(talk...), 0, 6, 0, 0},
		{"CRLF and BOM", "WhatsApp Chat with Greta.txt", "\ufeff" + strings.ReplaceAll(android(talk...), "\n", "\r\n"), 0, 6, 0, 0},
		{"renamed", "old chat (1).txt", android(talk...), 0, 6, 0, 0},
		{"longer", "x.txt", android(longer...), 2, 6, 0, 0},
		{"its end only, and longer", "x.txt", strings.Join(strings.SplitAfter(android(longer...), "\n")[3:], ""), 2, 3, 0, 0},
		{"from an iPhone, with seconds", "x.txt", ios(talk...), 0, 6, 0, 0},
		{"somebody joined", "x.txt", android(append(append([]string{}, longer...), "Cem: hello all")...), 3, 6, 0, 0},
		{"one taken back, more at the end", "x.txt", strings.Replace(android(longer...), "I am pregnant, due 9 November.", "This message was deleted", 1), 2, 6, 0, 1},
		{"one edited", "x.txt", strings.Replace(android(talk...), "cello lessons in Lund.", "viola lessons in Lund. <This message was edited>", 1), 0, 5, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newAgain(t)
			x.want(x.take("WhatsApp Chat with Greta.txt", android(talk...), agent.ImportOptions{}), 6, 0, 0, 0)
			before := x.facts()
			x.want(x.take(tt.file, tt.text, agent.ImportOptions{}), tt.fresh, tt.duplicate, tt.edited, tt.takenBack)
			if len(x.turns()) != 1 {
				t.Errorf("conversations: %v", x.turns())
			}
			if tt.edited+tt.takenBack == 0 {
				after := x.facts()
				for id, text := range before {
					if after[id] != text {
						t.Errorf("fact %s was %q, is %q", id, text, after[id])
					}
				}
				if tt.fresh == 0 && len(after) != len(before) {
					t.Errorf("%d facts, then %d", len(before), len(after))
				}
			}
			if n, want := x.entries(), 6+tt.fresh-tt.takenBack; n != want {
				t.Errorf("%d entries, want %d", n, want)
			}
			// And once more: nothing.
			state := fmt.Sprint(x.facts(), x.turns(), x.entries())
			x.want(x.take(tt.file, tt.text, agent.ImportOptions{}), 0, tt.fresh+tt.duplicate+tt.edited, 0, 0)
			if again := fmt.Sprint(x.facts(), x.turns(), x.entries()); again != state {
				t.Errorf("once more it is another state\n%s\n%s", state, again)
			}
		})
	}
}

// A true repetition is two messages, in every wrapping.
func TestImportRepetitions(t *testing.T) {
	x := newAgain(t)
	text := "13/03/26, 09:00 - Greta: ok\n13/03/26, 09:00 - Greta: ok\n13/03/26, 09:01 - Ines: sure\n13/03/26, 09:02 - Greta: fine by me\n"
	x.want(x.take("a.txt", text, agent.ImportOptions{}), 4, 0, 0, 0)
	x.want(x.take("b.txt", text+"13/03/26, 09:00 - Greta: ok\n", agent.ImportOptions{}), 1, 4, 0, 0)
}

// Two chats of the same people at the same time are two, whatever they are called.
func TestImportTwoChats(t *testing.T) {
	x := newAgain(t)
	one := android("Greta: bread?", "Ines: got it", "Cem: milk too", "Ines: sure thing")
	two := android("Greta: train at six", "Ines: booked mine", "Cem: me as well", "Ines: see you there")
	x.take("a.txt", one, agent.ImportOptions{})
	r := x.take("b.txt", two, agent.ImportOptions{})
	x.want(r, 4, 0, 0, 0)
	if len(x.turns()) != 2 || !strings.Contains(strings.Join(r.Warnings, "\n"), "chat_apart") {
		t.Errorf("%v %q", x.turns(), r.Warnings)
	}
	x.want(x.take("c.txt", two, agent.ImportOptions{}), 0, 4, 0, 0)
	x.want(x.take("d.txt", one, agent.ImportOptions{}), 0, 4, 0, 0)
	// The same words to two friends in one minute make no chat in common.
	x.take("e.txt", "20/03/26, 09:00 - Ines: happy new year to you and yours\n20/03/26, 09:01 - Dora: thanks\n", agent.ImportOptions{})
	x.take("f.txt", "20/03/26, 09:00 - Ines: happy new year to you and yours\n20/03/26, 09:01 - Emil: thank you so much\n", agent.ImportOptions{})
	if len(x.turns()) != 4 {
		t.Errorf("%v", x.turns())
	}
}

// What its speaker takes back is forgotten here: no file of the home holds it, and an
// older export doesn't bring it back unless that is asked for.
func TestImportTakenBack(t *testing.T) {
	x := newAgain(t)
	old := android(talk...)
	x.take("a.txt", old, agent.ImportOptions{})
	d := disclose(t, x.a, "Is she pregnant, and when is it due?", "Greta")
	if !strings.Contains(d.Answer, "9 November") {
		t.Fatalf("Greta is told %q", d.Answer)
	}
	x.take("b.txt", strings.Replace(old, "I am pregnant, due 9 November.", "This message was deleted", 1), agent.ImportOptions{})
	if x.says("November") {
		t.Errorf("still there: %v", x.facts())
	}
	nothingLeft(t, x.a, x.a.Home())
	x.want(x.take("a.txt", old, agent.ImportOptions{}), 0, 5, 0, 0)
	if x.says("November") {
		t.Error("an older export brought it back")
	}
	r := x.take("a.txt", old, agent.ImportOptions{Resurrect: true})
	if !x.says("November") || r.New != 1 {
		t.Errorf("asked for, and not back: %+v", r)
	}
}

// An edited message has its new words, and facts of them; what was kept from somebody
// stays so, and what would reach more people waits for the owner.
func TestImportEdited(t *testing.T) {
	x := newAgain(t)
	old := android("Greta: news?", "Ines: I started cello lessons in Lund.", "Greta: and?", "Ines: The operation at the clinic is on 4 May.")
	x.take("a.txt", old, agent.ImportOptions{})
	edited := strings.Replace(old, "The operation at the clinic is on 4 May.", "I play the cello at the concert on 4 May. <This message was edited>", 1)
	x.want(x.take("b.txt", edited, agent.ImportOptions{}), 0, 3, 1, 0)
	if x.says("operation") || !x.says("concert") {
		t.Fatalf("%v", x.facts())
	}
	if d := disclose(t, x.a, "What does she play on 4 May?", "Bo"); strings.Contains(d.Answer, "4 May") {
		t.Errorf("an edit told Bo %q", d.Answer)
	}
	// The older export is known: it changes nothing back.
	x.want(x.take("c.txt", old, agent.ImportOptions{}), 0, 4, 0, 0)
	if x.says("operation") {
		t.Error("the older words are back")
	}
	// Where the newer export came first, the older one adds nothing either.
	y := newAgain(t)
	y.take("b.txt", edited, agent.ImportOptions{})
	y.want(y.take("c.txt", old, agent.ImportOptions{}), 0, 4, 0, 0)
	if y.says("operation") {
		t.Error("older words came in behind the newer ones")
	}
}

// What epagent has said is no source: pasted into a chat it teaches nothing.
func TestImportOwnAnswers(t *testing.T) {
	x := newAgain(t)
	x.take("a.txt", android(talk...), agent.ImportOptions{})
	d := disclose(t, x.a, "Is she pregnant, and when is it due?", "Greta")
	if d.Answer == "" {
		t.Fatal("no answer")
	}
	before := x.facts()
	day := now.AddDate(0, 0, 3).Format("02/01/06")
	paste := day + ", 10:00 - Bo: hi\n" + day + ", 10:01 - Bo: " + strings.ReplaceAll(d.Answer, "\n", " ") + "\n" + day + ", 10:02 - Ines: hm, who says so\n"
	r := x.take("bo.txt", paste, agent.ImportOptions{DateOrder: "dmy"})
	if diff := cmp.Diff(before, x.facts()); diff != "" || len(r.Chats) != 1 || r.Chats[0].Own != 1 {
		t.Errorf("%+v (-before +after)\n%s", r.Chats, diff)
	}
	// A deflection is epagent's, too, however little it says.
	no := disclose(t, x.a, "Is she pregnant, and when is it due?", "Bo").Answer
	if no == "" || no == d.Answer {
		t.Fatalf("no deflection: %q", no)
	}
	pasted := day + ", 11:00 - Bo: " + strings.ReplaceAll(no, "\n", " ") + "\n" + day + ", 11:01 - Ines: I see\n"
	if r := x.take("no.txt", pasted, agent.ImportOptions{DateOrder: "dmy"}); len(r.Chats) != 1 || r.Chats[0].Own != 1 {
		t.Errorf("%q: %+v", no, r.Chats)
	}
	// Said before epagent said it, it is somebody's own.
	early := strings.ReplaceAll(paste, day, "01/01/25")
	if r := x.take("early.txt", early, agent.ImportOptions{DateOrder: "dmy"}); r.Chats[0].Own != 0 {
		t.Errorf("%+v", r.Chats)
	}
}

// What was forgotten stays so when the chat comes from another phone, whose clock shows
// other seconds, and which calls people otherwise.
func TestForgottenOnBothPhones(t *testing.T) {
	x := newAgain(t)
	x.take("a.txt", android(talk...), agent.ImportOptions{})
	var ids []privacy.FactID
	for id, text := range x.facts() {
		if strings.Contains(text, "pregnant") {
			ids = append(ids, id)
		}
	}
	if _, err := x.a.Forget(t.Context(), agent.ForgetRequest{Facts: ids}); err != nil {
		t.Fatal(err)
	}
	if x.says("pregnant") {
		t.Fatal("not forgotten")
	}
	for name, text := range map[string]string{"b.txt": ios(talk...), "c.txt": strings.ReplaceAll(ios(talk...), ":11]", ":58]")} {
		if r := x.take(name, text, agent.ImportOptions{}); r.New != 0 || x.says("pregnant") {
			t.Errorf("%s brought it back: %+v", name, r)
		}
	}
	renamed := strings.ReplaceAll(strings.ReplaceAll(ios(talk...), "] Ines:", "] Ines Falk:"), "] Greta:", "] Greta Falk:")
	if x.take("d.txt", renamed, agent.ImportOptions{}); x.says("pregnant") {
		t.Errorf("another name brought it back: %v", x.facts())
	}
}
