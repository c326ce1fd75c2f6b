package evolve

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// noteForms are the only forms that a note by rule has, by language. What is filled in
// is general words, and the everyday name of a theme.
var noteForms = map[string]string{
	"en": "In these categories, WORDS are mostly about THEME.",
	"zh": "在这些类别里，WORDS多半是关于THEME的。",
}

// themeNames are what themes are called in a note; one without a name has no note.
var themeNames = map[string]map[string]string{
	"en": {"health": "health", "fertility": "having children", "money": "private money", "pay": "pay", "job": "looking for other work", "quarrel": "quarrels",
		"work-conflict": "trouble at work", "work-projects": "plans at work", "leave": "who is in and who is off", "couple": "a couple's life", "romance": "love",
		"wedding": "weddings", "family": "family", "housing": "homes", "surprise": "surprises in the making", "travel": "travel", "leisure": "free time", "food": "food",
		"public": "public things", "opinion": "opinions", "legal": "the law", "belief": "politics and belief", "confidence": "what others confided", "promise": "promises"},
	"zh": {"health": "健康", "fertility": "生育", "money": "私人钱财", "pay": "工资", "job": "工作去向", "quarrel": "争吵", "work-conflict": "工作上的纠纷", "work-projects": "工作安排",
		"leave": "出勤和请假", "couple": "夫妻感情", "romance": "恋爱", "wedding": "婚事", "family": "家人", "housing": "住房", "surprise": "准备中的惊喜", "travel": "出行", "leisure": "爱好",
		"food": "饮食", "public": "公开的事", "opinion": "看法", "legal": "法律", "belief": "政治和信仰", "confidence": "别人托付的事", "promise": "承诺"},
}

// noteWords is how many words a note names.
const noteWords = 4

// notes turns words that were found for lessons into notes for the annotator on a model:
// one a theme and language, of words that several facts share.
func (l *learner) notes(found []scoredLesson) []Supplement {
	type key struct{ language, theme string }
	words, evidence := map[key][]string{}, map[key][]int64{}
	var order []key
	for _, f := range found {
		k := key{f.lesson.Lang, f.lesson.Of}
		if f.lesson.Kind != engine.LessonWord || themeNames[k.language][k.theme] == "" || len(words[k]) == noteWords {
			continue
		}
		if words[k] == nil {
			order = append(order, k)
		}
		words[k], evidence[k] = append(words[k], f.lesson.Term), append(evidence[k], f.evidence...)
	}
	var out []Supplement
	for _, k := range order {
		sep := ", "
		if k.language == "zh" {
			sep = "、"
		}
		slices.Sort(words[k])
		slices.Sort(evidence[k])
		text := strings.NewReplacer("WORDS", strings.Join(words[k], sep), "THEME", themeNames[k.language][k.theme]).Replace(noteForms[k.language])
		out = append(out, NewNote(prompts.StageAnnotate, k.language, text, ByRule, slices.Compact(evidence[k])...))
	}
	return out
}
