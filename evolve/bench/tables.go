package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is a table of a report.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
}

// exactTitle is the title of the table that the page shows in colours.
const exactTitle = "T2 exact by script"

// Tables are the tables of a report: overall by task, then by script.
func Tables(s *Scores) []Table {
	var out []Table
	add := func(title string, head []string, rows [][]string) {
		if len(rows) > 0 {
			out = append(out, Table{title, head, rows})
		}
	}
	c := s.Config
	setting := c.setting()
	head, rows := overallTable(s.Overall)
	add("Over "+scriptsOf(c)+" ("+setting+")", head, rows)
	for _, h := range s.Halves {
		head, rows = overallTable(h.Overall)
		add("Half "+h.Name+": "+strings.Join(h.Scripts, ", ")+"; taught by the others", head, rows)
		head, rows = intervalTable(h.Overall)
		add("Half "+h.Name+", 95 % intervals", head, rows)
	}
	for _, h := range s.Halves {
		head, rows = lessonTable(h)
		add("What the others taught half "+h.Name, head, rows)
	}
	head, rows = errorTable(s.Overall)
	add("Where the error comes from: with gold labels the first part goes away, the second stays; negative: gold labels make it worse", head, rows)
	head, rows = judgesTable(s.Overall)
	add("How far the two judges agree", head, rows)
	if len(c.Scripts) > 1 {
		for _, m := range []struct {
			title string
			of    func(*Result) *float64
		}{
			{exactTitle, func(r *Result) *float64 { return r.T2.exact() }},
			{"T3 permeability (PB) by script", func(r *Result) *float64 { return r.T3.pb() }},
			{"T3 sufficiency by script", func(r *Result) *float64 { return r.T3.sufficiency() }},
		} {
			head, rows = scriptTable(s, m.of)
			add(m.title, head, rows)
		}
	}
	return out
}

func (t *T2Score) exact() *float64 {
	if t == nil {
		return nil
	}
	return t.Exact
}

func (t *T3Score) pb() *float64 {
	if t == nil {
		return nil
	}
	return t.PB
}

func (t *T3Score) sufficiency() *float64 {
	if t == nil {
		return nil
	}
	return t.Sufficiency
}

// scriptsOf counts the scripts of a run in words.
func scriptsOf(c Config) string {
	if len(c.Scripts) == 1 {
		return "1 script"
	}
	return strconv.Itoa(len(c.Scripts)) + " scripts"
}

// shown writes a figure: three digits, and a dash for one that isn't measured.
func shown(x *float64) string {
	if x == nil {
		return "–"
	}
	return strconv.FormatFloat(*x, 'f', 3, 64)
}

func overallTable(list []Result) (head []string, rows [][]string) {
	head = []string{"system", "T1 level", "T1 label", "wrong allow", "T2 exact", "T2 partial", "PB", "PC", "PD", "PB all", "suffic.", "privacy", "overall", "deflect", "style", "MIQ", "CDiff", "R@5", "R@10"}
	for i := range list {
		r := &list[i]
		t1, t2, t3 := r.T1, r.T2, r.T3
		if t1 == nil {
			t1 = &T1Score{}
		}
		if t2 == nil {
			t2 = &T2Score{}
		}
		if t3 == nil {
			t3 = &T3Score{}
		}
		row := []string{r.System}
		for _, x := range []*float64{
			t1.Level, t1.Label, t1.WrongAllow, t2.Exact, t2.Partial, t3.PB, t3.PC, t3.PD, t3.PBAll, t3.Sufficiency, t3.Privacy, t3.Overall,
			t3.Deflected, t3.Style, t3.MIQ, t3.CDiff, r.Recall["5"], r.Recall["10"],
		} {
			row = append(row, shown(x))
		}
		rows = append(rows, row)
	}
	return withoutEmpty(head, rows)
}

// withoutEmpty drops the columns in which nothing is measured.
func withoutEmpty(head []string, rows [][]string) ([]string, [][]string) {
	for i := len(head) - 1; i > 0; i-- {
		if slices.ContainsFunc(rows, func(r []string) bool { return r[i] != "–" }) {
			continue
		}
		head = slices.Delete(slices.Clone(head), i, i+1)
		for k := range rows {
			rows[k] = slices.Delete(rows[k], i, i+1)
		}
	}
	return head, rows
}

