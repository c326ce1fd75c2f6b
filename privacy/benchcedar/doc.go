// Package benchcedar measures the disclosure calculus beside cedar-go, a general
// engine for authorization, on the same decisions in the same run. It is a module
// of its own, so that the product doesn't depend on cedar-go:
//
//	cd privacy/benchcedar && go test -bench . -run Agree
//
// The comparison is of rates per decision and of nothing else. The Cedar side is
// what a careful user would write: people in groups as entities, what can be
// known before a request precomputed as attributes of the fact, and four policies
// for the rules. [Agree] holds that both sides decide every case alike. Both are
// compiled outside of the measured loop; Cedar answers with the policies that
// decided, ours with the reason.
package benchcedar
