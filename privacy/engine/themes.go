package engine

import (
	"slices"
	"strings"
	"sync"

	"github.com/epagent/epagent/memory/lexical"
)

// theme is a part of life with the everyday words that speak of it. A theme
// never makes a category: it widens one whose own name or description already
// speaks of it. core words are what a description of the theme would use; words
// are what a chat would. English words are compared as stems; Chinese ones as
// they stand.
type theme struct {
	id      string
	core    string
	words   string
	phrases string // of several words, with ";" between: they say more than their words
	german  string // to meet a question in German
	coreCJK string
	cjk     string
}

var themes = []theme{
	{id: "health", phrases: "aa sponsor;aa meeting;aa meetings;aa group;alcoholics anonymous;narcotics anonymous;hiv test;self harm;eating disorder;blood test;test result;test results;passed out;throw up;threw up;can hardly walk;side effects;sick leave;off sick;to the lab;sleeping pills;mental health;panic attack;heart attack;broken arm;broken leg;hurt my;bad back;bad knee;bad hip;bad ear;left ear;right ear;left knee;right knee;left hand;right hand;signed off sick;blood pressure;under the knife;hearing aid;intensive care", german: "krank krankheit arzt ärztin krankenhaus klinik operation gesund gesundheit therapie medikament schmerzen", core: "health medical illness body symptom diagnosis doctor hospital medicine treatment sick therapy mental disease operation surgery recovery mind examination",
		words:   "hiv std sti chlamydia syphilis gonorrhoea herpes hepatitis tuberculosis detox methadone overdose colonoscopy mammogram suicidal anorexia bulimia epilepsy cardiologist orthopaedist ophthalmologist paediatrician gynaecologist urologist neurologist ambulance unconscious fainted faint vomit vomiting cough flu covid virus lump tumour chemo chemotherapy radiotherapy dialysis stroke paralysed limp sprained stitches bandage crutches wheelchair plaster hurts hurt ultrasound ct bruise concussion inflammation antibiotic antibiotics painkiller insulin inhaler pneumonia arthritis hernia thyroid anaemia dementia alzheimer autism adhd bipolar ptsd hospitalised hospitalized ill pain ache fever doctor gp clinic hospital nurse surgeon surgery operate operation operated diagnose diagnosis biopsy scan mri xray blood test result tablet pill dose dosage medication medicine prescription antidepressant therapy therapist counselling counsellor psychologist psychiatrist anxiety panic depression depressed burnout insomnia sleepless migraine asthma diabetes cancer tumour tumor allergy infection injury broken fracture dizzy nausea hearing eyesight deaf ear eye knee heart lung kidney liver symptom recover recovery rehab physio physiotherapy dentist tooth dental appendix vaccination vaccine bleeding swollen chronic relapse addiction sober rash ulcer seizure anaesthetic ward admit discharged checkup screening cardiologist oncologist dermatologist condition",
		coreCJK: "健康 身体 看病 生病 心理 病情 治疗 吃药 医院 疾病 医疗 咨询 睡眠",
		cjk:     "艾滋 梅毒 疱疹 乙肝 肝炎 戒酒 戒毒 酒瘾 毒瘾 自残 厌食 癫痫 晕 核磁 核磁共振 血压 血糖 病房 打针 输液 发炎 呕吐 咳嗽 流感 中风 化疗 放疗 透析 拐杖 扭伤 怀孕 头痛 腰疼 牙疼 难受 止痛药 抗生素 精神科 医院 医生 大夫 看病 生病 住院 手术 开刀 诊断 确诊 体检 检查 化验 复查 吃药 停药 药量 剂量 服药 副作用 失眠 抑郁 焦虑 惊恐 心悸 心慌 发作 发烧 头疼 头晕 胃疼 过敏 感冒 骨折 癌 肿瘤 囊肿 糖尿病 高血压 心脏 急诊 挂号 心理咨询 咨询师 看心理 病假 康复 复发 疼 医嘱 病历 心电图 睡不着 能睡"},
	{id: "fertility", phrases: "trying for a baby;trying to conceive;weeks pregnant;due date;morning sickness;expecting a baby;egg retrieval", core: "pregnancy pregnant baby fertility ivf conceive child", words: "abortion pregnant pregnancy trimester ivf embryo transfer fertility miscarriage miscarry conceive ultrasound due midwife ovulation egg sperm scan heartbeat baby expecting",
		coreCJK: "怀孕 备孕 要孩子 试管 生育 生孩子", cjk: "堕胎 打胎 人流 怀孕 备孕 试管 移植 着床 胎心 胎儿 产检 孕 预产期 流产 保胎 促排 取卵 囊胚 婴儿 二胎 验孕 要孩子"},
	{id: "money", phrases: "in debt;out of debt;paid back;pay back;pay off;paid off;owes me;behind on rent;credit card debt;life savings;ran out of money;lost money;lent him;lent her;borrowed from", german: "geld schulden kredit leihen geliehen sparen kosten bezahlt miete", core: "money savings debt loan income finance financial bank expense cost investment mortgage budget private",
		words:   "money loan lend lent borrow borrowed owe owes debt repay repayment savings save mortgage deposit overdraft bank invest investment stock shares fund crypto lost inheritance rent bill bills arrears instalment cost costs paid pay price cash credit bankrupt tax refund pension budget expensive broke gamble gambling transfer iban",
		coreCJK: "钱 存款 收入 借钱 债 投资 贷款 理财 财务 开销 花费 盈亏", cjk: "存款 借钱 借了 借给 欠 还钱 还清 债 贷款 房贷 首付 利息 基金 股票 理财 投资 亏 赚 万块 块钱 掏钱 自己出 自己掏 工资卡 攒 积蓄 转账 卖了 变卖 费用 一共花 花了 定金 押金"},
	{id: "pay", phrases: "pay rise;pay raise;before tax;got a raise;get a raise;take home pay;pay grade;pay band;day rate;hourly rate", german: "gehalt lohn bonus verdient", core: "salary pay paid bonus wage compensation raise earn earnings payslip", words: "salary wage bonus raise pay paid earn earns compensation equity options stock payslip grade band gross net commission figure annual annually",
		coreCJK: "工资 薪水 收入 奖金 年薪 薪酬 待遇", cjk: "工资 薪水 奖金 年薪 月薪 年终奖 涨薪 加薪 待遇 期权 提成 收入 薪"},
	{id: "job", phrases: "job interview;job offer;new job;another job;different job;new employer;handed in my notice;hand in my notice;handed in notice;gave notice;gave my notice;give notice;notice period;made me an offer;made an offer;an offer from;put forward for;turned down the offer;leaving the company;leaving the firm;leave the company;leave the firm;leave my job;leaving my job;quit my job;quitting my job;letter of resignation;job hunt;job hunting;looking for work;other company;another company;other firm;trial day;final round", german: "arbeit stelle job bewerbung kündigung kündigen vertrag vorstellungsgespräch", core: "job career employer application interview offer leaving resign recruiter cv vacancy hiring quit employment contract",
		words:   "job interview interviewed offer offered apply applied application cv resume recruiter headhunter headhunted approached vacancy post position role panel portfolio candidate notice resign resigned resignation quit quitting leaving hired hire contract employer onboarding reference shortlisted competitor start opening turned negotiated signing startup probation final round",
		coreCJK: "工作去向 求职 跳槽 离职 招聘 应聘 面试 调动 找工作 换工作 新工作 去向 辞职", cjk: "面试 跳槽 离职 辞职 招聘 应聘 投简历 简历 猎头 录用 录取 录上 没录 offer 入职 报到 调动 调走 选调 考编 报考 报名参加 名额 挖 新单位 新公司 下家 笔试 竞聘 试讲 公示 岗位 找工作 换工作"},
	{id: "quarrel", german: "streit gestritten krach", core: "quarrel row argument conflict dispute", words: "quarrel quarrelled quarreling argued argue arguing argument shouted yelled screamed feud insulted humiliated apologise apologised apology grudge slammed",
		phrases: "had a row;have a row;row with;rows with;row about;argument with;fell out with;fallen out;falling out;not speaking;speaking terms;not talking to each other;no longer talk;keep fighting;made up with;big fight;had a fight;silent treatment;hung up on",
		coreCJK: "吵架 争吵 争执 矛盾 冲突 冷战 闹 吵", cjk: "吵架 吵了 大吵 争执 争吵 矛盾 翻脸 冷战 和好 冲突 闹翻 绝交 骂 道歉 认错 不理 顶撞 闹别扭 拉黑"},
	{id: "work-conflict", core: "conflict dispute grievance complaint trouble colleague quarrel harassment mediation bully unfair", words: "complaint complain complained complaining grievance dispute blamed accused accuse unfair unfairly bully bullied bullying harassment harass harassed hr mediation mediator undermined backstab reprimand disciplinary escalate stole stolen sabotage",
		phrases: "took the credit;takes the credit;taking credit;takes credit;take credit;took credit;claimed the credit;credit for;as his own;as her own;as their own;formal complaint;works council;written warning;passed over;threw me under the bus",
		coreCJK: "同事 纠纷 投诉 矛盾 冲突 争执 抢功", cjk: "投诉 举报 告状 批评 训了 挨训 被训 书面 针对 欺负 背锅 抢功 穿小鞋 调解 不答应 撤回 收回 功劳 甩锅 排挤 刁难 职场 不公平"},
	{id: "work-projects", phrases: "go live;went live;goes live;code freeze;project plan;sign off on;user test", core: "project work unreleased release product launch feature client pilot internal confidential roadmap building prototype schedule",
		words:   "project launch launched release released ship shipped pilot prototype mockup mock-up mockups mock-ups feature beta roadmap deadline client customer rollout milestone demo spec sprint slip slipped delayed merger acquisition prototype build redesign pitch contract quarter budget server bug version",
		coreCJK: "项目 产品 发布 未公开 工作安排 课表 考试 客户 上线 进度 安排 教学", cjk: "交付 迭代 测试版 甲方 项目 上线 发布 版本 客户 需求 进度 延期 推迟 内测 试点 方案 投标 合同 立项 课表 考试 期中 期末 月考 监考 阅卷 模考 排课 分班 教案 出卷"},
	{id: "leave", phrases: "day off;days off;time off;on leave;annual leave;parental leave;maternity leave;paternity leave;unpaid leave;off work;works from home;work from home;working from home;worked from home;home office;out of office;stands in for;stand in for;stood in for;standing in for;fills in for;covers for;covering for;cover for;back at work;back in the office;monday off;tuesday off;wednesday off;thursday off;friday off;week off;weeks off;bank holiday", german: "urlaub frei vertretung abwesend", core: "leave absence holiday shift working days off attendance cover office absences time", words: "wfh leave off absent absence away covering cover covers holiday shift rota sick vacation remote office back substitute standin wfh out",
		coreCJK: "请假 在不在 休假 出勤 考勤 哪天不在 在岗 不在", cjk: "请假 请了假 休假 调休 代课 代上 替我上 替他上 顶班 不在校 不在公司 出差 换班 年假 事假 值班 缺勤"},
	{id: "romance", german: "verliebt liebe", core: "love romance romantic sex sexual intimacy intimate dating crush lover affair", words: "mistress romance romantic kiss kissed crush sex sexual naked intimacy intimate flirt flirting boyfriend girlfriend lover affair cheating tinder",
		phrases: "in love;fall in love;fell in love;falling for;going out with;one night stand;slept with;sleep with;second date;first date;love with;love him;love her;loves him;loves her;loves me",
		coreCJK: "恋爱 约会 暗恋 亲密 性 爱情", cjk: "情人 情妇 情夫 恋爱 约会 暗恋 暧昧 表白 告白 相亲 谈恋爱 动心 喜欢上 喜欢他 喜欢她 爱上 脱单 一夜情 初恋 上床 接吻"},
	{id: "couple", german: "ehe beziehung trennung ehekrise scheidung", core: "couple partner relationship marriage marital husband wife separation divorce", words: "marriage marital divorce divorced divorcing separation breakup cheating couple relationship",
		phrases: "broke up;break up;breaking up;split up;splitting up;moved in together;moving in together;move in together;marriage counselling;couples therapy;couples therapist;couples counsellor;couples counselling;couples counseling;grown apart;cheated on;living apart;gave me the ring back",
		coreCJK: "夫妻 感情 婚姻 两口子 伴侣 对象 两个人", cjk: "夫妻 离婚 分手 分居 冷战 和好 复合 出轨 感情破裂 同居 婚姻 第三者 过不下去"},
	{id: "wedding", german: "hochzeit heiraten verlobt verlobung taufe beerdigung", core: "wedding engaged engagement married marry marriage couple baptism funeral", words: "wedding marry married marrying engagement fiance fiancee bride groom bridesmaid honeymoon registry baptism christening funeral newlyweds vows veil",
		phrases: "got engaged;get engaged;getting engaged;are engaged;get married;getting married;got married;best man;tie the knot;proposed to;wedding dress;save the date",
		coreCJK: "结婚 订婚 婚礼 领证 婚姻 葬礼 满月", cjk: "结婚 求婚 订婚 婚礼 领证 婚纱 请柬 喜酒 蜜月 伴娘 伴郎 葬礼 追悼会 满月 新娘 新郎 嫁给 娶"},
	{id: "family", phrases: "brother in law;sister in law;mother in law;father in law;family reunion", german: "familie mutter vater bruder schwester eltern", core: "family parents siblings mother father brother sister relatives home kin", words: "grandma granddad grandad twins godson goddaughter mother father mum dad parents brother sister sibling grandmother grandfather uncle aunt cousin nephew niece family relatives house inheritance inherit retire moved selling move shop business caring stepmother son daughter",
		coreCJK: "家人 父母 亲戚 妹妹 家里 姐姐 兄弟 爸妈 家事", cjk: "我爸 我妈 我哥 我姐 我弟 我妹 爸妈 公公 婆婆 侄子 外甥 大伯 叔叔 堂哥 堂姐 妈妈 母亲 爸爸 父亲 妹妹 姐姐 哥哥 弟弟 爷爷 奶奶 外婆 外公 亲戚 表弟 表哥 表妹 舅舅 姑姑 领证 再婚 养老 老家 婚礼 儿子 女儿 黄昏恋 老伴"},
	{id: "housing", phrases: "move house;moving house;moved house;new flat;new apartment;new house;bigger flat;square metres;for rent;housing association;burst pipe;move out;moving out;moved out", german: "wohnung haus umzug miete", core: "housing home flat apartment rent house live repairs moving renting buying", words: "flat apartment house rent rented renting landlord tenant lease mortgage viewing buy buying move moved moving repair repairs plumber leak leaking pipe boiler roof kitchen bathroom bath ceiling renovation renovate neighbour neighbours water deposit agent keys estate square housing removal",
		coreCJK: "房子 住房 租房 买房 装修 看房 搬家 自住", cjk: "房子 租房 买房 卖房 换房 看房 装修 搬家 房东 中介 挂牌 撤牌 漏水 水管 电梯 小区 户型 过户 楼 物业 卧室 阳台"},
	{id: "surprise", phrases: "surprise party;birthday present;birthday party;behind his back;behind her back;hid the;hide the;leaving party", german: "überraschung geschenk geburtstag feier party", core: "surprise present gift party secret birthday celebration", words: "surprise present gift party birthday secret secretly celebration cake wrap guest guests invitation venue toast retirement farewell anniversary organise organised collect collecting album engraved behind back",
		coreCJK: "惊喜 礼物 聚会 生日 仪式 瞒着", cjk: "惊喜 礼物 生日 聚会 仪式 相册 送给 偷偷准备 偷偷 瞒着他 瞒着她 祝福 蛋糕 纪念册 庆祝 欢送 凑份子 背着"},
	{id: "travel", phrases: "round trip;city break;road trip;sleeper train;boarding pass;passport control;on holiday;going on holiday", german: "reise urlaub flug hotel ferien", core: "travel trip holiday journey vacation trips", words: "ferry flights hostel campsite departure voyage backpacking interrail caravan lagoon fjord safari trip travel travelled holiday vacation flight fly flew airport hotel island islands beach hills hiking walk walking mountain hut train cruise camping visa passport tour weekend abroad booked booking itinerary airbnb resort city journey luggage sightseeing",
		coreCJK: "旅行 旅游 出游 出行 度假", cjk: "旅行 旅游 出游 度假 机票 酒店 景点 行程 签证 护照 高铁票 自驾 出国 海边 爬山 露营 民宿"},
	{id: "leisure", phrases: "half marathon;choir practice;board game;board games;book club;open water;evening class;season ticket;sing in;play the;play in;training for", german: "hobby chor konzert sport film musik spielen", core: "hobby hobbies leisure fun sport music film evening taste interest choir likes free", words: "cello violin viola flute clarinet drums trumpet saxophone orchestra ukulele novel novels poem poetry sketching pottery ceramics sewing crochet knit knitted woodwork carpentry skiing skating surfing sailing rowing kayak badminton volleyball handball basketball hockey cricket rugby golf bowling judo karate boxing fencing ballet salsa tango opera musical jog jogging hike hiked bouldering puzzle puzzles crossword sudoku series netflix gig allotment beekeeping birdwatching fishing stargazing telescope astronomy improv hobby choir sing singing solo concert rehearsal band guitar piano film movie cinema theatre play game games football tennis running run marathon race gym yoga climbing cycling swim swimming chess book books reading club painting drawing photography garden gardening knitting dance dancing pub quiz museum festival team match",
		coreCJK: "爱好 业余 兴趣 娱乐 运动 休闲 玩", cjk: "打羽毛球 打乒乓 拉小提琴 下棋 围棋 象棋 滑雪 爬山 登山 拼图 刺绣 舞蹈 跳舞 看展 话剧 演唱会 种花 养花 写生 小说 大提琴 小提琴 打球 跑步 夜跑 马拉松 健身 游泳 打球 篮球 羽毛球 足球 乒乓 唱歌 合唱 钢琴 吉他 摄影 画画 书法 看书 读书 听歌 电影 追剧 游戏 钓鱼 骑行 瑜伽 徒步 手工 班"},
	{id: "food", phrases: "for dinner;for lunch;for breakfast;favourite dish;sweet tooth;do not eat;don't eat;don't drink", german: "essen isst trinken trinkt kaffee kuchen mag schmeckt lieblingsessen", core: "food meal eat drink cooking weather pet cat dog taste small likes coffee", words: "meat fish spicy dumplings noodles rice cheese salad pizza sushi dessert fruit vegetables garlic cinnamon cardamom bakery barbecue espresso gluten eat ate food lunch dinner breakfast cook cooked recipe cake bun buns bread coffee tea wine beer restaurant taste likes loves favourite favorite vegetarian vegan pasta soup curry sweet chocolate cat dog pet weather rain snow sunny",
		coreCJK: "吃喝 吃饭 三餐 猫 天气 做饭 宠物 闲聊", cjk: "吃饭 早饭 午饭 晚饭 做饭 火锅 咖啡 奶茶 好吃 爱吃 餐厅 面条 饺子 水果 猫粮 养猫 猫咪 狗 下雨 天气 零食 外卖"},
	{id: "credentials", phrases: "pin code;door code;account number;card number;spare key;security question;under the mat;front door is;lock code", core: "password credential code pin account number key identity login", words: "router wlan totp keypad password passcode pin code login username credential token key lock combination account card number cvv passport ssn wifi safe alarm seed 2fa",
		coreCJK: "密码 证件 账户 门锁 账号 号码", cjk: "密码 门锁 账号 账户 身份证 护照号 银行卡 卡号 验证码 口令 钥匙 指纹锁 支付密码 证件号"},
	{id: "confidence", phrases: "in confidence;confided in me;asked me not to tell;asked me to keep;keep it to myself;told me a secret;swore me to secrecy", core: "confidence confided confidential secret told entrusted", words: "confided confidence confide",
		coreCJK: "秘密 托付 私下 外传 保密", cjk: "托付 不让家里"},
	{id: "promise", phrases: "gave my word;gave her word;gave his word;my word that", core: "promise promises word undertaking commitment oath pledge", words: "promise promised word undertake vow vowed swear swore commit committed pledge guarantee guaranteed",
		coreCJK: "答应 承诺 保证 诺言", cjk: "答应 承诺 保证 一定做到 发誓 许诺 说到做到 应下"},
	{id: "belief", phrases: "go to church;left the church;voted for;vote for;party member", core: "politics political belief religion religious vote faith", words: "baptised monk buddhist muslim christian jewish hindu catholic protestant mayor coalition voting ballot vote voted election party politics political left right conservative liberal socialist green church mosque temple pray prayer god faith religion religious atheist believe belief protest demonstration petition union candidate parliament referendum",
		coreCJK: "政治 信仰 宗教 观点 立场", cjk: "投票 选举 政治 信仰 信教 基督 佛教 教堂 寺庙 党 上访 抗议 立场"},
	{id: "legal", phrases: "in court;taken to court;take to court", core: "legal law court lawyer lawsuit police crime", words: "lawyer solicitor attorney court lawsuit sue sued judge police arrested charge charged fine fined custody contract settlement hearing trial visa asylum will testament notary prosecution convicted",
		coreCJK: "法律 官司 诉讼 案件", cjk: "律师 法院 官司 起诉 诉讼 判决 开庭 警察 派出所 报警 拘留 罚款 仲裁 公证 遗嘱 抚养权"},
	{id: "public", phrases: "on stage;keynote speaker;won a prize;shortlisted for the", core: "public award talk article publication announced official published speaker press", words: "award awarded prize talk speaker conference published publish article announced announce keynote stage press interview paper podcast website official public exhibition won winner title ceremony",
		coreCJK: "公开 获奖 发表 公示", cjk: "获奖 一等奖 二等奖 获得 公开课 优秀 发表 文章 表彰 校庆 公布 名单 官网 网站 报道 演讲 论坛 荣誉 新闻"},
	{id: "student", core: "student pupil class school child", words: "student pupil class grades exam tutor school homework parents teacher behaviour",
		coreCJK: "学生 孩子的情况 班上", cjk: "学生 孩子 家境 成绩 家里困难 班上 家长 辍学 竞赛 集训 早恋 逃课 转学 实验班"},
	{id: "opinion", phrases: "can't stand;cannot stand;disappointed in;disappointed by;fed up with;sick of him;sick of her;gets on my nerves;drives me mad;jealous of;look up to;full of himself;full of herself", core: "opinion opinions view judgement annoyed dislike feelings", words: "disappointed selfish admire admiring despise envy envious hypocrite liar smug annoying annoyed dislike hate hates lazy stupid incompetent unbearable boring rude arrogant jealous",
		coreCJK: "看法 评价 议论", cjk: "受不了 自私 失望 佩服 嫉妒 自以为是 虚伪 看不起 瞧不起 反感 讨厌 看不惯 烦他 烦她 懒 蠢 小气 背后说 嫌"},
	{id: "location", phrases: "home address;phone number;email address;lives at", core: "address location whereabouts contact phone", words: "address street postcode phone mobile number email location lives whereabouts",
		coreCJK: "地址 住址 电话 联系方式 行踪", cjk: "地址 住址 门牌 电话号码 手机号 邮箱 微信号 住在"},
}

