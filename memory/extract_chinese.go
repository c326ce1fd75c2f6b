package memory

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// chinese makes statements of a Chinese text in v's voice.
func (v *voice) chinese(text string) []statement {
	var out []statement
	mine := false // the statement before speaks of the speaker
	for _, sentence := range sentences(spacesAsCommas(text)) {
		joins := strings.ContainsRune("这那它他她所但而因不", firstRune(sentence))
		sentence, teller := v.chineseFrame(sentence)
		for _, g := range teller.chineseClauses(chineseTruths(sentence)) {
			text := strings.Join(g.clauses, "，")
			if g.apart && mine && !strings.ContainsRune("我俺咱你您他她这那", firstRune(text)) && lacksSubject(text) {
				text = "我" + text
			}
			mine = namesSpeaker(g.clauses)
			text, given := v.chineseAbout(text)
			st, ok := teller.rewriteChinese(text)
			if !ok {
				continue
			}
			if given {
				st.subject = v.scene.about
			}
			st.joins, st.apart = joins && !given, g.apart
			joins = false
			out = append(out, st)
		}
	}
	return out
}

// chineseFrame does for a Chinese sentence what saysFrame does: "小李说：我要离婚了".
func (v *voice) chineseFrame(sentence string) (string, *voice) {
	i := strings.IndexAny(sentence, "：:")
	if i < 0 || utf8.RuneCountInString(sentence[:i]) > 8 {
		return sentence, v
	}
	name, ok := strings.CutSuffix(strings.TrimSpace(sentence[:i]), "说")
	if !ok || name == "" || strings.ContainsAny(name, "，,。我你他她医老") && v.scene.people[strings.ToLower(name)] == "" {
		return sentence, v
	}
	name = strings.TrimSpace(name)
	if known := v.scene.people[strings.ToLower(name)]; known != "" {
		name = known
	}
	_, n := utf8.DecodeRuneInString(sentence[i:])
	rest := strings.Trim(sentence[i+n:], " “”「」\"")
	switch own := strings.HasPrefix(rest, "我") && !strings.HasPrefix(rest, "我们"); {
	case own && name != v.speaker:
		theirs := *v
		theirs.speaker, theirs.you = name, v.speaker
		return rest, &theirs
	case own, strings.HasPrefix(rest, name):
		return rest, v
	}
	return sentence, v
}

// clauseGroup are clauses of a sentence that make one statement.
type clauseGroup struct {
	clauses []string
	apart   bool // see statement
}

// spacesAsCommas reads a blank between two Chinese words as the comma that it
// stands for in chats.
func spacesAsCommas(s string) string {
	if !strings.ContainsRune(s, ' ') {
		return s
	}
	var b strings.Builder
	var last rune
	for i, r := range s {
		if r == ' ' {
			next := firstRune(strings.TrimLeft(s[i:], " "))
			if unicode.Is(unicode.Han, last) && (unicode.Is(unicode.Han, next) || unicode.IsDigit(next)) {
				b.WriteRune('，')
				last = '，'
				continue
			}
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// chineseClauses returns the clauses of a sentence that state something: no
// address, no small talk, no question, nothing about who may know, nor what to say
// to whoever asks. What was told and what is true come apart.
func (v *voice) chineseClauses(sentence string) []clauseGroup {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, "”」』\"）)"))
	asks := end == '？' || end == '?'
	parts := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune("，,。！？!?；;…～~", r) })
	var out []clauseGroup
	count, size := 0, 0
	apart, cover, access := false, false, false
	for i, p := range parts {
		p, turns := turnChinese(strings.Trim(p, " 　\t"))
		if turns {
			apart, cover = true, false
			if chineseNot[p] {
				continue
			}
		}
		p = v.dropCalling(trimChinese(p))
		if cover || chineseIfAsked.MatchString(p) {
			cover = true
			continue
		}
		if v.callsChinese(p) {
			v.calls(strings.ToLower(p))
			continue
		}
		if aboutAccessChinese(p) {
			p = chineseComplement(p)
			access = true
		} else if access && chineseWhy.MatchString(p) {
			continue
		}
		if p == "" || chineseChat[p] || chineseTelling.MatchString(p) || greetsChinese(p) || ordersChinese(p) {
			continue
		}
		if i == len(parts)-1 && (asks || asksChinese(p)) {
			continue
		}
		if asks && asksChinese(p) {
			continue
		}
		if apart || len(out) == 0 {
			out = append(out, clauseGroup{apart: apart})
			apart = false
		}
		last := &out[len(out)-1]
		last.clauses = append(last.clauses, p)
		count, size = count+1, utf8.RuneCountInString(p)
	}
	if asks && count == 1 && size < 6 {
		return nil
	}
	return out
}

