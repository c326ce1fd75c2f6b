package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// chat makes a WhatsApp chat of stamps: Ana and Ben in turn.
func chat(stamps ...string) string {
	var b strings.Builder
	for i, s := range stamps {
		if !strings.HasPrefix(s, "[") {
			s += " -"
		}
		fmt.Fprintf(&b, "%s %s: text %d\n", s, []string{"Ana Lüx", "Ben"}[i%2], i)
	}
	return b.String()
}

// times are the speakers and wall clocks of a reading, to the minute.
func times(e *ingest.Export) []string {
	var out []string
	for i := range e.Messages {
		local := e.Messages[i].When.Local
		out = append(out, e.Messages[i].Sender+" "+local[:min(len(local), len("2024-03-14T19:02"))])
	}
	return out
}

// The word for the part of the day is a part of the clock in every language, before it or
// behind, and never of a name.
func TestStampsOfLocales(t *testing.T) {
	for name, stamps := range map[string][3]string{
		"Albanian":         {"14.3.24, 7:02 e pasdites", "15.3.24, 12:05 e paradites", "15.3.24, 12:30 e pasdites"},
		"Khmer":            {"14/3/24, 7:02 ល្ងាច", "15/3/24, 12:05 ព្រឹក", "15/3/24, 12:30 ល្ងាច"},
		"Lao":              {"14/3/2024, 7:02 ຫຼັງທ່ຽງ", "15/3/2024, 12:05 ກ່ອນທ່ຽງ", "15/3/2024, 12:30 ຫຼັງທ່ຽງ"},
		"Gujarati":         {"14/3/24, 07:02 PM વાગ્યે", "15/3/24, 12:05 AM વાગ્યે", "15/3/24, 12:30 PM વાગ્યે"},
		"Hindi":            {"14/3/24, शाम 7:02 बजे", "15/3/24, रात 12:05 बजे", "15/3/24, दोपहर 12:30 बजे"},
		"English, B":       {"14/03/2024, 7:02 in the evening", "15/03/2024, 12:05 at night", "15/03/2024, 12:30 in the afternoon"},
		"Kazakh":           {"14.03.2024 ж. 19:02", "15.03.2024 ж. 00:05", "15.03.2024 ж. 12:30"},
		"Thai, iPhone":     {"[14/3/2567 BE 19:02:11]", "[15/3/2567 BE 00:05:09]", "[15/3/2567 BE 12:30:00]"},
		"Thai, in English": {"[14/3/2567 BE, 19:02:11]", "[15/3/2567 BE, 00:05:09]", "[15/3/2567 BE, 12:30:00]"},
		"Thai, two digits": {"[14/3/67 BE 19:02:11]", "[15/3/67 BE 00:05:09]", "[15/3/67 BE 12:30:00]"},
		"French, Canada":   {"2024-03-14 19 h 02", "2024-03-15 00 h 05", "2024-03-15 12 h 30"},
		"the same, iPhone": {"[2024-03-14 19 h 02 min 11 s]", "[2024-03-15 00 h 05 min 09 s]", "[2024-03-15 12 h 30 min 00 s]"},
		"Basque":           {"24/3/14 (19:02)", "24/3/15 (0:05)", "24/3/15 (12:30)"},
		"Finnish":          {"14.3.2024 klo 7.02 ip.", "15.3.2024 klo 12.05 ap.", "15.3.2024 klo 12.30 ip."},
		"Bosnian":          {"14. 3. 2024. u 07:02 po podne", "15. 3. 2024. u 00:05 prije podne", "15. 3. 2024. u 12:30 po podne"},
		"Vietnamese":       {"07:02 CH 14/3/24", "00:05 SA 15/3/24", "12:30 CH 15/3/24"},
		"Burmese":          {"၁၄/၃/၂၄ ညနေ ၇:၀၂", "၁၅/၃/၂၄ နံနက် ၀:၀၅", "၁၅/၃/၂၄ ညနေ ၁၂:၃၀"},
		"Korean":           {"24. 3. 14. 오후 7:02", "24. 3. 15. 오전 12:05", "24. 3. 15. 오후 12:30"},
		"Cantonese":        {"14/3/2024 下晝7:02", "15/3/2024 上晝12:05", "15/3/2024 下晝12:30"},
		"a unit unknown":   {"14.3.24 19:02 zzyzx", "15.3.24 0:05 zzyzx", "15.3.24 12:30 zzyzx"},
	} {
		e := read(t, chat(stamps[:]...), ingest.Options{})
		if diff := cmp.Diff([]string{"Ana Lüx 2024-03-14T19:02", "Ben 2024-03-15T00:05", "Ana Lüx 2024-03-15T12:30"}, times(e)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// A word beside the clock that isn't known leaves the day and takes the time, and the line is
// named; a capital makes it a name, and no WhatsApp chat.
func TestStampsOfUnknownWords(t *testing.T) {
	e := read(t, chat("14/3/24, 7:02 zzyzx", "15/3/24, 12:05 qwy", "15/3/24, 12:30 zzyzx"), ingest.Options{})
	if diff := cmp.Diff([]string{"Ana Lüx 2024-03-14", "Ben 2024-03-15", "Ana Lüx 2024-03-15"}, times(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !warned(e, "time_unsure", "line 1") {
		t.Errorf("%q", e.Warnings)
	}
	// A known word among others, at an hour at which it is never said.
	e = read(t, chat("14/3/24, 7:02 PM", "15/3/24, 8:05 PM", "15/3/24, 6:30 दोपहर"), ingest.Options{})
	if got := times(e); got[2] != "Ana Lüx 2024-03-15" || !warned(e, "time_unsure", "line 3") {
		t.Errorf("%q %q", got, e.Warnings)
	}
}

// The order of a date is what speaks for it most, and always what the user says.
func TestDateOrders(t *testing.T) {
	tests := []struct {
		name, told string
		stamps     []string
		want       []string // days
		warning    string
	}{
		{"Korean", "", []string{"24. 3. 28. 오후 7:02", "24. 3. 30. 오후 7:02", "24. 4. 1. 오전 9:03"}, []string{"2024-03-28", "2024-03-30", "2024-04-01"}, "date_order_inferred"},
		{"Korean, iPhone", "", []string{"[24. 3. 4. 오후 7:02:11]", "[24. 4. 2. 오전 7:02:11]"}, []string{"2024-03-04", "2024-04-02"}, "date_order_inferred"},
		{"Korean, one day", "", []string{"24. 3. 4. 오후 7:02"}, []string{"2024-03-04"}, "date_order_inferred"},
		{"Bosnian, with the same dots", "", []string{"24. 3. 24. 19:02", "25. 3. 24. 19:02", "26. 3. 24. 19:02"}, []string{"2024-03-24", "2024-03-25", "2024-03-26"}, "date_order_inferred"},
		{"as the user says", "dmy", []string{"24. 3. 14. 오후 7:02"}, []string{"2014-03-24"}, ""},
		{"of dots without blanks", "ymd", []string{"24.03.14, 19:02", "24.03.15, 19:02"}, []string{"2024-03-14", "2024-03-15"}, ""},
		{"of dots, month first", "mdy", []string{"03.04.2024, 19:02"}, []string{"2024-03-04"}, ""},
		{"dots are day first", "", []string{"03.04.24, 19:02", "04.04.24, 19:02"}, []string{"2024-04-03", "2024-04-04"}, ""},
		{"two days, year first", "", []string{"24/03/14, 19:02", "24/03/15, 19:02"}, []string{"2024-03-14", "2024-03-15"}, "date_order_inferred"},
		{"two days, day first", "", []string{"14/03/24, 19:02", "15/03/24, 19:02"}, []string{"2024-03-14", "2024-03-15"}, "date_order_inferred"},
		{"one day, perhaps year first", "", []string{"24/03/14, 19:02"}, []string{"2014-03-24"}, "date_order_unknown"},
		{"one day", "", []string{"14/03/24, 19:02"}, []string{"2024-03-14"}, "date_order_inferred"},
		{"leaps back", "", []string{"24/03/28, 19:02", "24/03/31, 19:02", "24/04/01, 19:02"}, []string{"2024-03-28", "2024-03-31", "2024-04-01"}, "date_order_inferred"},
		{"neighbouring days", "", []string{"3/4/24, 19:02", "3/5/24, 19:02", "3/6/24, 19:02", "3/7/24, 19:02"}, []string{"2024-03-04", "2024-03-05", "2024-03-06", "2024-03-07"}, "date_order_inferred"},
	}
	for _, tt := range tests {
		e := read(t, chat(tt.stamps...), ingest.Options{DateOrder: tt.told})
		var got []string
		for i := range e.Messages {
			got = append(got, e.Messages[i].When.Local[:len(time.DateOnly)])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if orders := slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.HasPrefix(w, "date_order") }); orders != (tt.warning != "") || tt.warning != "" && !warned(e, tt.warning, "") {
			t.Errorf("%s: warnings %q", tt.name, e.Warnings)
		}
	}
}

// Years of two digits that can't have come yet are Buddhist where Thai words are about, and
// unknown elsewhere; so are the days of a calendar that isn't known.
func TestYearsOfEras(t *testing.T) {
	two := chat("14/3/67 19:02", "15/3/67 00:05")
	e := read(t, two, ingest.Options{})
	if diff := cmp.Diff([]string{"Ana Lüx ", "Ben "}, times(e)); diff != "" || !warned(e, "era_unknown", "") {
		t.Errorf("(-want +got)\n%s %q", diff, e.Warnings)
	}
	e = read(t, "14/3/67 19:01 - ข้อความและการโทรถูกเข้ารหัสจากต้นทางถึงปลายทาง\n"+two, ingest.Options{})
	if diff := cmp.Diff([]string{" 2024-03-14T19:01", "Ana Lüx 2024-03-14T19:02", "Ben 2024-03-15T00:05"}, times(e)); diff != "" || !warned(e, "era_inferred", "") {
		t.Errorf("(-want +got)\n%s %q", diff, e.Warnings)
	}
	e = read(t, chat("14/9/1445 هـ 19:02", "15/9/1445 هـ 00:05"), ingest.Options{})
	if diff := cmp.Diff([]string{"Ana Lüx ", "Ben "}, times(e)); diff != "" || !warned(e, "date_unknown", "") {
		t.Errorf("(-want +got)\n%s %q", diff, e.Warnings)
	}
}
