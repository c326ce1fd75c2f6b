package agent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// sameKind is the share of all content words of two facts that they must have in
// common to be of the same kind. It is high on purpose: what the owner decides of
// one is offered for the other.
const sameKind = 0.8

// kind is what is compared of a fact to find its like.
type kind struct {
	terms    []string // content words, sorted; without numbers and months
	numbers  []string // numbers and months, sorted: what it says, not what it is about
	denials  int      // words that turn a statement into its contrary
	speaker  string   // of what doesn't rest on the owner's words; "" else
	subject  string
	category string // those that it was taken for, before the owner decided
}

// kindOf reads what is compared of a fact. What the owner decided by hand is left
// out: a fact stays of the kind that it was.
func kindOf(f *privacy.Record) kind {
	k := kind{subject: privacy.NormalizeName(f.Subject)}
	if !f.OwnerSaid {
		k.speaker = "by " + privacy.NormalizeName(f.Speaker)
	}
	var taken []string
	for _, m := range f.Marks {
		if m.Kind == privacy.MarkCategory && m.By != privacy.ByHand {
			taken = append(taken, m.Value)
		}
	}
	slices.Sort(taken)
	k.category = strings.Join(slices.Compact(taken), " ")
	for _, t := range lexical.Terms(f.Text) {
		if isDigits(t) || months[t] {
			k.numbers = append(k.numbers, t)
		} else {
			k.terms = append(k.terms, t)
		}
	}
	for _, word := range lexical.Words(f.Text) {
		if denials[word] || strings.HasSuffix(word, "n't") {
			k.denials++
		}
	}
	for _, r := range f.Text {
		if strings.ContainsRune("不没未无别", r) {
			k.denials++
		}
	}
	for _, list := range []*[]string{&k.terms, &k.numbers} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return k
}

var (
	denials = wordSet("not no never none nothing nobody without nicht kein keine nie")
	months  = monthTerms("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember")
)

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(words) {
		out[word] = true
	}
	return out
}

func monthTerms(words string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(words) {
		out[lexical.Stem(word)] = true
	}
	return out
}

// alike reports whether two facts are of the same kind: they say nearly the same
// of the same person, whatever the day or the sum, and the annotator took them for
// the same. With exact the numbers must agree too: what is true of one sum need
// not be of another.
func (k *kind) alike(o *kind, exact bool) bool {
	if k.denials != o.denials || k.speaker != o.speaker || k.subject != o.subject || k.category != o.category {
		return false
	}
	if exact && !slices.Equal(k.numbers, o.numbers) {
		return false
	}
	if len(k.terms) == 0 || len(o.terms) == 0 {
		return false
	}
	common := 0
	for _, t := range k.terms {
		if _, ok := slices.BinarySearch(o.terms, t); ok {
			common++
		}
	}
	return float64(common) >= sameKind*float64(len(k.terms)+len(o.terms)-common)
}

// kinds finds facts of the same kind without comparing all with all.
type kinds struct {
	all []kind
	// by holds for each term the kinds in which it is among the rarest. Two that
	// share sameKind of their terms share one of these.
	by   map[string][]int
	rare func(a, b string) int
}

func newKinds(all []kind) *kinds {
	in := map[string]int{}
	for i := range all {
		for _, t := range all[i].terms {
			in[t]++
		}
	}
	x := &kinds{all: all, by: map[string][]int{}, rare: func(a, b string) int {
		return cmp.Or(cmp.Compare(in[a], in[b]), strings.Compare(a, b))
	}}
	for i := range all {
		for _, t := range x.rarest(&all[i]) {
			x.by[t] = append(x.by[t], i)
		}
	}
	return x
}

// rarest returns so many of the rarest terms of k that a kind which shares none of
// them can't be like it.
func (x *kinds) rarest(k *kind) []string {
	terms := slices.Clone(k.terms)
	slices.SortFunc(terms, x.rare)
	needed := 0 // common terms that even the most favourable other one must have
	for float64(needed) < sameKind*float64(len(terms)) {
		needed++
	}
	return terms[:min(len(terms), len(terms)-needed+1)]
}

// like returns the places of those that are like k, ascending.
func (x *kinds) like(k *kind, exact bool) []int {
	var out []int
	for _, t := range x.rarest(k) {
		for _, i := range x.by[t] {
			if x.all[i].alike(k, exact) {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// foldAlike folds what is alike into the first of them. The items keep their order.
func (w *world) foldAlike(items []ReviewItem) []ReviewItem {
	all := make([]kind, len(items))
	for i := range items {
		all[i] = kindOf(&w.facts[w.byID[items[i].ID]].Record)
	}
	index := newKinds(all)
	folded := make([]bool, len(items))
	var out []ReviewItem
	for i := range items {
		if folded[i] {
			continue
		}
		folded[i] = true
		item := items[i]
		for _, k := range index.like(&all[i], false) {
			if !folded[k] && items[k].Group == item.Group {
				folded[k] = true
				item.Alike = append(item.Alike, items[k].ID)
			}
		}
		item.SameEvent = slices.DeleteFunc(item.SameEvent, func(id privacy.FactID) bool { return slices.Contains(item.Alike, id) })
		out = append(out, item)
	}
	return out
}

// alikeTo returns the waiting facts that are like one of ids, themselves left out,
// in the order of the store. The ids need not wait: a decision can be carried to
// what is alike later.
func (w *world) alikeTo(ids []privacy.FactID, exact bool) []privacy.FactID {
	queue := w.queue()
	all := make([]kind, len(queue))
	for k := range queue {
		all[k] = kindOf(&w.facts[queue[k].index].Record)
	}
	index := newKinds(all)
	var out []privacy.FactID
	for _, id := range ids {
		own := kindOf(&w.facts[w.byID[id]].Record)
		for _, k := range index.like(&own, exact) {
			if other := w.facts[queue[k].index].ID; !slices.Contains(ids, other) && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	slices.Sort(out)
	return out
}
