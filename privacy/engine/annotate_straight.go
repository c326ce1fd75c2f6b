package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// A story told straight: "I told Anna I was at the gym. In fact I was at the
// clinic." Nothing but the turn that follows says that it was one (MARKS 7).

var (
	toldStraight  = regexp.MustCompile(`\b(?:i|we)(?:'ve|'ll|'d| have| had| will| would|'m going to| am going to|'re going to|'m gonna)?(?: (?:just|always|only|also|usually|simply|even|already|once|then|again|later|have|did|keep))*(?: and)? (?:told|tell|telling|said to|say to|texted|text|emailed|messaged|wrote to|write to|wrote|informed|assured|convinced|let)|(?:^|[.,;!?] ?)(?:just |only |simply )?(?:told|said to|texted|emailed|wrote to)`)
	straightWords = regexp.MustCompile(`^(?:know )?(?:that )?(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|we'd|it|it's|my|our|the|there|there's|she|he|they|she's|he's|they're|about|a|an|this|some)\b`)
	// turnStrong begins what is so; turnWeak does so after "but".
	turnStrong = regexp.MustCompile(`(?:^|[.,;:!?\n—–-] ?|\b(?:but|and|though|when|while|whereas|yet) )(?:, ?)?(?:in fact|in truth|in reality|the truth is|truth is|the truth being|truth be told|as a matter of fact|actually|really|to be honest|honestly)\b`)
	turnWeak   = regexp.MustCompile(`[,.;]? ?\bbut (?:i|i'm|i was|we|we're|the real|that's not|that was not|that wasn't|that's a lie|it's not|it isn't|it wasn't|that isn't|it was|it's)\b`)
	noTurn     = regexp.MustCompile(`^[,.;]? ?but (?:i|we) (?:haven't|have not|don't|do not|didn't|asked|told|said|hope|think|know|wish|want|can't|cannot|won't|will|might|may|should|still need|need|forgot|never|love|like)\b`)

	zhToldStraight = []*regexp.Regexp{
		regexp.MustCompile(`(?:我|咱|我们|咱们)(?:[^。！？；!?;\n，,告]{0,6})?(?:告诉|通知|回复)(?:了|过)?([^。！？；!?;\n]{1,60})`),
		regexp.MustCompile(`(?:我|咱|我们|咱们)?(?:就|都|一直|先|只|会|要|准备|打算|之前|昨天|今天|每次|总)*(?:跟|和|对|给|同|向)([^。！？；!?;\n，,]{1,14}?)(?:就|都|一直|只|是)?(?:说|讲|解释|交代|请假说)(?:了|过|的)?[，,:：]?([^。！？；!?;\n]{1,60})`),
	}
	zhTurn = regexp.MustCompile(`(?:但|可|不过|而)?(?:其实|实际上|事实上|实则|真相是|真实情况|真正的原因|说白了|实际是)`)
)

// straightStories returns the stories of utterance i which what follows, in it or
// at the start of the owner's next words, says to be untrue.
func (a *audience) straightStories(t *talk, i int) []toldStory {
	text := t.turn(i).folded
	next := t.ownersNext(i)
	if next >= 0 && turnsAtStart(t.turn(next).folded) {
		text += " . " + t.turn(next).folded
	}
	text = strings.Join(strings.Fields(text), " ")
	var out []toldStory
	if containsAny(text, turnsBackCues) || strings.Contains(text, "honest") || strings.Contains(text, "reality") {
		out = a.straightEnglish(t, i, text)
	}
	if hasCJK(text) {
		out = append(out, a.straightChinese(text)...)
	}
	return out
}

