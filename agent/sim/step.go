package sim

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// Kind is what a step is.
type Kind string

// The kinds of steps.
const (
	KindNote     Kind = "note"
	KindSay      Kind = "say"
	KindAsk      Kind = "ask"
	KindRetell   Kind = "retell" // passing on what was heard
	KindPolicy   Kind = "policy"
	KindAudience Kind = "audience"
)

// step is one thing at one moment.
type step struct {
	at    time.Time
	order int // among those of the same moment
	event int // of the timeline
	round int // which repetition of it, from 0

	kind   Kind
	of     string     // whose delegate acts
	from   string     // who speaks
	to     []string   // who hears it: the listeners, the readers of an answer
	in     string     // the channel
	text   string     // "" of an ask: the persona words it
	about  []string   // details that it asks about
	tells  []string   // details that it holds
	attack AttackKind // "" none
	carry  int        // exchange that is passed on, from 1
}

// schedule lays out all steps of a script that are known before it is played, in
// their order.
func (s *Script) schedule(seed int64) []step {
	var out []step
	for i := range s.Timeline {
		e, m := &s.Timeline[i], s.events[i]
		for round := range m.times {
			st := step{at: m.first.Add(time.Duration(round) * m.every), event: i, round: round}
			switch {
			case e.Note != nil:
				st.kind, st.of, st.from = KindNote, s.party(e.Note.Of).Name, s.party(e.Note.Of).Name
				st.text, st.tells = e.Note.Text, e.Note.Tells
			case e.Say != nil:
				st.kind, st.from, st.in = KindSay, s.party(e.Say.From).Name, e.Say.In
				st.to = s.listeners(e.Say.In, e.Say.To, st.from)
				st.text, st.tells = e.Say.Text, e.Say.Tells
			case e.Ask != nil:
				st.kind, st.of, st.from, st.in = KindAsk, s.party(e.Ask.Of).Name, s.party(e.Ask.From).Name, e.Ask.In
				st.to = []string{st.from}
				if st.in != "" {
					st.to = s.listeners(st.in, nil, st.of)
				}
				st.text, st.about = e.Ask.Text, e.Ask.About
			case e.Policy != nil:
				st.kind, st.of = KindPolicy, s.party(e.Policy.Of).Name
			case e.Audience != nil:
				st.kind, st.about = KindAudience, []string{e.Audience.Detail}
			case e.Attack != nil:
				out = append(out, s.attackSteps(st, e.Attack, seed)...)
				continue
			}
			out = append(out, st)
		}
	}
	slices.SortStableFunc(out, func(a, b step) int { return a.at.Compare(b.at) })
	for i := range out {
		out[i].order = i
	}
	return out
}

// attackSteps are the questions of one round of an attack.
func (s *Script) attackSteps(st step, a *Attack, seed int64) []step {
	r := s.random(seed, fmt.Sprintf("attack %d %d", st.event, st.round))
	var out []step
	for k, name := range a.By {
		one := st
		one.kind, one.attack, one.order = KindAsk, a.Kind, k
		one.of, one.from, one.about = s.party(a.Of).Name, s.party(name).Name, a.About
		one.to = []string{one.from}
		ask := a.Asks[st.round%len(a.Asks)]
		if a.Kind == Collusion {
			ask = a.Asks[(st.round*len(a.By)+k)%len(a.Asks)] // they share the work
		}
		one.text = s.insisting(a, ask, st.round, r)
		out = append(out, one)
	}
	return out
}

// listeners are who hears a message: the others of a channel, or those named.
func (s *Script) listeners(channel string, to []string, from string) []string {
	if ch := s.channel(channel); ch != nil {
		to = ch.Members
	}
	var out []string
	for _, name := range to {
		if p := s.party(name); p.Name != from && !slices.Contains(out, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// random is a source of randomness for one purpose: what is drawn for one doesn't
// depend on any other.
func (s *Script) random(seed int64, purpose string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", seed, purpose)
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}

// queue holds the steps that are still to be played, next first.
type queue struct{ steps []step }

// add puts a step where it belongs: behind all of its moment.
func (q *queue) add(st step) {
	i, _ := slices.BinarySearchFunc(q.steps, st, func(a, b step) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order))
	})
	q.steps = slices.Insert(q.steps, i, st)
}

// moment takes the steps of the next moment.
func (q *queue) moment() []step {
	n := 1
	for n < len(q.steps) && q.steps[n].at.Equal(q.steps[0].at) {
		n++
	}
	out := slices.Clone(q.steps[:n])
	q.steps = q.steps[n:]
	return out
}
