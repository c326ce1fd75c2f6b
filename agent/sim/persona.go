package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// passOn is how long after an answer it is passed on.
const passOn = time.Minute

// mostHeard is how much of what a persona heard a model is given: the latest.
const mostHeard = 20

// words are what is said at a step: those of the script, or what a persona makes of
// its goal.
func (r *run) words(ctx context.Context, st *step) (string, error) {
	s := r.script
	text := st.text
	if st.kind == KindAsk && text == "" {
		p := s.party(st.from)
		if p.Model && r.o.Persona != nil {
			heard := r.heard[p.Name]
			said, err := r.o.Persona.Word(ctx, p, st.of, slices.Clone(heard[max(len(heard)-mostHeard, 0):]))
			if err != nil {
				return "", fmt.Errorf("%s's question at %s: %w", p.Name, st.at.Format("2006-01-02 15:04"), err)
			}
			if text = strings.TrimSpace(said); text != "" {
				return text, nil
			}
		}
		if len(p.Lines) == 0 {
			return "", fmt.Errorf("%w: %s asks by a model, and there is none; give lines, or a model", ErrOptions, p.Name)
		}
		text = p.Lines[s.random(r.seed, fmt.Sprintf("line %d %d", st.event, st.round)).IntN(len(p.Lines))]
	}
	if st.kind == KindAsk && st.attack == Collusion {
		if n := r.passed[st.from]; n > 0 {
			e := &r.exchanges[n-1]
			text = s.quoted(e.From, e.Text, text)
		}
	}
	return text, nil
}

// follow takes down what an exchange leads to: what personas heard, and what they pass
// on.
func (r *run) follow(e *Exchange) {
	switch e.Kind {
	case KindAsk:
		for _, name := range e.To {
			r.heard[name] = append(r.heard[name], e.Answer)
		}
		to := r.script.party(e.From).Retells
		if a := r.script.Timeline[e.event].Attack; a != nil && a.Kind == Collusion {
			to = slices.Concat(to, a.By)
		}
		to = r.script.listeners("", to, e.From)
		to = slices.DeleteFunc(to, func(name string) bool { return name == e.Of })
		if len(to) == 0 {
			return
		}
		r.added++
		r.queue.add(step{
			at: e.At.Add(passOn), order: maxSteps + r.added, event: e.event, kind: KindRetell,
			from: e.From, to: to, text: r.script.passedOn(e.Of, e.Answer), carry: e.N, attack: e.Attack,
		})
	case KindRetell:
		for _, name := range e.To {
			r.passed[name] = e.N
		}
	}
}
