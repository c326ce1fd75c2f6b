package privacy

import (
	"strings"
)

type claimKind uint8

const (
	personClaim claimKind = iota
	ownerClaim
	removedClaim
)

// claim is who bears a name. Each name of the file, ids of people included, has
// one claim, since a mark may refer to a person by any of them.
type claim struct {
	kind   claimKind
	number int32  // of the person, or index of the removed one
	name   string // main name of the bearer
	line   int
}

// is reports whether c and d are the same bearer.
func (c claim) is(d claim) bool { return c.kind == d.kind && c.number == d.number }

// String describes the bearer for messages.
func (c claim) String() string {
	switch c.kind {
	case ownerClaim:
		return "the owner"
	case removedClaim:
		return "removed " + c.name
	default:
		return c.name
	}
}

// claimAll claims the name that was read of an object, and its aliases, for a
// bearer. It returns the aliases as written.
func (l *loader) claimAll(o object, name string, who claim) []string {
	var aliases []string
	l.claim(name, o.lineOf("name"), who)
	for _, w := range l.words(o, "aliases") {
		aliases = append(aliases, w.text)
		if had, ok := l.names[NormalizeName(w.text)]; ok && had.is(who) {
			l.warn(w.line, "remove it", "alias %q of %s is a name of theirs already", w.text, o.place)
		}
		l.claim(w.text, w.line, who)
	}
	return aliases
}

// claim notes that a name is who's, unless it can't be a name or is another's.
func (l *loader) claim(name string, at int, who claim) {
	key := NormalizeName(name)
	switch {
	case key == "":
		if strings.TrimSpace(name) != "" {
			l.fault(at, "write a name with letters", "nothing of the name %+q can be seen", name)
		}
		return
	case strings.HasPrefix(key, groupPrefix) || strings.HasPrefix(key, "$"):
		l.fault(at, "take another name", "%q can't be a name: group: and $ have a meaning in lists", name)
		return
	}
	if had, ok := l.names[key]; ok {
		if !had.is(who) {
			l.clash(name, at, had, who)
		}
		return
	}
	who.line = at
	l.names[key] = who
	switch who.kind {
	case personClaim:
		l.p.persons[key] = who.number
	case ownerClaim:
		l.p.ownerNames[key] = true
	case removedClaim:
		return // nobody can be mistaken for somebody who isn't there
	}
	l.lookalike(name, at, who)
}

func (l *loader) clash(name string, at int, had, who claim) {
	remedy := "names and aliases must differ: add a surname, or drop the alias of one"
	if had.kind == removedClaim || who.kind == removedClaim {
		remedy = "a removed person's names stay reserved: take another name"
	}
	l.fault(at, remedy, "%q names both %s (line %d) and %s", name, had, had.line, who)
}

// lookalike notes the skeletons of a name, and warns of one that looks like
// another bearer's.
func (l *loader) lookalike(name string, at int, who claim) {
	number := who.number
	if who.kind == ownerClaim {
		number = 0
	}
	for _, form := range skeletons(name) {
		had, ok := l.p.lookalikes[form]
		if !ok {
			l.p.lookalikes[form] = namedPerson{name: name, number: number}
			continue
		}
		if had.number != number {
			l.warn(at, "add a surname to one of them", "%+q can be mistaken for %+q", name, had.name)
			return
		}
	}
}
