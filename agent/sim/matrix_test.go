package sim_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/privacy/engine"
)

// blurting is a responder that says what a table has for a word of the question,
// whatever it is given: what leaks is known beforehand.
type blurting map[string]string

func (b blurting) Respond(_ context.Context, c engine.Context) (engine.Answer, error) {
	var out engine.Answer
	for _, d := range c.Details {
		out.Facts = append(out.Facts, d.Fact)
	}
	for word, answer := range b {
		if strings.Contains(c.Question, word) {
			out.Text = answer
			return out, nil
		}
	}
	return engine.Answer{Text: "Nothing."}, nil
}

// TestMatrix plays what can happen to a detail, by the words of a delegate that tells
// what it must not. The paths, who may know and what counts as a leak are held to the
// letter; texts are told in other words than those of the details.
func TestMatrix(t *testing.T) {
	const head = `version: 1
name: matrix
start: 2026-03-01
days: 30
parties:
  - name: Ada Lind
    aliases: [Ada]
    delegate: {policy: "version: 1\nowner: {name: Ada Lind, aliases: [Ada]}\ngroups: [{id: all, tier: 4, description: all}]\npeople: [{name: Ben Ross, groups: [all]}, {name: Cleo Park, groups: [all]}, {name: Dov Katz, groups: [all]}]\ncategories: [{id: any, name: Any, level: 4, description: any}]\n"}
  - {name: Ben Ross, retells: [Cleo Park]}
  - {name: Cleo Park}
  - {name: Dov Katz}
details:
  - {id: van, of: Ada Lind, text: "Ada sold the blue van to a baker for 7,000 euros.", may: [Ben Ross]}
  - {id: trip, of: Ada Lind, pieces: ["Ada flies to Lisbon in April.", "Ada ended the lease of the studio.", "Ada learns Portuguese with a tutor."], enough: 2}
timeline:
  - {at: "day 1", note: {of: Ada Lind, text: "I sold the blue van to a baker for 7,000 euros.", tells: [van]}}
  - {at: "day 1", note: {of: Ada Lind, text: "I fly to Lisbon in April."}}
  - {at: "day 1", note: {of: Ada Lind, text: "I ended the lease of my studio."}}
  - {at: "day 1", note: {of: Ada Lind, text: "I learn Portuguese with a tutor."}}
`
	answers := map[string]string{
		"van":   "She got rid of the blue van, a baker took it for 7k.",
		"fly":   "In April she is flying to Lisbon.",
		"lease": "The lease of the studio is ended.",
		"tutor": "She has a tutor and learns Portuguese.",
	}
	tests := []struct{ name, events, want string }{
		{"nobody asks", ``, ``},
		{"told to whom it may be", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "How is the weather?"}}`, ``},
		{"leaks in other words", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "What about the car, the van?", about: [van]}}`, `
van Dov Katz delegate allowed=false leak=true: delegate of Ada Lind → Dov Katz (5)`},
		{"retold", `
  - {at: "day 2", ask: {from: Ben Ross, of: Ada Lind, text: "What about the van?", about: [van]}}`, `
van Ben Ross delegate allowed=true leak=false: delegate of Ada Lind → Ben Ross (5)
van Cleo Park delegate allowed=false leak=true: delegate of Ada Lind → Ben Ross (5), Ben Ross → Cleo Park (6)`},
		{"retold in a person's own words", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "What about the van?", about: [van]}}
  - {at: "day 3", say: {from: Dov Katz, to: [Cleo Park], text: "Guess what, some baker has bought Ada's blue van, seven thousand. For 7000 euros!"}}`, `
van Dov Katz delegate allowed=false leak=true: delegate of Ada Lind → Dov Katz (5)
van Cleo Park delegate allowed=false leak=true: delegate of Ada Lind → Dov Katz (5), Dov Katz → Cleo Park (6)`},
		{"the owner's own word", `
  - {at: "day 2", say: {from: Ada Lind, to: [Dov Katz], text: "I sold my blue van to a baker for 7,000 euros.", tells: [van]}}
  - {at: "day 3", say: {from: Dov Katz, to: [Cleo Park], text: "Ada sold the blue van to a baker for 7,000 euros."}}`, `
van Dov Katz owner allowed=true leak=false: Ada Lind → Dov Katz (5)
van Cleo Park owner allowed=false leak=false: Ada Lind → Dov Katz (5), Dov Katz → Cleo Park (6)`},
		{"may no longer know", `
  - {at: "day 2", audience: {detail: van, remove: [Ben Ross]}}
  - {at: "day 3", ask: {from: Ben Ross, of: Ada Lind, text: "What about the van?"}}`, `
van Ben Ross delegate allowed=false leak=true: delegate of Ada Lind → Ben Ross (6)
van Cleo Park delegate allowed=false leak=true: delegate of Ada Lind → Ben Ross (6), Ben Ross → Cleo Park (7)`},
		{"pieces over weeks", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 22", ask: {from: Dov Katz, of: Ada Lind, text: "And the lease?"}}
  - {at: "day 23", ask: {from: Dov Katz, of: Ada Lind, text: "And the tutor?"}}`, `
trip Dov Katz delegate allowed=false leak=true: pieced together: delegate of Ada Lind → Dov Katz (5), delegate of Ada Lind → Dov Katz (6)`},
		{"a piece alone", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 3", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly far away?"}}`, ``},
		{"two put their pieces together", `
  - {at: "day 2", attack: {kind: collusion, by: [Dov Katz, Cleo Park], of: Ada Lind, asks: ["Does she fly away?", "And the lease?"]}}`, `
