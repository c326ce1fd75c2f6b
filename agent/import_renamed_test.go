package agent_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
)

// renamedChat is a chat in which the other one is called name, of n exchanges.
func renamedChat(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%02d/03/26, 10:%02d - Ines: question %d about the move\n", 13+i%9, i%60, i)
		fmt.Fprintf(&b, "%02d/03/26, 10:%02d - %s: answer %d, the flat is in street number %d\n", 13+i%9, i%60, name, i, i)
	}
	return b.String()
}

// A contact that was renamed on the phone is known again by what they said and when;
// the two names are proposed as one person's, and nobody else is.
func TestImportRenamedContact(t *testing.T) {
	x := newAgain(t)
	me := agent.ImportOptions{Self: "Ines"}
	x.want(x.take("a.txt", renamedChat("Bruno", 6), me), 12, 0, 0, 0)
	r := x.take("b.txt", renamedChat("Bruno Plumber", 7), me)
	x.want(r, 2, 12, 0, 0)
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "renamed: ") }) {
		t.Errorf("warnings %q", r.Warnings)
	}
	if got := len(x.turns()); got != 1 {
		t.Errorf("%d conversations", got)
	}
	x.want(x.take("c.txt", renamedChat("Bruno Plumber", 7), me), 0, 14, 0, 0)
	list, proposals, err := x.a.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proposed := slices.ContainsFunc(proposals, func(p agent.PeopleProposal) bool {
		return p.One == "Bruno" && p.Other == "Bruno Plumber" || p.Other == "Bruno" && p.One == "Bruno Plumber"
	})
	if !proposed {
		t.Errorf("no proposal: %+v\n%+v", list, proposals)
	}
}

// The names needn't be alike.
func TestImportRenamedUnlike(t *testing.T) {
	x := newAgain(t)
	me := agent.ImportOptions{Self: "Ines"}
	x.want(x.take("a.txt", renamedChat("+49 151 0000001", 6), me), 12, 0, 0, 0)
	x.want(x.take("b.txt", renamedChat("小李", 8), me), 4, 12, 0, 0)
	_, proposals, err := x.a.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(proposals, func(p agent.PeopleProposal) bool { return strings.Contains(p.Why, "same messages") }) {
		t.Errorf("proposals %+v", proposals)
	}
}

// Two people who answer one group of messages are two: words, times and the rest of
// the chat must agree.
func TestImportNotRenamed(t *testing.T) {
	me := agent.ImportOptions{Self: "Ines"}
	for name, second := range map[string]string{
		"other words": strings.ReplaceAll(renamedChat("Cleo", 6), "the flat is", "the house is"),
		"few":         "13/03/26, 10:00 - Ines: question 0 about the move\n13/03/26, 10:00 - Cleo: answer 0, the flat is in street number 0\n14/03/26, 10:01 - Cleo: something of her own\n",
		"other times": strings.ReplaceAll(renamedChat("Cleo", 6), ", 10:", ", 11:"),
	} {
		t.Run(name, func(t *testing.T) {
			x := newAgain(t)
			x.take("a.txt", renamedChat("Bruno", 6), me)
			r := x.take("b.txt", second, me)
			if slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "renamed: ") }) {
				t.Errorf("%q", r.Warnings)
			}
			_, proposals, err := x.a.People(t.Context())
			if err != nil || len(proposals) > 0 {
				t.Errorf("%+v %v", proposals, err)
			}
		})
	}
}

