package evolve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// Forbidden is what no supplement may hold: the names of people, words of facts, and
// what others wrote. The zero value knows of nothing.
type Forbidden struct {
	names map[string]bool // folded words of names, and whole names with blanks
	cjk   []string        // Chinese names
	facts []map[string]bool
	count map[string]int            // in how many facts a term stands
	cases map[int64]map[string]bool // terms of the fact that feedback is about
	spans map[string]bool           // runs of words that others wrote
}

// spanWords and spanRunes are how much of somebody's text is a quotation.
const (
	spanWords = 4
	spanRunes = 6
)

// NewForbidden collects what supplements may not hold: names of the policy and further
// ones (handles, speakers), and texts that others wrote.
func NewForbidden(p *privacy.Policy, names, wrote []string) *Forbidden {
	f := &Forbidden{names: map[string]bool{}, count: map[string]int{}, cases: map[int64]map[string]bool{}, spans: map[string]bool{}}
	if p != nil {
		owner := p.Owner()
		names = append(append(slices.Clone(names), owner.Name), owner.Aliases...)
		for _, x := range p.People() {
			names = append(append(names, x.Name, string(x.ID)), x.Aliases...)
		}
		for _, x := range p.Removed() {
			names = append(append(names, x.Name), x.Aliases...)
		}
	}
	for _, n := range names {
		f.name(n)
	}
	for _, text := range wrote {
		for _, s := range spansOf(text) {
			f.spans[s] = true
		}
	}
	return f
}

// called is what of a fact's subject is a name: of several words those that are written
// as one ("Ines's reiki teacher" is about no reiki that is anybody's name).
func called(name string) string {
	words := strings.Fields(name)
	if len(words) < 2 || hasHan(name) {
		return name
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.ToLower(w) == w }), " ")
}

func (f *Forbidden) name(name string) {
	whole := strings.Join(lexical.Words(name), " ")
	if whole == "" {
		return
	}
	f.names[strings.ToLower(whole)] = true
	if hasHan(name) {
		if n := strings.TrimSpace(name); utf8.RuneCountInString(n) > 1 {
			f.cjk = append(f.cjk, n)
		}
		return
	}
	for _, w := range lexical.Words(name) {
		if w = strings.ToLower(w); utf8.RuneCountInString(w) > 2 && !lexical.IsStopWord(w) && !kinship[w] {
			f.names[w] = true
		}
	}
}

// kinship are words of names ("Aunt Ida", "Dr. Mehl") that are no name.
var kinship = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields("mum mom mother dad father aunt uncle grandma grandpa granny sister brother mr mrs ms dr doctor prof boss friend neighbour neighbor team work the family") {
		out[w] = true
	}
	return out
}()

// AddFact notes a stored fact whose words are telling, and the feedback that is about it.
func (f *Forbidden) AddFact(text string, feedback ...int64) {
	terms := termsOf(text)
	f.facts = append(f.facts, terms)
	for t := range terms {
		f.count[t]++
	}
	for _, id := range feedback {
		f.cases[id] = terms
	}
}

func termsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range lexical.Terms(text) {
		out[t] = true
	}
	return out
}

// Bounds of what is telling.
const (
	rareFacts   = 2 // a word of a case that stands in so few facts is telling
	sharedTerms = 4 // so many words of one fact tell it
)

// Check reports why a supplement may not be, whatever it would do; nil where nothing
// speaks against it. The error wraps one of the package's and holds no word of a fact.
func Check(s Supplement, f *Forbidden) error {
	if f == nil {
		f = &Forbidden{}
	}
	if (s.Lesson == nil) == (strings.TrimSpace(s.Text) == "") {
		return ErrEmpty
	}
	if s.Lesson != nil {
		return f.checkLesson(s)
	}
	return f.checkNote(s)
}

func (f *Forbidden) checkLesson(s Supplement) error {
	l := *s.Lesson
	if err := f.checkNames(l.Term); err != nil { // "Tomas" is a name before it is a wrong form
		return err
	}
	if err := l.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrStage, err)
	}
	if string(s.Stage) != l.Stage() || s.Language != l.Language() {
		return fmt.Errorf("%w: the lesson is for %s (%s)", ErrStage, l.Stage(), l.Language())
	}
	if l.Kind != engine.LessonHeading && l.Lang == "zh" && likeName(l.Term) {
		return fmt.Errorf("%w, or looks as if it did", ErrName)
	}
	if markup.MatchString(l.Term) {
		return ErrMarkup
	}
	if number.MatchString(l.Term) {
		return ErrNumber
	}
	if orders(l.Term) {
		return ErrInstruction
	}
	// A word that one fact alone says is that fact's; a heading is a word of the policy.
	if (l.Kind == engine.LessonWord || l.Kind == engine.LessonNoWord) && len(f.facts) > 0 {
		if n := f.having(l.Term); n == 1 {
			return fmt.Errorf("%w: one fact alone says it", ErrTelling)
		}
	}
	return nil
}

