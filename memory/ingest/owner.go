package ingest

import "github.com/epagent/epagent/privacy"

// owner knows which sender is the owner: who was named by the user, and nobody
// else.
type owner struct {
	name string // normalised; "" not told
	id   string
}

func newOwner(o Options) owner {
	return owner{name: privacy.NormalizeName(o.Self), id: o.SelfID}
}

func (w owner) is(name, id string) bool {
	if w.id != "" && id != "" {
		return w.id == id
	}
	return w.name != "" && privacy.NormalizeName(name) == w.name
}
