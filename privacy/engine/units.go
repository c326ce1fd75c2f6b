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
)

// askWords are terms of questions that say nothing of what is asked for.
var askWords = stems("tell know say said think happen ask answer question please thing something anything everything yes no really actually hear heard time day give need want word line short summarise summary one way let make fine ok well sorry hello hey hi thanks thank dear course sure exact exactly least listen honest honestly hope guess wonder remember curious mind please kindly okay")

// lastWords are everyday verbs of happening: where a question has nothing else, they
// are what it asks about ("when does she start?").
var lastWords = stems("start starts started begin begins began beginning come comes came coming end ends ended finish finished stop stopped arrive return")

// newsWords are terms of questions for news that name no topic.
var newsWords = stems("news newest latest update updates catch miss missed life going doing keeping things world moment date fill bring")

// newsCJK are the words of Chinese questions for news; longer ones first where one
// holds another.
var newsCJK = w("有什么新鲜事 有什么新消息 有什么新情况 有什么新 忙什么 在干什么 在干嘛 什么情况 怎么样 怎样 如何 好吗 咋样 还好 还行 近况 最近 近来 这阵子 这段时间 生活 过得 日子")

func stems(list string) map[string]bool {
	out := map[string]bool{}
	for _, s := range strings.Fields(list) {
		out[lexical.Stem(s)] = true
	}
	return out
}

// Units implements [UnitFinder] on permitted candidates. A fact is asked for if it
// shares a telling term, a number or a day with the question (or, where their
// languages differ, or nothing else is shared, a theme of everyday life that the
// question names) and its score is not far below the best such fact's. A person's
// name tells only where the question has no topic of its own: "is Anna pregnant?"
// doesn't ask for Anna's wedding. A question for news that names no topic ("what's
// new?") asks for the newest few.
func (o *Offline) Units(ctx context.Context, question string, candidates []Ranked) (Units, error) {
	if err := ctx.Err(); err != nil {
		return Units{}, err
	}
	folded := foldText(question)
	out := Units{Connect: connects.MatchString(folded)}
	q := newAsked(question, folded, candidates)
	outcome := asksOutcome(folded)
	if !q.hasTopic() && len(q.dates) == 0 && general.MatchString(folded) {
		out.Facts = newestOf(candidates)
		return out, nil
	}
	var found []askedFor
	for i := range candidates {
		if err := ctx.Err(); err != nil {
			return Units{}, err
		}
		if n := q.strength(&candidates[i].Record, out.Connect); n > 0 {
			found = append(found, askedFor{&candidates[i], n, n <= conceptStrength})
		}
	}
	if len(found) == 0 {
		for i := range candidates {
			if q.aboutTheme(candidates[i].Record.Text) {
				found = append(found, askedFor{&candidates[i], 1, true})
			}
		}
	}
	if len(found) == 0 {
		found = ofMonths(folded, candidates)
	}
	if outcome {
		found = append(found, outcomesOf(found, candidates)...)
	}
	if q.matter {
		found = append(found, matesOf(found, candidates)...)
	}
	out.Facts = bestOf(found)
	if len(out.Facts) < taughtBounds(scriptOf(question), o.lessons).least(folded) {
		out.Facts = nil
	}
	return out, nil
}

// askedFor is a candidate with how much of the question it shares.
type askedFor struct {
	*Ranked
	strength float64
	byTheme  bool // found by what it is about, not by its words: its score says little
}

// bestOf returns the ids of the facts that are not far below the best, best first.
func bestOf(found []askedFor) []privacy.FactID {
	best, strongest := 0.0, 0.0
	for _, m := range found {
		best, strongest = max(best, m.Score), max(strongest, m.strength)
	}
	found = slices.DeleteFunc(found, func(m askedFor) bool {
		return !m.byTheme && m.Score < relativeCut*best || m.strength < relativeCut*strongest
	})
	slices.SortStableFunc(found, func(a, b askedFor) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.strength, a.strength), strings.Compare(string(a.Record.ID), string(b.Record.ID)))
	})
	var out []privacy.FactID
	for _, m := range found[:min(len(found), maxUnits)] {
		out = append(out, m.Record.ID)
	}
	return out
}

func isMonth(t string) bool { _, ok := months[t]; return ok }

// uniqueTerms returns the index terms of text, sorted.
func uniqueTerms(text string) []string { return termsMemo.of(text) }

func readTerms(text string) []string {
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
