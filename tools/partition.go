package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

type partitionIn struct {
	Topic  string   `json:"topic,omitempty" jsonschema:"minLength=1,maxLength=8192" jsonschema_description:"This or facts"`
	Facts  []string `json:"facts,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Ids of facts, from recall"`
	People []string `json:"people,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Default: everybody in the policy"`
}

type partitionOut struct {
	Facts   []partitionFact   `json:"facts"`
	Ceiling string            `json:"ceiling" jsonschema_description:"Label of all the facts together"`
	People  []partitionPerson `json:"people"`
	More    bool              `json:"more" jsonschema_description:"True: there are, or may be, more facts or people than listed"`
}

type partitionFact struct {
	ID    string `json:"id"`
	Text  string `json:"text" jsonschema_extras:"minor=true"`
	Cut   bool   `json:"cut,omitempty" jsonschema_extras:"minor=true"`
	Label string `json:"label"`
}

type partitionPerson struct {
	Name     string             `json:"name"`
	All      bool               `json:"all" jsonschema_description:"True: may be told all the facts together, and their connection"`
	Reason   string             `json:"reason"`
	Verdicts []partitionVerdict `json:"verdicts" jsonschema_description:"Each fact on its own"`
}

type partitionVerdict struct {
	Fact   string `json:"fact"`
	Allow  bool   `json:"allow"`
	Reason string `json:"reason"`
}

func partitionTool(verbs Verbs) tool[partitionIn, partitionOut] {
	return tool[partitionIn, partitionOut]{
		name: "partition",
		description: "Table of people and facts for the owner: who may be told which facts about a topic, why or why not, " +
			"and who may be told all of them together. Tells nobody anything.",
		hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, in partitionIn) (partitionOut, string, error) {
			if (in.Topic == "") == (len(in.Facts) == 0) {
				return partitionOut{}, "", publicf("give either argument \"topic\" or argument \"facts\"")
			}
			req := agent.PartitionRequest{Topic: in.Topic, People: in.People, Limit: maxPartitionFacts}
			for _, id := range in.Facts {
				req.Facts = append(req.Facts, privacy.FactID(id))
			}
			got, err := verbs.Partition(ctx, req)
			if err != nil {
				return partitionOut{}, "", err
			}
			out := partitioned(got)
			out.More = out.More || len(in.Facts) == 0 && len(got.Facts) == maxPartitionFacts
			return out, out.text(), nil
		},
	}
}

// partitioned bounds the table by its rows: every column of the composite verdict
// stays, with a long text cut.
func partitioned(got *agent.Partition) partitionOut {
	out := partitionOut{Facts: []partitionFact{}, Ceiling: got.Ceiling.String(), People: []partitionPerson{}}
	for _, fact := range got.Facts {
		out.Facts = append(out.Facts, partitionFact{
			ID: string(fact.ID), Text: clip(fact.Text, maxColumn), Cut: len(fact.Text) > maxColumn, Label: fact.Label.String(),
		})
	}
	for _, person := range got.People {
		if len(out.People) == maxItems {
			out.More = true
			break
		}
		row := partitionPerson{
			Name: person.Name, All: person.All.Allow, Reason: person.All.Reason.String(), Verdicts: []partitionVerdict{},
		}
		for _, v := range person.Verdicts {
			row.Verdicts = append(row.Verdicts, partitionVerdict{Fact: string(v.Fact), Allow: v.Allow, Reason: v.Reason.String()})
		}
		out.People = append(out.People, row)
	}
	return out
}

func (o *partitionOut) text() string {
	if len(o.Facts) == 0 {
		return "No facts found."
	}
	var b strings.Builder
	for i, fact := range o.Facts {
		fmt.Fprintf(&b, "%d. %s [%s] %q\n", i+1, fact.ID, fact.Label, fact.Text)
	}
	fmt.Fprintf(&b, "Together: %s", o.Ceiling)
	for _, person := range o.People {
		var may []string
		for i, v := range person.Verdicts {
			if v.Allow {
				may = append(may, strconv.Itoa(i+1))
			}
		}
		all := "not together"
		if person.All {
			all = "all together"
		}
		if len(may) == 0 {
			may = []string{"none"}
		}
		fmt.Fprintf(&b, "\n- %s: %s; %s (%s)", person.Name, list(may), all, person.Reason)
	}
	if o.More {
		b.WriteString("\nThere may be more.")
	}
	return b.String()
}
