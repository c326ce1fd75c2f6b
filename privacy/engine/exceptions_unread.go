package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// What looks like a prohibition and wasn't read as one: a word of telling or
// learning with a person at its right place and a negation. Such a sentence closes
// what it is about, with the person denied where it is clear who that is, and asks.
// A restriction on too much is mended by hand, one that was missed is not.

const unread = "it may say who must not know, but not plainly"

var (
	negated   = regexp.MustCompile(`\b(?:not|never|nobody|no one|no-one|nothing|none|no|without|unless|avoid|careful|rather|refuse|forbid|dare|least|last person|nowhere|neither|nor|cannot|hate|awful|terrible|horrible|disaster|catastrophe|dread|worst|god forbid|i'd die|i'd be dead|kill me|ruin)\b|n't\b|\b(?:dont|cant|wont|mustnt)\b`)
	harmless  = regexp.MustCompile(`\b(?:if you don't mind|don't worry|no worries|no problem|no hurry|no rush|why not|not only|no doubt|nothing special|i don't think|don't forget to|never mind|no need to)\b`)
	tellVerb  = regexp.MustCompile(`\b(?:tell|telling|told|inform|warn|mention|mentioning|say|saying|talk|talking|speak|whisper|repeat|reveal|share|show|text|write|write to|leak|drop a word|spill|blab|confess|admit|explain|hint|breathe|let)(?: (?:it|this|that|anything|a word|a thing|one word|a syllable|any of (?:it|this|that)|about (?:it|this|that)|on|so much as|even))* (?:(?:to|with|at|in front of|around|near) )?`)
	bareTells = regexp.MustCompile(`^(?:tell|telling|told|inform|warn) $`)
	toWhom    = regexp.MustCompile(` (?:to|with|in front of|around|near) $`)
	iTold     = regexp.MustCompile(`\b(?:i|we)(?:'ve|'ll|'d| have| had| will| would| already| just| also| am going to)* $`)
	theirTale = regexp.MustCompile(`\b(?:he|she|they|it) (?:(?:can't|won't|doesn't|don't|didn't|never|will not|cannot|would not|wouldn't) )?(?:even |ever )?$`)
	knowAfter = regexp.MustCompile(`^ (?:(?:really|still|actually|just|must|may|can|should|will|ever|never|not|doesn't|don't|didn't|mustn't|can't|shouldn't|won't|cannot|hasn't|haven't|isn't|wouldn't|couldn't|needn't|does|do|did|has|have|be|is|to|even|supposed|allowed|meant|going|the|least|need|needs|ought|better|had|hear|get|no|last|person|who|people|one|,|of all people|yet|absolutely|under|circumstances|any|no) )*(?:know|knows|knew|known|find out|finds out|found out|hear|hears|heard|learn|learns|told|discover|discovers|suspect|suspects|guess|guesses|see|sees)\b(.*)$`)
	ofThis    = regexp.MustCompile(`^(?:$| ,| (?:about|of|yet|it|this|that|there's|i'm|i am|i've|i|we|we're|my|our|any|anything|nothing|everything|a thing|a word|won't|can't|either|please|from|first|what's going on)\b| (?:what|how|why|where|when|who|whether|if)\b.*\b(?:i|i'm|i've|my|me|we|our|us)\b)`)
	learns    = regexp.MustCompile(`\b(?:know|knows|knew|known|find|finds|found|hear|hears|heard|learn|learns|told|discover|discovers|suspect|suspects|guess|guesses)\b`)
	tells     = []string{"tell", "told", "inform", "warn", "mention", "say", "talk", "speak", "whisper", "repeat", "reveal", "share", "show", "leak", "spill", "blab", "confess", "admit", "hint", "breathe", "word"}

	// "if Anna asks, …", "Anna still thinks that I …"
	ifAsked    = rule{[]string{"ask", "wonder", "inquire", "want", "call", "curious"}, regexp.MustCompile(`\b(?:if|when|whenever|should|in case|once) ([\p{L}][\p{L}' ,-]{0,40}?) (?:ever |should |happens to |starts? |comes? |keeps? |does |were to |gets? )*(?:asks?|asking|asked|wonders?|inquires?|wants? to know|calls?|curious)\b(.*)$`)}
	mayAnswer  = regexp.MustCompile(`\b(?:you can|you may|you could|feel free|it's (?:ok|okay|fine|alright)|tell (?:him|her|them) (?:the truth|everything|all)|go ahead)\b`)
	evades     = regexp.MustCompile(`\b(?:know|say|saying|tell|told|nothing|no|not|never|i'm|i am|i was|i have|i've|i had|it's|it was|pretend|deny|lie|dumb|subject|idea|clue|heard|seen|make something up|mum|silent|quiet|shrug|answer)\b|n't\b`)
	stillThink = rule{[]string{"think", "believe", "assume", "convinced", "impression"}, regexp.MustCompile(`^(.*?)(?:,? )?(?:still|continues? to|keeps?|always) (?:thinks?|believes?|assumes?|thinking|believing|is convinced|are convinced|is under the impression|are under the impression)(?: that)? (?:i|i'm|i've|i'd|we|we're|we've|my|our|it's|it is|it was|there's|everything|nothing|all)\b`)}
	notEven    = rule{[]string{"not even "}, regexp.MustCompile(`\bnot even ([\p{L}][\p{L}' ,-]{0,40}?) (?:knows?|knew|has (?:heard|been told)|have (?:heard|been told)|has a clue|has any idea|suspects?|can know|may know|must know|should know)\b`)}

	zhNegated   = regexp.MustCompile(`别|不要|不能|不许|不准|不可|不想|不敢|不该|不得|不必|绝不|决不|没|勿|莫|甭|休想|瞒|千万|绝对|不知|不晓|不让|不愿|还以为|免得|省得|防着|当心|小心`)
	zhTellTo    = regexp.MustCompile(`(?:告诉|通知|转告|透露给|说给|讲给|发给|转给|泄露给|漏给)`)
	zhSayTo     = regexp.MustCompile(`(?:跟|和|对|给|向|同|与)([^。！？；!?;\n，,]{1,16}?)(?:说|讲|提|聊|透露|吐露|交底|松口|开口)`)
	zhThere     = regexp.MustCompile(`([^。！？；!?;\n，,]{1,16}?)(?:那边|那儿|那里|面前)[^。！？；!?;\n]{0,10}(?:没|别|不|甭)[^。！？；!?;\n]{0,4}(?:说|讲|提|透露|告诉)`)
	zhLearn     = regexp.MustCompile(`(?:知道|晓得|发现|听说|听见|得知|察觉|猜到|看出|打听)`)
	zhOfOther   = regexp.MustCompile(`^(?:怎么|什么|哪|谁|几|多少|如何|该)`)
	zhSpeaker   = regexp.MustCompile(`^(?:我|咱|俺)(?:们|都|已经|刚|也|就)*$`)
	keepOut     = rule{[]string{" out of"}, regexp.MustCompile(`\b(?:keep|leave|leaving|keeping) ([\p{L}][\p{L}' ,-]{0,40}?) (?:well )?out of (?:it|this|that|the loop)\b`)}
	zhAsked     = rule{w("问"), regexp.MustCompile(zhWho + `问(?:起|到)?(?:来)?(?:的话)?[，, ]*(?:你|您|咱)?(?:们)?(?:就|都|一律)(?:说|回)(.*)$`)}
	zhIfAsked   = rule{w("问 打听"), regexp.MustCompile(zhWho + `(?:那边|那儿)?(?:要是|如果|万一|一旦|若是|若|再|来|就算|真)+(?:问|打听)(.*)$`)}
	zhAskedIf   = rule{w("问 打听"), regexp.MustCompile(`(?:要是|如果|万一|一旦|若是|若|哪天|等)` + zhWho + `(?:来|再|又|真的|真)*(?:问|打听)(.*)$`)}
	zhMayAnswer = regexp.MustCompile(`可以(?:说|告诉|讲)|如实|照实|实话|都告诉|没关系|没事`)
	zhEvades    = regexp.MustCompile(`不知道|不晓得|不清楚|没|别|不|说|装|当|糊弄|岔开|搪塞|含糊|敷衍|否认`)
	zhStill     = rule{w("以为"), regexp.MustCompile(`(?:^|[，,、 ])` + zhWho + `(?:那边|到现在|至今|现在|一直|还|都|仍|仍然|总)+以为(?:我|咱|是|这|没)`)}
	zhBa        = rule{w("告诉 说给 讲给 透露给 发给 转给 转告"), regexp.MustCompile(zhNeg + `[^。！？；!?;\n，,]{0,6}?(?:把|将)[^。！？；!?;\n]{1,30}?(?:告诉|说给|讲给|透露给|发给|转给|转告)([^。！？；!?;\n，,]{1,20})`)}
	zhNotEven   = rule{w("知道 晓得"), regexp.MustCompile(`连` + zhWho + `(?:都|也)(?:还)?(?:不|没)(?:知道|晓得|听说|告诉)`)}
)

