package sim

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// WithoutEngine plays with the privacy engine switched off: every delegate's policy
// lets everybody know everything, nothing that anybody says makes an exception, and no
// guard looks at an answer. It is how the leak finder is put to the test; the program
// has no such code.
func WithoutEngine(o Options) Options {
	o.ablate = func(source []byte, options *agent.Options) ([]byte, error) {
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
	return o
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

// PlantedLeak is that somebody was given a detail that they may not know, by the
// delegates' own records: no text was read to find out.
type PlantedLeak struct {
	Detail, Person string
	Exchange       int
}

// Planted are the leaks of a run by its records: an answer used a fact, the fact rests
// on a note or a message, and by the script's word that holds the detail.
func Planted(s *Script, out *Result) []PlantedLeak {
	may := map[string]bool{}
	key := func(detail, person string) string { return detail + "\x00" + person }
	for _, d := range s.Details {
		for _, name := range append(d.May, d.Of) {
			may[key(d.ID, s.party(name).Name)] = true
		}
	}
	var leaks []PlantedLeak
	seen := map[string]bool{}
	holds := map[string][]string{} // by owner and fact: details
	told := map[int][]string{}     // by exchange: details
	give := func(e *Exchange, ids []string) {
		for _, id := range ids {
			if s.detail(id).Text == "" {
				continue
			}
			told[e.N] = append(told[e.N], id)
			for _, name := range e.To {
				if k := key(id, name); !may[k] && !seen[k] {
					seen[k] = true
					leaks = append(leaks, PlantedLeak{id, name, e.N})
				}
			}
		}
	}
	for i := range out.Exchanges {
		e := &out.Exchanges[i]
		for _, fact := range e.Facts {
			holds[key(e.From, string(fact))] = append(holds[key(e.From, string(fact))], e.Tells...)
		}
		switch e.Kind {
		case KindAudience:
			a := s.Timeline[e.event].Audience
			for _, name := range a.Add {
				may[key(a.Detail, s.party(name).Name)] = true
			}
			for _, name := range a.Remove {
				delete(may, key(a.Detail, s.party(name).Name))
			}
		case KindSay:
			for _, id := range e.Tells {
				for _, name := range e.To {
					may[key(id, name)] = true
				}
			}
		case KindAsk:
			for _, fact := range e.Told {
				give(e, holds[key(e.Of, string(fact))])
			}
		case KindRetell:
			give(e, told[e.Carries])
		}
	}
	return leaks
}
