package sim

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// moment is when an event happens: its first time, and how far apart its repetitions
// are.
type moment struct {
	first time.Time
	every time.Duration
	times int
}

// event checks one event, and returns how many steps it makes.
func (c *checking) event(place string, e *Event) int {
	s := c.script
	m := moment{first: c.moment(place+".at", e.At), times: max(e.Times, 1)}
	var ok bool
	if m.every, ok = span(e.Every); !ok {
		c.fault(place+".every", "write 7d, 12h or 30m", "every %q", e.Every)
	}
	switch {
	case e.Times < 0:
		c.fault(place+".times", "write a number from 1", "times: %d", e.Times)
	case e.Every == "" && e.Times > 1:
		c.fault(place+".times", "add every", "how far apart?")
	case e.Every != "" && e.Times == 0:
		c.fault(place+".every", "add times", "how often?")
	}
	if end := s.start.AddDate(0, 0, s.Days); !m.first.IsZero() && m.first.Add(time.Duration(m.times-1)*m.every).After(end) {
		c.fault(place+".at", "make days more, or times less", "it happens after the last day")
	}
	s.events = append(s.events, m)
	kinds, steps := 0, m.times
	if e.Note != nil {
		kinds++
		c.owner(place+".note.of", e.Note.Of)
		c.text(place+".note.text", e.Note.Text)
		c.known(place+".note.tells", e.Note.Tells)
	}
	if e.Say != nil {
		kinds++
		c.say(place+".say", e.Say)
	}
	if e.Ask != nil {
		kinds++
		c.ask(place+".ask", e.Ask)
	}
	if e.Policy != nil {
		kinds++
		c.change(place+".policy", e.Policy)
	}
	if e.Audience != nil {
		kinds++
		c.detail(place+".audience.detail", e.Audience.Detail)
		c.people(place+".audience.add", e.Audience.Add)
		c.people(place+".audience.remove", e.Audience.Remove)
	}
	if e.Attack != nil {
		kinds++
		c.attack(place+".attack", e.Attack)
		steps *= max(len(e.Attack.By), 1)
	}
	if kinds != 1 {
		c.fault(place, "give one of note, say, ask, policy, audience, attack; two are two events", "an event of %d kinds", kinds)
	}
	return steps
}

func (c *checking) say(place string, say *Say) {
	c.person(place+".from", say.From)
	c.people(place+".to", say.To)
	c.text(place+".text", say.Text)
	c.known(place+".tells", say.Tells)
	switch {
	case (say.In == "") == (len(say.To) == 0):
		c.fault(place, "give to or in, one of them", "to whom?")
	case say.In != "":
		c.members(place+".in", say.In, say.From)
	}
}

func (c *checking) ask(place string, ask *Ask) {
	c.person(place+".from", ask.From)
	c.owner(place+".of", ask.Of)
	c.known(place+".about", ask.About)
	if p := c.script.party(ask.From); p != nil {
		if p == c.script.party(ask.Of) {
			c.fault(place+".from", "name somebody else", "%q asks their own delegate", ask.From)
		}
		if strings.TrimSpace(ask.Text) == "" && len(p.Lines) == 0 && !p.Model {
			c.fault(place, "give text, or lines under the party", "%q has nothing to ask", ask.From)
		}
	}
	if ask.In != "" {
		c.members(place+".in", ask.In, ask.From, ask.Of)
	}
}

func (c *checking) change(place string, ch *Change) {
	c.owner(place+".of", ch.Of)
	lists := len(ch.Allow) + len(ch.Deny)
	switch {
	case (ch.Move == "") == (lists == 0):
		c.fault(place, "give move with groups, or allow or deny with categories or words", "what changes?")
	case ch.Move != "" && len(ch.Groups) == 0:
		c.fault(place, "give groups", "into which groups?")
	case lists > 0 && len(ch.Categories) == 0 && ch.Words == "":
		c.fault(place, "give categories or words", "for which facts?")
	}
	p := c.script.party(ch.Of)
	if p == nil || p.Delegate == nil || p.Delegate.parsed == nil {
		return
	}
	if _, err := p.Delegate.parsed.Edit(ch.edits()...); err != nil {
		c.fault(place, "name people, groups and categories of that policy", "%v", err)
	}
}

// edits are the edits of the policy's text.
func (ch *Change) edits() []privacy.Edit {
	if ch.Move != "" {
		return []privacy.Edit{privacy.SetGroups{Person: ch.Move, Groups: ch.Groups}}
	}
	return []privacy.Edit{privacy.AddRule{Rule: privacy.Rule{
		Allow: ch.Allow, Deny: ch.Deny, Categories: ch.Categories, About: ch.Words,
	}}}
}

func (c *checking) attack(place string, a *Attack) {
	c.owner(place+".of", a.Of)
	c.people(place+".by", a.By)
	c.known(place+".about", a.About)
	if len(a.Asks) == 0 {
		c.fault(place+".asks", "write what they ask", "nothing is asked")
	}
	for i, text := range a.Asks {
		c.text(fmt.Sprintf("%s.asks[%d]", place, i), text)
	}
	want := 1
	switch a.Kind {
	case Impersonation:
		if strings.TrimSpace(a.As) == "" {
			c.fault(place, "give as", "whom do they claim to be?")
		}
	case Collusion:
		want = 2
	case Pressure, Mosaic:
	default:
		c.fault(place+".kind", "write impersonation, pressure, collusion or mosaic", "kind %q", a.Kind)
	}
	if len(a.By) < want {
		c.fault(place+".by", fmt.Sprintf("name at least %d", want), "%d attackers", len(a.By))
	}
}

var (
	dayTime  = regexp.MustCompile(`^day (\d+)(?: (\d{1,2}:\d{2}))?$`)
	spanText = regexp.MustCompile(`^(\d+)([dhm])$`)
)

// noon is when something happens of which only the day is given.
const noon = 12 * time.Hour

// moment reads a moment: a day with a time or without, or "day 3 18:30", counted
// from 1.
func (c *checking) moment(place, text string) time.Time {
	s := c.script
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		if at, err = time.Parse(time.DateOnly, text); err == nil {
			at = at.Add(noon)
		}
	}
	if m := dayTime.FindStringSubmatch(text); m != nil {
		n, numberErr := strconv.Atoi(m[1])
		clock := m[2]
		if clock == "" {
			clock = "12:00"
		}
		var of time.Time
		if of, err = time.Parse("15:04", clock); err == nil && numberErr == nil && n >= 1 && n <= maxDays {
			at = s.start.AddDate(0, 0, n-1).Add(of.Sub(of.Truncate(24 * time.Hour)))
		} else {
			err = ErrScript
		}
	}
	switch {
	case err != nil:
		c.fault(place, "write 2026-03-02 18:30, 2026-03-02 or day 3 18:30", "%q is no moment", text)
		return time.Time{}
	case at.Before(s.start) || !at.Before(s.start.AddDate(0, 0, s.Days+1)):
		c.fault(place, "choose a day between the first and the last", "%q is not within the simulation", text)
	}
	return at
}

// span reads how far apart repetitions are.
func span(text string) (time.Duration, bool) {
	if text == "" {
		return 0, true
	}
	m := spanText.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 || n > maxDays*24*60 {
		return 0, false
	}
	unit := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute}[m[2]]
	if n > int(maxDays*24*time.Hour/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
