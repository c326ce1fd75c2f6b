package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// lineReader reads LINE's "Export chat history": a title, the day on a line of
// its own, and "time<TAB>name<TAB>words". Words of several lines are quoted. LINE on
// computers writes blanks in place of the tabs, see lineNames.
type lineReader struct{}

func (lineReader) name() string { return "line" }

var (
	lineTitle = lazily(`^\[LINE\] ?(?:(?:Chats? (?:history )?(?:with|in)|Chat history:?) (.+)|(.+?)(?:との|の)トーク(?:履歴)?|与(.+?)的聊天记录|(?:與|)(.+?)的聊天(?:記錄|紀錄|记录)?|(.+?)(?:님과|와|과)의? ?대화|(?:ประวัติการสนทนากับ|ประวัติการแชทกับ) ?(.+)|(.+))$`)
	lineSaved = lazily(`^(?:Saved on|Saved time|保存日時|保存時間|儲存日期|儲存時間|储存日期|저장한 날짜|저장일시|บันทึกเมื่อ|บันทึกวันที่)\s*[:：]`)
	lineDay   = lazily(`^(?:(\p{L}[\p{L}\p{M}.’' ]{0,20}?(?: \d)?,?)[ \x{00a0}])?(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})\.?(\s*[(（].{1,12}[)）]|,?[ \x{00a0}]\p{L}[\p{L}\p{M}.’']{0,15}(?: \p{L}{1,8})?)?$`)
	lineClock = lazily(`^(上午|下午|午前|午後|오전|오후)?\s?(\d{1,2}):(\d\d)\s?([AaPp][Mm])?$`)
	lineMedia = lazily(`^\[(スタンプ|写真|動画|ファイル|アルバム|ノート|ボイスメッセージ|連絡先|位置情報|Sticker|Stickers|Photo|Photos|Video|File|Album|Note|Voice message|Audio|Contact|Location|貼圖|圖片|照片|影片|檔案|語音訊息|聯絡資訊|位置訊息|相簿|記事本|스티커|사진|동영상|파일|음성 메시지|앨범|สติกเกอร์|รูปภาพ|รูป|วิดีโอ|ไฟล์|ข้อความเสียง)\](?:\s.{0,200})?$`)
	lineCall  = lazily(`^(?:☎|📞)\s?(?:$|.{0,30}(?:\d{1,2}:\d{2}|(?i:call|canceled|cancelled|missed|declined|no answer|unanswered)|通話|通话|キャンセル|不在着信|応答なし|未接|取消|無回應|통화|취소|부재중|โทร)(?:[^.!?]{0,12})$)`)
)

// lineTypes are LINE's words for what it shows in brackets.
var lineTypes = map[string]string{
	"スタンプ": "sticker", "sticker": "sticker", "stickers": "sticker", "貼圖": "sticker", "스티커": "sticker", "สติกเกอร์": "sticker",
	"写真": "image", "photo": "image", "photos": "image", "圖片": "image", "照片": "image", "사진": "image", "รูปภาพ": "image", "รูป": "image", "アルバム": "image", "album": "image", "相簿": "image", "앨범": "image",
	"動画": "video", "video": "video", "videos": "video", "影片": "video", "동영상": "video", "วิดีโอ": "video",
	"ボイスメッセージ": "audio", "voice message": "audio", "audio": "audio", "語音訊息": "audio", "음성 메시지": "audio", "ข้อความเสียง": "audio",
	"連絡先": "contact", "contact": "contact", "聯絡資訊": "contact", "位置情報": "location", "location": "location", "位置訊息": "location",
}

// lineGone end the notice of a message that was taken back.
var lineGone = []string{"メッセージの送信を取り消しました", " unsent a message", "已收回訊息", "收回了訊息", "收回了一則訊息", "메시지를 취소했습니다", "ยกเลิกข้อความ"}

func lineUnsent(text string) bool {
	text = strings.TrimRight(text, ".。")
	return len(text) < 200 && slices.ContainsFunc(lineGone, func(end string) bool {
		return strings.HasSuffix(text, end) || strings.EqualFold(text, strings.TrimSpace(end)) // the name may stand in its own column
	})
}

// lineUnsentBy reports whether a notice of a message that was taken back is of who it
// stands with, and not something that they said of somebody else.
func lineUnsentBy(text, sender string) bool {
	text = strings.TrimRight(text, ".。")
	for _, end := range lineGone {
		if strings.EqualFold(text, strings.TrimSpace(end)) {
			return true
		}
		if who, ok := strings.CutSuffix(text, end); ok {
			who = strings.TrimSuffix(strings.TrimSpace(who), "が")
			return who == "" || who == sender || lineYou[strings.ToLower(who)]
		}
	}
	return false
}

var lineYou = wordSet("you あなた 您 你 나 คุณ 님이")

