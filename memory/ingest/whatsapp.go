package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

const whatsAppFormat = "whatsapp"

// whatsAppReader reads WhatsApp's "Export chat": a text, alone or in a zip with
// the media.
//
// A first pass over the file settles how it writes stamps, which decides what is
// a line of its own, the order of day and month, and who speaks. A line that
// begins like a stamp but is written otherwise than the rest belongs to the
// message before it.
type whatsAppReader struct{}

func (whatsAppReader) name() string { return whatsAppFormat }

// sniff looks for stamps written alike, see waOwn. Plain transcripts have stamps too:
// those of WhatsApp are "[date, time:seconds]" or end in " - " and have no seconds.
func (whatsAppReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	_, ok := waOwnOf(string(src.head))
	return ok
}

// waSurvey is the first pass.
type waSurvey struct {
	style    string
	order    dayOrder
	unpadded bool           // "3/4/24", not "03/04/24"
	foreign  bool           // stamps in other digits or words than American phones write
	speakers map[string]int // by name, lines that aren't notices
	colons   map[string]*waColon
	notices  map[string]bool // what isn't a name: looked at once
	ends     map[string]int  // by name, how many of its first lines read as a notice about somebody
	self     map[string]int  // who deleted a message as "you", on an iPhone
	quoting  bool            // a notice quotes a name: groups have names
	lines    int
	late     bool // beside a word that isn't known stands an hour after twelve: it says no half
	thai     bool // there are Thai words
	short    bool // and years of two digits that can't have come yet
}

func (s *waSurvey) see(stamp waStamp, rest string) {
	s.lines++
	s.order.see(stamp.day)
	s.unpadded = s.unpadded || stamp.unpadded
	s.foreign = s.foreign || stamp.foreign
	s.late = s.late || stamp.word != "" && stamp.clock.h > 12
	if stamp.day.short && stamp.day.year >= noChat {
		s.short = true
		s.thai = s.thai || isThai(rest)
	}
	name, body, ok := s.speaker(rest)
	if !ok {
		s.quoting = s.quoting || strings.ContainsAny(rest, "\"“„«”")
		return
	}
	lead := strings.HasPrefix(body, "\u200e")
	if lead && stamp.style[2] == '[' {
		key := phraseKey(body)
		if mine, is := waDeleted[key]; is && mine {
			s.self[name]++
		}
		switch kind, _, found := waClassify(body, true); {
		case kind == waSystem, kind == waCallNotice, found.shape:
			return // its label may be the group's name
		}
	}
	s.speakers[name]++
	s.seeColon(name, body)
	if s.ends[name] == s.speakers[name]-1 && waEnds(body) {
		s.ends[name]++
	}
}

// names reports whether one of the first words of a line is somebody who speaks.
func (s *waSurvey) names(line string) bool {
	for i, r := range line + " " {
		if r == ' ' && s.speakers[line[:i]] > 0 {
			return true
		}
	}
	return false
}

// waSender cuts "Name: text". A notice has no sender; where it quotes a name
// with a colon in it, the quotation isn't closed before the colon.
func waSender(rest string) (name, body string, ok bool) {
	i := strings.Index(rest, ": ")
	if i < 0 {
		if i = len(rest) - 1; i < 1 || rest[i] != ':' {
			return "", "", false
		}
		body = ""
	} else {
		body = rest[i+2:]
	}
	name = strings.TrimSpace(unmark(rest[:i]))
	name = strings.TrimLeft(strings.TrimPrefix(strings.Replace(strings.Replace(name, "~\u202f", "~ ", 1), "~\u00a0", "~ ", 1), "~ "), " ")
	if name == "" || len(name) > 200 || strings.Count(name, " ") > 8 || openQuote(name) {
		return "", "", false
	}
	return name, body, true
}

// speaker is waSender without the notices that hold a colon.
func (s *waSurvey) speaker(rest string) (name, body string, ok bool) {
	if name, body, ok = waSender(rest); !ok {
		return name, body, ok
	}
	is, known := s.notices[name]
	if !known {
		if is = waNotice(name, rest); len(s.notices) < 1<<14 && (is || !waAuxiliary.MatchString(phraseKey(name))) {
			s.notices[strings.Clone(name)] = is
		}
	}
	if is {
		return "", "", false
	}
	return name, body, true
}

