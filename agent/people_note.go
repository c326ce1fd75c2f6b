package agent

import (
	"context"

	"github.com/epagent/epagent/memory"
)

// notePeople keeps what the source says of people: the ids of those who speak, the
// entries of an address book as proposals, and as whom the owner speaks, where the
// owner has said it.
func (im *importer) notePeople(ctx context.Context) error {
	var p memory.People
	seen := map[memory.Handle]bool{}
	for _, s := range im.r.Speakers() {
		if h := (memory.Handle{Name: s.Name, Format: im.r.Format, Handle: s.ID}); s.ID != "" && !seen[h] {
			seen[h] = true
			p.Handles = append(p.Handles, h)
		}
		if s.Self && (im.opts.Self != "" || im.opts.SelfID != "") {
			p.Owner = append(p.Owner, memory.OwnerName{Format: im.r.Format, Name: s.Name, ID: s.ID})
		}
	}
	for _, c := range im.r.People {
		p.Contacts = append(p.Contacts, memory.Contact{
			Name: c.Name, Format: im.r.Format, SourceID: c.SourceID, Aliases: c.Aliases, Phones: c.Phones, Addresses: c.Addresses,
		})
	}
	p.Contacts = append(p.Contacts, im.aliases...)
	if im.r.Script != nil || len(p.Handles)+len(p.Contacts)+len(p.Owner) == 0 {
		return nil
	}
	return im.a.store.NotePeople(ctx, p)
}
