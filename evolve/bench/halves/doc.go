// Package halves measures what evolution is worth: the failed items of one half of the
// benchmark's scripts teach the other half, and the other way round. Nothing is learned
// from a script that it is measured on.
//
// A half's failed items are diagnosed, candidates are proposed by rule, and each is tried
// at the gate over the teaching half alone ([Learn]). There are two forms: auto takes only
// what may be applied without the owner; approved takes what waits for the owner as well, where
// the gold labels, in the owner's place, have nothing against it: it lets nobody in, on
// any item of the teaching half, whom gold keeps out.
package halves
