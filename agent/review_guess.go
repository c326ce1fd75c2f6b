package agent

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// GuessSource is what made the guess of a review.
type GuessSource string

// The sources of a guess.
const (
	GuessedByAnnotator GuessSource = "annotator"    // the categories that the fact has
	GuessedByProposal  GuessSource = "new-category" // the new category that it was proposed for
	GuessedByWords     GuessSource = "words"        // the category whose own words are nearest
)

// nearness tells which categories are near a text by their own words: name,
// description, examples, and what the owner taught. It is weaker than the annotator
// and decides nothing: it orders the queue and gives the owner something to say yes
// or no to.
type nearness struct {
	ids   []privacy.CategoryID
	terms []map[string]bool // category → its terms
	in    map[string]int    // term → how many categories have it
	names map[string]bool   // terms of people's names: they speak of no category
}

// leastNear is the share of what a text says, its rare words counted more, that a
// category's own words must cover for the category to be near.
const leastNear = 0.25

func newNearness(p *privacy.Policy, taught []memory.Exemplar) *nearness {
	n := &nearness{in: map[string]int{}, names: map[string]bool{}}
	owner := p.Owner()
	for _, name := range append([]string{owner.Name}, owner.Aliases...) {
		n.name(name)
	}
	for _, q := range p.People() {
		for _, name := range append([]string{q.Name}, q.Aliases...) {
			n.name(name)
		}
	}
	for _, c := range p.Categories() {
		own := map[string]bool{}
		add := func(text string) {
			for _, t := range lexical.Terms(text) {
				if !n.names[t] {
					own[t] = true
				}
			}
		}
		add(c.Name)
		add(c.Description)
		for _, e := range c.Examples {
			add(e)
		}
		for _, e := range taught {
			if e.Category == c.ID {
				add(e.Text)
			}
		}
		n.ids, n.terms = append(n.ids, c.ID), append(n.terms, own)
		for t := range own {
			n.in[t]++
		}
	}
	return n
}

func (n *nearness) name(name string) {
	for _, t := range lexical.Terms(name) {
		n.names[t] = true
	}
}

// near returns the categories that are near a text, the nearest first.
func (n *nearness) near(text string) []privacy.CategoryID {
	share := make([]float64, len(n.ids))
	whole, seen := 0.0, map[string]bool{}
	for _, t := range lexical.Terms(text) {
		if seen[t] || n.names[t] || isDigits(t) || months[t] {
			continue
		}
		seen[t] = true
		rare := math.Log(1 + float64(len(n.ids))/float64(max(1, n.in[t])))
		whole += rare
		for i := range n.ids {
			if n.terms[i][t] {
				share[i] += rare
			}
		}
	}
	var at []int
	for i := range share {
		if whole > 0 && share[i] >= leastNear*whole {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(share[j], share[i]) })
	out := make([]privacy.CategoryID, len(at))
	for k, i := range at {
		out[k] = n.ids[i]
	}
	return out
}

