package engine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// Bounds of what the annotator may do wrong on labelled scripts. They guard
// against getting worse unnoticed; the figures themselves are logged.
const (
	maxWrongAllow = 0.02
	minLevelRight = 0.60
)

type goldFact struct {
	ID         string
	Text       string
	Categories []privacy.CategoryID
	Truth      string
}

// TestCalibration annotates the gold facts of our own benchmark scripts, and of
// those that EPAGENT_SCRIPTS lists, from their text alone and compares labels: how
// often the level is right, and how many people the machine's label lets in whom
// the gold label does not (MARKS 1). Others' scripts are measured only.
func TestCalibration(t *testing.T) {
	own, err := filepath.Glob("../../agent/testdata/scripts/*")
	if err != nil || len(own) == 0 {
		t.Fatalf("no scripts of our own: %v", err)
	}
	for i, dir := range append(slices.Clip(own), filepath.SplitList(os.Getenv("EPAGENT_SCRIPTS"))...) {
		t.Run(filepath.Base(dir), func(t *testing.T) { calibrate(t, dir, i < len(own)) })
	}
}

func calibrate(t *testing.T, dir string, held bool) {
	src, err := os.ReadFile(filepath.Join(dir, "policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := privacy.Parse("policy.yaml", src)
	if err != nil {
		t.Fatal(err)
	}
	facts := readGold(t, filepath.Join(dir, "facts.jsonl"))
	session := engine.Session{ID: "s"}
	for _, f := range facts {
		session.Drafts = append(session.Drafts, privacy.Record{ID: privacy.FactID(f.ID), Text: f.Text, OwnerSaid: true})
	}
	marks, err := engine.NewOffline().Annotate(t.Context(), p, session, nil)
	if err != nil {
		t.Fatal(err)
	}
	right, labelled, uncategorised := 0, 0, 0
	pairs, wrongAllow, wrongDeny := 0, 0, 0
	for i, f := range facts {
		var got []privacy.CategoryID
		for _, m := range marks[i] {
			if m.Kind == privacy.MarkCategory {
				got = append(got, privacy.CategoryID(m.Value))
			}
		}
		want, have := fact(f.Categories), fact(got)
		j := privacy.NewJudge(p, []privacy.Fact{want})
		k := privacy.NewJudge(p, []privacy.Fact{have})
		wantLabel, haveLabel := labelOf(p, f.Categories), labelOf(p, got)
		labelled++
		if len(got) == 0 {
			uncategorised++
		}
		if wantLabel.Level == haveLabel.Level {
			right++
		}
		bad := ""
		for _, q := range p.People() {
			r := p.Recipient(q.Name)
			pairs++
			w, h := j.Verdict(0, r).Allow, k.Verdict(0, r).Allow
			switch {
			case h && !w:
				wrongAllow++
				bad += " " + q.Name
			case w && !h:
				wrongDeny++
			}
		}
		t.Logf("%s want %v %v got %v %v%s", f.ID, wantLabel, f.Categories, haveLabel, scoresOf(marks[i]), mark(bad))
	}
	accuracy, rate := ratio(right, labelled), ratio(wrongAllow, pairs)
	t.Logf("level accuracy %.3f (%d/%d), uncategorised %d, wrong allows %.4f (%d/%d), wrong denials %.4f",
		accuracy, right, labelled, uncategorised, rate, wrongAllow, pairs, ratio(wrongDeny, pairs))
	if held && (rate > maxWrongAllow || accuracy < minLevelRight) {
		t.Errorf("wrong allows %.4f (at most %.2f), level accuracy %.3f (at least %.2f)", rate, maxWrongAllow, accuracy, minLevelRight)
	}
}

func mark(s string) string {
	if s == "" {
		return ""
	}
	return "  LETS IN" + s
}

func scoresOf(ms []privacy.Mark) []string {
	var out []string
	for _, m := range ms {
		if m.Kind == privacy.MarkCategory {
			b, _ := json.Marshal(m.Score)
			out = append(out, m.Value+"="+string(b))
		}
	}
	return out
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func fact(categories []privacy.CategoryID) privacy.Fact {
	return privacy.Fact{ID: "f", Categories: categories, Truth: privacy.Real, Trusted: true}
}

func labelOf(p *privacy.Policy, ids []privacy.CategoryID) privacy.Label {
	if len(ids) == 0 {
		return privacy.Label{}
	}
	label := privacy.Label{Level: privacy.L4}
	for _, id := range ids {
		c, ok := p.Category(id)
		if !ok {
			return privacy.Label{}
		}
		label = privacy.Meet(label, c.Label())
	}
	return label
}

func readGold(t *testing.T, path string) []goldFact {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []goldFact
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var g goldFact
		if err := json.Unmarshal(sc.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
