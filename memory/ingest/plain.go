package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/epagent/epagent/privacy"
)

// plainReader reads transcripts of "Name: text" lines, with or without times.
//
// Whether the words before a colon name a speaker is settled over the whole
// file, in a first pass: a speaker stands before at least two lines, or is
// announced ("Chat with Elif", "Participants: …", --me), is the owner or somebody
// whom the owner knows, or is the writer's own "Me". Where most lines carry times, only lines with a time open a message.
// All else continues the message before it, save what somebody else may have said who
// speaks once: that is nobody's, see doubtful.
type plainReader struct{}

func (plainReader) name() string { return "plain" }

// sniff runs the first pass over the head of the file: it needs a speaker.
func (plainReader) sniff(src *source, o Options) bool {
	if src.whole() {
		return false
	}
	s := newSurvey(o)
	text := string(src.head)
	for raw := range strings.SplitSeq(text, "\n") {
		s.see(parseLine(raw))
	}
	s.settle()
	return s.certain()
}

func (plainReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	s := newSurvey(o)
	err := src.lines(ctx, func(_ int, raw string) error {
		s.see(parseLine(raw))
		return nil
	})
	if err != nil {
		return err
	}
	s.settle()
	if len(s.known) == 0 {
		return fmt.Errorf("%w: no speaker occurs twice or is announced; add a line such as \"Participants: Ana, Bo\"", ErrFormat)
	}
	order, certain := s.order.settle(o.DateOrder)
	if !certain {
		b.warn("date_order_unknown: dates such as 3/4/2024 are read day first; say --date-order if that is wrong")
	} else if s.order.ambiguous && o.DateOrder == "" {
		b.warn("date_order_inferred: dates such as 3/4/2024 are read as " + order)
	}
	if s.lonely > 0 {
		b.warn(fmt.Sprintf("speaker_unsure: %d lines may open a message of somebody who speaks once and isn't announced (first: line %d); inside of a message of several lines they go on with it, else they are nobody's; add a line such as \"Participants: Ana, Bo\"", s.lonely, s.lonelyLine))
	}
	w := &plainWriter{b: b, survey: s, order: order, zone: o.TZ}
	w.label = b.conversation(Conversation{})
	for _, name := range s.announced {
		if spelled, ok := s.spelling[s.key(name)]; ok {
			name = spelled
		}
		if !s.shortForm(name) {
			b.takesPart(w.label, name)
		}
	}
	n := 0
	err = src.lines(ctx, func(_ int, raw string) error {
		n++
		w.line(n, raw)
		return nil
	})
	if err != nil {
		return err
	}
	w.flush()
	if b.count == 0 {
		return errors.Join(ErrEmpty, fmt.Errorf("no message in it"))
	}
	if c := b.conv(w.label); len(c.Participants) == 1 {
		if name, ok := chatWithWhom(src.stem()); ok && !c.names(name) {
			b.listens(w.label, name, "")
		}
	}
	if w.noDate {
		b.warn("date_unknown: lines carry a time of day and no date; their date is unknown")
	}
	return nil
}

// survey is the first pass: who speaks and how times are written.
type survey struct {
	count        map[string]int // header lines by normalised name
	timed        map[string]int // of these, with a time
	first        map[string]int // line of the first
	spelling     map[string]string
	announced    []string
	known        map[string]bool // speakers, normalised
	byTime       bool            // only lines with a time open a message
	offsets      bool            // times count from the start of a recording
	dated        bool
	datedHeaders bool // times of headers carry their date
	clocks       []clock
	order        dayOrder
	lonely       int
	lonelyLine   int
	lines        int
	keys         map[string]string // normalised names by how they are written
	cue          cue
	alone        map[string]int // names behind a time and no more: with words below them,
	notices      map[string]int // and without
	waits        string         // such a name in the line before
}

// cue gives the time of a subtitle to the name that follows it.
type cue struct {
	when    mark
	pending bool
}

// see takes a line; it returns it with the time that stands above it.
func (c *cue) see(l line) line {
	switch {
	case l.kind == lineCue:
		c.when, c.pending = l.when, true
	case l.kind == lineHeader && c.pending && !l.timed:
		l.when, l.timed, c.pending = c.when, true, false
	case l.kind != lineBlank:
		c.pending = false
	}
	return l
}

