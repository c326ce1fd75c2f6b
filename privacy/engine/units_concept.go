package engine

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// concept is a thing that people ask for in other words than it is told in: who
// asks "where do you live" is told "I moved to Ghent".
type concept struct {
	asks   *regexp.Regexp // in a folded question
	themes string         // a fact about one of these is about it
	words  string         // what such facts say, to find them by
}

// conceptStrength is how much of a question a fact shares by a concept alone: less
// than by one word.
const conceptStrength = 0.5

// planWords ask whether something is ahead; beside a concept they name nothing.
var planWords = stems("plan plans planned planning book booked coming upcoming soon")

// concepts hold general vocabulary only.
var concepts = []concept{
	{themes: "housing location",
		asks:  regexp.MustCompile(`\bwhere(?:abouts)?\b.*\b(?:lives?|living|lived|home|reside[sd]?|based|moved?|moving)\b|\b(?:home |postal |new )?address\b|\bwhich (?:city|town|street|part of town)\b|\bwo wohn|住(?:在)?(?:哪|什么地方)|(?:哪里|哪儿|什么地方|哪个城市)住|(?:搬|家在|搬家|搬到)[^，。]{0,4}(?:哪|什么地方)|(?:住址|地址)|(?:还|现在)住|搬家`),
		words: "live moved move home address flat apartment house street city rent landlord 住在 搬到 搬家 搬去 地址 房子 租房 定居"},
	{themes: "health fertility",
		asks:  regexp.MustCompile(`\b(?:ill|sick|unwell|poorly|healthy|health|illness|feeling (?:better|okay|ok|well|all right)|recovered|krank|gesund)\b|(?:^|[^a-z])(?:生病|病了|身体|健康|不舒服|病好|康复)`),
		words: "ill sick flu cold fever pain doctor hospital clinic operation surgery diagnosis medicine tablets therapy test 生病 医院 医生 感冒 发烧 手术 检查 吃药 住院"},
	{themes: "health", // "what's wrong with your knee?": of a part of the body people ask how it is
		asks:  regexp.MustCompile(`\b(?:your|his|her|their) (?:left |right |poor |bad )?(?:back|knees?|eyes?|ears?|hands?|wrists?|shoulders?|hips?|heart|stomach|lungs?|feet|foot|legs?|arms?|neck|teeth|skin)\b|(?:腰|手腕|手|腿|脚|腳|膝盖|膝蓋|眼睛|耳朵|胃|心脏|心臟|肩膀|背|脖子|牙)(?:子)?(?:到底|现在|現在|最近|还|還|又|的)*(?:是)?(?:怎么|怎麼|咋|好(?:点|些|了)|疼|痛|有(?:什么|啥)(?:问题|毛病))`),
		words: "pain hurts injury sprain tear surgery operation doctor diagnosis therapy rehab exercises 疼 痛 伤 扭 检查 医生 手术 康复 诊断"},
	{themes: "student",
		asks:  regexp.MustCompile(`\b(?:study|studying|studies|university|college|degree|master's|phd)\b|读书|念书|讀書|唸書|上学|上大学|考研|留学|留學|升学|升學|studier|studium`),
		words: "apply applied admission admitted university college master degree scholarship course exam 申请 录取 大学 学校 专业 奖学金 考"},
	{themes: "travel",
		asks:  regexp.MustCompile(`\b(?:holidays?|vacations?|trips?|travel\w*|going away|going anywhere|go away|abroad|urlaub|reise)\b|旅行|旅游|度假|出去玩|出国|去哪(?:里|儿)?玩|出游`),
		words: "trip travel holiday vacation flight fly flying hotel ferry cruise booked train 旅行 旅游 度假 机票 酒店 出国 飞"},
	{themes: "job",
		asks:  regexp.MustCompile(`\b(?:looking for (?:a |another |new |other )?(?:job|work|position)|job(?:s| hunt\w*| search\w*)?|chang(?:e|ing) jobs?|new employer|quit(?:ting)?|resign\w*|leav(?:e|ing) (?:the|her|his|your|their) (?:job|company|firm)|stellensuche)\b|找(?:到)?(?:新)?工作|换工作|跳槽|辞职|离职|新工作`),
		words: "job interview offer application applied recruiter headhunter resign notice contract 工作 面试 跳槽 辞职 简历 猎头 录用 入职 离职"},
	{themes: "couple romance wedding",
		asks:  regexp.MustCompile(`\b(?:seeing (?:anyone|anybody|someone|somebody)|(?:anyone|anybody|someone|somebody|a (?:man|woman|girl|boy|guy)) (?:new |special |else )?in (?:your|his|her|their) life|dating|single|(?:in a )?relationship|love life|married|marry|marriage|engaged|divorced?)\b|谈恋爱|对象|单身|男朋友|女朋友|结婚|感情(?:生活|状况)|离婚`),
		words: "love dating partner boyfriend girlfriend married wedding engaged separated divorce 恋爱 男朋友 女朋友 结婚 订婚 离婚 分手 相亲"},
	{themes: "leisure",
		asks:  regexp.MustCompile(`\b(?:hobby|hobbies|free time|spare time|for fun|do(?:es|ing)? (?:at|on) (?:the )?weekends?|pastimes?|sports?)\b|爱好|业余|空闲|闲的时候|有空(?:的时候)?(?:都)?做|周末(?:都)?(?:做|干)`),
		words: "play read climbing running sing music film game club 打球 跑步 看书 电影 爬山 弹 画画 唱歌"},
	{themes: "food",
		asks:  regexp.MustCompile(`\b(?:eats?|food|drinks?|dish|cuisine|vegetarian|vegan|allergic)\b|爱吃|喜欢吃|吃什么|口味|忌口|喝什么`),
		words: "eat drink dish favourite coffee tea cook restaurant meat fish 吃 喝 爱吃 咖啡 茶 菜"},
	{themes: "money pay",
		asks:  regexp.MustCompile(`\b(?:money|debts?|finances|financial(?:ly)?|broke|afford)\b|缺钱|欠(?:钱|债)|经济(?:状况|情况)|手头`),
		words: "money loan debt owe savings salary 钱 贷款 欠 存款 工资"},
	{themes: "leave",
		asks:  regexp.MustCompile(`\b(?:in the office|at work|off work|days? off|on leave|working (?:on|this|next)|available|stands? in|absent|away)\b|请假|休假|上班吗|在公司|在不在|谁替`),
		words: "off leave office home stands covers 请假 休假 年假 调休 替"},
}

