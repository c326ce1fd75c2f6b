package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
)

// BenchmarkImport stores messages durably with their facts annotated, and prints
// messages per second.
func BenchmarkImport(b *testing.B) {
	const messages = 4000
	chat := filepath.Join(b.TempDir(), "chat.txt")
	var text strings.Builder
	day := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	said := []string{
		"I booked the hotel in Lisbon for room %d.", "ok", "The doctor says the knee is better since week %d.", "haha",
		"We moved meeting %d with the client to Friday.", "thanks!", "My sister bought flat number %d in Ghent.", "and then?",
	}
	for i := range messages {
		if i%12 == 0 {
			day = day.Add(24 * time.Hour)
		}
		who := "Ines"
		if i%2 == 1 {
			who = "Tomas"
		}
		line := said[i%len(said)]
		if strings.Contains(line, "%d") {
			line = fmt.Sprintf(line, i)
		}
		fmt.Fprintf(&text, "[%s] %s: %s\n", day.Add(time.Duration(i%12)*time.Minute).Format("2006-01-02 15:04"), who, line)
	}
	if err := os.WriteFile(chat, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
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
		report, err := a.Import(context.Background(), chat, agent.ImportOptions{Self: "Ines", TZ: time.UTC})
		if err != nil || report.New != messages {
			b.Fatalf("%+v: %v", report, err)
		}
	}
	b.ReportMetric(messages*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
