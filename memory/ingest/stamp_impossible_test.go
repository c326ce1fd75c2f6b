package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A day or a time of day that no calendar and no clock has is no time, never the next
// one that there is, and its words stay their own speaker's.
func TestTimesThatDontExist(t *testing.T) {
	for name, tt := range map[string]struct {
		format, text, times string
		want                []string
		warned              string
	}{
		"clocks without brackets": {"plain", "2024-03-05 19:02 Ines: a\n2024-03-05 19:03 Bo: b\n2024-04-31 24:00 Ines: c\n2024-03-05 25:10 Ines: d\n2024-03-05 19:75 Ines: e\n2024-03-05 19:04 Bo: f\n",
			"2024-04-31 24:00|2024-03-05 25:10|2024-03-05 19:75",
			[]string{"Ines|2024-03-05T19:02:00|a", "Bo|2024-03-05T19:03:00|b", "Ines||c", "Ines||d", "Ines||e", "Bo|2024-03-05T19:04:00|f"}, "time_unsure: line 3"},
		"days": {"plain", "[2024-02-28 19:05] Ines: a\n[2024-02-31 19:05] Bo: b\n[2023-02-29 19:05] Bo: c\n[2024-03-02 12:00] Ines: d\n",
			"2024-02-31 19:05|2023-02-29 19:05",
			[]string{"Ines|2024-02-28T19:05:00|a", "Bo||b", "Bo||c", "Ines|2024-03-02T12:00:00|d"}, "time_unsure: line 2"},
		"days with dots": {"plain", "28.02.2024 19:05 Ines: a\n31.02.2024 19:05 Bo: b\n28.02.2024 29:05 Bo: c\n01.03.2024 10:00 Ines: d\n",
			"31.02.2024 19:05|28.02.2024 29:05",
			[]string{"Ines|2024-02-28T19:05:00|a", "Bo||b", "Bo||c", "Ines|2024-03-01T10:00:00|d"}, "time_unsure: line 2"},
		"a day line": {"plain", "--- 3 March 2024 ---\n19:02 Ines: a\n--- 31 February 2024 ---\n19:04 Ines: b\n19:05 Bo: c\n--- 4 March 2024 ---\n19:02 Bo: d\n",
			"31 February 2024 19:04|31 February 2024 19:05",
			[]string{"Ines|2024-03-03T19:02:00|a", "Ines||b", "Bo||c", "Bo|2024-03-04T19:02:00|d"}, "date_unknown: line 3: a day that doesn't exist"},
		"clocks under a day line": {"plain", "--- 3 March 2024 ---\n19:02 Ines: a\n19:03 Bo: b\n25:10 Ines: c\n19:75 Bo: d\n[19:76] Ines: e\n19:04 Bo: see 19:75 there\nand 10:99 odds: none\n",
			"3 March 2024 25:10|3 March 2024 19:75|3 March 2024 19:76",
			[]string{"Ines|2024-03-03T19:02:00|a", "Bo|2024-03-03T19:03:00|b", "Ines||c", "Bo||d", "Ines||e", "Bo|2024-03-03T19:04:00|see 19:75 there⏎and 10:99 odds: none"}, "time_unsure: line 4"},
		"whatsapp": {"whatsapp", "05.03.24, 25:10 - Ines: a\n05.03.24, 19:03 - Bo: b\n05.03.24, 19:04 - Ines: c\n31.02.24, 19:04 - Bo: d\n05.03.24, 19:05 - Ines: e\n",
			"05.03.24, 25:10|31.02.24, 19:04",
			[]string{"Ines||a", "Bo|2024-03-05T19:03:00|b", "Ines|2024-03-05T19:04:00|c", "Bo||d", "Ines|2024-03-05T19:05:00|e"}, "time_unsure: 1 lines"},
		"line": {"line", "[LINE] Chat history with Ines\n2024/02/29(Thu)\n21:15\tBo\ta\n2024/02/31(Sat)\n21:16\tInes\tb\n2024/03/01(Fri)\n21:17\tInes\tc\n",
			"2024/02/31(Sat) 21:16",
			[]string{"Bo|2024-02-29T21:15:00|a", "Ines||b", "Ines|2024-03-01T21:17:00|c"}, "date_unknown: line 4"},
		"kakaotalk": {"kakaotalk", "Ines 님과 카카오톡 대화\n저장한 날짜 : 2024-03-03 21:00:00\n\n--------------- 2024년 2월 29일 목요일 ---------------\n[Ines] [오후 8:15] a\n[Bo] [오후 8:16] b\n--------------- 2024년 2월 31일 토요일 ---------------\n[Ines] [오후 8:15] c\n",
			"2024년 2월 31일 토요일 20:15",
			[]string{"Ines|2024-02-29T20:15:00|a", "Bo|2024-02-29T20:16:00|b", "Ines||c"}, "date_unknown: line 7"},
		"notes": {"notes", "# 2024-02-31\n\nI moved to Oslo.\n\n# 2024-03-01 27:10\n\nI like it.\n", "||", []string{"Me*||I moved to Oslo.", "Me*|2024-03-01|I like it."}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := read(t, tt.text, ingest.Options{})
			if e.Format != tt.format {
				t.Errorf("format %q", e.Format)
			}
			if diff := cmp.Diff(tt.want, show(e)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var times []string
			for _, m := range e.Messages {
				if m.When.Local == "" {
					times = append(times, m.TimeText)
				}
			}
			if got := strings.Join(times, "|"); tt.format != "notes" && got != tt.times {
				t.Errorf("times as written %q, want %q", got, tt.times)
			}
			if !strings.Contains(strings.Join(e.Warnings, "\n"), tt.warned) {
				t.Errorf("warnings %q, want %q", e.Warnings, tt.warned)
			}
		})
	}
}