// having is how many facts hold all terms of a text.
func (f *Forbidden) having(text string) int {
	terms := termsOf(text)
	n := 0
	for _, fact := range f.facts {
		all := len(terms) > 0
		for t := range terms {
			all = all && fact[t]
		}
		if all {
			n++
		}
	}
	return n
}

// noteStages are the stages that take notes: those of the way in and out, none of those
// that judge a benchmark or learn.
var noteStages = []prompts.Name{
	prompts.StageExtract, prompts.StageAnnotate, prompts.StageCorefer, prompts.StageQueryUnits, prompts.StageProject, prompts.StageRespond,
}

// Stages are the stages that may learn: by notes on a model, or by lessons offline.
func Stages() []prompts.Name { return append(slices.Clone(noteStages), StageExceptions) }

func (f *Forbidden) checkNote(s Supplement) error {
	text := s.Text
	switch {
	case !slices.Contains(noteStages, s.Stage):
		return fmt.Errorf("%w: stage %q", ErrStage, s.Stage)
	case utf8.RuneCountInString(text) > prompts.MaxSupplementRunes:
		return fmt.Errorf("%w: %d characters, at most %d", ErrTooLong, utf8.RuneCountInString(text), prompts.MaxSupplementRunes)
	case utf8.RuneCountInString(text) < 8:
		return ErrEmpty
	case !printable(text) || markup.MatchString(text):
		return ErrMarkup
	case orders(text):
		return ErrInstruction
	case number.MatchString(text):
		return ErrNumber
	}
	if err := f.checkNames(text); err != nil {
		return err
	}
	for _, span := range spansOf(text) {
		if f.spans[span] {
			return ErrQuotes
		}
	}
	if err := f.checkTelling(s); err != nil {
		return err
	}
	if s.Language != "" && lexical.Base(lexical.Language(text)) != lexical.Base(s.Language) {
		return fmt.Errorf("%w: want %s", ErrLanguage, s.Language)
	}
	return nil
}

// checkNames refuses names of people.
func (f *Forbidden) checkNames(text string) error {
	words := lexical.Words(strings.ToLower(text))
	for i, w := range words {
		if f.names[w] || f.names[strings.TrimSuffix(w, "'s")] {
			return ErrName
		}
		for n := 2; n <= 4 && i+n <= len(words); n++ {
			if f.names[strings.Join(words[i:i+n], " ")] {
				return ErrName
			}
		}
	}
	for _, n := range f.cjk {
		if strings.Contains(text, n) {
			return ErrName
		}
	}
	return nil
}

// checkTelling refuses words that tell a fact.
func (f *Forbidden) checkTelling(s Supplement) error {
	terms := termsOf(s.Text)
	for _, id := range s.Evidence {
		for t := range terms {
			if f.cases[id][t] && f.count[t] <= rareFacts {
				return ErrTelling
			}
		}
	}
	for _, fact := range f.facts {
		shared := 0
		for t := range terms {
			if fact[t] {
				shared++
			}
		}
		if shared >= sharedTerms {
			return ErrTelling
		}
	}
	return nil
}

// markup is what a marker, an address or code is made of.
var markup = regexp.MustCompile("(?i)[<>`{}\\[\\]|\\\\^=#@*_~;$]|://|www\\.|\\.(com|org|net|io|cn)\\b|\\b(system|assistant|user|developer|human|tool)\\s*[:：]|\\b(json|xml|html|sql|python|javascript|curl|eval|exec)\\b|(系统|助手|用户)\\s*[:：]|---|\\*\\*")

// number is an amount, a number or a day.
var number = regexp.MustCompile(`(?i)[\p{Nd}\p{No}€£¥%]|\b(hundred|thousand|million|billion)s?\b|` +
	`\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december)\b|` +
	`星期[一二三四五六日天]|周[一二三四五六日]|[一二三四五六七八九十百千万两]+(块|元|万|千|百|号|日|岁|年|个月)|[二三四五六七八九十两]点|[午上晨]一点|[一二三四五六七八九十]+月`)