// evasions reads the sentences that keep something from somebody without a plain
// prohibition: what to say when asked, what somebody still believes, "not even
// Anna knows". sentence is the whole of it, with its clauses after "but".
func (a *audience) evasions(sentence string, before []privacy.PersonID) []saying {
	var out []saying
	take := func(q parties, closes bool) {
		if q.empty() || len(q.unresolved) > 0 && !closes {
			return
		}
		d := q.deny(before)
		out = append(out, saying{deny: d.people, groups: d.groups, closed: d.closed || closes, review: d.review, within: part{text: sentence}})
	}
	for _, m := range ifAsked.findAll(sentence) {
		who, then := sentence[m[2]:m[3]], sentence[m[4]:m[5]]
		// The evasion may come first: "you know nothing if Anna asks".
		if mayAnswer.MatchString(sentence) || !evades.MatchString(then) && !evades.MatchString(sentence[:m[0]]) {
			continue
		}
		if q := a.listAfter(strings.Fields(who)); len(q.unresolved) == 0 {
			if q.pronoun && len(before) == 0 {
				continue
			}
			take(q, false)
		}
	}
	if m := stillThink.submatch(sentence); m != nil {
		if q := a.listBefore(strings.Fields(m[1])); len(q.unresolved) == 0 && !(q.pronoun && len(before) == 0) {
			take(q, false)
		}
	}
	for _, m := range notEven.findAll(sentence) {
		take(a.listAfter(strings.Fields(sentence[m[2]:m[3]])), true)
	}
	for _, m := range keepOut.findAll(sentence) {
		if q := a.listAfter(strings.Fields(sentence[m[2]:m[3]])); resolved(q) {
			take(q, false)
		}
	}
	if !hasCJK(sentence) {
		return out
	}
	for _, r := range []*rule{&zhIfAsked, &zhAskedIf, &zhAsked} {
		for _, m := range r.findAll(sentence) {
			then := sentence[m[4]:m[5]]
			if zhMayAnswer.MatchString(then) || r != &zhAsked && !zhEvades.MatchString(then) {
				continue
			}
			if q := a.endCJK(trimParty(sentence[m[2]:m[3]])); len(q.unresolved) == 0 {
				take(q, false)
			}
		}
	}
	for _, m := range zhStill.findAll(sentence) {
		if q := a.endCJK(trimParty(sentence[m[2]:m[3]])); len(q.unresolved) == 0 {
			take(q, false)
		}
	}
	for _, m := range zhBa.findAll(sentence) {
		if who := sentence[m[2]:m[3]]; !zhSelf.MatchString(who) {
			q := a.startCJK(who)
			if q.empty() {
				q.unresolved = []string{who}
			}
			take(q, len(q.unresolved) > 0)
		}
	}
	for _, m := range zhNotEven.findAll(sentence) {
		if q := a.endCJK(trimParty(sentence[m[2]:m[3]])); !q.empty() {
			take(q, true)
		}
	}
	return out
}

