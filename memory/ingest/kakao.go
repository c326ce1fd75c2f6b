package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// kakaoReader reads KakaoTalk's exports, in Korean and English: the text of phones, which
// writes the day and time on each line; that of computers, which has day lines and
// "[name] [time] words"; and the table of Macs ("Date,User,Message").
type kakaoReader struct{}

func (kakaoReader) name() string { return "kakaotalk" }

const (
	kakaoDate  = `(?:\d{4}년 ?\d{1,2}월 ?\d{1,2}일(?: ?\S요일)?|\d{4}[.-] ?\d{1,2}[.-] ?\d{1,2}\.?|(?:[A-Z][a-z]+,? )?[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|(?:[A-Z][a-z]+,? )?\d{1,2} [A-Z][a-z]{2,8}\.?,? \d{4})`
	kakaoClock = `(?:(?:오전|오후|AM|PM) ?\d{1,2}:\d\d|\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?)`
)

var (
	kakaoTitle  = lazily(`^(?:(.+?) ?님과 카카오톡 대화|(.+?) \d+ 카카오톡 대화|(.+?) 카카오톡 대화|KakaoTalk Chats? with (.+?)(?: and \d+ others?)?|(.+?) (?:\d+ )?KakaoTalk Chats?)$`)
	kakaoSaved  = lazily(`^(?:저장한 날짜|Date Saved|Saved Date) ?:`)
	kakaoRow    = lazily(`^(` + kakaoDate + `)(?:,? at|,)? (` + kakaoClock + `), (.{1,200}?) : (.*)$`)
	kakaoNotice = lazily(`^(` + kakaoDate + `)(?:,? at|,)? (` + kakaoClock + `)(?:, |: )(.+)$`)
	kakaoBare   = lazily(`^` + kakaoDate + `(?:(?:,? at|,)? ` + kakaoClock + `)?$`)
	kakaoDay    = lazily(`^-{5,} ?(` + kakaoDate + `) ?-{5,}$`)
	kakaoDesk   = lazily(`^\[(.{1,200}?)\] \[(` + kakaoClock + `)\] ?(.*)$`)
	kakaoOdd    = lazily(`^\[(.{1,200}?)\] \[([^\[\]]{0,12}\d{1,2}[:.]\d{1,2}[^\[\]]{0,12})\] ?(.*)$`)
	kakaoTold   = lazily(`(?:님이 (?:나갔습니다|들어왔습니다|.{1,200}초대(?:했습니다|하였습니다))|님을 (?:초대했습니다|내보냈습니다)|채팅방 관리자가 메시지를 가렸습니다|메시지가 삭제되었습니다)\.?$|^.{1,100} (?:invited .{1,200}|has (?:left|joined) (?:this|the) (?:chatroom|chat|group chat)|left (?:this|the) (?:chatroom|chat|group chat)|joined (?:this|the) (?:chatroom|chat|group chat)|left|joined)\.$`)
)

func (kakaoReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	lines := strings.SplitN(string(src.head), "\n", 40)
	first := strings.TrimSpace(unmark(lines[0]))
	if strings.EqualFold(first, "Date,User,Message") {
		return true
	}
	if kakaoTitle.MatchString(first) && len(lines) > 1 && kakaoSaved.MatchString(strings.TrimSpace(unmark(lines[1]))) {
		return true
	}
	day := false
	for i, raw := range lines { // a text without its head, from the first day on
		line := strings.TrimSpace(unmark(raw))
		if i > 3 && !day {
			return false
		}
		if kakaoDay.MatchString(line) {
			day = true
		} else if day && kakaoDesk.MatchString(line) {
			return true
		}
	}
	return false
}

