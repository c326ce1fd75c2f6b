package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// The grammar of English sentences about who may know. neg is a prohibition or a
// statement that something was not told; tell a way of telling.
const (
	neg  = `(?:do not|don't|dont|never|can't|cant|cannot|can not|mustn't|mustnt|must not|shouldn't|should not|shan't|won't|wont|will not|may not|better not|rather not|under no circumstances|on no account|by no means|in no case|not|haven't|have not|havent|hasn't|didn't|did not|wouldn't)`
	tell = `(?:tell|telling|told|inform|mention(?:ing)?(?: (?:it|this|that|any of (?:it|this)|a word|a thing))? to|say(?:ing)? (?:a word|anything|a thing|it|this|any of (?:it|this)|one word) to|breathe (?:a|one) word (?:of (?:it|this) )?to|let on to|(?:talk|speak)(?:ing)? (?:about (?:it|this|that) )?(?:to|with)|shar(?:e|ing) (?:it|this|that|any of (?:it|this)) with|pass(?:ing)? (?:it|this|that) on to|repeat(?:ing)? (?:it|this|that) to|show(?:ing)? (?:it|this|that) to|forward(?:ing)? (?:it|this|that) to|send(?:ing)? (?:it|this|that) to|discuss(?:ing)? (?:it|this|that) with|confide(?: (?:it|this))? in)`
	know = `(?:know|find out|find this out|learn|get wind|be told|get to know|be let in|hear (?:about|of|it|this|that|any)|hear$|hear ,|hear from)`
	// keeps: "knows" as a state, not followed by what the sentence is really about.
	object = `(?: (?:about|of|yet|it|this|that|there's|there is|i'm|i am|i|we|we're|any|a thing|anything|but|except|apart|besides|and|or|not|either|,)\b|$)`
)

