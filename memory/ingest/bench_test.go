package ingest_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
)

// chatOf writes n messages of a year between two people in a form.
func chatOf(n int, form string) string {
	var b strings.Builder
	who := []string{"Ana", "Bo"}
	for i := range n {
		month, day, hour := 1+i*12/n, 1+i*12*28/n%28, i*12*28*24/n%24
		text := fmt.Sprintf("message number %d, about the garden and what grows in it", i)
		switch form {
		case "plain":
			fmt.Fprintf(&b, "[2024-%02d-%02d %02d:%02d] %s: %s\n", month, day, hour, i%60, who[i%2], text)
		case "android":
			fmt.Fprintf(&b, "%d/%d/24, %02d:%02d - %s: %s\n", month, day, hour, i%60, who[i%2], text)
		case "ios":
			fmt.Fprintf(&b, "[%02d.%02d.24, %02d:%02d:%02d] %s: %s\r\n", day, month, hour, i%60, i%60, who[i%2], text)
		case "line":
			if i == 0 {
				b.WriteString("[LINE] Chat history with Ana\n\n2024/03/15(Fri)\n")
			}
			fmt.Fprintf(&b, "%02d:%02d\t%s\t%s\n", i*24/n, i%60, who[i%2], text)
		case "telegram":
			if i == 0 {
				b.WriteString(`{"name":"Ana","type":"personal_chat","id":1,"messages":[`)
			} else {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":%d,"type":"message","date":"2024-%02d-%02dT%02d:%02d:00","date_unixtime":"%d","from":%q,"from_id":"user%d","text":%q}`,
				i, month, day, hour, i%60, 1704067200+i*1000, who[i%2], i%2, text)
			if i == n-1 {
				b.WriteString("]}")
			}
		}
	}
	return b.String()
}

// BenchmarkRead measures messages a second and a second of the processor's: the whole
// reading of a file without storing it (recognise, check, read, as a dry run does
// without printing; and cut into sessions, as an import does), beside the time that
// reading the bytes alone takes.
func BenchmarkRead(b *testing.B) {
	const n = 50_000
	for _, form := range []string{"plain", "android", "ios", "line", "telegram"} {
		text := chatOf(n, form)
		path := write(b, "chat.txt", text)
		measure := func(name string, read func(r *ingest.Reading, count func()) error) {
			b.Run(form+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				used := processorTime()
				for b.Loop() {
					r, err := ingest.Open(b.Context(), path, ingest.Options{})
					if err != nil {
						b.Fatal(err)
					}
					seen := 0
					if err := read(r, func() { seen++ }); err != nil || seen != n {
						b.Fatalf("%d messages of %d, read as %s: %v", seen, n, r.Format, err)
					}
					r.Close()
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "messages/s")
				if used = processorTime() - used; used > 0 {
					b.ReportMetric(float64(b.N*n)/used.Seconds(), "messages/cpu-s")
				}
			})
		}
		measure("read", func(r *ingest.Reading, count func()) error {
			return r.Each(b.Context(), func(*ingest.Message) error { count(); return nil })
		})
		measure("sessions", func(r *ingest.Reading, count func()) error {
			return r.EachSession(b.Context(), func(s *memory.Session) error {
				for range s.Turns {
					count()
				}
				return nil
			})
		})
		b.Run(form+"/bytes", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, struct{ io.Reader }{f}); err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}
