package engine

import "github.com/epagent/epagent/memory/lexical"

// Everyday words. The lists are made by hand and hold general vocabulary only: no
// name, no place, no word of anybody's data.

// lightWords say little about what a sentence is about: verbs that take their
// meaning from what follows ("take place", "get well"), times, sizes, and words for
// anybody and anything. They are no evidence for a category, and a question that
// shares nothing else with a fact doesn't ask for it.
var lightWords = stems(`take takes taking took taken place places get gets getting got make makes making made put puts putting come comes coming came go goes going went gone
	give gives giving gave given have having keep keeps kept let lets do does done doing be being become became seem feel felt look looks looking turn turns turned
	begin begins began start starts started starting stop stops stopped end ends ended ending happen happens happened happening try tries tried use used need needs needed
	find finds found bring brings brought set sets show shows showed call calls called hold holds held
	see sees saw seen seeing hear heard tell told say said speak spoke think thinks thought know knew knows mean means meant like likes liked want wants wanted
	decide decided thing things stuff something anything way ways lot lots bit kind sort part side case point matter reason fact
	time times day days week weeks weekend month months year years hour hours minute today tomorrow yesterday tonight morning afternoon evening night noon midnight
	monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
	soon later early late recently lately finally still already again always never often sometimes ago since until
	new old good better best bad worse worst big bigger small large little great nice long short high low own different same next last first second third
	many much few several every each whole half full more most less least enough one two three four five six seven eight nine ten hundred thousand dozen
	man men woman women person people somebody someone anybody anyone nobody everybody everyone guy friend friends
	here there back away around off over down up actually really just even maybe perhaps probably certainly exactly almost quite rather`)

// lightCJK is to Chinese bigrams what lightWords is to English.
var lightCJK = set(`今天 明天 昨天 后天 前天 今年 明年 去年 上个 下个 这个 那个 一个 两个 几个 个月 月份 星期 周末 上周 下周 本周 周一 周二 周三 周四 周五 周六 周日 早上 晚上 中午 下午 上午
	时候 现在 以后 以前 之后 之前 最近 近来 已经 开始 结束 打算 准备 需要 可以 可能 应该 觉得 知道 喜欢 告诉 事情 东西 什么 怎么 为什 哪里 一下 一点 一些 没有 不是 不能 不想 很多 非常 特别 真的
	一直 一起 自己 有人 有点 有个 一次 第一 大家 别人 今晚 刚刚 马上 上次 下次 个人 上一 下一 三个 每天 每个 情况 问题 说过 想要 觉着 去了 来了 到了 我们 他们 她们 你们 年前 年后 出来 怎样 如何 还好 情形 这事 那事 这次 那次`)

// IsLight reports whether a word says little about what a sentence is about: times,
// sizes, verbs of no matter of their own. It takes an English word or a pair of Chinese
// characters.
func IsLight(word string) bool { return lightWords[lexical.Stem(word)] || lightCJK[word] }

// ambiguousWords belong to the vocabulary of a theme and to much else besides. One
// alone places nothing: it takes a second word of the same category.
var ambiguousWords = stems(`condition test tests tested testing result results ear eye heart egg eggs due transfer transferred save saved saving lost lose loses price cost costs paid pay pays paying cash card cards credit
	cover covers covering covered remote office shift shifts substitute offer offers offered apply applied post position role panel portfolio reference opening opened negotiated contract approached notice final round
	leave leaves left leaving quit row rows warning tension careless blame release released ship shipped feature demo pitch quarter server bug version slip build building launch launched spec milestone
	split date dates dating partner couple together affair love loves loved propose proposed proposal separated separate ring rings house school shop business sell selling sold caring water deposit buy buying bought
	keys key agent kitchen bath square view views viewing sweet book books booked booking band race match team club film play plays playing game games walk walking train trains city tour run runs running
	present presents party parties secret secretly collect collecting cake guest guests venue behind wrap code number numbers account accounts lock combination safe alarm pin word hit commit committed
	right left green union candidate conservative liberal hearing charge charged fine fined trial settlement judge talk talks paper stage official win winner title press public class grades behaviour
	phone mobile email lives live living boring rude lazy share shares stock stocks fund invest figure figures gross net annual grade options equity commission raise raised earn earns
	broken admit recover recovery stress job work works working worked company firm body mind life state news story experience group friend friends free interest taste
	move moves moved moving plan plans planned visit visits visiting worry worries worried stand stands question questions talked address change changes changed weather rain snow sunny
	sick home holiday pass passed numbers study course line lines drink wear colour colours repair repairs stay stays staying result believe belief opinion painting drawing
	parents child children kids help join meet meeting meets send sent clear cross bring fall fell order sign signed agree agreed finish finished close closed open wait waiting instalment install installs friend slips mess guest`)
