package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
)

// said is a message of Ines's and the facts of it.
type said struct {
	say  string
	want []string
}

// testSaid checks the facts of what Ines says to other, about whom about names.
func testSaid(t *testing.T, other, about string, tests []said) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			var got []string
			for _, r := range extract(t, dialogue(other, memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true, About: about}) {
				got = append(got, r.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// What somebody was told and what is true are two facts.
func TestExtractTruthApart(t *testing.T) {
	testSaid(t, "Bo", "", []said{
		{"I told Cem I had a dentist appointment, but really I had an interview at Nordmill",
			[]string{"Ines told Cem Ines had a dentist appointment.", "Ines had an interview at Nordmill."}},
		{"I said to Dora that I sold the boat; actually I gave it to my uncle in Lindum",
			[]string{"Ines said to Dora that Ines sold the boat.", "Ines gave it to their own uncle in Lindum."}},
		{"My boss thinks I have the flu, the truth is I am at the casino",
			[]string{"Ines's boss thinks Ines has the flu.", "Ines is at the casino."}},
		{"I told the kids we're going to the zoo when in fact we're going to Disneyland",
			[]string{"Ines told the kids Ines and others are going to the zoo.", "Ines and others are going to Disneyland."}},
		{"I told Cem I was at yoga but was really at the notary", []string{"Ines told Cem Ines was at yoga.", "Ines was really at the notary."}},
		{"I tell everyone I'm fine but I actually take antidepressants", []string{"Ines actually takes antidepressants."}},
		{"I told Cem I was in Lyon. In fact, I was in a clinic in Lindum.", []string{"Ines told Cem Ines was in Lyon.", "Ines was in a clinic in Lindum."}},
		{"In fact I was born in Lindum", []string{"Ines was born in Lindum."}},
		{"Tell Cem I have a cold, but in reality I failed the exam", []string{"Ines failed the exam."}},
		// Ordinary sentences stay whole.
		{"The film is actually a remake from 1982", []string{"The film is actually a remake from 1982."}},
		{"I was in fact born in Lindum", []string{"Ines was in fact born in Lindum."}},
		{"I was really tired but really happy in Lindum", []string{"Ines was really tired but really happy in Lindum."}},
		{"Dora said \"in fact I am ill\" at the dinner", []string{"Dora said \"in fact I am ill\" at the dinner."}},
		{"Cem is tall, in fact the tallest in Lindum", []string{"Cem is tall, in fact the tallest in Lindum."}},
	})
	testSaid(t, "小明", "", []said{
		{"我跟老板说我发烧了，其实我去面试了", []string{"Ines 跟老板说 Ines 发烧了。", "Ines 去面试了。"}},
		{"我告诉同事我回老家，实际上我去离婚了", []string{"Ines 告诉同事 Ines 回老家。", "Ines 去离婚了。"}},
		{"我跟我妈说我去游泳其实我去看心理医生", []string{"Ines 跟 Ines 的妈妈说 Ines 去游泳。", "Ines 去看心理医生。"}},
		{"我跟他说我加班，但其实在医院陪我爸", []string{"Ines 跟他说 Ines 加班。", "Ines 在医院陪 Ines 的爸爸。"}},
		{"我跟老板说我辞职了。其实没有，我被裁了", []string{"Ines 跟老板说 Ines 辞职了。", "Ines 被裁了。"}},
		{"其实我已经离婚三年了", []string{"Ines 已经离婚三年了。"}},
		{"这部电影其实是翻拍的", []string{"这部电影其实是翻拍的。"}},
	})
}