// key is privacy.NormalizeName, remembered: a chat has few names and many lines.
func (s *survey) key(name string) string {
	key, ok := s.keys[name]
	if !ok {
		key = privacy.NormalizeName(name)
		if len(s.keys) < 10_000 {
			s.keys[strings.Clone(name)] = key
		}
	}
	return key
}

func newSurvey(o Options) *survey {
	s := &survey{count: map[string]int{}, timed: map[string]int{}, first: map[string]int{}, spelling: map[string]string{}, known: map[string]bool{}, keys: map[string]string{}, alone: map[string]int{}, notices: map[string]int{}}
	for _, name := range slices.Concat(o.ownerNames(), o.People, o.knownNames("plain")) {
		if key := privacy.NormalizeName(name); key != "" {
			s.known[key] = true
		}
	}
	return s
}

func (s *survey) see(l line) {
	s.lines++
	l = s.cue.see(l)
	if s.waits != "" {
		if l.kind == lineText || l.kind == lineHeader && !l.timed {
			s.alone[s.waits]++
		} else {
			s.notices[s.waits]++
		}
		s.waits = ""
	}
	if l.when.hasDay {
		s.dated = true
		s.order.see(l.when.day)
	}
	if l.timed && l.when.hasClock && len(s.clocks) < 1000 {
		s.clocks = append(s.clocks, l.when.clock)
	}
	switch l.kind {
	case lineHeader:
		if l.action {
			return
		}
		name := s.key(l.name)
		if l.alone {
			if s.waits = name; s.spelling[name] == "" {
				s.spelling[name] = l.name
			}
			return
		}
		if s.count[name] == 0 {
			s.first[name] = s.lines
			s.spelling[name] = l.name
		}
		s.count[name]++
		if l.marked { // "**Ana:**", "<ana>": the source says that this is a name
			s.known[name] = true
		}
		if l.timed {
			s.timed[name]++
			s.datedHeaders = s.datedHeaders || l.when.hasDay
		}
	case lineHeading:
		for _, name := range l.names {
			if key := privacy.NormalizeName(name); !s.known[key] {
				s.known[key] = true
				s.announced = append(s.announced, name)
			}
		}
	}
}

// settle decides who speaks.
func (s *survey) settle() {
	timed, bare := 0, 0
	for name, n := range s.alone {
		if n > s.notices[name] {
			s.count[name] += n
			s.timed[name] += n
		}
	}
	clear(s.alone)
	for name, n := range s.count {
		timed += s.timed[name]
		if n-s.timed[name] > 1 && !labels[name] {
			bare += n - s.timed[name]
		}
	}
	s.byTime = timed > 0 && timed >= bare
	for name, n := range s.count {
		switch {
		case s.byTime:
			if s.timed[name] > 0 {
				s.known[name] = true
			}
		case labels[name]:
		case n > 1, selfNames[name]:
			s.known[name] = true
		case !s.known[name] && capital(s.spelling[name]):
			s.lonely++
			if s.lonelyLine == 0 || s.first[name] < s.lonelyLine {
				s.lonelyLine = s.first[name]
			}
		}
	}
	s.offsets = !s.dated && countsUp(s.clocks)
}

// shortForm reports whether an announced name never speaks and is how exactly one
// speaker's name begins: "Chat with Greta", and Greta Falk speaks.
func (s *survey) shortForm(name string) bool {
	key := privacy.NormalizeName(name)
	if s.count[key] > 0 {
		return false
	}
	longer := 0
	for speaker := range s.count {
		if s.known[speaker] && strings.HasPrefix(speaker, key+" ") {
			longer++
		}
	}
	return longer == 1
}

// certain reports whether the file is a transcript at all: two headers of
// speakers who were announced, repeated or timed.
func (s *survey) certain() bool {
	n := 0
	for name, count := range s.count {
		if s.known[name] {
			n += count
		}
	}
	return n >= 2
}

func capital(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r) || unicode.Is(unicode.Han, r)
	}
	return false
}

// countsUp reports whether clocks are offsets from a start: they begin in the
// first minutes and never go back. An hour above 23 can be nothing else, "9:00 AM" is none.
func countsUp(clocks []clock) bool {
	if len(clocks) == 0 {
		return false
	}
	for i, c := range clocks {
		if c.twelve || i > 0 && offset(c) < offset(clocks[i-1]) {
			return false
		}
	}
	return offset(clocks[0]) < 10*60 || clocks[len(clocks)-1].h > 23
}

