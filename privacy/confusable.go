package privacy

import (
	"golang.org/x/text/unicode/norm"

	"github.com/mtibben/confusables"
)

// skeletons returns the forms by which a name is compared with those it may be
// mistaken for: UTS #39 skeletons of the name as written and of the name in
// lower case, both normalised. Two forms are needed because look-alikes differ
// by case: a capital I looks like a small l, a capital Cyrillic Ve like a Latin
// B, and neither does in the other case.
//
// The table is that of Unicode 13. A pair added to UTS #39 since then goes
// unnoticed, which costs a warning and opens nothing: the name stays unknown.
func skeletons(name string) []string {
	folded := NormalizeName(name)
	if folded == "" {
		return nil
	}
	lower := skeleton(folded)
	written := skeleton(norm.NFKC.String(removeIgnorable(name)))
	if written == lower || written == "" {
		return []string{lower}
	}
	return []string{lower, written}
}

func skeleton(s string) string {
	return NormalizeName(confusables.Skeleton(s))
}
