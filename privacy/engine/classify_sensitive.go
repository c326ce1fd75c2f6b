package engine

import (
	"slices"
	"strings"
	"sync"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// delicate is a part of life that people keep close, with words that speak of it
// wherever they stand. Like a theme it makes no category: it holds back a statement
// whose categories don't speak of it ("I play chess with my parole officer" is more
// than a hobby).
type delicate struct {
	id      string
	themes  string // a category that has one of these speaks of it
	words   string
	phrases string // with ";" between
	cjk     string
}

// delicates hold general vocabulary only. A word that is ambiguous in everyday talk
// stands here only within a phrase.
var delicates = []delicate{
	{id: "health", themes: "health fertility",
		words:   "hiv std sti chlamydia syphilis gonorrhoea gonorrhea herpes hepatitis tuberculosis cancer tumour tumor chemo chemotherapy oncologist oncology biopsy psychiatrist psychiatric psychologist psychotherapy psychotherapist therapist counsellor antidepressant antidepressants depression depressed suicidal suicide bipolar schizophrenia psychosis anorexia bulimia incontinence dementia alzheimer parkinson epilepsy dialysis stoma hysterectomy vasectomy colonoscopy mammogram gynaecologist urologist diagnosis diagnosed surgery hospital clinic disability disabled",
		phrases: "have aids;has aids;with aids;aids test;self harm;self-harm;eating disorder;burn out;nervous breakdown;panic attack;panic attacks;blood test;test results;sick note",
		cjk:     "艾滋 梅毒 淋病 疱疹 乙肝 肝炎 肺结核 癌 肿瘤 化疗 放疗 精神科 抑郁 躁郁 自杀 自残 轻生 厌食 痴呆 癫痫 透析 妇科 泌尿科 男科 肛肠 手术 确诊 住院 医院 心理医生 心理咨询 残疾"},
	{id: "pregnancy", themes: "fertility health",
		words:   "abortion abort miscarriage miscarried pregnant pregnancy ivf infertile infertility stillbirth contraception contraceptive sperm",
		phrases: "morning-after pill;morning after pill;trying for a baby;fertility clinic;egg donor",
		cjk:     "流产 堕胎 打胎 人流 怀孕 备孕 试管 不孕 不育 避孕 胎停"},
	{id: "addiction", themes: "health",
		words:   "rehab detox sober sobriety alcoholic alcoholism addict addicted addiction drunk hangover cocaine methadone meth ecstasy mdma ketamine cannabis marijuana overdose overdosed gambling gambler casino",
		phrases: "heroin;on heroin;aa sponsor;aa meeting;aa meetings;aa group;alcoholics anonymous;narcotics anonymous;gamblers anonymous;drinking problem;drug problem;twelve steps;twelve-step;12 steps;withdrawal symptoms;substance abuse",
		cjk:     "戒酒 戒毒 戒赌 酗酒 酒瘾 毒瘾 吸毒 毒品 大麻 可卡因 海洛因 冰毒 赌博 赌瘾 成瘾 互助会"},
	{id: "sex", themes: "romance",
		words:   "sex sexual sexually sexuality naked nude nudes porn pornography escort prostitute brothel fetish kink erotic orgasm erection impotence gay lesbian bisexual transgender transitioning asexual queer condom condoms sexting grindr tinder",
		phrases: "one night stand;one-night stand;slept with;sleep with;sleeping with;strip club;came out;come out to;coming out to;sex toy;hooked up",
		cjk:     "性爱 性行为 性生活 性取向 做爱 一夜情 裸照 色情 嫖 卖淫 同性恋 双性恋 变性 跨性别 出柜 阳痿 避孕套 安全套 约炮 开房"},
	{id: "affair", themes: "romance couple",
		words:   "mistress infidelity unfaithful adultery paramour divorce divorced divorcing breakup girlfriend boyfriend fling flirt flirting kissed",
		phrases: "my lover;his lover;her lover;a lover;lover of mine;an affair;his affair;her affair;my affair;our affair;the affair with;cheated on;cheating on;cheats on;secret date;on the side;other woman;other man;behind her back;behind his back;broke up;split up;broken up;marriage counselling",
		cjk:     "情人 情妇 情夫 小三 出轨 外遇 婚外情 第三者 偷情 劈腿 离婚 分居 分手 暧昧 男朋友 女朋友 前男友 前女友 约会"},
	{id: "crime", themes: "legal",
		words:   "arrest arrested police prison jail jailed parole probation convicted felony lawsuit sued prosecutor prosecution lawyer solicitor bail theft stole stolen shoplifting fraud embezzled embezzlement bribe bribed bribery smuggling blackmail blackmailed assault assaulted perjury evasion bailiff",
		phrases: "in court;to court;court date;court hearing;court case;drug dealer;my dealer;community service;drunk driving;drink driving;hit and run;restraining order;criminal record;ankle monitor;ankle tag;under investigation;money laundering;lost my licence;lost my license",
		cjk:     "警察 派出所 报警 逮捕 拘留 坐牢 监狱 出狱 假释 缓刑 判刑 法院 起诉 律师 官司 犯罪 犯法 偷窃 盗窃 偷东西 诈骗 贪污 受贿 行贿 走私 敲诈 酒驾 逃税 偷税 前科"},
	{id: "violence", themes: "",
		words:   "rape raped molested harassed harassment stalker stalking abuse abused abusive",
		phrases: "hit me;hits me;beat me;beats me;domestic violence;women's shelter;sexual assault;black eye",
		cjk:     "强奸 强暴 性侵 性骚扰 猥亵 家暴 虐待 跟踪狂 打了我 动手打"},
	{id: "money trouble", themes: "money pay",
		words:   "debt debts bankrupt bankruptcy insolvent insolvency arrears overdraft foreclosure repossessed evicted eviction loan loans borrowed owe owes owed bailiff salary",
		phrases: "pawn shop;pawned my;pawned the;food bank;payday loan;credit card debt;behind on rent;behind with the rent;can't pay;cannot pay;can't afford;loan shark;unemployment benefit;out of money",
		cjk:     "欠债 负债 债务 还债 躲债 讨债 催债 破产 失信 高利贷 网贷 贷款 借钱 欠钱 当铺 穷得 揭不开锅 工资 断供"},
	{id: "job trouble", themes: "job work-conflict",
		words:   "sacked redundant redundancy dismissed resign resigned resigning resignation headhunter recruiter",
		phrases: "got fired;was fired;been fired;get fired;fired me;job interview;job offer;laid off;hand in my notice;handed in my notice;quit my job;quitting my job;looking for another job;new job",
		cjk:     "被开除 被辞退 解雇 裁员 失业 辞职 跳槽 猎头 面试 离职"},
	{id: "secret", themes: "confidence surprise",
		phrases: "in confidence;nobody knows;no one knows;nobody must know;my secret;our secret;swore me to secrecy;keep it secret",
		cjk:     "秘密 没人知道 谁都不知道 不能让人知道 见不得人"},
}

// stemmedDelicate is a delicate as it is compared.
type stemmedDelicate struct {
	themes  map[string]bool
	stems   map[string]bool
	phrases []string
	cjk     []string
}

var stemmedDelicates = sync.OnceValue(func() []stemmedDelicate {
	out := make([]stemmedDelicate, len(delicates))
	for i, d := range delicates {
		s := stemmedDelicate{themes: set(d.themes), stems: stems(d.words), cjk: w(d.cjk)}
		for p := range strings.SplitSeq(d.phrases, ";") {
			if p != "" {
				s.phrases = append(s.phrases, " "+p+" ")
			}
		}
		out[i] = s
	}
	return out
})

// spokenIn reports whether a word of d stands in the text, given as its terms and
// as plain words with blanks around; and of which terms they are.
func (d *stemmedDelicate) spokenIn(terms []string, words string, cjk bool) (found []string, spoken bool) {
	for _, t := range terms {
		if d.stems[t] {
			found = append(found, t)
		}
	}
	phrases := d.phrases
	if cjk {
		phrases = slices.Concat(d.phrases, d.cjk)
	}
	spoken = len(found) > 0
	for _, p := range phrases {
		if strings.Contains(words, p) {
			found, spoken = append(found, lexical.Terms(p)...), true
		}
	}
	return found, spoken
}

// uncovered reports whether text speaks of something delicate that none of the
// chosen categories speaks of, by a theme of theirs or by that very word.
func (c *classifier) uncovered(text string, chosen []scored) bool {
	folded := foldText(text)
	words, cjk := " "+plainWords(folded)+" ", hasCJK(folded)
	terms := slices.DeleteFunc(lexical.Terms(text), func(t string) bool { return c.names[t] })
	all := stemmedDelicates()
	for i := range all {
		found, spoken := all[i].spokenIn(terms, words, cjk)
		if spoken && !c.speaksOf(chosen, all[i].themes) && (len(found) == 0 || !c.ownWordsOf(chosen, found)) {
			return true
		}
	}
	return false
}

// speaksOf reports whether one of the categories has one of the themes.
func (c *classifier) speaksOf(chosen []scored, themes map[string]bool) bool {
	return slices.ContainsFunc(chosen, func(s scored) bool {
		return meets(c.themes[slices.Index(c.ids, s.id)], themes)
	})
}

// ownWordsOf reports whether each term is one of a chosen category's own: the owner
// named it there.
func (c *classifier) ownWordsOf(chosen []scored, terms []string) bool {
	for _, t := range terms {
		if !slices.ContainsFunc(chosen, func(s scored) bool { return c.own[slices.Index(c.ids, s.id)][t] > 0 }) {
			return false
		}
	}
	return true
}

// loosestUncovered is the loosest label of a statement that says something delicate
// beside what its categories cover.
const loosestUncovered = privacy.L1
