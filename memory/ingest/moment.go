package ingest

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

const wallLayout = "2006-01-02T15:04:05"

// wall makes the Stamp of a wall clock (or of a date alone) that was read
// without a zone: an instant only if zone is given and its clocks showed that
// time. A time that a change of clocks left out has no instant; of one that
// occurred twice the first is meant (see timeline for chats, which know more).
func wall(t time.Time, clock bool, zone *time.Location) privacy.Stamp {
	if !clock {
		return privacy.Stamp{Local: t.Format(time.DateOnly)}
	}
	s := privacy.Stamp{Local: t.Format(wallLayout)}
	if zone != nil {
		if at := instants(t, zone); len(at) > 0 {
			s.Instant = at[0]
		}
	}
	return s
}

// instants are the moments at which the clocks of zone showed the wall clock t
// (whose own zone doesn't count): one, none when the clocks sprang over it, two
// in the hour that came twice; in order.
func instants(t time.Time, zone *time.Location) []time.Time {
	_, offset := t.Zone()
	utc := t.Add(time.Duration(offset) * time.Second).UTC()
	_, before := utc.Add(-26 * time.Hour).In(zone).Zone()
	_, after := utc.Add(26 * time.Hour).In(zone).Zone()
	var out []time.Time
	for _, off := range []int{max(before, after), min(before, after)} {
		at := utc.Add(-time.Duration(off) * time.Second).In(zone)
		if _, is := at.Zone(); is == off && (len(out) == 0 || !out[0].Equal(at)) {
			out = append(out, at)
		}
	}
	return out
}

// timeline places the wall clocks of one chat, in order. In an hour that came
// twice it takes the first reading that doesn't go back.
type timeline struct {
	b    *builder
	zone *time.Location // nil: nothing gets an instant
	last time.Time
	seen time.Time     // the wall clock asked for last
	was  privacy.Stamp // and its stamp
}

func (l *timeline) at(t time.Time) privacy.Stamp {
	if l.zone == nil {
		if !t.Equal(l.seen) || l.was.Local == "" {
			l.seen, l.was = t, privacy.Stamp{Local: t.Format(wallLayout)}
		}
		return l.was
	}
	s := privacy.Stamp{Local: t.Format(wallLayout)}
	switch at := instants(t, l.zone); {
	case len(at) == 0:
		l.b.warnOnce("time_impossible", "time_impossible: "+s.Local+" never showed on the clocks of "+l.zone.String()+"; such times are kept as wall clock. Is --tz right?")
	case len(at) > 1 && at[0].Before(l.last):
		s.Instant = at[1]
	default:
		s.Instant = at[0]
		if len(at) > 1 {
			l.b.warnOnce("time_ambiguous", "time_ambiguous: "+s.Local+" came twice in "+l.zone.String()+" as the clocks went back; the order of the chat decides")
		}
	}
	if !s.Instant.IsZero() {
		l.last = s.Instant
	}
	return s
}

// unix is the Stamp of seconds since 1970, on the clocks of zone (nil: UTC).
// Seconds outside of the years 1971 to 2199 are no time of a chat: false.
func unix(seconds int64, nanos int64, zone *time.Location) (privacy.Stamp, bool) {
	if !inChats(seconds) {
		return privacy.Stamp{}, false
	}
	if zone == nil {
		zone = time.UTC
	}
	return privacy.At(time.Unix(seconds, nanos).In(zone)), true
}

// inChats reports whether a chat may have that time.
func inChats(seconds int64) bool { return seconds >= 365*86400 && seconds <= 7_258_118_400 }

// rfc3339 reads a time with its zone.
func rfc3339(s string) (privacy.Stamp, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1971 {
		return privacy.Stamp{}, false
	}
	return privacy.At(t), true
}

// wallClock reads a time of wallLayout, as time.Parse does and much faster: two are
// compared for each message.
func wallClock(s string) (time.Time, bool) {
	if len(s) != len(wallLayout) {
		t, err := time.Parse(wallLayout, s)
		return t, err == nil
	}
	number := func(from, to int) int {
		n := 0
		for _, c := range []byte(s[from:to]) {
			if c < '0' || c > '9' {
				return -1
			}
			n = n*10 + int(c-'0')
		}
		return n
	}
	y, mo, d, h, mi, sec := number(0, 4), number(5, 7), number(8, 10), number(11, 13), number(14, 16), number(17, 19)
	if s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || min(y, mo-1, d-1, h, mi, sec) < 0 ||
		mo > 12 || d > 31 || h > 23 || mi > 59 || sec > 59 {
		return time.Time{}, false
	}
	t := time.Date(y, time.Month(mo), d, h, mi, sec, 0, time.UTC)
	return t, t.Day() == d
}