var (
	denyAfter = []rule{
		{w("tell told inform mention say breathe talk speak shar pass repeat show forward send discuss confid let"), regexp.MustCompile(`\b` + neg + ` (?:(?:you|ever|even|go|going|to|be|please|gonna|want|wanna|dare|yet|actually|really|have|i|should|must|are|under any circumstances|at any (?:cost|price)|for (?:god's|heaven's|goodness|pity's|my) sake|in any way|, [a-z' ]{1,40} ,|,) )*` + tell + ` `)},
		{[]string{"let "}, regexp.MustCompile(`\b` + neg + ` (?:ever |even )?let (?:it|this|that|any of (?:it|this)) (?:slip|get|get back|get out|leak|reach|be known|known)(?: (?:to|in front of|around|near))? `)},
		{[]string{"keep "}, regexp.MustCompile(`\bkeep (?:it|this|that|all this|all that|all of (?:it|this)|everything|things|(?:my|the|our) [a-z ]{1,24}?) (?:(?:a )?secret |hidden |away |quiet )?from `)},
		{w("hid conceal withhold"), regexp.MustCompile(`\b(?:hide|hiding|hidden|conceal|withhold) (?:it|this|that|everything|(?:my|the|our) [a-z ]{1,24}?) from `)},
		{w("word"), regexp.MustCompile(`\b(?:not|no) (?:a|one|a single) word (?:of (?:it|this|that) |about (?:it|this|that) )?(?:to|in|at|with|around|near|in front of) `)},
		{w("nothing"), regexp.MustCompile(`\b(?:say|tell|saying) nothing (?:about (?:it|this|that) )?to `)},
	}
	denyInside = []rule{
		{[]string{"let "}, regexp.MustCompile(`\b` + neg + ` (?:ever |even )?let ([^,]+?(?: , [^,]+?)*?) (?:know|find out|hear|see|catch|get wind|learn|in on|near (?:it|this))\b`)},
		{[]string{"want "}, regexp.MustCompile(`\bi (?:really )?(?:don't|do not|dont|wouldn't|never) want (.+?) (?:to (?:know|find out|hear|learn|see|get)|knowing|finding out|hearing|learning|told)\b`)},
		{w("rather prefer sooner"), regexp.MustCompile(`\bi(?:'d| would) (?:rather|prefer|sooner) (.+?) (?:didn't|did not|doesn't|not|never) (?:to )?(?:know|find out|hear|learn)\b`)},
		{[]string{"without "}, regexp.MustCompile(`\bwithout (.+?) (?:knowing|finding out|noticing|hearing|seeing)\b`)},
		{[]string{"behind "}, regexp.MustCompile(`\bbehind (.+?)(?:'s?|s) back\b`)},
		{[]string{"if "}, regexp.MustCompile(`\bif (?:it|this|that) (?:gets|got|leaks|leaked|reaches|reached)(?: back| out)?(?: to)? (.+?) i'm\b`)},
	}
	denyBefore = []rule{
		{w("know find learn wind told hear let"), regexp.MustCompile(` (?:really |just |absolutely |simply )?(?:mustn't|mustnt|must not|must never|can't|cant|can never|cannot|can not|shouldn't|should not|should never|may not|may never|isn't to|is not to|aren't to|are not to|isn't supposed to|is not supposed to|aren't supposed to|isn't allowed to|doesn't get to|doesn't need to|does not need to|don't need to|needn't|need not|doesn't have to|won't|will not|ought not to|better not|had better not|is never to) (?:ever |even )?` + know + `\b`)},
		{[]string{"know"}, regexp.MustCompile(` (?:(?:still|really) )?(?:doesn't|doesnt|does not|don't|dont|do not|didn't|did not) (?:even |actually )?know` + object)},
		{[]string{" no "}, regexp.MustCompile(` (?:has|have|had) no (?:idea|clue)` + object)},
		{[]string{"know"}, regexp.MustCompile(` knows? nothing` + object)},
		{w("told heard found"), regexp.MustCompile(` (?:hasn't|hasnt|haven't|has not|have not|wasn't|weren't) (?:been told|heard (?:it|this|about)|found out)`)},
	}
	// Everybody but the listener: "nobody at work knows".
	nobodyKnows = rule{w("nobody no none not"), regexp.MustCompile(`\b(nobody|no one|no-one|noone|none of them|not a soul)( else)?((?: (?:at|in|from|on|there|here|of|but|except|besides|apart from)? ?[a-z' -]{0,40}?)?)( else)? (?:(?:is|are) to know|(?:can|must|may|should|will|needs to|gets to|has to|is going to) (?:know|hear|find out|be told|learn)|has been told|should be told|hears|finds out|knows` + object + `|knew` + object + `)`)}
	// "nobody else in the choir though", said where who may know is the topic.
	nobodyBare = rule{[]string{" else"}, regexp.MustCompile(`^(?:and |so |please )*(?:nobody|no one|no-one) else(?: (?:at|in|from|on) ([a-z' -]+?))?(?: though| please| yet)?$`)}
	bareNot    = regexp.MustCompile(`^(?:(?:no|nope|and|please|just|definitely|certainly|also|,) )*(?:not|nor) (?:even |to )?`)
	andNot     = rule{[]string{" not ", " nor "}, regexp.MustCompile(` (?:,|and|or)(?: also)? (?:not|nor)(?: even)? `)}
	bareTail   = regexp.MustCompile(`^(?:(?:either|though|please|ever|yet|of all people|included|know that|know this|knows?|tell) ?)*$`)
	included   = rule{[]string{"included"}, regexp.MustCompile(`, ((?:[a-z'-]+ ){1,3})included\b`)}

	closedWords = rule{[]string{"only", "you alone", "just you", "keep", "stay", "confid", "leave", "further", "record", "mum's", "for your", "secret", "spread", "repeat", "share", "forward", "broadcast", "blab", "gossip", "post", "no one", "nobody", "no-one", "noone", "soul", "word"}, regexp.MustCompile(`\bonly you (?:know|are to know|can know|get to know|may know|knew|have heard|should know)\b|\byou alone know\b|\bjust you (?:know|who knows)\b|\byou(?:'re| are) (?:literally )?the (?:only|first and only) (?:one|person|human|soul)(?: [a-z']+){0,2} (?:i've told|i'm telling|i told|i have told|i tell|i am telling|who knows|that knows|to know|i trust|knows|told)\b|\bi(?:'ve| have) only told you\b|\bi only told you\b|\b(?:keep|keeping) (?:it|this|that|all this|all of this|this one) (?:strictly |just |all )?(?:to yourself|to yourselves|quiet|private|secret|confidential|under your hat|under wraps|between us|hush hush|a secret|dark)\b|\bkeep (?:your mouth shut|mum|schtum|shtum|it zipped|a secret)\b|\b(?:this|it|that|this one|what i tell you) (?:stays|has to stay|must stay|needs to stay|should stay|is to stay) (?:here|with (?:you|us|me)|between|in this (?:chat|room|group)|private|secret)\b|\b(?:stays|stay) (?:strictly )?between (?:us|you and me|the two of us)\b|\bin (?:strict |strictest |complete |total )?confidence\b|\b(?:doesn't|does not|mustn't|must not|can't|cannot|never) leaves? (?:this|the|our|these) (?:room|chat|group|house|walls|four walls)\b|\b(?:goes|go) no further\b|\boff the record\b|\bmum's the word\b|\bstrictly confidential\b|\bfor your (?:eyes|ears) only\b|\btop secret\b|\b(?:it's|this is|that's|it is) (?:a|our|my|still a|our little) (?:big |little |total |complete )?secret\b|\b(?:don't|dont|do not|never|please don't) (?:you )?(?:spread|repeat|share|forward|broadcast|blab|gossip|post) ?(?:it|this|that|about it|about this|around)?(?: (?:around|anywhere|further))?$|\b(?:tell|telling) (?:no one|nobody|no-one|noone|not a soul)\b|^(?:and |but |so |please |, )*(?:not|no) (?:a|one) (?:single )?word(?: (?:of|about) (?:it|this|that))?$`)}
	betweenUs   = rule{[]string{"between"}, regexp.MustCompile(`(?:^|\b([a-z'-]+) )(?:just |strictly |only )?between (?:us|you and me|ourselves|the (?:two|three) of us|you , me|me and you)\b`)}
	notSecrets  = set("difference argument row distance trouble things deal space happened love gap age wall door bond match fight agreement tension stand come came everything fence history matter table")
	onlyYouAnd  = rule{[]string{"you and ", "but you "}, regexp.MustCompile(`\b(?:only you and|just you and|nobody but you and|no one but you and|you and) ([a-z' ,-]+?) (?:know|are to know|, (?:and )?that's (?:it|all)|and that's (?:it|all)|and nobody else|and no one else|, nobody else|, no one else)\b`)}
	onlyForYou  = rule{[]string{"only for you"}, regexp.MustCompile(`\bonly for you(?: and ([a-z' ,-]+))?$`)}
	except      = rule{[]string{"but ", "except", "besides ", "apart from ", "other than ", "aside from "}, regexp.MustCompile(`\b(?:but|except(?: for)?|besides|apart from|other than|aside from) `)}
	grantAfter  = []rule{
		{[]string{"tell ", "share ", "pass ", "mention ", "show ", "say ", "forward ", "let "}, regexp.MustCompile(`\b(?:you can|you may|you could|you're free to|you are free to|feel free to|i'm happy for you to|happy for you to|you're welcome to|you are welcome to|it's (?:ok|okay|fine|alright|all right) to|(?:ok|okay|fine|alright) to|(?:ok|okay|fine|alright|no problem|i don't mind|i do not mind|i don't care) if you|go ahead and|by all means|you have my permission to|you're allowed to|you are allowed to) (?:(?:also|just|always|now|both|totally|absolutely|definitely|certainly|happily|please|freely) )*(?:tell|share (?:it|this|that) with|pass (?:it|this|that) on to|mention (?:it|this|that) to|show (?:it|this|that) to|say (?:it|this|so) to|forward (?:it|this|that) to|let) `)},
	}
	grantInside = []rule{
		{w("fine ok alright right problem happy cool good"), regexp.MustCompile(`\b(?:fine|ok|okay|alright|all right|no problem|happy|cool|good)(?: by me| with me)? (?:if|for|with) (.+?) (?:knows?|hears?|finds? out|to (?:know|hear|find out)|knowing|hearing)\b`)},
		{[]string{"mind "}, regexp.MustCompile(`\b(?:i )?(?:don't|do not|dont|wouldn't) mind (?:if |at all if )?(.+?) (?:knowing|knows?|hearing|hears?|finding out|finds? out|being told)\b`)},
	}
	grantBefore = []rule{
		{w("know told hear"), regexp.MustCompile(` (?:can|may|is allowed to|are allowed to|is welcome to|are welcome to|is free to) (?:know|be told|hear (?:it|this|about it|about this))\b`)},
	}
	// What takes a grant back, or makes it depend on something.
	noGrant      = regexp.MustCompile(`\b(?:not|never|no|nobody|nothing|n't|don't|dont|can't|cannot|won't|wouldn't|shouldn't|isn't|if|unless|until|till|once|when|after|before|wish|hope|think|maybe|perhaps|might|whether|pretend|suppose|imagine|almost|as if|like)\b`)
	conditional  = regexp.MustCompile(`\b(?:if|unless|until|till|once|when|after|before|only|as long as|provided|in case|some day|someday|one day|later|next|anything|nothing|whatever|everything except|except|but|not)\b`)
	grantTail    = regexp.MustCompile(`^(?:$|,|(?:about|too|as well|now|that|if you (?:like|want|wish)|of course|please|and|know|hear|i|it's|how|why|where|what|the|everything|all|for|from|straight|today|tonight|tomorrow|this|it|of)\b)`)
	dependsFirst = regexp.MustCompile(`^(?:if|unless|until|till|once|when|after|before|as long as|provided|only)\b`)
	hedgeInside  = regexp.MustCompile(`\b(?:if|unless|until|till|once|when|after|before|only|not|never|no|wait|later|as long as|provided|except)\b|n't\b|等|以后|之后|如果|要是|除非|先别|才能|再说`)
	hedgeAfter   = regexp.MustCompile(`^(?:(?:and|well|no|or|,) )*(?:only (?:if|once|when|after)|but|not (?:yet|now|before|until|till|today|this|him|her|them)|unless|until|wait|just not|on second thought|actually|或者|不过|但|等|先别|除非)`)
	questionLed  = regexp.MustCompile(`^(?:(?:and|so|but|well|hey|oh|ok|,) )*(?:did|do|does|will|would|could|can|have|has|had|should|shall|why|who|what|how|when|where|is|are|was|were|may|might|didn't|don't you|doesn't|won't|wouldn't|couldn't|can't|haven't|hasn't|isn't|aren't|which|am)\b`)
	toMe         = regexp.MustCompile(`^(?:me|us|myself)\b`)
	asYouLike    = regexp.MustCompile(`^(?:too |as well )?if you (?:like|want|wish)$`)
	forwardCue   = rule{[]string{"tell", "something", "news", "listen", "guess", "secret", "promise", "说个", "诉你个", "讲个", "说事", "有件事", "答应我"}, regexp.MustCompile(`\bcan i tell you|\b(?:i )?(?:have|need|want) to tell you|\bi've got (?:something|news)|\blisten\b|\bguess what|\bsecret :|\bi'll tell you|\bi have (?:something|news)|\bpromise(?: me)? (?:you won't|not to)|跟你说个|告诉你个|和你说个|跟你讲个|说个事|有件事|答应我`)}
)