func (kakaoReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	head, _, _ := strings.Cut(string(src.head), "\n")
	w := &kakaoWriter{b: b, times: timeline{b: b, zone: o.TZ}, speaks: map[string]bool{}, blank: true}
	if strings.EqualFold(strings.TrimSpace(unmark(head)), "Date,User,Message") {
		return w.table(ctx, src)
	}
	if err := src.lines(ctx, func(_ int, raw string) error { // who speaks, and in which of the forms
		line := kakaoBlanks.Replace(unmark(raw))
		if len(line) > 0 && line[0] == '[' {
			if m := kakaoDesk.FindStringSubmatch(line); m != nil {
				w.desk++
				if _, ok := kakaoClockOf(m[2]); ok {
					w.knows(m[1])
				}
			}
		} else if m := kakaoRow.FindStringSubmatch(line); m != nil {
			w.phone++
			_, day := kakaoDateOf(m[1])
			if _, ok := kakaoClockOf(m[2]); ok && day {
				w.knows(m[3])
			}
		}
		return nil
	}); err != nil {
		return err
	}
	w.label = b.conversation(Conversation{})
	if err := src.lines(ctx, func(n int, raw string) error {
		w.line(n, kakaoBlanks.Replace(unmark(raw)))
		return nil
	}); err != nil {
		return err
	}
	w.endDayRow(w.day.date) // a text may end in the line of a day that has no more rows
	w.flush()
	w.odd.tell(b)
	if b.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	if c := b.conv(w.label); c.Kind == "" && len(c.Participants) == 1 && w.with && !c.names(*c.Title) {
		b.listens(w.label, *c.Title, "")
	} else if c.Kind == "" && len(c.Participants) == 2 && c.Title != nil && !c.names(*c.Title) && !w.with {
		c.Kind = Group
	}
	return nil
}

type kakaoWriter struct {
	b     *builder
	label string
	times timeline
	date  time.Time // of the day line, on computers

	dayText string // that line, where the calendar hasn't the day
	open    *Message
	body    []string
	blank   bool // the line before was empty
	lost    bool // within a message that is left out
	with    bool // the title names the other one

	day kakaoDayRow

	desk, phone int
	speaks      map[string]bool
	odd         oddStamps
}

func (w *kakaoWriter) knows(name string) {
	if name = tidy(name); len(w.speaks) < maxSpeakers && !w.speaks[name] {
		w.speaks[strings.Clone(name)] = true
	}
}

func (w *kakaoWriter) line(n int, line string) {
	blank := w.blank
	w.blank = strings.TrimSpace(line) == ""
	if n <= 2 && w.head(n, strings.TrimSpace(line)) {
		return
	}
	if w.desk >= w.phone {
		if w.deskLine(n, line) {
			return
		}
	} else if w.dayRow(line, blank) || w.phoneLine(n, line) {
		return
	}
	switch {
	case w.lost:
	case w.open != nil:
		w.body = append(w.body, line)
	case !w.blank:
		w.b.skip(n, "before the first message")
	}
}

// head takes the title and the day of saving.
func (w *kakaoWriter) head(n int, line string) bool {
	if kakaoSaved.MatchString(line) {
		return true
	}
	m := kakaoTitle.FindStringSubmatch(line)
	if n != 1 || m == nil {
		return false
	}
	title := strings.TrimSpace(strings.Join(m[1:], ""))
	c := w.b.conv(w.label)
	c.Title, w.with = &title, m[1] != "" || m[4] != ""
	if m[2] != "" || strings.Contains(title, ", ") || strings.HasSuffix(line, " others") {
		c.Kind = Group
	}
	return true
}

func (w *kakaoWriter) deskLine(n int, line string) bool {
	if line == "" {
		return false
	}
	if m := kakaoDay.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		date, ok := kakaoDateOf(m[1])
		w.flush()
		if w.date, w.dayText, w.lost = date, "", false; !ok { // what follows isn't of the day before
			w.date, w.dayText = time.Time{}, m[1]
			w.b.warn(fmt.Sprintf("date_unknown: line %d: a day that doesn't exist; what follows has no date", n))
		}
		return true
	}
	if line[0] != '[' {
		if text := strings.TrimSpace(line); len(text) < 400 && kakaoTold.MatchString(text) && !w.date.IsZero() {
			w.flush()
			w.lost = false
			w.begin("", Message{When: wall(w.date, false, nil)}, text)
			w.flush()
			return true
		}
		return false
	}
	if m := kakaoDesk.FindStringSubmatch(line); m != nil {
		if c, ok := kakaoClockOf(m[2]); ok {
			w.flush()
			w.begin(m[1], w.at(w.date, c), m[3])
			return true
		}
	}
	if m := kakaoOdd.FindStringSubmatch(line); m != nil {
		w.oddRow(n, strings.TrimSpace(w.date.Format(time.DateOnly)+" "+m[2]), tidy(m[1]), m[3])
		return true
	}
	return false
}

