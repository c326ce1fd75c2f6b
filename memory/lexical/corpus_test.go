package lexical_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory/lexical"
)

var vocabulary = []string{"apple", "pear", "choir", "ghent", "doctor", "salary", "北京", "搬家", "friday", "offer"}

var speakers = []string{"Mia", "Jon Berg", "Jon Falk", "小明", ""}

func genDocument(t *rapid.T, n int) lexical.Document {
	day := int32(rapid.IntRange(19000, 19030).Draw(t, "day"))
	return lexical.Document{
		Key:     fmt.Sprint("k", n),
		Terms:   rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "terms"),
		Dates:   []string{"may"},
		Session: rapid.SampledFrom([]string{"", "s1", "s2", "s3"}).Draw(t, "session"),
		Place:   rapid.IntRange(-1, 9).Draw(t, "place"),
		By:      rapid.SampledFrom(speakers).Draw(t, "by"),
		About:   rapid.SampledFrom(speakers).Draw(t, "about"),
		Cues:    lexical.Cue(rapid.IntRange(0, 15).Draw(t, "cues")),
		Days:    lexical.Days{First: day, Last: day},
	}
}

// TestCorpusKnowsNoOther: asked of a set, a corpus answers as one that holds the
// set alone, to the bit, whatever else it holds and in whatever order all came.
func TestCorpusKnowsNoOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full, bare := lexical.NewCorpus(), lexical.NewCorpus()
		kept := map[int]int{}
		var alone []lexical.Document
		var ordinals []int
		for i := range rapid.IntRange(0, 40).Draw(t, "documents") {
			d := genDocument(t, i)
			at := full.Add(d)
			if rapid.Bool().Draw(t, "kept") {
				alone, ordinals = append(alone, d), append(ordinals, at)
			}
		}
		for _, i := range rapid.Permutation(seq(len(alone))).Draw(t, "order") {
			kept[ordinals[i]] = bare.Add(alone[i])
			if rapid.Bool().Draw(t, "settle") {
				bare.Settle()
			}
		}
		full.Settle()
		bare.Settle()
		q := lexical.ReadQuestion(rapid.SampledFrom([]string{
			"when did Mia sing in the choir", "How many apples has Jon?", "did Jon Berg like the offer in May", "小明在北京搬家了吗", "salary of Maria", "Where is the choir of Ghent?", "",
		}).Draw(t, "question"))
		q.Days = []lexical.Days{{First: 19010, Last: 19012}}
		q.People = []lexical.Person{{Names: []string{"Maria", "Mia"}}}
		set := full.Set(func(i int) bool { _, ok := kept[i]; return ok })
		got, want := full.Score(q, set, lexical.DefaultWeights), bare.Score(q, nil, lexical.DefaultWeights)
		for i := range full.Len() {
			at, ok := kept[i]
			if !ok {
				if got.Of(i) != 0 || got.Words[i] != 0 || got.Dated[i] {
					t.Fatalf("document %d is outside the set and scores %v", i, got.Of(i))
				}
				continue
			}
			if diff := cmp.Diff(scoresOf(want, at), scoresOf(got, i)); diff != "" {
				t.Fatalf("document %d (-alone +within):\n%s", i, diff)
			}
		}
	})
}

