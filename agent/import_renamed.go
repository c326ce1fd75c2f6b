package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// A contact that was renamed on the phone has another name in a later export, on all
// of their messages. They are known again by time and words, in a chat whose other
// messages are known: then the messages are the stored ones. The two names are proposed
// as one person's; what is new stays said by the new name until the owner merges them.

// Bounds on how sure that must be. Where the chat isn't known otherwise, see doubt.
const (
	renamedLeast = 3  // messages that only the name keeps apart
	renamedShare = 80 // and their share in percent of what the new name said meanwhile
	maxNames     = 64 // of a chat, that are looked at
)

// renaming is a name of the source that may be another one of the record.
type renaming struct {
	*doubt
	is, was     string
	matched     int
	weight      int             // of these, see weightOf
	minutes     map[string]bool // when, a few of them
	first, last int             // places in the chat
}

// otherNames reports whether a chat that the source has an id for is stored with
// somebody who isn't in it now, while somebody is who wasn't.
func (im *importer) otherNames(ctx context.Context, c *ingest.Conversation) (bool, error) {
	stored, err := im.a.store.Chat(ctx, im.r.ConversationID(c.ID))
	if err != nil || stored.Turns == 0 {
		return false, err
	}
	return lacks(c.Participants, stored.Participants) && lacks(stored.Participants, c.Participants), nil
}

// lacks reports whether somebody of b isn't in a.
func lacks(a, b []string) bool {
	return slices.ContainsFunc(b, func(name string) bool {
		return !slices.ContainsFunc(a, func(other string) bool { return privacy.NormalizeName(other) == privacy.NormalizeName(name) })
	})
}

// findRenamed looks for names that others have become, among the chats that share
// messages with stored ones.
func (im *importer) findRenamed(ctx context.Context, chats map[string]*incoming) error {
	doubts, err := im.doubts(ctx, chats)
	if err != nil || len(doubts) == 0 {
		return err
	}
	if err := im.tryNames(ctx, doubts); err != nil {
		return err
	}
	if err := im.unbury(ctx, doubts); err != nil {
		return err
	}
	for _, d := range doubts {
		im.accept(d, d.rename())
		im.tellApart(d)
	}
	return nil
}

// rename returns the names that others have become beyond doubt.
func (d *doubt) rename() []*renaming {
	var sure, likely []*renaming
	for _, t := range d.tries {
		meanwhile := 0
		for _, at := range d.spoken[t.is] {
			if at >= t.first && at <= t.last {
				meanwhile++
			}
		}
		switch {
		case t.matched >= renamedLeast && t.matched*100 >= renamedShare*meanwhile:
			sure = append(sure, t)
		case t.explained():
			likely = append(likely, t)
		}
	}
	claims := map[string]int{} // how many others explain the same name
	for _, t := range append(slices.Clone(sure), likely...) {
		claims["is "+t.is]++
		claims["was "+t.was]++
	}
	several := func(t *renaming) bool { return claims["is "+t.is] > 1 || claims["was "+t.was] > 1 }
	sure, likely = slices.DeleteFunc(sure, several), slices.DeleteFunc(likely, several)
	all := append(slices.Clone(sure), likely...)
	if d.known = d.known || d.tell(all); d.known {
		return all
	}
	return sure
}

// accept takes the messages of names that others have become as those of the others.
func (im *importer) accept(d *doubt, renamed []*renaming) {
	s := d.shared
	for _, t := range renamed {
		s.timed += t.matched
		s.first, s.last = min(s.first, t.first), max(s.last, t.last)
		s.senders[privacy.NormalizeName(t.is)] += t.matched
		for minute := range t.minutes {
			s.at(minute)
		}
		d.renamed = true
		im.r.Renamed(d.label, t.is, t.was)
		im.report.Warnings = append(im.report.Warnings, fmt.Sprintf(
			"renamed: %d messages of %q are stored as those of %q; they are the same messages, and what is new is kept as said by the new name. "+
				"`epagent people merge` makes the two names one person's", t.matched, t.is, t.was))
		if !im.isOwner(t.is) && !im.isOwner(t.was) {
			im.aliases = append(im.aliases, memory.Contact{Name: t.was, Format: memory.FormatRenamed, SourceID: t.is, Aliases: []string{t.is}})
		}
	}
	s.known = s.known || d.known
}

// isOwner reports whether a name is one of the owner's: the policy's, or here.
func (im *importer) isOwner(name string) bool {
	if im.l.policy.IsOwner(name) {
		return true
	}
	return slices.ContainsFunc(im.r.Speakers(), func(s ingest.Speaker) bool { return s.Self && s.Name == name })
}

// tryNames looks up the messages under the names that they may have had.
func (im *importer) tryNames(ctx context.Context, doubts []*doubt) error {
	byChat := map[string][]*doubt{}
	for _, d := range doubts {
		byChat[d.label] = append(byChat[d.label], d)
	}
	type place struct {
		label, is, as, minute string
		at, weight            int
	}
	places := map[string][]place{}
	look := func() error {
		prints := make([]string, 0, len(places))
		for p := range places {
			prints = append(prints, p)
		}
		slices.Sort(prints)
		found, err := im.a.store.Prints(ctx, prints)
		if err != nil {
			return err
		}
		for conversation, prints := range found {
			for _, print := range prints {
				for _, at := range places[print] {
					for _, d := range byChat[at.label] {
						if d.stored == conversation {
							d.match(at.is, at.as, at.minute, at.at, at.weight)
						}
					}
				}
			}
		}
		clear(places)
		return nil
	}
	at := map[string]int{}
	err := im.r.EachPrintAs(ctx, func(conversation, name string) []string {
		at[conversation]++
		out := []string{name}
		for _, d := range byChat[conversation] {
			d.speaks(name, at[conversation]-1)
			for _, t := range d.tries {
				if t.is == name && !slices.Contains(out, t.was) {
					out = append(out, t.was)
				}
			}
		}
		return out
	}, func(p ingest.Print) error {
		minute := minuteOf(p.When.Local)
		if p.As == p.Sender {
			for _, d := range byChat[p.Conversation] {
				d.count(p.Sender, minute)
			}
			return nil
		}
		if !p.Timed {
			return nil
		}
		places[p.Print] = append(places[p.Print], place{p.Conversation, p.Sender, p.As, minute, at[p.Conversation] - 1, weightOf(p.Runes)})
		if len(places) >= printsAtOnce {
			return look()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return look()
}
