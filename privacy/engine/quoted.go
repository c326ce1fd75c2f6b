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

// noSubject are words before "say" and its like that are nobody who says it: "don't
// say", "just say".
var noSubject = set("t not never please just to can could must should will would may might d ll ever even shouldn wouldn cannot don")

// reportIn returns where text begins to report what somebody else said, nil if it
// doesn't.
func reportIn(text string) []int {
	for _, m := range reported.findAll(text) {
		if first, _, _ := strings.Cut(text[m[0]:m[1]], " "); !noSubject[first] {
			return m[:2]
		}
	}
	return nil
}

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
		text = pasted.ReplaceAllStringFunc(text, func(line string) string {
			if ownHead(line) {
				return line
			}
			return " "
		})
	}
	return text
}

// Words before a colon that address somebody or say something ("Keep this to
// yourself: …") and don't name whoever speaks ("Anna Weber: …").
var (
	saysHead  = regexp.MustCompile(`(?i)\b(?:i|i'm|i've|you|you're|it|it's|this|that|these|those|please|do|does|don't|not|never|keep|tell|say|share|mention|know|knows|secret|secrets|between|listen|psst|promise|nobody|only|just|if|so|and|but|because|here|here's|the|is|are|was|has|have|can|can't|must|mustn't|my|our|what|why|how|in|for|off|top|strictly|confidential|confidentially|honestly|news|confession)\b|[别不我你您咱没勿莫]|保密|秘密|知道|告诉|老实说|说实话|其实|悄悄|注意`)
	namesHead = regexp.MustCompile(`(?i)^\s*(?:my|the|our)(?: [\p{L}'-]+){1,3}$|[^我咱你您]说$`)
)

// ownHead reports whether a line with a colon is the owner's own sentence.
func ownHead(line string) bool {
	head := strings.ReplaceAll(strings.TrimSpace(line[:strings.IndexAny(line, ":：")]), "’", "'")
	return saysHead.MatchString(head) && !namesHead.MatchString(head)
}
