package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// notesReader reads the owner's own notes: Markdown or plain text in which
// nobody speaks. A heading or a line with a date begins a session; a paragraph
// is a message. Block quotes are somebody else's words and code is nobody's.
type notesReader struct{}

func (notesReader) name() string { return "notes" }

// NoteSender is how the owner is called in notes when Options don't name them.
const NoteSender = "Me"

var (
	markdownHeading = lazily(`^(#{1,6})\s+(.*?)\s*#*$`)
	underline       = lazily(`^(?:=+|-+|\*{3,}|_{3,}|\* \* \*)$`)
	comment         = lazily(`<!--.*?-->`)
)

func (notesReader) sniff(src *source, _ Options) bool {
	first := firstByte(src.head)
	if bare := strings.TrimLeft(string(src.head), "[ \t\r\n\ufeff"); first == '[' && (bare == "" || strings.HasPrefix(string(src.head), "[[[") || bare[0] == '{' || bare[0] == '"' || bare[0] == ']') {
		return false // JSON that is broken
	}
	return !src.whole() && first != '{' && !strings.HasPrefix(string(src.head), "[{") && !strings.HasPrefix(string(src.head), "[\n")
}

func (notesReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	w := &noteWriter{b: b, zone: o.TZ, sender: NoteSender, dateOrder: o.DateOrder}
	if names := o.ownerNames(); len(names) > 0 {
		w.sender = names[0]
	}
	if d, _, ok := cutDay(src.name); ok && d.year != 0 && d.ordered { // a journal: "2024-03-03.md"
		w.date, _ = d.on("", 0)
	}
	w.label = b.conversation(Conversation{Kind: Self, Participants: []string{w.sender}})
	n := 0
	var others foreign
	if err := src.lines(ctx, func(_ int, raw string) error {
		n++
		s := strings.TrimRight(unmark(raw), " \t")
		if others.see(n, s); others.fault(n) != nil {
			return others.fault(n)
		}
		w.line(n, s)
		return nil
	}); err != nil {
		return err
	}
	w.flush()
	if w.code {
		b.warn("code_open: a block of code has no end; what follows it was left out")
	}
	if b.count == 0 {
		return fmt.Errorf("%w: no words of a note in it", ErrEmpty)
	}
	if w.title != "" {
		b.conv(w.label).Title = &w.title
	}
	return nil
}

type noteWriter struct {
	b         *builder
	zone      *time.Location
	sender    string
	dateOrder string
	label     string

	title   string // the note's own, from its front matter or first heading
	heading string // of the section
	when    mark
	date    time.Time
	section int
	text    []string
	quoted  []string
	code    bool
	front   bool // inside front matter
}

func (w *noteWriter) line(n int, s string) {
	trimmed := strings.TrimSpace(comment.ReplaceAllString(s, ""))
	switch {
	case n == 1 && trimmed == "---":
		w.front = true
	case w.front:
		w.front = trimmed != "---"
		w.meta(trimmed)
	case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
		if w.code = !w.code; w.code {
			w.b.skip(n, "a block of code")
		}
	case w.code:
	case trimmed == "":
		w.flush()
	case strings.HasPrefix(trimmed, ">"):
		if len(w.text) > 0 && len(w.quoted) == 0 {
			w.flush()
		}
		w.quoted = append(w.quoted, strings.TrimSpace(strings.TrimLeft(trimmed, "> ")))
	case markdownHeading.MatchString(trimmed):
		w.flush()
		m := markdownHeading.FindStringSubmatch(trimmed)
		w.begin(m[2], len(m[1]) == 1)
	case underline.MatchString(trimmed):
		if len(w.text) == 1 && !strings.HasPrefix(trimmed, "*") && len(trimmed) > 2 { // a heading with a line under it
			heading := w.text[0]
			w.text = nil
			w.begin(heading, trimmed[0] == '=')
			return
		}
		w.flush()
	default:
		if k, ok := separator(trimmed); ok && len(w.text) == 0 {
			w.dated(k)
			return
		}
		w.text = append(w.text, strings.TrimRight(comment.ReplaceAllString(s, ""), " \t"))
	}
}

