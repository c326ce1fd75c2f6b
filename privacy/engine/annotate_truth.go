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
var coverPatterns = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:i|we)(?:'ve| have)? (?:told|said to|texted|wrote) (.+?) (?:that )?(?:it was|it's|it is|it were) (?:just |only |all )?(?:a|an|the|my|some|about|for)\b`),
	regexp.MustCompile(`\b(?:i|we)(?:'ve| have)? (?:lied to|fibbed to|fooled|tricked|misled|deceived) (.+?)(?: (?:that|and|about|saying|by)\b|$| ,)`),
	regexp.MustCompile(`\bas far as (.+?) (?:knows?|is concerned|are concerned|can tell)\b`),
	regexp.MustCompile(`\b(?:for|to) ((?:everyone|everybody|the rest|people|my|the) ?[a-z' ]{0,20}?) (?:it's|it is|i'm|i am|it was) (?:officially |just )?(?:a|an|the|at|on|in)\b`),
	othersThink,
	regexp.MustCompile(`\bofficially(?: ,)? (?:i'm|i am|i was|it's|it is|it was|we're|we are|i have|i had)\b()`),
	regexp.MustCompile(`\b(?:my|our|the) (?:cover story|cover|alibi|excuse|official (?:story|version|line|reason)|story for (?:everyone|work|them)) (?:is|was|will be|:|being)\b()`),
	regexp.MustCompile(`\bif (?:anyone|anybody|somebody|someone|they) asks?(?: ,)? (?:i'm|i am|i was|it's|it is|it was|say|tell them|you say|i have|i had)\b()`),
	regexp.MustCompile(`\b(?:i )?(?:made up|invented|pretend(?:ed|ing)?|pretending)(?: to (.+?))? (?:a |an |the |that |to |it)`),
	regexp.MustCompile(`\b(?:stick to|keep to|kept to|keep up|sticking to) the [a-z ]{1,30}(?:story|version|excuse)\b()`),
	regexp.MustCompile(`对外(?:面)?(?:就|都|一律|只|统一)?(?:说|讲|称|宣称)()`),
	regexp.MustCompile(`(?:我|咱|我们)(?:是)?(?:跟|和|对|给)([^，,。]{1,14}?)(?:都|一直|就|只)?说(?:的)?(?:是|成|我是|我去|我在|我要去|我要|自己|去|要去|在)`),
	regexp.MustCompile(`(?:骗|哄|糊弄|忽悠)(?:了|过|着)?([^，,。说]{1,10}?)(?:说|，|,|$|的|是|去|我)`),
	regexp.MustCompile(`([^，,。]{1,10}?)(?:还|都|一直|至今)*以为(?:我|是|咱)`),
	regexp.MustCompile(`(?:借口|幌子|托词|由头|口径)(?:是|就是|：|:|，|,)?()`),
	regexp.MustCompile(`(?:谁|有人|别人|他们|学校|单位|家里)(?:要是)?问(?:起来|起|到|你)?(?:来)?[，, ]?(?:你|我|咱|大家)?(?:就|都)说()`),
	regexp.MustCompile(`(?:编了|编个|撒了个谎|撒谎|扯了个谎|假装)()`),
}

// othersThink: what people of the owner's circle believe.
var othersThink = regexp.MustCompile(`\b([a-z' ]{2,30}?) (?:still )?(?:thinks?|believes?|assumes?|has been told|was told|were told|have been told)(?: that)? (?:it's|it is|it was|i'm|i am|i was|i have|i had|i've|we're|we are|we were|there's)\b`)

// coverCues are pieces of which every sentence of coverPatterns has one.
var coverCues = []string{"told", "said", "texted", "wrote", "lied", "fib", "fool", "trick", "misled", "deceiv", "as far as", "for ", "to ", "think", "believe", "assume", "official",
	"cover", "alibi", "excuse", "story", "version", "if any", "if some", "if they", "made up", "invent", "pretend", "stick", "keep", "对外", "说", "骗", "哄", "糊弄", "忽悠", "以为", "借口", "幌子", "托词", "由头", "口径", "编", "谎", "假装"}

// turnsBack is where a sentence goes from the story to what is so.
var turnsBack = regexp.MustCompile(`\b(?:but|actually|really|in fact|in truth|the truth is|instead)\b|其实|实际上|真实|真相|不过真|但其实`)

// told is a cover story found in the owner's words.
type toldStory struct {
	text   string // the clause that tells it
	toldTo []privacy.PersonID
	groups []privacy.GroupID
}