// chineseTelling only says that something is going to be said, and to whom: "我给你说",
// "小满跟你讲个实话". That it is a secret says chineseAccess.
var chineseTelling = regexp.MustCompile(`^(?:\p{Han}{0,3}?)(?:先|就|也|得)?(?:跟|给|和|对)(?:你|您|你们|您们|你俩)(?:先)?(?:说|讲|摆|交代|唠|透)(?:个|件|句|一)?(?:事|事情|实话|老实话|真话|声|下|句)?(?:儿)?(?:吧|啊|哈|嘛|哦|噢|哟|嗷)?$`)

// chineseMo are orders not to tell in the way of the south-west and the north-east,
// whose first character is also a surname.
var chineseMo = regexp.MustCompile(`(?:莫|甭)(?:要)?(?:再)?(?:跟|和|给|对|向|说|讲|提|告诉|告|漏|传|让|摆)`)

// chineseWhy says, behind a clause about who may know, what they would do.
var chineseWhy = regexp.MustCompile(`^(?:免得|省得|不然|否则|(?:他们?|她们?)(?:肯定|一定|又|可能|准)?(?:会|要|得))`)

// chineseNot only denies what was told.
var chineseNot = words("没有 不是 没 不 并没有 并不是 不是的 没有的事")

// chineseIfAsked is "if my mother asks": what follows is what to say then, which
// needn't be so.
var chineseIfAsked = regexp.MustCompile(`^(?:如果|要是|万一|假如|若|谁|有人).{0,10}问(?:起来?|到|你|我|你们)?(?:的话|了|来)?(?:就说.*)?$`)

// chineseComplement returns the thing that a clause about access names, or "":
// "我怀孕了" of "没人知道我怀孕了" and "别告诉小李我怀孕了".
func chineseComplement(p string) string {
	rest := ""
	if _, after, ok := strings.Cut(p, "知道我"); ok {
		rest = "我" + after
	} else if before, after, ok := strings.Cut(p, "说我"); ok && strings.ContainsAny(before, "跟和对") {
		rest = "我" + after
	} else if _, after, ok := strings.Cut(p, "告诉"); ok && after != "" {
		_, n := utf8.DecodeRuneInString(after)
		if i := strings.Index(after[n:], "我"); i >= 0 {
			rest = after[n+i:]
		}
	}
	if kin, _ := kinAfter(strings.TrimPrefix(rest, "我")); rest == "" || kin != "" && utf8.RuneCountInString(rest) < 6 ||
		utf8.RuneCountInString(rest) < 4 || strings.HasPrefix(rest, "我的") || strings.ContainsAny(rest, "哪谁什怎吗几") || aboutAccessChinese(rest) {
		return ""
	}
	return rest
}

// greetsChinese reports whether a clause only greets: "王老师您好".
func greetsChinese(p string) bool {
	for _, end := range []string{"您好", "你好", "早上好", "上午好", "下午好", "晚上好", "晚安", "新年好", "新年快乐", "生日快乐"} {
		if strings.HasSuffix(p, end) && utf8.RuneCountInString(p) <= 9 {
			return true
		}
	}
	return false
}

