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

// A chat is known by its messages: who takes part changes, files get renamed, and
// two chats may have the same people. What the bounds below leave in doubt stays
// apart: two chats taken for one would mix up who heard what.
const (
	printsAtOnce  = 2000
	sharedTimed   = 3  // messages of known times that must be shared
	sharedUntimed = 5  // or so many of unknown ones,
	untimedShare  = 60 // and this share in percent of the smaller of the two
	timedShare    = 50 // and this share of the messages between the first and last shared
)

// shared is what a chat of the source and a stored one have in common.
type shared struct {
	timed, untimed int
	first, last    int             // places in the chat of the source
	senders        map[string]int  // how many of the timed each has said
	minutes        map[string]bool // when, a few of them
	known          bool            // they are one chat, as findRenamed has found
}

// at notes when a message was said that both have.
func (s *shared) at(minute string) {
	if minute != "" && len(s.minutes) < toldMinutes {
		s.minutes[strings.Clone(minute)] = true
	}
}

// incoming is a chat of the source.
type incoming struct {
	label       string
	total       int
	print       string // of the first message
	first, last string // wall clocks, "" unknown
	with        map[string]*shared
	byID        bool              // the source has an id for it
	told        bool              // the report says that it is kept apart
	said        map[string]string // names of who speaks, by their normalised ones
}

// identify finds the chats that the record knows, and gives a chat that only looks
// like a known one a name of its own.
func (im *importer) identify(ctx context.Context) error {
	if im.r.Script != nil {
		return nil
	}
	if empty, err := im.a.store.Empty(ctx); err != nil || empty {
		return err
	}
	chats := map[string]*incoming{}
	err := im.r.EachConversation(func(c *ingest.Conversation) error {
		one := &incoming{label: c.ID, byID: c.SourceID != "" && im.r.Format != "email", with: map[string]*shared{}, said: map[string]string{}}
		if one.byID {
			other, err := im.otherNames(ctx, c)
			if err != nil {
				return err
			}
			if !other {
				return nil
			}
		}
		chats[c.ID] = one
		return nil
	})
	if err != nil || len(chats) == 0 {
		return err
	}
	if err := im.share(ctx, chats); err != nil {
		return err
	}
	if err := im.findRenamed(ctx, chats); err != nil {
		return err
	}
	for label, c := range chats {
		if c.byID {
			delete(chats, label)
		}
	}
	return im.match(ctx, chats)
}

// share looks up which stored chats have messages of the source.
func (im *importer) share(ctx context.Context, chats map[string]*incoming) error {
	type place struct {
		chat           *incoming
		at             int
		sender, minute string
		timed          bool
	}
	places := map[string][]place{}
	look := func() error {
		prints := make([]string, 0, len(places))
		for p := range places {
			prints = append(prints, p)
		}
		found, err := im.a.store.Prints(ctx, prints)
		if err != nil {
			return err
		}
		for conversation, prints := range found {
			for _, p := range prints {
				for _, at := range places[p] {
					s := at.chat.with[conversation]
					if s == nil {
						s = &shared{first: at.at, last: at.at, senders: map[string]int{}, minutes: map[string]bool{}}
						at.chat.with[conversation] = s
					}
					s.first, s.last = min(s.first, at.at), max(s.last, at.at)
					if !at.timed {
						s.untimed++
						continue
					}
					s.timed++
					s.senders[privacy.NormalizeName(at.sender)]++
					s.at(at.minute)
				}
			}
		}
		clear(places)
		return nil
	}
	err := im.r.EachPrint(ctx, func(p ingest.Print) error {
		c := chats[p.Conversation]
		if c == nil {
			return nil
		}
		if c.total == 0 {
			c.print = p.Print
		}
		if len(c.said) < maxNames {
			if key := privacy.NormalizeName(p.Sender); c.said[key] == "" {
				c.said[key] = p.Sender
			}
		}
		if at := p.When.Local; at != "" {
			if c.first == "" || at < c.first {
				c.first = at
			}
			c.last = max(c.last, at)
		}
		places[p.Print] = append(places[p.Print], place{c, c.total, p.Sender, minuteOf(p.When.Local), p.Timed})
		c.total++
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

// match gives each chat the identity of the stored chat that it has most in common
// with, one each.
func (im *importer) match(ctx context.Context, chats map[string]*incoming) error {
	type pair struct {
		chat   *incoming
		stored string
		n      int
	}
	var pairs []pair
	byID := map[string]memory.Chat{}
	for _, c := range chats {
		for id, s := range c.with {
			stored, ok := byID[id]
			if !ok {
				var err error
				if stored, err = im.a.store.Chat(ctx, id); err != nil {
					return err
				}
				byID[id] = stored
			}
			if im.same(c, s, &stored) {
				pairs = append(pairs, pair{c, id, s.timed + s.untimed})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		if a.n != b.n {
			return b.n - a.n
		}
		if a.chat.label != b.chat.label {
			return strings.Compare(a.chat.label, b.chat.label)
		}
		return strings.Compare(a.stored, b.stored)
	})
	taken := map[string]bool{}
	for _, p := range pairs {
		if taken[p.stored] || chats[p.chat.label] == nil {
			continue
		}
		taken[p.stored] = true
		delete(chats, p.chat.label)
		im.r.Identify(p.chat.label, p.stored)
	}
	labels := make([]string, 0, len(chats))
	for label := range chats {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	for _, label := range labels {
		if err := im.apart(ctx, chats[label], taken); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether what two chats share makes them one.
func (im *importer) same(c *incoming, s *shared, stored *memory.Chat) bool {
	if s.known || stored.ID == im.r.ConversationID(c.label) && s.timed+s.untimed > 0 {
		return true
	}
	if s.untimed >= sharedUntimed && s.untimed*100 >= untimedShare*min(c.total, stored.Turns) {
		return true
	}
	all := s.timed == c.total || s.timed >= stored.Turns
	if s.timed < sharedTimed && !all || s.timed == 0 || s.timed*100 < timedShare*(s.last-s.first+1) {
		return false
	}
	// The same words to two groups in one minute are no chat in common: two must have
	// spoken, or those who take part must be the same but for who came or went.
	return len(s.senders) > 1 || within(im.r.Participants(c.label), stored.Participants) || within(stored.Participants, im.r.Participants(c.label))
}

// within reports whether everybody of a is in b, and more than one is.
func within(a, b []string) bool {
	in := map[string]bool{}
	for _, name := range b {
		in[privacy.NormalizeName(name)] = true
	}
	for _, name := range a {
		if !in[privacy.NormalizeName(name)] {
			return false
		}
	}
	return len(a) > 1
}

// apart gives a chat a name of its own that bears the name of a stored one, was going
// on at the same time, and has not one message in common with it.
func (im *importer) apart(ctx context.Context, c *incoming, taken map[string]bool) error {
	id := im.r.ConversationID(c.label)
	stored, err := im.a.store.Chat(ctx, id)
	if err != nil || stored.Turns == 0 {
		return err
	}
	meanwhile := c.first != "" && stored.First != "" && c.first < stored.Last && stored.First < c.last
	if stored.Unprinted > 0 || !meanwhile && !taken[id] {
		return nil
	}
	im.r.Identify(c.label, "c-"+shortHash("chat", id, c.print))
	if c.told {
		return nil
	}
	im.report.Warnings = append(im.report.Warnings, fmt.Sprintf(
		"chat_apart: a chat with the same people is known from the same time, and this one has no message in common with it; they are kept apart (%s)", id))
	return nil
}
