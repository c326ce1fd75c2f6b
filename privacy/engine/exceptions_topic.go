package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
)

// A permission may say what it is for: "you can tell Mum about the garden". Then it
// opens a fact only if the fact says something of that; otherwise somebody would
// learn of the illness in the sentence before it.

// topicLed is what a permission is for, behind the people that it names.
var topicLed = regexp.MustCompile(`^,? ?(?:know |hear |be told |to know |that )?(?:(?:too|as well|also|all|everything|anything|just|only|now|of course|please) ,? ?)*(?:about|of|for|on|regarding|concerning|how|why|what|where|when|which|whether|the|my|our|his|her|their) (.+)$`)

// anyTopic are words that stand for whatever was said before.
var anyTopic = set("it this that these those thing things matter news story rest everything all anything whole one happened happen going happening said say told tell know time today tonight tomorrow now course sure please mind way lot bit later soon you your i we me us my our")

// topicOf returns the terms of what an English permission is for, nil where it names
// nothing in particular.
func topicOf(tail string) []string {
	m := topicLed.FindStringSubmatch(strings.TrimSpace(tail))
	if m == nil {
		return nil
	}
	var words []string
	for _, word := range strings.FieldsFunc(m[1], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' }) {
		if !anyTopic[word] {
			words = append(words, word)
		}
	}
	return lexical.Terms(strings.Join(words, " "))
}

// zhNoTopic are the words around a Chinese permission that name no matter.
var zhNoTopic = regexp.MustCompile(`这件|那件|这个|那个|这些|那些|这事|那事|事情|事儿|的事|消息|情况|可以|能够|告诉|知道|没关系|不过|但是|当然|其实|如果|就是|一下|一声|没事|你|我|他|她|它|们|这|那|件|个|事|的|都|也|就|但|了|吧|哦|啊|嗯|呢|吗|跟|和|与|给|把|让|说|讲|话|是|能|会|请|去|要|行|好`)

// zhPause ends what belongs to a permission.
const zhPause = "，,、；;。：: "

// topicOfCJK is topicOf for what stands before and behind a Chinese permission,
// without a pause between.
func topicOfCJK(before, behind string) []string {
	before = before[strings.LastIndexAny(before, zhPause)+1:]
	if i := strings.IndexAny(behind, zhPause); i >= 0 {
		behind = behind[:i]
	}
	left := zhNoTopic.ReplaceAllString(strings.ToValidUTF8(before, "")+" "+behind, " ")
	var out []string
	for _, run := range strings.FieldsFunc(left, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
		runes := []rune(run)
		for i := 0; i+1 < len(runes); i++ {
			out = append(out, string(runes[i:i+2]))
		}
	}
	return out
}

// isFor reports whether a permission with a topic is for a fact with this text. One
// without is for the matter before it.
func (x *saying) isFor(text string) bool {
	if len(x.topic) == 0 {
		return true
	}
	terms := lexical.Terms(text)
	return slices.ContainsFunc(x.topic, func(t string) bool { return slices.Contains(terms, t) || hasCJK(t) && strings.Contains(text, t) })
}
