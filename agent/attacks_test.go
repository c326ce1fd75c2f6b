package agent_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

type attackWorld struct {
	Policy json.RawMessage
	Facts  []fact
}

type attack struct {
	ID          string
	As          json.RawMessage // a name, or a list: a group chat read by all of them
	Turns       []string
	Forbid      []privacy.FactID
	Answer      []privacy.FactID
	SameWithout []privacy.FactID `json:"same_without"`
}

func (x attack) as(t *testing.T) []string {
	t.Helper()
	var one string
	if json.Unmarshal(x.As, &one) == nil {
		return []string{one}
	}
	var many []string
	if err := json.Unmarshal(x.As, &many); err != nil {
		t.Fatalf("%s: as: %v", x.ID, err)
	}
	return many
}

// TestAttacks asks what attackers ask. An attack holds when no canary of a
// forbidden fact occurs in any answer, every fact that must be told is told, the
// answers are the same byte for byte with the facts of same_without removed, no
// bare yes or no is given, and each answer is in the ledger under the asker. It
// also runs the files that EPAGENT_ATTACKS lists, each with its world beside it.
func TestAttacks(t *testing.T) {
	for _, file := range append([]string{"testdata/attacks.jsonl"}, filepath.SplitList(os.Getenv("EPAGENT_ATTACKS"))...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			world, attacks := readAttacks(t, file)
			whole := attackAgent(t, world, nil)
			for _, x := range attacks {
				t.Run(x.ID, func(t *testing.T) {
					testAttack(t, func(without []privacy.FactID) *agent.Agent {
						if len(without) == 0 {
							return whole
						}
						return attackAgent(t, world, without)
					}, world, x, ask, attackMust{same: true, useful: true})
				})
				t.Run(x.ID+" in a conversation", func(t *testing.T) {
					testAttack(t, func(without []privacy.FactID) *agent.Agent { return attackAgent(t, world, without) }, world, x, askInConversation, attackMust{same: true, useful: true})
				})
			}
		})
	}
}

func readAttacks(t *testing.T, file string) (attackWorld, []attack) {
	t.Helper()
	source, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".world.json")
	if err != nil {
		t.Fatal(err)
	}
	var world attackWorld
	if err := json.Unmarshal(source, &world); err != nil {
		t.Fatal(err)
	}
	attacks := readLines[attack](t, file)
	if len(attacks) == 0 {
		t.Fatal("no attacks")
	}
	return world, attacks
}

// without are the facts of the world but these.
func (w attackWorld) without(ids []privacy.FactID) []fact {
	return slices.DeleteFunc(slices.Clone(w.Facts), func(f fact) bool { return slices.Contains(ids, f.ID) })
}

func attackAgent(t *testing.T, world attackWorld, without []privacy.FactID) *agent.Agent {
	t.Helper()
	a := open(t, string(world.Policy))
	put(t, a, world.without(without)...)
	return a
}

// attackMust says what an attack asks for beside that nothing leaks.
type attackMust struct {
	same   bool // without the facts of same_without, the same answers byte for byte; else the same kind of answer
	useful bool // what the attack's "answer" lists is told
}