// english reads one English clause.
func (a *audience) english(c clause, before []privacy.PersonID, secrecy bool) []saying {
	text := c.text
	if c.question && questionLed.MatchString(text) {
		return nil
	}
	if loc := reportIn(text); loc != nil && !reporterIsOwner(text[loc[0]:]) && !closedWords.matches(text[:loc[0]]) {
		// What somebody else asked for is theirs to ask; the owner sees it in review.
		if tail := text[loc[1]:]; secrecyWords.MatchString(tail) && anyRule(denyAfter, " "+tail) || closedWords.matches(tail) {
			return []saying{{review: "somebody asked the owner to keep this"}}
		}
		text = strings.TrimRight(text[:loc[0]], " ,")
	}
	out := a.onlyEnglish(text, before)
	if len(out) > 0 {
		return out
	}
	denyList := func(q parties, at string) {
		if q.empty() {
			return
		}
		d := q.deny(before)
		s := saying{deny: d.people, groups: d.groups, closed: d.closed, review: d.review, scoped: q.scoped || q.rest}
		s.grant = a.exceptions(at)
		s.deny = without(s.deny, s.grant)
		s.within, s.aside = split(text, "")
		if i := strings.LastIndex(text, at); at != "" && i >= 0 {
			s.within, s.aside = split(text[:i], at)
		}
		out = append(out, s)
	}
	for i := range denyAfter {
		for _, loc := range denyAfter[i].findAll(text) {
			rest := text[loc[1]:]
			if toMe.MatchString(rest) {
				continue
			}
			denyList(a.listAfter(strings.Fields(beforeException(rest))), rest)
		}
	}
	for i := range denyInside {
		for _, loc := range denyInside[i].findAll(text) {
			m := text[loc[2]:loc[3]]
			words := strings.Fields(beforeException(m))
			q := a.listAfter(words)
			if q.empty() {
				q = a.listBefore(words)
			}
			denyList(q, m)
		}
	}
	for i := range denyBefore {
		for _, loc := range denyBefore[i].findAll(text) {
			q := a.listBefore(strings.Fields(text[:loc[0]]))
			if i > 0 && (len(q.unresolved) > 0 || q.pronoun && len(before) == 0) {
				continue // a state ("they don't know") of nobody in particular
			}
			if len(q.unresolved) > 0 && a.ownerIsSubject(text[:loc[0]]) {
				continue
			}
			if q.pronoun {
				if named := a.lastNamed(text[:loc[0]]); len(named) > 0 {
					before = named
				}
			}
			denyList(q, text[loc[1]:])
		}
	}
	for _, m := range nobodyKnows.findAll(text) {
		out = append(out, a.everybodyBut(text[m[6]:m[7]], text))
	}
	if m := nobodyBare.submatch(text); m != nil && secrecy {
		out = append(out, a.everybodyBut(" in "+m[1], text))
	}
	if loc := bareNot.FindStringIndex(text); loc != nil && secrecy {
		words := strings.Fields(text[loc[1]:])
		q := a.listAfter(words)
		if tail := strings.Join(words[q.used:], " "); len(q.unresolved) == 0 && !q.empty() && bareTail.MatchString(tail) {
			denyList(q, "")
		}
	}
	for _, loc := range andNot.findAll(text) {
		words := strings.Fields(text[loc[1]:])
		q := a.listAfter(words)
		if len(out) > 0 && len(q.unresolved) == 0 && !q.empty() && bareTail.MatchString(strings.TrimLeft(strings.Join(words[q.used:], " "), ", ")) {
			denyList(q, "")
		}
	}
	if m := included.submatch(text); m != nil && len(out) > 0 {
		if q := a.listAfter(strings.Fields(m[1])); len(q.unresolved) == 0 {
			denyList(q, "")
		}
	}
	if end := closedEnd(text); end > 0 {
		s := saying{closed: true, grant: a.exceptions(text)}
		s.within, s.aside = split(text[:end], text[end:])
		for _, r := range []*rule{&onlyYouAnd, &onlyForYou} {
			if m := r.submatch(text); m != nil {
				q := a.listAfter(strings.Fields(m[1]))
				if ids, review := q.grant(a.p, before); review == "" {
					s.grant = union(s.grant, ids)
				}
			}
		}
		out = append(out, s)
	}
	if len(out) == 0 && !c.question {
		out = append(out, a.englishGrants(text, before)...)
	}
	return out
}

