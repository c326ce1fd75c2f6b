package privacy

// Verdict is the answer to "may this recipient know this?" with the reason for
// it. The zero value denies, unjudged.
type Verdict struct {
	Allow  bool   `json:"allow"`
	Reason Reason `json:"reason"`
}

func allow(r Reason) Verdict { return Verdict{Allow: true, Reason: r} }
func deny(r Reason) Verdict  { return Verdict{Reason: r} }

// UnitVerdict is the composite judgement on the facts of a query unit.
type UnitVerdict struct {
	Ceiling  Label     `json:"ceiling"`  // meet of the labels of all facts; L0 of none
	Allow    bool      `json:"allow"`    // every fact is allowed under the ceiling, and there is one
	Reason   Reason    `json:"reason"`   // of the unit as a whole, see [Judge.Unit]
	Verdicts []Verdict `json:"verdicts"` // one a fact, in the order asked
}

// combine folds verdicts into one: the first denial; else the weakest reason to
// allow; else empty.
func combine(verdicts []Verdict) Verdict {
	if len(verdicts) == 0 {
		return deny(ReasonEmpty)
	}
	out := verdicts[0]
	for _, v := range verdicts {
		if !v.Allow {
			return v
		}
		out = weaker(out, v)
	}
	return out
}

// weaker returns the one of two permissions that rests on less: default before
// whitelisted before owner. Reasons are declared from the strongest on.
func weaker(a, b Verdict) Verdict {
	if b.Reason > a.Reason {
		return b
	}
	return a
}