// offset is c as seconds from the start of a recording: "01:12" is a minute and
// twelve seconds, "01:12:00" an hour and more.
func offset(c clock) int {
	if c.seconds {
		return c.offset()
	}
	return c.h*60 + c.m
}

// plainWriter is the second pass: it makes messages of lines.
type plainWriter struct {
	b      *builder
	survey *survey
	order  string
	zone   *time.Location
	label  string

	open    *Message // the message that text lines go on with
	text    []string
	blanks  int
	date    time.Time // of the last day separator or dated line
	dayText string    // that separator, as it is written
	year    int
	section int
	noDate  bool
	lost    bool // within a message that is left out
	cue     cue
	cued    bool // the time of a subtitle stands above
	cuedAt  line
	bare    bool     // the open message has a head without words, and none came below
	copied  bool     // that head is Telegram's
	resume  *Message // who goes on speaking below a notice that ended a message
}

func (w *plainWriter) line(n int, raw string) {
	l := w.cue.see(parseLine(raw))
	switch {
	case l.kind == lineBlank:
		w.blanks++
		return
	case l.action && !w.survey.known[w.survey.key(l.name)]:
		l.kind, l.text = lineSystem, l.name+" "+l.text
	}
	bare := w.bare && w.blanks == 0
	w.bare = false
	cued := w.cued
	if w.cued = l.kind == lineCue; w.cued {
		w.cuedAt = l
	}
	switch {
	case l.kind == lineCue:
		// A number may stand above it.
		if n := len(w.text); w.open != nil && n > 1 && w.text[n-2] == "" && strings.Trim(w.text[n-1], "0123456789") == "" {
			w.text = w.text[:n-2]
		}
	case w.open == nil && (strings.HasPrefix(raw, "WEBVTT") || strings.HasPrefix(raw, "\ufeffWEBVTT") || strings.Trim(raw, "0123456789\r ") == ""):
		// the head of subtitles
	case l.kind == lineHeader && w.opens(l):
		w.flush()
		w.open = w.message(l)
		w.unsure(n, l)
		name := l.name
		if spelled, ok := w.survey.spelling[w.survey.key(name)]; ok {
			name = spelled
		}
		w.open.Sender, w.open.Kind, w.lost = name, KindMessage, false
		w.open.Self = selfNames[w.survey.key(name)]
		if l.to != "" {
			w.open.Recipients, w.open.audience = []string{l.to}, []string{name, l.to}
			slices.Sort(w.open.audience)
		}
		w.bare, w.copied = l.text == "", l.copied
		w.text = append(w.text, spoken(l.text))
	case bare && l.kind == lineSystem && !l.timed && w.open != nil:
		w.bare = w.belowHead(l.text)
		if !w.bare {
			w.text = append(w.text, l.text)
		}
	case w.copied && w.open != nil && l.kind == lineSystem && !l.timed: // Telegram writes no notices among words
		if w.blanks > 0 {
			w.text = append(w.text, "")
		}
		w.text = append(w.text, l.text)
	case (l.kind == lineSystem || l.alone) && (l.timed || w.aside(l.text)):
		goesOn := w.goesOn(l)
		w.flush()
		m := w.message(l)
		m.Kind, m.Text = KindSystem, l.text
		if l.alone {
			m.Text = l.name
		}
		w.b.message(*m)
		w.resume, w.lost = goesOn, false
	case l.kind == lineSeparator && !w.inside(l):
		w.flush()
		w.section++
		w.dayText = l.when.given
		if date, ok := w.dateOf(l.when.day); ok {
			w.date, w.year = date, date.Year()
		} else {
			w.date = time.Time{}
			why := "a day that doesn't exist"
			if l.when.day.year == 0 && w.year == 0 {
				why = "a day without a year"
			}
			w.b.warn(fmt.Sprintf("date_unknown: line %d: %s; what follows has no date", n, why))
		}
	case w.survey.byTime && (l.kind == lineText || l.kind == lineHeader && !l.timed) && w.odd(n, strings.TrimSpace(unmark(raw))):
	case l.kind == lineHeading && w.open == nil:
	case cued: // who spoke before needn't be who speaks
		w.flush()
		w.b.warnOnce("cue_unnamed", fmt.Sprintf("cue_unnamed: the subtitle on line %d names nobody; what such ones say is nobody's", n))
		w.open = w.message(w.cuedAt)
		w.open.Sender, w.open.Bot, w.open.Kind, w.lost = "unknown", true, KindMessage, false
		w.text = append(w.text, strings.TrimSpace(unmark(raw)))
	case l.kind == lineHeader && w.doubtful(l):
		w.flush()
		w.open = w.message(line{})
		w.open.Sender, w.open.Bot, w.open.Kind, w.lost = "unknown", true, KindMessage, false
		w.text = append(w.text, strings.TrimSpace(unmark(raw)))
	case w.open != nil:
		if w.blanks > 0 {
			w.text = append(w.text, "")
		}
		w.text = append(w.text, strings.TrimRightFunc(unmark(raw), unicode.IsSpace))
	case w.lost:
	case w.resume != nil:
		w.open, w.resume = w.resume, nil
		w.text = append(w.text, strings.TrimSpace(unmark(raw)))
	default:
		w.b.skip(n, "before the first message")
	}
	w.blanks = 0
}

