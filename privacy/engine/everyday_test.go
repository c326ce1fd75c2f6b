package engine_test

import (
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// starterPolicy is the policy that a new owner begins with, with somebody in each
// group, so that a wrong label lets somebody in.
func starterPolicy(t testing.TB) *privacy.Policy {
	t.Helper()
	type person struct{ Name, Group string }
	tmpl, err := template.New("starter.yaml.tmpl").Funcs(template.FuncMap{"quote": strconv.Quote}).ParseFiles("../../agent/starter.yaml.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = tmpl.Execute(&b, struct {
		Name, Language string
		Aliases        []string
		People         []person
	}{"Rita Falk", "en", []string{"Rita"}, []person{
		{"Enzo Part", "partner"}, {"Olga Falk", "family"}, {"Lene Close", "close-friends"}, {"Moritz Bekannt", "friends"}, {"Yusuf Gate", "neighbours"},
		{"Hedda Mento", "mentor"}, {"Viktor Stahl", "boss"}, {"Noor Tisch", "team"}, {"Piet Flur", "colleagues"}, {"Ama Fern", "acquaintances"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return mustPolicy(t, b.String())
}

// everyday are statements as people make them, each with the category of the
// starter policy that it belongs to ("" for none).
var everyday = []struct{ category, text string }{
	{"health", "The cardiologist wants to see me again in three weeks."},
	{"health", "My knee hurts so much that I can hardly walk."},
	{"health", "They found a lump and sent it to the lab."},
	{"health", "I have been taking sleeping pills since January."},
	{"health", "Rita is 14 weeks pregnant."},
	{"health", "I passed out in the shower and was taken to A&E."},
	{"job-hunt", "A headhunter called me about a position at a bank."},
	{"job-hunt", "I handed in my notice this morning."},
	{"job-hunt", "My second interview at the other firm is on Tuesday."},
	{"pay", "They raised my salary to 61,000 a year."},
	{"pay", "My bonus was 4,000 this year."},
	{"credentials", "The wifi password is taped under the router."},
	{"credentials", "The code for the front door is 4471."},
	{"intimacy", "I think I am falling in love with a man from my course."},
	{"intimacy", "We have been trying for a baby since spring."},
	{"money", "We still owe my parents 8,000 for the car."},
	{"money", "The loan will be paid off in 2031."},
	{"conflicts", "I had a terrible row with Olga about the inheritance."},
	{"conflicts", "Lene and I are not on speaking terms."},
	{"couple", "Enzo and I are seeing a couples therapist because we keep fighting."},
	{"couple", "Enzo and I are getting a divorce."},
	{"opinions", "I can't stand the way Moritz talks to waiters."},
	{"beliefs", "I voted for the green party this time."},
	{"beliefs", "I left the church last year."},
	{"family", "My brother is opening a bike shop in May."},
	{"family", "My grandmother turns ninety next month."},
	{"celebrations", "The wedding will be on 14 September in the old mill."},
	{"surprise", "We are planning a surprise party for Lene's fortieth birthday."},
	{"surprise", "I hid Enzo's present in the attic."},
	{"home", "The landlord wants to renovate the bathroom."},
	{"home", "We are moving to a flat with a balcony."},
	{"travel", "We booked a ferry to Sardinia for the first week of July."},
	{"travel", "My flight to Lisbon was cancelled."},
	{"work-trouble", "A colleague presented my analysis as his own and I complained about it."},
	{"projects", "The client wants the new release two weeks earlier."},
	{"projects", "The deadline of the project moved to October."},
	{"leave", "I'm taking Friday off and Noor stands in for me."},
	{"leave", "I am on leave from 3 to 14 August."},
	{"hobbies", "I play the cello in an orchestra on Wednesdays."},
	{"hobbies", "Rita plays football on Sundays."},
	{"hobbies", "I ran my first half marathon on Sunday."},
	{"hobbies", "I'm reading a thick novel about whales."},
	{"food", "I love cardamom buns with my coffee."},
	{"food", "I don't eat fish."},
	{"", "The bus was late again."},
	{"", "See you tomorrow at the station."},
	{"health", "The dentist has to pull out two of my teeth."},
	{"health", "I twisted my ankle at practice and need crutches for a month."},
	{"job-hunt", "I applied for a post at the ministry and they invited me to an interview."},
	{"job-hunt", "I am going to resign at the end of the quarter."},
	{"pay", "My wage went up by four percent."},
	{"credentials", "My passport number ends in 77."},
	{"intimacy", "I have a crush on the new trainer."},
	{"money", "I put my savings into an index fund."},
	{"conflicts", "My neighbour and I argued about the hedge again."},
	{"couple", "Enzo and I have decided to separate for a while."},
	{"opinions", "I am terribly jealous of Lene's success."},
	{"beliefs", "I no longer believe in God."},
	{"family", "My cousin is starting school as a teacher in Graz."},
	{"celebrations", "Enzo and I got engaged on the ferry."},
	{"surprise", "We are collecting for a gift for Piet and he must not find out."},
	{"home", "The kitchen is being painted and the pipes are new."},
	{"travel", "We are spending the holidays in a hut in Norway, the train is booked."},
	{"work-trouble", "A colleague bullies me and I went to personnel with a complaint."},
	{"projects", "The launch slips by a month because the client changed the requirements."},
	{"leave", "I'm off work next week and Piet covers for me."},
	{"hobbies", "On Saturdays I go bouldering and in winter I ski."},
	{"food", "My favourite soup is borscht and I drink it with black tea."},
	{"", "I lost my umbrella."},
	{"", "It was a long Monday."},
	{"health", "我昨天牙疼得睡不着，医生给我开了止痛药。"},
	{"job-hunt", "我投了三份简历，下周二去面试。"},
	{"pay", "老板给我加薪了，月薪一万五。"},
	{"money", "我还欠银行二十万的贷款。"},
	{"couple", "我们俩已经分居半年了。"},
	{"beliefs", "我上个月受洗信了基督教。"},
	{"family", "我妹妹明年高考，爸妈很操心。"},
	{"travel", "我下个月坐火车去西藏旅行。"},
	{"work-trouble", "同事抢了我的功劳，我去投诉了他。"},
	{"hobbies", "我最近在学弹吉他。"},
	{"food", "我不吃香菜，最喜欢喝奶茶。"},
	{"health", "医生说我要住院观察几天。"},
	{"health", "我最近头晕得厉害，去做了核磁共振检查。"},
	{"health", "我怀孕三个月了。"},
	{"job-hunt", "有个猎头联系我，想让我去另一家公司。"},
	{"job-hunt", "我昨天交了辞职信。"},
	{"pay", "今年的奖金发了两万。"},
	{"credentials", "我家门锁的密码换成了新的。"},
	{"intimacy", "我好像喜欢上了一个同学。"},
	{"money", "我借给表弟五万块，他还没还。"},
	{"conflicts", "我跟室友大吵了一架，现在谁也不理谁。"},
	{"couple", "我和他打算离婚。"},
	{"opinions", "我真受不了他那种自以为是的样子。"},
	{"family", "我爸退休以后想回老家种地。"},
	{"celebrations", "我们的婚礼定在十月六号。"},
	{"surprise", "我偷偷给她准备了一个生日惊喜。"},
	{"home", "房东要涨房租，我们打算搬家。"},
	{"travel", "我们订了去厦门的机票，住海边的酒店。"},
	{"projects", "项目上线时间又延期了，客户很着急。"},
	{"leave", "我下周三请假一天。"},
	{"hobbies", "我每个周末都去打羽毛球。"},
	{"food", "我特别爱吃火锅。"},
	{"", "今天地铁人真多。"},
}

// Least share of everyday statements whose level is right, and of those whose own
// category is among the ones given.
const (
	minEverydayLevel    = 0.88
	minEverydayCategory = 0.88
)

// TestEverydayCategories: statements of every category get their label often
// enough, and those of the closed categories (level 1 at most) never a label that
// lets in anybody whom their own does not.
func TestEverydayCategories(t *testing.T) {
	p := starterPolicy(t)
	right, placed, of := 0, 0, 0
	for _, tt := range everyday {
		got := categoriesGiven(t, p, tt.text)
		var want []privacy.CategoryID
		if tt.category != "" {
			want = []privacy.CategoryID{privacy.CategoryID(tt.category)}
		}
		of++
		level, have := labelOf(p, want), labelOf(p, got)
		note := ""
		if level.Level == have.Level {
			right++
		} else {
			note = "  LEVEL"
		}
		if tt.category == "" && len(got) == 0 || tt.category != "" && has(got, want[0]) {
			placed++
		} else {
			note += "  PLACE"
		}
		in := wrongly(p, want, got)
		if len(in) > 0 {
			note += "  LETS IN " + strings.Join(in, ", ")
		}
		if len(in) > 0 && level.Level <= privacy.L1 {
			t.Errorf("%q is given %v (%v) and lets in %v, whom %v doesn't", tt.text, got, have, in, want)
		}
		t.Logf("%-14s %v %v%s  %s", tt.category, got, have, note, tt.text)
	}
	t.Logf("level right %.3f, own category given %.3f, of %d", ratio(right, of), ratio(placed, of), of)
	if ratio(right, of) < minEverydayLevel || ratio(placed, of) < minEverydayCategory {
		t.Errorf("level right %.3f (at least %.2f), own category given %.3f (at least %.2f)", ratio(right, of), minEverydayLevel, ratio(placed, of), minEverydayCategory)
	}
}

// TestWordsThatProveNothing: a word that merely occurs in the description of a
// closed category gives nobody that category.
func TestWordsThatProveNothing(t *testing.T) {
	p := starterPolicy(t)
	for _, tt := range []struct {
		text string
		not  []privacy.CategoryID
	}{
		{"I love cardamom buns with my coffee.", []privacy.CategoryID{"intimacy", "couple", "celebrations"}},
		{"We all love the new climbing hall.", []privacy.CategoryID{"intimacy", "couple"}},
		{"我喜欢喝茶，也喜欢看电影。", []privacy.CategoryID{"intimacy", "couple"}},
		{"I am on annual leave until Monday.", []privacy.CategoryID{"job-hunt", "pay"}},
		{"I'm taking a day off on Thursday.", []privacy.CategoryID{"job-hunt", "health"}},
		{"He takes the credit for my slides in front of everybody.", []privacy.CategoryID{"money"}},
		{"The electrician installs the new lamps.", []privacy.CategoryID{"money"}},
		{"The test of the new release went well, says the client.", []privacy.CategoryID{"health"}},
		{"The deadline of the project moved to October.", []privacy.CategoryID{"home", "couple"}},
		{"The concert takes place in the old mill.", []privacy.CategoryID{"home", "job-hunt"}},
		{"I go rowing with a couple of friends.", []privacy.CategoryID{"couple", "conflicts", "work-trouble"}},
	} {
		got := categoriesGiven(t, p, tt.text)
		for _, c := range tt.not {
			if has(got, c) {
				t.Errorf("%q is given %v, with %s", tt.text, got, c)
			}
		}
	}
}

// TestVerbsOfLoving: loving a person is no taste.
func TestVerbsOfLoving(t *testing.T) {
	p := starterPolicy(t)
	for _, text := range []string{"I am in love with Moritz.", "I love her and we go on dates in secret.", "我喜欢上他了，我们在约会。"} {
		if got := categoriesGiven(t, p, text); !has(got, "intimacy") {
			t.Errorf("%q is given %v, want intimacy among them", text, got)
		}
	}
}

func categoriesGiven(t testing.TB, p *privacy.Policy, text string) []privacy.CategoryID {
	t.Helper()
	s := engine.Session{Drafts: []privacy.Record{{ID: "f", Text: text, OwnerSaid: true}}}
	marks, err := stages(p).Annotate(t.Context(), p, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []privacy.CategoryID
	for _, m := range marks[0] {
		if m.Kind == privacy.MarkCategory {
			out = append(out, privacy.CategoryID(m.Value))
		}
	}
	return out
}

var compiledStages = map[*privacy.Policy]*engine.Offline{}

// stages returns stages that have compiled p before, where a test uses them often.
func stages(p *privacy.Policy) *engine.Offline {
	if compiledStages[p] == nil {
		compiledStages[p] = engine.NewOffline()
	}
	return compiledStages[p]
}

func has(list []privacy.CategoryID, id privacy.CategoryID) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

// wrongly returns the people whom the label of got lets in and that of want does
// not.
func wrongly(p *privacy.Policy, want, got []privacy.CategoryID) []string {
	j, k := privacy.NewJudge(p, []privacy.Fact{fact(want)}), privacy.NewJudge(p, []privacy.Fact{fact(got)})
	var out []string
	for _, q := range p.People() {
		if r := p.Recipient(q.Name); k.Verdict(0, r).Allow && !j.Verdict(0, r).Allow {
			out = append(out, q.Name)
		}
	}
	return out
}
