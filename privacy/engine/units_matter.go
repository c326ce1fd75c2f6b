package engine

import (
	"maps"
	"regexp"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// matterAsked are questions for how a whole matter stands, and not for one thing of it:
// "what became of the house?", "what's going on with …", "怎么回事".
var matterAsked = regexp.MustCompile(`\bwhat(?:ever|'s| is| was| has| all)*\b.*\b(?:became|become|came) of\b|\bwhat(?:'s| is| was) (?:all )?(?:going on|happening|up|the (?:real |whole |full )?(?:story|matter|situation|plan|deal|news))\b|\bwhat (?:has |have |had |really |actually |all )*(?:went on|gone on|happened|been going on)\b|\bwhat(?:'s| is| was| were)? (?:all )?(?:that|this) (?:all )?about\b|\bwhat\b.*\b(?:up to|planning|planned|cooking up|preparing|all about)\b|\bhow(?:'s| is| are| did| was| were)\b.*\b(?:going|go|coming along|getting on|doing|stand|turn(?:ed)? out)\b|\bis everything\b.*\b(?:right|ok|okay|fine)\b|\b(?:whole|full|real) story\b|\btell \w+ (?:all |everything |more )?about\b|\bis it true (?:that|about)\b|\bany(?:thing)? (?:news|word|plans?) (?:on|of|about|with|for)\b|\bwhere do(?:es)? .+ stand\b|(?:怎么|咋|咋个|怎麼)(?:一)?(?:回事|了|搞的|样了|樣了|打算|办|辦)|前前后后|前前後後|来龙去脉|來龍去脈|(?:什么|啥|啥子|甚麼|什麼)(?:打算|计划|計畫|变动|變動|情况|情況|进展|進展|动静)|(?:张罗|張羅|准备|準備|忙|筹备|籌備|打算|计划)(?:着|著)?(?:些)?(?:什么|啥|啥子|什麼|誰|谁)|出(?:过|過|了)?(?:什么|啥|什麼|啥子)事|后来(?:呢|怎么样)|後來(?:呢|怎麼樣)|到哪(?:一)?步|(?:真的|真)吗|是真的|\bwas (?:ist|war) (?:aus|mit|da)\b|\bwie (?:steht|läuft|geht) es\b`)

// messageAsked are orders to write to somebody: what is of the matter belongs into it.
var messageAsked = regexp.MustCompile(`^(?:(?:please|can you|could you|would you) )?(?:write|draft|compose|prepare|send|create|reply)\b.{0,40}\b(?:message|e-?mail|mail|letter|note|post|reply|summary|update)\b|^(?:请|帮我|帮忙|替我)?(?:写|发|起草|拟)(?:一)?(?:封|条|个|份|段|则)?.{0,8}(?:信|邮件|消息|短信|帖子|说明|郵件|訊息)`)

// AsksForMatter reports whether a question asks for how a whole matter stands, or orders
// a message about it. What is told of the matter's other facts then belongs to the
// answer, although it shares no word with the question.
func AsksForMatter(question string) bool { return asksMatter(foldText(question)) }

func asksMatter(folded string) bool {
	return matterAsked.MatchString(folded) || messageAsked.MatchString(folded)
}

// matesOf returns the candidates that belong to a matter of which a fact was found and
// that weren't found themselves: of one event with it; or said in one session with it,
// of the same sort of thing or of none ("they've moved it to the 9th").
func matesOf(found []askedFor, candidates []Ranked) []askedFor {
	have := map[privacy.FactID]bool{}
	events, sessions := map[string]float64{}, map[string]float64{}
	sorts := map[string]map[string]bool{} // of what was found, by session
	for _, m := range found {
		r := &m.Record
		have[r.ID] = true
		if e := eventOf(r); e != "" {
			events[e] = max(events[e], m.strength)
		}
		sessions[r.Session] = max(sessions[r.Session], m.strength)
		if sorts[r.Session] == nil {
			sorts[r.Session] = map[string]bool{}
		}
		maps.Copy(sorts[r.Session], sortsOf(r))
	}
	var out []askedFor
	for i := range candidates {
		r := &candidates[i].Record
		if have[r.ID] {
			continue
		}
		n := events[eventOf(r)]
		if own := sortsOf(r); n == 0 && r.Session != "" && (len(own) == 0 || meets(own, sorts[r.Session])) {
			n = sessions[r.Session]
		}
		if n > 0 {
			out = append(out, askedFor{&candidates[i], mateShare * n, true})
		}
	}
	return out
}

// eventOf is the event of a record, "" for none.
func eventOf(r *privacy.Record) string {
	if m := lastMark(r, privacy.MarkEvent); m != nil {
		return m.Value
	}
	return ""
}

// mateShare is how much of the strength of what was found stands in for a fact that
// belongs to it.
const mateShare = 0.5

// ofMonths returns the candidates that happened in the months that a question names
// without a day, or that name such a month: "where were you in June?" names nothing
// else that could find them.
func ofMonths(folded string, candidates []Ranked) []askedFor {
	asked := map[string]bool{}
	for _, d := range detailsOf(folded).dates {
		if m := monthOf(d); m != "" && !isDay(d) {
			asked[m] = true
		}
	}
	for _, g := range monthAlone.FindAllStringSubmatch(folded, -1) {
		asked[twoDigits(months[g[1]])] = true
	}
	if len(asked) == 0 {
		return nil
	}
	var out []askedFor
	for i := range candidates {
		r := &candidates[i].Record
		days := detailsOf(r.Text).dates
		if d := r.HappenedAt.Date(); d != "" {
			days = append(slices.Clone(days), d)
		}
		if slices.ContainsFunc(days, func(d string) bool { return asked[monthOf(d)] }) {
			out = append(out, askedFor{&candidates[i], conceptStrength, true})
		}
	}
	return out
}

// monthAlone is a month behind a word that makes it a time: "may" is a verb as well.
var monthAlone = regexp.MustCompile(`\b(?:in|of|last|this|since|during|until|all|early|late|mid) (` + monthWords + `)\b`)

// monthOf is the month of a date of details, "06"; isDay whether it names a day.
func monthOf(date string) string {
	switch len(date) {
	case len("2006-01-02"), len("2006-01"):
		return date[5:7]
	case len("01-02"):
		return date[:2]
	case len("-01-"):
		return date[1:3]
	}
	return ""
}

func isDay(date string) bool { return len(date) == len("2006-01-02") || len(date) == len("01-02") }
