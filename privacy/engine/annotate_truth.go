package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Sentences in which the owner says that something is a story for others. The
// group holds for whom; it is empty where the sentence doesn't say.
var coverPatterns = []rule{
	{[]string{"told", "said to", "texted", "wrote"}, regexp.MustCompile(`\b(?:i|we)(?:'ve| have)? (?:told|said to|texted|wrote) (.+?) (?:that )?(?:it was|it's|it is|it were) (?:just |only |all )?(?:a|an|the|my|some|about|for)\b`)},
	{[]string{"lied", "fib", "fool", "trick", "misled", "deceiv"}, regexp.MustCompile(`\b(?:i|we)(?:'ve| have)? (?:lied to|fibbed to|fooled|tricked|misled|deceived) (.+?)(?: (?:that|and|about|saying|by)\b|$| ,)`)},
	{[]string{"as far as"}, regexp.MustCompile(`\bas far as (.+?) (?:knows?|is concerned|are concerned|can tell)\b`)},
	{[]string{"it's", "it is", "i'm", "i am", "it was"}, regexp.MustCompile(`\b(?:for|to) ((?:everyone|everybody|the rest|people|my|the) ?[a-z' ]{0,20}?) (?:it's|it is|i'm|i am|it was) (?:officially |just )?(?:a|an|the|at|on|in)\b`)},
	{[]string{"think", "believe", "assume", "been told", "was told", "were told"}, othersThink},
	{[]string{"officially"}, regexp.MustCompile(`\bofficially(?: ,)? (?:i'm|i am|i was|it's|it is|it was|we're|we are|i have|i had)\b()`)},
	{[]string{"cover", "alibi", "excuse", "official", "story for"}, regexp.MustCompile(`\b(?:my|our|the) (?:cover story|cover|alibi|excuse|official (?:story|version|line|reason)|story for (?:everyone|work|them)) (?:is|was|will be|:|being)\b()`)},
	{[]string{"if any", "if some", "if they"}, regexp.MustCompile(`\bif (?:anyone|anybody|somebody|someone|they) asks?(?: ,)? (?:i'm|i am|i was|it's|it is|it was|say|tell them|you say|i have|i had)\b()`)},
	{[]string{"made up", "invented", "pretend"}, regexp.MustCompile(`\b(?:i )?(?:made up|invented|pretend(?:ed|ing)?|pretending)(?: to (.+?))? (?:a |an |the |that |to |it)`)},
	{[]string{"stick", "keep to", "kept to", "keep up"}, regexp.MustCompile(`\b(?:stick to|keep to|kept to|keep up|sticking to) the [a-z ]{1,30}(?:story|version|excuse)\b()`)},
	{[]string{"对外"}, regexp.MustCompile(`对外(?:面)?(?:就|都|一律|只|统一)?(?:说|讲|称|宣称)()`)},
	{[]string{"说"}, regexp.MustCompile(`(?:我|咱|我们)(?:是)?(?:跟|和|对|给)([^，,。]{1,14}?)(?:都|一直|就|只)?说(?:的)?(?:是|成|我是|我去|我在|我要去|我要|自己|去|要去|在)`)},
	{[]string{"骗", "哄", "糊弄", "忽悠"}, regexp.MustCompile(`(?:骗|哄|糊弄|忽悠)(?:了|过|着)?([^，,。说]{1,10}?)(?:说|，|,|$|的|是|去|我)`)},
	{[]string{"以为"}, regexp.MustCompile(`([^，,。]{1,10}?)(?:还|都|一直|至今)*以为(?:我|是|咱)`)},
	{[]string{"借口", "幌子", "托词", "由头", "口径"}, regexp.MustCompile(`(?:借口|幌子|托词|由头|口径)(?:是|就是|：|:|，|,)?()`)},
	{[]string{"问"}, regexp.MustCompile(`(?:谁|有人|别人|他们|学校|单位|家里)(?:要是)?问(?:起来|起|到|你)?(?:来)?[，, ]?(?:你|我|咱|大家)?(?:就|都)说()`)},
	{[]string{"编", "谎", "假装"}, regexp.MustCompile(`(?:编了|编个|撒了个谎|撒谎|扯了个谎|假装)()`)},
}

// othersThink: what people of the owner's circle believe.
var othersThink = regexp.MustCompile(`\b([a-z' ]{2,30}?) (?:still )?(?:thinks?|believes?|assumes?|has been told|was told|were told|have been told)(?: that)? (?:it's|it is|it was|i'm|i am|i was|i have|i had|i've|we're|we are|we were|there's)\b`)

// turnsBack is where a sentence goes from the story to what is so.
var turnsBack = regexp.MustCompile(`\b(?:but|actually|really|in fact|in truth|the truth is|instead)\b|其实|实际上|真实|真相|不过真|但其实`)

var turnsBackCues = w("but actual real fact truth instead 其实 实际上 真实 真相 不过真")

