package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
)

// Every "I" gets its verb; a name is whole once, then its first word.
func TestExtractPersons(t *testing.T) {
	tests := []struct {
		say  string // Ines Roth, to Bo Lind
		want []string
	}{
		{"I signed the contract with Lindum and I give notice at the harbour", []string{"Ines Roth signed the contract with Lindum and gives notice at the harbour."}},
		{"I like the flat but I want a garden", []string{"Ines Roth likes the flat but wants a garden."}},
		{"I moved out because I hate the noise", []string{"Ines Roth moved out because Ines hates the noise."}},
		{"I sprained my finger, so I only belay today", []string{"Ines Roth sprained their finger, so Ines only belays on 10 March 2026."}},
		{"I told Cem that Dora is ill and I went home", []string{"Ines Roth told Cem that Dora is ill and Ines went home."}},
		{"When I go to Lindum I visit the mill", []string{"When Ines Roth goes to Lindum Ines visits the mill."}},
		{"If I may, I visit Cem in Lindum", []string{"If Ines Roth may, Ines visits Cem in Lindum."}},
		{"My mum and I want a dog", []string{"Ines Roth's mum and Ines want a dog."}},
		{"My head hurts and I need an aspirin", []string{"Ines Roth's head hurts and Ines needs an aspirin."}},
		{"I told Cem that it is the dentist", []string{"Ines Roth told Cem that it is the dentist."}},
		{"Everybody hides in the boathouse at six, and I bring Cem at seven", []string{"Everybody hides in the boathouse at six, and Ines Roth brings Cem at seven."}},
		{"I climbed my first mountain with Cem", []string{"Ines Roth climbed their first mountain with Cem."}},
		{"I told the kids my secret about Lindum", []string{"Ines Roth told the kids Ines's secret about Lindum."}},
		{"I have friends in my house", []string{"Ines Roth has friends in Ines's house."}},
		{"I hurt myself at the climbing hall", []string{"Ines Roth hurt themself at the climbing hall."}},
		{"You owe me your half of the rent", []string{"Bo Lind owes Ines Roth Bo's half of the rent."}},
		// Words of address are not part of what is said.
		{"bo Dora is pregnant", []string{"Dora is pregnant."}},
		{"Bo, I am taking a cooking course", []string{"Ines Roth is taking a cooking course."}},
		{"bo I crashed the car", []string{"Ines Roth crashed the car."}},
		{"Bo Lind, I crashed the car", []string{"Ines Roth crashed the car."}},
		{"Dear Mrs Quill, I crashed the car", []string{"Ines Roth crashed the car."}},
		{"I crashed the car, Bo.", []string{"Ines Roth crashed the car."}},
		{"I crashed the car, thank you!", []string{"Ines Roth crashed the car."}},
		{"thank you for the flowers, my mum is in hospital", []string{"Ines Roth's mum is in hospital."}},
		{"all good, I crashed the car", []string{"Ines Roth crashed the car."}},
		{"in the end :) I crashed the car", []string{"Ines Roth crashed the car."}},
		{"Bo is the best singer in Lindum", []string{"Bo is the best singer in Lindum."}},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			var got []string
			for _, r := range extract(t, dialogue("Bo Lind", memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines Roth", OwnerKnown: true}) {
				got = append(got, r.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// "He" and "she" are named where one person alone can be meant.
func TestExtractAntecedent(t *testing.T) {
	tests := []struct {
		name          string
		turns         []memory.Turn
		want, subject string // of the last fact
	}{
		{"a brother", []memory.Turn{{Text: "My brother lost the job."}, {Text: "He is moving to Lindum"}}, "Ines's brother is moving to Lindum.", "Ines's brother"},
		{"of the listener", []memory.Turn{{Speaker: "Bo", Text: "my sister quit the job"}, {Text: "She's moved to Lindum"}}, "Bo's sister has moved to Lindum.", "Bo's sister"},
		{"somebody who spoke", []memory.Turn{{Text: "Cem said yes to the plan"}, {Text: "He'll drive the van to Lindum"}}, "Cem will drive the van to Lindum.", "Cem"},
		{"the wrong kin", []memory.Turn{{Text: "My brother lost the job."}, {Text: "She is moving to Lindum"}}, "She is moving to Lindum.", ""},
		{"two of them", []memory.Turn{{Text: "My brother met Cem in the mill."}, {Text: "He is moving to Lindum"}}, "He is moving to Lindum.", ""},
		{"a firm", []memory.Turn{{Text: "I had the interview at Nordmill yesterday"}, {Text: "He offered me a job in Lindum"}}, "He offered Ines a job in Lindum.", ""},
		{"nobody", []memory.Turn{{Text: "He is moving to Lindum"}}, "He is moving to Lindum.", ""},
		{"too long ago", []memory.Turn{{Text: "My brother lost the job."}, {Speaker: "Bo", Text: "I bought a boat"}, {Text: "I bought a house"}, {Text: "He is moving to Lindum"}}, "He is moving to Lindum.", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := extract(t, dialogue("Bo", tt.turns...), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
			if len(got) == 0 {
				t.Fatal("no facts")
			}
			last := got[len(got)-1]
			if last.Text != tt.want || last.Subject != tt.subject {
				t.Errorf("got %q about %q, want %q about %q", last.Text, last.Subject, tt.want, tt.subject)
			}
		})
	}
}

// What somebody else says of themselves is about them.
func TestExtractOtherSpeaker(t *testing.T) {
	s := dialogue("Bo Lind", memory.Turn{Speaker: "Bo Lind", Text: "I have cancer, and my wife doesn't eat meat"})
	got := extract(t, s, memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
	if len(got) != 1 || got[0].Subject != "Bo Lind" || got[0].Speaker != "Bo Lind" || got[0].OwnerSaid || got[0].Text != "Bo Lind has cancer, and Bo's wife doesn't eat meat." {
		t.Errorf("%+v", got)
	}
}

func TestExtractChinesePersons(t *testing.T) {
	tests := []struct {
		say, want, subject string // Ines, to 小明
	}{
		{"医生说我左边的乳房有个肿块", "医生说 Ines 左边的乳房有个肿块。", "Ines"},
		{"我2号就走，你送我去机场", "Ines 2026年4月2日就走，小明送 Ines 去机场。", "Ines"},
		{"汀城的结果出来了，一切正常", "汀城的结果出来了，一切正常。", "Ines"},
		{"学校有个竞赛基金，给学生用", "学校有个竞赛基金，给学生用。", "Ines"},
		{"去医院查了心电图，心脏没有问题", "Ines 说，去医院查了心电图，心脏没有问题。", "Ines"},
		{"膝盖疼了三个月，走不动路", "Ines 说，膝盖疼了三个月，走不动路。", "Ines"},
		{"他把房子卖了，搬到汀城", "他把房子卖了，搬到汀城。", ""},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			got := extract(t, dialogue("小明", memory.Turn{Text: tt.say}), memory.ExtractOptions{Owner: "Ines", OwnerKnown: true})
			if len(got) != 1 || got[0].Text != tt.want || got[0].Subject != tt.subject {
				t.Errorf("got %+v, want %q about %q", got, tt.want, tt.subject)
			}
		})
	}
}

// Whoever is called by name is "you", whatever message is answered.
func TestExtractCalledByName(t *testing.T) {
	s := &memory.Session{
		ID: "g", Group: true, Participants: []string{"Ines", "Bo Lind", "Cem"},
		Turns: []memory.Turn{
			{ID: "1", Speaker: "Cem", Kind: memory.Message, Text: "where does he think we are"},
			{ID: "2", Speaker: "Ines", Self: true, Kind: memory.Message, Text: "leave that to me. Bo, you and I have rehearsals", ReplyTo: "1"},
		},
		Subs: []memory.SubSession{{ID: "g/1", Pair: [2]string{"Cem", "Ines"}, Turns: []string{"2"}}},
	}
	got := extract(t, s, memory.ExtractOptions{})
	if len(got) != 1 || got[0].Text != "Bo Lind and Ines have rehearsals." {
		t.Errorf("%+v", got)
	}
}