// stemmedTheme is a theme as it is compared.
type stemmedTheme struct {
	id      string
	core    []string        // stems
	stems   map[string]bool // of core and words
	phrases []string        // folded, blanks around
	german  map[string]bool
	coreCJK []string
	cjk     []string        // words only
	allCJK  []string        // both
	heads   []heading       // taught: see [LessonHeading]
	taught  map[string]bool // stems, phrases and Chinese words that lessons added
}

// saysCJK reports whether a Chinese word of the theme, of more than a character or
// plain, stands in folded text.
func (t *stemmedTheme) saysCJK(folded string) bool {
	return slices.ContainsFunc(t.allCJK, func(word string) bool { return !isShortCJK(word) && strings.Contains(folded, word) })
}

// stemmedThemes returns the themes, stemmed once a process.
var stemmedThemes = sync.OnceValue(func() []stemmedTheme {
	out := make([]stemmedTheme, len(themes))
	for i, t := range themes {
		s := stemmedTheme{id: t.id, coreCJK: w(t.coreCJK), cjk: w(t.cjk), stems: stems(t.core + " " + t.words), german: stems(t.german)}
		for _, word := range w(t.core) {
			s.core = append(s.core, lexical.Stem(word))
		}
		for p := range strings.SplitSeq(t.phrases, ";") {
			if p != "" {
				s.phrases = append(s.phrases, " "+p+" ")
			}
		}
		s.allCJK = append(append(s.allCJK, s.coreCJK...), s.cjk...)
		out[i] = s
	}
	return out
})