// toldStory is a cover story found in the owner's words.
type toldStory struct {
	text   string // the clause that tells it
	truth  string // what the owner says to be so instead, "" where nothing is said
	toldTo []privacy.PersonID
	groups []privacy.GroupID
}

// coverStories returns the cover stories that utterance i, one of the owner's,
// speaks of.
func (a *audience) coverStories(t *talk, i int) []toldStory {
	cs := t.clauses(i)
	if text := t.turn(i).folded; containsAny(text, turnsBackCues) {
		cs = clausesOf(turnsBack.ReplaceAllString(text, ". "))
	}
	var out []toldStory
	for _, c := range cs {
		if c.question && (questionLed.MatchString(c.text) || zhQuestion.MatchString(c.text)) {
			continue
		}
		for k := range coverPatterns {
			m := coverPatterns[k].submatch(c.text)
			if m == nil {
				continue
			}
			var q parties
			if who := strings.TrimSpace(m[1]); hasCJK(who) {
				q = a.endCJK(who)
			} else if who != "" {
				q = a.listBefore(strings.Fields(who))
			}
			var before []privacy.PersonID
			if q.pronoun {
				before = t.named(a, i)
			}
			d := q.deny(before)
			if coverPatterns[k].re == othersThink && len(d.people)+len(d.groups) == 0 {
				continue // "people will think it's odd" is no story told to anybody
			}
			out = append(out, toldStory{text: c.text, toldTo: d.people, groups: d.groups})
			break
		}
	}
	return append(out, a.straightStories(t, i)...)
}

// storyIndex finds which of an utterance's cover stories a draft stands in.
type storyIndex struct {
	parties [][]privacy.Party // story → whom it was told to, sorted
	truth   []map[string]bool // story → terms of what is said to be so instead
	terms   map[string][]int  // term → stories
	runes   map[rune][]int    // character → stories
	tellers map[privacy.Party]int
}

// stories returns the cover stories of utterance i, found once.
func (t *talk) stories(a *audience, i int) *storyIndex {
	u := t.turn(i)
	if u.stories != nil {
		return u.stories
	}
	x := newStoryIndex()
	u.stories = x
	for _, story := range a.coverStories(t, i) {
		x.put(story)
	}
	for _, q := range t.setRight(a, i) {
		x.tellers[q]++
	}
	return x
}

func newStoryIndex() *storyIndex {
	return &storyIndex{terms: map[string][]int{}, runes: map[rune][]int{}, tellers: map[privacy.Party]int{}}
}

func (x *storyIndex) put(story toldStory) {
	k := len(x.parties)
	var parties []privacy.Party
	for _, q := range story.toldTo {
		parties = append(parties, privacy.Party(q))
	}
	for _, g := range story.groups {
		parties = append(parties, privacy.GroupParty(g))
	}
	for _, q := range parties {
		x.tellers[q]++
	}
	x.parties = append(x.parties, parties)
	for _, term := range uniqueTerms(story.text) {
		x.terms[term] = append(x.terms[term], k)
	}
	seen := map[rune]bool{}
	for _, r := range story.text {
		if isCJKRune(r) && !seen[r] {
			seen[r] = true
			x.runes[r] = append(x.runes[r], k)
		}
	}
	// Of what is so, only what the story doesn't say as well tells the two apart.
	story.truth = turnsBack.ReplaceAllString(story.truth, " ")
	so, told := map[string]bool{}, termSet(story.text)
	for _, term := range uniqueTerms(story.truth) {
		if !told[term] {
			so[term] = true
		}
	}
	x.truth = append(x.truth, so)
}

// coverShare is how much of a draft must stand in the sentence that tells a
// cover story for the draft to be that story and nothing else.
const coverShare = 0.7

// covering returns the stories in which the content of draft stands; the names of
// people don't count, since a draft has them resolved.
func (x *storyIndex) covering(a *audience, draft string) []int {
	if len(x.parties) == 0 {
		return nil
	}
	in, of := make([]int, len(x.parties)), 0
	if hasCJK(draft) {
		// Bigrams break at every resolved pronoun; characters don't.
		for _, r := range a.withoutNames(foldText(draft)) {
			if isCJKRune(r) && contentRune(r) {
				of++
				for _, k := range x.runes[r] {
					in[k]++
				}
			}
		}
	} else {
		for _, t := range uniqueTerms(draft) {
			if a.nameTerms[t] || isDateTerm(t) {
				continue
			}
			of++
			for _, k := range x.terms[t] {
				in[k]++
			}
		}
	}
	var out []int
	said := uniqueTerms(draft)
	for k, n := range in {
		if of > 0 && float64(n) >= coverShare*float64(of) && !x.tellsTruth(a, k, said) {
			out = append(out, k)
		}
	}
	return out
}