func isDigits(t string) bool {
	for _, r := range t {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// guess returns what a waiting fact seems to be, and the strictest category near.
func (w *world) guess(x *waiting, n *nearness) (guess []privacy.CategoryID, by GuessSource, strictest privacy.CategoryID) {
	near := n.near(w.facts[x.index].Text)
	guess, by = slices.Clone(w.marks[x.index].Categories), GuessedByAnnotator
	if x.asks(ruleNewCategory) {
		if proposed := w.proposed(x, near); proposed != "" {
			guess, by = []privacy.CategoryID{proposed}, GuessedByProposal
			near = append(near, w.marks[x.index].Categories...)
		}
	}
	if len(guess) == 0 && len(near) > 0 {
		guess, by = near[:1:1], GuessedByWords
	}
	if len(guess) == 0 {
		return []privacy.CategoryID{}, "", ""
	}
	for _, id := range append(slices.Clone(guess), near...) {
		if strictest == "" || stricter(w.categoryLabel(id), w.categoryLabel(strictest)) {
			strictest = id
		}
	}
	return guess, by, strictest
}

// proposed returns the new category that a fact was proposed for, "" where it is
// gone. A proposal names all that were new at that time; of several the nearest is
// meant.
func (w *world) proposed(x *waiting, near []privacy.CategoryID) privacy.CategoryID {
	var named []privacy.CategoryID
	for _, q := range x.questions {
		if q.Rule != ruleNewCategory {
			continue
		}
		for _, c := range w.policy.Categories() {
			if namesCategory(q.Value, c.ID) {
				named = append(named, c.ID)
			}
		}
	}
	for _, id := range near {
		if slices.Contains(named, id) {
			return id
		}
	}
	if len(named) == 1 {
		return named[0]
	}
	return ""
}

// namesCategory reports whether the words of a proposal name a category.
func namesCategory(proposal string, id privacy.CategoryID) bool {
	_, list, _ := strings.Cut(proposal, "[")
	list, _, _ = strings.Cut(list, "]")
	return slices.Contains(strings.Fields(list), string(id))
}

// categoryLabel is the label of a category; L0 for one that isn't there.
func (w *world) categoryLabel(id privacy.CategoryID) privacy.Label {
	c, _ := w.policy.Category(id)
	return c.Label()
}

// stricter orders labels for the owner's eye: by level, and at one level what is
// kept to a domain before what is not.
func stricter(a, b privacy.Label) bool {
	if a.Level != b.Level {
		return a.Level < b.Level
	}
	return a.Domain != "" && b.Domain == ""
}

// assess finds out whom each item's guess lets in, and the risk of it.
//
// Every item is judged as if the owner had said yes to the guess, and confirmed
// what is held, one by one: what facts of an event lend each other is left out.
// The true effect of a decision is computed when it is made.
func (w *world) assess(queue []waiting, items []ReviewItem, now time.Time) {
	facts := slices.Clone(w.facts)
	for k := range queue {
		f := &facts[queue[k].index]
		f.Marks = slices.Clone(f.Marks)
		for _, id := range items[k].Guess {
			f.Marks = append(f.Marks, privacy.Mark{Kind: privacy.MarkCategory, Value: string(id), By: privacy.ByHand, At: now})
		}
		if queue[k].group == ReviewUntrusted {
			f.Marks = append(f.Marks, privacy.Mark{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByHand, At: now})
		}
	}
	if len(queue) == 0 {
		return
	}
	as := newWorld(w.policy, facts, w.rules, now)
	alone := make([]privacy.Fact, len(queue))
	for k := range queue {
		alone[k] = as.marks[queue[k].index]
		alone[k].Event = ""
	}
	judge := privacy.NewJudge(w.policy, alone)
	lets := map[privacy.CategoryID]map[string]bool{} // category → who passes its gate
	for k := range items {
		item := &items[k]
		if len(item.Guess) == 0 {
			continue
		}
		// What is no stricter than the guess itself is no measure of it.
		base := map[string]bool{}
		if stricter(w.categoryLabel(item.Strictest), judge.Label(k)) {
			if lets[item.Strictest] == nil {
				lets[item.Strictest] = w.gate(item.Strictest)
			}
			base = lets[item.Strictest]
		}
		beyond := 0
		for _, who := range judge.Who(k) {
			if who.Verdict.Reason != privacy.ReasonDefault {
				continue // an exception lets them in, whatever the category
			}
			if who.Person == "" {
				item.Strangers = true
			} else {
				item.Opens = append(item.Opens, who.Name)
			}
			if !base[who.Name] {
				beyond++
			}
		}
		depth := int(privacy.L4-min(w.categoryLabel(item.Strictest).Level, judge.Label(k).Level)) + 1
		item.Risk = beyond * depth
	}
}

// gate returns the names of those whom a category lets in, "" for strangers.
func (w *world) gate(id privacy.CategoryID) map[string]bool {
	out := map[string]bool{}
	for _, who := range privacy.NewJudge(w.policy, []privacy.Fact{{ID: "any", Categories: []privacy.CategoryID{id}}}).Who(0) {
		out[who.Name] = true
	}
	return out
}
