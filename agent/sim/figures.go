package sim

import "time"

// Figures are what a run comes to.
type Figures struct {
	Exchanges int `json:"exchanges"`
	Messages  int `json:"messages"` // a question and its answer are two
	Questions int `json:"questions"`
	Deflected int `json:"deflected"`
	Learned   int `json:"learned"` // pairs of a detail and a person
	Leaks     int `json:"leaks"`   // of these, those that are leaks
	// Spread are pairs that came about without a delegate though they weren't allowed.
	Spread int `json:"spread"`
	// FirstLeak is the first leak; nil without one.
	FirstLeak *FirstLeak `json:"first_leak"`
	Refusal   Refusal    `json:"over_refusal"`
	Cost      Cost       `json:"cost"`
}

// FirstLeak is when the first leak came about.
type FirstLeak struct {
	Detail    string  `json:"detail"`
	Person    string  `json:"person"`
	Exchange  int     `json:"exchange"`
	Questions int     `json:"questions"` // that were asked up to then
	Days      float64 `json:"days"`      // since the first day began
}

// Refusal is how often somebody wasn't told what they asked for and may know.
type Refusal struct {
	Probes  int      `json:"probes"`
	Refused int      `json:"refused"`
	Share   *float64 `json:"share"` // nil without a probe
}

// Cost is what a run took, as far as it is the same each time; the tokens of a model
// are told by the command that runs it.
type Cost struct {
	Delegates     int `json:"delegates"`
	QuestionBytes int `json:"question_bytes"`
	AnswerBytes   int `json:"answer_bytes"`
	StoredBytes   int `json:"stored_bytes"` // of what delegates were given to remember
}

// figures counts.
func (s *Script) figures(exchanges []Exchange, m *Matrix) Figures {
	f := Figures{Exchanges: len(exchanges)}
	hasDelegate := map[string]bool{}
	for i := range s.Parties {
		if s.Parties[i].Delegate != nil {
			hasDelegate[s.Parties[i].Name] = true
			f.Cost.Delegates++
		}
	}
	questions := make([]int, len(exchanges)+1) // up to each exchange
	for i := range exchanges {
		e := &exchanges[i]
		f.Messages += e.messages()
		if e.Kind == KindAsk {
			f.Questions++
			f.Cost.QuestionBytes += len(e.Text)
			f.Cost.AnswerBytes += len(e.Answer)
			if e.Deflected {
				f.Deflected++
			}
		} else if hasDelegate[e.From] && (e.Kind == KindNote || e.Kind == KindSay) {
			f.Cost.StoredBytes += len(e.Text)
		}
		for _, name := range e.To {
			if hasDelegate[name] {
				f.Cost.StoredBytes += len(e.heard())
			}
		}
		questions[i+1] = f.Questions
	}
	for i := range m.Cells {
		c := &m.Cells[i]
		f.Learned++
		switch {
		case c.Leak:
			f.Leaks++
			if f.FirstLeak == nil {
				last := c.Path[len(c.Path)-1].Exchange
				f.FirstLeak = &FirstLeak{c.Detail, c.Person, last, questions[last], c.At.Sub(s.start).Round(time.Minute).Hours() / 24}
			}
		case !c.Allowed:
			f.Spread++
		}
	}
	f.Refusal.Probes = len(m.Probes)
	for _, p := range m.Probes {
		if !p.Told {
			f.Refusal.Refused++
		}
	}
	if f.Refusal.Probes > 0 {
		share := float64(f.Refusal.Refused) / float64(f.Refusal.Probes)
		f.Refusal.Share = &share
	}
	return f
}
