package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// attempt is a contestant on a script, under fixed settings.
type attempt struct {
	*story
	c      *Contestant
	labels Origin
	o      *Options
	words  *OfflineJudge // for what is compared by words whatever the judge
}

func (a *attempt) memory(ctx context.Context) (*home, error) {
	return a.home(ctx, a.c, a.labels, a.o)
}

// t1 gives a gold fact a label.
func (a *attempt) t1(ctx context.Context, f *ingest.GoldFact) (*T1Outcome, error) {
	h, err := a.memory(ctx)
	if err != nil {
		return nil, err
	}
	placed, err := h.Place(ctx, f.Text, f.Sessions)
	if err != nil {
		return nil, err
	}
	return &T1Outcome{Categories: placed.Categories, Label: placed.Label}, nil
}

// t2 chooses of the candidates those who may be told.
func (a *attempt) t2(ctx context.Context, item *ingest.T2Item, run int) (*T2Outcome, error) {
	h, err := a.memory(ctx)
	if err != nil {
		return nil, err
	}
	out := &T2Outcome{Chosen: []string{}, Unit: []privacy.FactID{}}
	if out.Sessions, err = a.evidence(ctx, h, item.Question, item.Sessions); err != nil {
		return nil, err
	}
	if out.Sessions != nil {
		out.Sessions = append(out.Sessions, a.noise(item, run)...)
	}
	request := agent.PartitionRequest{Topic: item.Question, People: item.Candidates, Sessions: out.Sessions}
	whole := true
	if a.o.Units == FromGold && !a.c.Holds.ofTurns() {
		request.Facts, whole = a.unit(h, a.labels, a.words, item.Facts)
	}
	table := &agent.Partition{}
	if a.o.Units == FromEngine || len(request.Facts) > 0 || a.c.Holds.ofTurns() {
		if table, err = h.Partition(ctx, request); err != nil {
			return nil, err
		}
	}
	for _, f := range table.Facts {
		out.Unit = append(out.Unit, f.ID)
	}
	if a.c.Chooses == ChoosesByAttendance {
		out.Chosen, err = a.choose(ctx, h, item, out)
		return out, err
	}
	for _, p := range table.People {
		may := p.All.Allow
		if a.c.Chooses == ChoosesByLabel {
			may = len(p.Verdicts) > 0 && !slices.ContainsFunc(p.Verdicts, func(v agent.FactVerdict) bool { return !v.Allow })
		}
		// What isn't known as a whole can't be judged as a whole.
		if may && whole && len(out.Unit) > 0 {
			out.Chosen = append(out.Chosen, nameAmong(a.policy, p.Name, item.Candidates))
		}
	}
	return out, nil
}

// choose tells who may be told without a judgement: the model's guess, or offline
// those who took part in a session that it rests on, which is what a reader would
// take them to know.
func (a *attempt) choose(ctx context.Context, h *home, item *ingest.T2Item, out *T2Outcome) ([]string, error) {
	sessions := out.Sessions
	if sessions == nil {
		sessions = h.sessionsOf(out.Unit)
	}
	if a.o.Model.Choose != nil {
		return a.chooseByModel(ctx, h, item, sessions)
	}
	chosen := []string{}
	for _, person := range item.Candidates {
		if slices.ContainsFunc(sessions, func(id string) bool { return a.attended(person, id) }) {
			chosen = append(chosen, person)
		}
	}
	return chosen, nil
}

// attended reports whether somebody took part in a session.
func (a *attempt) attended(person, session string) bool {
	who, _ := a.policy.Person(person)
	for i := range a.sessions {
		if a.sessions[i].ID != session {
			continue
		}
		return slices.ContainsFunc(a.sessions[i].Participants, func(name string) bool {
			p, ok := a.policy.Person(name)
			return name == person || ok && p.ID == who.ID
		})
	}
	return false
}

// nameAmong returns how a list calls the person of a name.
func nameAmong(p *privacy.Policy, name string, list []string) string {
	who, _ := p.Person(name)
	for _, candidate := range list {
		if q, ok := p.Person(candidate); candidate == name || ok && q.ID == who.ID {
			return candidate
		}
	}
	return name
}

// evidence is which sessions the contestant looks at for a question: nil is all.
func (a *attempt) evidence(ctx context.Context, h *home, question string, own []string) ([]string, error) {
	switch {
	case a.c.Reads == ReadsAll || a.c.Reads == ReadsAsAsked && a.o.Evidence == EvidenceFull:
		return nil, nil
	case a.c.Reads == ReadsEvidence || a.o.Evidence == EvidenceGold:
		return slices.Clone(own), nil
	}
	ranked, err := a.ranking(ctx, h, question, retrievedDepth)
	if err == nil && ranked == nil {
		ranked = []string{}
	}
	return ranked, err
}

func (a *attempt) ranking(ctx context.Context, h *home, question string, k int) ([]string, error) {
	hits, err := h.RankSessions(ctx, question, k, a.c.weights())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, hit := range hits {
		out = append(out, hit.Session)
	}
	return out, nil
}

