package benchcedar

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/epagent/epagent/privacy"
)

// Town is a policy and a store of facts to judge.
type Town struct {
	Policy *privacy.Policy
	Facts  []privacy.Fact
}

const (
	townGroups     = 12
	townCategories = 20
)

// NewTown makes a town that is the same for the same sizes. All links are
// confirmed, so that lending needs no labels and is easy to state in Cedar.
func NewTown(people, facts int) (Town, error) {
	rng := rand.New(rand.NewPCG(3, 5))
	domains := []string{"any", "work", "life"}
	var groups, persons, categories []map[string]any
	for i := range townGroups {
		groups = append(groups, map[string]any{"id": fmt.Sprintf("g%d", i), "tier": 1 + i%4, "domain": domains[i%3]})
	}
	for i := range people {
		in := []string{}
		for g := range townGroups {
			if rng.IntN(8) == 0 {
				in = append(in, fmt.Sprintf("g%d", g))
			}
		}
		persons = append(persons, map[string]any{"name": fmt.Sprintf("Person %d", i), "groups": in})
	}
	for i := range townCategories {
		c := map[string]any{"id": fmt.Sprintf("c%d", i), "name": fmt.Sprint(i), "level": i % 5, "description": "…"}
		if d := domains[i%3]; d != "any" {
			c["domain"] = d
		}
		categories = append(categories, c)
	}
	src, err := json.Marshal(map[string]any{
		"version": 1, "owner": map[string]string{"name": "Owner"},
		"groups": groups, "people": persons, "categories": categories,
	})
	if err != nil {
		return Town{}, err
	}
	policy, err := privacy.Parse("town", src)
	if err != nil {
		return Town{}, err
	}
	party := func() privacy.Party {
		if rng.IntN(4) == 0 {
			return privacy.GroupParty(privacy.GroupID(fmt.Sprintf("g%d", rng.IntN(townGroups))))
		}
		return privacy.Party(fmt.Sprintf("Person %d", rng.IntN(people)))
	}
	store := make([]privacy.Fact, facts)
	for i := range store {
		f := privacy.Fact{
			ID: privacy.FactID(fmt.Sprintf("f%d", i)), Event: privacy.EventID(fmt.Sprintf("e%d", i/3)),
			Link: privacy.LinkConfirmed, Truth: privacy.Truth(min(rng.IntN(10), 1)), Trusted: rng.IntN(10) > 0,
			Closed: rng.IntN(20) == 0,
		}
		for range 1 + rng.IntN(2) {
			f.Categories = append(f.Categories, privacy.CategoryID(fmt.Sprintf("c%d", rng.IntN(townCategories))))
		}
		if rng.IntN(3) == 0 {
			f.Whitelist = []privacy.Party{party(), party()}
		}
		if rng.IntN(5) == 0 {
			f.Blacklist = []privacy.Party{party()}
		}
		if rng.IntN(10) == 0 {
			f.Reserved = []privacy.Party{party()}
		}
		store[i] = f
	}
	return Town{Policy: policy, Facts: store}, nil
}
