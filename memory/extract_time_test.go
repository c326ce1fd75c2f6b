package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// saidOn extracts what Ines says to another on a day: texts, and when it happened.
func saidOn(t *testing.T, day, other, say string) (texts, when []string) {
	t.Helper()
	s := dialogue(other, memory.Turn{Text: say})
	s.Turns[0].When = privacy.Stamp{Local: day + "T20:00:00"}
	for _, r := range extract(t, s, memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}) {
		texts, when = append(texts, r.Text), append(when, r.HappenedAt.Local)
	}
	return texts, when
}

// A month or day without its year is the next one where it is planned, the last
// one where it is past, else the nearest. All is said on Monday 15 June 2026.
func TestExtractTimes(t *testing.T) {
	tests := []struct{ say, want, when string }{
		{"We are getting married in October", "Ines and others are getting married in October 2026.", "2026-10-01"},
		{"We got married in October", "Ines and others got married in October 2025.", "2025-10-01"},
		{"I will sell the car in May", "Ines will sell the car in May 2027.", "2027-05-01"},
		{"I'd sold the car in May", "Ines had sold the car in May 2026.", "2026-05-01"},
		{"I was going to sell the car in May", "Ines was going to sell the car in May 2026.", "2026-05-01"},
		{"Lindum offered me the job of head gardener from 1 January", "Lindum offered Ines the job of head gardener from 1 January 2027.", "2027-01-01"},
		{"I worked at Lindum from 1 January to 31 March", "Ines worked at Lindum from 1 January 2026 to 31 March 2026.", "2026-01-01"},
		{"I worked at Lindum until March", "Ines worked at Lindum until March 2026.", "2026-03-01"},
		{"The report has to be done by March", "The report has to be done by March 2027.", "2027-03-01"},
		{"I have been vegetarian since March", "Ines has been vegetarian since March 2026.", "2026-03-01"},
		{"The concert is on 4 March", "The concert is on 4 March 2027.", "2027-03-04"},
		{"I had the operation on 4 March", "Ines had the operation on 4 March 2026.", "2026-03-04"},
		{"The course starts on 4 March", "The course starts on 4 March 2027.", "2027-03-04"},
		{"I booked the hall for 5 March", "Ines booked the hall for 5 March 2027.", "2027-03-05"},
		{"We moved to Lindum in March", "Ines and others moved to Lindum in March 2026.", "2026-03-01"},
		{"We moved the party to 5 March", "Ines and others moved the party to 5 March 2027.", "2027-03-05"},
		{"I was ill and we travel to Lindum on 16 February", "Ines was ill and Ines and others travel to Lindum on 16 February 2027.", "2027-02-16"},
		// Nothing tells: the nearest, on a tie the one ahead.
		{"birthday dinner in December", "Birthday dinner in December 2026.", "2026-12-01"},
		{"birthday dinner 4 August", "Birthday dinner 4 August 2026.", "2026-08-04"},
		{"birthday dinner 4 March", "Birthday dinner 4 March 2026.", "2026-03-04"},
		// A weekday helps, and a date says it alone.
		{"The interview is next week, Tuesday 23 June", "The interview is on 23 June 2026.", "2026-06-23"},
		{"The exam is on Tuesday, 23 June", "The exam is on 23 June 2026.", "2026-06-23"},
		{"The exam was on Tuesday 24 June", "The exam was on 24 June 2025.", "2025-06-24"},
		{"tomorrow, 16 June, I sign the lease", "On 16 June 2026, Ines signs the lease.", "2026-06-16"},
		{"I have days off from 5 to 16 September", "Ines has days off from 5 to 16 September 2026.", "2026-09-05"},
		// What comes back is no day.
		{"I go to choir on Wednesday evenings", "Ines goes to choir on Wednesday evenings.", ""},
		{"I go climbing every Thursday with Bo", "Ines goes climbing every Thursday with Bo.", ""},
		{"The choir meets on Friday every week", "The choir meets on Friday every week.", ""},
		{"I always travel to Lindum in March", "Ines always travels to Lindum in March.", ""},
		{"I visit the clinic once a week on Monday", "Ines visits the clinic once a week on Monday.", ""},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			texts, when := saidOn(t, "2026-06-15", "Tomas", tt.say)
			if diff := cmp.Diff([]string{tt.want}, texts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			} else if when[0] != tt.when {
				t.Errorf("happened %q, want %q", when[0], tt.when)
			}
		})
	}
}

func TestExtractChineseTimes(t *testing.T) {
	tests := []struct{ say, want, when string }{
		{"我打算5月结婚", "Ines 打算2027年5月结婚。", "2027-05-01"},
		{"我5月要去汀城", "Ines 2027年5月要去汀城。", "2027-05-01"},
		{"我5月去了汀城", "Ines 2026年5月去了汀城。", "2026-05-01"},
		{"医生让我8月份复查", "医生让 Ines 2026年8月份复查。", "2026-08-01"},
		{"我抽签中了，11月9号", "Ines 抽签中了，2026年11月9日。", "2026-11-09"},
		{"周五26号我得请假去医院", "2026年6月26日 Ines 得请假去医院。", "2026-06-26"},
		{"婚礼定在十月二十九，就去民政局", "婚礼定在2026年10月29日，就去民政局。", "2026-10-29"},
		{"考试22到24号，我监考", "考试22到24号，Ines 监考。", "2026-06-22"},
		{"我每周三下午去做咨询", "Ines 每周三下午去做咨询。", ""},
		{"我每年5月去医院体检", "Ines 每年5月去医院体检。", ""},
		{"我的咨询改成两周一次了", "Ines 的咨询改成两周一次了。", ""},
	}
	for _, tt := range tests {
		t.Run(tt.say, func(t *testing.T) {
			texts, when := saidOn(t, "2026-06-15", "小明", tt.say)
			if diff := cmp.Diff([]string{tt.want}, texts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			} else if when[0] != tt.when {
				t.Errorf("happened %q, want %q", when[0], tt.when)
			}
		})
	}
}