func (w *kakaoWriter) phoneLine(n int, line string) bool {
	if line == "" {
		return false
	}
	m := kakaoRow.FindStringSubmatch(line)
	told := m == nil
	if told {
		if m = kakaoNotice.FindStringSubmatch(line); m == nil {
			if given, rest, ok := oddStamp(line); ok {
				if name, words, is := strings.Cut(strings.TrimPrefix(rest, ", "), " : "); is {
					w.oddRow(n, given, tidy(name), words)
					return true
				}
			}
			return false
		}
	}
	date, real := kakaoDateOf(m[1])
	c, ok := kakaoClockOf(m[2])
	switch {
	case told && !(real && ok):
		return false
	case told:
		w.flush()
		w.day.last = date
		w.begin("", w.at(date, c), m[3])
		return true
	case !real || !ok:
		w.oddRow(n, m[1]+" "+m[2], tidy(m[3]), m[4])
		return true
	}
	w.flush()
	w.day.last = date
	w.begin(m[3], w.at(date, c), m[4])
	return true
}

// oddRow opens a message at a time that can't be read, or leaves it out.
func (w *kakaoWriter) oddRow(n int, given, name, words string) {
	w.flush()
	w.odd.see(n)
	if !w.speaks[name] && !w.b.named(w.label, name) {
		w.lost = true
		w.b.skip(n, skipOdd)
		return
	}
	w.begin(name, Message{given: given}, words)
}

func (w *kakaoWriter) at(date time.Time, c clock) (m Message) {
	if date.IsZero() && w.dayText != "" {
		m.given = fmt.Sprintf("%s %02d:%02d", w.dayText, c.h, c.m)
		return m
	} else if date.IsZero() {
		w.b.warn("date_unknown: lines carry a time of day and no date; their date is unknown")
		return m
	}
	m.When = w.times.at(time.Date(date.Year(), date.Month(), date.Day(), c.h, c.m, c.s, 0, time.UTC))
	return m
}

func (w *kakaoWriter) begin(name string, m Message, words string) {
	m.Conversation, m.Kind, m.Sender = w.label, KindMessage, tidy(name)
	if m.Sender == "" {
		m.Kind = KindSystem
	}
	if m.given == "" {
		m.given = m.When.Local
	}
	w.lost, w.open, w.body = false, &m, append(w.body[:0], words)
}

func (w *kakaoWriter) flush() {
	if w.open == nil {
		return
	}
	m := w.open
	w.open = nil
	m.Text = tidy(strings.Join(w.body, "\n"))
	kakaoBody(m)
	w.b.message(*m)
}

// kakaoBlanks are the narrow ones that phones put into times.
var kakaoBlanks = strings.NewReplacer("\u202f", " ", "\u00a0", " ")

// kakaoSelf is how phones call whoever exported the chat.
const kakaoSelf = "회원님"