// trimChinese drops interjections in front of a clause.
func trimChinese(p string) string {
	p = strings.Trim(p, " 　\t")
	for {
		start := p
		for _, w := range chineseOh {
			if rest, ok := strings.CutPrefix(p, w); ok {
				p = strings.TrimLeft(rest, " 　啊呀呢吧")
			}
		}
		if p == start {
			return p
		}
	}
}

// callsChinese reports whether a clause only calls somebody: "葛主任", "妈".
func (v *voice) callsChinese(p string) bool {
	if v.scene.people[p] != "" {
		return true
	}
	if utf8.RuneCountInString(p) > 4 {
		return false
	}
	for _, end := range chineseCalls {
		if strings.HasSuffix(p, end) {
			return true
		}
	}
	return false
}

// asksChinese reports whether a clause is a question by its words.
func asksChinese(p string) bool {
	for _, end := range []string{"吗", "呢", "不是吗", "对吧", "好不好", "行不行", "是吧", "没有没有", "是不", "去没", "到没", "了没", "没呢", "咋样", "怎么样", "怎么办", "为啥", "为什么", "啥", "什么", "几点", "多少", "哪", "不"} {
		if strings.HasSuffix(p, end) {
			return true
		}
	}
	for _, start := range []string{"谁", "怎么", "为什么", "为啥", "咋", "啥", "什么时候", "哪", "几点", "是不是", "有没有", "要不要", "能不能", "会不会", "多少", "你打算"} {
		if strings.HasPrefix(p, start) {
			return true
		}
	}
	for _, w := range []string{"几点", "什么时候", "是不是", "怎么不", "为什么", "感觉怎么样", "谁来", "谁出", "谁去", "哪几"} {
		if strings.Contains(p, w) && utf8.RuneCountInString(p) <= 16 {
			return true
		}
	}
	return false
}

// aboutAccessChinese reports whether a clause says who may know.
func aboutAccessChinese(p string) bool {
	if !strings.ContainsAny(p, "别知说讲提密告传漏瞒") {
		return false
	}
	for _, w := range chineseAccess {
		if strings.Contains(p, w) {
			return true
		}
	}
	if chineseMo.MatchString(p) {
		return true
	}
	// "别跟我妈说", "不要告诉他", "可以跟小洁讲"
	for _, no := range []string{"别", "不要", "不能", "不许", "可以", "千万", "先不", "不准"} {
		if i := strings.Index(p, no); i >= 0 {
			if no == "可以" && strings.HasSuffix(p[:i], "我") { // "我可以告诉你 …" tells
				continue
			}
			rest := p[i:]
			for _, say := range []string{"说", "讲", "提", "告诉", "知道", "传", "漏", "泄露", "声张"} {
				if strings.Contains(rest, say) && utf8.RuneCountInString(rest) <= 16 {
					return true
				}
			}
		}
	}
	return false
}

// rewriteChinese puts a statement into the third person, with its times
// resolved. One that has no subject at all is told as its speaker's words; one
// about "him" or "her" says so, and of nobody in particular.
func (v *voice) rewriteChinese(s string) (statement, bool) {
	st := statement{subject: v.speaker}
	content := chineseContent(s)
	if content == 0 {
		return statement{}, false
	}
	switch {
	case strings.ContainsAny(s, "我咱"): // "我怀孕了" says enough
		content += 4
	case strings.ContainsAny(s, "你您"):
		content += 2
	}
	if content < 3 {
		return statement{}, false
	}
	st.weak = content < 5
	subjectless := lacksSubject(s)
	if said, ok := saidDay(v.said); ok {
		s, st.when = chineseTimes(s, said)
	}
	text, first, named := v.chinesePersons(s)
	if first != "" && !strings.HasSuffix(first, "等人") {
		st.subject = first
	} else if who := v.startsWithPerson(text); who != "" {
		st.subject, named = who, true
	}
	if r := firstRune(text); r == '他' || r == '她' || r == '它' {
		named = true
		st.subject = ""
	}
	if !named && subjectless {
		text = v.says() + text
	}
	st.text = closed(text, "。")
	return st, st.text != ""
}

