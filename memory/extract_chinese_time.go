package memory

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/epagent/epagent/privacy"
)

const (
	chineseDay   = "2006年1月2日"
	chineseMonth = "2006年1月"

	chineseNumber = `(?:[0-9]{1,3}|[一二三四五六七八九十两]{1,3})`
)

var chineseTime = regexp.MustCompile(
	`(大前天|前天|昨天|昨晚|昨日|今天|今晚|今早|今日|明天|明晚|明早|明日|大后天|后天)` + // 1
		`|(上上|上|这|本|下下|下)个?(周末|周|星期|礼拜|月)([一二三四五六日天])?` + // 2 3 4
		`|(前年|去年|今年|明年|后年)` + // 5
		`|(?:([0-9]{4})年)?(` + chineseNumber + `)月(?:(` + chineseNumber + `)[日号])?` + // 6 7 8
		`|(` + chineseNumber + `)(天|周|个星期|个礼拜|个月|年)(以前|之前|前|以后|之后|后)` + // 9 10 11
		`|(?:周|星期|礼拜)([一二三四五六日天])` + // 12
		`|(` + chineseNumber + `)[号](楼|线|店|门|桌|房|院|馆|位)?`) // 13 14

var chineseDays = map[string]int{
	"大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "昨日": -1, "今天": 0, "今晚": 0, "今早": 0, "今日": 0,
	"明天": 1, "明晚": 1, "明早": 1, "明日": 1, "后天": 2, "大后天": 3,
}