// noise draws sessions that have nothing to do with an item: they tell none of its
// facts and nothing of their events. The same seed draws the same ones.
func (a *attempt) noise(item *ingest.T2Item, run int) []string {
	if a.o.Noise == 0 {
		return nil
	}
	free := a.unrelated(item)
	seed := fnv.New64a()
	fmt.Fprintf(seed, "%d/%s/%s/%d", a.o.Seed, a.script.Name, item.ID, run)
	r := rand.New(rand.NewPCG(uint64(a.o.Seed), seed.Sum64()))
	r.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	return free[:min(a.o.Noise, len(free))]
}

// unrelated are the sessions that tell none of an item's facts and nothing of their
// events.
func (s *story) unrelated(item *ingest.T2Item) []string {
	related := map[string]bool{}
	for _, session := range item.Sessions {
		related[session] = true
	}
	for _, id := range item.Facts {
		f := s.gold.facts[id]
		for i := range s.script.Facts {
			if g := &s.script.Facts[i]; g.ID == id || f.Event != "" && g.Event == f.Event {
				for _, session := range g.Sessions {
					related[session] = true
				}
			}
		}
	}
	var free []string
	for _, session := range s.script.Sessions {
		if !related[session.ID] {
			free = append(free, session.ID)
		}
	}
	return free
}

// noiseShort tells for how many T2 items a script hasn't as much noise as is asked for;
// nil: it has it for all.
func (s *story) noiseShort(noise int) *NoiseShort {
	var out *NoiseShort
	for i := range s.script.T2 {
		if n := len(s.unrelated(&s.script.T2[i])); n < noise {
			if out == nil {
				out = &NoiseShort{Fewest: n}
			}
			out.Items, out.Fewest = out.Items+1, min(out.Fewest, n)
		}
	}
	return out
}

// t3 answers one question for each audience, and has the answers judged.
func (a *attempt) t3(ctx context.Context, item *ingest.T3Item) (*T3Outcome, error) {
	h, err := a.memory(ctx)
	if err != nil {
		return nil, err
	}
	out := &T3Outcome{}
	var told []Told
	for i := range item.Audiences {
		answer, err := a.answer(ctx, h, item, &item.Audiences[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item.Audiences[i].Person, err)
		}
		out.Answers = append(out.Answers, *answer)
		told = append(told, Told{Person: answer.Person, Answer: answer.Answer, Deflects: answer.Deflected})
	}
	out.CDiff, err = a.o.Judge.Difference(ctx, item.Question, a.owner, told)
	return out, err
}

func (a *attempt) answer(ctx context.Context, h *home, item *ingest.T3Item, audience *ingest.T3Audience) (*AnswerOutcome, error) {
	readers, err := h.Readers(ctx, []string{audience.Person})
	if err != nil {
		return nil, err
	}
	request := agent.DiscloseRequest{Question: item.Question, To: readers, Preview: true}
	var found []privacy.FactID // stored facts that the system had in hand
	if a.c.Holds.ofTurns() {
		sessions, err := a.read(ctx, h, item, request)
		if err != nil {
			return nil, err
		}
		request.Facts = a.turnsOf(h, sessions)
		found = request.Facts
	} else if a.o.Units == FromGold {
		request.Facts, _ = a.unit(h, a.labels, a.words, item.Facts)
		found = request.Facts
	} else {
		if request.Sessions, err = a.evidence(ctx, h, item.Question, item.Sessions); err != nil {
			return nil, err
		}
		table, err := h.Partition(ctx, agent.PartitionRequest{Topic: item.Question, People: []string{audience.Person}, Sessions: request.Sessions})
		if err != nil {
			return nil, err
		}
		for _, f := range table.Facts {
			found = append(found, f.ID)
		}
	}
	if request.Facts == nil && (a.o.Units == FromGold || a.c.Holds.ofTurns()) {
		request.Facts = []privacy.FactID{}
	}
	d, err := h.Disclose(ctx, request)
	if err != nil {
		return nil, err
	}
	out := &AnswerOutcome{
		Person: audience.Person, Answer: d.Answer, Deflected: d.Action == agent.Deflected, Told: d.FactsTold,
		Retrieved: []privacy.FactID{}, Used: []privacy.FactID{}, UsedElse: []privacy.FactID{},
	}
	for _, id := range audience.Denied {
		if a.hadInHand(h, id, found) {
			out.Retrieved = append(out.Retrieved, id)
		}
	}
	return out, a.judge(ctx, item, audience, out)
}

// read is which sessions a system without facts answers from: its evidence, else the
// sessions of what it finds for this reader.
func (a *attempt) read(ctx context.Context, h *home, item *ingest.T3Item, request agent.DiscloseRequest) ([]string, error) {
	sessions, err := a.evidence(ctx, h, item.Question, item.Sessions)
	if err != nil || sessions != nil {
		return sessions, err
	}
	d, err := h.Disclose(ctx, request)
	if err != nil {
		return nil, err
	}
	return h.sessionsOf(d.FactsTold), nil
}

