package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// The grammar of Chinese sentences about who may know. Parties stand between a
// preposition and a verb, so that they are captured, not guessed at.
const (
	// zhNeg is a prohibition. 不能, 不想 and their like only before a verb of telling.
	zhNeg = `(?:千万|绝对|可|先|就|也|都|你|您|暂时|一定)*(?:别|不要|不许|不准|不能|不可以|不可|甭|莫|勿|休想|不想|不愿|不愿意|不打算|没|没有|还没|不敢|不好)`
	zhAdv = `(?:再|去|往外|先|急着|随便|乱|到处|主动|当面|在|就|也|都)*`
	zhSay = `(?:说|讲|提|聊|谈|透露|吱声|吭声|漏|泄露|泄漏|念叨|交代|八卦)`
	zhGet = `(?:知道|晓得|发现|听见|听到|看见|看到|瞧见|察觉|听说|猜到)`
	// zhWho is a stretch that can hold names: no clause ends inside it.
	zhWho = `([^。！？；!?;\n]{1,24}?)`
)

var (
	zhDeny = []rule{
		{w("说 讲 提 聊 谈 透 吱 吭 漏 泄 念叨 交代 八卦"), regexp.MustCompile(zhNeg + zhAdv + `(?:跟|和|给|对|向|同|与)` + zhWho + zhAdv + zhSay)},
		{w("知 晓 发 听 看 瞧 察 猜"), regexp.MustCompile(zhNeg + zhAdv + `(?:让|叫|给|被)` + zhWho + `(?:提前|先|也|都|们)*` + zhGet)},
		{w("瞒 背 躲 避 绕"), regexp.MustCompile(`(?:瞒着|瞒住|瞒过|背着|躲着|避开|绕开)` + zhWho + `(?:的|做|办|$|[，,、 ]|别|先|就|吧|呢|点|准备|去)`)},
		{w("保密"), regexp.MustCompile(`(?:对|跟|向)` + zhWho + `(?:那边|那里|都|也|先|要|得|必须|一定|继续)*保密`)},
		{w("那边 那儿 那里 那头 面前 跟前 这边"), regexp.MustCompile(zhWho + `(?:那边|那儿|那里|那头|面前|跟前|这边)(?:的话)?(?:[，, ])?(?:你|您|可|还是|就|也|都|先|千万|暂时|一定|一个字|一个字都)*(?:别|不要|不能|不许|瞒|捂)` + zhAdv + `(?:` + zhSay + `|传|着|住)?`)},
		{w("知道 晓得 发现 听见 听到 看见 看到 瞧见 察觉 听说 猜到"), regexp.MustCompile(zhWho + `(?:那边|那儿)?(?:就|也|都|更|尤其|绝对|千万|可|还)*(?:不能|不许|不该|不可以|不准|别想|不应该)` + zhAdv + `(?:` + zhGet + `)`)},
		{w("不知道 不晓得 没告诉 没说 蒙在鼓里 不知情"), regexp.MustCompile(zhWho + `(?:那边|那儿)?(?:到现在|至今|现在|目前|还|也|都|们)*(?:不知道|不晓得|没告诉|没说|蒙在鼓里|不知情)(?:$|[，,、 。]|这|呢|呀|的|前前后后|我|你)`)},
		{w("说 讲 提 聊 谈 透 吱 吭 漏 泄 念叨 交代 八卦"), regexp.MustCompile(`(?:没|没有|还没|不)(?:敢|想|打算|来得及)?(?:跟|和|给|对|向)` + zhWho + zhSay)},
		{w("面前 跟前"), regexp.MustCompile(`(?:在)` + zhWho + `(?:面前|跟前)(?:你|您|可|千万|就|也|都)*(?:别|不要|不能)` + zhAdv + zhSay)},
		{w("的面 面前 跟前"), regexp.MustCompile(zhNeg + `(?:在|当着)` + zhWho + `(?:的面|面前|跟前)` + zhAdv + zhSay)},
		{w("尤其 特别"), regexp.MustCompile(`(?:[，,、 ]|^)(?:尤其|特别)(?:是|别让|不能让)?` + zhWho + `(?:$|[，,])`)},
		{w("知道 听说 听见"), regexp.MustCompile(zhWho + `(?:要是|一旦|如果|一)(?:知道|听说|听见)`)},
		{w("捂 瞒"), regexp.MustCompile(`(?:就是|还有)?` + zhWho + `(?:这)?(?:两头|两边|这边)?(?:捂住|先捂着|瞒住|得瞒着|先瞒着|还是先瞒着|要瞒着)`)},
	}
	// 告诉 has no word after its object; the list is read as far as it is known.
	zhDenyTell = rule{w("告诉 通知 转告 告知"), regexp.MustCompile(zhNeg + zhAdv + `(?:告诉|通知|转告|告知)([^。！？；!?;\n，, ][^。！？；!?;\n]{0,29})`)}

	zhClosed = rule{w("知 晓 清楚 说 讲 提 告诉 传 张 漏 嚷 密 口如瓶 烂 到你 到您 嘴"), regexp.MustCompile(`(?:只有|就|也就|仅)(?:你|您|咱俩|咱们俩|我们俩|你们)(?:们|俩|一个人|一个|自己|两个|几个)?(?:知道|晓得|清楚)|(?:只|就|才)(?:跟|和|对|告诉)(?:你|您)(?:们|一个人|一个|俩)?(?:说|讲|提|了|过|$|[，, ])|(?:你|您)(?:自己)?知道就(?:行|好|可以|得)|你知我知|天知地知|(?:别|不要|不许|不能|勿|莫)(?:再)?(?:外传|往外说|往外讲|往外传|说出去|讲出去|传出去|声张|张扬|到处说|乱说|乱讲|漏出去|嚷|嚷嚷|传)(?:$|[，,。 出了啊哦呀])|(?:谁|任何人|一个人)(?:都|也)(?:别|不要|不能|不许)(?:说|告诉|讲|提)|(?:谁|任何人|别人)(?:那儿|那里)?(?:都|也)?(?:还)?(?:没说|没告诉|没讲|没提|不知道|没跟他说|没人知道)|没(?:有)?(?:别)?人知道|没告诉(?:过)?(?:别人|任何人|谁)|(?:替|帮|给)(?:我|咱)(?:们)?(?:保密|保守秘密|守口如瓶)|保密(?:$|[，,。 啊哦呀哈])|烂在肚子里|到(?:你|您)(?:这儿|这里)(?:为止|就行|打住)|(?:咱俩|咱们俩|我们俩|你我|咱们|我们)(?:之间)?的秘密|嘴(?:严|紧)(?:点|一点|些)|嘴上把(?:个|着)门|一个字(?:都|也)(?:不能|别|不要)(?:漏|说|提|讲)|(?:别|不要|不能)(?:跟|和|给|对|向|告诉)(?:任何人|别人|旁人|外人|其他人|人家|人|谁)(?:说|讲|提|$|[，, ])`)}
	zhScope  = rule{w("知道"), regexp.MustCompile(`^(?:除了(?:你|您|你们)?(?:，|,|和|跟|以外|之外|外)?)?([\p{Han}]{1,8}?)(?:里|里面|这边|那边|上|的人)?(?:就|也就|只有)?(?:你|您)(?:一个人|一个)?知道|([\p{Han}]{1,8}?)(?:里|里面|这边|那边|上|的人)?(?:都)?没(?:有)?人知道`)}
	zhExcept = rule{w("除了"), regexp.MustCompile(`除了([^。！？；]{1,20}?)(?:以外|之外|外|[，, ]|我|谁|没|别|都|也|就)`)}
	zhAndYou = rule{w("知道"), regexp.MustCompile(`(?:就|只有|也就)(?:您|你)(?:和|跟|、)([^，,。]{1,12}?)(?:两个人|俩|两个)?知道|(?:就|只有)([^，,。你您]{1,12}?)(?:和|跟)(?:您|你)(?:两个人|俩|两个)?知道`)}

	zhGrant = []rule{
		{w("说 讲 提"), regexp.MustCompile(`(?:你|您)?(?:也|都|就|当然|尽管|完全|随时|可以|能)*(?:可以|能|尽管|不妨)(?:跟|和|给|对|向)` + zhWho + `(?:也|直接|先)?(?:说|讲|提)`)},
		{w("说 讲 提"), regexp.MustCompile(`(?:跟|和|给|对|向)` + zhWho + `(?:说|讲|提)(?:一声|起|了)?(?:也|倒|都)?(?:没关系|没事|没问题|也行|无妨|不要紧|可以|行)`)},
		{w("知道 晓得"), regexp.MustCompile(`(?:让|叫)?` + zhWho + `(?:他|她|们)?(?:知道|晓得)(?:了)?(?:也|倒|都)?(?:没关系|没事|没问题|行|无所谓|无妨|不要紧|可以)`)},
		{w("不介意"), regexp.MustCompile(`不介意(?:让|你跟|你告诉)?` + zhWho + `(?:知道|说)`)},
	}
	zhGrantTell = rule{w("告诉 转告 通知"), regexp.MustCompile(`(?:你|您)?(?:也|都|就|当然|完全|随时)*(?:可以|能|尽管|不妨)(?:直接|先|也|都)*(?:告诉|转告|通知)([^。！？；!?;\n，,]{1,20})`)}
	zhGrantFine = rule{w("告诉 转告"), regexp.MustCompile(`(?:告诉|转告)` + zhWho + `(?:也|倒|都)?(?:没关系|没事|没问题|无妨|不要紧|也行)`)}
	zhNoGrant   = regexp.MustCompile(`说|让|叫|觉得|认为|不|没|别|如果|要是|除非|等|以后|之后|才|再|吗|么|假如|万一|哪天|几时|还是`)
	zhHedge     = regexp.MustCompile(`等|以后|之后|如果|要是|除非|先别|才|再说|不过|但|别的|别说|别提|只是|前提`)
	zhQuestion  = regexp.MustCompile(`吗$|么$|没有$|呢$|没$|是不是|能不能|可不可以|要不要|有没有|为什么|为啥|怎么|谁(?:跟|告诉|说)`)
	zhSelf      = regexp.MustCompile(`^(?:我|咱|俺|你|您|自己)(?:们|俩|一声|一下|这|那|实话|过|了|说|你|的?$|[^妈爸爹娘父母姐妹哥弟老媳太先对女男丈妻岳婆公爷奶外姥叔舅姑姨领上同朋闺室家儿师班单学系部客组邻房的]|$)`)
)