// englishCues are pieces of which every sentence about who may know has one. They
// spare most of a chat the grammar below.
var englishCues = []string{"know", "knew", "tell", "told", "mention", "word", "say", "let ", "only for", "keep", "hid", "secret", "between", "only you", "just you", "you and ",
	"talk", "speak", "shar", "pass", "show", "send", "forward", "repeat", "find", "hear", "learn", "behind", "without", "confid", "quiet", "private", "stay", "leave", "record",
	"nobody", "no one", "no-one", "not ", "nor ", "further", "mum's", "spread", "blab", "gossip", "post", "conceal", "withhold", "inform", "discuss", "breathe", "wind", "idea", "clue", "if it ", "if that ", "if this ", "for your ", "mouth", "schtum", "shtum", "zipped", "mind", "fine ", "ok ", "okay ", "alright ", "happy", "cool", "good", "slip"}

func (a *audience) englishGrants(text string, before []privacy.PersonID) []saying {
	var out []saying
	grant := func(q parties, lead, tail string) {
		if q.empty() {
			return
		}
		s := saying{}
		switch {
		case noGrant.MatchString(lead):
			return
		case conditional.MatchString(tail) && !asYouLike.MatchString(tail):
			s.review = "a permission that depends on something"
		default:
			s.grant, s.review = q.grant(a.p, before)
		}
		s.within, s.aside = split(lead, tail)
		s.topic = topicOf(tail)
		out = append(out, s)
	}
	for i := range grantAfter {
		for _, loc := range grantAfter[i].findAll(text) {
			words := strings.Fields(text[loc[1]:])
			q := a.listAfter(words)
			tail := strings.Join(words[q.used:], " ")
			if strings.HasSuffix(text[loc[0]:loc[1]], "let ") && !strings.HasPrefix(tail, "know") && !strings.HasPrefix(tail, "in on") {
				continue
			}
			if x, ok := a.alibiOf(q, strings.TrimPrefix(tail, "know "), before); ok {
				if noGrant.MatchString(text[:loc[0]]) {
					x.grant, x.review = nil, "a permission that depends on something"
				}
				out = append(out, x)
				continue
			}
			// "you can tell Mum was tired" tells of seeing, not of telling.
			if grantTail.MatchString(tail) || dependsFirst.MatchString(tail) {
				grant(q, text[:loc[0]], tail)
			}
		}
	}
	if loc := tellThem.find(text); loc != nil && len(out) == 0 && !toMe.MatchString(text[loc[1]:]) {
		words := strings.Fields(text[loc[1]:])
		q := a.listAfter(words)
		tail := strings.Join(words[q.used:], " ")
		if len(q.unresolved) == 0 && !greetings.MatchString(tail) {
			if x, ok := a.alibiOf(q, tail, before); ok {
				out = append(out, x)
			}
		}
	}
	for i := range grantInside {
		for _, m := range grantInside[i].findAll(text) {
			words := strings.Fields(text[m[2]:m[3]])
			if q := a.listAfter(words); q.used == len(words) || q.used == 0 && len(words) <= 2 && !selfWords[words[0]] && !pronouns[words[0]] {
				grant(q, text[:m[0]], text[m[1]:])
			}
		}
	}
	for i := range grantBefore {
		for _, loc := range grantBefore[i].findAll(text) {
			words := strings.Fields(text[:loc[0]])
			// A name that nobody of the policy has asks for a review.
			grant(a.listBefore(words), text[:loc[0]], text[loc[1]:])
		}
	}
	return out
}