// kakaoBody tells words from what the app writes in their place.
func kakaoBody(m *Message) {
	if m.Kind == KindSystem {
		return
	}
	m.Self = m.Sender == kakaoSelf
	key := phraseKey(m.Text)
	switch found := kakaoMedia.FindStringSubmatch(m.Text); {
	case kakaoGone[key]:
		m.Kind, m.Deleted, m.Text = KindSystem, true, ""
	case kakaoCalls.MatchString(m.Text):
		m.Kind, m.System, m.Actor, m.Sender, m.Self = KindSystem, "call", m.Sender, "", false
	case found != nil:
		kind := kakaoTypes[strings.ToLower(found[1])]
		if kind == "" {
			kind = "image" // of several
		}
		m.Kind, m.Text, m.Media = KindMedia, "", []Media{{Type: kind}}
	case kakaoFile.MatchString(m.Text):
		name := strings.TrimSpace(kakaoFile.FindStringSubmatch(m.Text)[1])
		m.Kind, m.Text, m.Media = KindMedia, "", []Media{{Type: mediaTypeOf(name), Name: name}}
	case kakaoPlace.MatchString(m.Text):
		m.Kind, m.Media, m.Text = KindMedia, []Media{{Type: "location", Caption: strings.TrimSpace(kakaoPlace.FindStringSubmatch(m.Text)[1])}}, ""
	case m.Text == "":
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
}

var (
	kakaoMedia = lazily(`(?i)^(?:(사진|동영상|이모티콘|음성메시지|음성 메시지|photo|video|emoticon|emoji|sticker|voice message|voice note)|사진 ?\d+장|동영상 ?\d+개|\d+ photos|photos? ?\d*)$`)
	kakaoFile  = lazily(`^(?:파일|File) ?: (\S[^\n]{0,250})$`)
	kakaoPlace = lazily(`^(?:지도|지도 위치|Map|Location) ?: ([^\n]{1,300})$`)
	kakaoCalls = lazily(`^(?:(?:보이스톡|페이스톡|라이브톡|그룹콜|그룹 ?보이스톡) ?(?:해요|부재중|취소|거절|종료|시작|\d+:\d\d(?::\d\d)?|을 .{1,20}|이 .{1,20}).{0,12}|(?:Missed |Canceled |No answer )?(?:Voice ?Talk|Face ?Talk|Live ?Talk|Voice Call|Video Call|Group Call)(?: (?:ended|started|missed|canceled|declined|no answer|\d+:\d\d(?::\d\d)?).{0,12})?)$`)
	kakaoGone  = phraseSet("삭제된 메시지입니다\n메시지가 삭제되었습니다\n삭제된 메시지\nThis message was deleted\nThis message has been deleted\nDeleted message\nMessage deleted")
	kakaoTypes = map[string]string{"사진": "image", "photo": "image", "동영상": "video", "video": "video", "이모티콘": "sticker", "emoticon": "sticker", "emoji": "sticker", "sticker": "sticker", "음성메시지": "audio", "음성 메시지": "audio", "voice message": "audio", "voice note": "audio"}
)

var (
	kakaoNumbers = lazily(`^(\d{4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,2})`)
	kakaoMonth   = lazily(`(?:^|[ ,])([A-Z][a-z]{2,8})\.? (\d{1,2}), (\d{4})$`)
	kakaoDayOf   = lazily(`(?:^|[ ,])(\d{1,2}) ([A-Z][a-z]{2,8})\.?,? (\d{4})$`)
)

// kakaoDateOf reads a day in any of the forms of kakaoDate.
func kakaoDateOf(s string) (time.Time, bool) {
	y, mon, d := 0, 0, 0
	month := func(name string) int {
		if t, err := time.Parse("Jan", name[:3]); err == nil {
			return int(t.Month())
		}
		return 0
	}
	if m := kakaoNumbers.FindStringSubmatch(s); m != nil {
		y, mon, d = atoi(m[1]), atoi(m[2]), atoi(m[3])
	} else if m := kakaoMonth.FindStringSubmatch(s); m != nil {
		y, mon, d = atoi(m[3]), month(m[1]), atoi(m[2])
	} else if m := kakaoDayOf.FindStringSubmatch(s); m != nil {
		y, mon, d = atoi(m[3]), month(m[2]), atoi(m[1])
	}
	t := time.Date(y, time.Month(mon), d, 0, 0, 0, 0, time.UTC)
	return t, y >= 1990 && mon >= 1 && mon <= 12 && t.Day() == d && t.Month() == time.Month(mon)
}

var kakaoTime = lazily(`^(오전|오후|AM|PM)? ?(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp])\.?[Mm]\.?)?$`)

// kakaoClockOf reads a time in any of the forms of kakaoClock.
func kakaoClockOf(s string) (clock, bool) {
	m := kakaoTime.FindStringSubmatch(s)
	if m == nil {
		return clock{}, false
	}
	c := clock{h: atoi(m[2]), m: atoi(m[3])}
	if m[4] != "" {
		c.s = atoi(m[4])
	}
	half := m[1] + strings.ToLower(m[5])
	switch {
	case half != "" && (c.h > 12 || c.h == 0):
		return clock{}, false
	case half == "오후", half == "PM", half == "p":
		c = c.half(true)
	case half != "":
		c = c.half(false)
	}
	return c, c.h < 24 && c.m < 60 && c.s < 60
}

// table reads the form of Macs.
func (w *kakaoWriter) table(ctx context.Context, src *source) error {
	w.label = w.b.conversation(Conversation{})
	err := src.rows(ctx, func(n, line int, row []string) error {
		if n == 1 {
			return nil
		}
		if len(row) != 3 {
			w.b.skip(line, "a row of another form")
			return nil
		}
		at, err := time.Parse(time.DateTime, strings.TrimSpace(row[0]))
		m := Message{given: strings.Clone(strings.TrimSpace(row[0]))}
		if err != nil {
			w.odd.see(line)
		} else {
			m.When = w.times.at(at)
		}
		name, text := strings.Clone(row[1]), strings.Clone(row[2])
		if short := tidy(text); len(short) < 400 && strings.HasPrefix(short, tidy(name)) && kakaoTold.MatchString(short) {
			name = "" // the app's own, in a row by whom it tells of
		}
		w.begin(name, m, text)
		w.flush()
		return nil
	})
	if err == nil && w.b.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	return err
}
