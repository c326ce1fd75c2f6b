package agent_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// BenchmarkImport stores messages durably, with their facts annotated, and prints
// messages a second, and a second of the processor's: a talk with a fact in every other message, one with a fact in each,
// and one that teaches nothing; beside them, how fast the file's bytes can be read.
func BenchmarkImport(b *testing.B) {
	const messages = 6000
	r := rand.New(rand.NewPCG(7, 8))
	pick := func(words string) string {
		list := strings.Split(words, "|")
		return list[r.IntN(len(list))]
	}
	const cities, things, months = "Lisbon|Ghent|Malmö|Oslo|Turin|Leeds", "flat|car|guitar|sofa|camera|boat|ticket", "May|June|October|January"
	fact := func(i int) string {
		return fmt.Sprintf(pick("I|My sister|My boss|The client|Tomas|Our landlord")+" "+pick("bought a %[1]s in %[2]s|booked a hotel in %[2]s in %[3]s|moved to %[2]s in %[3]s|met the doctor at the clinic in %[2]s|sold the %[1]s|broke the %[1]s yesterday")+" (no %[4]d).",
			pick(things), pick(cities), pick(months), i)
	}
	chats := []struct {
		name string
		line func(i int) string
	}{
		{"half", func(i int) string {
			if i%2 == 0 {
				return fact(i)
			}
			return pick("ok|haha|thanks!|and then?|see you|no idea")
		}},
		{"each", fact},
		{"none", func(i int) string {
			return pick("ok|haha|thanks!|and then?|see you|no idea") + strings.Repeat("!", i%3)
		}},
	}
	for _, chat := range chats {
		path := filepath.Join(b.TempDir(), "chat.txt")
		var text strings.Builder
		day := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
		for i := range messages {
			if i%12 == 0 {
				day = day.Add(24 * time.Hour)
			}
			fmt.Fprintf(&text, "[%s] %s: %s\n", day.Add(time.Duration(i%12)*time.Minute).Format("2006-01-02 15:04"), []string{"Ines", "Tomas"}[i%2], chat.line(i))
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(chat.name, func(b *testing.B) {
			used := processorTime()
			for b.Loop() {
				home, err := os.MkdirTemp(b.TempDir(), "home")
				if err != nil {
					b.Fatal(err)
				}
				source, err := agent.Starter{Name: "Ines"}.Policy()
				if err != nil {
					b.Fatal(err)
				}
				a := openIn(b, home, string(source))
				report, err := a.Import(context.Background(), path, agent.ImportOptions{Self: "Ines", TZ: time.UTC})
				if err != nil || report.New != messages {
					b.Fatalf("%+v: %v", report, err)
				}
			}
			b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
			if used = processorTime() - used; used > 0 {
				b.ReportMetric(messages*float64(b.N)/used.Seconds(), "messages/cpu-s")
			}
		})
		b.Run(chat.name+"/bytes", func(b *testing.B) {
			for b.Loop() {
				if _, err := os.ReadFile(path); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

// BenchmarkDisclose asks 10,000 facts for different people, each answer recorded
// durably, and prints the 50th and 95th percentile of the time an answer takes.
func BenchmarkDisclose(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			a := open(b, sameWithoutPolicy)
			fillFacts(b, a, n)
			names := []string{"Tomas", "Bo", "Raj", "A Stranger"}
			questions := []string{"When is the operation at the clinic?", "Tell me about Lisbon and the flight", "What is new with Ines?", "她的手术怎么样了？"}
			disclose(b, a, questions[0], names[0]) // loads the world and the index
			var took []time.Duration
			i := 0
			for b.Loop() {
				start := time.Now()
				disclose(b, a, questions[i%len(questions)], names[(i/len(questions))%len(names)])
				took = append(took, time.Since(start))
				i++
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkFirstAnswer opens a home of 10,000 facts and gives its first answer.
func BenchmarkFirstAnswer(b *testing.B) {
	home := b.TempDir()
	a := openIn(b, home, sameWithoutPolicy)
	fillFacts(b, a, 10_000)
	var opened, answered time.Duration
	for b.Loop() {
		start := time.Now()
		c, err := agent.Open(context.Background(), home, agent.Options{})
		if err != nil {
			b.Fatal(err)
		}
		opened += time.Since(start)
		disclose(b, c, "When is the operation at the clinic?", "Tomas")
		answered += time.Since(start)
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(opened.Milliseconds())/float64(b.N), "open-ms")
	b.ReportMetric(float64(answered.Milliseconds())/float64(b.N), "answer-ms")
}

func fillFacts(b *testing.B, a *agent.Agent, n int) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var facts []fact
	for i := range n {
		var words []string
		for range 3 + rng.IntN(5) {
			words = append(words, sameWithoutWords[rng.IntN(len(sameWithoutWords))])
		}
		facts = append(facts, fact{
			ID:         privacy.FactID(fmt.Sprintf("f%06d", i)),
			Text:       fmt.Sprintf("Ines has %s in year %d.", strings.Join(words, " and "), i%400),
			Categories: []privacy.CategoryID{[]privacy.CategoryID{"health", "career", "travel", "work", "taste"}[rng.IntN(5)]},
			Time:       now.Add(-time.Duration(rng.IntN(4000)) * time.Hour),
			Event:      fmt.Sprintf("e%d", rng.IntN(n/3+1)),
			Truth:      "real", Trusted: true,
		})
		if len(facts) == 1000 {
			put(b, a, facts...)
			facts = facts[:0]
		}
	}
	if len(facts) > 0 {
		put(b, a, facts...)
	}
}

// BenchmarkRecallOwner asks 10,000 facts of the owner's own, each question another
// one, as an assistant does. The floor is what a server without an index does at
// least: looking for the same words in every text, in memory.
func BenchmarkRecallOwner(b *testing.B) {
	const n = 10_000
	// Entries as people write them: of some hundred words, twenty a day.
	var things []string
	for _, a := range []string{"ba", "co", "de", "fi", "ga", "hu", "lo", "mi", "pe", "ru", "sa", "to"} {
		for _, z := range []string{"bble", "cket", "dden", "mmer", "nnet", "ppin", "rrow", "sket", "tton", "vel", "wick", "zzer", "lsh"} {
			things = append(things, a+z)
		}
	}
	word := func(i int) string { return things[i*31%len(things)] }
	var chat strings.Builder
	var texts []string
	for i := range n {
		text := fmt.Sprintf("I bought %s %d and a %s near the %s.", word(i), n+i, word(i*57+11), word(i*13+i/59))
		texts = append(texts, strings.ToLower(text))
		at := time.Date(2025, 1, 1+i/20, 18, i%20, 0, 0, time.UTC)
		fmt.Fprintf(&chat, "[%s] Ines: %s\n", at.Format("2006-01-02 15:04"), text)
	}
	path := filepath.Join(b.TempDir(), "chat.txt")
	if err := os.WriteFile(path, []byte(chat.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	source, err := agent.Starter{Name: "Ines"}.Policy()
	if err != nil {
		b.Fatal(err)
	}
	a := openIn(b, b.TempDir(), string(source))
	if report, err := a.Import(b.Context(), path, agent.ImportOptions{Self: "Ines", TZ: time.UTC}); err != nil || report.New != n {
		b.Fatalf("%+v: %v", report, err)
	}
	question := func(k int) string {
		i := (k*7919 + 1001) % n
		return fmt.Sprintf("%s %d", word(i), n+i) // no number that could be a year
	}
	ask := func(k int) {
		got, err := a.Recall(b.Context(), agent.RecallRequest{Query: question(k)})
		if err != nil || len(got.Facts) == 0 || !strings.Contains(got.Facts[0].Text, question(k)+" ") {
			b.Fatalf("%q: %v: not the first", question(k), err)
		}
	}
	ask(0) // loads the index
	k := 0
	for b.Loop() {
		k++
		ask(k)
	}
	took := b.Elapsed() / time.Duration(b.N)
	start := time.Now()
	for i := range 20 {
		found := 0
		for _, text := range texts {
			if strings.Contains(text, question(i)) {
				found++
			}
		}
		if found == 0 {
			b.Fatal(question(i))
		}
	}
	b.ReportMetric(float64(took)/float64(time.Since(start)/20), "x-scan")
}
