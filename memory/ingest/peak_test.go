package ingest_test

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
)

// bigSource writes about size bytes of a chat of many years in a form.
func bigSource(t testing.TB, form string, size int64) string {
	t.Helper()
	switch form {
	case "slack":
		return bigSlack(t, size)
	case "imessage":
		return bigChatDB(t, size)
	}
	path := filepath.Join(t.TempDir(), form+".txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if list, ok := bigLists[form]; ok {
		list.write(w, size)
		size = 0
	}
	who := []string{"Ana", "Bo", "Cem Öz", "Dilara"}
	at := time.Date(2012, 1, 1, 6, 0, 0, 0, time.UTC)
	var n int64
	for i := 0; n < size; i++ {
		at = at.Add(time.Duration(20+i%7*11) * time.Second)
		if i%97 == 0 {
			at = at.Add(9 * time.Hour)
		}
		text := fmt.Sprintf("message number %d, about the garden, the weather and what grows in bed %d", i, i%41)
		var k int
		switch form {
		case "whatsapp":
			k, _ = fmt.Fprintf(w, "%s - %s: %s\n", at.Format("02/01/2006, 15:04"), who[i%4], text)
		case "plain":
			k, _ = fmt.Fprintf(w, "[%s] %s: %s\n", at.Format("2006-01-02 15:04"), who[i%4], text)
		case "telegram":
			if i == 0 {
				k, _ = fmt.Fprint(w, `{"name":"Garden","type":"private_group","id":1,"messages":[`)
			} else {
				k, _ = fmt.Fprint(w, ",\n")
			}
			reply := ""
			if i%5 == 4 {
				reply = fmt.Sprintf(`"reply_to_message_id":%d,`, i-i%3)
			}
			j, _ := fmt.Fprintf(w, `{"id":%d,"type":"message","date":"%s","date_unixtime":"%d","from":%q,"from_id":"user%d",%s"text":%q}`,
				i+1, at.Format("2006-01-02T15:04:05"), at.Unix(), who[i%4], i%4, reply, text)
			k += j
		case "mbox":
			parent := ""
			if i%6 > 0 {
				parent = fmt.Sprintf("In-Reply-To: <m%d@example.org>\n", i-1)
			}
			k, _ = fmt.Fprintf(w, "From a%d@example.org %s\nFrom: %s <a%d@example.org>\nTo: Me <me@example.org>\nDate: %s\nMessage-ID: <m%d@example.org>\n%sSubject: beds\nContent-Type: text/plain; charset=utf-8\n\n%s\n\n",
				i%4, at.Format(time.ANSIC), who[i%4][:2], i%4, at.Format(time.RFC1123Z), i, parent, strings.Repeat(text+"\n", 40))
		default:
			t.Fatalf("form %q", form)
		}
		n += int64(k)
	}
	if form == "telegram" {
		fmt.Fprint(w, "]}")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// bigSlack writes a zip with about size bytes of messages, a file a day.
func bigSlack(t testing.TB, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "slack.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	file := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file("channels.json", `[{"id":"C1","name":"garden","members":["U0","U1","U2","U3"]}]`)
	file("users.json", `[{"id":"U0","name":"ana"},{"id":"U1","name":"bo"},{"id":"U2","name":"cem"},{"id":"U3","name":"dilara"}]`)
	day, n := time.Date(2012, 1, 1, 6, 0, 0, 0, time.UTC), int64(0)
	for i := 0; n < size; day = day.AddDate(0, 0, 1) {
		var b strings.Builder
		b.WriteByte('[')
		for k := range 2000 {
			if k > 0 {
				b.WriteString(",\n")
			}
			at := day.Add(time.Duration(k) * 20 * time.Second)
			thread := ""
			if k%5 == 4 {
				thread = fmt.Sprintf(`"thread_ts":"%d.000100",`, at.Add(-60*time.Second).Unix())
			}
			fmt.Fprintf(&b, `{"type":"message","user":"U%d",%s"ts":"%d.000100","text":"message number %d, about the garden, the weather and what grows in bed %d"}`, i%4, thread, at.Unix(), i, i%41)
			i++
		}
		b.WriteByte(']')
		n += int64(b.Len())
		file("garden/"+day.Format(time.DateOnly)+".json", b.String())
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// peakOf runs f and returns the most bytes of heap in use that were seen meanwhile.
func peakOf(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, peak := m.HeapAlloc, uint64(0)
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
	})
	f()
	close(stop)
	wait.Wait()
	return int64(peak) - int64(min(base, peak))
}

// dryRun is what `import --dry-run --json` does.
func dryRun(t testing.TB, path string) {
	r, err := ingest.Open(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.WriteJSON(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
}

var bigForms = []string{"whatsapp", "telegram", "mbox", "plain", "slack"}

// moreForms are those that the benchmark measures, too.
var moreForms = []string{"imessage", "discord", "signal", "line", "calendar", "claude", "chatgpt", "wechat", "notes"}

// TestPeakMemory: the heap that a dry run needs doesn't grow with the source. Eight
// times as much may take a fifth more and the noise of the collector.
func TestPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 80 MB; runs without -short")
	}
	for _, form := range bigForms {
		t.Run(form, func(t *testing.T) {
			small, big := bigSource(t, form, 2<<20), bigSource(t, form, 16<<20)
			little := peakOf(func() { dryRun(t, small) })
			much := peakOf(func() { dryRun(t, big) })
			t.Logf("2 MB: %d MB of heap, 16 MB: %d MB", little>>20, much>>20)
			if much > little*2+24<<20 {
				t.Errorf("2 MB needs %d MB of heap, 16 MB needs %d MB", little>>20, much>>20)
			}
		})
	}
}

// BenchmarkPeak reports the peak of the heap in MB for a dry run and for cutting into
// sessions. EPAGENT_PEAK_MB lists other sizes: EPAGENT_PEAK_MB=10,100,1000.
func BenchmarkPeak(b *testing.B) {
	sizes := os.Getenv("EPAGENT_PEAK_MB")
	if sizes == "" {
		sizes = "10"
	}
	for _, form := range slices.Concat(bigForms, moreForms) {
		for size := range strings.SplitSeq(sizes, ",") {
			mb, err := strconv.ParseInt(size, 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			path := bigSource(b, form, mb<<20)
			b.Run(form+"/"+size+"MB/dry", func(b *testing.B) {
				b.SetBytes(mb << 20)
				var peak int64
				for b.Loop() {
					peak = max(peak, peakOf(func() { dryRun(b, path) }))
				}
				b.ReportMetric(float64(peak)/(1<<20), "MB-peak")
			})
			b.Run(form+"/"+size+"MB/sessions", func(b *testing.B) {
				b.SetBytes(mb << 20)
				var peak int64
				for b.Loop() {
					peak = max(peak, peakOf(func() {
						r, err := ingest.Open(b.Context(), path, ingest.Options{})
						if err != nil {
							b.Fatal(err)
						}
						defer r.Close()
						if err := r.EachSession(b.Context(), func(*memory.Session) error { return nil }); err != nil {
							b.Fatal(err)
						}
					}))
				}
				b.ReportMetric(float64(peak)/(1<<20), "MB-peak")
			})
			os.Remove(path)
		}
	}
}
