package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// calendarReader reads iCalendar files. An event that the owner made for themself
// is a note of theirs, said when it was entered: its words and its own date. What
// others organised are words that they sent, kept as something attached.
type calendarReader struct{}

func (calendarReader) name() string { return "calendar" }

func (calendarReader) sniff(src *source, _ Options) bool {
	return !src.whole() && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(string(src.head[:min(len(src.head), 64)]))), "BEGIN:VCALENDAR")
}

// property is a line of iCalendar or vCard: name, parameters, value.
type property struct {
	name   string
	params map[string]string
	value  string
}

// maxProperty is how long an unfolded line may be; photos are cut, not read.
const maxProperty = 1 << 20

// properties calls f with each unfolded line, and its number.
func properties(ctx context.Context, src *source, f func(n int, p property) error) error {
	held, first := "", 0
	give := func() error {
		if held == "" {
			return nil
		}
		p, ok := parseProperty(held)
		held = ""
		if !ok {
			return nil
		}
		return f(first, p)
	}
	err := src.lines(ctx, func(n int, raw string) error {
		if raw != "" && (raw[0] == ' ' || raw[0] == '\t') && held != "" {
			if len(held)+len(raw) <= maxProperty {
				held += raw[1:]
			}
			return nil
		}
		// Quoted-printable of vCard 2.1 goes on behind "=".
		if strings.HasSuffix(held, "=") && strings.Contains(strings.ToUpper(held), "QUOTED-PRINTABLE") && len(held)+len(raw) <= maxProperty {
			held = strings.TrimSuffix(held, "=") + raw
			return nil
		}
		if err := give(); err != nil {
			return err
		}
		held, first = raw, n
		if len(held) > maxProperty {
			held = held[:0]
		}
		return nil
	})
	if err != nil {
		return err
	}
	return give()
}

func parseProperty(s string) (property, bool) {
	quoted, end := false, -1
	for i := 0; i < len(s) && end < 0; i++ {
		switch s[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				end = i
			}
		}
	}
	if end <= 0 {
		return property{}, false
	}
	parts := strings.Split(s[:end], ";")
	name := strings.ToUpper(parts[0])
	if i := strings.LastIndexByte(name, '.'); i >= 0 { // "item1.TEL"
		name = name[i+1:]
	}
	p := property{name: name, value: s[end+1:], params: map[string]string{}}
	for _, param := range parts[1:] {
		key, value, ok := strings.Cut(param, "=")
		if !ok {
			key, value = "TYPE", key // vCard 2.1: "TEL;CELL"
			if strings.EqualFold(param, "QUOTED-PRINTABLE") {
				key = "ENCODING"
			}
		}
		p.params[strings.ToUpper(key)] = strings.Trim(value, `"`)
	}
	if strings.EqualFold(p.params["ENCODING"], "QUOTED-PRINTABLE") {
		p.value = decodeCharset(decodeWord("q", strings.ReplaceAll(p.value, "_", "=5F")), p.params["CHARSET"])
	}
	return p, true
}

