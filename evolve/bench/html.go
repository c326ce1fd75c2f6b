package bench

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed report.html.tmpl
var reportSource string

var report = template.Must(template.New("report").Parse(reportSource))

// HTML is the report as one page that needs nothing beside it: the tables, and the
// plots of permeability, exact choices, recall and levels.
func HTML(s *Scores) ([]byte, error) {
	c := s.Config
	page := struct {
		Setting      string
		Tables       []htmlTable
		Permeability *bars
		Exact        *heat
		Recall       *curves
		Levels       *heat
		Config       []named
	}{
		Setting:      scriptsOf(c) + "; " + c.setting(),
		Permeability: permeabilityBars(s.Overall), Exact: exactHeat(s), Recall: recallCurves(s.Overall), Levels: levelsHeat(s.Overall),
		Config: configList(c),
	}
	for _, t := range Tables(s) {
		if t.Title == exactTitle && page.Exact != nil {
			continue // it is there in colours
		}
		out := htmlTable{Title: t.Title, Head: t.Head}
		for _, r := range t.Rows {
			row := htmlRow{Lead: r[0] == EPMem}
			for i, text := range r {
				row.Cells = append(row.Cells, htmlCell{strings.ReplaceAll(text, "-0.", "−0."), t.Head[i] == "measure"})
			}
			out.Rows = append(out.Rows, row)
		}
		page.Tables = append(page.Tables, out)
	}
	var b bytes.Buffer
	if err := report.Execute(&b, page); err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	return b.Bytes(), nil
}

type (
	htmlTable struct {
		Title string
		Head  []string
		Rows  []htmlRow
	}
	htmlRow struct {
		Lead  bool
		Cells []htmlCell
	}
	htmlCell struct {
		Text  string
		Words bool // stands left, as words do
	}
	named struct{ Name, Value string }

	heat struct {
		Head []string
		Rows []heatRow
	}
	heatRow struct {
		Name  string
		Cells []heatCell
	}
	heatCell struct {
		Text  string
		Share float64 // opacity of its colour, 0..1
	}

	bars struct {
		Label  string
		Height int
		AxisY  float64
		Ticks  []tick
		Bars   []bar
	}
	tick struct {
		X, Y, TextY float64
		Text        string
	}
	bar struct {
		Name, Value, Class string
		Y, TextY, Mid      float64
		Width, Low, High   float64
		ValueX             float64
	}

	curves struct {
		Label  string
		Ticks  []tick
		Marks  []tick
		Curves []curve
	}
	curve struct {
		Name, Class, Dot, Points string
		Dots                     []tick
		TextY                    float64
	}
)

// Where the bars begin and how wide one of length 1 is.
const (
	barsLeft = 130.0
	barsWide = 420.0
	barsStep = 26.0
)

func permeabilityBars(list []Result) *bars {
	out := &bars{Label: "Permeability of each system with its interval"}
	for i := range list {
		r := &list[i]
		if r.T3.pb() == nil {
			continue
		}
		y := 4 + barsStep*float64(len(out.Bars))
		ci := r.CI["t3"]["pb"]
		b := bar{
			Name: r.System, Value: shown(r.T3.PB), Class: "bar", Y: y, TextY: y + 12.5, Mid: y + 8,
			Width: barsWide * *r.T3.PB, Low: barsLeft + barsWide*ci[0], High: barsLeft + barsWide*ci[1],
		}
		if r.System == EPMem {
			b.Class = "lead"
		}
		b.ValueX = max(b.High, barsLeft+b.Width) + 8
		out.Bars = append(out.Bars, b)
	}
	if len(out.Bars) == 0 {
		return nil
	}
	bottom := 4 + barsStep*float64(len(out.Bars))
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		out.Ticks = append(out.Ticks, tick{X: barsLeft + barsWide*share, Y: bottom, TextY: bottom + 16, Text: strconv.FormatFloat(share, 'f', -1, 64)})
	}
	out.AxisY, out.Height = bottom+34, int(bottom)+42
	return out
}