var speechCue = lazily(`(?i)\b(?:inaudible|crosstalk|laughter|laughs|pause|silence|music|applause)\b|笑|沉默|听不清|掌声`)

// goesOn is the message that words below a notice make: a sound or something else in
// brackets is inside of what somebody says, who goes on; below what tells of people or
// of the chat nobody is known to speak.
func (w *plainWriter) goesOn(l line) *Message {
	if w.open != nil && !l.timed && (!joins.MatchString(l.text) || speechCue.MatchString(l.text)) {
		m := *w.open
		m.Media = nil
		return &m
	}
	m := w.message(l)
	m.Sender, m.Bot, m.Kind = "unknown", true, KindMessage
	return m
}

// opens reports whether a header opens a message.
func (w *plainWriter) opens(l line) bool {
	if w.survey.byTime && !l.timed || l.alone && w.survey.timed[w.survey.key(l.name)] == 0 {
		return false
	}
	return w.survey.known[w.survey.key(l.name)]
}

// odd takes a line that opens a message at a time that can't be read: it belongs to
// no other message.
func (w *plainWriter) odd(n int, text string) bool {
	given, rest, ok := oddStamp(text)
	dated := ok
	if !ok {
		if given, rest, dated, ok = oddClock(text); !ok {
			return false
		}
	}
	h, ok := header(rest)
	bracketed := strings.HasPrefix(text, "[") // nothing else stands so before a name
	if !ok || !dated && !bracketed && !w.survey.known[w.survey.key(h.name)] {
		return false
	}
	w.flush()
	if !w.survey.known[w.survey.key(h.name)] {
		w.b.skip(n, skipOdd)
		w.lost = true
		return true
	}
	w.tellUnsure(n)
	if day := w.dayText; !dated && (day != "" || !w.date.IsZero()) {
		if day == "" {
			day = w.date.Format(time.DateOnly)
		}
		given = day + " " + given
	}
	w.open = &Message{Conversation: w.label, section: w.section, given: given, Kind: KindMessage, Sender: h.name}
	if spelled, ok := w.survey.spelling[w.survey.key(h.name)]; ok {
		w.open.Sender = spelled
	}
	w.open.Self = selfNames[w.survey.key(h.name)]
	w.text = append(w.text, spoken(h.text))
	return true
}

// unsure reports the time of a message that no calendar or clock has.
func (w *plainWriter) unsure(n int, l line) {
	if l.when.hasDay && l.when.day.year == 0 && w.year == 0 {
		w.b.warnOnce("date_unknown", fmt.Sprintf("date_unknown: line %d: a day without a year, and no line above tells it; such messages have no date", n))
		return
	}
	_, real := l.when.day.on(w.order, w.year)
	if l.when.hasDay && !real || l.when.hasClock && !w.survey.offsets && l.when.clock.h > 23 {
		w.tellUnsure(n)
	}
}

func (w *plainWriter) tellUnsure(n int) {
	w.b.warnOnce("time_unsure", fmt.Sprintf("time_unsure: line %d opens a message at a time that can't be read or doesn't exist; such messages have none", n))
}

