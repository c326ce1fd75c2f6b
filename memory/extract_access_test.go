package memory_test

import (
	"context"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
)

// What only says who may know is in no fact, wherever it stands.
func TestExtractDropsAccess(t *testing.T) {
	testSaid(t, "Bo", "", []said{
		{"dont tell dad, i had an abortion in Lindum", []string{"Ines had an abortion in Lindum."}},
		{"Do not tell Cem but I crashed the van", []string{"Ines crashed the van."}},
		{"Between us, I am infertile", []string{"Ines is infertile."}},
		{"I bought a ring for Cem, only Dora may know", []string{"Ines bought a ring for Cem."}},
		{"I bought a ring and only Dora may know", []string{"Ines bought a ring."}},
		{"keep it to yourself: I got the job in Lyon", []string{"Ines got the job in Lyon."}},
		{"Not even Cem knows, I was sacked in Lindum", []string{"Ines was sacked in Lindum."}},
		{"I'd rather Cem didn't hear about it, I have the operation on Friday", []string{"Ines has the operation on 13 March 2026."}},
		{"I'm leaving Lindum, if Cem asks say I'm ill", []string{"Ines is leaving Lindum."}},
		{"I have an ulcer. Don't tell Cem, he would worry for weeks.", []string{"Ines has an ulcer."}},
		// The thing that such a clause names is one.
		{"Nobody knows that I failed the exam", []string{"Ines failed the exam."}},
		{"Don't tell Cem that my brother was arrested", []string{"Ines's brother was arrested."}},
		{"You can tell Dora that I got the flat in Lyon", []string{"Ines got the flat in Lyon."}},
		{"I won't tell my boss I'm pregnant until June", []string{"Ines is pregnant."}},
		{"don't tell my mum what I did in Lyon", nil},

		{"You can tell Dora.", nil},
		{"Mum's the word.", nil},
		{"If Dora asks.", nil},
		{"If Dora asks, I was at the library in Lindum.", nil},
		{"I would rather Cem didn't know", nil},
		{"Not even Dora knows", nil},
		{"keep that to yourself", nil},
		{"Please keep this strictly between us", nil},

		// Ordinary sentences.
		{"If Cem asks me to marry him, I will move to Lyon", []string{"If Cem asks Ines to marry him, Ines will move to Lyon."}},
		{"I would rather not know the gender of the baby", []string{"Ines would rather not know the gender of the baby."}},
		{"I know nobody in Lindum", []string{"Ines knows nobody in Lindum."}},
		{"I keep bees and I sell the honey", []string{"Ines keeps bees and sells the honey."}},
		{"Mum is the best cook in Lindum", []string{"Mum is the best cook in Lindum."}},
	})
	testSaid(t, "小明", "", []said{
		{"别告诉我哥，我下周五做手术", []string{"Ines 2026年3月20日做手术。"}},
		{"只能告诉我姐，我在看心理医生", []string{"Ines 在看心理医生。"}},
		{"我怀孕了，你知道就行了", []string{"Ines 怀孕了。"}},
		{"绝对不可以让我老板知道，我在找工作", []string{"Ines 在找工作。"}},
		{"我要辞职了，可以告诉小李", []string{"Ines 要辞职了。"}},
		{"我得了肝炎，别告诉我妈，她会睡不着的", []string{"Ines 得了肝炎。"}},
		{"没人知道我在办离婚", []string{"Ines 在办离婚。"}},
		{"别告诉小李我把车卖了", []string{"Ines 把车卖了。"}},
		{"要是老板问起，就说我在医院", nil},
		{"你就说不知道", nil},
		{"如果我妈问起来，你就说不知道", nil},
		{"我可以告诉你密码是8899", []string{"Ines 可以告诉小明密码是8899。"}},
		{"如果他问我要不要结婚，我会答应", []string{"如果他问 Ines 要不要结婚，Ines 会答应。"}},
	})
}

