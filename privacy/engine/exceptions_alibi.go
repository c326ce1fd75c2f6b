package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// A permission that says in so many words what somebody may be told ("you can tell
// Anna that I'm on holiday") is for those words alone. It is how people hand out
// alibis: what was said around it is the likely thing to be hidden, so that whoever
// gets the words needs a whitelist for the rest (MARKS 4 and 7).

// ruleClause is the rule of a grant that holds for the words to be told alone: it
// is never lent to the other facts of the event.
const ruleClause = "MARKS 4, these words"

// alibi is what somebody may be told, word for word.
type alibi struct {
	words  string // the clause that may be told
	people []privacy.PersonID
	groups []privacy.GroupID
}

var (
	// toldWords is the start of what is told, as opposed to a matter ("about the boat").
	toldWords = regexp.MustCompile(`^(?:that (?:(?:i|we|you|he|she|they|it|my|our|the|this|there|[\p{L}'-]+)\b) \S+|(?:i|i'm|i've|i'll|i'd|i was|we|we're|we've|we'll|we'd|it's|it was|it is|there's|there was|he's|she's|they're) \S+|(?:my|our|the|he|she|they)\b.*? (?:is|was|has|had|are|were|will|can't|won't|isn't|needs)\b)`)
	// tellThem is the imperative: "just tell Anna I'm on holiday".
	tellThem  = rule{[]string{"tell ", "let "}, regexp.MustCompile(`^(?:(?:please|just|so|and|then|ok|okay|,|you could|you should|simply) )*(?:tell|let) `)}
	greetings = regexp.MustCompile(`^(?:that )?(?:i|we)(?:'ll| will| really| just)? (?:said|say|send|love|miss|call|ring|thank|owe|asked|hope|wish|am grateful|will call)\b|^(?:that )?(?:i'm|i am) (?:sorry|grateful|thinking)\b`)

	zhToldWords = regexp.MustCompile(`^(?:[，,]? ?)(?:我|咱|俺|自己|家里|孩子|公司|是|身体|今天|明天|后天|昨天|周|最近|这几天|临时|单位)`)
	zhNoWords   = regexp.MustCompile(`^(?:[，,]? ?)(?:我(?:的)?(?:事|情况|消息)|是谁|自己(?:决定|看))`)
	zhTellThem  = rule{w("说 讲 告诉"), regexp.MustCompile(`^(?:你|您|那|麻烦|帮我|就|请|尽管|直接|先)*(?:跟|和|对|给)` + zhWho + `(?:就)?(?:说|讲)`)}
)

// alibiOf returns the saying by which q may be told words, false where words are
// no clause. Whom the owner may mean at all is reserved; only who is meant for sure
// is granted.
func (a *audience) alibiOf(q parties, words string, before []privacy.PersonID) (saying, bool) {
	words = strings.Trim(words, " ,，")
	zh := hasCJK(words)
	if q.empty() || zh && (!zhToldWords.MatchString(words) || zhNoWords.MatchString(words)) || !zh && !toldWords.MatchString(words) {
		return saying{}, false
	}
	s := saying{alibi: &alibi{words: words}}
	d := q.deny(before)
	s.alibi.people, s.alibi.groups = d.people, d.groups
	s.closed = q.everyone && !q.scoped // a story for everybody hides from everybody
	s.grant, s.review = q.grant(a.p, before)
	if s.closed {
		s.grant = nil
	}
	return s, true
}

// applyAlibi marks what x lets be told, and reserves what was said around it.
func (e *excepted) applyAlibi(u *Utterance, m *matter, x *saying, here *markList) {
	var around []int
	for _, d := range m.own {
		if !e.a.standsIn(e.t.s.Drafts[d].Text, x.alibi.words) {
			around = append(around, d)
			continue
		}
		for _, id := range x.grant {
			e.add(d, spoken(privacy.MarkWhitelist, string(id), u, ruleClause))
		}
		// Whether the words are true, nobody said: they are for whom they are meant for.
		e.add(d, spoken(privacy.MarkClosed, "true", u, ruleClause))
	}
	around = append(around, m.answered...)
	if len(around) == 0 {
		around = m.previous
	}
	if len(around) == 0 {
		around = m.next
	}
	var ms markList
	for _, id := range x.alibi.people {
		ms.add([]privacy.Mark{spoken(privacy.MarkReserved, string(id), u, "MARKS 7")})
	}
	for _, g := range x.alibi.groups {
		ms.add([]privacy.Mark{spoken(privacy.MarkReserved, string(privacy.GroupParty(g)), u, "MARKS 7")})
		for _, id := range e.p.Members(g) {
			ms.add([]privacy.Mark{spoken(privacy.MarkReserved, string(id), u, "MARKS 7")})
		}
	}
	if x.closed {
		heard := listeners(e.p, u)
		ms.add(x.restrictions(e.p, u, heard))
	}
	if x.review != "" {
		here.add([]privacy.Mark{{Kind: privacy.MarkReview, Value: x.review, By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID}})
	}
	e.bind(around, &ms)
}

// standsIn reports whether most of what draft says stands in words.
func (a *audience) standsIn(draft, words string) bool {
	x := newStoryIndex()
	x.put(toldStory{text: words})
	return len(x.covering(a, draft)) > 0
}
