package engine

import (
	"regexp"
	"strings"
)

// What somebody else said makes no mark, also when the owner repeats it (MARKS,
// B09): quotations are cut before an utterance is read.
var (
	quotations = regexp.MustCompile(`"[^"\n]{0,400}"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|「[^」\n]{0,400}」|『[^』\n]{0,400}』|«[^»\n]{0,400}»`)
	// An opening quote that is never closed quotes the rest.
	openQuote = regexp.MustCompile(`(?:["“「『«]|[:：]\s*')[^"”」』»]*$`)
	quoteLine = regexp.MustCompile(`(?m)^\s*(?:>|＞|\|).*$`)
	pasted    = regexp.MustCompile(`(?m)^\s*\[?(?:\d{1,2}[:.]\d{2}[^\n]{0,12})?\]?\s*[\p{Lu}\p{Han}][\p{L} .'-]{0,30}[:：] .*$`)
	reported  = rule{w("said say told tells ask wr text claim beg want insist like reckon think thought"), regexp.MustCompile(`\b(?:he|she|they|it|somebody|someone|everyone|my [a-z]+|the [a-z]+|[a-z]+) (?:said|says|say|told me|tells me|asked me|asks me|asked|wrote|writes|texted|texts|claims|claimed|begged(?: me)?|begs(?: me)?|wants me|wanted me|insists|insisted|(?:was|is|were) like|reckons|thinks|thought)\b`)}
	ownReport = regexp.MustCompile(`^(?:i|we) `)
	reportCJK = rule{w("说 告诉我 让我 叫我 求我 嘱咐 提醒"), regexp.MustCompile(`(?:^|[，,。；;\s])(?:[^我咱你您，,。；;\s]{1,6})(?:跟我说|对我说|和我说|告诉我|说过|让我|叫我|求我|嘱咐我|提醒我|说过?(?:[ :：，,]|$))[:：，,]?`)}
)

// ownWords returns text without quotations, quoted lines and pasted messages.
func ownWords(text string) string {
	if strings.ContainsAny(text, ">＞|") {
		text = quoteLine.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, "\"“„「『«") {
		text = quotations.ReplaceAllString(text, " ")
	}
	colon := strings.ContainsAny(text, ":：")
	if strings.ContainsAny(text, "\"“「『«") || colon && strings.Contains(text, "'") {
		text = openQuote.ReplaceAllString(text, " ")
	}
	if colon {
		text = pasted.ReplaceAllString(text, " ")
	}
	return text
}
