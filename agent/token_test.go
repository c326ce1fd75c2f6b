package agent_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

const tokenPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: any, description: "Close friends"}
  - {id: team, tier: 2, domain: work, description: "Colleagues"}
people:
  - {id: p1, name: Wilma Okoro, groups: [close]}
  - {id: p2, name: Raj Pillai, groups: [team]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, doctors", examples: ["The doctor found a lump"]}
`

func tokenHome(t *testing.T, now *time.Time) (*agent.Agent, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(tokenPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), dir, agent.Options{Now: func() time.Time { return *now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a, dir
}

func TestTokens(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	a, dir := tokenHome(t, &now)
	text, made, err := a.CreateToken(t.Context(), agent.TokenRequest{To: []string{"Wilma Okoro", "wilma  okoro"}, Purpose: " chat ", Cap: 2, KeepWhitelist: true, Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if len(text) < 50 || !strings.HasPrefix(text, "epat_") || strings.Contains(text, made.ID) {
		t.Errorf("token %q with id %s", text, made.ID)
	}
	g, err := a.Authenticate(t.Context(), text)
	if err != nil || g.ID != made.ID || len(g.Binding.People) != 1 || g.Binding.People[0] != (agent.BoundPerson{ID: "p1", Name: "Wilma Okoro"}) ||
		g.Binding.Cap != 2 || !g.Binding.KeepWhitelist || g.Binding.Purpose != "chat" || !g.Expires.Equal(now.Add(time.Hour)) {
		t.Fatalf("it opens %+v: %v", g, err)
	}
	// Its text is in no file.
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if raw, err := os.ReadFile(f); err != nil || bytes.Contains(raw, []byte(text)) || bytes.Contains(raw, []byte(text[5:40])) {
			t.Errorf("%s holds the token: %v", f, err)
		}
	}
	// One character more, less or other opens nothing.
	for i := range text {
		other := []byte(text)
		other[i] = map[bool]byte{true: 'a', false: 'b'}[text[i] != 'a']
		for _, wrong := range []string{string(other), text[:i], text + text[:i+1], strings.ToUpper(text[:i+1]) + text[i+1:] + " "} {
			if _, err := a.Authenticate(t.Context(), wrong); !errors.Is(err, agent.ErrToken) {
				t.Fatalf("%q: %v", wrong, err)
			}
		}
	}
	listed, err := a.Tokens(t.Context())
	if err != nil || len(listed) != 1 || listed[0].State != agent.TokenActive || listed[0].Used == nil || !listed[0].Used.Equal(now.Truncate(time.Hour)) {
		t.Fatalf("list: %+v: %v", listed, err)
	}
	now = now.Add(time.Hour)
	if _, err := a.Authenticate(t.Context(), text); !errors.Is(err, agent.ErrToken) {
		t.Errorf("an expired token: %v", err)
	}
	if lives, err := a.TokenLives(t.Context(), made.ID); err != nil || lives {
		t.Errorf("an expired token lives: %v", err)
	}
	text, made, err = a.CreateToken(t.Context(), agent.TokenRequest{Owner: true})
	if err != nil {
		t.Fatal(err)
	}
	if g, err := a.Authenticate(t.Context(), text); err != nil || !g.Binding.Speaks() {
		t.Errorf("the owner's token opens %+v: %v", g, err)
	}
	for range 2 { // twice is once
		if got, err := a.RevokeToken(t.Context(), made.ID); err != nil || got.State != agent.TokenRevoked {
			t.Errorf("revoke: %+v: %v", got, err)
		}
	}
	if _, err := a.Authenticate(t.Context(), text); !errors.Is(err, agent.ErrToken) {
		t.Errorf("a revoked token: %v", err)
	}
	if _, err := a.RevokeToken(t.Context(), "never"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("revoke what never was: %v", err)
	}
}

func TestTokensAreRefused(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	a, _ := tokenHome(t, &now)
	for name, r := range map[string]agent.TokenRequest{
		"nobody": {}, "both": {Owner: true, To: []string{"Raj Pillai"}}, "a stranger": {To: []string{"Raj Pillai", "Zed"}},
		"the owner by name": {To: []string{"Ines Falk"}}, "a look-alike": {To: []string{"R\u0430j Pillai"}}, "a first name": {To: []string{"Raj"}},
		"blank": {To: []string{" "}}, "a cap that is none": {To: []string{"Raj Pillai"}, Cap: 5}, "whitelists without a cap": {Owner: true, KeepWhitelist: true},
		"past": {Owner: true, Expires: now},
	} {
		if text, _, err := a.CreateToken(t.Context(), r); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
	if tokens, err := a.Tokens(t.Context()); err != nil || len(tokens) != 0 {
		t.Errorf("%d tokens: %v", len(tokens), err)
	}
}

// A token's people are looked up in the policy in force: who was removed is unknown,
// also where somebody else has come to that name.
func TestBoundPeopleFollowThePolicy(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	a, dir := tokenHome(t, &now)
	text, _, err := a.CreateToken(t.Context(), agent.TokenRequest{To: []string{"Wilma Okoro"}})
	if err != nil {
		t.Fatal(err)
	}
	known := func() (privacy.Recipient, string) {
		t.Helper()
		g, err := a.Authenticate(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		readers, err := a.Bound(t.Context(), g.Binding)
		if err != nil || len(readers) != 1 {
			t.Fatalf("%d readers: %v", len(readers), err)
		}
		return readers[0].Recipient, readers[0].Name
	}
	if r, _ := known(); !r.Known() {
		t.Error("Wilma is unknown")
	}
	for name, c := range map[string]struct {
		from, to string
		known    bool
		called   string
	}{
		"removed":      {"  - {id: p1, name: Wilma Okoro, groups: [close]}\n", "", false, "Wilma Okoro"},
		"another":      {"id: p1, name: Wilma Okoro", "id: p9, name: Wilma Okoro", false, "Wilma Okoro"},
		"a look-alike": {"name: Wilma Okoro", "name: W\u0456lma Okoro", false, "Wilma Okoro"},
		"renamed":      {"name: Wilma Okoro", "name: Wilma Okoro-Berg, aliases: [Wilma Okoro]", true, "Wilma Okoro-Berg"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(tokenPolicy, c.from, c.to, 1)
			if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if r, called := known(); r.Known() != c.known || called != c.called {
				t.Errorf("known %v, called %q", r.Known(), called)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := a.Authenticate(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	if readers, err := a.Bound(t.Context(), g.Binding); err != nil || len(readers) != len(g.Binding.People) {
		t.Errorf("a broken policy: %v, %v", readers, err)
	}
}

func TestBindings(t *testing.T) {
	now := time.Now()
	a, _ := tokenHome(t, &now)
	people := []agent.BoundPerson{{ID: "p1", Name: "Wilma Okoro"}}
	for name, c := range map[string]struct {
		b               agent.Binding
		speaks, listens bool
	}{
		"nobody":           {agent.Binding{}, false, false},
		"a capped nobody":  {agent.Binding{Cap: 4}, false, false},
		"the owner":        {agent.Binding{Owner: true}, true, false},
		"the owner capped": {agent.Binding{Owner: true, Cap: 3}, false, true},
		"somebody":         {agent.Binding{People: people}, false, true},
		"both":             {agent.Binding{Owner: true, People: people}, false, false},
		"both, capped":     {agent.Binding{Owner: true, Cap: 1, People: people}, false, false},
	} {
		if c.b.Speaks() != c.speaks || c.b.Listens() != c.listens {
			t.Errorf("%s: speaks %v, listens %v", name, c.b.Speaks(), c.b.Listens())
		}
		readers, err := a.Bound(t.Context(), c.b)
		if (err == nil) != c.listens || err == nil && (len(readers) != 1 || readers[0].Recipient.IsOwner()) {
			t.Errorf("%s: %d readers: %v", name, len(readers), err)
		}
	}
}