// A zone that is given later places what is stored by its wall clock, and what was
// learned from it.
func TestImportPlacesLater(t *testing.T) {
	x := newAgain(t)
	chat := android("Ines: I play the cello", "Greta: lovely", "Ines: I am pregnant")
	x.take("a.txt", chat, agent.ImportOptions{Self: "Ines"})
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := x.take("a.txt", chat, agent.ImportOptions{Self: "Ines", TZ: berlin})
	x.want(r, 0, 3, 0, 0)
	if r.Placed != 3 {
		t.Errorf("placed %d", r.Placed)
	}
	sessions, err := x.a.Store().Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range sessions {
		if info.Start.Instant.IsZero() {
			t.Errorf("session %s has no instant", info.ID)
		}
		s, err := x.a.Store().Session(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range s.Turns {
			if turn.When.Instant.IsZero() || turn.When.Instant.In(berlin).Format("2006-01-02T15:04:05") != turn.When.Local {
				t.Errorf("turn %s: %+v", turn.ID, turn.When)
			}
		}
	}
	facts, _, err := x.a.Store().Facts(t.Context())
	if err != nil || len(facts) == 0 {
		t.Fatal(len(facts), err)
	}
	for _, f := range facts {
		if f.SaidAt.Instant.IsZero() {
			t.Errorf("fact %q: %+v", f.Text, f.SaidAt)
		}
	}
	if r := x.take("a.txt", chat, agent.ImportOptions{Self: "Ines", TZ: time.UTC}); r.Placed != 0 {
		t.Errorf("placed %d again", r.Placed)
	}
}

// lines writes a chat of Android, a line a minute from 10:00 on, of "who: words".
func lines(all ...string) string {
	var b strings.Builder
	for i, line := range all {
		fmt.Fprintf(&b, "13/03/26, %02d:%02d - %s\n", 10+i/60, i%60, line)
	}
	return b.String()
}

// called gives everything that somebody said another name.
func called(text, was, is string) string {
	return strings.ReplaceAll(text, "- "+was+":", "- "+is+":")
}

func warned(r *agent.ImportReport, kind string) bool {
	return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, kind+": ") })
}

// A chat is known by the owner's messages, however few the renamed one has said.
func TestImportRenamedFew(t *testing.T) {
	var owner []string
	for i := range 8 {
		owner = append(owner, fmt.Sprintf("Ines: part %d of the plan", i))
	}
	two := append(slices.Clone(owner), "Bo Berg: yes", "Bo Berg: see you")
	group := []string{"Ines: who comes?", "Cem: I do", "Dora: me too", "Bo Berg: so do I", "Ines: fine", "Cem: when?", "Ines: at nine", "Bo Berg: ok", "Dora: good"}
	short := []string{"Bo Berg: hi", "Ines: hi", "Bo Berg: six?", "Ines: ok"}
	for name, tt := range map[string]struct {
		chat         []string
		was, is, new string
	}{
		"two of ten":      {two, "Bo Berg", "Bobby", "Bobby: late, sorry"},
		"two of a group":  {group, "Bo Berg", "Bobby", "Bobby: late, sorry"},
		"one of a group":  {slices.DeleteFunc(slices.Clone(group), func(s string) bool { return s == "Bo Berg: ok" }), "Bo Berg", "Bobby", "Bobby: late, sorry"},
		"four lines":      {short, "Bo Berg", "Bobby", "Bobby: late, sorry"},
		"one long answer": {append(slices.Clone(owner), "Bo Berg: yes, I bring the old boat along"), "Bo Berg", "Bobby", "Bobby: late, sorry"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newAgain(t)
			x.take("a.txt", lines(tt.chat...), agent.ImportOptions{Self: "Ines"})
			second := called(lines(append(slices.Clone(tt.chat), tt.new)...), tt.was, tt.is)
			r := x.take("b.txt", second, agent.ImportOptions{Self: "Ines"})
			x.want(r, 1, len(tt.chat), 0, 0)
			if !warned(r, "renamed") || len(x.turns()) != 1 {
				t.Errorf("%q %v", r.Warnings, x.turns())
			}
			x.want(x.take("b.txt", second, agent.ImportOptions{Self: "Ines"}), 0, len(tt.chat)+1, 0, 0)
			x.want(x.take("a.txt", lines(tt.chat...), agent.ImportOptions{Self: "Ines"}), 0, len(tt.chat), 0, 0)
		})
	}
}