// meta reads date and title of front matter; other keys say nothing.
func (w *noteWriter) meta(line string) {
	key, value, ok := strings.Cut(line, ":")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if !ok || value == "" {
		return
	}
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "title":
		w.title = value
	case "date", "created":
		if k, _, ok := cutMark(value); ok && k.hasDay {
			w.dated(k)
		}
	}
}

// begin starts a section under a heading, which may be a date.
func (w *noteWriter) begin(heading string, top bool) {
	if k, title, ok := headingDay(strings.Trim(heading, "*_ ")); ok {
		w.dated(k)
		w.heading = title
		return
	}
	if top && w.title == "" && w.section == 0 && w.b.count == 0 {
		w.title = heading
		return
	}
	w.section++
	w.heading = heading
}

// headingDay takes the date out of a heading: "2026-10-10 – Lund", "Diary 10 October
// 2026". Behind other words it must be whole, with its year, and end the heading or
// what stands before a dash: "Plans for 2026-10-10 onwards" is about a day, and not
// written on it.
func headingDay(s string) (mark, string, bool) {
	if k, rest, ok := cutMark(s); ok && k.hasDay {
		return k, strings.TrimLeft(strings.TrimSpace(rest), "-–—:： "), true
	}
	for i, r := range s {
		if r != ' ' && r != '\t' && r != '(' && r != '[' && r != '：' && r != ':' || i == 0 {
			continue
		}
		before := strings.TrimRight(s[:i], " \t-–—:：,([")
		if words := strings.Fields(before); len(words) == 0 || len(words) > 4 || aboutDay[strings.ToLower(words[len(words)-1])] {
			continue
		}
		k, rest, ok := cutMark(strings.TrimLeft(s[i:], " \t([：:"))
		rest = strings.TrimLeft(rest, ")] \t")
		if !ok || !k.hasDay || k.day.year == 0 || rest != "" && !strings.ContainsAny(rest[:1], "-:") && !strings.HasPrefix(rest, "–") && !strings.HasPrefix(rest, "—") {
			continue
		}
		if after := strings.TrimLeft(rest, "-–—:： "); after != "" {
			return k, before + " – " + after, true
		}
		return k, before, true
	}
	return mark{}, "", false
}

// aboutDay are words before a date that a note is about, not written on.
var aboutDay = wordSet("for by until till before after since from to between due deadline für bis vor nach ab seit zum am")

func (w *noteWriter) dated(k mark) {
	w.section++
	w.heading = ""
	w.when = k
	order := w.dateOrder
	if order == "" && !k.day.ordered {
		if _, dmy := k.day.on("dmy", 0); dmy {
			if _, mdy := k.day.on("mdy", 0); mdy && k.day.a != k.day.b {
				w.b.warn("date_order_unknown: dates such as 3/4/2024 are read day first; say --date-order if that is wrong")
			}
			order = "dmy"
		} else {
			order = "mdy"
		}
	}
	date, ok := k.day.on(order, w.date.Year())
	if !ok || w.date.IsZero() && k.day.year == 0 {
		date = time.Time{}
	}
	w.date = date
}

// flush hands over the paragraph.
func (w *noteWriter) flush() {
	text := strings.TrimSpace(strings.Join(w.text, "\n"))
	quoted := strings.TrimSpace(strings.Join(w.quoted, "\n"))
	w.text, w.quoted = nil, nil
	if text == "" && quoted == "" {
		return
	}
	m := Message{
		Conversation: w.label, Sender: w.sender, Self: true, Kind: KindMessage, Text: text,
		When: w.stamp(), section: w.section, heading: w.heading,
	}
	m.given = m.When.Local
	if quoted != "" {
		m.Quoted = &Quoted{Text: quoted}
	}
	if text == "" {
		m.Kind = KindMedia // a quotation alone: something attached, no words
	}
	w.b.message(m)
}

func (w *noteWriter) stamp() privacy.Stamp {
	if w.date.IsZero() {
		return privacy.Stamp{}
	}
	at, zone := w.date, w.zone
	clocked := w.when.hasClock && w.when.clock.h < 24
	if clocked {
		c := w.when.clock
		at = time.Date(at.Year(), at.Month(), at.Day(), c.h, c.m, c.s, 0, time.UTC)
		if c.zone != nil {
			zone = c.zone
		}
	}
	return wall(at, clocked, zone)
}
