package privacy

import "slices"

// Removal returns the edits that take a person out together with the rules that
// name them: a rule for them alone, or about facts that mention them, goes; from
// one for several they are left out. What else names them, a category or a circle,
// is for the owner to decide, and the edits are refused until then.
func (p *Policy) Removal(person string) []Edit {
	n := p.number(person)
	if n == 0 {
		return []Edit{RemovePerson{person}}
	}
	id := p.people[n-1].ID
	var out []Edit
	for _, r := range p.rules {
		names := func(party Party) bool {
			_, group := party.Group()
			return !group && p.number(string(party)) == n
		}
		if r.Mentions != id && !slices.ContainsFunc(r.Parties(), names) {
			continue
		}
		out = append(out, RemoveRule{ID: r.ID})
		rest := r.clone()
		rest.Allow, rest.Deny = slices.DeleteFunc(rest.Allow, names), slices.DeleteFunc(rest.Deny, names)
		if r.Mentions != id && len(rest.Parties()) > 0 {
			if r.ID == r.contentID() {
				rest.ID = "" // the file gave none
			}
			out = append(out, AddRule{rest})
		}
	}
	return append(out, RemovePerson{person})
}
