package privacy_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
)

// TestGuide holds the snippets of the policy guide against the policy of its
// story: they load there, and the tests that it shows pass.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile("../examples/mara/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	snippet := func(section string) string {
		_, rest, ok := strings.Cut(strings.ReplaceAll(string(guide), "\r\n", "\n"), "```yaml\n"+section+":\n")
		body, _, closed := strings.Cut(rest, "```")
		if !ok || !closed {
			t.Fatalf("the guide has no snippet of %s", section)
		}
		return section + ":\n" + body
	}
	p := mustParse(t, string(story)+"\n"+snippet("rules")+snippet("combinations"))
	if len(p.Rules()) == 0 || len(p.Combinations()) == 0 || len(p.Circles()) == 0 {
		t.Error("the snippets say nothing")
	}
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, problem := range p.Lint(nil, now) {
		t.Errorf("the guide's own policy is suspicious: %s", problem)
	}
	suite, err := privacy.ParseTests("docs/policy.md", []byte(snippet("tests")))
	if err != nil {
		t.Fatal(err)
	}
	results := suite.Run(p, nil, now)
	if slices.ContainsFunc(results, func(r privacy.TestResult) bool { return !r.Pass }) || len(results) == 0 {
		t.Errorf("%v", results)
	}
}