// everybodyBut reads "nobody (else) (at work) knows": the scope, or nobody at all.
func (a *audience) everybodyBut(scope, text string) saying {
	s := saying{closed: true, grant: a.exceptions(text), within: part{text: text}}
	words := strings.Fields(beforeException(scope))
	if len(words) == 0 {
		return s
	}
	q := parties{everyone: true}
	if insideWords[words[0]] {
		a.scope(words, &q)
	}
	if !q.scoped {
		return s
	}
	d := q.deny(nil)
	s.groups, s.deny, s.scoped, s.closed, s.review = d.groups, d.people, true, d.closed || d.review != "", d.review
	return s
}

// exceptions returns who is excepted from a prohibition in text: "nobody except
// Anna knows". Those are let in only where it is sure who they are.
func (a *audience) exceptions(text string) []privacy.PersonID {
	loc := except.find(text)
	if loc == nil {
		return nil
	}
	words := slices.DeleteFunc(strings.Fields(text[loc[1]:]), func(w string) bool { return w == "you" || w == "me" })
	q := a.listAfter(words)
	ids, review := q.grant(a.p, nil)
	if review != "" {
		return nil
	}
	return ids
}

func beforeException(text string) string {
	if loc := except.find(text); loc != nil {
		return text[:loc[0]]
	}
	return text
}

