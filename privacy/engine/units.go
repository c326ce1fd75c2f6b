package engine

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Cut-offs of the offline unit finder.
const (
	// maxUnits is how many facts one question can ask for.
	maxUnits = 8
	// newest is how many facts answer "what's new".
	newest = 4
	// relativeCut drops what scores less than this share of the best match.
	relativeCut = 0.3
	// commonShare: a term that more than this share of the candidates has (five of
	// them at least) tells none of them apart.
	commonShare = 0.6
	commonLeast = 5
)

var (
	connects = regexp.MustCompile(`\bboth\b.+\band\b|\b(?:connect(?:ed|ion)?|related?|relation(?:ship)?|linked?|link between|have to do with|has to do with|had to do with|because of|caused?|led to|lead to|at the same time as|together with|the reason (?:for|why))\b|(?:和|跟|与).+(?:有(?:没有|什么|啥)?关系|有关|相关|联系)|是不是因为|是因为|之所以|既.+又|同时|导致|跟.+一回事|\b(?:sowohl|zusammenhang|hängt .+ zusammen|wegen)\b`)
	general  = regexp.MustCompile(`^(?:(?:hi|hey|hello|so|and|well|ok|oh)[ ,!.]+)*(?:what's new|what is new|whats new|any news|what's up|what's going on|what has been going on|what's been going on|what's happening|how (?:are|is|have|has) (?:things|you|it|he|she|they|life|everything|[\p{L}]+)(?: (?:been|doing|going|getting on|keeping|these days|lately|recently))*|tell me (?:everything|something|about (?:him|her|them|yourself))|anything new|what have i missed|catch me up|bring me up to date)\b|(?:最近|近来|这阵子|这段时间|近况).{0,8}(?:怎么样|如何|好吗|忙什么|在干嘛|在干什么|有什么新|咋样|还好|还行|什么情况)|有什么新(?:鲜事|消息|情况)|近况|(?:was gibt's neues|gibt es (?:was|etwas) neues|wie geht)`)
	// plainGeneral takes what may follow in a general question without making it
	// one about something.
	generalTail = regexp.MustCompile(`^[\s,.!?？。！]*(?:with|from|about|for|in|at|by)?[\s,]*(?:[\p{L}']+[\s,]*){0,3}(?:these days|lately|recently|at the moment|right now|then|today)?[\s,.!?？。！呢啊吗]*$`)
)

// askWords are terms of questions that say nothing of what is asked for.
var askWords = stems("tell know say said think happen ask answer question please thing something anything everything yes no really actually hear heard time day give need want word line short summarise summary one way let make")

func stems(list string) map[string]bool {
	out := map[string]bool{}
	for _, s := range strings.Fields(list) {
		out[lexical.Stem(s)] = true
	}
	return out
}

// Units implements [UnitFinder] on permitted candidates. A fact is asked for if
// it shares a telling term, a name, a number or a day with the question (or,
// where their languages differ, a theme of everyday life) and its score is not
// far below the best such fact's. A general question ("what's new?") asks for
// the newest few.
func (o *Offline) Units(ctx context.Context, question string, candidates []Ranked) (Units, error) {
	if err := ctx.Err(); err != nil {
		return Units{}, err
	}
	folded := foldText(question)
	out := Units{Connect: connects.MatchString(folded)}
	if loc := general.FindStringIndex(folded); loc != nil && generalTail.MatchString(folded[loc[1]:]) {
		out.Facts = newestOf(candidates)
		return out, nil
	}
	q := detailsOf(question)
	asked := tellingTerms(q.terms, candidates)
	qLanguage := lexical.Language(question)
	type match struct {
		Ranked
		strength float64
	}
	var found []match
	for _, c := range candidates {
		d := detailsOf(c.Record.Text)
		days := append(slices.Clone(d.dates), stampDays(c.Record)...)
		n := 0.0
		for _, t := range d.terms {
			if asked[t] {
				n++
			}
		}
		if shared(q.dates, days, sameDay) {
			n++
		}
		if n == 0 && !sameScript(qLanguage, c.Record) && sharedTheme(question, c.Record.Text) {
			n = relativeCut / 2 // a theme counts only where nothing else is shared
		}
		if n > 0 {
			found = append(found, match{c, n})
		}
	}
	best, strongest := 0.0, 0.0
	for _, m := range found {
		best, strongest = max(best, m.Score), max(strongest, m.strength)
	}
	found = slices.DeleteFunc(found, func(m match) bool {
		return m.Score < relativeCut*best || m.strength < relativeCut*strongest
	})
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.strength, a.strength), strings.Compare(string(a.Record.ID), string(b.Record.ID)))
	})
	for _, m := range found[:min(len(found), maxUnits)] {
		out.Facts = append(out.Facts, m.Record.ID)
	}
	return out, nil
}

// tellingTerms are the terms of a question that can tell candidates apart: not
// the owner's name, not what most candidates share, not words of asking.
func tellingTerms(terms []string, candidates []Ranked) map[string]bool {
	df := map[string]int{}
	owner := map[string]bool{}
	for _, c := range candidates {
		for _, t := range uniqueTerms(c.Record.Text) {
			df[t]++
		}
		if c.Record.OwnerSaid {
			for _, t := range lexical.Terms(c.Record.Speaker) {
				owner[t] = true
			}
		}
	}
	out := map[string]bool{}
	for _, t := range terms {
		common := df[t] >= commonLeast && float64(df[t]) > commonShare*float64(len(candidates))
		if !askWords[t] && !owner[t] && !common && !isMonth(t) {
			out[t] = true
		}
	}
	return out
}

func isMonth(t string) bool { _, ok := months[t]; return ok }

func uniqueTerms(text string) []string {
	ts := lexical.Terms(text)
	slices.Sort(ts)
	return slices.Compact(ts)
}

func stampDays(r privacy.Record) []string {
	var out []string
	for _, s := range []privacy.Stamp{r.HappenedAt, r.SaidAt} {
		if d := s.Date(); d != "" {
			out = append(out, d)
		}
	}
	return out
}

// newestOf returns the ids of the newest candidates, newest first.
func newestOf(candidates []Ranked) []privacy.FactID {
	cs := slices.Clone(candidates)
	slices.SortFunc(cs, func(a, b Ranked) int {
		return cmp.Or(when(&b.Record).Compare(when(&a.Record)), strings.Compare(string(a.Record.ID), string(b.Record.ID)))
	})
	var out []privacy.FactID
	for _, c := range cs[:min(len(cs), newest)] {
		out = append(out, c.Record.ID)
	}
	return out
}

// when is the time of a fact: when it happened, else when it was said.
func when(r *privacy.Record) privacy.Stamp {
	if !r.HappenedAt.IsZero() {
		return r.HappenedAt
	}
	return r.SaidAt
}

func sameScript(language string, r privacy.Record) bool {
	other := r.Language
	if other == "" {
		other = lexical.Language(r.Text)
	}
	return language == other
}

// sharedTheme reports whether two texts in different languages speak of one
// theme.
func sharedTheme(a, b string) bool {
	ta := themesOf(a)
	for id := range themesOf(b) {
		if ta[id] {
			return true
		}
	}
	return false
}

func themesOf(text string) map[string]bool {
	out := map[string]bool{}
	folded := foldText(text)
	terms := uniqueTerms(text)
	for i, all := 0, stemmedThemes(); i < len(all); i++ {
		t := &all[i]
		if slices.ContainsFunc(terms, func(s string) bool { return t.stems[s] || t.german[s] }) || t.countCJK(folded) > 0 {
			out[t.id] = true
		}
	}
	return out
}
