package engine

import "regexp"

// severalAsked is a question for several things together: who may know one of them may
// not know all.
var severalAsked = regexp.MustCompile(`\bboth\b|\btwo (?:things|matters|people|secrets|facts)\b|\b(?:the|a) (?:whole|full|complete) (?:account|story|picture|truth)\b|\ball (?:of it|of this|three|four)\b|两(?:件|样|桩|个|头)|兩(?:件|樣|樁|個|頭)|三(?:件|样|樣|桩)|前后经过|來龍去脈|来龙去脉|完整|全部`)

// least is how many facts a folded question must find for any to be asked for.
func (b bounds) least(folded string) int {
	if !severalAsked.MatchString(folded) {
		return 0
	}
	return int(b.whole)
}
