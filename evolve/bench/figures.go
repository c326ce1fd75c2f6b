package bench

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Scores is the result of a run.
type Scores struct {
	Runs    []Result `json:"runs"`    // a row for each script and system
	Overall []Result `json:"overall"` // a row for each system: the unweighted mean over the scripts
	Config  Config   `json:"config"`
	// Halves are the same over parts of the scripts.
	Halves []HalfScores `json:"halves,omitempty"`

	all []*scored
}

// Result is the figures of one system on a script, or over all. A task or measure that it doesn't do is null.
type Result struct {
	Script   string   `json:"script,omitempty"`
	System   string   `json:"system"`
	Model    string   `json:"model"`
	Labels   Origin   `json:"labels"`
	Units    Origin   `json:"units"`
	Evidence Evidence `json:"evidence"`
	Noise    int      `json:"noise"`
	Runs     int      `json:"runs"`

	T1     *T1Score            `json:"t1"`
	T2     *T2Score            `json:"t2"`
	T3     *T3Score            `json:"t3"`
	Recall map[string]*float64 `json:"recall"`
	// CI are 95 % intervals of the figures, by task and measure: low and high.
	CI map[string]map[string][2]float64 `json:"ci"`
	// Error splits the error by where it comes from, with labels of the engine.
	Error map[string]ErrorShare `json:"error,omitempty"`
	// Judges is how far two judges agree on which facts answers use.
	Judges *Agreement `json:"judges,omitempty"`
}

// T1Score is how well facts are given their level; shares are 0..1.
type T1Score struct {
	N          int      `json:"n"`
	Level      *float64 `json:"level"`
	Label      *float64 `json:"label"`       // level and domain
	WrongAllow *float64 `json:"wrong_allow"` // over all facts and people of the script
	// Confusion counts facts of the scripts by gold level and by the level given.
	Confusion *[5][5]int `json:"confusion"`
}

// T2Score is how well those are chosen who may be told.
type T2Score struct {
	N       int      `json:"n"`
	Exact   *float64 `json:"exact"`
	Partial *float64 `json:"partial"`
}

// T3Score is what answers give away and tell. N counts answers.
type T3Score struct {
	N           int      `json:"n"`
	PB          *float64 `json:"pb"`
	PC          *float64 `json:"pc"`
	PD          *float64 `json:"pd"`
	PBAll       *float64 `json:"pb_all"` // with the denied facts beside the item's
	Sufficiency *float64 `json:"sufficiency"`
	Privacy     *float64 `json:"privacy"`
	Overall     *float64 `json:"overall"`
	Deflected   *float64 `json:"deflected"` // of the answers with nothing allowed
	Style       *float64 `json:"style"`     // 1..5
	MIQ         *float64 `json:"miq"`       // 0..4, 0 is none
	CDiff       *float64 `json:"cdiff"`
}

// ErrorShare is an error (1 − exact, permeability, 1 − sufficiency), how much of it
// goes away with gold labels, and what stays. Labels is negative where gold labels
// make it worse.
type ErrorShare struct {
	Error  float64 `json:"error"`
	Labels float64 `json:"labels"`
	Engine float64 `json:"engine"`
}

// Agreement of two judges over pairs of an answer and a fact.
type Agreement struct {
	N      int      `json:"n"`
	Judge  string   `json:"judge"`
	Beside string   `json:"beside"`
	Agree  float64  `json:"agree"`
	Kappa  *float64 `json:"kappa"` // null where chance alone explains it
	First  int      `json:"judge_only"`
	Second int      `json:"beside_only"`
}

// resamples is how many samples a bootstrap interval rests on.
const resamples = 1000

// settle makes the rows of what was scored.
func (s *Scores) settle(o *Options) {
	s.Runs, s.Overall = []Result{}, []Result{}
	for _, t := range s.all {
		if !t.borrowed {
			s.Runs = append(s.Runs, row([]*scored{t}, t.script, o))
		}
	}
	for i := range o.Systems {
		var mine []*scored
		for _, t := range s.all {
			if t.c == &o.Systems[i] {
				mine = append(mine, t)
			}
		}
		if len(mine) > 0 {
			s.Overall = append(s.Overall, row(mine, "", o))
		}
	}
	for _, h := range o.Halves {
		part := HalfScores{Half: h, Overall: []Result{}}
		for i := range o.Systems {
			var mine []*scored
			for _, t := range s.all {
				if t.c == &o.Systems[i] && slices.Contains(h.Scripts, t.script) {
					mine = append(mine, t)
				}
			}
			if len(mine) > 0 {
				part.Overall = append(part.Overall, row(mine, "", o))
			}
		}
		s.Halves = append(s.Halves, part)
	}
}

// Half is a part of the scripts with what was learned for it: from the others, never
// from its own items.
type Half struct {
	Name     string            `json:"name"`
	Scripts  []string          `json:"scripts"`
	Feedback int               `json:"feedback"` // failed items of the others that taught
	Tried    int               `json:"tried"`    // candidates
	Lessons  map[Form][]string `json:"lessons"`  // in words
}

// HalfScores are the figures on a part of the scripts.
type HalfScores struct {
	Half
	Overall []Result `json:"overall"`
}

