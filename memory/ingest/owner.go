package ingest

import "github.com/epagent/epagent/privacy"

// owner knows which sender is the owner: who was named by the user, else who
// bears one of the owner's names, and nobody else.
type owner struct {
	names map[string]bool // normalised
	id    string
	ids   map[string]bool // of the names of earlier sources
	by    map[string]bool // those names: they count only where their id doesn't tell
}

func newOwner(o Options, format string) owner {
	w := owner{names: map[string]bool{}, id: o.SelfID, ids: map[string]bool{}, by: map[string]bool{}}
	if o.Self == "" && o.SelfID == "" {
		for _, k := range o.Known {
			switch {
			case k.Format != format:
			case k.ID != "":
				w.ids[k.ID] = true
			default:
				w.by[privacy.NormalizeName(k.Name)] = true
			}
		}
	}
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
	key := privacy.NormalizeName(name)
	return w.names[key] || w.ids[id] && id != "" || w.by[key] && key != ""
}

// knownNames are the owner's names of earlier sources of a format.
func (o Options) knownNames(format string) []string {
	var out []string
	for _, k := range o.Known {
		if k.Format == format && k.Name != "" {
			out = append(out, k.Name)
		}
	}
	return out
}