// unreadIn returns whom a sentence may keep something from, where nothing else was
// read in it.
func (a *audience) unreadIn(sentence string) parties {
	if q := a.unreadEnglish(sentence); !q.empty() {
		return q
	}
	if hasCJK(sentence) {
		return a.unreadChinese(sentence)
	}
	return parties{}
}

func (a *audience) unreadEnglish(sentence string) parties {
	s := harmless.ReplaceAllString(sentence, " ")
	if !negated.MatchString(s) {
		return parties{}
	}
	if containsAny(s, tells) {
		for _, m := range tellVerb.FindAllStringIndex(s, -1) {
			verb := s[m[0]:m[1]]
			if !bareTells.MatchString(verb) && !toWhom.MatchString(" "+verb) {
				continue
			}
			lead := s[:m[0]]
			if iTold.MatchString(lead) || theirTale.MatchString(lead) || a.endsInPerson(lead) {
				continue // a report of telling, not a word about it
			}
			if !negated.MatchString(lead) && !negatedObject.MatchString(s[m[1]:]) {
				continue
			}
			if q := a.listAfter(strings.Fields(s[m[1]:])); resolved(q) {
				return q
			}
		}
	}
	if !learns.MatchString(s) {
		return parties{}
	}
	words := strings.Fields(s)
	for i := range words {
		n, hs := a.longestHandle(words[i:])
		if n == 0 || hs[0].everyone {
			continue
		}
		var q parties
		if q.add(hs, ""); !resolved(q) {
			continue
		}
		rest := " " + strings.Join(words[i+n:], " ")
		m := knowAfter.FindStringSubmatchIndex(rest)
		if m == nil || !ofThis.MatchString(rest[m[2]:m[3]]) {
			continue
		}
		if negated.MatchString(rest[:m[2]]) || leadNegates.MatchString(strings.Join(words[:i], " ")) {
			return q
		}
	}
	return parties{}
}

