package ingest

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// iMessageReader reads the text files of imessage-exporter, one a chat. A message
// is a line with its time, a line with its sender, its words, and an empty line;
// a reply is printed under its parent, indented, and once more at its own time.
type iMessageReader struct{}

func (iMessageReader) name() string { return "imessage" }

const iMessageStamp = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d, \d{4} {1,2}\d{1,2}:\d\d:\d\d [AP]M`

var (
	imHead    = lazily(`^(` + iMessageStamp + `)(?: \((?:Read|Delivered|Edited|Sent)[^()]*\))?$`)
	imNotice  = lazily(`^(` + iMessageStamp + `) (\S.*)$`)
	imNested  = lazily(`^ {4,}(` + iMessageStamp + `)(?: \(.*\))?$`)
	imVersion = lazily(`^Edited (?:(?:(?:\d+|an?) (?:year|month|week|day|hour|minute|second)s?(?:, | and |,? ?))+|.{1,80} )later: ?(.*)$|^Edited to: (.*)$|^Edited to:? ?[“"](.*)[”"]$`)
	imTimed   = lazily(`^Edited (?:(?:\d+|an?) (?:year|month|week|day|hour|minute|second)s?(?:, | and |,? ?))+later:|^Edited to: |^Edited to:? ?[“"]`)
	imEffect  = lazily(`^Sent with (?:Confetti|Echo|Fireworks|Balloons?|Hearts?|Love|Lasers?|Spotlight|Celebration|Sparkles|Shooting Star|Slam|Loud|Gentle|Invisible Ink|Impact|Bouncing effect|a \S+ effect|.{1,30} effect)$`)
	imTapback = lazily(`^\s*(?:(?:Loved|Liked|Disliked|Laughed(?: at)?|Emphasized|Questioned|Hearted|\S{1,12}) by (.+)|Sticker (?:tapback )?(?:from|by) .+)$`)
	imUnsent  = lazily(`^(?:You|.{1,100}) (?:deleted|unsent) a message[.!]?$`)
	imPart    = lazily(`^.{1,100} unsent this message part(?: .{1,80} (?:after sending|later))?[!.]?$`)
	imDeleted = lazily(`^This message was deleted from the conversation[!.]?$`)
	imSticker = lazily(`^(?:\S{1,20} )?Sticker from .{1,100}?: ?(.*?)(?: \(.*\))?$`)
	imFile    = lazily(`^(?:attachments/\S.*|(?:/|~/)\S*(?:Attachments|attachments)/.+|Attachment missing!?.*)$`)
	imLink    = lazily(`^https?://\S+$`)
	imGroup   = lazily(`\b(?:renamed the conversation|named the conversation|changed the group photo|removed the group photo|added .+ to the conversation|removed .+ from the conversation|left the conversation|changed the (?:chat|group) background)\b`)
)

const imReply = "This message responded to an earlier message."

func (iMessageReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	lines := strings.SplitN(string(src.head), "\n", 4)
	first := strings.TrimSuffix(lines[0], "\r")
	if imHead.MatchString(first) {
		return len(lines) > 1 && strings.TrimSpace(lines[1]) != ""
	}
	return imNotice.MatchString(first)
}

