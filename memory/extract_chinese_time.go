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
		`|(` + chineseNumber + `)[号](楼|线|店|门|桌|房|院|馆|位|公寓|室|机|床|车|球|文)?`) // 13 14

var chineseDays = map[string]int{
	"大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "昨日": -1, "今天": 0, "今晚": 0, "今早": 0, "今日": 0,
	"明天": 1, "明晚": 1, "明早": 1, "明日": 1, "后天": 2, "大后天": 3,
}

var chineseYears = map[string]int{"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}

// chineseTimes writes the day behind each relative time word of s, and returns
// the first time that it found. Times that come back (每周三, 每年5月) stay.
func chineseTimes(s string, said time.Time) (string, privacy.Stamp) {
	if !strings.ContainsAny(s, "天晚早日周月年号星礼前后") {
		return s, privacy.Stamp{}
	}
	var first time.Time
	var b strings.Builder
	at, yearEnd, year := 0, -1, 0
	matches := chineseTime.FindAllStringSubmatchIndex(s, -1)
	for k, m := range matches {
		before, _ := utf8.DecodeLastRuneInString(s[:m[0]])
		after, _ := utf8.DecodeRuneInString(s[m[1]:])
		if comesBack(s[:m[0]]) || m[2*12] >= 0 && strings.ContainsRune("一二两三四五六七八九十几半0123456789", before) {
			continue // "两周一次" is no Monday
		}
		if m[2*13] >= 0 && strings.ContainsRune("路街巷弄道村楼栋座区厦", before) {
			continue // "中山路8号" is an address
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return s[m[2*n]:m[2*n+1]]
		}
		if group(12) != "" && k+1 < len(matches) && matches[k+1][0] == m[1] && (matches[k+1][2*7] >= 0 || matches[k+1][2*13] >= 0) {
			b.WriteString(s[at:m[0]]) // "周五13号": the number tells
			at = m[1]
			continue
		}
		spoken, when := said, tenseFuture
		if m[0] == yearEnd { // "明年8月": the year is told
			spoken = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		} else {
			when = chineseTense(s, m[0], m[1])
		}
		text, t := resolveChinese(group, spoken, when, after)
		if t.IsZero() {
			continue
		}
		end := m[1]
		if group(7) != "" && group(8) == "" { // "十月二十九" without 日
			if n, size := bareDay(s[end:]); n > 0 {
				if day, ok := dayIn(t, n, spoken, when, group(6) != "" || m[0] == yearEnd); ok {
					t, end = day, end+size
					text = t.Format(chineseDay)
				}
			}
		}
		if group(5) != "" {
			yearEnd, year = end, t.Year()
		} else if m[0] == yearEnd {
			text, first = "", t
		}
		if before == '到' || before == '至' || before == '-' || before == '~' {
			n := numberBefore(s[:m[0]]) // of "22到24号"
			if n > 0 && t.Day() > n && (group(8) != "" || group(13) != "") {
				t = t.AddDate(0, 0, n-t.Day())
			}
			if n > 0 || group(12) != "" {
				text = ""
			}
		}
		if first.IsZero() {
			first = t
		}
		if text != "" {
			b.WriteString(s[at:m[0]])
			b.WriteString(text)
			at = end
		}
	}
	b.WriteString(s[at:])
	if first.IsZero() {
		return s, privacy.Stamp{}
	}
	return b.String(), stampOf(first)
}

// comesBack reports whether a time right behind s is one that comes back, or a
// count and no time: "每周三", "每年5月", "第三周".
func comesBack(s string) bool {
	for _, w := range []string{"每", "第", "逢", "隔", "每个", "每年", "每月", "每个月", "每周", "每年的", "每月的"} {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// bareDay reads a day without 日 or 号 in front of a mark or the end.
func bareDay(s string) (n, size int) {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789一二三四五六七八九十", r) })
	if end < 0 {
		end = len(s)
	}
	next, _ := utf8.DecodeRuneInString(s[end:])
	if end == 0 || end < len(s) && !strings.ContainsRune("，。,、；;！!", next) {
		return 0, 0
	}
	n, ok := chineseCardinal(s[:end])
	if !ok || n > 31 {
		return 0, 0
	}
	return n, end
}

// dayIn returns day n of month's month; its year is told, or found as for any day.
func dayIn(month time.Time, n int, said time.Time, when tense, told bool) (time.Time, bool) {
	if !told {
		return nearest(said, month.Month(), n, when, -1)
	}
	t := month.AddDate(0, 0, n-1)
	return t, t.Month() == month.Month()
}

// numberBefore reads the first day of "22到" at the end of s.
func numberBefore(s string) int {
	s = strings.TrimRight(s, "到至-~")
	s = strings.TrimSuffix(strings.TrimSuffix(s, "日"), "号")
	start := strings.LastIndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789一二三四五六七八九十", r) })
	if start >= 0 {
		_, n := utf8.DecodeRuneInString(s[start:])
		start += n
	}
	n, _ := chineseCardinal(s[max(start, 0):])
	return n
}

// chineseTense tells on which side of the talk the time s[from:to] lies, by the
// words of its clause alone: "抽签中了，11月9号" is a day ahead.
func chineseTense(s string, from, to int) tense {
	const comma = "，"
	start := 0
	if i := strings.LastIndex(s[:from], comma); i >= 0 {
		start = i + len(comma)
	}
	end := len(s)
	if i := strings.Index(s[to:], comma); i >= 0 {
		end = to + i
	}
	return chineseClauseTense(s[start:from] + "|" + s[to:end])
}

func chineseClauseTense(clause string) tense {
	for _, w := range chineseNoTense {
		clause = strings.ReplaceAll(clause, w, "")
	}
	for _, w := range chineseAhead {
		if strings.Contains(clause, w) {
			return tenseFuture
		}
	}
	for _, w := range chinesePast {
		if strings.Contains(clause, w) {
			return tensePast
		}
	}
	return tenseUnclear
}

var (
	// chineseNoTense look like words of time and are none.
	chineseNoTense = []string{"重要", "主要", "要求", "要是", "要么", "要不", "不要", "需要", "机会", "社会", "会议", "聚会", "宴会", "晚会", "年会", "开会", "不过", "过年", "过节", "通过", "过来", "过去", "刚好", "为了", "除了", "算了", "得了", "觉得", "记得"}
	chineseAhead   = []string{"要", "会", "将", "打算", "准备", "计划", "约了", "定在", "定了", "预产期", "预约", "截止", "到期", "开始", "起|", "|起", "定|", "改到|", "改在|", "推到|", "推迟", "改成|", "|前", "|之前", "|以前", "从|", "等|", "想", "得"}
	chinesePast    = []string{"了", "过", "刚", "已", "那天", "那次", "当时", "没", "以来", "自从", "曾", "一样"}
)

// resolveChinese returns what to write for one match ("" leaves it) and when it
// is; a zero time is no time at all.
func resolveChinese(group func(int) string, said time.Time, when tense, after rune) (string, time.Time) {
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
				year = monthNear(said, time.Month(month), when).Year()
			}
			t := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
			return t.Format(chineseMonth), t
		}
		day, ok := chineseCardinal(group(8))
		if !ok || day > 31 {
			return "", zero
		}
		if err != nil {
			t, ok := nearest(said, time.Month(month), day, when, -1)
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
		if when == tensePast {
			t = said.AddDate(0, 0, -((int(said.Weekday()) - int(w) + 7) % 7))
		}
		return t.Format(chineseDay), t
	case group(13) != "" && group(14) == "":
		n, ok := chineseCardinal(group(13))
		if !ok || n > 31 {
			return "", zero
		}
		t, ok := dayOfMonth(said, n, when == tensePast)
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
