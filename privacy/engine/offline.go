package engine

import (
	"sync"

	"github.com/epagent/epagent/privacy"
)

// Offline implements every stage without network or model. It keeps nothing
// between calls but what it compiled from the last policy it saw. Safe for
// concurrent use.
type Offline struct {
	lessons  []Lesson
	mu       sync.Mutex
	policy   *privacy.Policy
	compiled *compiled
}

var (
	_ Annotator  = (*Offline)(nil)
	_ Excepter   = (*Offline)(nil)
	_ Coreferrer = (*Offline)(nil)
	_ UnitFinder = (*Offline)(nil)
	_ Projector  = (*Offline)(nil)
	_ Responder  = (*Offline)(nil)
	_ Guard      = (*Offline)(nil)
)

// NewOffline returns the offline stages with what evolution taught them. Lessons that
// are none are ignored; without any the stages do what they do by themselves
// (TestWithoutLessons).
func NewOffline(lessons ...Lesson) *Offline {
	return &Offline{lessons: goodLessons(lessons)}
}

// compiled is what the stages derive from a policy. It is not changed after it
// is built.
type compiled struct {
	classifier *classifier
	audience   *audience
}

// compile returns what the stages need of p, built once a policy.
func (o *Offline) compile(p *privacy.Policy) *compiled {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.compiled == nil || o.policy != p {
		o.policy, o.compiled = p, &compiled{classifier: newClassifier(p, o.lessons), audience: newAudience(p)}
	}
	return o.compiled
}
