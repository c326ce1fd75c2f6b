package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// A chat that shares messages with a stored one may be that chat although one of those
// who speak in it is called otherwise now, or was forgotten. The messages of the others,
// the owner's before all, tell it: while both chats went on, what each shows is in the
// other. One message sent to two people doesn't make their chats one, nor that both
// answer "ok" in that minute: a few messages alone are reported and joined to nothing.

// Bounds on what tells that two chats are one.
const (
	toldMessages = 4  // messages that both have,
	toldMinutes  = 2  // in so many minutes,
	toldShare    = 80 // their share in percent of all that either shows meanwhile
	toldWeight   = 2  // what those of other names must weigh, see weightOf
	longRunes    = 20 // words that two don't say alike in one minute
)

// doubt is a chat of the source that may be a stored one.
type doubt struct {
	label, stored string
	shared        *shared
	known         bool // they are one
	renamed       bool // a name was taken for another
	tries         []*renaming
	from, to      string           // minutes in which both go on, "" unknown
	spoken        map[string][]int // places of what those of the tries said
	said          map[string]int   // what everybody said meanwhile, in the source
	storedSaid    map[string]int   // and in the record, by normalised name
	buried        map[string]int   // of what the source shows meanwhile, what was forgotten
	chat          *incoming
}

// weightOf is what a message of so many letters tells: words of some length are no
// chance.
func weightOf(runes int) int {
	if runes >= longRunes {
		return 2
	}
	return 1
}

// minuteOf is the minute of a wall clock, "" without one.
func minuteOf(local string) string {
	return local[:min(len(local), len("2006-01-02T15:04"))]
}