// order is what a note may not ask for: to put rules aside, or to be somebody else;
// loose is what lets more out, unless it is denied in the same breath.
var (
	order = regexp.MustCompile(`(?i)\b(ignor\w*|disregard\w*|overrid\w*|bypass\w*|forget\w*|supersed\w*|jailbreak\w*|pretend\w*|role-?play\w*|unrestrict\w*|uncensor\w*)\b|` +
		`\b(you are|you're|act as|from now on|new (rule|rules|instruction|instructions)|previous (rule|rules|instruction|instructions)|instructions?|prompts?|no longer (applies|apply|holds?)|` +
		`rules? (above|do|does|don't|doesn't|is|are)|regardless|without (asking|checking|exception)|no matter who|who(m)?(so)?ever|under all circumstances|(any|every) (reader|recipient|listener|asker)s?)\b|` +
		`\b(most|more|widest|as|broadest) (open|public|permissive|liberal|generous|lenient|wide|broad)\b|\b(widest|broadest|loosest|laxest|openest) \w+|\bleast (strict|private|sensitive|restricti\w+)|\b(lower|lowest|higher|highest|raise|loosen|relax|widen) (the )?(level|label|tier|audience|protection)s?\b|` +
		`忽略|无视|忘记|绕过|覆盖|推翻|作废|不必遵守|不用遵守|你是|扮演|假装|从现在起|从此|新规则|之前的(规则|指令)|指令|提示词|无论是谁|不管是谁|不论谁|任谁|谁都|最(开放|宽松|公开)|越(宽|开放|公开)越|放宽|一律(告诉|公开|允许)`)
	loose = regexp.MustCompile(`(?i)\b(tell(s|ing)?|told|say|reveal\w*|disclos\w*|share[sd]?|sharing|leak\w*|publish\w*|allow\w*|permit\w*|grant\w*|unlock\w*|trust\w*|whitelist\w*|everyone|everybody|anyone|anybody|strangers?)\b|` +
		`告诉|透露|公开|泄露|分享|允许|准许|放行|信任|白名单|所有人|任何人|陌生人`)
	denied = regexp.MustCompile(`(?i)\b(not|never|don't|doesn't|cannot|can't|mustn't|nobody)\s+(\w+\s+){0,2}` +
		`(tell(s|ing)?|told|say|reveal\w*|disclos\w*|share[sd]?|sharing|leak\w*|publish\w*|allow\w*|permit\w*|grant\w*|trust\w*)\b|` +
		`(不要|不得|不能|不应|不可|切勿|别|勿|不)(告诉|透露|公开|泄露|分享|允许|准许|放行|信任)`)
	// doubled turns a denial round: "never hesitate to", "do not withhold".
	doubled = regexp.MustCompile(`(?i)\b(not|never|don't|doesn't|cannot|can't|no need to|stop|nothing)\b.*\b(hesitat\w*|fail\w*|refus\w*|avoid\w*|withh\w*|hid(e|es|ing|den)?|den(y|ies|ied)|omit\w*|back|secret\w*|close[sd]?|keep\w*|protect\w*|deflect\w*|private)\b|` +
		`(不要|不得|不能|不必|不用|别|勿|不).{0,4}(犹豫|拒绝|隐瞒|保留|保密|回避|隐藏|省略)`)
)

// orders reports whether a text asks for what no note may ask for. What may be said by a
// note is to tell less; a denial of telling is left out before looking for orders to
// tell.
func orders(text string) bool {
	if order.MatchString(text) || doubled.MatchString(text) {
		return true
	}
	return loose.MatchString(denied.ReplaceAllString(text, " "))
}

func printable(text string) bool {
	for _, r := range text {
		if r != ' ' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) || unicode.Is(unicode.Co, r) || r == utf8.RuneError) {
			return false
		}
	}
	return true
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// spansOf are the runs of words, or of Chinese characters, that are a quotation.
func spansOf(text string) []string {
	var out []string
	var han []rune
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han = append(han, r)
		}
	}
	for i := 0; i+spanRunes <= len(han); i++ {
		out = append(out, string(han[i:i+spanRunes]))
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	words = slices.DeleteFunc(words, hasHan)
	for i := 0; i+spanWords <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+spanWords], " "))
	}
	return out
}
