package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// signalReader reads what the Signal app itself exports (main.jsonl) and the
// Markdown that signal-export makes of Signal Desktop's database.
type signalReader struct{}

func (signalReader) name() string { return "signal" }

var (
	signalHead  = lazily(`^\[(\d{4}-\d\d-\d\d),? (\d\d:\d\d(?::\d\d)?)\] ([^:\n]{1,120}?): ?(.*)$`)
	signalReact = lazily(`^\(- .*: .* -\)\s*$`)
	signalCall  = lazily(`^(?:Incoming|Outgoing|Missed|Declined|Unanswered|Group) .*\bcall\b.{0,60}$`)
	signalMedia = lazily(`!?\[([^\]]*)\]\(<?(?:\./)?media/[^)]*\)`)
	signalNone  = lazily(`\((?:attachment|media|file|sticker) (?:not exported|missing|not found)\)`)
)

func (signalReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	return signalJSONL(src) || signalMarkdown(src)
}

func (signalReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	if signalJSONL(src) {
		return readSignalJSONL(ctx, src, o, b)
	}
	w := &signalWriter{b: b, times: timeline{b: b, zone: o.TZ}}
	if err := src.lines(ctx, func(_ int, raw string) error {
		m := signalHead.FindStringSubmatch(raw)
		name, real := "", false
		if m != nil {
			name = signalName(m[3])
			_, real = signalTime(m)
		}
		w.heads.see(raw, name, m != nil, real)
		return nil
	}); err != nil {
		return err
	}
	w.speaks = w.heads.speakers()
	c := Conversation{}
	title := strings.TrimSpace(src.stem())
	if title != "" && title != "chat" {
		c.Title, c.fileTitle = &title, true
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
	if w.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	settleKind(b, w.label, src.chat != "" || b.onlyOwner(w.label) && len(partyNames(title)) == 1)
	return nil
}

type signalWriter struct {
	b      *builder
	label  string
	times  timeline
	open   *Message
	body   []string
	recent recentTexts
	count  int
	speaks map[string]bool // who does, by the lines whose time can be read
	odd    oddStamps
	lost   bool // within a message that is left out
	heads  signalHeads
	places signalPlaces
	last   time.Time // of the head before
}

// signalTime reads the time of a header.
func signalTime(m []string) (time.Time, bool) {
	clock := m[2]
	if len(clock) == len("15:04") {
		clock += ":00"
	}
	at, err := time.Parse(time.DateTime, m[1]+" "+clock)
	return at, err == nil
}

func signalName(s string) string { return strings.TrimSpace(unmark(s)) }

func (w *signalWriter) line(n int, raw string) {
	m := signalHead.FindStringSubmatch(raw)
	place := w.places.see(raw, m != nil)
	var at time.Time
	ok := false
	if m != nil {
		if at, ok = signalTime(m); ok && !w.heads.opens(place, signalName(m[3]), at, w.last, true) {
			m, ok = nil, false
		}
	}
	if !ok {
		switch {
		case w.heads.opens(place, "", at, w.last, false) && w.opensOddly(n, raw):
		case w.open != nil:
			w.body = append(w.body, raw)
		case w.lost:
		case strings.TrimSpace(raw) != "":
			w.b.skip(n, "before the first message")
		}
		return
	}
	w.begin(m[3], m[4])
	w.last = at
	w.open.When = w.times.at(at)
	w.open.given = w.open.When.Local
}

func (w *signalWriter) begin(name, words string) {
	w.flush()
	w.open, w.lost = &Message{Conversation: w.label, Kind: KindMessage, Sender: signalName(name)}, false
	w.open.Self = w.open.Sender == "Me"
	w.body = append(w.body[:0], words)
}

// opensOddly takes a line that opens a message at a time that can't be read.
func (w *signalWriter) opensOddly(n int, raw string) bool {
	if !strings.HasPrefix(raw, "[") {
		return false
	}
	m := oddBracket.FindStringSubmatch(raw)
	if m == nil {
		return false
	}
	w.odd.see(n)
	if name := signalName(m[2]); !w.speaks[name] && name != "Me" && !w.b.named(w.label, name) {
		w.flush()
		w.lost = true
		w.b.skip(n, skipOdd)
		return true
	}
	w.begin(m[2], m[3])
	w.open.given = m[1]
	return true
}

func (w *signalWriter) flush() {
	if w.open == nil {
		return
	}
	m, lines := w.open, w.body
	w.open = nil
	w.count++
	for len(lines) > 0 && (strings.TrimSpace(lines[len(lines)-1]) == "" || signalReact.MatchString(strings.TrimSpace(lines[len(lines)-1]))) {
		lines = lines[:len(lines)-1]
	}
	lines = w.quotation(m, lines)
	text := tidy(strings.Join(lines, "\n"))
	switch {
	case text == "(This message was deleted)" || text == "(This message was deleted.)":
		m.Kind, m.Deleted, text = KindSystem, true, ""
	case signalCall.MatchString(text) && m.Quoted == nil:
		m.Kind, m.Actor, m.System, m.Sender, m.Self = KindSystem, m.Sender, "call", "", false
	default:
		if m.Text = text; m.Quoted == nil {
			m.quoteOff() // versions that put it elsewhere
			text = m.Text
		}
		for _, found := range signalMedia.FindAllStringSubmatch(text, -1) {
			m.Media = append(m.Media, Media{Type: mediaTypeOf(found[1]), Name: found[1]})
		}
		text = signalMedia.ReplaceAllString(text, "")
		for range signalNone.FindAllString(text, -1) {
			m.Media = append(m.Media, Media{Type: "document"})
		}
		text = tidy(signalNone.ReplaceAllString(text, ""))
		if len(m.Media) == 0 && text == "" {
			m.Media = []Media{{Type: "unknown"}}
		}
		if len(m.Media) > 0 {
			m.Kind = KindMedia
		}
	}
	m.Text = text
	n := w.b.message(*m)
	w.recent.add(n, m.Sender, text)
}

// quotation takes a quote off the start: an empty line, lines with "> ", an empty
// line.
func (w *signalWriter) quotation(m *Message, lines []string) []string {
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	if i == 0 || i == len(lines) || !strings.HasPrefix(lines[i], ">") {
		return lines
	}
	var quoted []string
	for i < len(lines) && strings.HasPrefix(lines[i], ">") {
		quoted = append(quoted, strings.TrimPrefix(strings.TrimPrefix(lines[i], ">"), " "))
		i++
	}
	m.Quoted = &Quoted{Text: tidy(strings.Join(quoted, "\n"))}
	if n, sender := w.recent.find("", m.Quoted.Text); n > 0 {
		m.ReplyTo, m.Quoted.Sender = n, sender
	}
	return lines[i:]
}

// recentTexts finds the message that a quotation is of, among the last ones: for
// formats that quote without an id.
type recentTexts struct {
	ring []recentText
	next int
}

type recentText struct {
	n            int
	sender, text string
}

const recentMax = 2000

func (r *recentTexts) add(n int, sender, text string) {
	if text == "" || sender == "" {
		return
	}
	t := recentText{n, sender, text}
	if len(r.ring) < recentMax {
		r.ring = append(r.ring, t)
		return
	}
	r.ring[r.next] = t
	r.next = (r.next + 1) % recentMax
}

// find returns the newest message of sender ("" anybody) whose text is the quoted
// one, else the newest that the quotation is a part of. Short quotations must be
// whole: "ok" is part of much.
func (r *recentTexts) find(sender, quoted string) (int, string) {
	quoted = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(quoted), "…"), "...")
	if quoted == "" {
		return 0, ""
	}
	for _, whole := range []bool{true, false} {
		if !whole && len(quoted) < 8 {
			break
		}
		for i := range r.ring {
			t := r.ring[(r.next+len(r.ring)-1-i)%len(r.ring)]
			if sender != "" && t.sender != sender {
				continue
			}
			if whole && t.text == quoted || !whole && strings.Contains(t.text, quoted) {
				return t.n, t.sender
			}
		}
	}
	return 0, ""
}