// doubts are the chats of the source with a stored one that each shares messages with,
// where names differ or too little is shared.
func (im *importer) doubts(ctx context.Context, chats map[string]*incoming) ([]*doubt, error) {
	labels := make([]string, 0, len(chats))
	for label := range chats {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	var out []*doubt
	for _, label := range labels {
		c := chats[label]
		ids := make([]string, 0, len(c.with))
		for id, s := range c.with {
			if s.timed > 0 && (!c.byID || id == im.r.ConversationID(label)) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		var of []*doubt
		for _, id := range ids {
			stored, err := im.a.store.Chat(ctx, id)
			if err != nil {
				return nil, err
			}
			d := &doubt{
				label: label, stored: id, shared: c.with[id], chat: c, spoken: map[string][]int{}, said: map[string]int{}, storedSaid: map[string]int{},
				buried: map[string]int{},
			}
			d.known = c.byID || im.same(c, d.shared, &stored)
			d.try(c, &stored)
			if d.known && len(d.tries) == 0 {
				of = nil // it is this one under its own names, and no other under others
				break
			}
			if err := im.meanwhile(ctx, d, &stored); err != nil {
				return nil, err
			}
			of = append(of, d)
		}
		out = append(out, of...)
	}
	return out, nil
}

// try lists the pairs of names that come into question: the one speaks in the source
// and said nothing that is known of it, the other is in the stored chat alone.
func (d *doubt) try(c *incoming, stored *memory.Chat) {
	var came, gone []string
	for key, name := range c.said {
		if key != "" && d.shared.senders[key] == 0 {
			came = append(came, name)
		}
	}
	for _, name := range stored.Participants {
		if key := privacy.NormalizeName(name); key != "" && c.said[key] == "" {
			gone = append(gone, name)
		}
	}
	if len(came) > 8 || len(gone) > 8 { // nobody renames so many
		return
	}
	slices.Sort(came)
	slices.Sort(gone)
	for _, is := range came {
		for _, was := range gone {
			d.tries = append(d.tries, &renaming{doubt: d, is: is, was: was, minutes: map[string]bool{}})
		}
	}
}

// meanwhile counts what the record has of the time in which both chats went on.
func (im *importer) meanwhile(ctx context.Context, d *doubt, stored *memory.Chat) error {
	if d.chat.first == "" || stored.First == "" {
		return nil
	}
	d.from, d.to = max(minuteOf(d.chat.first), minuteOf(stored.First)), min(minuteOf(d.chat.last), minuteOf(stored.Last))
	said, err := im.a.store.SaidBetween(ctx, d.stored, d.from, d.to)
	for name, n := range said {
		d.storedSaid[privacy.NormalizeName(name)] += n
	}
	return err
}

// speaks notes the place of what a name of the tries says.
func (d *doubt) speaks(name string, at int) {
	if slices.ContainsFunc(d.tries, func(t *renaming) bool { return t.is == name }) {
		name = strings.Clone(name)
		d.spoken[name] = append(d.spoken[name], at)
	}
}

// count counts a message of the source.
func (d *doubt) count(sender, minute string) {
	if key := privacy.NormalizeName(sender); key != "" && minute != "" && minute >= d.from && minute <= d.to {
		d.said[key]++
	}
}

// match notes that a message of the one name is stored as the other's.
func (d *doubt) match(is, was, minute string, at, weight int) {
	for _, t := range d.tries {
		if t.is != is || t.was != was {
			continue
		}
		if t.matched++; t.matched == 1 {
			t.first, t.last = at, at
		}
		t.first, t.last = min(t.first, at), max(t.last, at)
		t.weight += weight
		if len(t.minutes) < toldMinutes {
			t.minutes[strings.Clone(minute)] = true
		}
	}
}

// explained reports whether what the two names said while both chats went on is the
// same, but for what was forgotten.
func (t *renaming) explained() bool {
	key := privacy.NormalizeName(t.is)
	stored := t.storedSaid[privacy.NormalizeName(t.was)]
	return t.matched > 0 && (t.matched+t.buried[key])*100 >= toldShare*t.said[key] && t.matched*100 >= toldShare*stored
}

// tell reports whether the two chats are one, if the names are those that others have
// become: both show the same but for what was forgotten of it.
func (d *doubt) tell(renamed []*renaming) bool {
	var said, stored, forgotten, weight int
	both, minutes := d.shared.timed, map[string]bool{}
	for minute := range d.shared.minutes {
		minutes[minute] = true
	}
	for _, t := range renamed {
		both += t.matched
		weight += t.weight
		for minute := range t.minutes {
			minutes[minute] = true
		}
	}
	for name, n := range d.buried {
		forgotten += n
		if d.shared.senders[name] == 0 {
			weight += n
		}
	}
	for _, n := range d.said {
		said += n
	}
	for _, n := range d.storedSaid {
		stored += n
	}
	return weight >= toldWeight && both+forgotten >= toldMessages && len(minutes) >= toldMinutes &&
		(both+forgotten)*100 >= toldShare*said && both*100 >= toldShare*stored
}

// unbury counts the messages that were forgotten in the stored chats: nothing else is
// left of somebody who was forgotten as a whole.
func (im *importer) unbury(ctx context.Context, doubts []*doubt) error {
	some, err := im.a.store.AnyForgotten(ctx)
	if err != nil || !some {
		return err
	}
	byID := map[string][]*doubt{}
	for _, d := range doubts {
		id := im.r.ConversationID(d.label)
		byID[id] = append(byID[id], d)
	}
	return im.r.EachSession(ctx, func(s *memory.Session) error {
		for _, d := range byID[s.Conversation] {
			buried, err := im.a.store.Buried(ctx, d.stored, s.Turns)
			if err != nil {
				return err
			}
			for i := range buried {
				t := &s.Turns[i]
				minute := minuteOf(t.When.Local)
				if !buried[i] || minute == "" {
					continue
				}
				key := privacy.NormalizeName(t.Speaker)
				d.buried[key]++
				// The stored chat went on then as well; forgetting only made it look shorter.
				if minute < d.from || minute > d.to {
					d.said[key]++
				}
			}
		}
		return nil
	})
}

// tellApart says that a chat isn't taken for the one that it resembles.
func (im *importer) tellApart(d *doubt) {
	if d.known || d.renamed || d.chat.told {
		return
	}
	for _, t := range d.tries {
		if t.matched == 0 {
			continue
		}
		d.chat.told = true
		im.report.Warnings = append(im.report.Warnings, fmt.Sprintf(
			"chat_apart: %d messages of %q are like those of %q in a known chat, and %d of others are the same: too few of all to take the two chats for one. "+
				"They are kept apart (%s); if the two names are one person's, `epagent people merge` joins them", t.matched, t.is, t.was, d.shared.timed, d.stored))
		return
	}
}