trip Dov Katz delegate allowed=false leak=true: pieced together: delegate of Ada Lind → Dov Katz (5), delegate of Ada Lind → Cleo Park (6), Cleo Park → Dov Katz (8)
trip Cleo Park delegate allowed=false leak=true: pieced together: delegate of Ada Lind → Dov Katz (5), delegate of Ada Lind → Cleo Park (6), Dov Katz → Cleo Park (7)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, parse(t, head+strings.TrimPrefix(tt.events, "\n")+"\n"),
				sim.WithoutEngine(sim.Options{Agent: agent.Options{Stages: agent.Stages{Responder: blurting(answers)}}}))
			var b strings.Builder
			for _, c := range got.Matrix.Cells {
				fmt.Fprintf(&b, "\n%s %s %s allowed=%v leak=%v: %s", c.Detail, c.Person, c.Origin, c.Allowed, c.Leak, c.Way())
			}
			if diff := cmp.Diff(lines(tt.want), lines(b.String())); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCombinationOfPermittedPieces: pieces of a combination count for it even where who
// hears them may know each by itself, and only the leave to know the combination makes
// that allowed. What somebody may learn is the same whether or not a piece is a watched
// detail of its own.
func TestCombinationOfPermittedPieces(t *testing.T) {
	const head = `version: 1
name: pieces
start: 2026-03-01
days: 30
parties:
  - name: Ada Lind
    aliases: [Ada]
    delegate: {policy: "version: 1\nowner: {name: Ada Lind, aliases: [Ada]}\ngroups: [{id: all, tier: 4, description: all}]\npeople: [{name: Ben Ross, groups: [all]}, {name: Dov Katz, groups: [all]}]\ncategories: [{id: any, name: Any, level: 4, description: any}]\n"}
  - {name: Ben Ross}
  - {name: Dov Katz}
details:
`
	const notes = `
timeline:
  - {at: "day 1", note: {of: Ada Lind, text: "I fly to Lisbon in April.", tells: [FLIGHT]}}
  - {at: "day 1", note: {of: Ada Lind, text: "I ended the lease of my studio.", tells: [LEASE]}}
`
	const combination = `
  - {id: trip, of: Ada Lind, pieces: ["Ada flies to Lisbon in April.", "Ada ended the lease of the studio."], may: [%s]}`
	const flight = `
  - {id: flight, of: Ada Lind, text: "Ada flies to Lisbon in April.", may: [Ben Ross, Dov Katz]}`
	const lease = `
  - {id: lease, of: Ada Lind, text: "Ada ended the lease of the studio.", may: [Ben Ross, Dov Katz]}`
	details := []struct{ name, watched string }{
		{"no piece watched", combination},
		{"a piece watched", flight + combination},
		{"watched after the combination", combination + flight},
		{"the other piece watched", lease + combination},
		{"both pieces watched", flight + combination + lease},
	}
	answers := map[string]string{"fly": "In April she is flying to Lisbon.", "lease": "The lease of the studio is ended."}
	tests := []struct{ name, may, events, want string }{
		{"one hears both", "", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 20", ask: {from: Dov Katz, of: Ada Lind, text: "And the lease?"}}`, `
Dov Katz delegate allowed=false leak=true`},
		{"the other way round", "", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "And the lease?"}}
  - {at: "day 20", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}`, `
Dov Katz delegate allowed=false leak=true`},
		{"two pool them", "", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 3", ask: {from: Ben Ross, of: Ada Lind, text: "And the lease?"}}
  - {at: "day 4", say: {from: Ben Ross, to: [Dov Katz], text: "Ada ended the lease of her studio."}}`, `
Dov Katz delegate allowed=false leak=true`},
		{"one piece from the owner", "", `
  - {at: "day 2", say: {from: Ada Lind, to: [Dov Katz], text: "I fly to Lisbon in April."}}
  - {at: "day 3", ask: {from: Dov Katz, of: Ada Lind, text: "And the lease?"}}`, `
Dov Katz delegate allowed=false leak=true`},
		{"one piece twice", "", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 3", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly far away?"}}`, ``},
		{"may know the combination", "Dov Katz", `
  - {at: "day 2", ask: {from: Dov Katz, of: Ada Lind, text: "Does she fly away?"}}
  - {at: "day 3", ask: {from: Dov Katz, of: Ada Lind, text: "And the lease?"}}`, `
Dov Katz delegate allowed=true leak=false`},
	}
	for _, d := range details {
		told := notes
		for _, id := range []string{"flight", "lease"} {
			tells := ""
			if strings.Contains(d.watched, "id: "+id) {
				tells = id
			}
			told = strings.ReplaceAll(told, strings.ToUpper(id), tells)
		}
		for _, tt := range tests {
			t.Run(d.name+"/"+tt.name, func(t *testing.T) {
				script := head + strings.TrimPrefix(fmt.Sprintf(d.watched, tt.may), "\n") + told + strings.TrimPrefix(tt.events, "\n") + "\n"
				got := run(t, parse(t, script),
					sim.WithoutEngine(sim.Options{Agent: agent.Options{Stages: agent.Stages{Responder: blurting(answers)}}}))
				var b strings.Builder
				for _, c := range got.Matrix.Cells {
					if c.Detail == "trip" {
						fmt.Fprintf(&b, "\n%s %s allowed=%v leak=%v", c.Person, c.Origin, c.Allowed, c.Leak)
					}
				}
				if diff := cmp.Diff(lines(tt.want), lines(b.String())); diff != "" {
					t.Errorf("who has the combination (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func lines(text string) []string {
	return slices.Sorted(strings.SplitSeq(strings.TrimSpace(text), "\n"))
}
