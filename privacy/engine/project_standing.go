package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// standing is what a statement says of time where it names none.
type standing int

const (
	happens standing = iota // an event or a plan: the day on which it was told says when
	state                   // how something is, which may change: so it was on that day
	habit                   // what somebody does or likes as a rule: a day would read as that of the habit
)

var (
	// eventful are words of one point in time, habitual of many.
	eventful = regexp.MustCompile(`\b(?:yesterday|today|tonight|tomorrow|ago|next|last|this (?:morning|afternoon|evening|week|month|year|spring|summer|autumn|winter)|soon|gestern|heute|morgen)\b|昨|今天|今晚|明天|后天|刚|上周|下周|上个月|下个月|去年|明年|了(?:[。！]|$)|打算|准备`)
	habitual = regexp.MustCompile(`\b(?:every|always|usually|often|never|rarely|daily|weekly|regularly|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|mornings|evenings|jeden|jede|immer|oft|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags)\b|每天|每周|每个|每年|每晚|每次|经常|常常|总是|平时|从不|从来不|习惯|周末都|天天`)
	tasteCJK = regexp.MustCompile(`(?:喜欢|爱|不|讨厌|最怕|擅长)(?:吃|喝|看|听|玩|打|唱|读|穿|跑|爬|养|做|画|抽)|喜欢|讨厌|最爱|爱好`)
	stateCJK = regexp.MustCompile(`住在|家在|正在|在[^，。]{1,8}(?:工作|上班|上学|读书)|过敏|(?:是|有|想|还没|欠)`)
)

var (
	tastes   = set("like likes love loves hate hates prefer prefers enjoy enjoys mag mögen liebt hasst trinkt isst spielt singt liest")
	states   = set("am is are has have lives live works work wants want needs need owes owe owns own knows know believes believe thinks think hopes hope feels feel studies study lies means belongs ist hat wohnt arbeitet")
	onceOnly = set("starts start begins begin ends end opens open closes close leaves leave arrives arrive flies fly moves move marries marry turns turn returns return comes come meets meet goes go gets get becomes becomes takes take this his its as us yes")
	adverbs  = set("also still now just really currently only even already don't doesn't doesn't do does not can can't cannot very much mostly")
	helped   = set("been gone got gotten had made done bought sold lost found left begun met put quit cut hurt given taken seen told become broken chosen written spent paid sent won kept held set begun come run")
)

// standingOf reads from a statement without a day of its own whether it tells an
// event, a state or a habit. What it can't read is an event.
func standingOf(r *privacy.Record) standing {
	folded := foldText(r.Text)
	if len(detailsOf(r.Text).dates) > 0 || eventful.MatchString(folded) {
		return happens
	}
	if hasCJK(folded) {
		switch {
		case habitual.MatchString(folded) || tasteCJK.MatchString(folded) && !strings.ContainsAny(folded, "了过"):
			return habit
		case stateCJK.MatchString(folded) && !strings.ContainsAny(folded, "了过"):
			return state
		}
		return happens
	}
	words := splitWords(folded)
	for i := range words[:min(len(words), maxSubject)] {
		w := words[i].text
		switch {
		case tastes[w]:
			return habit
		case states[w]:
			for _, after := range words[i+1 : min(len(words), i+4)] {
				if adverbs[after.text] {
					continue
				}
				if (w == "has" || w == "have" || w == "hat") && (helped[after.text] || strings.HasSuffix(after.text, "ed") || w == "hat" && strings.HasPrefix(after.text, "ge")) || after.text == "going" || after.text == "about" {
					return happens
				}
				break
			}
			if habitual.MatchString(folded) {
				return habit
			}
			return state
		case i > 0 && (notDoing[words[i-1].text] || !adverbs[w] && !onceOnly[w] && present(w)):
			return habit
		case strings.HasSuffix(w, "ed") || pastForms[w] || onceOnly[w] && !habitual.MatchString(folded):
			return happens
		}
	}
	if habitual.MatchString(folded) {
		return habit
	}
	return happens
}

// notDoing are what a verb in the present follows.
var notDoing = set("don't doesn't")

// maxSubject is within how many words of its beginning a statement has its verb.
const maxSubject = 6

// pastForms are irregular verbs in the past.
var pastForms = set("was were had did went got made took came saw said told bought sold lost found left began met put quit cut gave became broke chose wrote spent paid sent won kept held ran ate drank flew drove spoke slept fell felt thought brought caught taught read signed will would won't")

// present reports whether a word looks like a verb in the third person of the
// present: "plays".
func present(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "'s")
}

// toldDay returns the day that a fact is told with: when it happened, else the day
// on which it was said, unless it tells a habit.
func toldDay(r *privacy.Record) string {
	if r.HappenedAt.IsZero() && standingOf(r) == habit {
		return ""
	}
	return when(r).Date()
}
