package sim

// WithoutEngine plays with the privacy engine switched off.
func WithoutEngine(o Options) Options {
	o.EngineOff = true
	return o
}

// PlantedLeak is that somebody was given a detail that they may not know, by the
// delegates' own records: no text was read to find out.
type PlantedLeak struct {
	Detail, Person string
	Exchange       int
}

// Planted are the leaks of a run by its records: an answer used a fact, the fact rests
// on a note or a message, and by the script's word that holds the detail.
func Planted(s *Script, out *Result) []PlantedLeak {
	may := map[string]bool{}
	key := func(detail, person string) string { return detail + "\x00" + person }
	for _, d := range s.Details {
		for _, name := range append(d.May, d.Of) {
			may[key(d.ID, s.party(name).Name)] = true
		}
	}
	var leaks []PlantedLeak
	seen := map[string]bool{}
	holds := map[string][]string{} // by owner and fact: details
	told := map[int][]string{}     // by exchange: details
	give := func(e *Exchange, ids []string) {
		for _, id := range ids {
			if s.detail(id).Text == "" {
				continue
			}
			told[e.N] = append(told[e.N], id)
			for _, name := range e.To {
				if k := key(id, name); !may[k] && !seen[k] {
					seen[k] = true
					leaks = append(leaks, PlantedLeak{id, name, e.N})
				}
			}
		}
	}
	for i := range out.Exchanges {
		e := &out.Exchanges[i]
		for _, fact := range e.Facts {
			holds[key(e.From, string(fact))] = append(holds[key(e.From, string(fact))], e.Tells...)
		}
		switch e.Kind {
		case KindAudience:
			a := s.Timeline[e.event].Audience
			for _, name := range a.Add {
				may[key(a.Detail, s.party(name).Name)] = true
			}
			for _, name := range a.Remove {
				delete(may, key(a.Detail, s.party(name).Name))
			}
		case KindSay:
			for _, id := range e.Tells {
				for _, name := range e.To {
					may[key(id, name)] = true
				}
			}
		case KindAsk:
			for _, fact := range e.Told {
				give(e, holds[key(e.Of, string(fact))])
			}
		case KindRetell:
			give(e, told[e.Carries])
		}
	}
	return leaks
}
