package evolve

import (
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// rightOf reads what the owner said would have been right: ids or names of categories, a
// label, or that it is no fact. Anything else is kept as text, and compared with nothing.
func rightOf(p *privacy.Policy, f *memory.Feedback) Right {
	r := Right{Text: f.Expected}
	expected := strings.TrimSpace(f.Expected)
	switch kind := agent.FeedbackKind(f.Kind); {
	case kind == "invented", agent.SaysNoFact(expected):
		r.NotFact = kind == "invented" || kind == "wrong-category"
		return r
	case expected == "", kind == "wrong-event": // see [Home.rightEvent]
		return r
	}
	if label, err := agent.ParseLabel(expected, p); err == nil {
		r.Label = &label
		return r
	}
	r.Categories, _ = agent.CategoriesNamed(p, expected)
	return r
}

// labelOf is the label of categories together: the meet of theirs. Of none, or of one
// that the policy doesn't have, it is L0.
func labelOf(p *privacy.Policy, ids []privacy.CategoryID) privacy.Label {
	if len(ids) == 0 {
		return privacy.Label{}
	}
	out := privacy.Label{Level: privacy.L4}
	for _, id := range ids {
		c, ok := p.Category(id)
		if !ok {
			return privacy.Label{}
		}
		out = privacy.Meet(out, c.Label())
	}
	return out
}

// label is the label that is right, and whether one is known.
func (r Right) label(p *privacy.Policy) (privacy.Label, bool) {
	switch {
	case r.Label != nil:
		return *r.Label, true
	case len(r.Categories) > 0:
		return labelOf(p, r.Categories), true
	}
	return privacy.Label{}, false
}