// inside reports whether a lone date belongs to the open message: where each
// line carries its date, an undecorated "3 March 2024" is an answer.
func (w *plainWriter) inside(l line) bool {
	return w.open != nil && w.survey.byTime && w.survey.datedHeaders && l.bare
}

var joins = lazily(`(?i)\b(joined|left|added|removed|created|changed|started|ended|missed|call|pinned|renamed|inaudible|crosstalk|laughter|laughs|pause|silence|music|applause|recording|deleted|omitted)\b|加入|退出|撤回|邀请|修改|通话|笑|沉默|听不清|掌声|已删除|删除了`)

// aside reports whether a bracketed line is a notice, not words of the message
// before it.
func (w *plainWriter) aside(text string) bool {
	return strings.ContainsAny(text[:1], "[") || strings.HasPrefix(text, "【") || joins.MatchString(text)
}

// dateOf resolves a day. One without a year is of the year that the file stands in, or of
// the next where it would go back by more than half a year.
func (w *plainWriter) dateOf(d day) (time.Time, bool) {
	date, ok := d.on(w.order, w.year)
	if ok && d.year == 0 && date.Before(w.date.AddDate(0, -6, 0)) {
		return d.on(w.order, w.year+1)
	}
	return date, ok
}

// message starts a message at the time of l, or where the file stands.
func (w *plainWriter) message(l line) *Message {
	m := &Message{Conversation: w.label, section: w.section, given: l.when.given}
	date, hasClock := w.date, l.when.hasClock
	if l.when.hasDay {
		date, _ = w.dateOf(l.when.day)
		if w.date = date; !date.IsZero() {
			w.year = date.Year()
		}
		w.dayText = ""
	}
	c := l.when.clock
	switch {
	case hasClock && w.survey.offsets:
		seconds := offset(c)
		m.OffsetSeconds = &seconds
	case hasClock && c.h > 23: // nor is the day sure, then
		date = time.Time{}
		if w.dayText == "" && !l.when.hasDay && !w.date.IsZero() {
			m.given = w.date.Format(time.DateOnly) + " " + m.given
		}
	case hasClock && date.IsZero() && !l.when.hasDay && w.dayText == "":
		w.noDate = true
	}
	if date.IsZero() {
		if w.dayText != "" && !l.when.hasDay {
			m.given = strings.TrimSpace(w.dayText + " " + m.given)
		}
		return m
	}
	if !l.when.hasDay {
		m.given = date.Format(time.DateOnly) + " " + m.given
	}
	if !hasClock || m.OffsetSeconds != nil {
		m.When = wall(date, false, nil)
		return m
	}
	at := time.Date(date.Year(), date.Month(), date.Day(), c.h, c.m, c.s, 0, time.UTC)
	zone := c.zone
	if zone == nil {
		zone = w.zone
	}
	m.When = wall(at, true, zone)
	return m
}

// flush hands over the open message.
func (w *plainWriter) flush() {
	w.resume = nil
	if w.open == nil {
		return
	}
	m := w.open
	m.Text = strings.TrimSpace(strings.Join(w.text, "\n"))
	w.open, w.text = nil, nil
	if m.quoteOff(); m.Text == "" && m.Quoted != nil {
		m.Kind = KindMedia
	} else if len(m.Media) > 0 {
		m.Kind = KindMedia
	} else if m.Text == "" {
		m.Kind = KindSystem // a name without a word: kept, said by nobody
		if m.Self {
			m.Self = false
		}
	}
	w.b.message(*m)
}

var cues = lazily(`^(?i)[(\[*](?:laughs?|laughing|laughter|chuckles?|sighs?|coughs?|pauses?|crying|whispers?|whispering|inaudible|crosstalk|applause|smiles?|nods?|lacht|lachend|seufzt|笑|大笑|叹气|沉默|咳嗽|鼓掌)[)\]*]\s*`)

// spoken drops a cue such as "(laughs)" at the start: it isn't said.
func spoken(s string) string {
	if s == "" || s[0] != '(' && s[0] != '[' && s[0] != '*' {
		return s
	}
	if rest := cues.ReplaceAllString(s, ""); rest != "" {
		return rest
	}
	return s
}