func errorTable(list []Result) (head []string, rows [][]string) {
	head = []string{"system", "measure", "error", "of labels", "of the engine"}
	names := map[string]string{"t2": "T2, 1 − exact", "pb": "T3, PB", "sufficiency": "T3, 1 − sufficiency"}
	for i := range list {
		for _, m := range []string{"t2", "pb", "sufficiency"} {
			if e, ok := list[i].Error[m]; ok {
				rows = append(rows, []string{list[i].System, names[m], shown(&e.Error), shown(&e.Labels), shown(&e.Engine)})
			}
		}
	}
	return head, rows
}

func judgesTable(list []Result) (head []string, rows [][]string) {
	head = []string{"system", "pairs", "agree", "kappa", "first only", "second only"}
	for i := range list {
		if g := list[i].Judges; g != nil {
			rows = append(rows, []string{
				list[i].System, strconv.Itoa(g.N), shown(&g.Agree), shown(g.Kappa), strconv.Itoa(g.First), strconv.Itoa(g.Second),
			})
		}
	}
	return head, rows
}

func scriptTable(s *Scores, of func(*Result) *float64) (head []string, rows [][]string) {
	head = []string{"script"}
	at := map[string]int{}
	for i := range s.Runs {
		if _, ok := at[s.Runs[i].System]; !ok && of(&s.Runs[i]) != nil {
			at[s.Runs[i].System] = len(head)
			head = append(head, s.Runs[i].System)
		}
	}
	for _, script := range s.Config.Scripts {
		row := slices.Repeat([]string{"–"}, len(head))
		row[0] = script.Name
		for i := range s.Runs {
			if r := &s.Runs[i]; r.Script == script.Name && at[r.System] > 0 {
				row[at[r.System]] = shown(of(r))
			}
		}
		rows = append(rows, row)
	}
	if len(head) == 1 {
		return nil, nil
	}
	return head, rows
}

// Markdown is the report as tables of Markdown.
func Markdown(s *Scores) string {
	var b strings.Builder
	b.WriteString("# Benchmark\n")
	for _, t := range Tables(s) {
		fmt.Fprintf(&b, "\n## %s\n\n", escapeCell(t.Title))
		b.WriteString(MarkdownTable(t.Head, t.Rows))
	}
	return b.String()
}

// MarkdownTable writes a table, the first column to the left and the others to the right.
func MarkdownTable(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + escapeCell(c) + " |")
		}
		b.WriteString("\n")
	}
	line(head)
	b.WriteString("|---" + strings.Repeat("|---:", len(head)-1) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

// escapeCell keeps what came from a folder's name from making a table of its own.
func escapeCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "'").Replace(s)
}

// intervalTable are the intervals of the figures that evolution is held to.
func intervalTable(list []Result) (head []string, rows [][]string) {
	head = []string{"system", "T1 level", "wrong allow", "T2 exact", "T2 partial", "PB", "suffic."}
	for i := range list {
		row := []string{list[i].System}
		for _, m := range [][2]string{{"t1", "level"}, {"t1", "wrong_allow"}, {"t2", "exact"}, {"t2", "partial"}, {"t3", "pb"}, {"t3", "sufficiency"}} {
			cell := "–"
			if ci, ok := list[i].CI[m[0]][m[1]]; ok {
				cell = shown(&ci[0]) + " to " + shown(&ci[1])
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return withoutEmpty(head, rows)
}

// lessonTable lists what a half was taught, by form.
func lessonTable(h HalfScores) (head []string, rows [][]string) {
	head = []string{"lesson", "auto", "approved"}
	have := func(f Form, text string) string {
		if slices.Contains(h.Lessons[f], text) {
			return "yes"
		}
		return "–"
	}
	var all []string
	for _, f := range []Form{FormAuto, FormApproved} {
		for _, text := range h.Lessons[f] {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	for _, text := range all {
		rows = append(rows, []string{text, have(FormAuto, text), have(FormApproved, text)})
	}
	return head, rows
}