func (lineReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	day, rows := false, 0
	var spaced lineNames
	for i, raw := range strings.SplitN(string(src.head), "\n", 60) {
		line := strings.TrimSuffix(unmark(raw), "\r")
		if i == 0 && strings.HasPrefix(line, "[LINE]") {
			return true
		}
		switch {
		case isLineDay(line):
			day = true
		case day:
			if at, rest, ok := strings.Cut(line, "\t"); ok && lineClock.MatchString(at) && strings.Contains(rest, "\t") {
				rows++
			}
			spaced.see(i+1, line)
		}
	}
	return rows > 0 || spaced.certain() || spaced.rows > 0 && strings.HasPrefix(src.stem(), "[LINE]")
}

func (lineReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	var order dayOrder
	w := &lineWriter{b: b, times: timeline{b: b, zone: o.TZ}, speaks: map[string]bool{}}
	var spaced lineNames
	tabs := 0
	titled := lineTitled(src.stem())
	spaced.known = slices.Concat(o.ownerNames(), o.People, o.knownNames("line"))
	if titled != "" {
		spaced.known = append(spaced.known, titled)
	}
	if err := src.lines(ctx, func(n int, raw string) error {
		if d, ok := w.days.survey(raw); ok {
			order.see(d)
		} else if c, name, _, ok := cutLineRow(raw); ok && c.h < 24 && c.m < 60 {
			tabs++
			if name != "" && len(w.speaks) < maxSpeakers && !w.speaks[name] {
				w.speaks[strings.Clone(name)] = true
			}
		} else if tabs == 0 {
			spaced.see(n, unmark(raw))
			if title := lineTitled(tidy(raw)); title != "" && n == 1 {
				spaced.known = append(spaced.known, title)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if tabs == 0 {
		w.names = spaced.settle()
		w.names.tell(b)
	}
	var certain bool
	if w.order, certain = order.settle(o.DateOrder); !certain {
		w.order = "mdy" // "Fri, 03/15/2024" is English LINE's only form
		if o.DateOrder == "" {
			b.warn("date_order_unknown: dates such as 03/04/2024 are read month first; say --date-order if that is wrong")
		}
	} else if order.ambiguous && o.DateOrder == "" {
		b.warn("date_order_inferred: dates such as 3/4/2024 are read as " + w.order)
	}
	c := Conversation{}
	if titled != "" {
		c.Title, c.fileTitle = &titled, true
	}
	w.label = b.conversation(c)
	if err := src.lines(ctx, func(n int, raw string) error {
		w.line(n, raw)
		return nil
	}); err != nil {
		return err
	}
	w.flush()
	w.odd.tell(b)
	if b.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	settleKind(b, w.label, true)
	return nil
}

// lineTitled is the name of a chat by the header or the name of its file.
func lineTitled(s string) string {
	if m := lineTitle.FindStringSubmatch(strings.TrimSpace(dropCopy(unmark(s)))); m != nil {
		return strings.TrimSpace(strings.Join(m[1:], ""))
	}
	return ""
}

type lineWriter struct {
	b     *builder
	label string
	order string
	times timeline
	date  time.Time
	days  lineDays
	open  *Message

	dayText string // the day as it is written, where the calendar hasn't it
	body    []string
	quote   bool // inside words that began with a quotation mark

	speaks map[string]bool // who does, by the rows whose time can be read
	names  *lineNames      // of an export with blanks in place of tabs, else nil
	odd    oddStamps
	lost   bool // within a message that is left out
}

// cutLineRow takes a row apart. A notice has no name.
func cutLineRow(raw string) (c clock, name, words string, ok bool) {
	at, rest, ok := strings.Cut(raw, "\t")
	if !ok {
		return c, "", "", false
	}
	if c, ok = cutLineClock(unmark(at)); !ok {
		return c, "", "", false
	}
	if name, words, ok = strings.Cut(rest, "\t"); !ok {
		return c, "", rest, true
	}
	return c, tidy(name), words, true
}

func (w *lineWriter) line(n int, raw string) {
	clean := unmark(raw)
	c, name, words, ok := cutLineRow(clean)
	if !ok && w.names != nil {
		c, name, words, ok = w.names.cut(clean)
	}
	switch {
	case ok && (c.h > 23 || c.m > 59):
		at, _, _ := strings.Cut(clean, "\t")
		w.oddRow(n, at, name, words)
		return
	case ok:
		w.flush()
		w.row(c, name, words)
		return
	case !w.quote && w.opensOddly(n, clean):
		return
	}
	if !w.quote {
		if d, ok := w.days.cut(clean); ok {
			switch date, real := d.on(w.order, 0); {
			case real && !date.Before(w.date):
				w.flush()
				w.date, w.dayText, w.lost = date, "", false
				return
			case !real: // a day that the calendar hasn't: what follows isn't of the day before
				w.flush()
				w.date, w.dayText, w.lost = time.Time{}, tidy(clean), false
				w.b.warn(fmt.Sprintf("date_unknown: line %d: a day that doesn't exist; what follows has no date", n))
				return
			}
		}
	}
	switch {
	case w.lost:
	case w.open != nil:
		w.body = append(w.body, clean)
		w.quote = w.quote && !strings.HasSuffix(strings.TrimRight(clean, " "), `"`)
	case strings.HasPrefix(clean, "[LINE]"):
		if title := lineTitled(clean); title != "" {
			c := w.b.conv(w.label)
			c.Title, c.fileTitle = &title, false
		}
	case strings.TrimSpace(clean) == "" || lineSaved.MatchString(clean):
	default:
		w.b.skip(n, "before the first message")
	}
}

// cutLineClock reads "21:05", "午後9:05" and "9:05 PM".
func cutLineClock(s string) (clock, bool) {
	if len(s) == len("21:05") && s[2] == ':' {
		h, ok1 := digits(s[:2])
		m, ok2 := digits(s[3:])
		return clock{h: h, m: m}, ok1 && ok2
	}
	if len(s) > 24 {
		return clock{}, false
	}
	m := lineClock.FindStringSubmatch(s)
	if m == nil {
		return clock{}, false
	}
	c := clock{h: atoi(m[2]), m: atoi(m[3])}
	switch strings.ToLower(m[1] + m[4]) {
	case "下午", "午後", "오후", "pm":
		c = c.half(true)
	case "上午", "午前", "오전", "am":
		c = c.half(false)
	}
	return c, true
}

// opensOddly takes a row whose time is written in no known way.
func (w *lineWriter) opensOddly(n int, clean string) bool {
	at, rest, ok := strings.Cut(clean, "\t")
	if !ok || len(at) == 0 || len(at) > 24 || !strings.ContainsAny(at, "0123456789") || strings.Trim(at, "0123456789") == "" {
		return false
	}
	name, words, ok := strings.Cut(rest, "\t")
	if !ok || tidy(name) == "" {
		return false
	}
	w.oddRow(n, at, tidy(name), words)
	return true
}

// oddRow opens a message at no known time, or leaves it out.
func (w *lineWriter) oddRow(n int, at, name, words string) {
	w.flush()
	w.odd.see(n)
	if w.names == nil && !w.speaks[name] && !w.b.named(w.label, name) {
		w.lost = true
		w.b.skip(n, skipOdd)
		return
	}
	w.begin(&Message{given: strings.TrimSpace(w.date.Format(time.DateOnly) + " " + tidy(at))}, name, words)
}

func (w *lineWriter) row(c clock, name, words string) {
	m := &Message{}
	if !w.date.IsZero() {
		m.When = w.times.at(time.Date(w.date.Year(), w.date.Month(), w.date.Day(), c.h, c.m, 0, 0, time.UTC))
	} else if w.dayText == "" {
		w.b.warn("date_unknown: lines carry a time of day and no date; their date is unknown")
	}
	if m.given = m.When.Local; w.date.IsZero() {
		m.given = strings.TrimSpace(fmt.Sprintf("%s %02d:%02d", w.dayText, c.h, c.m))
	}
	w.begin(m, name, words)
}

// begin opens a message; without a name it is a notice.
func (w *lineWriter) begin(m *Message, name, words string) {
	m.Conversation, m.Kind, m.Sender = w.label, KindMessage, name
	if name == "" {
		m.Kind = KindSystem
	}
	w.lost, w.open, w.body = false, m, append(w.body[:0], words)
	w.quote = strings.HasPrefix(words, `"`) && (len(words) == 1 || !strings.HasSuffix(words, `"`))
}

func (w *lineWriter) flush() {
	if w.open == nil {
		return
	}
	m := w.open
	w.open, w.quote = nil, false
	text := tidy(strings.Join(w.body, "\n"))
	if len(w.body) > 1 && len(text) > 1 && strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) {
		text = tidy(strings.ReplaceAll(text[1:len(text)-1], `""`, `"`))
	}
	m.Text = text
	var found []string
	if strings.HasPrefix(text, "[") {
		found = lineMedia.FindStringSubmatch(text)
	}
	gone := lineUnsent(text) && (m.Kind == KindSystem || m.Sender == "" || lineUnsentBy(text, m.Sender))
	switch {
	case m.Kind == KindSystem:
		m.Deleted = gone
	case gone:
		m.Kind, m.Deleted, m.Text = KindSystem, true, ""
	case lineCall.MatchString(text):
		m.Kind, m.System, m.Actor, m.Sender = KindSystem, "call", m.Sender, ""
	case w.names != nil && len(text) < 60 && isBare(text):
		kind, _ := lineBare(text)
		m.Kind, m.Text, m.Media = KindMedia, "", []Media{{Type: kind}}
	case found != nil:
		kind := lineTypes[strings.ToLower(found[1])]
		if kind == "" {
			kind = "document"
		}
		m.Kind, m.Text, m.Media = KindMedia, "", []Media{{Type: kind, Caption: strings.TrimSpace(text[strings.IndexByte(text, ']')+1:])}}
	case text == "":
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
	w.b.message(*m)
}