// row are the figures of one system on one script, or over several.
func row(list []*scored, script string, o *Options) Result {
	r := Result{
		Script: script, System: list[0].c.Name, Model: o.Model.Name, Labels: o.Labels, Units: o.Units,
		Evidence: o.Evidence, Noise: o.Noise, Runs: o.Runs, Recall: map[string]*float64{}, CI: map[string]map[string][2]float64{},
	}
	figure := func(task, measure string) *float64 {
		name := task + "." + measure
		value, ok := overScripts(list, name, nil)
		if !ok {
			return nil
		}
		if r.CI[task] == nil {
			r.CI[task] = map[string][2]float64{}
		}
		r.CI[task][measure] = interval(list, name, o.Seed)
		return &value
	}
	var n [3]int
	for _, t := range list {
		for i := range n {
			n[i] += t.items[i]
		}
	}
	if n[0] > 0 {
		r.T1 = &T1Score{N: n[0], Level: figure("t1", "level"), Label: figure("t1", "label"), WrongAllow: figure("t1", "wrong_allow"), Confusion: &[5][5]int{}}
		for _, t := range list {
			for gold := range t.levels {
				for given, n := range t.levels[gold] {
					r.T1.Confusion[gold][given] += n
				}
			}
		}
	}
	if n[1] > 0 {
		r.T2 = &T2Score{N: n[1], Exact: figure("t2", "exact"), Partial: figure("t2", "partial")}
	}
	if n[2] > 0 {
		r.T3 = &T3Score{
			N: n[2], PB: figure("t3", "pb"), PC: figure("t3", "pc"), PD: figure("t3", "pd"), PBAll: figure("t3", "pb_all"),
			Sufficiency: figure("t3", "sufficiency"), Privacy: figure("t3", "privacy"), Overall: figure("t3", "overall"),
			Deflected: figure("t3", "deflected"), Style: figure("t3", "style"), MIQ: figure("t3", "miq"), CDiff: figure("t3", "cdiff"),
		}
	}
	for _, k := range Ks {
		r.Recall[strconv.Itoa(k)] = figure("recall", strconv.Itoa(k))
	}
	r.Error = errorShares(list)
	r.Judges = agreementOf(list, o)
	return r
}

// overScripts is the unweighted mean over scripts of a measure's mean over its
// values; draw picks the items, nil takes each once. A script without a value is left
// out; ok is false where none has one.
func overScripts(list []*scored, name string, draw func(n int) int) (mean float64, ok bool) {
	sum, scripts := 0.0, 0.0
	for _, t := range list {
		items := t.measures[name]
		var total sample
		for i := range items {
			one := items[i]
			if draw != nil {
				one = items[draw(len(items))]
			}
			total.sum += one.sum
			total.n += one.n
		}
		if total.n > 0 {
			sum += total.sum / total.n
			scripts++
		}
	}
	if scripts == 0 {
		return 0, false
	}
	return sum / scripts, true
}

// interval is the bootstrap's 95 % interval of a measure: items are drawn anew within
// each script. The same seed gives the same interval.
func interval(list []*scored, name string, seed int64) [2]float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name + "/" + list[0].c.Name))
	for _, t := range list {
		_, _ = h.Write([]byte("/" + t.script))
	}
	r := rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
	var drawn []float64
	for range resamples {
		if mean, ok := overScripts(list, name, r.IntN); ok {
			drawn = append(drawn, mean)
		}
	}
	slices.Sort(drawn)
	if len(drawn) == 0 {
		return [2]float64{}
	}
	at := func(share float64) float64 { return drawn[min(int(share*float64(len(drawn))), len(drawn)-1)] }
	return [2]float64{at(0.025), at(0.975)}
}

// errorShares splits the errors where there is a rerun with gold labels.
func errorShares(list []*scored) map[string]ErrorShare {
	var gold []*scored
	for _, t := range list {
		if t.rerun == nil {
			return nil
		}
		gold = append(gold, t.rerun)
	}
	out := map[string]ErrorShare{}
	for _, m := range []struct {
		name, measure string
		of            func(float64) float64
	}{
		{"t2", "t2.exact", func(x float64) float64 { return 1 - x }},
		{"pb", "t3.pb", func(x float64) float64 { return x }},
		{"sufficiency", "t3.sufficiency", func(x float64) float64 { return 1 - x }},
	} {
		whole, ok := overScripts(list, m.measure, nil)
		rest, also := overScripts(gold, m.measure, nil)
		if ok && also {
			out[m.name] = ErrorShare{Error: m.of(whole), Labels: m.of(whole) - m.of(rest), Engine: m.of(rest)}
		}
	}
	return out
}

func agreementOf(list []*scored, o *Options) *Agreement {
	var g agreement
	for _, t := range list {
		g.both += t.matched.both
		g.neither += t.matched.neither
		g.first += t.matched.first
		g.second += t.matched.second
	}
	n := g.both + g.neither + g.first + g.second
	if n == 0 || o.Beside == nil {
		return nil
	}
	total := float64(n)
	out := &Agreement{N: n, Judge: o.Judge.Name(), Beside: o.Beside.Name(), Agree: float64(g.both+g.neither) / total, First: g.first, Second: g.second}
	yes := float64(g.both+g.first) / total * float64(g.both+g.second) / total
	no := float64(g.neither+g.first) / total * float64(g.neither+g.second) / total
	if chance := yes + no; chance < 1 {
		kappa := (out.Agree - chance) / (1 - chance)
		out.Kappa = &kappa
	}
	return out
}
