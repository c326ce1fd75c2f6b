package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/thesaurus"
)

// datasetTime is when everything of a data set without times was said.
var datasetTime = time.Date(2026, time.January, 1, 9, 0, 0, 0, time.UTC)

// DatasetOptions say how a data set is measured. The zero value is offline.
type DatasetOptions struct {
	Model Model // what the stages run on
	Judge Judge // who says what an answer states; nil: the offline judge
	// Samples is how many answers are drawn for each question; 0: 1. Offline all are
	// the same.
	Samples int
	// Progress is told of what is done; nil: nobody.
	Progress func(done, total int)
}

func (o DatasetOptions) withDefaults() DatasetOptions {
	if o.Model.Name == "" {
		o.Model.Name = Offline
	}
	if o.Judge == nil {
		o.Judge = NewOfflineJudge()
	}
	if o.Samples <= 0 || o.Model.Name == Offline {
		o.Samples = 1
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

// datasetHome opens an agent over a temporary home with a policy and, if there are any,
// sessions with gold facts; nil facts: what an import learns. Closing removes the home.
func datasetHome(ctx context.Context, policy []byte, sessions []ingest.ScriptSession, facts []ingest.GoldFact, o *DatasetOptions) (_ *home, err error) {
	h := &home{}
	if h.dir, err = os.MkdirTemp("", "epagent-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.remove())
		}
	}()
	now := datasetTime
	for i := range sessions {
		if sessions[i].Time.After(now) {
			now = sessions[i].Time
		}
	}
	now = now.Add(time.Hour)
	inside := filepath.Join(h.dir, "home")
	if err = os.Mkdir(inside, 0o700); err != nil {
		return nil, err
	}
	if _, err = agent.WritePolicy(inside, policy); err != nil {
		return nil, err
	}
	if h.Agent, err = agent.Open(ctx, inside, agent.Options{Now: func() time.Time { return now }, Model: o.Model.Options}); err != nil {
		return nil, err
	}
	if len(sessions) > 0 {
		err = h.load(ctx, policy, sessions, facts)
	}
	return h, err
}

// load imports sessions with gold facts into a home that has none; nil facts: what an
// import learns.
func (h *home) load(ctx context.Context, policy []byte, sessions []ingest.ScriptSession, facts []ingest.GoldFact) error {
	script := filepath.Join(h.dir, "script")
	err := writeScript(script, policy, sessions, facts)
	if err != nil {
		return err
	}
	if _, err = h.Import(ctx, script, agent.ImportOptions{Gold: facts != nil}); err != nil {
		return err
	}
	h.facts, err = h.Facts(ctx)
	return err
}

// remove closes the agent and removes its home.
func (h *home) remove() error {
	var err error
	if h.Agent != nil {
		err = h.Close()
	}
	return errors.Join(err, os.RemoveAll(h.dir))
}

// writeScript writes a script folder.
func writeScript(dir string, policy []byte, sessions []ingest.ScriptSession, facts []ingest.GoldFact) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	put := func(name string, data []byte) error { return os.WriteFile(filepath.Join(dir, name), data, 0o600) }
	err := errors.Join(put(policyFile, policy), put(t1File, nil), put(t2File, nil), put(t3File, nil))
	for name, rows := range map[string][]any{sessionsFile: boxed(sessions), factsFile: boxed(facts)} {
		var out []byte
		for _, row := range rows {
			line, encoding := json.Marshal(row)
			err = errors.Join(err, encoding)
			out = append(append(out, line...), '\n')
		}
		err = errors.Join(err, put(name, out))
	}
	if err != nil {
		return fmt.Errorf("write a script: %w", err)
	}
	return nil
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

// yamlText quotes a text for a policy file: a JSON string is a YAML string.
func yamlText(s string) string { return strconv.Quote(strings.Join(strings.Fields(s), " ")) }

// nearest is which of the texts a text is nearest to in meaning, by the thesaurus, the
// first of equals; -1 if it is near none of them at all.
func nearest(ctx context.Context, text string, texts []string) (int, error) {
	vectors, err := thesaurus.Embedder{}.Embed(ctx, append([]string{text}, texts...))
	if err != nil {
		return -1, err
	}
	best, at := 0.0, -1
	for i, v := range vectors[1:] {
		dot := 0.0
		for k := range v {
			dot += float64(v[k]) * float64(vectors[0][k])
		}
		if dot > best {
			best, at = dot, i
		}
	}
	return at, nil
}

// pearson is the correlation of two lists; nil where one of them doesn't vary.
func pearson(x, y []float64) *float64 {
	mx, my := mean(x), mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	if xx == 0 || yy == 0 {
		return nil
	}
	r := xy / math.Sqrt(xx*yy)
	return &r
}

// spread is the sample standard deviation (n − 1); 0 below two values.
func spread(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// missing lists the names of the texts that are empty, sorted.
func missing(fields map[string]string) string {
	var out []string
	for name, text := range fields {
		if strings.TrimSpace(text) == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// mean is 0 of nothing.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(1, len(x)))
}