func (a *audience) straightEnglish(t *talk, i int, text string) []toldStory {
	var out []toldStory
	for _, m := range toldStraight.FindAllStringIndex(text, maxStories) {
		rest := text[m[1]:]
		if !strings.HasPrefix(rest, " ") {
			continue
		}
		told, truth, ok := turned(rest[1:min(len(rest), 1+maxClause)])
		if !ok {
			continue
		}
		words := strings.Fields(plainWords(told))
		q := a.listAfter(words)
		if q.empty() || len(q.unresolved) > 0 {
			continue
		}
		tail := strings.Join(words[q.used:], " ")
		if !straightWords.MatchString(tail) || len(uniqueTerms(tail)) == 0 {
			continue
		}
		var before []privacy.PersonID
		if q.pronoun {
			if before = a.lastNamed(text[:m[0]]); len(before) == 0 {
				before = t.named(a, i)
			}
		}
		d := q.deny(before)
		out = append(out, toldStory{text: strings.TrimSpace(text[m[0]:m[1]] + " " + told), truth: truth, toldTo: d.people, groups: d.groups})
	}
	return out
}

// maxStories bounds how many stories are looked for in one utterance.
const maxStories = 40

// turned cuts s where it goes from the story to what is so.
func turned(s string) (told, truth string, ok bool) {
	if loc := turnStrong.FindStringIndex(s); loc != nil {
		// The story may run over one sentence, no further.
		if strings.Count(strings.TrimRight(s[:loc[0]], " .!?"), ". ") <= 1 {
			return s[:loc[0]], s[loc[1]:], true
		}
	}
	sentence := s
	if i := strings.Index(s, ". "); i >= 0 {
		sentence = s[:i]
	}
	if loc := turnWeak.FindStringIndex(sentence); loc != nil && !noTurn.MatchString(sentence[loc[0]:]) {
		return s[:loc[0]], s[loc[0]:], true
	}
	return "", "", false
}

func (a *audience) straightChinese(text string) []toldStory {
	turn := zhTurn.FindStringIndex(text)
	for turn != nil && strings.HasSuffix(text[:turn[0]], "我") {
		next := zhTurn.FindStringIndex(text[turn[1]:])
		if next == nil {
			return nil
		}
		turn = []int{turn[1] + next[0], turn[1] + next[1]}
	}
	if turn == nil {
		return nil
	}
	told, truth := text[:turn[0]], text[turn[1]:]
	var out []toldStory
	for k, re := range zhToldStraight {
		for _, m := range re.FindAllStringSubmatchIndex(told, maxStories) {
			who, lead := told[m[2]:m[3]], told[m[0]:m[2]]
			if zhNegated.MatchString(lead) || zhSelf.MatchString(who) {
				continue
			}
			q := a.startCJK(who)
			if k > 0 {
				q = a.listCJK(trimParty(who))
			}
			if !resolved(q) && !q.everyone {
				continue
			}
			d := q.deny(nil)
			out = append(out, toldStory{text: told[m[0]:m[1]], truth: truth, toldTo: d.people, groups: d.groups})
		}
	}
	return out
}

// ownersNext returns the owner's next utterance near i, -1 without one.
func (t *talk) ownersNext(i int) int {
	for j := i + 1; j < len(t.s.Utterances) && j <= i+reach; j++ {
		if t.s.Utterances[j].Owner {
			return j
		}
	}
	return -1
}

// setRight returns to whom the owner told a story that utterance i sets right.
func (t *talk) setRight(a *audience, i int) []privacy.Party {
	if !turnsAtStart(t.turn(i).folded) {
		return nil
	}
	for j := i - 1; j >= 0 && j >= i-reach; j-- {
		if !t.s.Utterances[j].Owner {
			continue
		}
		return sortedKeys(t.stories(a, j).tellers)
	}
	return nil
}

var turnStart = regexp.MustCompile(`^\s*(?:(?:but|well|and|so|ok|,)[ ,]+)*(?:in fact|in truth|in reality|the truth is|truth is|actually|really|to be honest)\b|^\s*(?:但|可|不过)?(?:其实|实际上|事实上|真相是|真实情况)`)

func turnsAtStart(folded string) bool { return turnStart.MatchString(folded) }