var propertyEscapes = strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`)

func (p property) text() string { return tidy(propertyEscapes.Replace(p.value)) }

type calendarEvent struct {
	line                     int
	uid, summary, location   string
	description              string
	start, end               property
	duration                 string
	created, changed         property
	organizer, organizerName string
	status                   string
	attendees                []string
	guests                   []guest          // attendees, with what they answered
	named                    []ProposedPerson // attendees with a name
	recurrence, recurrenceOf string
}

// guest is somebody who was invited to an event.
type guest struct{ name, address, answer string }

// shown is how a guest is called.
func (g guest) shown() string {
	if g.name != "" {
		return g.name
	}
	return g.address
}

func (calendarReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	c := Conversation{Kind: Self, SourceType: "calendar", Participants: []string{ownerName(o)}}
	label, depth := "", 0
	var e *calendarEvent
	zone := o.TZ // of times that are written in UTC, in words
	err := properties(ctx, src, func(n int, p property) error {
		switch value := strings.ToUpper(strings.TrimSpace(p.value)); {
		case p.name == "BEGIN" && e != nil:
			depth++ // an alarm in an event
		case p.name == "BEGIN" && (value == "VEVENT" || value == "VTODO" || value == "VJOURNAL"):
			e, depth = &calendarEvent{line: n}, 0
		case p.name == "END" && e != nil && depth > 0:
			depth--
		case p.name == "END" && e != nil:
			if label == "" {
				label = b.conversation(c)
			}
			e.write(b, o, label, zone)
			e = nil
		case p.name == "X-WR-TIMEZONE" && e == nil:
			if z, ok := calendarZone(p.text()); ok {
				zone = z
			}
		case p.name == "X-WR-CALNAME" && label == "":
			title := p.text()
			c.Title = &title
		case e != nil && depth == 0:
			e.set(p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if e != nil {
		b.skip(e.line, "an event that doesn't end: the file is cut off")
	}
	if label == "" && e == nil {
		return fmt.Errorf("%w: no event in it", ErrEmpty)
	}
	return nil
}

func (e *calendarEvent) set(p property) {
	switch p.name {
	case "UID":
		e.uid = p.text()
	case "SUMMARY":
		e.summary = p.text()
	case "LOCATION":
		e.location = p.text()
	case "DESCRIPTION":
		e.description = p.text()
	case "DTSTART", "DUE":
		e.start = p
	case "DTEND":
		e.end = p
	case "DURATION":
		e.duration = strings.TrimSpace(p.value)
	case "CREATED", "DTSTAMP":
		if e.created.value == "" || p.name == "CREATED" {
			e.created = p
		}
	case "LAST-MODIFIED":
		e.changed = p
	case "ORGANIZER":
		e.organizer, e.organizerName = mailOf(p.value), tidy(p.params["CN"])
	case "ATTENDEE":
		if len(e.attendees) < 1000 {
			e.attendees = append(e.attendees, mailOf(p.value))
			e.guests = append(e.guests, guest{tidy(p.params["CN"]), mailOf(p.value), strings.ToUpper(p.params["PARTSTAT"])})
			if name := tidy(p.params["CN"]); name != "" && !strings.Contains(name, "@") {
				e.named = append(e.named, ProposedPerson{Name: name, Addresses: []string{mailOf(p.value)}})
			}
		}
	case "STATUS":
		e.status = strings.ToUpper(p.value)
	case "RRULE":
		e.recurrence = p.value
	case "RECURRENCE-ID":
		e.recurrenceOf = p.value
	}
}

func mailOf(s string) string {
	if len(s) > 7 && strings.EqualFold(s[:7], "mailto:") {
		s = s[7:]
	}
	return strings.ToLower(strings.TrimSpace(s))
}

// write makes a note of an event.
func (e *calendarEvent) write(b *builder, o Options, label string, zone *time.Location) {
	if e.summary == "" || e.status == "CANCELLED" {
		b.skip(e.line, "an event that is cancelled or says nothing")
		return
	}
	for _, p := range e.named {
		if !b.isSelf(p.Name, p.Addresses[0]) {
			b.personOnce(p)
		}
	}
	m := Message{Conversation: label, Kind: KindMessage, Sender: ownerName(o), Self: true, ID: e.uid}
	if e.recurrenceOf != "" {
		m.ID += "/" + e.recurrenceOf
	}
	text := e.summary
	if when := e.when(zone); when != "" {
		text += " (" + when + ")"
	}
	if e.recurrence != "" {
		text += ", repeated"
	}
	if e.location != "" {
		text += ", " + e.location
	}
	e.tellTimes(b, o.TZ)
	said, _ := icsStamp(e.created, o.TZ)
	m.When, m.given = said, e.created.value
	own := e.organizer == "" || b.isSelf(e.organizerName, e.organizer) && e.organizerName != "" || o.selfAddress(e.organizer)
	if own && len(slices.DeleteFunc(slices.Clone(e.attendees), func(a string) bool { return a == e.organizer })) == 0 {
		m.Text = text
		b.message(m)
		return
	}
	// Others take part: nothing says who wrote these words.
	m.Kind = KindMedia
	if !own {
		m.Sender, m.Self = e.organizerName, false
	}
	if m.Sender == "" {
		m.Sender = e.organizer
	}
	if m.Sender == "" {
		m.Sender, m.Self = ownerName(o), true
	}
	if words := e.attended(b, o, zone); words != "" && !own {
		m.Kind, m.Text = KindMessage, words
		b.message(m)
		return
	}
	if own { // an event of the owner's, with guests
		text += withGuests(e.with(b, o))
	}
	m.Media = []Media{{Type: "event", Name: e.summary, Caption: text}}
	b.message(m)
}

// with are those who take part beside the owner, as they are shown.
func (e *calendarEvent) with(b *builder, o Options) []string {
	var out []string
	for _, g := range e.guests {
		if me := b.isSelf(g.name, g.address) || o.selfAddress(g.address) || g.address == e.organizer; !me && len(out) < maxWith && g.shown() != "" && !slices.Contains(out, g.shown()) {
			out = append(out, g.shown())
		}
	}
	return out
}

// withGuests words with whom something is, "" for nobody.
func withGuests(with []string) string {
	switch n := len(with); n {
	case 0:
		return ""
	case 1:
		return ", with " + with[0]
	default:
		return ", with " + strings.Join(with[:n-1], ", ") + " and " + with[n-1]
	}
}

// maxWith is how many of those who take part in an event are named.
const maxWith = 12

// attended words an event of somebody else's that the owner takes part in: what, when,
// where and with whom. It is the organiser's word, and as untrusted as any. "" where the
// owner isn't known to be invited, or has declined.
func (e *calendarEvent) attended(b *builder, o Options, zone *time.Location) string {
	me := ""
	if len(o.ownerNames()) > 0 {
		me = ownerName(o)
	}
	var with []string
	does := ""
	for _, g := range e.guests {
		switch {
		case b.isSelf(g.name, g.address) || o.selfAddress(g.address):
			if me == "" {
				me = g.name
			}
			switch g.answer {
			case "DECLINED", "DELEGATED":
				return ""
			case "ACCEPTED":
				does = " takes part in "
			default:
				does = " is invited to "
			}
		case len(with) < maxWith && !slices.Contains(with, g.shown()) && g.shown() != "":
			with = append(with, g.shown())
		}
	}
	if does == "" || me == "" {
		return ""
	}
	if host := (guest{name: e.organizerName, address: e.organizer}).shown(); host != "" && !slices.Contains(with, host) {
		with = append(with, host)
	}
	words := me + does + e.summary
	if when := e.when(zone); when != "" {
		words += " on " + when
	}
	if e.location != "" {
		words += " at " + strings.ReplaceAll(e.location, "\n", ", ")
	}
	words += withGuests(with)
	if e.recurrence != "" {
		words += ", repeated"
	}
	return words + "."
}

// icsStamp reads "20240514T093000Z", "…T093000" with a TZID, and a date.
func icsStamp(p property, fallback *time.Location) (privacy.Stamp, bool) {
	v := strings.TrimSpace(p.value)
	if t, err := time.Parse("20060102T150405Z", v); err == nil {
		if fallback != nil {
			t = t.In(fallback)
		}
		return privacy.At(t), true
	}
	if t, err := time.Parse("20060102T150405", v); err == nil {
		zone := fallback
		if id := p.params["TZID"]; id != "" {
			zone, _ = calendarZone(id) // nil where it isn't known: the time is no instant
		}
		return wall(t, true, zone), true
	}
	if t, err := time.Parse("20060102", v); err == nil {
		return wall(t, false, nil), true
	}
	return privacy.Stamp{}, false
}

// when words when an event is: on its own clocks, or where it is written in UTC on those
// of zone, nil: in UTC, and it says so. A whole day is a date, and the last one counts.
func (e *calendarEvent) when(zone *time.Location) string {
	start, ok := eventMoment(e.start, zone)
	if !ok {
		return ""
	}
	end, ok := eventMoment(e.end, zone)
	switch d, timed := eventDuration(e.duration); {
	case ok && start.clock == end.clock:
	case timed && d > 0:
		end = start
		end.at = start.at.Add(d)
	default:
		end = start
	}
	if !start.clock && end.at.After(start.at) {
		end.at = end.at.AddDate(0, 0, -1) // DTEND is the day after the last
	}
	const day, minute = time.DateOnly, "15:04"
	words := start.at.Format(day)
	if !start.clock {
		if last := end.at.Format(day); end.at.After(start.at) {
			words += "–" + last
		}
		return words
	}
	words += " " + start.at.Format(minute)
	if end.mark != start.mark {
		words += start.mark
	}
	if end.at.After(start.at) || end.mark != start.mark {
		until := end.at.Format(minute)
		if end.at.Format(day) != start.at.Format(day) {
			until = end.at.Format(day) + " " + until
		}
		words += "–" + until
	}
	return words + end.mark
}

// moment is a time of an event on the clocks that are meant.
type moment struct {
	at    time.Time
	clock bool   // else a date
	mark  string // " UTC" where nothing says whose clocks; " Europe/Berlin" where it isn't zone's
}

func eventMoment(p property, zone *time.Location) (moment, bool) {
	v := strings.TrimSpace(p.value)
	if t, err := time.Parse("20060102T150405Z", v); err == nil {
		if zone == nil {
			return moment{t, true, " UTC"}, true
		}
		return moment{t.In(zone), true, ""}, true
	}
	if t, err := time.Parse("20060102T150405", v); err == nil {
		out := moment{at: t, clock: true}
		if id := strings.TrimPrefix(p.params["TZID"], "/"); zone != nil && id != "" && id != zone.String() {
			if z, ok := calendarZone(id); !ok {
				out.mark = " " + tidy(id)
			} else {
				if at := instants(t, z); len(at) == 0 || at[0].In(zone).Format(wallLayout) != t.Format(wallLayout) {
					out.mark = " " + id
				}
			}
		}
		return out, true
	}
	t, err := time.Parse("20060102", v)
	return moment{at: t}, err == nil
}

var durationForm = lazily(`^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$`)

// eventDuration reads "PT1H30M", "P2D" and "P1W".
func eventDuration(s string) (time.Duration, bool) {
	m := durationForm.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	const day = 24 * time.Hour
	return time.Duration(atoi(m[1]))*7*day + time.Duration(atoi(m[2]))*day + time.Duration(atoi(m[3]))*time.Hour +
		time.Duration(atoi(m[4]))*time.Minute + time.Duration(atoi(m[5]))*time.Second, true
}