// openQuote reports whether a quotation begins in s and doesn't end. German closes
// with the mark that English opens with, so that only the number of marks tells.
func openQuote(s string) bool {
	curly := strings.Count(s, "“") + strings.Count(s, "”") + strings.Count(s, "„")
	return strings.Count(s, `"`)%2 != 0 || curly%2 != 0 || strings.Count(s, "«") != strings.Count(s, "»") || strings.Count(s, "「") != strings.Count(s, "」")
}

func (whatsAppReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	found, _ := waOwnOf(string(src.head))
	own := waOwn{family: found}
	s := &waSurvey{speakers: map[string]int{}, colons: map[string]*waColon{}, notices: map[string]bool{}, ends: map[string]int{}, self: map[string]int{}}
	err := src.lines(ctx, func(n int, raw string) error {
		stamp, rest, ok := cutStamp(raw)
		if !ok {
			return nil
		}
		f := family(stamp.style)
		if own.see(n, f); f == own.family {
			s.style = stamp.style
			s.see(stamp, rest)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if own.own == 0 {
		return fmt.Errorf("%w: no line begins with a date and a time", ErrFormat)
	}
	if !own.wins() {
		return fmt.Errorf("%w: many lines, the last from line %d on, begin with a date and time of another form than the first lines: whose words they are isn't certain; save each chat as a file of its own", ErrFormat, own.first)
	}
	w := newWAWriter(src, s, o, b)
	err = src.lines(ctx, func(n int, raw string) error {
		w.line(n, raw)
		return nil
	})
	if err != nil {
		return err
	}
	w.flush()
	w.odd.tell(b)
	w.tellUnknown()
	return nil
}

// waWriter is the second pass.
type waWriter struct {
	b      *builder
	survey *waSurvey
	order  string
	label  string
	ios    bool
	me     string // who exported the chat, by its own words
	times  timeline
	future time.Time // when no message can have been sent yet

	odd     oddStamps
	unknown oddStamps // clocks beside a word that isn't known

	open  bool
	lost  bool // within a message that is left out
	when  waStamp
	given string   // the stamp as it was written
	rest  string   // of the header line
	more  []string // lines that go on with it
}

func newWAWriter(src *source, s *waSurvey, o Options, b *builder) *waWriter {
	w := &waWriter{b: b, survey: s, ios: s.style[2] == '[', times: timeline{b: b, zone: o.TZ}}
	var certain bool
	s.order.since, s.order.now = whatsAppYear, time.Now()
	w.future = s.order.tomorrow()
	if s.short && s.thai {
		for i := range s.order.dates {
			s.order.dates[i] = s.order.dates[i].twoDigitBuddhist()
		}
		b.warn("era_inferred: years such as 67 are read as those of the Buddhist calendar, 2567 for 2024")
	}
	w.order, certain = s.order.settle(o.DateOrder)
	switch {
	case !certain && s.unpadded && !s.foreign && s.style[0] == '/' && s.style[1] == '2' && s.style[3]&0x20 != 0:
		w.order = "mdy" // "3/4/24, 7:02 PM" is how American phones write
		b.warn("date_order_unknown: dates such as 3/4/24 are read month first; say --date-order if that is wrong")
	case !certain:
		b.warn("date_order_unknown: dates such as 3/4/2024 are read day first; say --date-order if that is wrong")
	case s.order.ambiguous && o.DateOrder == "":
		b.warn("date_order_inferred: dates such as 3/4/2024 are read as " + w.order)
	}
	c := Conversation{}
	title, ok := waTitle(src.stem())
	if ok {
		c.Title, c.fileTitle = &title, true
	}
	s.longNames(title)
	s.noticesApart()
	c.Kind = s.kind(title)
	if c.Kind == Direct && ok && len(s.speakers) == 1 && s.speakers[title] == 0 {
		c.Participants = []string{title} // the one who hasn't answered yet
	}
	if len(s.self) == 1 && o.Self == "" && o.SelfID == "" {
		for name := range s.self {
			c.SelfHint = name
		}
		named := false
		for name := range s.speakers {
			named = named || b.isSelf(name, "")
		}
		if !named {
			w.me = c.SelfHint
			b.warn("owner_inferred: a notice says who exported the chat; that speaker is taken as the owner; say --me if that is wrong")
		}
	}
	w.label = b.conversation(c)
	return w
}

// kind settles what sort of chat it is. With two speakers a chat is direct unless
// a notice quotes the name of a group or its title is neither of the two.
func (s *waSurvey) kind(title string) Kind {
	switch {
	case len(s.speakers) > 2 || s.quoting:
		return Group
	case title == "" || len(s.speakers) < 2:
		return Direct
	}
	for name := range s.speakers {
		if fileForm(name) == fileForm(title) {
			return Direct
		}
	}
	return Group
}

// fileForm is a name as it would be in a file's name, for comparison.
func fileForm(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`_:/\?*"<>|-+ ()`, r) || r > 0x2000 && r < 0x2e80 || r >= 0x1f000 && r < 0x20000 || r >= 0xfe00 && r <= 0xfe0f {
			return -1
		}
		return r
	}, privacy.NormalizeName(s))
}

