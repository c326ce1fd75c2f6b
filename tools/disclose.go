package tools

import (
	"context"
	"fmt"

	"github.com/epagent/epagent/agent"
)

type discloseIn struct {
	Question string   `json:"question" jsonschema:"minLength=1,maxLength=8192" jsonschema_description:"What they ask, in their words"`
	To       []string `json:"to" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Everybody who will read the answer"`
	Preview  bool     `json:"preview,omitempty" jsonschema_description:"Only show the owner; record nothing"`
}

type discloseOut struct {
	Answer    string   `json:"answer" jsonschema_description:"The only part that the readers may see"`
	Action    string   `json:"action" jsonschema:"enum=answer,enum=deflect"`
	To        []string `json:"to" jsonschema_extras:"minor=true"`
	FactsTold []string `json:"facts_told" jsonschema_description:"Ids of the facts in the answer"`
	Recorded  bool     `json:"recorded" jsonschema_description:"True: the ledger has it as told"`
}

func discloseTool(verbs Verbs) tool[discloseIn, discloseOut] {
	return tool[discloseIn, discloseOut]{
		name: "disclose",
		description: "Answer a question for other people from what all of them may know, and record it as told. " +
			"Pass on the answer word for word and add nothing from elsewhere.",
		hints: hints{},
		run: func(ctx context.Context, in discloseIn) (discloseOut, string, error) {
			to, err := readers(ctx, verbs, in.To)
			if err != nil {
				return discloseOut{}, "", err
			}
			got, err := verbs.Disclose(ctx, agent.DiscloseRequest{Question: in.Question, To: to, Preview: in.Preview})
			if err != nil {
				return discloseOut{}, "", err
			}
			if len(got.Answer) > maxBytes {
				return discloseOut{}, "", publicf("the answer is %d bytes, and the limit is %d; ask for less at a time", len(got.Answer), maxBytes)
			}
			out := discloseOut{
				Answer: got.Answer, Action: string(got.Action), To: words(got.To),
				FactsTold: words(got.FactsTold), Recorded: got.Ledger != 0,
			}
			return out, out.text(), nil
		},
	}
}

func (o *discloseOut) text() string {
	state := "recorded as told"
	if !o.Recorded {
		state = "a preview, not recorded"
	}
	return fmt.Sprintf("For %s (%s):\n%s", list(o.To), state, o.Answer)
}
