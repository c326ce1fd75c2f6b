package engine

import (
	"regexp"

	"github.com/epagent/epagent/privacy"
)

// matterAsked are questions for how a whole matter stands, and not for one thing of it:
// "what became of the house?", "what's going on with …", "怎么回事".
var matterAsked = regexp.MustCompile(`\bwhat(?:ever|'s| is| was| has| all)*\b.*\b(?:became|become|came) of\b|\bwhat(?:'s| is| was) (?:all )?(?:going on|happening|up|the (?:real |whole |full )?(?:story|matter|situation|plan|deal|news))\b|\bwhat (?:has |have |had |really |actually |all )*(?:went on|gone on|happened|been going on)\b|\bwhat(?:'s| is| was| were)? (?:all )?(?:that|this) (?:all )?about\b|\bwhat\b.*\b(?:up to|planning|planned|cooking up|preparing|all about)\b|\bhow(?:'s| is| are| did| was| were)\b.*\b(?:going|go|coming along|getting on|doing|stand|turn(?:ed)? out)\b|\bis everything\b.*\b(?:right|ok|okay|fine)\b|\b(?:whole|full|real) story\b|\btell \w+ (?:all |everything |more )?about\b|\bis it true (?:that|about)\b|\bany(?:thing)? (?:news|word|plans?) (?:on|of|about|with|for)\b|\bwhere do(?:es)? .+ stand\b|(?:怎么|咋|咋个|怎麼)(?:一)?(?:回事|了|搞的|样了|樣了|打算|办|辦)|前前后后|前前後後|来龙去脉|來龍去脈|(?:什么|啥|啥子|甚麼|什麼)(?:打算|计划|計畫|变动|變動|情况|情況|进展|進展|动静)|(?:张罗|張羅|准备|準備|忙|筹备|籌備|打算|计划)(?:着|著)?(?:些)?(?:什么|啥|啥子|什麼|誰|谁)|出(?:过|過|了)?(?:什么|啥|什麼|啥子)事|后来(?:呢|怎么样)|後來(?:呢|怎麼樣)|到哪(?:一)?步|(?:真的|真)吗|是真的|\bwas (?:ist|war) (?:aus|mit|da)\b|\bwie (?:steht|läuft|geht) es\b`)

// AsksForMatter reports whether a question asks for how a whole matter stands. What is
// told of the matter's other facts then belongs to the answer, although it shares no
// word with the question.
func AsksForMatter(question string) bool { return matterAsked.MatchString(foldText(question)) }

// matesOf returns the candidates that belong to a matter of which a fact was found and
// that weren't found themselves: of one event with it.
func matesOf(found []askedFor, candidates []Ranked) []askedFor {
	have := map[privacy.FactID]bool{}
	strength := map[string]float64{}
	for _, m := range found {
		have[m.Record.ID] = true
		if e := lastMark(&m.Record, privacy.MarkEvent); e != nil && e.Value != "" {
			strength[e.Value] = max(strength[e.Value], m.strength)
		}
	}
	var out []askedFor
	for i := range candidates {
		r := &candidates[i].Record
		if have[r.ID] {
			continue
		}
		if e := lastMark(r, privacy.MarkEvent); e != nil && strength[e.Value] > 0 {
			out = append(out, askedFor{&candidates[i], mateShare * strength[e.Value], true})
		}
	}
	return out
}

// mateShare is how much of the strength of what was found stands in for a fact that
// belongs to it.
const mateShare = 0.5
