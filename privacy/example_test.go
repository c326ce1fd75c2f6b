package privacy_test

import (
	"fmt"

	"github.com/epagent/epagent/privacy"
)

func Example() {
	policy, err := privacy.Parse("policy.yaml", []byte(`
version: 1
owner: {name: Lena}
groups:
  - {id: family, tier: 2, domain: life}
  - {id: office, tier: 2, domain: work}
people:
  - {name: Mum, groups: [family]}
  - {name: Jonas, groups: [office]}
categories:
  - {id: health, name: Health, level: 2, domain: life, description: "illness, doctors, recovery"}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := privacy.NewJudge(policy, []privacy.Fact{{
		ID:         "operation",
		Categories: []privacy.CategoryID{"health"},
		Truth:      privacy.Real,
		Trusted:    true,
	}})
	for _, name := range []string{"Mum", "Jonas", "a stranger"} {
		v := judge.VerdictOf("operation", policy.Recipient(name))
		fmt.Println(name, v.Allow, v.Reason)
	}
	// Output:
	// Mum true default
	// Jonas false cross_domain
	// a stranger false cross_domain
}

func ExampleJudge_Explain() {
	policy, err := privacy.Parse("policy.yaml", []byte(`
version: 1
owner: {name: Lena}
groups: [{id: friends, tier: 3, domain: life}]
people: [{name: Theo, groups: [friends]}]
categories: [{id: health, name: Health, level: 1, domain: life, description: illness}]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := privacy.NewJudge(policy, []privacy.Fact{{
		ID: "operation", Categories: []privacy.CategoryID{"health"}, Blacklist: []privacy.Party{"group:friends"},
	}})
	for _, step := range judge.Explain(0, policy.Recipient("Theo")).Steps {
		fmt.Printf("%-10s %s\n", step.Rule, step.Looked)
	}
	// Output:
	// owner      the connection is a listener's
	// blacklist  named by "group:friends"
}

func ExampleMeet() {
	work := privacy.Label{Level: privacy.L3, Domain: "work"}
	fmt.Println(privacy.Meet(work, privacy.Label{Level: privacy.L2}))
	fmt.Println(privacy.Meet(work, privacy.Label{Level: privacy.L3, Domain: "life"}))
	// Output:
	// L2/work
	// L0
}
