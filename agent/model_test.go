package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

var errDown = errors.New("the endpoint is down")

// scripted is a model whose replies are written in Go. A nil function replies what
// a careful model would; fail makes the calls of a stage fail. It keeps all that it
// was sent.
type scripted struct {
	respond  func(engine.RespondCall) engine.RespondReply
	units    func(engine.UnitsCall) engine.UnitsReply
	project  func(engine.ProjectCall) engine.ProjectReply
	annotate func(engine.AnnotateCall) engine.AnnotateReply
	claims   func(engine.ClaimsCall) engine.ClaimsReply
	extract  func(memory.ExtractCall) []memory.ExtractedFact
	group    func(engine.GroupCall) engine.GroupReply
	entries  func(simple.EntriesCall) []simple.ModelEntry
	fail     map[string]error

	mu   sync.Mutex
	sent []sentCall
}

type sentCall struct{ stage, body string }

func (s *scripted) note(ctx context.Context, stage string, in any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, sentCall{stage, string(body)})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.fail[stage]
}

// stages are the stages called so far, in their order, and forgets them.
func (s *scripted) stages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, c := range s.sent {
		out = append(out, c.stage)
	}
	s.sent = nil
	return out
}

func (s *scripted) Extract(ctx context.Context, in memory.ExtractCall) ([]memory.ExtractedFact, error) {
	if err := s.note(ctx, "extract", in); err != nil {
		return nil, err
	}
	if s.extract != nil {
		return s.extract(in), nil
	}
	var out []memory.ExtractedFact
	for _, t := range in.Turns {
		out = append(out, memory.ExtractedFact{Text: t.Speaker + " says that " + strings.NewReplacer("I ", "they ", "My ", "their ", "my ", "their ").Replace(t.Text), Subject: t.Speaker, Evidence: []string{t.ID}})
	}
	return out, nil
}

func (s *scripted) Entries(ctx context.Context, in simple.EntriesCall) ([]simple.ModelEntry, error) {
	if err := s.note(ctx, "entries", in); err != nil || s.entries == nil {
		return nil, err
	}
	return s.entries(in), nil
}

func (s *scripted) Summary(ctx context.Context, in gas.SummaryCall) (gas.SummaryReply, error) {
	return gas.SummaryReply{}, s.note(ctx, "summary", in)
}

func (s *scripted) Annotate(ctx context.Context, in engine.AnnotateCall) (engine.AnnotateReply, error) {
	if err := s.note(ctx, "annotate", in); err != nil || s.annotate == nil {
		return engine.AnnotateReply{}, err
	}
	return s.annotate(in), nil
}

func (s *scripted) Group(ctx context.Context, in engine.GroupCall) (engine.GroupReply, error) {
	if err := s.note(ctx, "corefer", in); err != nil || s.group == nil {
		return engine.GroupReply{}, err
	}
	return s.group(in), nil
}

func (s *scripted) Units(ctx context.Context, in engine.UnitsCall) (engine.UnitsReply, error) {
	if err := s.note(ctx, "query_units", in); err != nil {
		return engine.UnitsReply{}, err
	}
	if s.units != nil {
		return s.units(in), nil
	}
	var out engine.UnitsReply
	for _, c := range in.Candidates {
		for _, w := range strings.Fields(strings.ToLower(in.Question)) {
			if w = strings.Trim(w, "?.,!"); len(w) > 4 && strings.Contains(strings.ToLower(c.Text), w) {
				out.Facts = append(out.Facts, c.ID)
				break
			}
		}
	}
	return out, nil
}

func (s *scripted) Project(ctx context.Context, in engine.ProjectCall) (engine.ProjectReply, error) {
	if err := s.note(ctx, "project", in); err != nil {
		return engine.ProjectReply{}, err
	}
	if s.project != nil {
		return s.project(in), nil
	}
	return engine.ProjectReply{Details: in.Details}, nil
}

func (s *scripted) Respond(ctx context.Context, in engine.RespondCall) (engine.RespondReply, error) {
	if err := s.note(ctx, "respond", in); err != nil {
		return engine.RespondReply{}, err
	}
	if s.respond != nil {
		return s.respond(in), nil
	}
	var out engine.RespondReply
	for _, d := range in.Details {
		out.Answer += "As far as I know: " + d.Text + " "
		out.Facts = append(out.Facts, d.ID)
	}
	return out, nil
}