// lacksSubject reports whether a statement doesn't plainly begin with whom or what
// it is about, once the time and adverbs before it are left out. Plain is "X的Y …"
// and two or more characters that no verb begins with, soon before a word that
// predicates. What belongs to somebody unsaid ("膝盖疼", "妈来了") isn't.
func lacksSubject(s string) bool {
	clause, _, _ := strings.Cut(s, "，")
	for {
		start := clause
		if m := chineseTime.FindStringIndex(clause); m != nil && m[0] == 0 {
			clause = clause[m[1]:]
		}
		for _, w := range chineseFirst {
			clause = strings.TrimPrefix(clause, w)
		}
		if clause == start {
			break
		}
	}
	for _, w := range chineseBare {
		if strings.HasPrefix(clause, w) {
			return true
		}
	}
	noun := false
	for _, w := range chineseNouns {
		noun = noun || strings.HasPrefix(clause, w)
	}
	if !noun && strings.ContainsRune(chineseVerbs, firstRune(clause)) {
		return true
	}
	i := 0
	for at, r := range clause {
		if i > 6 {
			break
		}
		if i >= 2 && strings.ContainsRune(chinesePredicates, r) || i >= 1 && r == '的' && utf8.RuneCountInString(clause[at:]) > 2 {
			return false
		}
		i++
	}
	return true
}

// dropCalling drops a name or title that calls the listener right before "你":
// "小满你…", "王老师您…".
func (v *voice) dropCalling(s string) string {
	i := strings.IndexAny(s, "你您")
	if i <= 0 || utf8.RuneCountInString(s[:i]) > 4 || strings.ContainsRune(s[:i], '，') {
		return s
	}
	if v.callsChinese(s[:i]) {
		v.calls(strings.ToLower(s[:i]))
		return s[i:]
	}
	return s
}

// chineseContent counts the characters that carry something: no pronouns,
// particles, marks, reactions or courtesies. A figure counts two.
func chineseContent(s string) int {
	for _, w := range chineseReactions {
		if strings.Contains(s, w) {
			s = strings.ReplaceAll(s, w, "")
		}
	}
	n, digit := 0, false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			if !digit {
				n += 2
			}
			digit = true
			continue
		case unicode.IsLetter(r) && !strings.ContainsRune("我你您他她它们的了吧呢啊呀嘛哦哈就也都很太还又这那是不有个真挺好说想先再能会要让给跟和对被把到在上下里一没行可来去人事点过得吗呗嗯自己", r):
			n++
		}
		digit = false
	}
	return n
}

// ordersChinese reports whether a clause asks the hearer to do something: "别怕",
// "记得带外套", "你先低头吧", "有结果马上告诉我".
func ordersChinese(p string) bool {
	p = strings.TrimLeft(p, "那就快")
	rest := strings.TrimLeft(p, "你您")
	for _, w := range []string{"别", "不要", "不许", "千万", "记得", "赶紧", "请", "麻烦你", "管好", "放心", "替我", "帮我", "给我", "让我", "先别", "多喝", "注意", "小心", "慢慢"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	if strings.HasSuffix(p, "吧") && !strings.ContainsAny(p, "我他她") && (len(rest) < len(p) || utf8.RuneCountInString(p) <= 5) {
		return true
	}
	if !strings.ContainsRune(chineseVerbs, firstRune(p)) {
		return false
	}
	return strings.HasSuffix(p, "告诉我") || strings.HasSuffix(p, "跟我说") || strings.HasSuffix(p, "给我打电话") || strings.HasSuffix(p, "联系我")
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