// chinese reads one Chinese clause.
func (a *audience) chinese(c clause, before []privacy.PersonID) []saying {
	text := c.text
	if c.question && (zhQuestion.MatchString(text) || strings.HasPrefix(text, "谁")) {
		return nil
	}
	if loc := reportCJK.find(text); loc != nil && !strings.Contains(text[:loc[1]], "别") && !strings.Contains(text[:loc[1]], "不") {
		if tail := text[loc[1]:]; anyRule(zhDeny, tail) || zhClosed.matches(tail) || zhDenyTell.matches(tail) {
			return []saying{{review: "somebody asked the owner to keep this"}}
		}
	}
	out := a.onlyChinese(text, before)
	if len(out) > 0 {
		return out
	}
	deny := func(q parties, lead string) {
		if !q.empty() {
			within, aside := split(lead, strings.TrimPrefix(text, lead))
			who := before
			if named := a.lastNamed(lead); len(named) > 0 {
				who = named
			}
			d := q.deny(who)
			out = append(out, saying{deny: d.people, groups: d.groups, closed: d.closed, review: d.review, within: within, aside: aside})
		}
	}
	for i := range zhDeny {
		for _, m := range zhDeny[i].findAll(text) {
			who, lead := trimParty(text[m[2]:m[3]]), text[:m[2]]
			if who == "" || zhSelf.MatchString(who) {
				continue
			}
			q := a.listCJK(who)
			if i >= 4 && len(q.unresolved) > 0 {
				// The party stands at the start of these: take what is known at its end.
				q = a.endCJK(who)
				if q.empty() {
					continue
				}
			}
			if q.pronoun && i >= 4 && len(before)+len(a.lastNamed(lead)) == 0 {
				continue // a state of nobody in particular
			}
			deny(q, lead)
		}
	}
	if m := zhDenyTell.submatch(text); m != nil && !zhSelf.MatchString(m[1]) {
		q := a.startCJK(m[1])
		if q.empty() && !strings.HasPrefix(m[1], "你") {
			q.unresolved = []string{m[1]}
		}
		deny(q, text[:strings.Index(text, m[1])])
	}
	// "连她都没告诉": what comes before the verb is its object.
	if i := strings.Index(text, "都没告诉"); i > 0 {
		deny(a.endCJK(strings.TrimSuffix(trimParty(text[:i]), "我")), "")
	}
	if zhClosed.matches(text) {
		s := saying{closed: true, within: part{text: text}}
		for _, m := range zhExcept.findAll(text) {
			s.grant = union(s.grant, a.sureCJK(group(text, m, 1)))
		}
		for _, m := range zhAndYou.findAll(text) {
			s.grant = union(s.grant, a.sureCJK(group(text, m, 1)+group(text, m, 2)))
		}
		if m := zhScope.submatch(text); m != nil && len(s.grant) == 0 {
			q := a.endCJK(m[1] + m[2])
			if d := q.deny(nil); len(d.groups) > 0 && !d.closed {
				s = saying{groups: d.groups, scoped: true, closed: d.review != "", review: d.review, within: part{text: text}}
			}
		}
		for _, d := range out {
			s.grant = without(s.grant, d.deny)
		}
		out = append(out, s)
	}
	for _, m := range zhAndYou.findAll(text) {
		if !zhClosed.matches(text) {
			out = append(out, saying{closed: true, within: part{text: text}, grant: a.sureCJK(group(text, m, 1) + group(text, m, 2))})
		}
	}
	if len(out) == 0 && !c.question {
		out = append(out, a.chineseGrants(text, before)...)
	}
	return out
}

