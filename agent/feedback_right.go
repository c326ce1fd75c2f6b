package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// The words by which an owner says that something is no fact.
var noFactWords = []string{"no fact", "not a fact", "nofact", "nothing", "none", "不是事实", "没有"}

// SaysNoFact reports whether what would have been right is that it is no fact.
func SaysNoFact(expected string) bool {
	return slices.Contains(noFactWords, strings.ToLower(strings.TrimSpace(expected)))
}

// ownEventWords are the words by which an owner says that a fact is of no event with others.
var ownEventWords = []string{"its own", "its own event", "own", "alone", "none", "no event", "单独", "独立", "无"}

// SaysOwnEvent reports whether what would have been right is that a fact is of no event
// with others.
func SaysOwnEvent(expected string) bool {
	return slices.Contains(ownEventWords, strings.ToLower(strings.TrimSpace(expected)))
}

// checkExpectedEvent refuses what names no event of the home where an event is wrong: it
// would teach nothing, and say nothing of it.
func (w *world) checkExpectedEvent(req *FeedbackRequest) error {
	expected := strings.TrimSpace(req.Expected)
	if req.Kind != "wrong-event" || expected == "" || SaysOwnEvent(expected) || expected == string(OwnEvent(req.Fact)) {
		return nil
	}
	if _, ok := w.fact(privacy.FactID(expected)); ok || len(w.byEvent[privacy.EventID(expected)]) > 0 {
		return nil
	}
	return badFeedback("expected %q is no event or fact here; want the id of an event, or of a fact of it, or \"its own\"; what else there is to say goes into the note", clipped(expected))
}

// CategoriesNamed reads categories by id or name, with commas between; false where one of
// them isn't there, since the rest alone may be looser than what is right.
func CategoriesNamed(p *privacy.Policy, expected string) ([]privacy.CategoryID, bool) {
	var found []privacy.CategoryID
	for _, part := range strings.FieldsFunc(expected, func(r rune) bool { return strings.ContainsRune(",;、，；", r) }) {
		id, ok := categoryNamed(p, part)
		if !ok {
			return nil, false
		}
		found = append(found, id)
	}
	return found, len(found) > 0
}

func categoryNamed(p *privacy.Policy, text string) (privacy.CategoryID, bool) {
	key := privacy.NormalizeName(text)
	for _, c := range p.Categories() {
		if privacy.NormalizeName(string(c.ID)) == key || privacy.NormalizeName(c.Name) == key {
			return c.ID, true
		}
	}
	return "", false
}

// checkExpected refuses what names nothing of the policy where a category is wrong: it
// would teach nothing, and say nothing of it.
func checkExpected(p *privacy.Policy, req *FeedbackRequest) error {
	expected := strings.TrimSpace(req.Expected)
	if req.Kind != "wrong-category" || expected == "" || SaysNoFact(expected) {
		return nil
	}
	if _, err := ParseLabel(expected, p); err == nil {
		return nil
	}
	if _, ok := CategoriesNamed(p, expected); ok {
		return nil
	}
	const shown = 40
	var ids []string
	for _, c := range p.Categories() {
		ids = append(ids, string(c.ID))
	}
	if more := len(ids) - shown; more > 0 {
		ids = append(ids[:shown], fmt.Sprintf("%d more", more))
	}
	want := "a label such as L1, or \"no fact\""
	if len(ids) > 0 {
		want = "one or more of " + strings.Join(ids, ", ") + ", " + want
	}
	return badFeedback("expected %q is no category or label of the policy; want %s", clipped(expected), want)
}
