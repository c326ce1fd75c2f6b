package ingest

import (
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// mailDates are dates of mails without a zone, or in other shapes than RFC 5322 has.
var mailDates = []string{
	"2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2 Jan 06 15:04:05", "2 Jan 06 15:04", "2 January 2006 15:04:05", "2 January 2006 15:04",
	"Jan 2 15:04:05 2006", "Jan 2 2006 15:04:05", "Jan 2 2006 15:04", "January 2 2006 15:04:05", "January 2 2006 15:04",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006/01/02 15:04:05",
}

// mailZones are the names of zones that RFC 5322 (4.3) gives a meaning, in seconds east
// of Greenwich. Of any other name nobody knows what was meant by it.
var mailZones = map[string]int{
	"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "EST": -5 * 3600, "EDT": -4 * 3600, "CST": -6 * 3600, "CDT": -5 * 3600,
	"MST": -7 * 3600, "MDT": -6 * 3600, "PST": -8 * 3600, "PDT": -7 * 3600,
}

var (
	mailWeekday = lazily(`^\pL{2,12}\.?,\s*|^(?i:mon|tue|wed|thu|fri|sat|sun)\s+`)
	mailComment = lazily(`\s*\([^()]*\)`)
	mailZone    = lazily(`\s+([A-Za-z]{1,5})$`)
)

// mailDate reads the Date of a mail. Without a zone, or with one of unknown name, it is
// a wall clock, which zone places. A zero Stamp: it can't be read.
func mailDate(s string, zone *time.Location) privacy.Stamp {
	s = strings.TrimSpace(mailComment.ReplaceAllString(s, ""))
	placed := func(at time.Time) privacy.Stamp {
		if zone != nil {
			at = at.In(zone)
		}
		return privacy.At(at)
	}
	offset, named := 0, false
	if m := mailZone.FindStringSubmatchIndex(s); m != nil {
		name := strings.ToUpper(s[m[2]:m[3]])
		if offset, named = mailZones[name]; name != "AM" && name != "PM" {
			s = s[:m[0]]
		}
	} else {
		at, err := mail.ParseDate(s)
		if err != nil {
			at, err = time.Parse(time.RFC3339, s)
		}
		if err == nil {
			if at.Year() <= 1970 {
				return privacy.Stamp{}
			}
			return placed(at)
		}
	}
	s = strings.ReplaceAll(strings.Join(strings.Fields(mailWeekday.ReplaceAllString(s, "")), " "), ", ", " ")
	for _, layout := range mailDates {
		t, err := time.Parse(layout, s)
		switch {
		case err != nil:
		case t.Year() <= 1970:
			return privacy.Stamp{}
		case named:
			return placed(t.Add(-time.Duration(offset) * time.Second).In(time.FixedZone("", offset)))
		default:
			return wall(t, true, zone)
		}
	}
	return privacy.Stamp{}
}

// oddDates counts the mails whose date says less than when they were sent.
type oddDates struct{ zoneless, unread, missing places }

// places counts what is found, and says where first.
type places struct {
	count, line int
	file        string
}

func (p *places) see(file string, line int) {
	if p.count++; p.count == 1 {
		p.file, p.line = file, line
	}
}

func (p *places) tell(b *builder, kind, what string) {
	if p.count > 0 {
		b.warn(fmt.Sprintf("%s: %d mails %s (first: %s, line %d)", kind, p.count, what, p.file, p.line))
	}
}

func (o *oddDates) see(b *builder, m *Message, line int) {
	switch {
	case !m.When.Instant.IsZero():
	case m.When.Local != "":
		o.zoneless.see(b.file, line)
	case m.TimeText != "":
		o.unread.see(b.file, line)
	default:
		o.missing.see(b.file, line)
	}
}

func (o *oddDates) tell(b *builder) {
	o.zoneless.tell(b, "date_zone", "have a date without a zone that is known; it is kept as the wall clock showed it, and --tz places it")
	o.unread.tell(b, "date_unread", "have a date that can't be read and are kept without a time")
	o.missing.tell(b, "date_missing", "have no date and are kept without a time")
}
