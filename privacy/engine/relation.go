package engine

import "strings"

// relation is a way in which people are called by what they are to the owner.
// The words are everyday vocabulary, not anybody's data: who the owner's mother
// is stands in the policy, in a person's note or aliases.
type relation struct {
	id     string
	words  []string // English and German, folded
	cjk    []string // Chinese
	family bool
	plural bool // names several people as a rule: more than one match is no ambiguity
}

var relations = []relation{
	{id: "mother", words: w("mum mom mam mummy mommy mother mutter mama ma"), cjk: w("妈妈 老妈 母亲 妈 娘"), family: true},
	{id: "father", words: w("dad daddy father vater papa pa"), cjk: w("爸爸 老爸 父亲 爸 爹"), family: true},
	{id: "parents", words: w("parents folks eltern"), cjk: w("爸妈 父母 爹妈 二老"), family: true, plural: true},
	{id: "sister", words: w("sister sis schwester"), cjk: w("姐姐 妹妹 我姐 我妹 姐 妹"), family: true},
	{id: "brother", words: w("brother bro bruder"), cjk: w("哥哥 弟弟 我哥 我弟 哥 弟"), family: true},
	{id: "wife", words: w("wife frau"), cjk: w("妻子 老婆 太太 媳妇 爱人"), family: true},
	{id: "husband", words: w("husband hubby mann"), cjk: w("丈夫 老公 先生 爱人"), family: true},
	{id: "partner", words: []string{"partner", "boyfriend", "girlfriend", "fiance", "fiancé", "fiancée", "freund", "freundin", "other half"}, cjk: w("男朋友 女朋友 男友 女友 对象 未婚妻 未婚夫")},
	{id: "son", words: w("son sohn"), cjk: w("儿子"), family: true},
	{id: "daughter", words: w("daughter tochter"), cjk: w("女儿 闺女"), family: true},
	{id: "children", words: w("kids children kinder"), cjk: w("孩子 孩子们"), family: true, plural: true},
	{id: "grandmother", words: w("grandma gran granny nan grandmother oma"), cjk: w("奶奶 外婆 姥姥"), family: true},
	{id: "grandfather", words: w("grandpa grandad granddad grandfather opa"), cjk: w("爷爷 外公 姥爷"), family: true},
	{id: "aunt", words: w("aunt auntie aunty tante"), cjk: w("阿姨 姑姑 姨妈 舅妈 婶婶 姑妈 小姨"), family: true},
	{id: "uncle", words: w("uncle onkel"), cjk: w("叔叔 舅舅 姑父 姨父 伯伯 大伯"), family: true},
	{id: "cousin", words: w("cousin cousins"), cjk: w("表弟 表哥 表妹 表姐 堂弟 堂哥 堂妹 堂姐"), family: true},
	{id: "mother-in-law", words: []string{"mother-in-law", "mother in law", "schwiegermutter"}, cjk: w("婆婆 岳母 丈母娘"), family: true},
	{id: "father-in-law", words: []string{"father-in-law", "father in law", "schwiegervater"}, cjk: w("公公 岳父 老丈人"), family: true},
	{id: "sister-in-law", words: []string{"sister-in-law", "sister in law"}, cjk: w("嫂子 弟妹 小姑子 小姨子"), family: true},
	{id: "brother-in-law", words: []string{"brother-in-law", "brother in law"}, cjk: w("姐夫 妹夫 小舅子 大舅子"), family: true},
	{id: "in-laws", words: []string{"in-laws", "in laws", "inlaws"}, cjk: w("公婆 岳父母"), family: true, plural: true},
	{id: "boss", words: []string{"boss", "manager", "line manager", "supervisor", "chef", "chefin", "vorgesetzte", "vorgesetzter"}, cjk: w("老板 领导 上司 上级 主管 经理 头儿 主任 校长")},
	{id: "mentor", words: w("mentor"), cjk: w("师父 导师")},
	{id: "best friend", words: []string{"best friend", "bestie", "best mate"}, cjk: w("闺蜜 死党 发小")},
	{id: "friend", words: w("friend mate pal buddy friends mates pals"), cjk: w("朋友 好友")},
	{id: "flatmate", words: w("flatmate roommate housemate flatmates roommates"), cjk: w("室友 合租")},
	{id: "colleague", words: []string{"colleague", "coworker", "co-worker", "kollege", "kollegin"}, cjk: w("同事")},
	{id: "neighbour", words: w("neighbour neighbor nachbar nachbarin"), cjk: w("邻居")},
	{id: "landlord", words: w("landlord landlady vermieter"), cjk: w("房东")},
	{id: "doctor", words: w("doctor gp therapist counsellor counselor psychologist dentist arzt ärztin"), cjk: w("医生 大夫 咨询师")},
	{id: "teacher", words: w("teacher tutor"), cjk: w("老师")},
	{id: "client", words: w("client clients customer customers"), cjk: w("客户 甲方"), plural: true},
	{id: "recruiter", words: w("recruiter headhunter"), cjk: w("猎头")},
	{id: "agent", words: []string{"estate agent", "agent", "broker"}, cjk: w("中介")},
	{id: "ex", words: []string{"ex", "ex-wife", "ex-husband", "ex-boyfriend", "ex-girlfriend"}, cjk: w("前任 前妻 前夫 前男友 前女友")},
	{id: "hr", words: []string{"hr", "human resources", "personnel"}, cjk: w("人事 人力"), plural: true},
}

// partner words: a wife is a partner too, and so on; what the owner calls one
// may stand in the note as the other.
var relationAlso = map[string][]string{
	"partner": {"wife", "husband"},
	"wife":    {"partner"},
	"husband": {"partner"},
	"parents": {"mother", "father"},
	"in-laws": {"mother-in-law", "father-in-law"},
	"friend":  {"best friend"},
}

// Words that stand for everybody in one domain of life, or for the people one
// belongs with there.
var (
	workWords    = w("work office job company firm workplace arbeit büro firma")
	workCJK      = w("单位 公司 学校 办公室 厂里 工作上")
	teamWords    = []string{"team", "colleagues", "coworkers", "co-workers", "workmates", "colleague", "department", "kollegen", "kolleginnen"}
	teamCJK      = w("同事 同事们 组里 部门 团队")
	familyWords  = []string{"family", "relatives", "familie", "verwandten", "home"}
	familyCJK    = w("家里人 家里 家人 亲戚 家裡")
	friendsWords = []string{"friends", "mates", "pals", "freunde"}
	friendsCJK   = w("朋友 朋友们 哥们")
)

// everyone is what stands for anybody at all.
var (
	everyoneWords = []string{"anyone", "anybody", "no one", "no-one", "noone", "nobody", "everyone", "everybody", "a soul", "a living soul", "a single soul", "another soul", "any of them", "none of them", "people", "others", "the others", "other people", "someone", "somebody", "any one", "the whole world", "a single person", "jemand", "niemand", "niemandem", "niemanden"}
	everyoneCJK   = w("任何人 别人 旁人 其他人 其它人 外人 人家 谁 大家 所有人 别的人 第三个人 第二个人 他人 人")
)

func w(list string) []string { return strings.Fields(list) }

// relationWords are all words of the relations.
var relationWords = func() map[string]bool {
	out := map[string]bool{}
	for _, r := range relations {
		for _, word := range append(append([]string(nil), r.words...), r.cjk...) {
			out[word] = true
		}
	}
	return out
}()