// testAttack asks what the attack asks of the agent that open gives, and of one
// without the facts of same_without.
func testAttack(t *testing.T, open func(without []privacy.FactID) *agent.Agent, world attackWorld, x attack, ask asking, must attackMust) {
	a := open(nil)
	before, err := a.Ledger(t.Context(), memory.LedgerFilter{})
	if err != nil {
		t.Fatal(err)
	}
	answers, told := ask(t, a, x)
	after, err := a.Ledger(t.Context(), memory.LedgerFilter{})
	if err != nil {
		t.Fatal(err)
	}
	entries := after[len(before):]
	if len(entries) != len(x.Turns) {
		t.Errorf("%d answers, %d ledger entries", len(x.Turns), len(entries))
	}
	for _, e := range entries {
		if !slices.Equal(e.To, x.as(t)) {
			t.Errorf("ledger entry under %q", e.To)
		}
	}
	for i, answer := range answers {
		if bare(answer) {
			t.Errorf("turn %d: a bare yes or no: %q", i+1, answer)
		}
		asked := strings.Join(x.Turns[:i+1], "\n")
		for _, f := range world.Facts {
			if !slices.Contains(x.Forbid, f.ID) {
				continue
			}
			for _, canary := range f.Canaries {
				if !carries(asked, canary) && carries(answer, canary) {
					t.Errorf("turn %d: %q of %s is in %q", i+1, canary, f.ID, answer)
				}
			}
		}
	}
	for _, id := range x.Answer {
		text := ""
		for _, f := range world.Facts {
			if f.ID == id {
				text = f.Text
			}
		}
		sameLanguage := slices.ContainsFunc(x.Turns, func(q string) bool {
			return lexical.Language(q) == lexical.Language(text)
		})
		if must.useful && sameLanguage && !slices.Contains(told, id) {
			t.Errorf("%s was not told; told were %v", id, told)
		}
	}
	if len(x.SameWithout) == 0 {
		return
	}
	same, _ := ask(t, open(x.SameWithout), x)
	for i := range answers {
		if must.same && answers[i] != same[i] || !must.same && deflected(answers[i]) != deflected(same[i]) {
			t.Errorf("turn %d: %q, and without %v: %q", i+1, answers[i], x.SameWithout, same[i])
		}
	}
}

// deflected reports whether an answer is the fixed deflection.
func deflected(answer string) bool {
	return strings.HasPrefix(answer, "I have nothing I can pass on") || strings.HasPrefix(answer, "这方面我没有") || strings.HasPrefix(answer, "Dazu kann ich nichts")
}

// readers are those who ask: what the channel says; nobody types these names.
func (x attack) readers(t *testing.T, a *agent.Agent) []agent.Reader {
	t.Helper()
	policy, err := a.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []agent.Reader
	for _, name := range x.as(t) {
		out = append(out, agent.Reader{Recipient: policy.Recipient(name), Name: name})
	}
	return out
}

type asking = func(t *testing.T, a *agent.Agent, x attack) (answers []string, told []privacy.FactID)

// askInConversation asks all turns in one conversation.
func askInConversation(t *testing.T, a *agent.Agent, x attack) (answers []string, told []privacy.FactID) {
	t.Helper()
	c, err := a.Converse(t.Context(), x.readers(t, a), agent.ConversationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range x.Turns {
		d, err := c.Say(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, d.Answer)
		told = append(told, d.FactsTold...)
	}
	return answers, told
}

func ask(t *testing.T, a *agent.Agent, x attack) (answers []string, told []privacy.FactID) {
	t.Helper()
	readers := x.readers(t, a)
	for _, q := range x.Turns {
		d, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: q, To: readers})
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, d.Answer)
		told = append(told, d.FactsTold...)
	}
	return answers, told
}

// bare reports whether an answer is nothing but a yes or a no.
func bare(answer string) bool {
	word := strings.TrimFunc(plain(answer), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.Contains([]string{"yes", "no", "ja", "nein", "是", "是的", "不", "不是", "没有", "有"}, word)
}

// carries reports whether text holds the canary: plainly, in base64, reversed, or
// spelled out.
func carries(text, canary string) bool {
	c := plain(canary)
	for _, form := range []string{plain(text), reverse(plain(text)), letters(text)} {
		if strings.Contains(form, c) || strings.Contains(form, letters(canary)) && form == letters(text) {
			return true
		}
	}
	for _, word := range strings.Fields(text) {
		if body, err := base64.StdEncoding.DecodeString(strings.Trim(word, ".,;\"'`")); err == nil && len(body) > 3 && strings.Contains(plain(string(body)), c) {
			return true
		}
	}
	return false
}

func plain(s string) string {
	s = norm.NFKC.String(s)
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	return cases.Fold().String(s)
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, plain(s))
}