func exactHeat(s *Scores) *heat {
	head, rows := scriptTable(s, func(r *Result) *float64 { return r.T2.exact() })
	if len(rows) == 0 {
		return nil
	}
	out := &heat{Head: head}
	for _, r := range rows {
		row := heatRow{Name: r[0]}
		for _, cell := range r[1:] {
			share, _ := strconv.ParseFloat(cell, 64) // a dash is 0
			row.Cells = append(row.Cells, heatCell{cell, opacity(share)})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// opacity keeps the darkest cell light enough to be read on.
func opacity(share float64) float64 { return math.Round(share*45) / 100 }

// levelsHeat is the confusion of levels of the first system that gives any: those
// that do give the same ones.
func levelsHeat(list []Result) *heat {
	for i := range list {
		t := list[i].T1
		if t == nil || t.Confusion == nil {
			continue
		}
		out := &heat{Head: []string{"gold \\ given", "L0", "L1", "L2", "L3", "L4"}}
		for gold, row := range t.Confusion {
			total := 0
			for _, n := range row {
				total += n
			}
			line := heatRow{Name: "L" + strconv.Itoa(gold)}
			for _, n := range row {
				line.Cells = append(line.Cells, heatCell{strconv.Itoa(n), opacity(float64(n) / float64(max(total, 1)))})
			}
			out.Rows = append(out.Rows, line)
		}
		return out
	}
	return nil
}

func recallCurves(list []Result) *curves {
	out := &curves{Label: "Recall of evidence sessions by depth"}
	x := func(k int) float64 { return 40 + 320*float64(k)/float64(slices.Max(Ks)) }
	y := func(share float64) float64 { return 240 - 220*share }
	for i := range list {
		r := &list[i]
		c := curve{Name: r.System, Class: "curve", Dot: "dot"}
		var points []string
		for _, k := range Ks {
			share := r.Recall[strconv.Itoa(k)]
			if share == nil {
				continue
			}
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(k), y(*share)))
			c.Dots = append(c.Dots, tick{X: math.Round(x(k)*10) / 10, Y: math.Round(y(*share)*10) / 10})
			c.TextY = y(*share) + 4
		}
		c.Points = strings.Join(points, " ")
		if len(points) == 0 {
			continue
		}
		at := slices.IndexFunc(out.Curves, func(o curve) bool { return o.Points == c.Points })
		if at >= 0 {
			out.Curves[at].Name += ", " + c.Name
		} else {
			at = len(out.Curves)
			out.Curves = append(out.Curves, c)
		}
		if r.System == EPMem {
			out.Curves[at].Class, out.Curves[at].Dot = "curve lead", "dot lead"
		}
	}
	if len(out.Curves) == 0 {
		return nil
	}
	// Names that would lie on each other are moved apart, from the top down.
	slices.SortStableFunc(out.Curves, func(a, b curve) int { return int(a.TextY*10) - int(b.TextY*10) })
	for i := 1; i < len(out.Curves); i++ {
		out.Curves[i].TextY = max(out.Curves[i].TextY, out.Curves[i-1].TextY+15)
	}
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		out.Ticks = append(out.Ticks, tick{Y: y(share), TextY: y(share) + 4, Text: strconv.FormatFloat(share, 'f', -1, 64)})
	}
	for _, k := range Ks {
		out.Marks = append(out.Marks, tick{X: x(k), Text: "k = " + strconv.Itoa(k)})
	}
	return out
}

func configList(c Config) []named {
	var scripts, stages []string
	for _, s := range c.Scripts {
		scripts = append(scripts, s.Name+" "+s.Hash)
	}
	for _, v := range c.Prompts {
		stages = append(stages, string(v.Stage)+" "+v.Version)
	}
	return []named{
		{"program", c.Code}, {"systems", strings.Join(c.Systems, ", ")}, {"model", c.Model}, {"judge", c.Judge},
		{"labels", string(c.Labels)}, {"units", string(c.Units)}, {"evidence", string(c.Evidence)}, {"noise", strconv.Itoa(c.Noise)},
		{"runs", strconv.Itoa(c.Runs)}, {"seed", strconv.FormatInt(c.Seed, 10)}, {"scripts", strings.Join(scripts, ", ")}, {"prompts", strings.Join(stages, ", ")},
	}
}
