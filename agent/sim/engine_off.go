package sim

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// engineOff makes of a delegate's policy and options those without the privacy engine:
// the policy lets everybody know everything, nothing that anybody says makes an
// exception, and no guard looks at an answer. It is how the leak finder is put to the
// test on a script: what is asked for is told, and who may not know it must be found.
// It makes homes of a simulation alone; no agent has such a switch.
func engineOff(source []byte, options *agent.Options) ([]byte, error) {
	options.Stages.Annotator, options.Stages.Excepter, options.Stages.Guard = open4{}, open4{}, open4{}
	p, err := privacy.Parse(agent.PolicyFile, source)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	owner := p.Owner()
	fmt.Fprintf(&b, "version: 1\nowner: {name: %q, aliases: [%s], language: %s}\n", owner.Name, quoteAll(owner.Aliases), owner.Language)
	b.WriteString("groups: [{id: all, tier: 4, description: everybody}]\npeople:\n")
	for _, person := range p.People() {
		fmt.Fprintf(&b, "  - {name: %q, aliases: [%s], groups: [all]}\n", person.Name, quoteAll(person.Aliases))
	}
	b.WriteString("categories: [{id: open, name: Everything, level: 4, description: everything, examples: [everything]}]\nsettings: {untrusted: gate}\n")
	return []byte(b.String()), nil
}

func quoteAll(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return strings.Join(out, ", ")
}

// open4 are stages that put everything into the one category, except nothing, and stop
// nothing.
type open4 struct{}

func (open4) Annotate(_ context.Context, _ *privacy.Policy, s engine.Session, _ []engine.Exemplar) ([][]privacy.Mark, error) {
	out := make([][]privacy.Mark, len(s.Drafts))
	for i := range out {
		out[i] = []privacy.Mark{
			{Kind: privacy.MarkCategory, Value: "open", By: privacy.ByMachine, Score: 1},
			{Kind: privacy.MarkTruth, Value: privacy.Real.String(), By: privacy.ByMachine, Score: 1},
			{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByMachine, Score: 1},
		}
	}
	return out, nil
}

func (open4) Exceptions(_ context.Context, _ *privacy.Policy, s engine.Session) ([][]privacy.Mark, []privacy.EventRule, error) {
	return make([][]privacy.Mark, len(s.Drafts)), nil, nil
}

func (open4) Check(context.Context, engine.Outgoing) ([]engine.Leak, error) { return nil, nil }
