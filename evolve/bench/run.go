package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/prompts"
)

// Run runs the systems on script folders, item by item, and returns the figures. What
// was kept of an earlier run under the same settings isn't done again. A run that is
// cancelled has kept what it had done; the error is the context's.
func Run(ctx context.Context, dirs []string, o Options) (*Scores, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	if len(dirs) == 0 {
		return nil, ErrNoScripts
	}
	out := &Scores{Config: configOf(o)}
	for _, dir := range dirs {
		if err := runScript(ctx, dir, &o, out); err != nil {
			return nil, err
		}
	}
	out.settle(&o)
	if o.Results != nil {
		if err := out.write(o.Results); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func runScript(ctx context.Context, dir string, o *Options, out *Scores) (err error) {
	s, err := openStory(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	name := s.script.Name
	for _, earlier := range out.Config.Scripts {
		if earlier.Name == name {
			return fmt.Errorf("%s: %w: another script of this run is called %q, too; rename the folder", dir, ErrOptions, name)
		}
	}
	out.Config.Scripts = append(out.Config.Scripts, ScriptConfig{Name: name, Hash: s.hash, NoiseShort: s.noiseShort(o.Noise)})
	words := NewOfflineJudge()
	for i := range o.Systems {
		c := &o.Systems[i]
		borrowed := false
		if c.Evolved != "" {
			_, evolved := o.Evolution(c.Evolved, name)
			borrowed = !evolved // without supplements it is EP-Mem
		}
		a := &attempt{story: s, c: c, labels: o.Labels, o: o, words: words}
		records, err := a.all(ctx)
		if err != nil {
			return err
		}
		score := newScored(s, c, o, records)
		if o.Feedback != nil && c.Name == EPMem && o.Labels == FromEngine {
			if err := a.feedback(ctx, records); err != nil {
				return err
			}
		}
		if o.Labels == FromEngine && c.judges() && o.Tasks == nil {
			// The same with gold labels: what is left of the error isn't the labels'.
			a.labels = FromGold
			if records, err = a.all(ctx); err != nil {
				return err
			}
			score.rerun = newScored(s, c, o, records)
		}
		score.borrowed = borrowed
		out.all = append(out.all, score)
	}
	return nil
}

// job is an item to do.
type job struct {
	record *Record
	work   func(ctx context.Context, r *Record) error
}

// all does every item of the script, and returns the records in a fixed order.
func (a *attempt) all(ctx context.Context) ([]*Record, error) {
	jobs := a.jobs()
	out := make([]*Record, len(jobs))
	var open []int
	for i := range jobs {
		jobs[i].record.Key = a.key(jobs[i].record)
		if known, ok := a.o.Results.find(jobs[i].record.Key); ok {
			out[i] = a.slim(known)
		} else {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return out, ctx.Err()
	}
	if _, err := a.memory(ctx); err != nil { // made once, before several ask for it
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	var failed error
	done := len(jobs) - len(open)
	next := make(chan int)
	var workers sync.WaitGroup
	for range a.o.atOnce() {
		workers.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				record := jobs[i].record
				err := jobs[i].work(ctx, record)
				if err == nil {
					err = a.o.Results.keep(record)
				}
				mu.Lock()
				if err != nil && failed == nil {
					failed = fmt.Errorf("%s: %s: %s %s: %w", a.script.Name, a.c.Name, record.Task, record.Item, err)
					stop()
				}
				if err == nil {
					out[i] = a.slim(record)
					done++
					a.o.Progress(a.script.Name, a.c.Name, done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	for _, i := range open {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if failed != nil {
		return nil, failed
	}
	return out, ctx.Err()
}

// slim leaves of the record of a repeated run what figures are made of: its texts are
// in the results folder, and runs times answers of them aren't held. Feedback is taken
// from whole records.
func (a *attempt) slim(r *Record) *Record {
	if r.Run == 0 || a.o.Feedback != nil {
		return r
	}
	out := *r
	if r.T2 != nil {
		out.T2 = &T2Outcome{Chosen: r.T2.Chosen}
	}
	if r.T3 != nil {
		t3 := *r.T3
		t3.Answers = slices.Clone(t3.Answers)
		for i := range t3.Answers {
			t3.Answers[i].Answer, t3.Answers[i].Told = "", nil
		}
		out.T3 = &t3
	}
	return &out
}

// atOnce is how many items are done at once: a model is waited for, a processor isn't.
func (o *Options) atOnce() int {
	if _, byWords := o.Judge.(*OfflineJudge); byWords && o.Model.Name == Offline {
		return 1
	}
	return 4
}

// jobs are the items to do, in the order of their records.
func (a *attempt) jobs() []job {
	var out []job
	s := a.script
	add := func(task Task, item string, run int, work func(ctx context.Context, r *Record) error) {
		out = append(out, job{&Record{Script: s.Name, System: a.c.Name, Labels: a.labels, Task: task, Item: item, Run: run}, work})
	}
	first := a.labels == a.o.Labels // a rerun with gold labels is for T2 and T3 alone
	if first && a.labels == FromEngine && a.c.labels() && a.o.does(TaskLabel) {
		for i := range s.Facts {
			add(TaskLabel, string(s.Facts[i].ID), 0, func(ctx context.Context, r *Record) (err error) {
				r.T1, err = a.t1(ctx, &s.Facts[i])
				return err
			})
		}
	}
	for run := range a.o.Runs {
		if a.c.Chooses != ChoosesNone && a.o.does(TaskWho) {
			for i := range s.T2 {
				add(TaskWho, s.T2[i].ID, run, func(ctx context.Context, r *Record) (err error) {
					r.T2, err = a.t2(ctx, &s.T2[i], run)
					return err
				})
			}
		}
		for i := range s.T3 {
			if !a.o.does(TaskTell) {
				break
			}
			add(TaskTell, s.T3[i].ID, run, func(ctx context.Context, r *Record) (err error) {
				r.T3, err = a.t3(ctx, &s.T3[i])
				return err
			})
		}
	}
	if first && a.o.does(TaskRecall) {
		for id, question := range questionsOf(s) {
			add(TaskRecall, id, 0, func(ctx context.Context, r *Record) (err error) {
				r.Recall, err = a.recall(ctx, question)
				return err
			})
		}
	}
	return out
}

// key names everything that a record depends on.
func (a *attempt) key(r *Record) string {
	h := newHash()
	h.add(a.o.Code, a.hash, r.System, string(r.Labels), string(r.Task), r.Item, strconv.Itoa(r.Run))
	h.add(a.o.Model.Name, a.o.Model.Options.Version)
	for _, v := range prompts.Versions() {
		h.add(string(v.Stage), v.Version)
	}
	if a.c.Evolved != "" {
		if s, ok := a.o.Evolution(a.c.Evolved, r.Script); ok {
			h.add(s.Version)
		}
	}
	if r.Task == TaskWho || r.Task == TaskTell {
		h.add(string(a.o.Units), string(a.o.Evidence))
	}
	if r.Task == TaskWho {
		h.add(strconv.Itoa(a.o.Noise), strconv.FormatInt(a.o.Seed, 10))
	}
	if r.Task == TaskTell {
		h.add(a.o.Judge.Name())
		if a.o.Beside != nil {
			h.add(a.o.Beside.Name())
		}
	}
	return h.sum()
}

// questionsOf yields the items whose evidence is to be found, in order.
func questionsOf(s *ingest.Script) func(func(id, question string) bool) {
	return func(yield func(id, question string) bool) {
		for i := range s.T2 {
			if !yield(s.T2[i].ID, s.T2[i].Question) {
				return
			}
		}
		for i := range s.T3 {
			if !yield(s.T3[i].ID, s.T3[i].Question) {
				return
			}
		}
	}
}

// Config is what a run was made with: everything needed to repeat it.
type Config struct {
	Code     string   `json:"code"`
	Systems  []string `json:"systems"`
	Labels   Origin   `json:"labels"`
	Units    Origin   `json:"units"`
	Evidence Evidence `json:"evidence"`
	Noise    int      `json:"noise"`
	Runs     int      `json:"runs"`
	Seed     int64    `json:"seed"`
	Model    string   `json:"model"`
	Judge    string   `json:"judge"`
	// EvolveScripts and EvolveStages are those that EP-Mem+Evo was run for; empty: all.
	EvolveScripts []string               `json:"evolve_scripts,omitempty"`
	EvolveStages  []string               `json:"evolve_stages,omitempty"`
	Prompts       []prompts.StageVersion `json:"prompts"`
	Scripts       []ScriptConfig         `json:"scripts"`
}

// ScriptConfig is a script of a run.
type ScriptConfig struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
	// NoiseShort tells where the script hasn't as many unrelated sessions as the noise
	// asks for; nil: nowhere.
	NoiseShort *NoiseShort `json:"noise_short,omitempty"`
}

// NoiseShort is how much noise is missing: those items got all the unrelated sessions
// that there are.
type NoiseShort struct {
	Items  int `json:"items"`  // T2 items with fewer than asked for
	Fewest int `json:"fewest"` // sessions that the poorest of them got
}

// setting writes what figures were measured with, in one line.
func (c *Config) setting() string {
	noise := fmt.Sprintf("noise %d", c.Noise)
	var short []string
	for _, s := range c.Scripts {
		if n := s.NoiseShort; n != nil {
			items := "items"
			if n.Items == 1 {
				items = "item"
			}
			short = append(short, fmt.Sprintf("%s has fewer unrelated sessions, down to %d, for %d %s", s.Name, n.Fewest, n.Items, items))
		}
	}
	if len(short) > 0 {
		noise += " (" + strings.Join(short, "; ") + ")"
	}
	out := fmt.Sprintf("labels %s, units %s, evidence %s, %s, model %s, judge %s", c.Labels, c.Units, c.Evidence, noise, c.Model, c.Judge)
	if len(c.EvolveScripts) > 0 {
		out += ", evolution for " + strings.Join(c.EvolveScripts, ", ") + " alone"
	}
	if len(c.EvolveStages) > 0 {
		out += ", evolution of " + strings.Join(c.EvolveStages, ", ") + " alone"
	}
	return out
}

func configOf(o Options) Config {
	return Config{
		Code: o.Code, Systems: names(o.Systems), Labels: o.Labels, Units: o.Units, Evidence: o.Evidence, Noise: o.Noise, Runs: o.Runs,
		Seed: o.Seed, Model: o.Model.Name, Judge: o.Judge.Name(), EvolveScripts: sortedCopy(o.EvolveScripts), EvolveStages: sortedCopy(o.EvolveStages), Prompts: prompts.Versions(),
	}
}

func sortedCopy(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// write puts config and figures into the results folder.
func (s *Scores) write(r *Results) error {
	config, err := json.MarshalIndent(s.Config, "", "  ")
	if err != nil {
		return err
	}
	if err := r.setAside(append(config, '\n')); err != nil {
		return fmt.Errorf("keep the earlier run apart: %w; choose another folder by --out", err)
	}
	for name, value := range map[string]any{ConfigFile: s.Config, ScoresFile: s} {
		data, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return err
		}
		if err := r.Write(name, append(data, '\n')); err != nil {
			return err
		}
	}
	page, err := HTML(s)
	if err != nil {
		return err
	}
	return errors.Join(r.Write(HTMLFile, page), r.Write(MarkdownFile, []byte(Markdown(s))))
}
