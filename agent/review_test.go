package agent_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

const reviewPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: partner, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
  - {id: team, tier: 3, domain: work}
people:
  - {name: Tomas, groups: [partner]}
  - {name: Greta, groups: [friends]}
  - {name: Raj, groups: [team]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "doctor, hospital, illness, operation", examples: ["I was at the hospital"]}
  - {id: sailing, name: Sailing, level: 3, domain: life, description: "boats, regattas, the harbour", examples: ["We sailed to the island"]}
  - {id: projects, name: Projects, level: 3, domain: work, description: "what we build for the client", examples: ["The client wants more"]}
`

// waitingFact is a fact as the stages would store it.
type waitingFact struct {
	id         privacy.FactID
	text       string
	categories []privacy.CategoryID
	others     string // who said it, "" the owner
	rule       string // of the review mark, "" none
	why        string
	event      string
	day        int
	marks      []privacy.Mark
}

func (f waitingFact) stored() memory.Fact {
	mark := func(kind privacy.MarkKind, value, rule string) privacy.Mark {
		return privacy.Mark{Kind: kind, Value: value, By: privacy.ByMachine, Rule: rule, At: now}
	}
	speaker := f.others
	if speaker == "" {
		speaker = "Ines Falk"
	}
	out := memory.Fact{Record: privacy.Record{
		ID: f.id, Text: f.text, Speaker: speaker, OwnerSaid: f.others == "", Subject: "Ines", Session: "s",
		SaidAt: privacy.At(now.AddDate(0, 0, f.day)),
	}, Sessions: []string{"s"}, ImportedAt: now}
	for _, c := range f.categories {
		out.Marks = append(out.Marks, mark(privacy.MarkCategory, string(c), "MARKS 1"))
	}
	if f.event != "" {
		out.Marks = append(out.Marks, mark(privacy.MarkEvent, f.event, ""))
	}
	out.Marks = append(out.Marks, mark(privacy.MarkTruth, "real", ""))
	if f.others == "" {
		out.Marks = append(out.Marks, mark(privacy.MarkTrusted, "true", "MARKS 11"))
	}
	if f.rule != "" {
		why := f.why
		if why == "" {
			why = f.rule
		}
		out.Marks = append(out.Marks, mark(privacy.MarkReview, why, f.rule))
	}
	out.Marks = append(out.Marks, f.marks...)
	return out
}

func putWaiting(t tester, a *agent.Agent, facts ...waitingFact) {
	t.Helper()
	batch := memory.Batch{Sessions: []memory.Session{{
		ID: "s", Conversation: "c", Participants: []string{"Ines Falk"}, Start: privacy.At(now), Source: memory.Source{Name: "test", Format: "test"},
	}}}
	for _, f := range facts {
		batch.Facts = append(batch.Facts, f.stored())
	}
	if _, err := a.Store().Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}

func review(t testing.TB, a *agent.Agent, groups ...agent.ReviewGroup) *agent.ReviewQueue {
	t.Helper()
	queue, err := a.Review(t.Context(), agent.ReviewQuery{Groups: groups})
	if err != nil {
		t.Fatal(err)
	}
	return queue
}

func itemIDs(queue *agent.ReviewQueue) []privacy.FactID {
	ids := []privacy.FactID{}
	for _, item := range queue.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

// TestReviewOrder: what the owner said comes before what others said, however much
// that is; in a group the riskiest first, then the most repeated, then the newest.
func TestReviewOrder(t *testing.T) {
	a := open(t, reviewPolicy)
	facts := []waitingFact{
		{id: "nothing", text: "The zorbulator hums.", rule: "MARKS 1"},
		{id: "boat", text: "Ines was in the harbour.", rule: "MARKS 1"},
		{id: "doubt", text: "Ines fell ill on the boat.", categories: []privacy.CategoryID{"health", "sailing"}},
		{id: "asked", text: "Ines bought a boat.", categories: []privacy.CategoryID{"sailing"}, rule: "exceptions"},
		{id: "new", text: "The client called.", rule: "new category", why: "may belong to a new category: [projects]"},
		{id: "twice", text: "The gizmo hums loudly.", rule: "MARKS 1", day: -9},
		{id: "twice2", text: "The gizmo hums loudly!", rule: "MARKS 1", day: -8},
		{id: "decided", text: "Ines is well.", categories: []privacy.CategoryID{"health"}},
		{id: "hand", text: "Ines and the boat doctor.", categories: []privacy.CategoryID{"health", "sailing"},
			marks: []privacy.Mark{{Kind: privacy.MarkCategory, Value: "health", By: privacy.ByHand, At: now}}},
	}
	for i := range 30 {
		facts = append(facts, waitingFact{id: privacy.FactID(fmt.Sprintf("other%02d", i)), text: fmt.Sprintf("Claim %c%c about boats.", 'a'+i%26, 'k'+i/26), others: "Raj",
			categories: []privacy.CategoryID{"sailing"}, rule: "MARKS 8"})
	}
	putWaiting(t, a, facts...)
	queue := review(t, a)
	want := []privacy.FactID{"asked", "doubt", "new", "boat", "twice2", "nothing"}
	if got := itemIDs(queue)[:len(want)]; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	wantCounts := []agent.ReviewCount{
		{Group: agent.ReviewUnsure, Facts: 2, Items: 2}, {Group: agent.ReviewNewCategory, Facts: 1, Items: 1},
		{Group: agent.ReviewUncategorised, Facts: 4, Items: 3}, {Group: agent.ReviewUntrusted, Facts: 30, Items: queue.Groups[3].Items},
	}
	if diff := cmp.Diff(wantCounts, queue.Groups); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	by := map[privacy.FactID]agent.ReviewItem{}
	for _, item := range queue.Items {
		by[item.ID] = item
	}
	for _, tt := range []struct {
		id    privacy.FactID
		guess []privacy.CategoryID
		by    agent.GuessSource
		opens []string
		risk  int
	}{
		// Three know of sailing whom nothing stricter keeps out: L3 counts 2.
		{"asked", []privacy.CategoryID{"sailing"}, agent.GuessedByAnnotator, []string{"Tomas", "Greta"}, 4},
		// The meet of both lets in Tomas, whom health alone would too; L1 counts 4.
		{"doubt", []privacy.CategoryID{"health", "sailing"}, agent.GuessedByAnnotator, []string{"Tomas"}, 4},
		{"new", []privacy.CategoryID{"projects"}, agent.GuessedByProposal, []string{"Raj"}, 2},
		{"boat", []privacy.CategoryID{"sailing"}, agent.GuessedByWords, []string{"Tomas", "Greta"}, 4},
		{"nothing", []privacy.CategoryID{}, "", []string{}, 0},
		{"other00", []privacy.CategoryID{"sailing"}, agent.GuessedByAnnotator, []string{"Tomas", "Greta"}, 4},
	} {
		item := by[tt.id]
		if !slices.Equal(item.Guess, tt.guess) || item.GuessedBy != tt.by || !slices.Equal(item.Opens, tt.opens) || item.Risk != tt.risk {
			t.Errorf("%s: guess %v by %q, opens %v, risk %d; want %v by %q, %v, %d", tt.id, item.Guess, item.GuessedBy, item.Opens, item.Risk, tt.guess, tt.by, tt.opens, tt.risk)
		}
	}
	if got := by["twice2"].Alike; !slices.Equal(got, []privacy.FactID{"twice"}) {
		t.Errorf("alike to twice2: %v", got)
	}
	only := review(t, a, agent.ReviewUncategorised)
	if got := itemIDs(only); !slices.Equal(got, []privacy.FactID{"boat", "twice2", "nothing"}) || only.Facts != 4 {
		t.Errorf("uncategorised alone: %v, %d facts", got, only.Facts)
	}
	if _, err := a.Review(t.Context(), agent.ReviewQuery{Groups: []agent.ReviewGroup{"odd"}}); !errors.Is(err, agent.ErrUnknownGroup) {
		t.Errorf("an unknown group: %v", err)
	}
}

// TestReviewAnswers: each question wants its own answer, and a question that the
// settings don't ask isn't open.
func TestReviewAnswers(t *testing.T) {
	label := privacy.Label{Level: 1, Domain: "life"}
	for _, tt := range []struct {
		name     string
		settings string
		fact     waitingFact
		edit     agent.Edit
		waits    bool
	}{
		{"a category answers for a category", "", waitingFact{rule: "MARKS 1"}, agent.Edit{Categories: []privacy.CategoryID{"health"}}, false},
		{"a label too", "", waitingFact{rule: "MARKS 1"}, agent.Edit{Label: &label}, false},
		{"a deny doesn't", "", waitingFact{rule: "MARKS 1"}, agent.Edit{Deny: []privacy.Party{"Greta"}}, true},
		{"truth doesn't", "", waitingFact{rule: "MARKS 1"}, agent.Edit{Confirm: true}, true},
		{"a category doesn't confirm", "", waitingFact{rule: "MARKS 8", others: "Raj"}, agent.Edit{Categories: []privacy.CategoryID{"health"}}, true},
		{"confirming does", "", waitingFact{rule: "MARKS 8", others: "Raj", categories: []privacy.CategoryID{"health"}}, agent.Edit{Confirm: true}, false},
		{"closing does", "", waitingFact{rule: "MARKS 8", others: "Raj"}, agent.Edit{Close: true}, false},
		{"a category says nothing of a permission", "", waitingFact{rule: "exceptions", categories: []privacy.CategoryID{"health"}}, agent.Edit{Categories: []privacy.CategoryID{"health"}}, true},
		{"a deny answers it", "", waitingFact{rule: "exceptions", categories: []privacy.CategoryID{"health"}}, agent.Edit{Deny: []privacy.Party{"Greta"}}, false},
		{"what isn't asked any more", "", waitingFact{rule: "MARKS 5", categories: []privacy.CategoryID{"health"}}, agent.Edit{}, false},
		{"what is asked", "told_by_owner: ask", waitingFact{rule: "MARKS 5", categories: []privacy.CategoryID{"health"}}, agent.Edit{}, true},
		{"what isn't held", "untrusted: gate", waitingFact{rule: "MARKS 8", others: "Raj", categories: []privacy.CategoryID{"health"}}, agent.Edit{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := open(t, reviewPolicy+"settings: {"+tt.settings+"}\n")
			f := tt.fact
			f.id, f.text = "f", "The zorbulator hums."
			putWaiting(t, a, f)
			if !tt.edit.Confirm && !tt.edit.Close && tt.edit.Label == nil && len(tt.edit.Categories)+len(tt.edit.Deny) == 0 {
				// nothing to do
			} else if _, err := a.EditFact(t.Context(), "f", tt.edit, true); err != nil {
				t.Fatal(err)
			}
			if got := len(itemIDs(review(t, a))) > 0; got != tt.waits {
				t.Errorf("waits: %v, want %v", got, tt.waits)
			}
		})
	}
}

// TestReviewAlike: a decision is offered for what says nearly the same of the same
// person in the same standing, and for nothing else.
func TestReviewAlike(t *testing.T) {
	base := waitingFact{id: "f", text: "Ines paid the gizmo man 40 euros in March.", rule: "MARKS 1"}
	for _, tt := range []struct {
		name         string
		change       func(*waitingFact)
		alike, exact bool
	}{
		{"the same words", func(*waitingFact) {}, true, true},
		{"another sum and day", func(f *waitingFact) { f.text = "Ines paid the gizmo man 70 euros in April." }, true, false},
		{"one word more", func(f *waitingFact) { f.text = "Ines gladly paid the gizmo man 40 euros in March." }, true, true},
		{"the contrary", func(f *waitingFact) { f.text = "Ines never paid the gizmo man 40 euros in March." }, false, false},
		{"another matter", func(f *waitingFact) { f.text = "Ines paid the doctor 40 euros in March." }, false, false},
		{"somebody else's words", func(f *waitingFact) { f.others, f.rule = "Raj", "MARKS 8" }, false, false},
		{"another category", func(f *waitingFact) {
			f.rule, f.categories = "exceptions", []privacy.CategoryID{"health"}
		}, false, false},
		{"decided already", func(f *waitingFact) {
			f.marks = []privacy.Mark{{Kind: privacy.MarkLabel, Value: "L0", By: privacy.ByHand, At: now}}
		}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			other := base
			other.id = "g"
			tt.change(&other)
			for _, d := range []agent.Decision{{Edit: agent.Edit{Categories: []privacy.CategoryID{"sailing"}}}, {Edit: agent.Edit{Confirm: true}}} {
				a := open(t, reviewPolicy)
				putWaiting(t, a, base, other)
				done, err := a.Decide(t.Context(), []privacy.FactID{"f"}, d, true)
				if err != nil {
					t.Fatal(err)
				}
				want := tt.alike && (!d.Confirm || tt.exact)
				if got := slices.Equal(done.Alike, []privacy.FactID{"g"}); got != want {
					t.Errorf("confirm %v: alike %v, want %v", d.Confirm, done.Alike, want)
				}
			}
		})
	}
}

// TestDecide: nothing happens before what opens is agreed to; then all of it does.
func TestDecide(t *testing.T) {
	a := open(t, reviewPolicy)
	putWaiting(t, a,
		waitingFact{id: "f", text: "The gizmo hums loudly on 3 March.", rule: "MARKS 1"},
		waitingFact{id: "g", text: "The gizmo hums loudly on 9 March.", rule: "MARKS 1"})
	sail := agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{"sailing"}}}
	done, err := a.Decide(t.Context(), []privacy.FactID{"f"}, sail, false)
	if !errors.Is(err, agent.ErrWidens) || len(done.Widened) != 2 || len(done.AlikeWidened) != 2 || done.Applied() || len(done.Taught) != 0 {
		t.Fatalf("not agreed: %v, %+v", err, done)
	}
	if got := itemIDs(review(t, a)); !slices.Equal(got, []privacy.FactID{"f"}) { // with g folded in
		t.Fatalf("waiting: %v", got)
	}
	sail.AlsoAlike = true
	if done, err = a.Decide(t.Context(), []privacy.FactID{"f"}, sail, true); err != nil || !done.Applied() || len(done.Edits) != 2 || len(done.Widened) != 4 || len(done.Alike) != 0 {
		t.Fatalf("agreed: %v, %+v", err, done)
	}
	if queue := review(t, a); queue.Total != 0 {
		t.Errorf("%v waits still", itemIDs(queue))
	}
	for _, tt := range []struct {
		name string
		ids  []privacy.FactID
		d    agent.Decision
		want error
	}{
		{"nothing decided", []privacy.FactID{"f"}, agent.Decision{}, agent.ErrEmpty},
		{"no facts", nil, sail, agent.ErrEmpty},
		{"an unknown fact", []privacy.FactID{"f", "nope"}, sail, agent.ErrUnknownFact},
		{"an unknown category", []privacy.FactID{"f"}, agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{"nope"}}}, agent.ErrUnknownCategory},
		{"an unknown person", []privacy.FactID{"f"}, agent.Decision{Edit: agent.Edit{Allow: []privacy.Party{"Nobody"}}}, agent.ErrUnknownPerson},
		{"no fact, and a label", []privacy.FactID{"f"}, agent.Decision{NotFact: true, Edit: agent.Edit{Close: true}}, agent.ErrDecision},
		{"another wording", []privacy.FactID{"f"}, agent.Decision{Edit: agent.Edit{Text: "x"}}, agent.ErrDecision},
	} {
		if _, err := a.Decide(t.Context(), tt.ids, tt.d, true); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestNotAFactAsks: removing a cover story frees those who were told it, so it asks.
func TestNotAFactAsks(t *testing.T) {
	a := open(t, reviewPolicy)
	told := func(kind privacy.MarkKind, value string) privacy.Mark {
		return privacy.Mark{Kind: kind, Value: value, By: privacy.ByMachine, At: now}
	}
	putWaiting(t, a,
		waitingFact{id: "real", text: "Ines was at the hospital.", categories: []privacy.CategoryID{"health"}, event: "e"},
		waitingFact{id: "cover", text: "Ines was at the zorbulator.", rule: "MARKS 1", event: "e", marks: []privacy.Mark{told(privacy.MarkTruth, "cover"), told(privacy.MarkToldTo, "Tomas")}})
	done, err := a.Decide(t.Context(), []privacy.FactID{"cover"}, agent.Decision{NotFact: true}, false)
	if !errors.Is(err, agent.ErrWidens) || len(done.Widened) != 1 || done.Widened[0].Fact != "real" {
		t.Fatalf("removing a cover story: %v, %+v", err, done)
	}
	if _, err := a.Fact(t.Context(), "cover"); err != nil {
		t.Errorf("it went without consent: %v", err)
	}
}

// TestTaught: what was taught is listed with its provenance, replaced by a later
// decision on the same fact, and can be taken back; what rested on it waits again.
func TestTaught(t *testing.T) {
	a := open(t, reviewPolicy)
	remember := func(text string) privacy.FactID {
		t.Helper()
		got, err := a.Remember(t.Context(), agent.RememberRequest{Text: text})
		if err != nil || len(got.Facts) != 1 {
			t.Fatalf("%q: %v, %+v", text, err, got)
		}
		return got.Facts[0].ID
	}
	first := remember("The zorbulator was frobnicated again.")
	decide := func(category privacy.CategoryID) {
		t.Helper()
		if _, err := a.Decide(t.Context(), []privacy.FactID{first}, agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{category}}}, true); err != nil {
			t.Fatal(err)
		}
	}
	decide("sailing")
	decide("health")
	taught, err := a.Taught(t.Context())
	if err != nil || len(taught) != 1 || taught[0].Category != "health" || taught[0].Fact != first || !taught[0].At.Equal(now) {
		t.Fatalf("taught: %v, %+v", err, taught)
	}
	second := remember("The zorbulator was frobnicated again, again.")
	auto, err := a.Auto(t.Context())
	if err != nil || len(auto) != 1 || auto[0].ID != second || auto[0].Exemplar != taught[0].ID || auto[0].From != first || !slices.Equal(auto[0].Opens, []string{"Tomas"}) {
		t.Fatalf("auto: %v, %+v", err, auto)
	}
	back, err := a.Untaught(t.Context(), taught[0].ID, false)
	if err != nil || !back.Done || !slices.Equal(back.Facts, []privacy.FactID{second}) || len(back.Narrowed) != 1 {
		t.Fatalf("untaught: %v, %+v", err, back)
	}
	if got := itemIDs(review(t, a, agent.ReviewUncategorised)); !slices.Equal(got, []privacy.FactID{second}) {
		t.Errorf("waiting: %v", got)
	}
	if _, err := a.Untaught(t.Context(), taught[0].ID, true); !errors.Is(err, agent.ErrUnknownExemplar) {
		t.Errorf("a second time: %v", err)
	}
	if auto, err := a.Auto(t.Context()); err != nil || len(auto) != 0 {
		t.Errorf("auto: %v, %+v", err, auto)
	}
}

// TestDecideNeverWidensUnasked: over random queues and decisions, without consent
// nobody learns anything new, and nothing that is refused is half done.
func TestDecideNeverWidensUnasked(t *testing.T) {
	texts := []string{"Ines saw the doctor.", "Ines saw the boat.", "The gizmo hums.", "The gizmo hums on 3 March.", "The client called the doctor."}
	rapid.Check(t, func(t *rapid.T) {
		home, err := os.MkdirTemp("", "epagent-test-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home)
		if _, err := agent.WritePolicy(home, []byte(reviewPolicy)); err != nil {
			t.Fatal(err)
		}
		a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		n := rapid.IntRange(1, 6).Draw(t, "facts")
		var facts []waitingFact
		var ids []privacy.FactID
		categories := rapid.SliceOfNDistinct(rapid.SampledFrom([]privacy.CategoryID{"health", "sailing", "projects"}), 0, 2, rapid.ID)
		for i := range n {
			f := waitingFact{
				id: privacy.FactID(fmt.Sprintf("f%d", i)), text: rapid.SampledFrom(texts).Draw(t, "text"), rule: rapid.SampledFrom([]string{"", "MARKS 1", "MARKS 8", "exceptions"}).Draw(t, "rule"),
				categories: categories.Draw(t, "categories"), event: rapid.SampledFrom([]string{"", "e"}).Draw(t, "event"), others: rapid.SampledFrom([]string{"", "Raj"}).Draw(t, "speaker"),
			}
			for _, kind := range []privacy.MarkKind{privacy.MarkWhitelist, privacy.MarkBlacklist} {
				if who := rapid.SampledFrom([]string{"", "tomas", "greta"}).Draw(t, string(kind)); who != "" {
					f.marks = append(f.marks, privacy.Mark{Kind: kind, Value: who, By: privacy.BySpoken, At: now})
				}
			}
			if rapid.Bool().Draw(t, "cover") {
				f.marks = append(f.marks, privacy.Mark{Kind: privacy.MarkTruth, Value: "cover", By: privacy.ByMachine}, privacy.Mark{Kind: privacy.MarkToldTo, Value: "greta", By: privacy.ByMachine})
			}
			facts, ids = append(facts, f), append(ids, f.id)
		}
		putWaiting(t, a, facts...)
		d := agent.Decision{AlsoAlike: rapid.Bool().Draw(t, "alike"), NotFact: rapid.Bool().Draw(t, "not a fact")}
		if !d.NotFact {
			d.Categories = categories.Draw(t, "decide")
			d.Confirm, d.Close = rapid.Bool().Draw(t, "confirm"), rapid.Bool().Draw(t, "close")
			if rapid.Bool().Draw(t, "deny") {
				d.Deny = []privacy.Party{"Greta"}
			}
		}
		before := known(t, a)
		done, err := a.Decide(t.Context(), []privacy.FactID{rapid.SampledFrom(ids).Draw(t, "on")}, d, false)
		after := known(t, a)
		for pair := range after {
			if !before[pair] {
				t.Fatalf("%s opened unasked (%v)", pair, err)
			}
		}
		if err != nil && !cmp.Equal(before, after) {
			t.Fatalf("refused with %v, and yet something changed", err)
		}
		if err == nil && len(before)-len(after) != len(done.Narrowed) {
			t.Fatalf("%d verdicts closed, told were %d", len(before)-len(after), len(done.Narrowed))
		}
	})
}

// known returns who may know what, as "person fact".
func known(t tester, a *agent.Agent) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, name := range []string{"Tomas", "Greta", "Raj"} {
		knows, err := a.Knows(t.Context(), name, 1, 1000, agent.AsOf{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range knows.Categories {
			for _, f := range c.Facts {
				out[name+" "+string(f.ID)] = true
			}
		}
	}
	return out
}

// TestReviewLarge keeps the queue of a big import fast: 5,000 held facts.
func TestReviewLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("needs some seconds")
	}
	a := open(t, reviewPolicy)
	words := strings.Fields("boat gate lamp rope tide wind sand reed dune cove mast hull keel port star moon lake hill road barn")
	var facts []waitingFact
	for i := range 5000 {
		text := fmt.Sprintf("The %s of the %s %s near %s %d", words[i%20], words[i/20%20], words[i/400%20], words[(i*7)%20], i)
		facts = append(facts, waitingFact{id: privacy.FactID(fmt.Sprintf("f%d", i)), text: text, others: "Raj", rule: "MARKS 8", event: fmt.Sprintf("e%d", i/3)})
	}
	putWaiting(t, a, facts...)
	review(t, a) // loads the store
	begin := time.Now()
	queue := review(t, a) // something quadratic runs into the timeout of go test
	t.Logf("%d facts, %d items in %v", queue.Facts, queue.Total, time.Since(begin))
}
