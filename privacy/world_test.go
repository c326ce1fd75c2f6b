package privacy_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// world is a random policy with a store, kept as data so that a property can
// edit it and judge again.
type world struct {
	Groups     []worldGroup    `json:"groups"`
	People     []worldPerson   `json:"people"`
	Categories []worldCategory `json:"categories"`
	facts      []privacy.Fact

	Rules        []worldRule        `json:"rules"`
	Combinations []worldCombination `json:"combinations"`
}

type worldGroup struct {
	ID     string `json:"id"`
	Tier   int    `json:"tier"`
	Domain string `json:"domain"`
}

type worldPerson struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Groups  []string `json:"groups"`
}

type worldCategory struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Level  int    `json:"level"`
	Domain string `json:"domain,omitempty"`
}

type worldRule struct {
	ID       string   `json:"id"`
	Allow    []string `json:"allow"`
	Category string   `json:"category"`
}

type worldCombination struct {
	ID     string   `json:"id"`
	Of     []string `json:"of"`
	Level  int      `json:"level"`
	Domain string   `json:"domain,omitempty"`
}

var worldDomains = []string{"work", "life", "club"}

func (w *world) policy() *privacy.Policy {
	src, err := json.Marshal(map[string]any{
		"version": 1, "owner": map[string]string{"name": "Owner"}, "domains": worldDomains,
		"groups": w.Groups, "people": w.People, "categories": w.Categories,
		"rules": w.Rules, "combinations": w.Combinations,
	})
	if err != nil {
		panic(err)
	}
	p, err := privacy.Parse("world", src)
	if err != nil {
		panic(err)
	}
	return p
}

func (w *world) judge() *privacy.Judge { return privacy.NewJudge(w.policy(), w.facts) }

// clone copies w deeply enough for the edits of the properties.
func (w *world) clone() *world {
	c := &world{
		Groups:     slices.Clone(w.Groups),
		People:     slices.Clone(w.People),
		Categories: slices.Clone(w.Categories),
		facts:      slices.Clone(w.facts),

		Rules:        slices.Clone(w.Rules),
		Combinations: slices.Clone(w.Combinations),
	}
	for i := range c.facts {
		c.facts[i].Blacklist = slices.Clone(c.facts[i].Blacklist)
		c.facts[i].Reserved = slices.Clone(c.facts[i].Reserved)
	}
	return c
}

// recipients gives everybody, an unknown, the owner, and some under caps.
func recipients(p *privacy.Policy) []privacy.Recipient {
	out := []privacy.Recipient{{}, privacy.OwnerPrincipal(), privacy.OwnerPrincipal().Cap(2, true)}
	for _, x := range p.People() {
		r := p.Recipient(x.Name)
		out = append(out, r, r.Cap(2, true), r.Cap(3, false))
	}
	return out
}

func genWorld() *rapid.Generator[*world] {
	return rapid.Custom(func(t *rapid.T) *world {
		w := &world{}
		for i := range rapid.IntRange(1, 4).Draw(t, "groups") {
			w.Groups = append(w.Groups, worldGroup{
				ID: fmt.Sprintf("g%d", i), Tier: rapid.IntRange(1, 4).Draw(t, "tier"),
				Domain: rapid.SampledFrom(append([]string{"any"}, worldDomains...)).Draw(t, "domain"),
			})
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "people") {
			x := worldPerson{Name: fmt.Sprintf("Person %c", 'A'+i), Aliases: []string{fmt.Sprintf("p%d", i)}, Groups: []string{}}
			for _, g := range w.Groups {
				if rapid.IntRange(0, 2).Draw(t, "member") == 0 {
					x.Groups = append(x.Groups, g.ID)
				}
			}
			w.People = append(w.People, x)
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "categories") {
			id := fmt.Sprintf("c%d", i)
			w.Categories = append(w.Categories, worldCategory{
				ID: id, Name: id, Level: rapid.IntRange(0, 4).Draw(t, "level"),
				Domain: rapid.SampledFrom([]string{"", "", "work", "life"}).Draw(t, "category domain"),
			})
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "facts") {
			w.facts = append(w.facts, w.genFact(t, fmt.Sprintf("f%d", i)))
		}
		return w
	})
}

func (w *world) genFact(t *rapid.T, id string) privacy.Fact {
	f := privacy.Fact{
		ID:        privacy.FactID(id),
		Event:     privacy.EventID(rapid.SampledFrom([]string{"", "e1", "e1", "e2"}).Draw(t, "event")),
		Link:      rapid.SampledFrom([]privacy.Link{privacy.LinkEngine, privacy.LinkConfirmed}).Draw(t, "link"),
		Truth:     rapid.SampledFrom([]privacy.Truth{privacy.Cover, privacy.Real, privacy.Real}).Draw(t, "truth"),
		Trusted:   rapid.IntRange(0, 3).Draw(t, "trusted") > 0,
		Closed:    rapid.IntRange(0, 7).Draw(t, "closed") == 0,
		Whitelist: w.genParties(t, "whitelist"),
		Blacklist: w.genParties(t, "blacklist"),
		Reserved:  w.genParties(t, "reserved"),
	}
	if rapid.IntRange(0, 2).Draw(t, "told") == 0 {
		f.OwnWhitelist = w.genParties(t, "own whitelist")
	}
	for _, c := range w.Categories {
		if rapid.IntRange(0, 2).Draw(t, "has") == 0 {
			f.Categories = append(f.Categories, privacy.CategoryID(c.ID))
		}
	}
	if rapid.IntRange(0, 11).Draw(t, "undefined") == 0 {
		f.Categories = append(f.Categories, "undefined")
	}
	if rapid.IntRange(0, 3).Draw(t, "hand") == 0 {
		hand := genLabel().Draw(t, "hand label")
		f.Label = &hand
		if rapid.Bool().Draw(t, "was known") {
			was := genLabel().Draw(t, "label was")
			f.LabelWas = &was
		}
	}
	return f
}

// genParties draws few entries, so that each kind of verdict is common.
func (w *world) genParties(t *rapid.T, list string) []privacy.Party {
	if rapid.IntRange(0, 2).Draw(t, list) > 0 {
		return nil
	}
	return rapid.SliceOfN(w.genParty(), 1, 2).Draw(t, list)
}

func (w *world) genParty() *rapid.Generator[privacy.Party] {
	var all []privacy.Party
	for _, x := range w.People {
		all = append(all, privacy.Party(x.Name), privacy.Party(x.Aliases[0]))
	}
	for _, g := range w.Groups {
		all = append(all, privacy.GroupParty(privacy.GroupID(g.ID)))
	}
	return rapid.SampledFrom(append(all, "Nobody Here"))
}

func genLabel() *rapid.Generator[privacy.Label] {
	return rapid.Custom(func(t *rapid.T) privacy.Label {
		l := privacy.Label{
			Level:  privacy.Level(rapid.IntRange(0, 4).Draw(t, "level")),
			Domain: privacy.Domain(rapid.SampledFrom([]string{"", "work", "life"}).Draw(t, "domain")),
		}
		if l.Level == privacy.L0 {
			l.Domain = "" // L0 is for nobody in any domain
		}
		return l
	})
}
