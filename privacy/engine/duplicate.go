package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// sameContent is the share of the shorter statement's content words that must
// stand in the other for the two to say the same.
const sameContent = 0.75

// withoutDuplicates leaves one of several facts that say the same of one event: the
// one in language, else the one that says most. The others stay in their order. It
// drops nothing that states a day, a sum or a name that the one kept doesn't.
func withoutDuplicates(facts []privacy.Record, language string) []privacy.Record {
	byEvent := map[string][]int{}
	for i := range facts {
		if m := lastMark(&facts[i], privacy.MarkEvent); m != nil && m.Value != "" {
			byEvent[m.Value] = append(byEvent[m.Value], i)
		}
	}
	drop := map[int]bool{}
	for _, same := range byEvent {
		if len(same) < 2 {
			continue
		}
		said := make(map[int]content, len(same))
		for _, i := range same {
			said[i] = contentOf(&facts[i])
		}
		// Whoever is to be kept comes first.
		slices.SortFunc(same, func(i, j int) int {
			a, b := said[i], said[j]
			return cmp.Or(-cmpBool(a.language == language, b.language == language), cmp.Compare(len(b.terms), len(a.terms)),
				when(&facts[j]).Compare(when(&facts[i])), strings.Compare(string(facts[i].ID), string(facts[j].ID)))
		})
		for k, i := range same {
			for _, kept := range same[:k] {
				if !drop[kept] && said[i].saidBy(said[kept]) {
					drop[i] = true
					break
				}
			}
		}
	}
	out := make([]privacy.Record, 0, len(facts)-len(drop))
	for i := range facts {
		if !drop[i] {
			out = append(out, facts[i])
		}
	}
	return out
}

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// content is what a statement says, as far as it can be compared.
type content struct {
	details
	language string
	speaker  string // whose claim it is told as, "" for what is so
	denies   int    // words that turn a statement into its contrary
	themes   map[string]bool
}

func contentOf(r *privacy.Record) content {
	c := content{details: detailsOf(r.Text), language: r.Language}
	if c.language == "" {
		c.language = lexical.Language(r.Text)
	}
	if !r.Gold() && !baseOf(r).trusted {
		c.speaker = r.Speaker
	}
	c.terms = slices.DeleteFunc(c.terms, func(t string) bool { return isNumber(t) || isMonth(t) || lightWords[t] || lightCJK[t] })
	for _, w := range lexical.Words(r.Text) {
		if negations[w] || strings.HasSuffix(w, "n't") {
			c.denies++
		}
	}
	for _, w := range negationsCJK {
		c.denies += strings.Count(r.Text, w)
	}
	c.themes = themesOf(r.Text)
	return c
}

// negations turn a statement into its contrary, or call off what it says.
var (
	negations    = set("not no never none nothing nobody without neither nor cancel cancelled canceled cancels off called postponed postpone instead stopped longer failed refused declined nicht kein keine nie abgesagt verschoben")
	negationsCJK = w("不 没 未 无 别 取消 推迟 延期 改 停 拒绝")
)

// saidBy reports whether d says all that c says.
func (c content) saidBy(d content) bool {
	within := func(less, more []string, same func(a, b string) bool) bool {
		return !slices.ContainsFunc(less, func(a string) bool {
			return !slices.ContainsFunc(more, func(b string) bool { return same(a, b) })
		})
	}
	equal := func(a, b string) bool { return a == b }
	if c.speaker != d.speaker || c.denies != d.denies || !within(c.dates, d.dates, sameDay) || !within(c.numbers, d.numbers, equal) {
		return false
	}
	if c.language != d.language {
		// Words don't compare; details do, where there are any.
		return len(c.dates)+len(c.numbers) > 0 && meets(c.themes, d.themes)
	}
	if !within(c.names, d.names, equal) || len(c.terms) == 0 {
		return false
	}
	n := 0
	for _, t := range c.terms {
		if slices.Contains(d.terms, t) {
			n++
		}
	}
	return float64(n) >= sameContent*float64(min(len(c.terms), len(d.terms)))
}
