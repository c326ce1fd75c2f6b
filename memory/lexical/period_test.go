package lexical_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/lexical"
)

// TestReadDays asks on Wednesday, 14 June 2023.
func TestReadDays(t *testing.T) {
	for _, tt := range []struct{ text, first, last string }{
		{"What did Mia do last May?", "2023-05-01", "2023-05-31"},
		{"who came last July", "2022-07-01", "2022-07-31"},
		{"where was she in May", "2023-05-01", "2023-05-31"},
		{"what did she paint last summer", "2022-06-01", "2022-08-31"},
		{"What happened last week?", "2023-06-05", "2023-06-11"},
		{"What's on next weekend?", "2023-06-24", "2023-06-25"},
		{"what did I do two months ago", "2023-04-01", "2023-04-30"},
		{"who called yesterday?", "2023-06-13", "2023-06-13"},
		{"who called last Friday", "2023-06-09", "2023-06-09"},
		{"who called last Wednesday", "2023-06-07", "2023-06-07"},
		{"what is on next Monday", "2023-06-19", "2023-06-19"},
		{"Did I run on 8 May 2022?", "2022-05-08", "2022-05-08"},
		{"Did I run on May 8th, 2022?", "2022-05-08", "2022-05-08"},
		{"the trip of 2021", "2021-01-01", "2021-12-31"},
		{"2023-02-03?", "2023-02-03", "2023-02-03"},
		{"Wo war ich im letzten Mai?", "2023-05-01", "2023-05-31"},
		{"Was war letzte Woche?", "2023-06-05", "2023-06-11"},
		{"Wer kam vor drei Tagen?", "2023-06-11", "2023-06-11"},
		{"Wer kam am 8. März 2023?", "2023-03-08", "2023-03-08"},
		{"Was ist nächstes Jahr?", "2024-01-01", "2024-12-31"},
		{"上周我去了哪里？", "2023-06-05", "2023-06-11"},
		{"上周五谁来了", "2023-06-09", "2023-06-09"},
		{"去年五月她在哪", "2022-05-01", "2022-05-31"},
		{"2022年12月3日", "2022-12-03", "2022-12-03"},
		{"三天前谁来过", "2023-06-11", "2023-06-11"},
		{"上个月", "2023-05-01", "2023-05-31"},
		{"去年", "2022-01-01", "2022-12-31"},
		{"昨天", "2023-06-13", "2023-06-13"},
	} {
		got := lexical.ReadDays(tt.text, "2023-06-14")
		want := []lexical.Days{{First: lexical.Day(tt.first).First, Last: lexical.Day(tt.last).Last}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.text, diff)
		}
	}
	for _, none := range []string{"May I come in?", "the last straw", "in two minds", "", "this is it", "一个人", "Why should it march on"} {
		if got := lexical.ReadDays(none, "2023-06-14"); len(got) > 0 {
			t.Errorf("%q names %v", none, got)
		}
	}
	if got := lexical.ReadDays("last week, 上周, yesterday", ""); len(got) > 0 {
		t.Errorf("relative times without a day: %v", got)
	}
}

func FuzzReadDays(f *testing.F) {
	for _, s := range []string{"last May", "31 February 2023", "上上周日", "vor 99 Jahren", "2023年13月40日", "十十月"} {
		f.Add(s, "2024-02-29")
	}
	f.Fuzz(func(t *testing.T, text, today string) {
		for _, d := range lexical.ReadDays(text, today) {
			if d.First > d.Last {
				t.Fatalf("%q on %q: %v ends before it begins", text, today, d)
			}
		}
		lexical.ReadQuestion(text)
		lexical.CuesOf(text)
	})
}