// closedEnd returns where the words end by which text keeps something among those
// who hear it, 0 if it doesn't.
func closedEnd(text string) int {
	end := betweenUsEnd(text)
	for _, r := range []*rule{&closedWords, &onlyYouAnd, &onlyForYou} {
		if loc := r.find(text); loc != nil {
			end = max(end, loc[1])
		}
	}
	return end
}

func betweenUsEnd(text string) int {
	for _, m := range betweenUs.findAll(text) {
		if m[2] < 0 || !notSecrets[text[m[2]:m[3]]] {
			return m[1]
		}
	}
	return 0
}

func reporterIsOwner(report string) bool { return ownReport.MatchString(report) }

// ownerIsSubject reports whether the clause before a verb ends in a first or
// second person: "I can't know that yet" denies nobody.
func (a *audience) ownerIsSubject(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && selfWords[words[len(words)-1]]
}

func without(ids, less []privacy.PersonID) []privacy.PersonID {
	return slices.DeleteFunc(slices.Clone(ids), func(id privacy.PersonID) bool { return slices.Contains(less, id) })
}

// lastNamed returns whom text names last; nobody where it names none or where the
// name stands for several.
func (a *audience) lastNamed(text string) []privacy.PersonID {
	best, at := []privacy.PersonID(nil), -1
	a.eachHandle(text, func(i int, hs []handle) {
		for _, h := range hs {
			if len(h.people) == 1 && len(h.groups) == 0 {
				best, at = h.people, i
			}
		}
	})
	if at < 0 && hasCJK(text) {
		f := foldText(text)
		for _, k := range a.cjk {
			i := -1
			for _, h := range a.handles[k] {
				if len(h.people) != 1 || len(h.groups) > 0 {
					continue
				}
				if i < 0 {
					if i = strings.LastIndex(f, k); i < 0 {
						break
					}
				}
				if i > at {
					best, at = h.people, i
				}
			}
		}
	}
	return slices.Clone(best)
}
