package privacy

// Unit judges the facts whose connection a question asks for. Each is judged
// under the ceiling, the meet of the labels of all of them, in place of its own
// label; the unit may be told as a whole only if every fact is allowed. No facts
// at all are not disclosable, and an unknown id is unjudged and brings the
// ceiling down to L0. A subset of an allowed unit is allowed (TestUnitSubset).
//
// Reason is that of the first denial in the order of ids. Where all are allowed
// it is the weakest reason: default if any fact passes by its label, else
// whitelisted, or owner.
//
// Source: EP-Mem, arXiv 2609.35233, §B.1; CALCULUS, A query unit.
func (j *Judge) Unit(ids []FactID, r Recipient) UnitVerdict {
	u := UnitVerdict{Verdicts: make([]Verdict, len(ids))}
	for k, id := range ids {
		var own Label
		if i, ok := j.index[id]; ok && !j.marks[i].unjudged {
			own = j.labels[i]
		}
		if k == 0 {
			u.Ceiling = own
		} else {
			u.Ceiling = Meet(u.Ceiling, own)
		}
	}
	// A meet has the domain of one of its labels, so it has a number.
	domain := int32(j.domains[u.Ceiling.Domain])
	for k, id := range ids {
		if i, ok := j.index[id]; ok {
			u.Verdicts[k] = j.verdict(&j.marks[i], u.Ceiling.Level, domain, r)
		}
	}
	all := combine(u.Verdicts)
	u.Allow, u.Reason = all.Allow, all.Reason
	return u
}

// Audience judges the fact at i for one message that all of rs read: it may be
// told only if each of them may know it. The verdict is the first denial in the
// order of rs; where all are allowed, that of the weakest reason as in
// [Judge.Unit]. A message to nobody tells nothing: empty.
//
// Source: CALCULUS, Several recipients of one message.
func (j *Judge) Audience(i int, rs []Recipient) Verdict {
	if !j.inside(i) {
		return deny(ReasonUnjudged)
	}
	out := deny(ReasonEmpty)
	for k, r := range rs {
		v := j.Verdict(i, r)
		switch {
		case !v.Allow:
			return v
		case k == 0:
			out = v
		default:
			out = weaker(out, v)
		}
	}
	return out
}