// chineseCues are to Chinese what englishCues are to English.
var chineseCues = strings.Split("说讲提聊谈透漏泄念知晓发听看瞧察猜瞒背躲避绕保告传捂蒙情嚷张秘密嘴烂八除为通转介意", "")

func (a *audience) chineseGrants(text string, before []privacy.PersonID) []saying {
	var out []saying
	grant := func(q parties, at, end int) {
		if q.empty() {
			return
		}
		s := saying{}
		s.within, s.aside = split(text[:end], text[end:])
		if zhNoGrant.MatchString(text[:at]) {
			if containsAny(text[:at], []string{"等", "以后", "之后", "如果", "要是", "才", "再"}) {
				s.review = "a permission that depends on something"
				out = append(out, s)
			}
			return
		}
		if zhHedge.MatchString(text[end:]) {
			s.review = "a permission that depends on something"
			out = append(out, s)
			return
		}
		s.grant, s.review = q.grant(a.p, before)
		s.topic = topicOfCJK(text[:at], text[end:])
		out = append(out, s)
	}
	alibi := func(x saying, lead string) {
		if zhNoGrant.MatchString(lead) {
			x.grant, x.review = nil, "a permission that depends on something"
		}
		out = append(out, x)
	}
	for i := range zhGrant {
		for _, m := range zhGrant[i].findAll(text) {
			who := trimParty(text[m[2]:m[3]])
			if who == "" || zhSelf.MatchString(who) {
				continue
			}
			at := m[0]
			if strings.HasPrefix(text[m[0]:m[1]], "不介意") {
				at = 0
			}
			if i == 0 {
				if x, ok := a.alibiOf(a.listCJK(who), text[m[1]:], before); ok {
					alibi(x, text[:at])
					continue
				}
			}
			grant(a.listCJK(who), at, m[1])
		}
	}
	for _, m := range zhGrantFine.findAll(text) {
		if who := trimParty(text[m[2]:m[3]]); who != "" && !zhSelf.MatchString(who) {
			grant(a.listCJK(who), m[0], m[1])
		}
	}
	for _, m := range zhGrantTell.findAll(text) {
		who := text[m[2]:m[3]]
		if zhSelf.MatchString(who) {
			continue
		}
		q := a.startCJK(who)
		if q.empty() {
			q.unresolved = []string{who} // a name that nobody of the policy has
		} else if x, ok := a.alibiOf(q, text[m[2]+q.used:], before); ok {
			alibi(x, text[:m[0]])
			continue
		}
		said := len(out)
		grant(q, m[0], m[1])
		if len(out) > said && q.used > 0 { // what was read as a name goes on with what it is for
			out[said].topic = topicOfCJK(text[:m[0]], text[m[2]+q.used:])
		}
	}
	if m := zhTellThem.submatch(text); m != nil && len(out) == 0 {
		if who := trimParty(m[1]); who != "" && !zhSelf.MatchString(who) {
			if q := a.listCJK(who); len(q.unresolved) == 0 {
				if x, ok := a.alibiOf(q, text[len(m[0]):], before); ok {
					alibi(x, "")
				}
			}
		}
	}
	return out
}