// What the owner sends to two people makes no chat in common, nor that both say "ok".
func TestImportSentToTwo(t *testing.T) {
	var sent []string
	for i := range 8 {
		sent = append(sent, fmt.Sprintf("Ines: part %d of the plan", i))
	}
	for name, tt := range map[string]struct {
		one, other []string
		apart      bool
	}{
		"both answer ok":        {append(slices.Clone(sent), "Bo: ok"), append(slices.Clone(sent), "Cleo: ok"), true},
		"other answers":         {append(slices.Clone(sent), "Bo: fine by me", "Bo: ok"), append(slices.Clone(sent), "Cleo: no thanks", "Cleo: ok"), true},
		"one answers more":      {append(slices.Clone(sent), "Bo: ok", "Bo: good", "Bo: I come", "Bo: at six"), append(slices.Clone(sent), "Cleo: ok", "Cleo: good", "Ines: and you?", "Ines: tell me"), true},
		"nobody answers":        {sent, sent[:7], false},
		"two lines of a moment": {[]string{"Ines: hi", "Bo: hi"}, []string{"Ines: hi", "Cleo: hi", "Cleo: how are you?"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			x := newAgain(t)
			x.take("WhatsApp Chat with Bo.txt", lines(tt.one...), agent.ImportOptions{Self: "Ines"})
			r := x.take("WhatsApp Chat with Cleo.txt", lines(tt.other...), agent.ImportOptions{Self: "Ines"})
			x.want(r, len(tt.other), 0, 0, 0)
			if warned(r, "renamed") || len(x.turns()) != 2 || warned(r, "chat_apart") != tt.apart {
				t.Errorf("%q %v", r.Warnings, x.turns())
			}
		})
	}
}

// Two chats that are almost the same, in one archive, are themselves when it is read again,
// and nobody in them was renamed.
func TestImportAlikeAgain(t *testing.T) {
	talk := []string{"Ines: party at six", "Bo: nice", "Ines: bring drinks", "Bo: sure", "Ines: see you", "Bo: yes"}
	one := lines(talk...)
	other := called(lines(append(slices.Clone(talk), "Bo: I am getting divorced in May")...), "Bo", "Cy")
	var zipped bytes.Buffer
	w := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"WhatsApp Chat with Bo.txt": one, "WhatsApp Chat with Cy.txt": other} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x := newAgain(t)
	me := agent.ImportOptions{Self: "Ines"}
	x.want(x.take("two.zip", zipped.String(), me), 13, 0, 0, 0)
	r := x.take("two.zip", zipped.String(), me)
	x.want(r, 0, 13, 0, 0)
	if warned(r, "renamed") || warned(r, "chat_apart") {
		t.Errorf("%q", r.Warnings)
	}
}

// What was forgotten stays so under another name, and once the name itself is forgotten.
func TestForgottenOfRenamed(t *testing.T) {
	var chat []string
	for i := range 6 {
		chat = append(chat, fmt.Sprintf("Ines: question %d", i), fmt.Sprintf("Bo Berg: reply %d", i))
	}
	chat = append(chat, "Bo Berg: I bought a red boat", "Ines: ok")
	later := called(lines(append(slices.Clone(chat), "Bobby: late, sorry")...), "Bo Berg", "Bobby")
	me := agent.ImportOptions{Self: "Ines"}
	for name, tt := range map[string]struct {
		chat      []string
		whole     bool
		forgotten int
	}{
		"a fact":        {chat, false, 1},
		"a person":      {chat, true, 7},
		"a fact of few": {append(slices.Clone(chat[:4]), chat[12:]...), false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			x := newAgain(t)
			x.take("a.txt", lines(tt.chat...), me)
			req := agent.ForgetRequest{}
			if tt.whole {
				req.Person = "Bo Berg"
			}
			for id, text := range x.facts() {
				if !tt.whole && strings.Contains(text, "boat") {
					req.Facts = append(req.Facts, id)
				}
			}
			if _, err := x.a.Forget(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			second := later
			if len(tt.chat) != len(chat) {
				second = called(lines(append(slices.Clone(tt.chat), "Bobby: late, sorry")...), "Bo Berg", "Bobby")
			}
			for i, fresh := range []int{1, 0} {
				r := x.take("b.txt", second, me)
				if r.New != fresh || r.Forgotten != tt.forgotten || r.Duplicate != len(tt.chat)+1-tt.forgotten-fresh || len(x.turns()) != 1 {
					t.Errorf("time %d: %+v %v", i+1, r, x.turns())
				}
			}
			if x.says("boat") {
				t.Errorf("it is back: %v", x.facts())
			}
			me := me
			me.Resurrect = true
			if r := x.take("b.txt", second, me); r.New != tt.forgotten {
				t.Errorf("asked for: %+v", r)
			}
			if r := x.take("b.txt", second, me); r.New != 0 || r.Forgotten != 0 {
				t.Errorf("asked for once more: %+v", r)
			}
		})
	}
}

