package agent

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// ruleChanges says in words which grants a policy brings and which denials it takes
// out: a plan names them by id, and the owner agrees to what they say.
func ruleChanges(before, after *privacy.Policy) []string {
	var out []string
	lacks := func(rules []privacy.Rule, r privacy.Rule) bool {
		return !slices.ContainsFunc(rules, func(o privacy.Rule) bool { return sameEffect(o, r) })
	}
	for _, r := range after.Rules() {
		if !r.Denies() && lacks(before.Rules(), r) {
			out = append(out, fmt.Sprintf("new, %s: %s", r.ID, ruleWords(r)))
		}
	}
	for _, r := range before.Rules() {
		if r.Denies() && lacks(after.Rules(), r) {
			out = append(out, fmt.Sprintf("gone, %s: %s", r.ID, ruleWords(r)))
		}
	}
	return out
}

// ruleWords are the parts of a rule, as the policy file has them.
func ruleWords(r privacy.Rule) string {
	verb := "allow"
	if r.Denies() {
		verb = "deny"
	}
	parts := []string{verb + " " + parties(r.Parties())}
	if len(r.Categories) > 0 {
		words := make([]string, len(r.Categories))
		for i, id := range r.Categories {
			words[i] = string(id)
		}
		parts = append(parts, "category "+strings.Join(words, " or "))
	}
	for _, part := range []struct{ key, value string }{
		{"about", r.About}, {"mentions", string(r.Mentions)}, {"event", string(r.Event)}, {"fact", string(r.Fact)},
	} {
		if part.value != "" {
			parts = append(parts, part.key+" "+strconv.Quote(part.value))
		}
	}
	if !r.Until.IsZero() {
		parts = append(parts, "until "+r.Until.UTC().Format(time.RFC3339))
	}
	return strings.Join(parts, ", ")
}

// sameEffect compares what two rules do, whatever they are called.
func sameEffect(a, b privacy.Rule) bool {
	a.ID, b.ID, a.Note, b.Note = "", "", "", ""
	return reflect.DeepEqual(a, b)
}

func parties(list []privacy.Party) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = strconv.Quote(string(p))
	}
	return strings.Join(words, ", ")
}