// conceptsOf returns the themes that the question words of a folded question ask for.
func conceptsOf(folded string) map[string]bool {
	out := map[string]bool{}
	for i := range concepts {
		if concepts[i].asks.MatchString(folded) {
			for _, id := range strings.Fields(concepts[i].themes) {
				out[id] = true
			}
		}
	}
	return out
}

// aboutConcept reports whether a fact is about one of the themes. Of a home the
// words alone prove little: to buy a kitchen is not to live anywhere.
func aboutConcept(text string, themes map[string]bool) bool {
	return meets(themesOf(text), themes) || themes["housing"] && lives(text) || themes["travel"] && journey(text) || themes["student"] && education(text)
}

// educations are words of somebody's own education, beside those of pupils.
var (
	educations = sync.OnceValue(func() map[string]bool {
		return stems("university college degree scholarship bachelor master phd thesis admission admitted enrolled")
	})
	educationsCJK = w("录取 錄取 大学 大學 专业课 奖学金 獎學金 学位 學位 考研 研究生 报考 開學 开学 入学 入學")
)

func education(text string) bool {
	return slices.ContainsFunc(lexical.Terms(text), func(t string) bool { return educations()[t] }) ||
		slices.ContainsFunc(educationsCJK, func(t string) bool { return strings.Contains(text, t) })
}