// tellsTruth reports whether a draft of these terms says some of what is so
// instead of story k: lie and truth in one draft are no cover story.
func (x *storyIndex) tellsTruth(a *audience, k int, terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool { return x.truth[k][t] && !a.nameTerms[t] && !isDateTerm(t) })
}

func contentRune(r rune) bool { return len(lexical.Terms(string(r))) > 0 }

// truthMarks returns the marks of truth and trust of a draft, and who heard it.
//
// A draft is a cover story where most of what it says stands in a sentence by
// which the owner says so; where it says more, it holds what is so as well, and
// those who were told the story need a whitelist for it.
func truthMarks(a *audience, t *talk, r *privacy.Record) []privacy.Mark {
	trusted := restsOnOwner(t, r)
	var out []privacy.Mark
	add := func(kind privacy.MarkKind, value string, by privacy.MarkSource, rule, turn string) {
		out = append(out, privacy.Mark{Kind: kind, Value: value, By: by, Rule: rule, Turn: turn})
	}
	if !trusted {
		add(privacy.MarkTruth, privacy.Real.String(), privacy.ByMachine, "MARKS 8", "")
		add(privacy.MarkReview, "rests on somebody else's words", privacy.ByMachine, "MARKS 8", "")
		return out
	}
	var heard []string
	isCover, lied := false, map[string]bool{} // whom r is kept from by a story
	for _, id := range r.Evidence {
		i, ok := t.at[id]
		if !ok || !t.s.Utterances[i].Owner {
			continue
		}
		for _, name := range t.s.Utterances[i].Listeners {
			heard = append(heard, partyName(a.p, name))
		}
		x := t.stories(a, i)
		covering := x.covering(a, r.Text)
		isCover = isCover || len(covering) > 0
		told := map[privacy.Party]int{} // how many of the stories that r tells each was told
		for _, k := range covering {
			for _, q := range x.parties[k] {
				told[q]++
			}
		}
		for _, q := range sortedKeys(told) {
			add(privacy.MarkToldTo, string(q), privacy.ByMachine, "MARKS 7", id)
		}
		for _, q := range sortedKeys(x.tellers) {
			if x.tellers[q] > told[q] { // a story that r doesn't tell
				add(privacy.MarkReserved, string(q), privacy.ByMachine, "MARKS 7", id)
				lied[string(q)] = true
			}
		}
	}
	if len(r.Evidence) == 0 {
		for _, name := range r.Listeners {
			heard = append(heard, partyName(a.p, name))
		}
	}
	truth := privacy.Real
	if isCover {
		truth = privacy.Cover
	} else {
		slices.Sort(heard)
		for _, name := range slices.Compact(heard) {
			if name != "" && !lied[name] {
				add(privacy.MarkToldTo, name, privacy.ByTold, "MARKS 5", "")
			}
		}
	}
	if a.p.Settings().ToldByOwner == privacy.ToldAsk && !isCover && len(heard) > 0 {
		add(privacy.MarkReview, "told to somebody: may they hear it again?", privacy.ByMachine, "MARKS 5", "")
	}
	add(privacy.MarkTruth, truth.String(), privacy.ByMachine, "MARKS 7", "")
	add(privacy.MarkTrusted, "true", privacy.ByMachine, "MARKS 11", "")
	if teller, turn, ok := t.passedOn(a, r); ok {
		add(privacy.MarkConfided, teller, privacy.ByMachine, "MARKS 9", turn)
		add(privacy.MarkReview, "somebody told it in confidence: who may know?", privacy.ByMachine, "MARKS 9", turn)
	}
	return out
}

// withoutNames cuts the names of the policy's people from folded text.
func (a *audience) withoutNames(s string) string {
	for _, name := range a.names {
		if strings.Contains(s, name) {
			s = strings.ReplaceAll(s, name, " ")
		}
	}
	return s
}

func isDateTerm(t string) bool {
	_, month := months[t]
	return month || strings.ContainsAny(t[:1], "0123456789")
}

// restsOnOwner reports whether a draft rests on the owner's own words (MARKS 11):
// the owner said it, in words that are no quotation, and where others' words are
// evidence too, at least half of what the evidence states of it is the owner's.
func restsOnOwner(t *talk, r *privacy.Record) bool {
	if !r.OwnerSaid {
		return false
	}
	quoted := false
	for _, id := range r.Evidence {
		if i, ok := t.at[id]; ok {
			quoted = quoted || !t.s.Utterances[i].Owner || t.turn(i).quoted
		}
	}
	if !quoted {
		return true
	}
	mine, all := 0, 0
	for _, term := range uniqueTerms(r.Text) {
		owners, others := false, false
		for _, id := range r.Evidence {
			i, ok := t.at[id]
			if !ok {
				continue
			}
			own, said := t.terms(i)
			if t.s.Utterances[i].Owner {
				owners = owners || own[term]
			}
			others = others || said[term]
		}
		if owners {
			mine++
		}
		if owners || others {
			all++
		}
	}
	return all > 0 && 2*mine >= all
}
