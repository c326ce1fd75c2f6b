package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// rulesPolicy is the world of TestMarksRules: nobody in it is named in any rule.
const rulesPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: partner, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
  - {id: boss, tier: 2, domain: work}
  - {id: team, tier: 3, domain: work, description: "my team, the colleagues I work with every day"}
people:
  - {name: Tomas, groups: [partner], note: "my husband"}
  - {name: Greta, groups: [friends]}
  - {name: Karin, groups: [boss], note: "my boss"}
  - {name: Raj, groups: [team]}
  - {name: Lena, groups: [friends]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "doctor, hospital, clinic, operation, illness, pregnancy", examples: ["I had an operation at the hospital", "I am pregnant"]}
  - {id: sailing, name: Sailing, level: 3, domain: life, description: "boats, regattas, sailing, the harbour", examples: ["We sailed to the island"]}
  - {id: surprise, name: Surprises, level: 3, domain: life, description: "surprise party, birthday present, gift", examples: ["We plan a surprise party"], deny: [$subject]}
  - {id: projects, name: Projects, level: 3, domain: work, description: "what we build for the client, release, deadline", examples: ["The client wants more features"]}
settings: {}
`

// chat is an import of one chat on one day.
type chat struct {
	with  string // participants besides the owner, divided by ", "
	day   string // "3 March 2026"
	lines []string
}

// rulesWorld is an agent with a way to say things to it as a user would.
type rulesWorld struct {
	*testing.T
	a    *agent.Agent
	home string
	n    int
}

func newRulesWorld(t *testing.T, settings string) *rulesWorld {
	t.Helper()
	w := &rulesWorld{T: t, home: t.TempDir()}
	w.a = openIn(t, w.home, strings.Replace(rulesPolicy, "settings: {}", "settings: {"+settings+"}", 1))
	return w
}

func (w *rulesWorld) file(c chat) string {
	w.Helper()
	w.n++
	file := filepath.Join(w.TempDir(), "chat.txt")
	text := "Participants: Ines, " + c.with + "\n\n--- " + c.day + " ---\n" + strings.Join(c.lines, "\n") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	return file
}

func (w *rulesWorld) read(file string) {
	w.Helper()
	if _, err := w.a.Import(w.Context(), file, agent.ImportOptions{}); err != nil {
		w.Fatal(err)
	}
}

func (w *rulesWorld) chat(with, day string, lines ...string) { w.read(w.file(chat{with, day, lines})) }

// fact returns the one fact that holds a word, or one of several divided by "|".
func (w *rulesWorld) fact(word string) privacy.FactID {
	w.Helper()
	facts, _, err := w.a.Store().Facts(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	var found []privacy.FactID
	for _, f := range facts {
		if slices.ContainsFunc(strings.Split(word, "|"), func(w string) bool { return strings.Contains(f.Text, w) }) {
			found = append(found, f.ID)
		}
	}
	if len(found) != 1 {
		for _, f := range facts {
			w.Logf("%s: %s", f.ID, f.Text)
		}
		w.Fatalf("%d facts hold %q, want one", len(found), word)
	}
	return found[0]
}

func (w *rulesWorld) edit(id privacy.FactID, e agent.Edit) {
	w.Helper()
	if _, err := w.a.EditFact(w.Context(), id, e, true); err != nil {
		w.Fatal(err)
	}
}

// verdict checks what Why says, and that Disclose agrees with it: the fact is told
// exactly when Why allows it (where the question is about nothing else).
func (w *rulesWorld) verdict(id privacy.FactID, name string, want privacy.Reason) {
	w.Helper()
	why, err := w.a.Why(w.Context(), id, name, agent.AsOf{})
	if err != nil {
		w.Fatal(err)
	}
	if why.Verdict.Reason != want {
		w.Errorf("%s on %q: %s, want %s\nmarks: %+v", name, why.Text, why.Verdict.Reason, want, why.Marks)
	}
	d := disclose(w.T, w.a, why.Text, name)
	told := slices.Contains(d.FactsTold, id)
	if !why.Verdict.Allow && told {
		w.Errorf("%s was told %s against the verdict %s", name, id, why.Verdict.Reason)
	}
	if why.Verdict.Allow && !told && w.truth(id) == privacy.Real {
		w.Errorf("%s was not told %s: %q", name, id, d.Answer)
	}
}

func (w *rulesWorld) truth(id privacy.FactID) privacy.Truth {
	view, err := w.a.Fact(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	for _, m := range view.Marks {
		if m.Effect == "truth" && m.Value == "real" {
			return privacy.Real
		}
	}
	return privacy.Cover
}

func (w *rulesWorld) event(id privacy.FactID) privacy.EventID {
	w.Helper()
	view, err := w.a.Fact(w.Context(), id)
	if err != nil {
		w.Fatal(err)
	}
	return privacy.EventID(view.Fact.Value(privacy.MarkEvent))
}

// waitsFor reports whether a fact is in the review, in a group.
func (w *rulesWorld) waitsFor(id privacy.FactID, group agent.ReviewGroup) bool {
	w.Helper()
	return slices.Contains(itemIDs(review(w.T, w.a, group)), id)
}

// TestMarksRules holds each rule of how marks come about by its smallest
// counterexample, from the words of a chat to what a person is told.
func TestMarksRules(t *testing.T) {
	run := func(name, settings string, f func(w *rulesWorld)) {
		t.Run(name, func(t *testing.T) { f(newRulesWorld(t, settings)) })
	}

	run("1 what no category fits is for nobody, and waits", "", func(w *rulesWorld) {
		w.chat("Greta", "3 March 2026", "Greta: news?", "Ines: My neighbour zorbulated the frobnicator on 2 March.")
		id := w.fact("frobnicator")
		w.verdict(id, "Tomas", privacy.ReasonLevel0)
		w.verdict(id, "Greta", privacy.ReasonWhitelisted) // she was told
		if !w.waitsFor(id, agent.ReviewUncategorised) {
			w.Error("it doesn't wait for a category")
		}
	})
	run("1 the label is the meet over all that come near", "told_by_owner: ignore", func(w *rulesWorld) {
		w.chat("Lena", "3 March 2026", "Lena: news?", "Ines: I had an operation at the hospital after the sailing regatta on 2 March.")
		id := w.fact("regatta")
		w.verdict(id, "Greta", privacy.ReasonDeeper) // sailing alone would let her in
		w.verdict(id, "Tomas", privacy.ReasonDefault)
		w.edit(id, agent.Edit{Categories: []privacy.CategoryID{"sailing"}}) // until the owner says
		w.verdict(id, "Greta", privacy.ReasonDefault)
	})

	run("2 only you know: closed, for the listeners alone", "", func(w *rulesWorld) {
		w.chat("Greta", "3 March 2026", "Greta: news?", "Ines: I had an operation at the hospital on 2 March. Only you know.")
		id := w.fact("operation")
		w.verdict(id, "Tomas", privacy.ReasonClosed) // his tier would let him in
		w.verdict(id, "Greta", privacy.ReasonWhitelisted)
		w.verdict(id, "Karin", privacy.ReasonClosed)
	})
	run("2 nobody else in the team: the rest of that group is kept out, and nobody besides", "", func(w *rulesWorld) {
		w.chat("Raj", "3 March 2026", "Raj: news?", "Ines: The release for the client is postponed to June. Nobody else in the team knows.")
		id := w.fact("release")
		w.verdict(id, "Raj", privacy.ReasonWhitelisted)
		if _, err := w.a.EditPolicy(w.Context(), nil, "", true, privacy.AddPerson{Person: privacy.Person{ID: "mina", Name: "Mina", Groups: []privacy.GroupID{"team"}}}); err != nil {
			w.Fatal(err)
		}
		w.verdict(id, "Mina", privacy.ReasonReserved) // her tier would let her in
		w.verdict(id, "Karin", privacy.ReasonDefault) // she is of work, and not of the team
	})

	run("3 don't tell X binds what is said of the event later", "", func(w *rulesWorld) {
		first := w.file(chat{"Greta", "3 March 2026", []string{"Greta: news?", "Ines: I have an operation at the hospital on 12 May 2026. Please don't tell Tomas."}})
		w.read(first)
		id := w.fact("operation")
		w.verdict(id, "Tomas", privacy.ReasonBlacklisted)
		w.chat("Lena", "9 March 2026", "Lena: and?", "Ines: The operation at the hospital on 12 May 2026 takes four hours.")
		later := w.fact("four hours")
		if w.event(id) != w.event(later) {
			w.Fatalf("not one event: %s, %s", w.event(id), w.event(later))
		}
		w.verdict(later, "Tomas", privacy.ReasonBlacklisted)
		// It outlives the words that said so, and reading the chat again.
		if _, err := w.a.Forget(w.Context(), agent.ForgetRequest{Facts: []privacy.FactID{id}}); err != nil {
			w.Fatal(err)
		}
		w.verdict(later, "Tomas", privacy.ReasonBlacklisted)
		w.read(first)
		w.verdict(later, "Tomas", privacy.ReasonBlacklisted)
		// And it comes with the facts that join the event by hand.
		w.chat("Lena", "10 March 2026", "Lena: and?", "Ines: The doctor gave me tablets for my illness.")
		joined := w.fact("tablets")
		w.verdict(joined, "Tomas", privacy.ReasonDefault)
		w.edit(joined, agent.Edit{SameAs: later})
		w.verdict(joined, "Tomas", privacy.ReasonBlacklisted)
	})

	run("4 you can tell the team: its members of that day", "told_by_owner: ignore", func(w *rulesWorld) {
		w.chat("Raj", "3 March 2026", "Raj: news?", "Ines: I had an operation at the hospital on 2 March. You can tell the team.")
		id := w.fact("operation")
		w.verdict(id, "Raj", privacy.ReasonWhitelisted)
		joins := privacy.AddPerson{Person: privacy.Person{ID: "mina", Name: "Mina", Groups: []privacy.GroupID{"team"}}}
		if _, err := w.a.EditPolicy(w.Context(), nil, "", true, joins); err != nil {
			w.Fatal(err)
		}
		w.verdict(id, "Mina", privacy.ReasonCrossDomain)
		// A grant that the owner types as a group stays live.
		w.edit(id, agent.Edit{Allow: []privacy.Party{"group:team"}})
		w.verdict(id, "Mina", privacy.ReasonWhitelisted)
	})

	run("5 whom the owner told may hear that very fact again", "", func(w *rulesWorld) {
		w.chat("Greta", "3 March 2026", "Greta: news?", "Ines: I have an operation at the hospital on 12 May 2026.")
		w.chat("Lena", "9 March 2026", "Lena: and?", "Ines: The operation at the hospital on 12 May 2026 takes four hours.")
		told, other := w.fact("have an operation|has an operation"), w.fact("four hours")
		if w.event(told) != w.event(other) {
			w.Fatalf("not one event: %s, %s", w.event(told), w.event(other))
		}
		w.verdict(told, "Greta", privacy.ReasonWhitelisted)
		w.verdict(other, "Greta", privacy.ReasonDeeper) // never lent
		w.edit(other, agent.Edit{SameAs: told})         // nor by a link that the owner confirmed
		w.edit(told, agent.Edit{Event: w.event(other)})
		w.verdict(other, "Greta", privacy.ReasonDeeper)
	})
	run("5 told_by_owner: ignore", "told_by_owner: ignore", func(w *rulesWorld) {
		w.chat("Greta", "3 March 2026", "Greta: news?", "Ines: I have an operation at the hospital on 12 May 2026.")
		w.verdict(w.fact("operation"), "Greta", privacy.ReasonDeeper)
	})
	run("5 told_by_owner: ask", "told_by_owner: ask", func(w *rulesWorld) {
		w.chat("Greta", "3 March 2026", "Greta: news?", "Ines: I have an operation at the hospital on 12 May 2026.")
		id := w.fact("operation")
		w.verdict(id, "Greta", privacy.ReasonDeeper)
		if !w.waitsFor(id, agent.ReviewUnsure) {
			w.Error("nobody is asked")
		}
		w.edit(id, agent.Edit{Allow: []privacy.Party{"Greta"}})
		w.verdict(id, "Greta", privacy.ReasonWhitelisted)
		if w.waitsFor(id, agent.ReviewUnsure) {
			w.Error("it is asked again")
		}
	})

	run("6 a link of the engine lends from what is as strict, and to nothing closed", "", func(w *rulesWorld) {
		allow := []privacy.Mark{{Kind: privacy.MarkWhitelist, Value: "karin", By: privacy.ByHand, At: now}}
		putWaiting(w.T, w.a,
			waitingFact{id: "strict", text: "Ines was ill.", categories: []privacy.CategoryID{"health"}, event: "a", marks: allow},
			waitingFact{id: "equal", text: "Ines saw the doctor.", categories: []privacy.CategoryID{"health"}, event: "a"},
			waitingFact{id: "looser", text: "Ines sailed home.", categories: []privacy.CategoryID{"sailing"}, event: "a"},
			waitingFact{id: "closed", text: "Ines told a doctor.", categories: []privacy.CategoryID{"health"}, event: "a"},
			waitingFact{id: "labelled", text: "Ines met a doctor.", categories: []privacy.CategoryID{"health"}, event: "a"},
			waitingFact{id: "nothing", text: "Ines hummed.", event: "a", rule: "MARKS 1"},
			waitingFact{id: "lax", text: "Ines raced boats.", categories: []privacy.CategoryID{"sailing"}, event: "b", marks: allow},
			waitingFact{id: "deep", text: "Ines broke a leg.", categories: []privacy.CategoryID{"health"}, event: "b"},
			waitingFact{id: "claim", text: "Ines is ill, says Raj.", categories: []privacy.CategoryID{"health"}, event: "c", others: "Raj", marks: allow},
			waitingFact{id: "own", text: "Ines rang the clinic.", categories: []privacy.CategoryID{"health"}, event: "c"},
		)
		label := privacy.Label{Level: 1, Domain: "life"}
		w.edit("closed", agent.Edit{Close: true})
		w.edit("labelled", agent.Edit{Label: &label})
		for id, want := range map[privacy.FactID]privacy.Reason{
			"equal": privacy.ReasonWhitelisted, "looser": privacy.ReasonWhitelisted,
			"closed": privacy.ReasonClosed, "labelled": privacy.ReasonCrossDomain, "nothing": privacy.ReasonLevel0,
			"deep": privacy.ReasonCrossDomain, // its lender is laxer
			"own":  privacy.ReasonCrossDomain, // its lender rests on somebody else's words
		} {
			why, err := w.a.Why(w.Context(), id, "Karin", agent.AsOf{})
			if err != nil || why.Verdict.Reason != want {
				w.Errorf("%s: %v, %s, want %s", id, err, why.Verdict.Reason, want)
			}
		}
		// A link that the owner confirmed lends from a laxer one too.
		w.edit("deep", agent.Edit{Event: "b"})
		w.edit("lax", agent.Edit{Event: "b"})
		why, err := w.a.Why(w.Context(), "deep", "Karin", agent.AsOf{})
		if err != nil || why.Verdict.Reason != privacy.ReasonWhitelisted {
			w.Errorf("a confirmed link: %v, %s", err, why.Verdict.Reason)
		}
	})

	for _, covers := range []string{"deflect", "keep"} {
		run("7 a cover story: "+covers, "cover_stories: "+covers, func(w *rulesWorld) {
			w.chat("Tomas", "3 March 2026", "Tomas: and?", "Ines: I sailed in the regatta on 2 March 2026.", "Ines: I told Greta that it was a dinner with the client on 2 March 2026.")
			real, cover := w.fact("regatta"), w.fact("dinner")
			w.edit(cover, agent.Edit{Cover: true, CoverOf: []privacy.FactID{real}, ToldTo: []string{"Greta"}})
			w.verdict(real, "Greta", privacy.ReasonReserved) // her tier would let her in
			w.verdict(real, "Lena", privacy.ReasonDefault)
			w.verdict(cover, "Lena", privacy.ReasonClosed)
			w.verdict(cover, "Greta", privacy.ReasonWhitelisted)
			d := disclose(w.T, w.a, "Did Ines have dinner with the client on 2 March?", "Greta")
			if told := slices.Contains(d.FactsTold, cover); told != (covers == "keep") {
				w.Errorf("Greta gets %q", d.Answer)
			}
			if strings.Contains(d.Answer, "regatta") {
				w.Errorf("Greta gets the truth: %q", d.Answer)
			}
			// Forgetting what it hides takes the story along.
			gone, err := w.a.Forget(w.Context(), agent.ForgetRequest{Facts: []privacy.FactID{real}})
			if err != nil || !slices.Contains(gone.Facts, cover) {
				w.Errorf("forgotten: %v, %+v", err, gone)
			}
		})
	}

	for _, tt := range []struct {
		setting string
		want    privacy.Reason
		says    string
	}{{"hold", privacy.ReasonClosed, ""}, {"attribute", privacy.ReasonDefault, "Raj says"}, {"gate", privacy.ReasonDefault, "sailed"}} {
		run("8 untrusted: "+tt.setting, "untrusted: "+tt.setting, func(w *rulesWorld) {
			w.chat("Raj", "3 March 2026", "Ines: hello", "Raj: Ines sailed to the island in the regatta on 2 March.")
			id := w.fact("regatta")
			w.verdict(id, "Greta", tt.want)
			d := disclose(w.T, w.a, "Did Ines sail in the regatta?", "Greta")
			if tt.says == "" && len(d.FactsTold) > 0 || !strings.Contains(d.Answer, tt.says) {
				w.Errorf("Greta gets %q, want %q in it", d.Answer, tt.says)
			}
			if got := w.waitsFor(id, agent.ReviewUntrusted); got != (tt.setting == "hold") {
				w.Errorf("waits: %v", got)
			}
			w.edit(id, agent.Edit{Confirm: true})
			w.verdict(id, "Greta", privacy.ReasonDefault)
			if d := disclose(w.T, w.a, "Did Ines sail in the regatta?", "Greta"); strings.Contains(d.Answer, "says") {
				w.Errorf("confirmed, and still a claim: %q", d.Answer)
			}
		})
	}

	run("9 a confidence is closed, whoever repeats it", "untrusted: gate", func(w *rulesWorld) {
		w.chat("Lena", "3 March 2026", "Ines: hello", "Lena: I am pregnant, the doctor at the clinic says 9 November 2026. Please don't tell anyone.")
		id := w.fact("pregnant")
		w.verdict(id, "Tomas", privacy.ReasonClosed) // his tier would let him in
		w.verdict(id, "Lena", privacy.ReasonWhitelisted)
		// The owner repeats it to somebody: the fact of that event about her is closed too.
		w.chat("Tomas", "5 March 2026", "Tomas: news?", "Ines: Lena is pregnant, the doctor at the clinic says 9 November 2026.")
		var repeated privacy.FactID
		facts, _, err := w.a.Store().Facts(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		for _, f := range facts {
			if f.OwnerSaid && strings.Contains(f.Text, "pregnant") {
				repeated = f.ID
			}
		}
		if repeated == "" {
			w.Fatal("what the owner repeated is no fact")
		}
		if w.event(id) != w.event(repeated) {
			w.edit(repeated, agent.Edit{SameAs: id})
		}
		w.edit(repeated, agent.Edit{Categories: []privacy.CategoryID{"sailing"}}) // a category that would let Greta in
		w.verdict(repeated, "Greta", privacy.ReasonClosed)
		// That it is true is one act, that it may be told another.
		w.edit(id, agent.Edit{Confirm: true})
		w.verdict(id, "Tomas", privacy.ReasonClosed)
		label := privacy.Label{Level: 1, Domain: "life"}
		w.edit(id, agent.Edit{Label: &label})
		w.verdict(id, "Tomas", privacy.ReasonDefault)
	})

	run("10 not for the person it is about", "told_by_owner: ignore", func(w *rulesWorld) {
		w.chat("Lena", "3 March 2026", "Lena: news?", "Ines: We plan a surprise party for Greta on 4 May 2026.")
		id := w.fact("party")
		w.verdict(id, "Lena", privacy.ReasonDefault)
		w.verdict(id, "Greta", privacy.ReasonReserved) // her tier would let her in
		if d := disclose(w.T, w.a, "Is there a surprise party on 4 May?", "Greta"); len(d.FactsTold) > 0 {
			w.Errorf("Greta gets %q", d.Answer)
		}
		// Where the fact is about somebody by name, that one is on the blacklist.
		got, err := w.a.Remember(w.Context(), agent.RememberRequest{Text: "Greta gets a birthday present, a gift of the whole choir.", About: "Greta"})
		if err != nil || len(got.Facts) != 1 {
			w.Fatalf("%v, %+v", err, got)
		}
		w.verdict(got.Facts[0].ID, "Greta", privacy.ReasonBlacklisted)
	})

	run("11 confirming is an act, never a word in a chat", "", func(w *rulesWorld) {
		w.chat("Raj", "3 March 2026", "Ines: hello", "Raj: Ines sailed to the island in the regatta on 2 March.", "Ines: yes, that is true, I confirm it")
		id := w.fact("regatta")
		w.verdict(id, "Greta", privacy.ReasonClosed)
		// What opens asks; and it permits nobody whom the label keeps out.
		edited, err := w.a.EditFact(w.Context(), id, agent.Edit{Confirm: true}, false)
		if !errors.Is(err, agent.ErrWidens) || edited.Applied {
			w.Errorf("confirming without consent: %v, %+v", err, edited)
		}
		w.edit(id, agent.Edit{Confirm: true})
		w.verdict(id, "Karin", privacy.ReasonCrossDomain)
		w.verdict(id, "Greta", privacy.ReasonDefault)
	})

	run("12 what was taught tightens at once, and loosens only what is almost the same", "told_by_owner: ignore", func(w *rulesWorld) {
		remember := func(text string) privacy.FactID {
			w.Helper()
			got, err := w.a.Remember(w.Context(), agent.RememberRequest{Text: text})
			if err != nil || len(got.Facts) != 1 {
				w.Fatalf("%q: %v, %+v", text, err, got)
			}
			return got.Facts[0].ID
		}
		teach := func(id privacy.FactID, c privacy.CategoryID) {
			w.Helper()
			if _, err := w.a.Decide(w.Context(), []privacy.FactID{id}, agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{c}}}, true); err != nil {
				w.Fatal(err)
			}
		}
		// Loosens: no category before, so it needs to be almost the same.
		teach(remember("The zorbulator was frobnicated at dawn."), "sailing")
		same, like := remember("The zorbulator was frobnicated at dawn again."), remember("The zorbulator broke down at the baker's.")
		w.verdict(same, "Greta", privacy.ReasonDefault)
		w.verdict(like, "Greta", privacy.ReasonLevel0)
		auto, err := w.a.Auto(w.Context())
		if err != nil || len(auto) != 1 || auto[0].ID != same {
			w.Errorf("listed as decided by what was taught: %v, %+v", err, auto)
		}
		// Tightens: a looser category would be the annotator's, so being alike is enough.
		before := remember("We sailed to the island with the harbour people.")
		w.verdict(before, "Greta", privacy.ReasonDefault)
		teach(before, "health")
		after := remember("We sailed to the island with the harbour children.")
		w.verdict(after, "Greta", privacy.ReasonDeeper)
		w.verdict(after, "Tomas", privacy.ReasonDefault)
		// A decision for two categories is both: their domains differ, so it is for nobody.
		both := remember("The contraption was twiddled at the mill.")
		if _, err := w.a.Decide(w.Context(), []privacy.FactID{both}, agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{"sailing", "projects"}}}, true); err != nil {
			w.Fatal(err)
		}
		again := remember("The contraption was twiddled again at the mill.")
		w.verdict(again, "Greta", privacy.ReasonLevel0)
		w.verdict(again, "Raj", privacy.ReasonLevel0)
		// A later, stricter decision on what is near counts beside an older one on the same.
		teach(remember("The gadget hums in the corner of the shed."), "sailing")
		teach(remember("The gadget hums in the corner of the attic."), "health")
		hums := remember("The gadget hums again in the corner of the shed.")
		w.verdict(hums, "Greta", privacy.ReasonDeeper)
	})
}