// A short chat in which all of one person's was forgotten, the last of it among that, is
// known again by what is left and by what was forgotten.
func TestForgottenOfRenamedInShort(t *testing.T) {
	chat := lines("Ines: Party at mine on Saturday, bring drinks", "Bo Berg: I moved to Ghent.", "Ines: Starts at eight", "Bo Berg: I am pregnant.", "Bo Berg: I quit my job.")
	me := agent.ImportOptions{Self: "Ines"}
	x := newAgain(t)
	x.take("a.txt", chat, me)
	if _, err := x.a.Forget(t.Context(), agent.ForgetRequest{Person: "Bo Berg"}); err != nil {
		t.Fatal(err)
	}
	if r := x.take("b.txt", called(chat, "Bo Berg", "Bobby"), me); r.New != 0 || r.Duplicate != 2 || r.Forgotten != 3 || x.says("pregnant") {
		t.Errorf("%+v %v", r, x.facts())
	}
}

// The same word of another in the same minute isn't what was forgotten.
func TestForgottenBesideTheSame(t *testing.T) {
	x := newAgain(t)
	text := "13/03/26, 10:00 - Ines: I play the cello\n13/03/26, 10:00 - Bo: I play the cello\n13/03/26, 10:01 - Bo: nice\n13/03/26, 10:02 - Ines: so it is\n"
	me := agent.ImportOptions{Self: "Ines"}
	x.take("a.txt", text, me)
	if _, err := x.a.Forget(t.Context(), agent.ForgetRequest{Person: "Bo"}); err != nil {
		t.Fatal(err)
	}
	ios := strings.NewReplacer("13/03/26, ", "[13/03/26, ", " - ", ":07] ").Replace(text)
	for name, text := range map[string]string{"a.txt": text, "b.txt": ios} {
		if r := x.take(name, text, me); r.New != 0 || r.Duplicate != 2 || r.Forgotten != 2 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// KakaoTalk's phones call the owner otherwise than its computers do.
func TestImportKakaoPhoneAndComputer(t *testing.T) {
	x := newAgain(t)
	phone := "민수 님과 카카오톡 대화\n저장한 날짜 : 2024년 3월 14일 오후 9:05\n\n2024년 3월 13일 오후 9:05, 회원님 : 안녕\n2024년 3월 13일 오후 9:06, 민수 : 응 안녕\n2024년 3월 13일 오후 9:07, 회원님 : 내일 봐\n2024년 3월 13일 오후 9:08, 민수 : 그래\n"
	computer := "민수 님과 카카오톡 대화\n저장한 날짜 : 2024-03-14 21:05:00\n\n--------------- 2024년 3월 13일 수요일 ---------------\n[이네스] [오후 9:05] 안녕\n[민수] [오후 9:06] 응 안녕\n[이네스] [오후 9:07] 내일 봐\n[민수] [오후 9:08] 그래\n"
	x.want(x.take("phone.txt", phone, agent.ImportOptions{}), 4, 0, 0, 0)
	r := x.take("computer.txt", computer, agent.ImportOptions{Self: "이네스"})
	x.want(r, 0, 4, 0, 0)
	if len(x.turns()) != 1 {
		t.Errorf("%v %q", x.turns(), r.Warnings)
	}
}
