package ingest

import "github.com/epagent/epagent/privacy"

// owner knows which sender is the owner: who was named by the user, else who
// bears one of the owner's names, and nobody else.
type owner struct {
	names map[string]bool // normalised
	id    string
}

func newOwner(o Options) owner {
	w := owner{names: map[string]bool{}, id: o.SelfID}
	for _, name := range o.ownerNames() {
		if key := privacy.NormalizeName(name); key != "" {
			w.names[key] = true
		}
	}
	return w
}

// ownerNames are the names that stand for the owner in this source.
func (o Options) ownerNames() []string {
	switch {
	case o.Self != "":
		return []string{o.Self}
	case o.SelfID != "":
		return nil
	}
	return o.Owner
}

func (w owner) is(name, id string) bool {
	if w.id != "" && id != "" {
		return w.id == id
	}
	return w.names[privacy.NormalizeName(name)]
}