var (
	negatedObject = regexp.MustCompile(`^[\p{L}' -]{1,30}? (?:nothing|not a word|zero|no details)\b`)
	leadNegates   = regexp.MustCompile(`\b(?:not|never|don't|no|can't|mustn't|shouldn't|nobody|without|avoid|rather|careful|least|last person|hate|awful|terrible|horrible|disaster|catastrophe|dread|worst|forbid|die|dead|kill me|ruin)\b[^,]{0,40}$`)
)

func resolved(q parties) bool {
	return len(q.handles) > 0 && len(q.unresolved) == 0
}

// endsInPerson reports whether text ends in a known person, negations and
// auxiliaries after it aside: "mum doesn't tell Olaf what to do".
func (a *audience) endsInPerson(text string) bool {
	words := strings.Fields(text)
	for len(words) > 0 && auxiliaries[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return false
	}
	return resolved(a.listBefore(words))
}

var auxiliaries = set("doesn't don't didn't won't can't wouldn't will would can does did has hasn't never had not always also often still ever even just")

func (a *audience) unreadChinese(sentence string) parties {
	if !zhNegated.MatchString(sentence) {
		return parties{}
	}
	reports := func(lead string) bool { // 我告诉他不用来: the telling itself isn't denied
		return !zhNegated.MatchString(lead)
	}
	for _, m := range zhTellTo.FindAllStringIndex(sentence, -1) {
		if reports(sentence[:m[0]]) {
			continue
		}
		if who := sentence[m[1]:]; !zhSelf.MatchString(who) {
			if q := a.startCJK(who); resolved(q) {
				return q
			}
		}
	}
	for _, m := range zhSayTo.FindAllStringSubmatchIndex(sentence, -1) {
		if reports(sentence[:m[0]]) {
			continue
		}
		if who := trimParty(sentence[m[2]:m[3]]); who != "" && !zhSelf.MatchString(who) {
			if q := a.listCJK(who); resolved(q) {
				return q
			}
		}
	}
	for _, m := range zhThere.FindAllStringSubmatchIndex(sentence, -1) {
		if q := a.endCJK(trimParty(sentence[m[2]:m[3]])); resolved(q) {
			return q
		}
	}
	for _, m := range zhLearn.FindAllStringIndex(sentence, -1) {
		lead, tail := sentence[:m[0]], sentence[m[1]:]
		if zhOfOther.MatchString(tail) && !strings.Contains(tail, "我") || !zhNegated.MatchString(lead) {
			continue
		}
		// The last clause before the verb names who learns.
		if i := strings.LastIndexAny(lead, "，, "); i >= 0 {
			lead = strings.TrimLeft(lead[i:], "，, ")
		}
		if zhSpeaker.MatchString(lead) || strings.HasPrefix(lead, "我不") || strings.HasPrefix(lead, "我还不") || strings.HasPrefix(lead, "我没") {
			continue
		}
		for i := range lead {
			var q parties
			if a.partyCJK(lead[i:], &q) > 0 && resolved(q) {
				return q
			}
		}
	}
	return parties{}
}
