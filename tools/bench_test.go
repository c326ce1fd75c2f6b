package tools_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/thesaurus"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/tools"
)

// filledHome is a home with n facts, each with a category of its own hand.
func filledHome(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(policy), 0o600); err != nil {
		b.Fatal(err)
	}
	store, err := memory.Open(b.Context(), filepath.Join(dir, agent.DatabaseFile), memory.Options{Embedder: thesaurus.Embedder{}})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("tennis clinic flight Lisbon garden violin bakery doctor holiday bicycle market swimming chess painting tea mountain museum boat guitar library")
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for at := 0; at < n; at += 1000 {
		batch := memory.Batch{Sessions: []memory.Session{{
			ID: "s", Conversation: "c", Participants: []string{"Ines Calder"}, Start: privacy.At(now), Source: memory.Source{Name: "bench", Format: "bench"},
		}}}
		for i := at; i < min(at+1000, n); i++ {
			f := memory.Fact{Record: privacy.Record{
				ID: privacy.FactID(fmt.Sprintf("f%06d", i)), Language: "en", Speaker: "Ines Calder", OwnerSaid: true, Subject: "Ines", Session: "s",
				Text:   fmt.Sprintf("Ines has %s and %s in room %d.", words[rng.IntN(len(words))], words[rng.IntN(len(words))], i%400),
				SaidAt: privacy.At(now.Add(-time.Duration(rng.IntN(4000)) * time.Hour)),
				Marks: []privacy.Mark{
					{Kind: privacy.MarkCategory, Value: []string{"health", "leisure"}[rng.IntN(2)], By: privacy.ByGold},
					{Kind: privacy.MarkTruth, Value: "real", By: privacy.ByGold}, {Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByGold},
				},
			}, Sessions: []string{"s"}, ImportedAt: now}
			batch.Facts = append(batch.Facts, f)
		}
		if _, err := store.Apply(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkDiscloseHTTP asks 10,000 facts over HTTP from many clients at once, each
// answer recorded durably. The clients run in the same process, on the same cores.
func BenchmarkDiscloseHTTP(b *testing.B) {
	a, err := agent.Open(b.Context(), filledHome(b, 10_000), agent.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	server, err := tools.NewHTTP(a, tools.HTTPOptions{Tokens: a, Limits: tools.Limits{Rate: 1e6, Burst: 1e6}})
	if err != nil {
		b.Fatal(err)
	}
	ln := listen(b)
	go server.Serve(b.Context(), ln, nil) //nolint:errcheck // it ends with the benchmark
	var tokens []string
	for _, to := range []string{"Wilma Okoro", "Raj Pillai", "Zoë Müller"} {
		text, _, err := a.CreateToken(b.Context(), agent.TokenRequest{To: []string{to}})
		if err != nil {
			b.Fatal(err)
		}
		tokens = append(tokens, text)
	}
	questions := []string{"Does Ines play tennis?", "When is the flight to Lisbon?", "What does she have in the garden?", "How was the clinic?", "Tell me about chess and tea."}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	ask := func(n int) error {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"disclose","arguments":{"question":%q},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, n, questions[n%len(questions)])
		req, err := http.NewRequest("POST", "http://"+ln.Addr().String()+"/mcp", strings.NewReader(body))
		if err != nil {
			return err
		}
		for k, v := range map[string]string{"Authorization": "Bearer " + tokens[n%len(tokens)], "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "disclose"} {
			req.Header.Set(k, v)
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err == nil && !bytes.Contains(text, []byte(`"structuredContent"`)) {
			err = fmt.Errorf("%d %s", res.StatusCode, text)
		}
		return err
	}
	for n := range len(questions) * len(tokens) { // loads the world and the index
		if err := ask(n); err != nil {
			b.Fatal(err)
		}
	}
	const askers = 8
	took := make([][]time.Duration, askers)
	var next sync.Mutex
	asked := 0
	b.ResetTimer()
	var wg sync.WaitGroup
	for w := range askers {
		wg.Go(func() {
			for {
				next.Lock()
				n := asked
				asked++
				next.Unlock()
				if n >= b.N {
					return
				}
				start := time.Now()
				if err := ask(n); err != nil {
					b.Error(err)
					return
				}
				took[w] = append(took[w], time.Since(start))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	ms := func(part int) float64 { return float64(all[len(all)*part/100].Microseconds()) / 1000 }
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(ms(50), "p50-ms")
	b.ReportMetric(ms(99), "p99-ms")
	floor := recordHTTP(b, b.N, askers)
	b.ReportMetric(floor, "floor-requests/s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/floor, "of-floor")
}

// recordHTTP is the floor of the same run: a bare handler that commits one entry of
// the ledger durably, asked by as many clients. It returns requests a second.
func recordHTTP(b *testing.B, n, askers int) float64 {
	b.Helper()
	store, err := memory.Open(b.Context(), filepath.Join(b.TempDir(), agent.DatabaseFile), memory.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := store.Record(r.Context(), memory.LedgerEntry{To: []string{"Raj"}, Question: "?", Action: "answer", Finished: true}); err != nil {
			b.Error(err)
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	start := time.Now()
	var wg sync.WaitGroup
	var asked atomic.Int64
	for range askers {
		wg.Go(func() {
			for asked.Add(1) <= int64(n) {
				res, err := client.Post(server.URL, "text/plain", strings.NewReader("?"))
				if err != nil {
					b.Error(err)
					return
				}
				res.Body.Close()
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(start).Seconds()
}

// BenchmarkInitialize opens a home of 100,000 facts and answers the first message of
// a client over stdio.
func BenchmarkInitialize(b *testing.B) {
	dir := filledHome(b, 100_000)
	for b.Loop() {
		a, err := agent.Open(b.Context(), dir, agent.Options{})
		if err != nil {
			b.Fatal(err)
		}
		server, err := tools.New(a, tools.Options{Principal: tools.Owner()})
		if err != nil {
			b.Fatal(err)
		}
		var out syncBuffer
		if err := server.ServeStdio(b.Context(), strings.NewReader(initialize+"\n"), &out); err != nil || !strings.Contains(out.String(), `"serverInfo"`) {
			b.Fatalf("%v: %s", err, out.String())
		}
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "initialize-ms")
}
