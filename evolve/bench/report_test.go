package bench_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epagent/epagent/evolve/bench"
)

func TestReports(t *testing.T) {
	// A folder's name comes from elsewhere; it is text in every report.
	dir := filepath.Join(t.TempDir(), "a<b>&|`c`")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "small"))); err != nil {
		t.Fatal(err)
	}
	scores := run(t, bench.Options{}, dir, filepath.Join("testdata", "small"))
	page, err := bench.HTML(scores)
	if err != nil {
		t.Fatal(err)
	}
	html := string(page)
	for _, want := range []string{
		"Permeability by system", "share of answers (PB)", "first k sessions", `<th scope="row">EP-Mem</th>`, "T2 exact by script", "Recall of the evidence", "Levels confusion", "What it was run with",
		"color-scheme: light dark", "prefers-color-scheme: dark", "<svg", "NoEngine_full, NoEngine_evid, RoleHist", "a&lt;b&gt;&amp;|`c`",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if bad := regexp.MustCompile(`(?i)https?://|<script|<link|src=|a<b>|ZgotmplZ|NaN|#ERROR`).FindString(html); bad != "" {
		t.Errorf("the page holds %q", bad)
	}
	md := bench.Markdown(scores)
	columns := 0
	for line := range strings.SplitSeq(md, "\n") {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := len(regexp.MustCompile(`(?:^|[^\\])\|`).FindAllString(line, -1))
		if columns == 0 {
			columns = n
		}
		if n != columns {
			t.Errorf("%d cells where the head has %d: %s", n, columns, line)
		}
	}
	if !strings.Contains(md, "| EP-Mem |") || strings.Contains(md, "a<b>") {
		t.Errorf("%s", md)
	}
}

// A run that measures nothing of a task shows a dash, and the report still holds.
func TestReportOfLittle(t *testing.T) {
	scores := run(t, bench.Options{Labels: bench.FromGold, Systems: systems(t, "RoleHist")}, filepath.Join("testdata", "small"))
	if scores.Runs[0].T1 != nil || scores.Runs[0].T2 != nil {
		t.Errorf("%s", asJSON(t, scores.Runs[0]))
	}
	page, err := bench.HTML(scores)
	if err != nil || strings.Contains(string(page), "Levels confusion") || strings.Contains(string(page), "T2 exact") {
		t.Errorf("%v\n%s", err, page)
	}
}