// waTitles are how phones name an export; the chat's name stands where % is.
var waTitles = strings.Split(`WhatsApp Chat with %|WhatsApp Chat - %|WhatsApp Chat – %|WhatsApp-Chat mit %|WhatsApp Chat mit %|Chat de WhatsApp con %|Conversa do WhatsApp com %|Conversa do WhatsApp - %|Discussion WhatsApp avec %|Conversation WhatsApp - %|Chat WhatsApp con %|WhatsApp-chat met %|WhatsApp-chatt med %|WhatsApp-chat med %|WhatsApp-keskustelu: %|Czat WhatsApp z %|Chat WhatsApp s kontaktem %|WhatsApp csevegés - %|Conversație WhatsApp cu %|Чат WhatsApp с %|Чат WhatsApp з %|% ile WhatsApp Sohbeti|WhatsApp Sohbeti - %|دردشة واتساب مع %|گفتگوی واتساپ با %|שיחת WhatsApp עם %|与%的 WhatsApp 聊天|与%的WhatsApp聊天记录|與%的 WhatsApp 對話|WhatsApp 聊天 - %|WhatsApp 對話 - %|WhatsApp チャット - %|WhatsApp 대화 - %|Chat WhatsApp dengan %|Cuộc trò chuyện WhatsApp với %|WhatsApp चैट - %|WhatsApp chat - %`, "|")

// waTitle takes the chat's name from the file's.
func waTitle(stem string) (string, bool) {
	stem = strings.TrimSpace(dropCopy(unmark(stem)))
	for _, form := range waTitles {
		before, after, _ := strings.Cut(form, "%")
		if len(stem) > len(before)+len(after) && strings.EqualFold(stem[:len(before)], before) && strings.HasSuffix(stem, after) {
			return strings.TrimSpace(stem[len(before) : len(stem)-len(after)]), true
		}
	}
	return chatWithWhom(stem)
}

// whatsAppYear is when WhatsApp came; a year before it, of two digits, is misread.
const whatsAppYear = 2009

func (w *waWriter) line(n int, raw string) {
	stamp, rest, ok := cutStamp(raw)
	if !ok || family(stamp.style) != family(w.survey.style) {
		switch {
		case (!ok || stamp.word != "") && w.opensOddly(n, raw):
		case w.open:
			w.more = append(w.more, raw)
		case w.lost:
		case strings.TrimSpace(unmark(raw)) != "":
			w.b.skip(n, "before the first message")
		}
		return
	}
	w.flush()
	if stamp.word != "" && !w.survey.late {
		w.unknown.see(n)
	}
	w.open, w.lost, w.when, w.rest = true, false, stamp, rest
	w.given = tidy(strings.Trim(raw[:len(raw)-len(rest)], "[]- "))
}

