package ingest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// owner knows which sender is the owner: who was named by the user, else who
// bears one of the owner's names, and nobody else. Anybody can call an account as
// the owner is called. Where senders have ids, a name tells only as long as one
// account bears it and no other is known as the owner's; see contested.
type owner struct {
	given    bool            // the user has named the owner for this source
	names    map[string]bool // normalised
	id       map[string]bool // that the user gave
	ids      map[string]bool // of earlier sources
	by       map[string]bool // names of earlier sources: they count only where an id doesn't tell
	own      map[string]bool // mail addresses and numbers among the owner's names, normalised
	known    map[string]bool // ids of earlier sources with a name that counts here
	accounts map[string]bool // ids that bore such a name in earlier sources
	not      map[string]bool // ids with one of the owner's names that aren't the owner

	claims map[string]string // ids that a name made the owner, with the name
	also   map[string]string // ids whose other names are the owner's
	sure   map[string]bool   // ids that the source or the user says are the owner's
	found  bool              // somebody whom the user named
}

func newOwner(o Options, format string) owner {
	w := owner{
		given: o.Self != "" || o.SelfID != "", names: map[string]bool{}, id: map[string]bool{}, ids: map[string]bool{}, by: map[string]bool{},
		own: map[string]bool{}, known: map[string]bool{}, accounts: map[string]bool{}, not: map[string]bool{},
		claims: map[string]string{}, also: map[string]string{}, sure: map[string]bool{},
	}
	for _, id := range o.selfIDs() {
		w.id[id] = true
	}
	for _, name := range o.ownerNames() {
		if key := privacy.NormalizeName(name); key != "" {
			w.names[key] = true
		}
	}
	for _, name := range o.Owner {
		if key := privacy.NormalizeName(name); addressLike(name) {
			w.own[key] = true
		}
	}
	for _, k := range o.Known {
		switch {
		case k.Format != format:
		case k.ID != "":
			w.ids[k.ID] = true
			if o.Self == "" || w.names[privacy.NormalizeName(bare(k.Name, k.ID))] {
				w.known[k.ID] = true
			}
		case !w.given:
			w.by[privacy.NormalizeName(k.Name)] = true
		}
	}
	for _, a := range o.Accounts {
		if name := privacy.NormalizeName(bare(a.Name, a.ID)); a.Format == format && a.ID != "" && (w.names[name] || w.by[name]) {
			w.accounts[a.ID] = true
		}
	}
	return w
}

// bare is a name without the id that tells two of that name apart.
func bare(name, id string) string { return strings.TrimSuffix(name, " ("+id+")") }

// addressLike reports whether a name is a mail address or a telephone number, which
// nobody else can bear.
func addressLike(s string) bool { return strings.Contains(s, "@") || strings.HasPrefix(s, "+") }

// selfIDs are the ids that the user gave, with commas between several.
func (o Options) selfIDs() []string {
	var out []string
	for id := range strings.SplitSeq(o.SelfID, ",") {
		if id = strings.TrimSpace(id); id != "" {
			out = append(out, id)
		}
	}
	return out
}

// selfAddress reports whether a mail address is an id that the user gave.
func (o Options) selfAddress(address string) bool {
	return address != "" && slices.ContainsFunc(o.selfIDs(), func(id string) bool { return strings.EqualFold(id, address) })
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

// is reports whether a sender is the owner, and notes who is so by name alone.
func (w *owner) is(name, id string) bool {
	key := privacy.NormalizeName(name)
	if id == "" {
		is := w.names[key] || w.by[key] && key != ""
		w.found = w.found || is
		return is
	}
	if w.id[id] || w.ids[id] || addressLike(id) && w.own[privacy.NormalizeName(id)] || w.names[privacy.NormalizeName(name+" ("+id+")")] {
		w.sure[id] = true
		w.found = w.found || w.id[id] || w.names[key] || w.names[privacy.NormalizeName(name+" ("+id+")")]
		return true
	}
	if len(w.id) > 0 || !w.names[key] && !(w.by[key] && key != "") {
		return false
	}
	w.found = true
	w.claims[id] = name
	return !w.not[id]
}

// bears notes a further name of an account: one that isn't shown, or of somebody who
// doesn't speak.
func (w *owner) bears(name, id string) {
	if key := privacy.NormalizeName(name); id != "" && w.names[key] && len(w.also) < 1<<10 {
		w.also[strings.Clone(id)] = strings.Clone(name)
	}
}

// contested are the ids that one of the owner's names made the owner although
// another account is known to be, or bears it, too. None is taken by name then, save
// one that alone bore it in earlier sources.
func (w *owner) contested() map[string]bool {
	bearers := map[string]bool{}
	for id := range w.claims {
		bearers[id] = true
	}
	for id := range w.also {
		bearers[id] = true
	}
	sure := len(w.sure) > 0 && (!w.given || slices.ContainsFunc(keys(bearers), func(id string) bool { return w.sure[id] }))
	out := map[string]bool{}
	for id := range w.claims {
		switch {
		case w.sure[id]:
		case sure || len(w.known) > 0, len(w.accounts) > 1, len(w.accounts) == 1 && !w.accounts[id], len(w.accounts) == 0 && len(bearers) > 1:
			out[id] = true
		}
	}
	return out
}

// doubt says what of the owner is in doubt, for the report; "" nothing is.
func (w *owner) doubt() []string {
	var out []string
	if len(w.not) > 0 {
		const most = 10
		var list []string
		for _, id := range keys(w.not) {
			if name := w.claims[id]; name != "" {
				list = append(list, fmt.Sprintf("%q (%s)", name, id))
			}
		}
		for _, id := range keys(w.also) {
			if w.claims[id] == "" && !w.sure[id] {
				list = append(list, fmt.Sprintf("%q (%s)", w.also[id], id))
			}
		}
		if len(list) > most {
			list = append(list[:most], fmt.Sprintf("and %d more", len(list)-most))
		}
		out = append(out, "self_unclear: accounts that bear a name of yours, and a name alone doesn't tell which is yours: "+
			strings.Join(list, ", ")+"; what they say isn't taken as your words; --me-id ID says which you are")
	}
	return out
}

// unfound says that nobody is whom the user named, "" if somebody is.
func (o Options) unfound(w *owner) string {
	switch {
	case !w.given || w.found:
		return ""
	case o.SelfID != "":
		return fmt.Sprintf("me_unknown: nobody in it has the id %s", o.SelfID)
	}
	return fmt.Sprintf("me_unknown: nobody in it is called %s", o.Self)
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
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
