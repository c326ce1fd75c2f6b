package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// A contact that was renamed on the phone has another name in a later export, on all
// of their messages. They are known again by time and words, in a chat whose other
// messages are known: then the messages are the stored ones. The two names are proposed
// as one person's; what is new stays said by the new name until the owner merges them.

// Bounds on how sure that must be.
const (
	renamedLeast = 3  // messages that only the name keeps apart
	renamedShare = 80 // and their share in percent of what the new name said meanwhile
	maxNames     = 64 // of a chat, that are looked at
)

// renaming is a name of the source that may be another one of the record.
type renaming struct {
	label, stored string // the chat, and the stored one
	is, was       string
	matched       int
	first, last   int // places in the chat
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
	tries, err := im.tries(ctx, chats)
	if err != nil || len(tries) == 0 {
		return err
	}
	spoken := map[string][]int{} // places of what a name said, by chat and name
	if err := im.tryNames(ctx, tries, spoken); err != nil {
		return err
	}
	claims := map[string]int{} // how many others explain the same name
	for _, t := range tries {
		if t.matched > 0 {
			claims[t.label+"\x00"+t.stored+"\x00is "+t.is]++
			claims[t.label+"\x00"+t.stored+"\x00was "+t.was]++
		}
	}
	for _, t := range tries {
		meanwhile := 0
		for _, at := range spoken[t.label+"\x00"+t.is] {
			if at >= t.first && at <= t.last {
				meanwhile++
			}
		}
		if t.matched < renamedLeast || t.matched*100 < renamedShare*meanwhile ||
			claims[t.label+"\x00"+t.stored+"\x00is "+t.is] > 1 || claims[t.label+"\x00"+t.stored+"\x00was "+t.was] > 1 {
			continue
		}
		s := chats[t.label].with[t.stored]
		s.timed += t.matched
		s.first, s.last = min(s.first, t.first), max(s.last, t.last)
		s.senders[privacy.NormalizeName(t.is)] = true
		im.r.Renamed(t.label, t.is, t.was)
		im.report.Warnings = append(im.report.Warnings, fmt.Sprintf(
			"renamed: %d messages of %q are stored as those of %q; they are the same messages, and what is new is kept as said by the new name. "+
				"`epagent people merge` makes the two names one person's", t.matched, t.is, t.was))
		if !im.isOwner(t.is) && !im.isOwner(t.was) {
			im.aliases = append(im.aliases, memory.Contact{Name: t.was, Format: memory.FormatRenamed, SourceID: t.is, Aliases: []string{t.is}})
		}
	}
	return nil
}

// isOwner reports whether a name is one of the owner's: the policy's, or here.
func (im *importer) isOwner(name string) bool {
	if im.l.policy.IsOwner(name) {
		return true
	}
	return slices.ContainsFunc(im.r.Speakers(), func(s ingest.Speaker) bool { return s.Self && s.Name == name })
}

// tries are the pairs of names that come into question: the one speaks in the source
// and said nothing that is known of it, the other is in the stored chat alone.
func (im *importer) tries(ctx context.Context, chats map[string]*incoming) ([]*renaming, error) {
	labels := make([]string, 0, len(chats))
	for label := range chats {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	var out []*renaming
	for _, label := range labels {
		c := chats[label]
		ids := make([]string, 0, len(c.with))
		for id, s := range c.with {
			if s.timed > 0 && (!c.byID || id == im.r.ConversationID(label)) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		for _, id := range ids {
			stored, err := im.a.store.Chat(ctx, id)
			if err != nil {
				return nil, err
			}
			var came, gone []string
			for key, name := range c.said {
				if key != "" && !c.with[id].senders[key] {
					came = append(came, name)
				}
			}
			for _, name := range stored.Participants {
				if key := privacy.NormalizeName(name); key != "" && c.said[key] == "" {
					gone = append(gone, name)
				}
			}
			slices.Sort(came)
			slices.Sort(gone)
			if len(came) > 8 || len(gone) > 8 { // nobody renames so many
				continue
			}
			for _, is := range came {
				for _, was := range gone {
					out = append(out, &renaming{label: label, stored: id, is: is, was: was})
				}
			}
		}
	}
	return out, nil
}

// tryNames looks up the messages under the names that they may have had.
func (im *importer) tryNames(ctx context.Context, tries []*renaming, spoken map[string][]int) error {
	byName := map[string][]*renaming{}
	for _, t := range tries {
		byName[t.label+"\x00"+t.is] = append(byName[t.label+"\x00"+t.is], t)
	}
	type place struct {
		key, as string
		at      int
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
					for _, t := range byName[at.key] {
						if t.stored != conversation || t.was != at.as {
							continue
						}
						if t.matched++; t.matched == 1 {
							t.first, t.last = at.at, at.at
						}
						t.first, t.last = min(t.first, at.at), max(t.last, at.at)
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
		key := conversation + "\x00" + name
		var out []string
		for _, t := range byName[key] {
			if !slices.Contains(out, t.was) {
				out = append(out, t.was)
			}
		}
		if len(out) > 0 {
			spoken[strings.Clone(key)] = append(spoken[key], at[conversation]-1)
		}
		return out
	}, func(p ingest.Print) error {
		if !p.Timed {
			return nil
		}
		places[p.Print] = append(places[p.Print], place{p.Conversation + "\x00" + p.Sender, p.As, at[p.Conversation] - 1})
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