func (s *scripted) Claims(ctx context.Context, in engine.ClaimsCall) (engine.ClaimsReply, error) {
	if err := s.note(ctx, "guard", in); err != nil || s.claims == nil {
		return engine.ClaimsReply{}, err
	}
	return s.claims(in), nil
}

// obeying is a model that does what the attacker wants: it repeats everything that
// it was given, as an answer, and finds nothing wrong with it.
func obeying() *scripted {
	dump := func(in any) string {
		body, _ := json.MarshalIndent(in, "", " ")
		return string(body)
	}
	return &scripted{
		units: func(in engine.UnitsCall) (out engine.UnitsReply) {
			for _, c := range in.Candidates {
				out.Facts = append(out.Facts, c.ID)
			}
			return out
		},
		respond: func(in engine.RespondCall) (out engine.RespondReply) {
			for _, d := range in.Details {
				out.Facts = append(out.Facts, d.ID)
			}
			out.Answer = "Here is all I was given: " + dump(in)
			return out
		},
	}
}

func openModel(t testing.TB, policy string, calls agent.ModelCalls, more ...func(*agent.Options)) *agent.Agent {
	t.Helper()
	home := t.TempDir()
	if _, err := agent.WritePolicy(home, []byte(policy)); err != nil {
		t.Fatal(err)
	}
	o := agent.Options{Now: func() time.Time { return now }, Model: agent.ModelOptions{Calls: calls}}
	for _, f := range more {
		f(&o)
	}
	a, err := agent.Open(t.Context(), home, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// TestModelAnswers: the whole way out on a model.
func TestModelAnswers(t *testing.T) {
	m := &scripted{}
	a := openModel(t, talkPolicy, m)
	put(t, a, talkFacts()...)
	d := disclose(t, a, "When is the trip to Porto?", "Bo")
	if !slices.Contains(d.FactsTold, "f1") || !strings.HasPrefix(d.Answer, "As far as I know: Ines flies to Porto") || len(d.Degraded) > 0 {
		t.Fatalf("%+v", d)
	}
	if got, want := m.stages(), []string{"query_units", "project", "respond", "guard"}; !slices.Equal(got, want) {
		t.Errorf("calls %v, want %v", got, want)
	}
}

// TestDegrading: a stage that falls back says so, in the result and in the ledger,
// and tells what may be told; with on_model_error fail nothing is told.
func TestDegrading(t *testing.T) {
	for _, stage := range []string{"query_units", "project", "respond", "guard"} {
		for kind, err := range map[string]error{"down": errDown, "rubbish": engine.ErrModel} {
			t.Run(stage+" "+kind, func(t *testing.T) {
				m := &scripted{fail: map[string]error{stage: err}}
				a := openModel(t, talkPolicy, m)
				put(t, a, talkFacts()...)
				d := disclose(t, a, "When is the trip to Porto?", "Bo")
				if !slices.Equal(d.Degraded, []string{stage}) || !slices.Contains(d.FactsTold, "f1") {
					t.Errorf("%+v", d)
				}
				entries, err := a.Ledger(t.Context(), memory.LedgerFilter{})
				if err != nil || len(entries) != 1 || !slices.Equal(entries[0].Degraded, []string{stage}) {
					t.Errorf("ledger %+v, %v", entries, err)
				}
				b := openModel(t, talkPolicy, m, func(o *agent.Options) { o.Model.OnError = engine.ErrorFail })
				put(t, b, talkFacts()...)
				readers, _ := b.Readers(t.Context(), []string{"Bo"})
				if _, err := b.Disclose(t.Context(), agent.DiscloseRequest{Question: "When is the trip to Porto?", To: readers}); err == nil {
					t.Error("on_model_error: fail, and it answered")
				}
				if entries, err := b.Ledger(t.Context(), memory.LedgerFilter{}); err != nil || len(entries) > 0 {
					t.Errorf("a failed request is in the ledger: %+v, %v", entries, err)
				}
			})
		}
	}
}

// TestModelLies: replies that name what the model wasn't given, or say more than
// the facts, count for nothing.
func TestModelLies(t *testing.T) {
	for name, m := range map[string]*scripted{
		"units of others": {units: func(engine.UnitsCall) engine.UnitsReply { return engine.UnitsReply{Facts: []string{"f2", "f3"}} }},
		"projects another fact": {project: func(in engine.ProjectCall) engine.ProjectReply {
			return engine.ProjectReply{Details: append(in.Details, engine.NamedText{ID: "f2", Text: "Ines is ill."})}
		}},
		"projects more than is there": {project: func(in engine.ProjectCall) engine.ProjectReply {
			in.Details[0].Text += " She stays with Vandermeer for 14 days."
			return engine.ProjectReply{Details: in.Details}
		}},
		"a storyline with more": {project: func(in engine.ProjectCall) engine.ProjectReply {
			return engine.ProjectReply{Details: in.Details, Storyline: "Ines flies with Vandermeer on 7 July 2027."}
		}},
		"names another fact as told": {respond: func(in engine.RespondCall) engine.RespondReply {
			return engine.RespondReply{Answer: "She flies to Porto.", Facts: []string{"f2"}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			a := openModel(t, talkPolicy, m)
			put(t, a, talkFacts()...)
			d := disclose(t, a, "When is the trip to Porto?", "Bo")
			if !slices.Equal(d.FactsTold, []privacy.FactID{"f1"}) || len(d.Degraded) != 1 || strings.Contains(d.Answer, "Vandermeer") || strings.Contains(d.Answer, "ill") {
				t.Errorf("%+v", d)
			}
		})
	}
}

// TestModelGuard: what nothing supports, what is denied, and a yes or no is worded
// once more, told neutrally what to leave out, and then deflected.
func TestModelGuard(t *testing.T) {
	deflection := func(a *agent.Agent) string { return disclose(t, a, "What about the submarine?", "Bo").Answer }
	for name, tt := range map[string]struct {
		answer string
		claims engine.ClaimsReply
		avoid  string
	}{
		"a denied day":      {"She flies to Porto and is operated on 9 June.", engine.ClaimsReply{}, "date"},
		"a denied name":     {"She flies to Porto, then there is Kestrel.", engine.ClaimsReply{}, "name"},
		"a yes":             {"Yes, she does.", engine.ClaimsReply{}, "yes or no"},
		"an invented claim": {"She flies to Porto with her aunt.", engine.ClaimsReply{Unsupported: 1}, "claim"},
		"a hidden yes":      {"That is so about the trip to Porto.", engine.ClaimsReply{YesOrNo: true}, "yes or no"},
	} {
		t.Run(name, func(t *testing.T) {
			var avoided [][]string
			good := false
			m := &scripted{
				units: func(in engine.UnitsCall) engine.UnitsReply {
					if strings.Contains(in.Question, "Porto") {
						return engine.UnitsReply{Facts: []string{"f1"}}
					}
					return engine.UnitsReply{}
				},
				respond: func(in engine.RespondCall) engine.RespondReply {
					avoided = append(avoided, in.Avoid)
					if good && len(in.Avoid) > 0 {
						return engine.RespondReply{Answer: in.Details[0].Text, Facts: []string{"f1"}}
					}
					return engine.RespondReply{Answer: tt.answer, Facts: []string{"f1"}}
				},
				claims: func(engine.ClaimsCall) engine.ClaimsReply { return tt.claims },
			}
			a := openModel(t, talkPolicy, m)
			put(t, a, talkFacts()...)
			d := disclose(t, a, "What of the Porto trip, any operation or offer or anything else?", "Bo")
			if d.Action != agent.Deflected || d.Answer != deflection(a) {
				t.Errorf("twice wrong, and told %q", d.Answer)
			}
			if len(avoided) != 2 || len(avoided[0]) > 0 || !strings.Contains(strings.Join(avoided[1], "; "), tt.avoid) {
				t.Errorf("avoided %v, want %q", avoided, tt.avoid)
			}
			good = true
			if d = disclose(t, a, "What of the Porto trip, any operation or offer or anything else?", "Bo"); !slices.Equal(d.FactsTold, []privacy.FactID{"f1"}) {
				t.Errorf("the second wording was right, and told %q", d.Answer)
			}
		})
	}
}

// TestSameCalls: denied, forgotten and never known take the same stages, calls and
// ledger writes, and have the same wording and shape, offline and on a model.
func TestSameCalls(t *testing.T) {
	type outcome struct {
		answer, action string
		calls          []string
		entry          string
		nodes          []string
	}
	run := func(t *testing.T, model bool, question string, setup func(*agent.Agent)) outcome {
		m := &scripted{}
		var calls agent.ModelCalls
		if model {
			calls = m
		}
		trace := &nodeTrace{}
		a := openModel(t, talkPolicy, calls, func(o *agent.Options) { o.Tracers = []agent.Tracer{trace} })
		put(t, a, talkFacts()[:2]...)
		setup(a)
		m.stages()
		d := disclose(t, a, question, "Bo")
		entries, err := a.Ledger(t.Context(), memory.LedgerFilter{})
		if err != nil || len(entries) != 1 {
			t.Fatalf("ledger %+v, %v", entries, err)
		}
		entries[0].Policy = ""
		entry, _ := json.Marshal(entries[0])
		return outcome{d.Answer, string(d.Action), m.stages(), string(entry), trace.names()}
	}
	secret := talkFacts()[2]
	add := func(a *agent.Agent) {
		if _, err := a.Store().Apply(t.Context(), memory.Batch{Facts: []memory.Fact{secret.stored()}}); err != nil {
			t.Fatal(err)
		}
	}
	for i, question := range []string{
		"Is there an offer from Kestrel Labs?", "Is there an offer from Kestrel Labs?",
		"Is there an offer from Kestrel Labs, and a trip to Porto?", "Is there an offer from Kestrel Labs, and a trip to Porto?",
	} {
		model := i%2 == 1
		t.Run(fmt.Sprintf("model %v: %s", model, question), func(t *testing.T) {
			unknown := run(t, model, question, func(*agent.Agent) {})
			denied := run(t, model, question, add)
			forgotten := run(t, model, question, func(a *agent.Agent) {
				add(a)
				if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{secret.ID}}); err != nil {
					t.Fatal(err)
				}
			})
			blacklisted := run(t, model, question, func(a *agent.Agent) {
				add(a)
				if _, err := a.EditFact(t.Context(), secret.ID, agent.Edit{Deny: []privacy.Party{"Bo"}}, true); err != nil {
					t.Fatal(err)
				}
			})
			want := fmt.Sprintf("%+v", unknown)
			for name, got := range map[string]outcome{"denied": denied, "forgotten": forgotten, "blacklisted": blacklisted} {
				if fmt.Sprintf("%+v", got) != want {
					t.Errorf("%s\n%+v\nunknown\n%s", name, got, want)
				}
			}
			if len(unknown.nodes) == 0 || (model && i > 1) != (len(unknown.calls) > 0) {
				t.Errorf("nodes %v, calls %v", unknown.nodes, unknown.calls)
			}
		})
	}
}

// nodeTrace keeps the names of the nodes that ran.
type nodeTrace struct {
	mu   sync.Mutex
	list []string
}

func (n *nodeTrace) Start(ctx context.Context, node string) (context.Context, func(bool)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, node)
	return ctx, func(failed bool) {
		if failed {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.list = append(n.list, node+" failed")
		}
	}
}

