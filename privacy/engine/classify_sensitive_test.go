package engine_test

import (
	"slices"
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// labelled returns the label that a statement gets under a policy, and whether it
// waits for a review.
func labelled(t testing.TB, p *privacy.Policy, text string) (label privacy.Label, ids []privacy.CategoryID, review bool) {
	t.Helper()
	marks, err := engine.NewOffline().Annotate(t.Context(), p, engine.Session{ID: "s", Drafts: []privacy.Record{{ID: "a", Text: text, OwnerSaid: true}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range marks[0] {
		switch m.Kind {
		case privacy.MarkCategory:
			ids = append(ids, privacy.CategoryID(m.Value))
		case privacy.MarkReview:
			review = true
		}
	}
	return labelOf(p, ids), ids, review
}

// TestDelicateAside: what is said in passing counts as much as what is said first.
func TestDelicateAside(t *testing.T) {
	p := starterPolicy(t)
	for _, text := range []string{
		"Piet covers for me on Monday, I'm picking up my chlamydia results.",
		"I love lasagne, the man from my Narcotics Anonymous group makes it.",
		"My favourite song is the one that played when I had the miscarriage.",
		"I go running with my mistress on Sundays.",
		"I play badminton with a man on parole.",
		"I read novels in the evening, since I was sacked I have time.",
		"We fly to Corfu in June, paid with a payday loan.",
		"I climb on Thursdays and my probation officer belays me.",
		"I'm off on Tuesday for my abortion.",
		"I cook Thai food, I learnt it in rehab.",
		"我周五请假，去拿艾滋检测报告",
		"我喜欢爬山，是戒赌以后才开始的",
		"我爱吃火锅，都是情夫请客",
		"周末去打球，教练刚出狱",
		"我们国庆去云南旅行，钱是网贷来的",
	} {
		label, ids, review := labelled(t, p, text)
		if label.Level > privacy.L1 {
			t.Errorf("%q gets %v %v, review %v", text, label, ids, review)
		}
		if len(ids) == 0 && !review {
			t.Errorf("%q has neither a category nor a review", text)
		}
	}
}

// TestClauseAside: a category for one clause is no label for what another clause
// says, and an ordinary second clause is no reason for a review.
func TestClauseAside(t *testing.T) {
	p := starterPolicy(t)
	for _, text := range []string{
		"I play chess, and Bo smuggles the parcels.",
		"I love jam, the neighbours' tenant boils it.",
		"I'm on leave next week because the inspectors arrive.",
		"我喜欢跑步，隔壁老王负责望风放哨",
	} {
		if label, ids, review := labelled(t, p, text); label.Level >= privacy.L3 || len(ids) == 0 && !review {
			t.Errorf("%q gets %v %v", text, label, ids)
		}
	}
	for _, tt := range []struct {
		text  string
		level privacy.Level
	}{
		{"I play chess on Mondays, and on Thursdays I go bowling.", privacy.L4},
		{"I play the guitar, it was a great concert.", privacy.L4},
		{"I like coffee, but tea is fine.", privacy.L4},
		{"I'm off on Friday, Noor covers for me.", privacy.L3},
		{"I ran the marathon in Oslo and it was great fun.", privacy.L4},
		{"We fly to Crete in May, the hotel is booked.", privacy.L3},
		{"I'm knitting a blanket while watching a film.", privacy.L4},
		{"我喜欢看书和跑步，周末去打羽毛球", privacy.L4},
		{"我下周请假，老张替我", privacy.L3},
	} {
		if label, ids, _ := labelled(t, p, tt.text); label.Level != tt.level {
			t.Errorf("%q gets %v %v, want level %v", tt.text, label, ids, tt.level)
		}
	}
}

// TestOwnWordsCover: where the owner names a delicate thing in a category, that
// category covers it.
func TestOwnWordsCover(t *testing.T) {
	p := mustPolicy(t, `
version: 1
owner: {name: Nora Quist, aliases: [Nora], language: en}
domains: [work, life]
groups: [{id: club, tier: 3, domain: life, description: "The club"}]
people: [{name: Kit Lowe, groups: [club]}]
categories:
  - {id: cases, name: Lawsuits that I follow, level: 3, domain: life, description: "Lawsuits and arrested politicians: what the police and the prosecutor say in the news"}
`)
	label, ids, _ := labelled(t, p, "The prosecutor spoke about the lawsuit and the police.")
	if label.Level != privacy.L3 {
		t.Errorf("got %v %v, want L3", label, ids)
	}
}

// TestHome: where somebody lives is a matter of the home, whatever the place.
func TestHome(t *testing.T) {
	p := starterPolicy(t)
	for _, text := range []string{
		"I moved to Tromsø in March.", "Rita moved to Porto last spring.", "I live in Delft.", "We live near Aarhus now.", "She has lived in Oulu since 2019.",
		"My address is Nieuwstraat 12 in Delft.", "Our new address is 4 Quay Road.", "I'm moving back to Porto from Delft.", "I live on Quay Street.",
		"我搬到厦门了", "我现在住在苏州", "我们搬去成都了。", "我的地址是人民路8号",
	} {
		if label, ids, _ := labelled(t, p, text); !slices.Contains(ids, "home") || label.Level != privacy.L3 {
			t.Errorf("%q gets %v %v, want home", text, label, ids)
		}
	}
	for _, text := range []string{
		"The meeting moved to Thursday.", "The exam moved to May.", "They live in fear.", "I moved to the back row.", "I'm moving to Siemens.",
		"I moved to IT.", "The firm moved to Leeds.", "会议搬到三楼了", "公司搬到浦东了", "把桌子搬到客厅了",
	} {
		if _, ids, _ := labelled(t, p, text); slices.Contains(ids, "home") {
			t.Errorf("%q gets %v", text, ids)
		}
	}
}
