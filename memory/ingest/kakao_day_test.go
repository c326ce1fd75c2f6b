package ingest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// The day line of a phone is nobody's, with or without an empty line above; an answer
// that is a date is said.
func TestKakaoDayLine(t *testing.T) {
	const head = "이지은 님과 카카오톡 대화\n저장한 날짜 : 2024년 3월 20일 오전 10:00\n\n\n2024년 3월 14일 오후 7:02\n"
	const first = "2024년 3월 14일 오후 7:02, 이지은 : "
	const next = "2024년 3월 15일 오전 9:06, 이지은 : 응\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"without an empty line", first + "집\n2024년 3월 15일 오전 9:05\n" + next, []string{"이지은|2024-03-14T19:02:00|집", "이지은|2024-03-15T09:06:00|응"}},
		{"behind a deleted message", first + "삭제된 메시지입니다.\n2024년 3월 15일 오전 9:05\n" + next, []string{"-|2024-03-14T19:02:00|", "이지은|2024-03-15T09:06:00|응"}},
		{"at the end", first + "집\n2024년 3월 15일 오전 9:05\n\n", []string{"이지은|2024-03-14T19:02:00|집"}},
		{"an answer of another day", first + "집\n2024년 4월 1일 오전 9:05\n둘\n" + next, []string{"이지은|2024-03-14T19:02:00|집⏎2024년 4월 1일 오전 9:05⏎둘", "이지은|2024-03-15T09:06:00|응"}},
		{"an answer of the same day", first + "집\n2024년 3월 14일 오후 8:00\n" + next, []string{"이지은|2024-03-14T19:02:00|집⏎2024년 3월 14일 오후 8:00", "이지은|2024-03-15T09:06:00|응"}},
		{"an answer without a time of day", first + "집\n2024년 3월 15일\n" + next, []string{"이지은|2024-03-14T19:02:00|집⏎2024년 3월 15일", "이지은|2024-03-15T09:06:00|응"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := read(t, head+tt.text, ingest.Options{})
			if diff := cmp.Diff(tt.want, show(e)); diff != "" || e.Format != "kakaotalk" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
		})
	}
}