func (n *nodeTrace) names() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// TestTraced: every node of the graph is told to a tracer, in order.
func TestTraced(t *testing.T) {
	trace := &nodeTrace{}
	a := openModel(t, talkPolicy, nil, func(o *agent.Options) { o.Tracers = []agent.Tracer{trace} })
	put(t, a, talkFacts()...)
	disclose(t, a, "Porto?", "Bo")
	want := []string{"disclose", "identify", "recall", "query_units", "corefer", "judge", "project", "respond", "guard", "record"}
	if got := trace.names(); !slices.Equal(got, want) {
		t.Errorf("nodes %v, want %v", got, want)
	}
}

// TestAttacksOnModel: the attacks of TestAttacks in a conversation, against stages that
// obey the attacker, and against a chat model that does, behind the real prompts. The
// latter says yes to everything, so none of its answers leaves.
func TestAttacksOnModel(t *testing.T) {
	models := map[string]func() agent.ModelCalls{
		"stages": func() agent.ModelCalls { return obeying() },
		"model": func() agent.ModelCalls {
			return agent.PromptCalls(prompts.NewRunner(prompts.Obedient(), prompts.Options{}), nil)
		},
	}
	for name, calls := range models {
		for _, file := range append([]string{"testdata/attacks.jsonl"}, filepath.SplitList(os.Getenv("EPAGENT_ATTACKS"))...) {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				world, attacks := readAttacks(t, file)
				for _, x := range attacks {
					t.Run(x.ID, func(t *testing.T) {
						fresh := func(without []privacy.FactID) *agent.Agent {
							a := openModel(t, string(world.Policy), calls())
							put(t, a, world.without(without)...)
							return a
						}
						testAttack(t, fresh, world, x, askInConversation, attackMust{useful: name == "stages"})
					})
				}
			})
		}
	}
}
