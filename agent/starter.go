package agent

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/epagent/epagent/privacy"
)

//go:embed starter.yaml.tmpl
var starterTemplate string

// Starter is what a starter policy is made from. The zero value gives the defaults.
type Starter struct {
	Name     string // default "Me"
	Aliases  []string
	Language string // default "en"
	People   []StarterPerson
}

// StarterPerson is somebody close, in one of StarterGroups.
type StarterPerson struct {
	Name  string
	Group string
}

// Policy writes the starter policy: commented YAML that loads without a problem. A
// name that can't be, or a group that isn't there, is an error that says so.
func (s Starter) Policy() ([]byte, error) {
	if strings.TrimSpace(s.Name) == "" {
		s.Name = "Me"
	}
	if s.Language == "" {
		s.Language = "en"
	}
	source, err := s.render()
	if err != nil {
		return nil, err
	}
	if len(s.People) > 0 {
		groups := StarterGroups()
		for _, p := range s.People {
			if !slices.Contains(groups, p.Group) {
				return nil, fmt.Errorf("%q: there is no group %q in the starter policy; one of %s", p.Name, p.Group, strings.Join(groups, ", "))
			}
		}
	}
	if _, err := privacy.Parse(PolicyFile, source); err != nil {
		return nil, fmt.Errorf("starter policy: %w", err)
	}
	return source, nil
}

// StarterGroups returns the ids of the starter policy's groups.
func StarterGroups() []string {
	source, err := Starter{Name: "Me", Language: "en"}.render()
	if err != nil {
		return nil
	}
	policy, err := privacy.Parse(PolicyFile, source)
	if err != nil {
		return nil
	}
	var ids []string
	for _, g := range policy.Groups() {
		ids = append(ids, string(g.ID))
	}
	return ids
}

func (s Starter) render() ([]byte, error) {
	// A double-quoted Go string of printable text is a YAML string too.
	t, err := template.New("starter").Option("missingkey=error").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(starterTemplate)
	if err != nil {
		return nil, fmt.Errorf("starter policy: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, s); err != nil {
		return nil, fmt.Errorf("starter policy: %w", err)
	}
	return out.Bytes(), nil
}