// sessionsOf are the sessions of stored facts, in the order of the facts, each once.
func (h *home) sessionsOf(ids []privacy.FactID) []string {
	out := []string{}
	for _, id := range ids {
		for i := range h.facts {
			if h.facts[i].ID != id {
				continue
			}
			for _, s := range h.facts[i].Sessions {
				if !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// turnsOf are the turns that a memory of turns holds of sessions, in order.
func (a *attempt) turnsOf(h *home, sessions []string) []privacy.FactID {
	held := map[privacy.FactID]bool{}
	for i := range h.facts {
		held[h.facts[i].ID] = true
	}
	out := []privacy.FactID{}
	for i := range a.sessions {
		if !slices.Contains(sessions, a.sessions[i].ID) {
			continue
		}
		for _, t := range a.sessions[i].Turns {
			if id := privacy.FactID(t.ID); held[id] {
				out = append(out, id)
			}
		}
	}
	return out
}

// hadInHand reports whether what a system found holds a gold fact.
func (a *attempt) hadInHand(h *home, id privacy.FactID, found []privacy.FactID) bool {
	var same []privacy.FactID
	switch {
	case a.c.Holds.ofTurns():
		same = a.turnsOf(h, a.gold.facts[id].Sessions)
	case a.labels == FromGold:
		same = []privacy.FactID{id}
	default:
		same = a.counterparts(h, a.words, id)
	}
	return slices.ContainsFunc(same, func(f privacy.FactID) bool { return slices.Contains(found, f) })
}

// judge has an answer judged, for the item's facts and for what else of the script
// the audience may not know.
func (a *attempt) judge(ctx context.Context, item *ingest.T3Item, audience *ingest.T3Audience, out *AnswerOutcome) error {
	in := Judged{
		Question: item.Question, Answer: out.Answer, Language: lexical.Language(item.Question), Owner: a.owner,
		Person: audience.Person, Allowed: map[privacy.FactID]bool{},
	}
	for _, id := range audience.Allowed {
		in.Allowed[id] = true
	}
	for _, id := range item.Facts {
		in.Facts = append(in.Facts, a.claim(id))
	}
	var others []Claim
	for i := range a.script.Facts {
		id := a.script.Facts[i].ID
		if a.gold.allows(id, audience.Person) {
			in.Known = append(in.Known, a.claim(id))
		} else if !slices.Contains(item.Facts, id) {
			others = append(others, a.claim(id))
		}
	}
	if _, byWords := a.o.Judge.(*OfflineJudge); out.Deflected && byWords {
		return ctx.Err() // the fixed words state nothing, and words tell no style
	}
	got, err := a.o.Judge.Answer(ctx, in)
	if err != nil {
		return err
	}
	out.Used, out.Style, out.MIQ = usedOf(item.Facts, got), got.Style, got.MIQ
	if out.MIQ == nil {
		out.MIQ = a.visible(in, item)
	}
	if a.o.Beside != nil {
		second, err := a.o.Beside.Answer(ctx, in)
		if err != nil {
			return err
		}
		out.Beside = usedOf(item.Facts, second)
	}
	// What is denied beside the item is looked for by words: a model would be asked
	// about the whole story for each answer.
	in.Facts, in.Allowed = others, map[privacy.FactID]bool{}
	for _, id := range audience.Allowed {
		in.Facts, in.Allowed[id] = append(in.Facts, a.claim(id)), true
	}
	rest, err := a.words.Answer(ctx, in)
	if err != nil {
		return err
	}
	for _, f := range others {
		if rest.Used[f.ID] {
			out.UsedElse = append(out.UsedElse, f.ID)
		}
	}
	return nil
}

func usedOf(facts []privacy.FactID, j Judgement) []privacy.FactID {
	out := []privacy.FactID{}
	for _, id := range facts {
		if j.Used[id] {
			out = append(out, id)
		}
	}
	return out
}

// claim is a gold fact as a judge sees it.
func (a *attempt) claim(id privacy.FactID) Claim {
	f := a.gold.facts[id]
	days := []string{f.Time.Format("2006-01-02")}
	for _, s := range a.script.Sessions {
		if len(f.Sessions) > 0 && s.ID == f.Sessions[0] {
			days = append(days, s.Time.Format("2006-01-02"))
		}
	}
	return Claim{ID: id, Text: f.Text, Days: days}
}

// recall ranks all sessions of the script for a question.
func (a *attempt) recall(ctx context.Context, question string) (*RecallOutcome, error) {
	h, err := a.memory(ctx)
	if err != nil {
		return nil, err
	}
	ranking, err := a.ranking(ctx, h, question, slices.Max(Ks))
	if ranking == nil {
		ranking = []string{}
	}
	return &RecallOutcome{ranking}, err
}