// Statements of the owner are told of the owner by name, however short they are
// and however they are joined.
func TestExtractThirdPerson(t *testing.T) {
	testSaid(t, "Bo", "", []said{
		{"I am on leave on Friday, I work from home on Mondays now.", []string{"Ines is on leave on 13 March 2026, Ines works from home on Mondays now."}},
		{"I quit the job, I am moving to Lyon, I have no plan", []string{"Ines quit the job, Ines is moving to Lyon, Ines has no plan."}},
		{"I like cheese.", []string{"Ines likes cheese."}},
		{"We like cheese.", []string{"Ines and others like cheese."}},
		{"I love hiking", []string{"Ines loves hiking."}},
		{"We love our garden.", []string{"Ines and others love their garden."}},
		{"Cem owes me 20 euros", []string{"Cem owes Ines 20 euros."}},
		{"The US office hired me", []string{"The US office hired Ines."}},
		{"Moved to Lyon in March.", []string{"Ines moved to Lyon in March 2026."}},
		{"I live in Lyon.", []string{"Ines lives in Lyon."}},
		{"My address is 12 Mill Lane.", []string{"Ines's address is 12 Mill Lane."}},
		{"My new address: Mill Lane 12, 9000 Lindum", []string{"Ines's new address: Mill Lane 12, 9000 Lindum."}},
		{"I lent my sister 300 euros", []string{"Ines lent their own sister 300 euros."}},
		{"Ich ziehe nach Lyon und habe schon im Herbst die Wohnung in der Altstadt gekündigt, weil die Miete nicht mehr zu bezahlen ist und der Weg so weit. I am moving to Lyon with my brother.",
			[]string{"Ines: Ich ziehe nach Lyon und habe schon im Herbst die Wohnung in der Altstadt gekündigt, weil die Miete nicht mehr zu bezahlen ist und der Weg so weit.", "Ines is moving to Lyon with Ines's brother."}},
		{"I like it", nil},
		{"I love you", nil},
	})
	testSaid(t, "小明", "", []said{
		{"我借给我妹妹两万块钱", []string{"Ines 借给 Ines 的妹妹两万块钱。"}},
		{"我姐夫失业了", []string{"Ines 的姐夫失业了。"}},
		{"我叔叔去世了", []string{"Ines 的叔叔去世了。"}},
		{"我爸妈离婚了", []string{"Ines 的爸妈离婚了。"}},
		{"我弟考上大学了", []string{"Ines 的弟弟考上大学了。"}},
		{"我女朋友是医生", []string{"Ines 的女朋友是医生。"}},
		{"我的地址是汀城中山路8号", []string{"Ines 的地址是汀城中山路8号。"}},
		{"我8号去体检", []string{"Ines 2026年4月8日去体检。"}},
	})
}

// Whoever speaks of themself in quoted speech is its subject.
func TestExtractSaysFrame(t *testing.T) {
	testSaid(t, "Bo", "", []said{
		{"Cem says: Cem is getting divorced", []string{"Cem is getting divorced."}},
		{"Cem says: I am moving to Lyon", []string{"Cem is moving to Lyon."}},
		{"Ines says: I am moving to Lyon", []string{"Ines is moving to Lyon."}},
		{"My sister says: I should move to Lyon", []string{"Ines's sister should move to Lyon."}},
		{"Cem says: Dora is ill", []string{"Cem says: Dora is ill."}},
		{"Bo 10:03 AM.", nil},
		{"Fern 10:03 AM.", nil},
	})
	testSaid(t, "小明", "", []said{
		{"小李说：我要离婚了", []string{"小李要离婚了。"}},
		{"小李说：小王要离婚了", []string{"小李说：小王要离婚了。"}},
	})
}

// An unnamed "he", "she" or "they" is whom the session is about.
func TestExtractAbout(t *testing.T) {
	testSaid(t, "Bo", "Cem", []said{
		{"He starts his new job in May.", []string{"Cem starts his new job in May 2026."}},
		{"She's moving to Lyon", []string{"Cem is moving to Lyon."}},
		{"they've bought a house", []string{"Cem has bought a house."}},
		{"They are vegan and they have two dogs", []string{"Cem is vegan and they have two dogs."}},
		{"Her mother is ill", []string{"Cem's mother is ill."}},
		{"started a job at Nordmill in March", []string{"Cem started a job at Nordmill in March 2026."}},
		{"Alfred works at Nordmill", []string{"Alfred works at Nordmill."}},
		{"I work at Nordmill", []string{"Ines works at Nordmill."}},
	})
	testSaid(t, "小明", "小李", []said{
		{"他五月换工作", []string{"小李2026年5月换工作。"}},
		{"她妈妈住院了", []string{"小李的妈妈住院了。"}},
		{"我五月换工作", []string{"Ines 2026年5月换工作。"}},
	})
	got := extract(t, dialogue("Bo", memory.Turn{Text: "He moved to Lyon"}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true, About: "Cem"})
	if len(got) != 1 || got[0].Subject != "Cem" || got[0].Speaker != "Ines" {
		t.Errorf("%+v", got)
	}
}

var firstPerson = regexp.MustCompile(`(?i)\b(i|i'm|i've|i'll|me|my|mine|we|us|our|ours|myself)\b`)

// No fact of English sentences, however joined, has a word of the first person.
func TestExtractNeverFirstPerson(t *testing.T) {
	clauses := []string{"I like cheese", "we moved to Lyon", "my boss fired me", "don't tell my mum", "in fact I am ill", "only you may know", "I'm on leave on Friday",
		"keep it to yourself", "they gave us our keys", "I told Cem I was ill", "between us", "you can tell Cem that I left", "if Cem asks", "i have no plan", "Cem says: I left"}
	rapid.Check(t, func(t *rapid.T) {
		say := ""
		for i, c := range rapid.SliceOfN(rapid.SampledFrom(clauses), 1, 5).Draw(t, "clauses") {
			if i > 0 {
				say += rapid.SampledFrom([]string{", ", ". ", " and ", " but ", "; ", " - "}).Draw(t, "mark")
			}
			say += c
		}
		got, err := (memory.OfflineExtractor{}).Extract(context.Background(), dialogue("Bo", memory.Turn{Text: say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got {
			if w := firstPerson.FindString(r.Text); w != "" {
				t.Fatalf("%q: %q left in %q", say, w, r.Text)
			}
		}
	})
}