var chineseYears = map[string]int{"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}

// chineseTimes writes the day behind each relative time word of s, and returns
// the first time that it found.
func chineseTimes(s string, said time.Time) (string, privacy.Stamp) {
	if !strings.ContainsAny(s, "天晚早日周月年号星礼前后") {
		return s, privacy.Stamp{}
	}
	var first time.Time
	var b strings.Builder
	at, yearEnd, year := 0, -1, 0
	for _, m := range chineseTime.FindAllStringSubmatchIndex(s, -1) {
		before, _ := utf8.DecodeLastRuneInString(s[:m[0]])
		after, _ := utf8.DecodeRuneInString(s[m[1]:])
		if before == '每' || before == '第' || before == '逢' || before == '隔' {
			continue // "每周三" is every Wednesday
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return s[m[2*n]:m[2*n+1]]
		}
		spoken := said
		if m[0] == yearEnd { // "明年8月": the year is told
			spoken = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		text, t := resolveChinese(group, spoken, m[0] != yearEnd && chinesePast(s, m[0], m[1]), after)
		if t.IsZero() {
			continue
		}
		if group(5) != "" {
			yearEnd, year = m[1], t.Year()
		} else if m[0] == yearEnd {
			text, first = "", t
		}
		if before == '到' || before == '至' || before == '-' || before == '~' {
			text = "" // the end of "22到24号"
		}
		if first.IsZero() {
			first = t
		}
		if text != "" {
			b.WriteString(s[at:m[0]])
			b.WriteString(text)
			at = m[1]
		}
	}
	b.WriteString(s[at:])
	if first.IsZero() {
		return s, privacy.Stamp{}
	}
	return b.String(), stampOf(first)
}

// chinesePast guesses whether the clause around s[from:to] is about the past.
func chinesePast(s string, from, to int) bool {
	const comma = "，"
	start := strings.LastIndex(s[:from], comma) + 1
	end := len(s)
	if i := strings.Index(s[to:], comma); i >= 0 {
		end = to + i
	}
	clause := s[start:end]
	for _, w := range []string{"要", "会", "将", "打算", "准备", "计划", "约了", "定在", "定了"} {
		if strings.Contains(clause, w) {
			return false
		}
	}
	for _, w := range []string{"了", "过", "刚", "已", "那天", "那次", "当时"} {
		if strings.Contains(clause, w) {
			return true
		}
	}
	return false
}

// resolveChinese returns what to write for one match ("" leaves it) and when it
// is; a zero time is no time at all.
func resolveChinese(group func(int) string, said time.Time, past bool, after rune) (string, time.Time) {
	var zero time.Time
	switch {
	case group(1) != "":
		word := group(1)
		t := said.AddDate(0, 0, chineseDays[word])
		half := ""
		switch {
		case strings.HasSuffix(word, "晚"):
			half = "晚上"
			if after == '上' {
				half = "晚"
			}
		case strings.HasSuffix(word, "早"):
			half = "早上"
			if after == '上' || after == '晨' {
				half = "早"
			}
		}
		return t.Format(chineseDay) + half, t
	case group(2) != "":
		step := map[string]int{"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}[group(2)]
		week := monday(said).AddDate(0, 0, 7*step)
		switch unit := group(3); {
		case unit == "月":
			t := time.Date(said.Year(), said.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
			return t.Format(chineseMonth), t
		case unit == "周末":
			t := week.AddDate(0, 0, 5)
			return t.Format(chineseDay) + "那个周末", t
		case group(4) != "":
			t := inWeek(week, chineseWeekday(group(4)))
			return t.Format(chineseDay), t
		case after == '末':
			return "", week.AddDate(0, 0, 5)
		default:
			return week.Format(chineseDay) + "那一周", week
		}
	case group(5) != "":
		t := time.Date(said.Year()+chineseYears[group(5)], 1, 1, 0, 0, 0, 0, time.UTC)
		return strconv.Itoa(t.Year()) + "年", t
	case group(7) != "":
		month, ok := chineseCardinal(group(7))
		if !ok || month > 12 {
			return "", zero
		}
		year, err := strconv.Atoi(group(6))
		if group(8) == "" {
			if err != nil {
				year = monthNear(said, time.Month(month), past).Year()
			}
			t := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
			return t.Format(chineseMonth), t
		}
		day, ok := chineseCardinal(group(8))
		if !ok || day > 31 {
			return "", zero
		}
		if err != nil {
			t, ok := nearest(said, time.Month(month), day, past)
			if !ok {
				return "", zero
			}
			return t.Format(chineseDay), t
		}
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if t.Day() != day {
			return "", zero
		}
		return t.Format(chineseDay), t
	case group(9) != "":
		n, ok := chineseCardinal(group(9))
		if !ok {
			return "", zero
		}
		if strings.HasSuffix(group(11), "前") {
			n = -n
		}
		unit := map[string]string{"天": "day", "周": "week", "个星期": "week", "个礼拜": "week", "个月": "month", "年": "year"}[group(10)]
		t, _ := shift(said, n, unit)
		switch unit {
		case "day":
			return t.Format(chineseDay), t
		case "week":
			return t.Format(chineseDay) + "前后", t
		case "month":
			return t.Format(chineseMonth), t
		}
		return strconv.Itoa(t.Year()) + "年", t
	case group(12) != "":
		w := chineseWeekday(group(12))
		t := said.AddDate(0, 0, (int(w)-int(said.Weekday())+7)%7)
		if past {
			t = said.AddDate(0, 0, -((int(said.Weekday()) - int(w) + 7) % 7))
		}
		return t.Format(chineseDay), t
	case group(13) != "" && group(14) == "":
		n, ok := chineseCardinal(group(13))
		if !ok || n > 31 {
			return "", zero
		}
		t, ok := dayOfMonth(said, n, past)
		if !ok {
			return "", zero
		}
		return t.Format(chineseDay), t
	}
	return "", zero
}

func chineseWeekday(s string) time.Weekday {
	for i, w := range []string{"日", "一", "二", "三", "四", "五", "六"} {
		if s == w {
			return time.Weekday(i)
		}
	}
	return time.Sunday // 天
}

// chineseCardinal reads 1 to 99 in figures or characters.
func chineseCardinal(s string) (int, bool) {
	if n, err := strconv.Atoi(s); err == nil {
		return n, n > 0
	}
	digit := map[rune]int{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	n, tens := 0, false
	for _, r := range s {
		if r == '十' {
			if tens {
				return 0, false
			}
			tens = true
			n = max(n, 1) * 10
			continue
		}
		d, ok := digit[r]
		if !ok || n%10 != 0 || n > 0 && !tens {
			return 0, false
		}
		n += d
	}
	return n, n > 0
}