// group returns group n of a match in text, "" where it took no part.
func group(text string, m []int, n int) string {
	if m[2*n] < 0 {
		return ""
	}
	return text[m[2*n]:m[2*n+1]]
}

// trimParty cuts what stands around a captured party without being part of it.
func trimParty(s string) string {
	s = strings.Trim(s, " ，,、")
	if i := strings.LastIndexAny(s, "，,"); i >= 0 {
		s = s[i+1:]
		s = strings.TrimLeft(s, "， ,")
	}
	for _, lead := range []string{"这事", "这件事", "那事", "还有", "但是", "但", "可是", "而且", "就是", "所以", "连", "反正", "毕竟", "至于", "先", "也", "都", "你", "您"} {
		s = strings.TrimPrefix(strings.TrimSpace(s), lead)
	}
	for _, tail := range []string{"那边", "那儿", "那里", "这边", "他们", "她们"} {
		s = strings.TrimSuffix(s, tail)
	}
	return strings.TrimSpace(s)
}

// startCJK reads the parties at the start of s, as far as they are known.
func (a *audience) startCJK(s string) parties {
	var q parties
	for s != "" {
		if n := a.partyCJK(s, &q); n > 0 {
			q.used += n
			s = s[n:]
			continue
		}
		rest, ok := cutAnyPrefix(s, []string{"和", "跟", "与", "、", "，", ",", "还有", "或者", "或", "以及", " "})
		if !ok || q.empty() {
			break
		}
		q.used += len(s) - len(rest)
		s = rest
	}
	if q.empty() {
		if rest, ok := cutAnyPrefix(s, []string{"他", "她"}); ok && !strings.HasPrefix(rest, "们说") {
			q.pronoun = true
		}
	}
	return q
}

// endCJK reads the longest list of known parties that s ends with.
func (a *audience) endCJK(s string) parties {
	for i := range s {
		if q := a.listCJK(s[i:]); !q.empty() && len(q.unresolved) == 0 {
			return q
		}
	}
	return parties{}
}

// sureCJK returns the people of a list who are meant for sure, else nobody.
func (a *audience) sureCJK(s string) []privacy.PersonID {
	q := a.listCJK(s)
	if ids, review := q.grant(a.p, nil); review == "" {
		return ids
	}
	return nil
}
