package privacy

// gate is the default gate: whether somebody passes a label whose level is k,
// given the closest tier among those positions of theirs whose domain is
// compatible with the label's. closest 0 says that no position is compatible.
// This is the one place where a tier is compared with a level.
//
// A person without any position passes (4, none) and nothing else, as if they
// stood at tier 4 with no domain to be compatible with any domain but none; see
// [Judge] for how closest is filled. Source: EP-Mem, arXiv 2609.35233, §B.1;
// CALCULUS, Default gate.
func gate(k Level, closest Tier) Verdict {
	switch {
	case k == L0 || !k.Valid():
		return deny(ReasonLevel0)
	case closest == 0:
		return deny(ReasonCrossDomain)
	case uint8(closest) <= uint8(k):
		return allow(ReasonDefault)
	default:
		return deny(ReasonDeeper)
	}
}

// normalLabel gives the label in the form that Meet returns: L0 has no domain,
// and what is no level is L0.
func normalLabel(l Label) Label {
	if l.Level == L0 || !l.Level.Valid() {
		return Label{}
	}
	return l
}

// strict reports whether a is at least as strict as b: whoever passes the
// default gate of a passes that of b.
func strict(a, b Label) bool { return Meet(a, b) == a }
