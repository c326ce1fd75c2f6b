package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// chinesePersons resolves the first and second person. first is whom the text
// is about, where its start tells; named says that it names the speaker or the
// listener at all. A name in Latin letters is set off by a blank, as print does.
func (v *voice) chinesePersons(s string) (text, first string, named bool) {
	var b strings.Builder
	put := func(name string, at int) {
		b.WriteString(spaced(b.String(), name))
		named = true
		if at == 0 {
			first = name
		}
	}
	quoted := 0
	latin := false // a name in Latin letters was written last
	for i := 0; i < len(s); {
		rest := s[i:]
		r, n := utf8.DecodeRuneInString(rest)
		switch r {
		case '“', '「', '『':
			quoted++
		case '”', '」', '』':
			quoted = max(0, quoted-1)
		}
		kind, size := personKeep, 0
		if quoted == 0 {
			kind, size = personWord(rest)
		}
		switch name := v.chinesePerson(kind); {
		case size == 0 || kind == personKeep:
			size = max(n, size)
			if latin && (unicode.Is(unicode.Han, r) || unicode.IsDigit(r) || unicode.IsLetter(r)) {
				b.WriteByte(' ')
			}
			b.WriteString(rest[:size])
			latin = false
		case name == "":
			b.WriteString("大家")
			latin = false
		default:
			if kin, after := kinAfter(rest[size:]); kin != "" && (kind == personI || kind == personYou) {
				size += after
				name += pick(endsLatin(name), " ", "") + "的" + kin
			}
			if latin {
				b.WriteByte(' ')
			}
			put(name, i)
			latin = endsLatin(name)
		}
		i += size
	}
	return b.String(), first, named
}

// personWord reads the pronoun, or the word that looks like one, at the start of s.
func personWord(s string) (personKind, int) {
	for _, p := range chinesePersonWords {
		if strings.HasPrefix(s, p.word) {
			return p.kind, len(p.word)
		}
	}
	return personKeep, 0
}

// spaced puts a blank before a name in Latin letters that follows Chinese.
func spaced(before, name string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	if r := firstRune(name); r < 0x2000 && unicode.IsLetter(r) && (unicode.Is(unicode.Han, last) || unicode.IsDigit(last)) {
		return " " + name
	}
	return name
}

func endsLatin(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r < 0x2000 && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// says puts "X说，" before a statement.
func (v *voice) says() string { return v.speaker + pick(endsLatin(v.speaker), " ", "") + "说，" }

func (v *voice) chinesePerson(k personKind) string {
	switch k {
	case personI:
		return v.speaker
	case personYou:
		return v.you
	case personBoth:
		if v.you != "" {
			return v.speaker + pick(endsLatin(v.speaker), " ", "") + "和" + spaced("和", v.you)
		}
		return v.speaker + pick(endsLatin(v.speaker), " ", "") + "等人"
	case personWe:
		return v.speaker + pick(endsLatin(v.speaker), " ", "") + "等人"
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

// chineseKin are words for people whom one has, as they are said and as they are
// written; a longer one before one that it begins with.
var chineseKin = func() []kinWord {
	var out []kinWord
	for _, w := range strings.Fields(`妈妈 爸爸 爸妈 妈咪 父母 父亲 母亲 哥哥 姐姐 弟弟 妹妹 哥嫂 姐夫 妹夫 弟媳 弟妹 姐妹 兄弟 兄妹 姐弟 爷爷 奶奶 姥姥 姥爷 外婆 外公 公公 婆婆 岳父 岳母
		儿子 女儿 孩子 嫂子 舅舅 舅妈 舅母 姨妈 姨夫 姨父 阿姨 叔叔 叔父 婶婶 姑姑 姑妈 姑父 姑夫 伯伯 伯父 伯母 侄子 侄女 外甥 外甥女 孙子 孙女
		表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 妻子 丈夫 前妻 前夫 前男友 前女友 男朋友 女朋友 男友 女友 未婚妻 未婚夫 对象 朋友 闺蜜 哥们儿 哥们 姐们儿 姐们 哥俩 姐俩 室友 邻居 同事 同学 老板 领导 上司 经理 房东`) {
		out = append(out, kinWord{w, w})
	}
	out = append(out, []kinWord{
		{"老婆", "妻子"}, {"媳妇", "妻子"}, {"太太", "妻子"}, {"老公", "丈夫"}, {"先生", "丈夫"}, {"老爸", "爸爸"}, {"老妈", "妈妈"},
		{"妈", "妈妈"}, {"爸", "爸爸"}, {"哥", "哥哥"}, {"姐", "姐姐"}, {"弟", "弟弟"}, {"妹", "妹妹"}, {"闺女", "女儿"}, {"舅", "舅舅"}, {"姨", "姨妈"}, {"叔", "叔叔"},
	}...)
	slices.SortStableFunc(out, func(a, b kinWord) int { return len(b.said) - len(a.said) })
	return out
}()

type kinWord struct{ said, full string }