// coverStories returns the cover stories that an utterance of the owner speaks of.
func (a *audience) coverStories(text string) []toldStory {
	var out []toldStory
	if !containsAny(foldText(text), coverCues) {
		return nil
	}
	for _, c := range clauses(turnsBack.ReplaceAllString(foldText(ownWords(text)), ". ")) {
		if c.question && (questionLed.MatchString(c.text) || zhQuestion.MatchString(c.text)) {
			continue
		}
		for _, re := range coverPatterns {
			m := re.FindStringSubmatch(c.text)
			if m == nil {
				continue
			}
			var q parties
			if who := strings.TrimSpace(m[1]); hasCJK(who) {
				q = a.endCJK(who)
			} else if who != "" {
				q = a.listBefore(strings.Fields(who))
			}
			d := q.deny(a.lastNamed(text))
			if re == othersThink && len(d.people)+len(d.groups) == 0 {
				continue // "people will think it's odd" is no story told to anybody
			}
			out = append(out, toldStory{text: c.text, toldTo: d.people, groups: d.groups})
			break
		}
	}
	return out
}

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
	isCover := false
	for _, id := range r.Evidence {
		i, ok := t.at[id]
		if !ok || !t.s.Utterances[i].Owner {
			continue
		}
		u := &t.s.Utterances[i]
		for _, name := range u.Listeners {
			heard = append(heard, partyName(a.p, name))
		}
		for _, story := range a.coverStories(u.Text) {
			cover := a.mostlyIn(r.Text, story.text)
			isCover = isCover || cover
			kind := privacy.MarkReserved
			if cover {
				kind = privacy.MarkToldTo
			}
			for _, q := range story.toldTo {
				add(kind, string(q), privacy.ByMachine, "MARKS 7", id)
			}
			for _, g := range story.groups {
				add(kind, string(privacy.GroupParty(g)), privacy.ByMachine, "MARKS 7", id)
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
			if name != "" {
				add(privacy.MarkToldTo, name, privacy.ByTold, "MARKS 5", "")
			}
		}
	}
	if a.p.Settings().ToldByOwner == privacy.ToldAsk && !isCover && len(heard) > 0 {
		add(privacy.MarkReview, "told to somebody: may they hear it again?", privacy.ByMachine, "MARKS 5", "")
	}
	add(privacy.MarkTruth, truth.String(), privacy.ByMachine, "MARKS 7", "")
	add(privacy.MarkTrusted, "true", privacy.ByMachine, "MARKS 11", "")
	return out
}

// coverShare is how much of a draft must stand in the sentence that tells a
// cover story for the draft to be that story and nothing else.
const coverShare = 0.7

// mostlyIn reports whether the content of draft stands in story; the names of
// people don't count, since a draft has them resolved.
func (a *audience) mostlyIn(draft, story string) bool {
	in := map[string]bool{}
	for _, t := range lexical.Terms(story) {
		in[t] = true
	}
	names := map[string]bool{}
	for _, q := range a.people {
		for _, t := range lexical.Terms(q.Name + " " + strings.Join(q.Aliases, " ")) {
			names[t] = true
		}
	}
	owner := a.p.Owner()
	for _, t := range lexical.Terms(owner.Name + " " + strings.Join(owner.Aliases, " ")) {
		names[t] = true
	}
	n, of := 0, 0
	if hasCJK(draft) {
		// Bigrams break at every resolved pronoun; characters don't.
		said := foldText(story)
		for _, r := range a.withoutNames(foldText(draft)) {
			if hasCJK(string(r)) && len(lexical.Terms(string(r))) > 0 {
				of++
				if strings.ContainsRune(said, r) {
					n++
				}
			}
		}
		return of > 0 && float64(n) >= coverShare*float64(of)
	}
	for _, t := range uniqueTerms(draft) {
		if names[t] || isDateTerm(t) {
			continue
		}
		of++
		if in[t] {
			n++
		}
	}
	return of > 0 && float64(n) >= coverShare*float64(of)
}

// withoutNames cuts the names of the policy's people from folded text.
func (a *audience) withoutNames(s string) string {
	owner := a.p.Owner()
	names := append([]string{owner.Name}, owner.Aliases...)
	for _, q := range a.people {
		names = append(append(names, q.Name), q.Aliases...)
	}
	slices.SortFunc(names, func(x, y string) int { return len(y) - len(x) })
	for _, name := range names {
		if name = foldText(name); name != "" {
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
	owners, others := map[string]bool{}, map[string]bool{}
	quoted := false
	for _, id := range r.Evidence {
		i, ok := t.at[id]
		if !ok {
			continue
		}
		u := &t.s.Utterances[i]
		own, rest := owners, u.Text
		if u.Owner {
			rest = ownWords(u.Text)
			if quotes(u.Text) {
				quoted = true
				for _, term := range lexical.Terms(u.Text) {
					others[term] = true
				}
			}
		} else {
			own, quoted = others, true
		}
		for _, term := range lexical.Terms(rest) {
			own[term] = true
		}
	}
	if !quoted {
		return true
	}
	mine, all := 0, 0
	for _, term := range detailsOf(r.Text).terms {
		switch {
		case owners[term]:
			mine++
			all++
		case others[term]:
			all++
		}
	}
	return all > 0 && 2*mine >= all
}
