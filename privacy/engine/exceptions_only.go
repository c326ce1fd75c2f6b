package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// "Only Anna may know" closes as "only you know" does, with those who are named let
// in (MARKS 2). Where it isn't sure who is named, it closes and asks.

var (
	onlyBefore = rule{[]string{"only ", "just "}, regexp.MustCompile(`\b(?:only|just) ([\p{L}][\p{L}0-9' ,.-]{0,60}?) (?:may|can|must|should|could|is to|are to|is allowed to|are allowed to|gets to|get to|needs to|will|is going to)?(?: |\b)(?:ever )?(?:know|knows|be told|hear about|hear of|hear it|hear this|find out|finds out|has been told|have been told|is in on it|is in the know)\b`)}
	onlyAfter  = []rule{
		{[]string{"only "}, regexp.MustCompile(`\b(?:can|may|could|should|must|will|would|are allowed to|am) only (?:tell|be telling|inform|trust|mention (?:it|this|that) to|share (?:it|this|that) with|talk (?:about (?:it|this|that) )?(?:to|with)|say (?:it|this|that) to) `)},
		{[]string{"only "}, regexp.MustCompile(`\b(?:tell|told|telling|inform|share (?:it|this|that) with|mention (?:it|this|that) to|say (?:it|this|that) to|trust|for|to|between you and) only `)},
		{[]string{"only "}, regexp.MustCompile(`^(?:(?:please|so|and|,) )*only (?:tell|inform|share (?:it|this|that) with|mention (?:it|this|that) to) `)},
		{[]string{"but ", "except "}, regexp.MustCompile(`\b(?:nobody|no one|no-one|noone|not a soul|not anyone|not anybody)(?: else)? (?:but|except(?: for)?|besides|apart from|other than) `)},
	}
	onlyTail = []*regexp.Regexp{
		regexp.MustCompile(`\b(?:tell|tell it to) ([\p{L}][\p{L}' -]{0,40}?) only\b`),
		regexp.MustCompile(`^([\p{L}][\p{L}' -]{0,40}?) only(?: please)?$`),
	}
	onlySelf = set("i i'm we you me us")

	zhOnlyTell = rule{w("告诉 跟 和 对 让 给 说"), regexp.MustCompile(`(?:只|仅)(?:能|可以|可|许|准|会|想|打算|需要|需|要)?(?:先)?(?:告诉|通知|让|跟|和|对|给)(?:了|过)?([^。！？；!?;\n，,]{1,24})`)}
	zhOnlyKnow = []rule{
		{w("知道 晓得"), regexp.MustCompile(`(?:^|[，,、 ])(?:这事|这件事|这个|这)?(?:就|只)?(?:让)?` + zhWho + `(?:一个人|一人|俩|两个人|他们|她们)?(?:知道|晓得)就(?:行|好|可以|够|得|成)`)},
		{w("知道 晓得"), regexp.MustCompile(`(?:只有|只能|只让|只许|只准|仅|仅限|唯有|就)` + zhWho + `(?:一个人|一人|俩|两个人)?(?:能|可以|才能|才可以|该)?(?:知道|晓得)`)},
		{w("能说 能告 可以说 可以告"), regexp.MustCompile(`除了` + zhWho + `(?:以外|之外|外|[，, ])*(?:谁|别人|任何人|其他人)(?:都|也)?(?:别|不要|不能|不许|不可以|不准)`)},
	}
)

// onlyEnglish reads who alone may know in an English clause.
func (a *audience) onlyEnglish(text string, before []privacy.PersonID) []saying {
	var out []saying
	take := func(words []string, whole bool) {
		if len(words) == 0 || onlySelf[words[0]] {
			return
		}
		q := a.listAfter(words)
		if q.empty() || whole && q.used != len(words) {
			return
		}
		out = append(out, a.onlyThose(q, text, before))
	}
	for _, m := range onlyBefore.findAll(text) {
		take(strings.Fields(text[m[2]:m[3]]), true)
	}
	for i := range onlyAfter {
		for _, m := range onlyAfter[i].findAll(text) {
			take(strings.Fields(text[m[1]:]), false)
		}
	}
	if strings.Contains(text, " only") {
		for _, re := range onlyTail {
			if m := re.FindStringSubmatch(text); m != nil {
				// A name before "only" must be one that is known.
				if words := strings.Fields(m[1]); len(a.listAfter(words).unresolved) == 0 {
					take(words, true)
				}
			}
		}
	}
	return out
}

// onlyChinese reads who alone may know in a Chinese clause.
func (a *audience) onlyChinese(text string, before []privacy.PersonID) []saying {
	var out []saying
	if m := zhOnlyTell.submatch(text); m != nil && !zhSelf.MatchString(m[1]) {
		q := a.startCJK(m[1])
		if !q.empty() || strings.Contains(text, "告诉") {
			if q.empty() {
				q.unresolved = []string{m[1]}
			}
			out = append(out, a.onlyThose(q, text, before))
		}
	}
	for i := range zhOnlyKnow {
		for _, m := range zhOnlyKnow[i].findAll(text) {
			who := trimParty(text[m[2]:m[3]])
			if who == "" || zhSelf.MatchString(who) || i == 1 && strings.HasPrefix(text[m[0]:m[1]], "就") && !resolved(a.listCJK(who)) {
				continue
			}
			q := a.listCJK(who)
			if len(q.unresolved) > 0 {
				if end := a.endCJK(who); !end.empty() {
					q = end
				} else if i == 1 {
					continue
				}
			}
			out = append(out, a.onlyThose(q, text, before))
		}
	}
	return out
}

func (a *audience) onlyThose(q parties, text string, before []privacy.PersonID) saying {
	s := saying{closed: true, within: part{text: text}}
	s.grant, s.review = q.grant(a.p, before)
	return s
}