func scoresOf(s *lexical.Scores, i int) map[string]any {
	return map[string]any{"words": s.Words[i], "mixed": s.Mixed[i], "session": s.Session[i], "cues": s.Cues[i], "dated": s.Dated[i]}
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// chat is a corpus of messages "Speaker: words" of one session; a bare "-" begins
// the next one.
func chat(lines ...[2]string) *lexical.Corpus {
	c := lexical.NewCorpus()
	session := 0
	for i, line := range lines {
		if line[0] == "-" {
			session++
			continue
		}
		c.Add(lexical.Document{
			Key: fmt.Sprint(i), Terms: lexical.Terms(line[0] + ": " + line[1]), Session: fmt.Sprint("s", session), Place: i,
			By: line[0], Cues: lexical.CuesOf(line[1]),
		})
	}
	c.Settle()
	return c
}

func bestOf(c *lexical.Corpus, question string) int {
	s := c.Score(lexical.ReadQuestion(question), nil, lexical.DefaultWeights)
	best := 0
	for i := range c.Len() {
		if s.Of(i) > s.Of(best) {
			best = i
		}
	}
	return best
}

func TestCorpusRanks(t *testing.T) {
	c := chat(
		[2]string{"Ana", "What instrument do you play these days?"},
		[2]string{"Ben", "The cello, since I was nine."},
		[2]string{"Cleo", "I never learned an instrument."},
		[2]string{"Ana", "We saw otters by the river."},
		[2]string{"-", ""},
		[2]string{"Ben", "The otters are back, I saw them yesterday."},
		[2]string{"Cleo", "我下周去北京。"},
		[2]string{"Ana", "Lovely!"},
	)
	for _, tt := range []struct {
		question string
		want     int
	}{
		{"Which instrument does Ben play?", 1}, // the answer has no word of the question
		{"Did Cleo learn an instrument?", 2},
		{"When did Ben see the otters?", 4},
		{"Who saw otters by the river?", 3},
		{"去北京", 5},
	} {
		if got := bestOf(c, tt.question); got != tt.want {
			t.Errorf("%q finds document %d first, want %d", tt.question, got, tt.want)
		}
	}
	s := c.Score(lexical.ReadQuestion("xylophone quarrel"), nil, lexical.DefaultWeights)
	for i := range c.Len() {
		if s.Mixed[i] > 0 || s.Session[i] > 0 || s.Dated[i] {
			t.Errorf("a question that shares no word finds document %d", i)
		}
	}
}

// TestCorpusNames: a given name stands for everybody who has it, a full one for one.
func TestCorpusNames(t *testing.T) {
	c := chat(
		[2]string{"Jon Berg", "the boat is blue"}, [2]string{"-", ""},
		[2]string{"Jon Falk", "the boat is red"}, [2]string{"-", ""},
		[2]string{"Will", "the boat is green"}, [2]string{"-", ""},
		[2]string{"李小明", "the boat is white"},
	)
	cues := func(question string, people ...lexical.Person) []float32 {
		q := lexical.ReadQuestion(question)
		q.People = people
		s := c.Score(q, nil, lexical.Weights{Person: 1})
		return s.Cues
	}
	for _, tt := range []struct {
		question string
		people   []lexical.Person
		want     []float32
	}{
		{"which boat has Jon", nil, []float32{0.5, 0.5, 0, 0}},
		{"which boat has jon falk", nil, []float32{0, 1, 0, 0}},
		{"will the boat be blue", nil, []float32{0, 0, 0, 0}},
		{"does Will have a boat", nil, []float32{0, 0, 1, 0}},
		{"李小明的船", nil, []float32{0, 0, 0, 1}},
		{"what has Captain got", []lexical.Person{{Names: []string{"Jon Berg", "Captain"}}}, []float32{1, 0, 0, 0}},
		{"what has Ann got", nil, []float32{0, 0, 0, 0}},
	} {
		if diff := cmp.Diff(tt.want, cues(tt.question, tt.people...)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.question, diff)
		}
	}
}

func TestReadQuestion(t *testing.T) {
	for _, tt := range []struct {
		text          string
		when, howMany bool
	}{
		{"When did she move?", true, false}, {"Which year was it?", true, false}, {"Wann zog sie um?", true, false}, {"她什么时候搬家", true, false},
		{"How many cats has Jon?", false, true}, {"Wie viele Katzen?", false, true}, {"他有多少只猫", false, true}, {"How long was the trip?", true, true},
		{"Where does she live?", false, false}, {"", false, false},
	} {
		if q := lexical.ReadQuestion(tt.text); q.When != tt.when || q.HowMany != tt.howMany {
			t.Errorf("%q: when %v, how many %v", tt.text, q.When, q.HowMany)
		}
	}
	for text, called := range map[string]bool{
		"Who called?": true, "where does Mia live": true, "What's the name of her dog?": true, "What book did Jon read?": true, "In which city is it?": true,
		"Wo wohnt Mia?": true, "Wie heißt der Hund?": true, "她住在哪里": true, "谁来了": true,
		"What did Mia eat?": false, "When is it?": false, "她吃了什么": false, "": false,
	} {
		if q := lexical.ReadQuestion(text); q.Called != called {
			t.Errorf("%q asks for a name: %v", text, q.Called)
		}
	}
	for text, want := range map[string]lexical.Cue{
		"we moved to Lisbon": lexical.TellsName, "Mia Berg: I read it, I'm done on TV": 0, "Jon: my cat is Bo": lexical.TellsName, "It opens. Doors too": 0,
		"我在看《红楼梦》": lexical.TellsName, `er las "Der Prozess"`: lexical.TellsName, "ich habe die Katze nicht gesehen": 0, "see you in May": lexical.TellsTime,
		"See you on Friday": lexical.TellsTime, "Is it blue? [a photo of a boat]": lexical.Asks, "I have two cats": lexical.TellsNumber,
		"what is it?\" 😀": lexical.Asks, "我昨天回来了": lexical.TellsTime, "Really": 0, "": 0,
	} {
		if got := lexical.CuesOf(text); got != want {
			t.Errorf("cues of %q are %b, want %b", text, got, want)
		}
	}
}

// BenchmarkCorpus asks a question of ten words of 10,000 messages.
func BenchmarkCorpus(b *testing.B) {
	c := lexical.NewCorpus()
	r := rand.New(rand.NewPCG(1, 2))
	var last []string
	for i := range 10_000 {
		last = make([]string, 10)
		for j := range last {
			last[j] = fmt.Sprint("w", int(5000*r.Float64()*r.Float64()))
		}
		c.Add(lexical.Document{Key: fmt.Sprint(i), Terms: last, Session: fmt.Sprint(i / 20), Place: i})
	}
	c.Settle()
	half := c.Set(func(i int) bool { return i%2 == 0 })
	for _, run := range []struct {
		name string
		set  *lexical.Set
	}{{"all", nil}, {"half", half}} {
		b.Run(run.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Score(lexical.Question{Terms: last}, run.set, lexical.DefaultWeights)
			}
		})
	}
}