// journeys are words of a journey that are ambiguous elsewhere.
var journeys = sync.OnceValue(func() map[string]bool { return stems("holiday trip flight fly flying flew ferry cruise journey") })

func journey(text string) bool {
	return slices.ContainsFunc(lexical.Terms(text), func(t string) bool { return journeys()[t] })
}

// outcomeAsked is a question for how something went; outcomeSaid a fact that says so.
var (
	outcomeAsked = regexp.MustCompile(`\bhow (?:did|was|were|has|have|is|are)\b.*\b(?:go|went|gone|turn(?:ed)? out|work(?:ed)? out|going)\b|\bhow (?:was|were)\b|\b(?:results?|outcome|what came of|any word (?:on|from|about)|did .+ (?:pass|get|work out|go well|win)|wie (?:war|lief|ging))\b|结果|怎么样|如何|顺利|成了(?:吗|没)|通过了(?:吗|没)`)
	outcomeSaid  = regexp.MustCompile(`\b(?:results?|came back|come back|went (?:well|badly|fine|great|smoothly)|turned out|passed|failed|accepted|rejected|offered|refused|positive|negative|benign|malignant|all clear|clean|success\w*|won|lost|approved|declined|found (?:nothing|something)|is over|over now)\b|结果|报告|通过|没过|录取|录用|拒绝|阳性|阴性|良性|恶性|正常|顺利|成功|失败|没问题|出来了`)
)

func asksOutcome(folded string) bool { return outcomeAsked.MatchString(folded) }

// outcomesOf returns the candidates that say how what was found went: of its event,
// or said of its sort of thing, and not found themselves.
func outcomesOf(found []askedFor, candidates []Ranked) []askedFor {
	events, sorts, have := map[string]bool{}, map[string]bool{}, map[privacy.FactID]bool{}
	for _, m := range found {
		have[m.Record.ID] = true
		if e := lastMark(&m.Record, privacy.MarkEvent); e != nil && e.Value != "" {
			events[e.Value] = true
		}
		maps.Copy(sorts, sortsOf(&m.Record))
	}
	var out []askedFor
	for i := range candidates {
		r := &candidates[i].Record
		if have[r.ID] || !outcomeSaid.MatchString(foldText(r.Text)) {
			continue
		}
		e := lastMark(r, privacy.MarkEvent)
		if e != nil && events[e.Value] || meets(sortsOf(r), sorts) {
			out = append(out, askedFor{&candidates[i], conceptStrength, true})
		}
	}
	return out
}

// sortsOf returns what sort of thing a fact is: its themes and categories.
func sortsOf(r *privacy.Record) map[string]bool {
	out := themesOf(r.Text)
	for _, m := range marksOf(r, privacy.MarkCategory) {
		out["category "+m.Value] = true
	}
	return out
}

// Expand returns a question with the words in which what it asks for may have been
// told, to recall by: recall finds facts by shared words, and "where do you live"
// shares none with "I moved to Ghent". Where it names nothing more the question
// comes back as it is. What is recalled for it is still held against the question
// itself by a [UnitFinder]; the added words depend on the question alone.
func Expand(question string) string {
	folded := foldText(question)
	var b strings.Builder
	b.WriteString(question)
	for i := range concepts {
		if concepts[i].asks.MatchString(folded) {
			b.WriteString(" " + concepts[i].words)
		}
	}
	if asksOutcome(folded) {
		b.WriteString(" result results came back outcome 结果 报告 通过")
	}
	return b.String()
}

// AsksForNews reports whether a question asks for news and names no topic ("what's
// new?"). It shares no word with any fact: who recalls for it takes the newest facts
// that its asker may know. The owner's names are no topic.
func AsksForNews(question string, owner ...string) bool {
	folded := foldText(question)
	if !general.MatchString(folded) {
		return false
	}
	self := []Ranked{{Record: privacy.Record{OwnerSaid: true, Speaker: strings.Join(owner, " ; ")}}}
	q := newAsked(question, folded, self)
	return !q.hasTopic() && len(q.dates) == 0
}
