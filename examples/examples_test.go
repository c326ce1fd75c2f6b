package examples_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/epagent/epagent/examples"
	"github.com/epagent/epagent/privacy"
)

func policy(t *testing.T) *privacy.Policy {
	t.Helper()
	src, err := fs.ReadFile(examples.Mara().Files, "policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := privacy.Parse("policy.yaml", src)
	if err != nil {
		t.Fatalf("the example policy doesn't load:\n%v", err)
	}
	return p
}

func TestPolicyIsClean(t *testing.T) {
	p := policy(t)
	for _, w := range p.Warnings() {
		t.Errorf("line %d: %s; %s", w.Line, w.Message, w.Remedy)
	}
	for _, c := range p.Categories() {
		if len(c.Examples) == 0 {
			t.Errorf("category %q has no examples: recognition rests on them", c.ID)
		}
	}
	for _, g := range p.Groups() {
		if len(p.Members(g.ID)) == 0 {
			t.Errorf("nobody is in group %q", g.ID)
		}
	}
	for _, name := range examples.Mara().Recipients {
		if r, err := p.Lookup(name); err != nil || !r.Known() {
			t.Errorf("recipient %q is nobody of the policy (%v)", name, err)
		}
	}
}

// TestSpeakersAreKnown: whoever speaks in a chat or is announced there is the
// owner or a person of the policy, so that grants and denials bind them.
func TestSpeakersAreKnown(t *testing.T) {
	p := policy(t)
	chats, err := fs.Glob(examples.Mara().Files, "chats/*.txt")
	if err != nil || len(chats) == 0 {
		t.Fatalf("no chats: %v", err)
	}
	for _, name := range chats {
		src, err := fs.ReadFile(examples.Mara().Files, name)
		if err != nil {
			t.Fatal(err)
		}
		owner, lines := 0, 0
		for i, line := range strings.Split(strings.TrimSpace(string(src)), "\n") {
			if line == "" || i == 0 || strings.HasPrefix(line, "---") {
				continue
			}
			for _, speaker := range speakers(line) {
				lines++
				if p.IsOwner(speaker) {
					owner++
				} else if _, ok := p.Person(speaker); !ok {
					t.Errorf("%s:%d: nobody of the policy is called %q", name, i+1, speaker)
				}
			}
		}
		if owner == 0 || owner == lines {
			t.Errorf("%s: the owner speaks in %d of %d lines", name, owner, lines)
		}
	}
}

// speakers returns who speaks in a line of a transcript, or who is announced.
func speakers(line string) []string {
	if list, ok := strings.CutPrefix(line, "Participants: "); ok {
		return strings.Split(list, ", ")
	}
	if _, rest, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		line = rest
	}
	name, _, _ := strings.Cut(line, ": ")
	return []string{name}
}
