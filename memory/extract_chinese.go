package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chinese makes statements of a Chinese text in v's voice.
func (v *voice) chinese(text string) []statement {
	var out []statement
	for _, sentence := range sentences(spacesAsCommas(text)) {
		joins := strings.ContainsRune("这那它他她所但而因不", firstRune(sentence))
		clauses := v.chineseClauses(sentence)
		if len(clauses) == 0 {
			continue
		}
		st, ok := v.rewriteChinese(strings.Join(clauses, "，"))
		if !ok {
			continue
		}
		st.joins = joins
		out = append(out, st)
	}
	return out
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
// address, no small talk, no question, nothing about who may know.
func (v *voice) chineseClauses(sentence string) []string {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, "”」』\"）)"))
	asks := end == '？' || end == '?'
	parts := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune("，,。！？!?；;…～~", r) })
	var out []string
	for i, p := range parts {
		p = v.dropCalling(trimChinese(p))
		if v.callsChinese(p) {
			v.calls(strings.ToLower(p))
			continue
		}
		if p == "" || chineseChat[p] || greetsChinese(p) || aboutAccessChinese(p) || strings.HasPrefix(p, "请") && i == len(parts)-1 && len(parts) == 1 {
			continue
		}
		if i == len(parts)-1 && (asks || asksChinese(p)) {
			continue
		}
		if asks && asksChinese(p) {
			continue
		}
		out = append(out, p)
	}
	if asks && len(out) == 1 && utf8.RuneCountInString(out[0]) < 6 {
		return nil
	}
	return out
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
	for _, end := range []string{"吗", "呢", "不是吗", "对吧", "好不好", "行不行", "是吧", "没有没有", "是不", "去没", "到没", "了没", "没呢", "咋样", "怎么样", "怎么办", "为啥", "为什么", "啥", "什么", "几点", "多少", "哪"} {
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
	// "别跟我妈说", "不要告诉他", "可以跟小洁讲"
	for _, no := range []string{"别", "不要", "不能", "不许", "可以", "千万", "先不", "不准"} {
		if i := strings.Index(p, no); i >= 0 {
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
// resolved. One that names no subject is told as its speaker's words.
func (v *voice) rewriteChinese(s string) (statement, bool) {
	st := statement{subject: v.speaker}
	content := chineseContent(s)
	if strings.ContainsAny(s, "我你您咱") { // "我怀孕了" says enough
		content += 4
	}
	if content < 5 {
		return statement{}, false
	}
	st.weak = content < 6
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
	}
	if !named {
		text = v.speaker + "说，" + text
	}
	st.text = closed(text, "。")
	return st, st.text != ""
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

// chinesePersons resolves the first and second person. first is whom the text
// is about, where its start tells; named says that it names the speaker or the
// listener at all.
func (v *voice) chinesePersons(s string) (text, first string, named bool) {
	var b strings.Builder
	put := func(name string, at int) {
		b.WriteString(name)
		named = true
		if at == 0 {
			first = name
		}
	}
	quoted := 0
	for i := 0; i < len(s); {
		rest := s[i:]
		r, n := utf8.DecodeRuneInString(rest)
		switch r {
		case '“', '「', '『':
			quoted++
		case '”', '」', '』':
			quoted = max(0, quoted-1)
		}
		if quoted > 0 {
			b.WriteString(rest[:n])
			i += n
			continue
		}
		matched := false
		for _, p := range chinesePersonWords {
			if !strings.HasPrefix(rest, p.word) {
				continue
			}
			if p.kind == personKeep {
				b.WriteString(p.word)
			} else if name := v.chinesePerson(p.kind); name == "" {
				b.WriteString("大家")
			} else if kin, size := kinAfter(rest[len(p.word):]); kin != "" && (p.kind == personI || p.kind == personYou) {
				put(name+"的"+kin, i)
				n = len(p.word) + size
				matched = true
				break
			} else {
				put(name, i)
			}
			n = len(p.word)
			matched = true
			break
		}
		if !matched {
			b.WriteString(rest[:n])
		}
		i += n
	}
	return b.String(), first, named
}

func (v *voice) chinesePerson(k personKind) string {
	switch k {
	case personI:
		return v.speaker
	case personYou:
		return v.you
	case personBoth:
		if v.you != "" {
			return v.speaker + "和" + v.you
		}
		return v.speaker + "等人"
	case personWe:
		return v.speaker + "等人"
	}
	return ""
}

// kinAfter reads a word of kinship right after "我" or "你": "我妈" is "…的妈妈".
func kinAfter(s string) (string, int) {
	for _, k := range chineseKin {
		if strings.HasPrefix(s, k.said) {
			return k.full, len(k.said)
		}
	}
	return "", 0
}

// startsWithPerson names the known person whom a text begins with.
func (v *voice) startsWithPerson(text string) string {
	best := ""
	lower := strings.ToLower(text)
	for name, full := range v.scene.people {
		if utf8.RuneCountInString(name) > 1 && strings.HasPrefix(lower, name) && (len(full) > len(best) || len(full) == len(best) && full < best) {
			best = full
		}
	}
	return best
}

// chineseContent counts the characters that carry something: no pronouns,
// particles or marks. A figure counts two.
func chineseContent(s string) int {
	n, digit := 0, false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			if !digit {
				n += 2
			}
			digit = true
			continue
		case unicode.IsLetter(r) && !strings.ContainsRune("我你他她它们的了吧呢啊呀嘛哦哈就也都很太还又这那是不有个", r):
			n++
		}
		digit = false
	}
	return n
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

type personKind int

const (
	personKeep personKind = iota // looks like a pronoun and is none
	personI
	personYou
	personWe
	personBoth
)

// chinesePersonWords in the order in which they are tried.
var chinesePersonWords = []struct {
	word string
	kind personKind
}{
	{"自我", personKeep}, {"忘我", personKeep}, {"迷你", personKeep},
	{"我们俩", personBoth}, {"我俩", personBoth}, {"咱俩", personBoth}, {"咱们俩", personBoth}, {"我们两个", personBoth}, {"咱们两个", personBoth},
	{"我们", personWe}, {"咱们", personWe}, {"咱", personWe}, {"俺们", personWe},
	{"我", personI}, {"俺", personI},
	{"你们", personKeep}, {"您们", personKeep},
	{"你", personYou}, {"您", personYou},
}

var chineseKin = []struct{ said, full string }{
	{"妈妈", "妈妈"}, {"爸爸", "爸爸"}, {"老婆", "妻子"}, {"媳妇", "妻子"}, {"太太", "妻子"}, {"老公", "丈夫"}, {"先生", "丈夫"},
	{"妈", "妈妈"}, {"爸", "爸爸"}, {"哥", "哥哥"}, {"姐", "姐姐"}, {"弟", "弟弟"}, {"妹", "妹妹"}, {"爷爷", "爷爷"}, {"奶奶", "奶奶"},
	{"儿子", "儿子"}, {"女儿", "女儿"}, {"闺女", "女儿"}, {"嫂子", "嫂子"}, {"舅", "舅舅"}, {"姨", "姨妈"}, {"叔", "叔叔"},
}

var (
	// chineseChat are clauses that say nothing worth keeping.
	chineseChat = words(`好 好的 好吧 好嘞 好啊 行 行吧 行啊 嗯 嗯嗯 哦 噢 对 对啊 是 是的 是啊 收到 明白 懂 懂了 知道 知道了 我知道 我知道了 可以 没事 没关系 谢谢 谢了 谢谢你 多谢 辛苦 辛苦了
		放心 晚安 早 早安 早上好 晚上好 下午好 你好 您好 拜拜 再见 恭喜 加油 哈哈 哈哈哈 哈哈哈哈 说 你说 你说吧 然后 然后呢 真的 真的假的 当然 没问题 不客气 ok OK 说定了 绝了 牛 牛啊 厉害 天哪 不用谢 不会吧 也是 跟你说个事 跟你商量个事
		有个事 还有个事 还有件事 我跟你说个事 跟你说实话 跟你说实话吧 我跟你讲 说实话 告诉你个事 告诉你一件事 我错了 反正`)
	chineseOh    = []string{"哈哈", "嘿嘿", "呵呵", "我靠", "卧槽", "我去，", "天哪", "天啊", "哎呀", "唉", "哎", "嗯", "哦", "噢", "喂", "哇", "啊", "对了", "另外", "还有，", "那个，", "话说", "其实", "反正", "好吧", "好的", "没 ", "对，"}
	chineseCalls = []string{"老师", "主任", "师父", "师傅", "妈妈", "爸爸", "妈", "爸", "哥", "姐", "叔", "阿姨", "兄弟", "大哥", "亲爱的", "老婆", "老公", "医生", "大夫"}
	// chineseAccess mark a clause that says who may know.
	chineseAccess = []string{"谁都没说", "谁也没说", "谁都不知道", "谁也不知道", "谁也别", "谁都别", "只有你", "就你一个人", "就你知道", "只你", "里就你", "保密", "别往外", "不往外", "别声张", "别外传", "一个字都不", "一个字都别", "一个字不",
		"到我这儿为止", "到此为止", "嘴上把", "嘴缝上", "别让", "别跟", "别和", "别告诉", "别对", "不要告诉", "没人知道", "不告诉任何人", "没告诉", "不能让", "不想让", "瞒着点", "替我瞒", "帮我瞒", "别说出去", "不许说", "不外传", "跟谁都别", "咱俩知道", "你知我知", "你知道就行"}
)