func (iMessageReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	c := Conversation{}
	title := imTitle(src.stem())
	if title != "" {
		c.Title, c.fileTitle = &title, true
	}
	w := &imWriter{b: b, times: timeline{b: b, zone: o.TZ}, parents: map[string]int{}, blank: true}
	if err := w.survey(ctx, src); err != nil {
		return err
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
	if w.group {
		b.conv(w.label).Kind = Group
	}
	if c := b.conv(w.label); b.onlyOwner(w.label) && c.Kind == "" && title != "" {
		if len(w.reacted) > 0 { // who only reacts takes part, by the name that stands there
			for _, name := range w.reacted {
				b.listens(w.label, name, "")
			}
			return nil
		}
		w.hears(title, title != src.stem())
	}
	return nil
}

// hears adds those whom the file is called after, where only the owner has written. A
// number behind the name (numbered) stands with the name that a chat was given: then
// it isn't known who is in it, unless it is an address.
func (w *imWriter) hears(title string, numbered bool) {
	names := partyNames(title)
	if numbered && !strings.ContainsAny(title, "@+") {
		return
	}
	for _, name := range names {
		w.b.listens(w.label, name, "")
	}
}

var imCopy = lazily(`^(.+?) - \d+$`)

// imTitle drops the number that keeps files of equal names apart.
func imTitle(stem string) string {
	if m := imCopy.FindStringSubmatch(stem); m != nil {
		return m[1]
	}
	return stem
}

type imWriter struct {
	b       *builder
	label   string
	times   timeline
	parents map[string]int // N by time and sender of a reply printed under it
	nested  [][2]string    // the same for the message that is open
	group   bool
	count   int

	stamp  string // of the open message, "" none
	sender string
	body   []string
	blank  bool // the line before was empty
	under  int  // 1 after the time of a nested reply, 2 inside it

	speaks  map[string]bool // who does, by the messages whose time can be read
	odd     oddStamps
	given   string // the line before, if it is a time that can't be read
	oddLine int    // its number, or that of the time of the open message; 0 none
	lost    bool   // within a message that is left out

	reacted []string // who left a tapback, in order; not the owner
}

// reacts notes who left a tapback.
func (w *imWriter) reacts(name string) {
	name = strings.TrimSpace(strings.Clone(name))
	if name != "" && name != "Me" && name != "You" && len(w.reacted) < fewParts && !slices.Contains(w.reacted, name) {
		w.reacted = append(w.reacted, name)
	}
}

// survey learns who speaks.
func (w *imWriter) survey(ctx context.Context, src *source) error {
	w.speaks = map[string]bool{}
	blank, head := true, false
	return src.lines(ctx, func(_ int, raw string) error {
		if name := strings.TrimSpace(unmark(raw)); head && !w.speaks[name] && len(w.speaks) < maxSpeakers {
			w.speaks[strings.Clone(name)] = true
		}
		head = false
		if blank {
			if m := imHead.FindStringSubmatch(raw); m != nil {
				_, head = imTime(m[1])
			}
		}
		blank = strings.TrimSpace(raw) == ""
		return nil
	})
}

func (w *imWriter) line(n int, raw string) {
	blank := w.blank
	w.blank = strings.TrimSpace(raw) == ""
	if given := w.given; given != "" {
		w.given = ""
		if w.opensOddly(given, raw) {
			return
		}
	}
	if blank {
		m := imHead.FindStringSubmatch(raw)
		read := false
		if m != nil {
			_, read = imTime(m[1])
		} else {
			m = oddAlone.FindStringSubmatch(strings.TrimRight(unmark(raw), " \r"))
		}
		switch {
		case read:
			w.flush()
			w.stamp, w.sender, w.lost, w.oddLine = m[1], "", false, 0
			return
		case m != nil: // the next line tells whether it opens a message
			w.given, w.oddLine = raw, n
			return
		}
		if m := imNotice.FindStringSubmatch(raw); m != nil {
			w.flush()
			w.lost = false
			w.notice(n, m[1], m[2])
			return
		}
	}
	switch {
	case w.lost:
	case w.stamp == "":
		if !w.blank {
			w.b.skip(n, "outside of a message")
		}
	case w.sender == "":
		w.sender = strings.TrimSpace(unmark(raw))
	default:
		w.text(raw)
	}
}

// opensOddly takes the line behind a time that can't be read. Where it is empty, the
// time was words.
func (w *imWriter) opensOddly(given, name string) bool {
	if w.blank {
		if w.oddLine = 0; w.stamp != "" && w.sender != "" {
			w.text(given)
		} else if !w.lost {
			w.b.skip(w.oddLine, "outside of a message")
		}
		return false
	}
	line := w.oddLine
	w.oddLine = 0
	w.flush()
	w.lost = false
	w.odd.see(line)
	if name := strings.TrimSpace(unmark(name)); !w.speaks[name] && name != "Me" && !w.b.named(w.label, name) {
		w.lost = true
		w.b.skip(line, skipOdd)
		return true
	}
	w.stamp, w.sender, w.oddLine = strings.TrimSpace(unmark(given)), strings.TrimSpace(unmark(name)), line
	return true
}

// text takes a line of the body, or of a reply printed under it.
func (w *imWriter) text(raw string) {
	if m := imNested.FindStringSubmatch(raw); m != nil {
		w.nested = append(w.nested, [2]string{m[1], ""})
		w.under = 1
		return
	}
	indented := strings.HasPrefix(raw, "    ")
	switch {
	case w.under == 1 && indented:
		w.nested[len(w.nested)-1][1] = strings.TrimSpace(unmark(raw))
		w.under = 2
	case w.under > 0 && (indented || strings.TrimSpace(raw) == ""):
	default:
		w.under = 0
		w.body = append(w.body, raw)
	}
}

func imTime(stamp string) (time.Time, bool) {
	t, err := time.Parse("Jan 02, 2006 3:04:05 PM", strings.Join(strings.Fields(stamp), " "))
	return t, err == nil
}

func (w *imWriter) notice(n int, stamp, text string) {
	at, ok := imTime(stamp)
	if !ok {
		w.b.skip(n, "a notice at a time that can't be read")
		return
	}
	m := Message{Conversation: w.label, Kind: KindSystem, Text: tidy(text), When: w.times.at(at)}
	m.given = m.When.Local
	w.group = w.group || imGroup.MatchString(text)
	w.count++
	w.b.message(m)
}

// flush hands over the open message.
func (w *imWriter) flush() {
	stamp, sender, body, nested := w.stamp, w.sender, w.body, w.nested
	w.stamp, w.sender, w.body, w.nested, w.under = "", "", nil, nil, 0
	if stamp == "" || sender == "" {
		return
	}
	m := Message{Conversation: w.label, Kind: KindMessage, Sender: sender, Self: sender == "Me", given: stamp}
	if at, ok := imTime(stamp); ok && w.oddLine == 0 {
		m.When = w.times.at(at)
		m.given = m.When.Local
	}
	lines := w.content(&m, body)
	if m.ReplyToMissing != "" { // it says that it answers something
		m.ReplyToMissing = ""
		m.ReplyTo = w.parents[stamp+"\n"+sender]
	}
	m.Text = tidy(strings.Join(lines, "\n"))
	switch {
	case m.Deleted, imUnsent.MatchString(m.Text):
		m.Kind, m.Deleted, m.Text, m.Edited, m.Media = KindSystem, true, "", false, nil
	case m.tapback():
		w.reacts(m.Actor)
	case m.System != "":
		m.Kind, m.Actor, m.Sender, m.Self, m.Edited = KindSystem, m.Sender, "", false, false
	case len(m.Media) > 0:
		m.Kind = KindMedia
	case m.Text == "":
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
	w.count++
	n := w.b.message(m)
	for _, key := range nested {
		w.parents[key[0]+"\n"+key[1]] = n
	}
}

// content takes off what the exporter adds to the words. A reply is marked by
// ReplyToMissing until its parent is looked up.
func (w *imWriter) content(m *Message, body []string) []string {
	var lines []string
	unsent, heard := false, -1 // parts taken back; which media is being transcribed
	for i := 0; i < len(body); i++ {
		line := strings.TrimRight(unmark(body[i]), " \r")
		words, transcribed := strings.CutPrefix(line, "Transcription: ")
		if heard >= 0 && (line == "" || line == imReply || line == "Tapbacks:" || line == "Reactions:" || imFile.MatchString(line) || imEffect.MatchString(line)) {
			heard = -1
		}
		switch {
		case strings.TrimSpace(line) == imReply:
			m.ReplyToMissing = "?"
		case imDeleted.MatchString(line) && len(lines) == 0: // what follows was taken out of the chat
			m.Deleted = true
		case imPart.MatchString(line):
			unsent = true
		case transcribed && i > 0 && len(m.Media) > 0 && imFile.MatchString(strings.TrimRight(unmark(body[i-1]), " \r")):
			heard = len(m.Media) - 1
			m.Media[heard].Type, m.Media[heard].Caption = "audio", tidy(words)
		case heard >= 0: // by the phone, and not written by anybody
			m.Media[heard].Caption = tidy(m.Media[heard].Caption + "\n" + line)
		case imEffect.MatchString(line):
		case line == "Reactions:" || line == "Tapbacks:":
			for i+1 < len(body) && imTapback.MatchString(body[i+1]) {
				i++
				if by := imTapback.FindStringSubmatch(strings.TrimRight(unmark(body[i]), " \r")); by != nil {
					w.reacts(by[1])
				}
			}
		case imSticker.MatchString(line):
			name := path.Base(imSticker.FindStringSubmatch(line)[1])
			m.Media = append(m.Media, Media{Type: "sticker", Name: name})
		case imFile.MatchString(line):
			if strings.HasPrefix(line, "Attachment missing") {
				m.Media = append(m.Media, Media{Type: "unknown"})
			} else {
				m.Media = append(m.Media, Media{Type: mediaTypeOf(line), Name: path.Base(line)})
			}
		default:
			lines = append(lines, line)
		}
	}
	if unsent {
		m.Edited = true
		if lines = tidyLines(lines); len(lines) == 0 && len(m.Media) == 0 {
			m.Deleted = true
			return nil
		}
	}
	if at := slices.Index(lines, "Translated from:"); at > 0 && at+1 < len(lines) { // behind the translation
		lines = lines[at+1:]
	}
	if imApp(m, tidyLines(lines)) {
		return nil
	}
	if latest, ok := imLatest(lines); ok {
		m.Edited = true
		lines = latest
	}
	if len(lines) > 1 && imLink.MatchString(lines[0]) && strings.TrimSpace(lines[1]) != "" {
		// The app shows what an address leads to; only the address was sent.
		m.Media = append(m.Media, Media{Type: "link", Name: tidy(lines[1])})
		lines = lines[:1]
	}
	return lines
}

// tidyLines drops empty lines at both ends.
func tidyLines(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// imApps are the first lines of what an app, not a person, put into a chat, by what it
// is; "" is a notice.
var imApps = []struct {
	kind string
	form *pattern
}{
	{"payment", lazily(`^Apple (?:Cash|Pay) (?:transaction|payment|request): .{1,80}$`)},
	{"", lazily(`^(?:SharePlay Message|(?:Started|Stopped) sharing location!|Unable to format announcement!.*)$`)},
	{"app", lazily(`^Check[ \x{00a0}]In(?:: .{1,200})?$`)},
	{"drawing", lazily(`^(?:Digital Touch|Handwriting|Handwritten)(?: [Mm]essage)?(?::.{0,200}| from .{1,100})?$`)},
	{"image", lazily(`^Photo album: .{0,200}$`)},
	{"location", lazily(`^Find My: .{0,200}$`)},
	{"app", lazily(`^(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|GamePigeon|Fitness) message:.{0,200}$|^Unable to format app message: .*$|^App message:.{0,200}$`)},
}

// imApp reads a message that an app made.
func imApp(m *Message, lines []string) bool {
	if len(lines) == 0 || len(lines) > 80 || len(m.Media) > 0 {
		return false
	}
	for _, app := range imApps {
		switch {
		case !app.form.MatchString(lines[0]):
		case app.kind == "":
			m.System = "app"
			return true
		default:
			m.Media = []Media{{Type: app.kind, Name: tidy(lines[0])}}
			return true
		}
	}
	return false
}

// imLatest picks the last version of an edited message. Where the first one doesn't bear
// its time, only lines that can't be anything else are versions.
func imLatest(lines []string) ([]string, bool) {
	if len(lines) == 0 {
		return nil, false
	}
	version := imVersion
	if !imNotice.MatchString(lines[0]) && !imHead.MatchString(lines[0]) {
		version = imTimed
	}
	last := -1
	for i, line := range lines {
		if version.MatchString(line) {
			last = i
		}
	}
	if last < 0 {
		return nil, false
	}
	words := strings.Join(imVersion.FindStringSubmatch(lines[last])[1:], "") // one of them matched
	return append([]string{words}, lines[last+1:]...), true
}