// opensOddly takes a line that opens a message at a time that can't be read: it
// belongs to no other message. Whoever speaks elsewhere speaks it, at no known time.
func (w *waWriter) opensOddly(n int, raw string) bool {
	if raw == "" || raw[0] >= 0x20 && raw[0] < 0x80 && raw[0] != ' ' && raw[0] != '[' && !startsDigit(raw) {
		return false
	}
	given, rest, ok := oddStamp(raw)
	if !ok {
		return false
	}
	w.flush()
	w.odd.see(n)
	if name, _, ok := w.survey.sender(rest); !ok || w.survey.speakers[name] == 0 {
		w.lost = true
		w.b.skip(n, skipOdd)
		return true
	}
	w.open, w.lost, w.when, w.given, w.rest = true, false, waStamp{}, given, rest
	return true
}

// flush hands over the open message.
func (w *waWriter) flush() {
	if !w.open {
		return
	}
	m := Message{Conversation: w.label, Kind: KindMessage, When: w.stamp()}
	if m.given = m.When.Local; m.given == "" {
		m.given = w.given
	}
	name, body, ok := w.survey.sender(w.rest)
	if !ok {
		name, body = "", w.rest
	}
	if len(w.more) > 0 {
		body += "\n" + strings.Join(w.more, "\n")
	}
	w.open, w.more = false, w.more[:0]
	if name == "" {
		m.Kind, m.Text = KindSystem, tidy(body)
		w.b.message(m)
		return
	}
	m.Sender, m.Self = name, w.me != "" && name == w.me
	kind, text, found := waClassify(body, w.ios)
	if found.shape && (w.survey.speakers[name] == 0 || w.survey.names(found.media.Caption)) { // a notice
		kind, text, found = waSystem, found.media.Caption, waFound{}
	}
	m.Text, m.Edited = text, found.edited
	if found.media.Type != "" {
		m.Media = []Media{found.media}
	}
	switch kind {
	case waSystem:
		m.Kind, m.Sender, m.Self = KindSystem, "", false
	case waCallNotice:
		m.Kind, m.Actor, m.System, m.Sender, m.Self = KindSystem, name, "call", "", false
	case waGone:
		m.Kind, m.Deleted, m.Text = KindSystem, true, ""
	case waMedia:
		m.Kind = KindMedia
		m.quoteOff()
	default:
		if m.quoteOff(); m.Text == "" && m.Quoted != nil {
			m.Kind = KindMedia
		}
	}
	w.b.message(m)
}

func (w *waWriter) stamp() privacy.Stamp {
	d := w.when.day
	if d == (day{}) {
		return privacy.Stamp{} // told by time_unsure
	}
	if d.short && d.year >= noChat {
		if !w.survey.thai && w.order != "ymd" {
			w.b.warnOnce("era_unknown", fmt.Sprintf("era_unknown: years such as %d can't have come yet, and no Thai words tell that they are of the Buddhist calendar; their messages have no time", d.year))
			return privacy.Stamp{}
		}
		d = d.twoDigitBuddhist()
	}
	date, ok := d.on(w.order, 0)
	if !ok || date.Year() < 1990 {
		w.b.warnOnce("date_unknown", "date_unknown: "+"some dates don't exist in the order in which they are read, or are in a calendar that isn't known; their messages have no time")
		return privacy.Stamp{}
	}
	if date.After(w.future) {
		w.b.warnOnce("date_future", "date_future: some dates lie after today; say --date-order if they are misread")
	}
	if w.when.word != "" && !w.survey.late { // the day is known, the half of it isn't
		return privacy.Stamp{Local: date.Format(time.DateOnly)}
	}
	c := w.when.clock
	return w.times.at(time.Date(date.Year(), date.Month(), date.Day(), c.h, c.m, c.s, 0, time.UTC))
}

// tellUnknown reports the clocks that stand beside a word that isn't known.
func (w *waWriter) tellUnknown() {
	if n := w.unknown.count; n > 0 {
		w.b.warn(fmt.Sprintf("time_unsure: %d lines bear a word beside the clock that isn't known, such as one for a half of the day (first: line %d); they have their day and no time of it", n, w.unknown.first))
	}
}

// isThai reports whether s has Thai letters.
func isThai(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == 0xe0 && (s[i+1] == 0xb8 || s[i+1] == 0xb9) {
			return true
		}
	}
	return false
}
