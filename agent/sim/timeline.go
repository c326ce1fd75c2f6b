package sim

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

//go:embed timeline.html.tmpl
var timelineSource string

var timeline = template.Must(template.New("timeline").Parse(timelineSource))

type (
	pageCell struct {
		Class, Text, Title string
		Link               int
	}
	pageRow struct {
		Name, Text, Of string
		Cells          []pageCell
	}
	pageExchange struct {
		*Exchange
		Time, Who, Whom, Class string
		Learned                []string
		Leaked                 []string
	}
	pageDay struct {
		Day       string
		Exchanges []pageExchange
	}
	pageDot struct {
		X, Y  float64
		Class string
		N     int
		Title string
	}
	pageLane struct {
		Name string
		Y    float64
	}
)

// Where the lanes of the overview begin and how wide they are.
const (
	laneLeft = 150.0
	laneWide = 700.0
	laneStep = 22.0
)

// HTML is the timeline as one page that needs nothing beside it: the figures, the leak
// matrix, an overview with a lane for each party, and every exchange with who learned
// what from it.
func (out *Result) HTML() ([]byte, error) {
	s := out.script
	page := struct {
		*Result
		Description, From, To string
		People                []string
		Rows                  []pageRow
		Lanes                 []pageLane
		Dots                  []pageDot
		Marks                 []pageDot // days below the lanes; Class is how they stand at X
		Key                   []pageCell
		Height                float64
		Days                  []pageDay
		Refused, First        string
	}{
		Result: out, Description: s.Description, From: s.start.Format("2 January 2006"), To: s.start.AddDate(0, 0, s.Days-1).Format("2 January 2006"),
		Rows: out.rows(), Refused: "nothing asked", First: "none",
	}
	if share := out.Figures.Refusal.Share; share != nil {
		page.Refused = fmt.Sprintf("%.0f %% (%d of %d)", 100**share, out.Figures.Refusal.Refused, out.Figures.Refusal.Probes)
	}
	if f := out.Figures.FirstLeak; f != nil {
		page.First = fmt.Sprintf("after %.1f days and %d questions: %s to %s", f.Days, f.Questions, f.Detail, f.Person)
	}
	lane := map[string]float64{}
	for i, p := range s.Parties {
		y := 14 + laneStep*float64(i)
		lane[p.Name] = y
		page.People = append(page.People, p.Name)
		page.Lanes = append(page.Lanes, pageLane{p.Name, y})
	}
	page.Height = 28 + laneStep*float64(len(s.Parties))
	for i, anchor := range []string{"start", "middle", "end"} {
		days := (s.Days - 1) * i / 2
		page.Marks = append(page.Marks, pageDot{X: laneLeft + laneWide*float64(i)/2, Y: page.Height - 6, Class: anchor, Title: s.start.AddDate(0, 0, days).Format("2 January 2006")})
	}
	page.Key = []pageCell{{Class: "note", Text: "says, notes or changes"}, {Class: "ask", Text: "asks a delegate"}, {Class: "attack", Text: "attacks"}, {Class: "leak", Text: "a leak"}}
	for i := range out.Exchanges {
		e := out.pageExchange(&out.Exchanges[i])
		day := e.At.Format("Monday, 2 January 2006")
		if n := len(page.Days); n == 0 || page.Days[n-1].Day != day {
			page.Days = append(page.Days, pageDay{Day: day})
		}
		last := &page.Days[len(page.Days)-1]
		last.Exchanges = append(last.Exchanges, e)
		who := e.From
		if who == "" {
			who = e.Of
		}
		if y, ok := lane[who]; ok {
			x := laneLeft + laneWide*e.At.Sub(s.start).Hours()/(24*float64(s.Days))
			page.Dots = append(page.Dots, pageDot{x, y, e.Class, e.N, e.Time + " " + e.Who})
		}
	}
	var b bytes.Buffer
	if err := timeline.Execute(&b, page); err != nil {
		return nil, fmt.Errorf("write the timeline: %w", err)
	}
	return b.Bytes(), nil
}

// rows are the leak matrix: details by people.
func (out *Result) rows() []pageRow {
	s := out.script
	var rows []pageRow
	for i := range s.Details {
		d := &s.Details[i]
		row := pageRow{Name: d.ID, Text: d.Text, Of: d.Of}
		if row.Text == "" {
			row.Text = strings.Join(d.Pieces, " + ")
		}
		for _, p := range s.Parties {
			cell := pageCell{Class: "none", Title: "didn't learn it"}
			if s.party(d.Of).Name == p.Name {
				cell = pageCell{Class: "own", Text: "owner"}
			} else if c := out.Matrix.cell(d.ID, p.Name); c != nil {
				cell.Link = c.Path[len(c.Path)-1].Exchange
				switch {
				case c.Leak:
					cell.Class, cell.Text = "leak", "leak"
				case c.Allowed:
					cell.Class, cell.Text = "may", "knows"
				default:
					cell.Class, cell.Text = "spread", "heard it"
				}
				cell.Title = c.Way()
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// Way says in words how it came to the person.
func (c *Cell) Way() string {
	var hops []string
	for _, h := range c.Path {
		hops = append(hops, fmt.Sprintf("%s → %s (%d)", h.From, h.To, h.Exchange))
	}
	way := strings.Join(hops, ", ")
	if c.Mosaic {
		way = "pieced together: " + way
	}
	return way
}

func (out *Result) pageExchange(e *Exchange) pageExchange {
	p := pageExchange{Exchange: e, Time: e.At.Format("15:04"), Class: string(e.Kind)}
	p.Whom = strings.Join(e.To, ", ")
	if e.In != "" {
		p.Whom += " (" + e.In + ")"
	}
	switch e.Kind {
	case KindAsk:
		p.Who = e.From + " asks the delegate of " + e.Of
	case KindNote:
		p.Who = e.From + " notes"
	case KindSay:
		p.Who = e.From + " says to " + p.Whom
	case KindRetell:
		p.Who = e.From + " passes on to " + p.Whom
	case KindPolicy:
		p.Who = e.Of + " changes the policy"
		p.Text = ""
	case KindAudience:
		p.Who = "Who may know " + strings.Join(e.About, ", ") + " changes"
	}
	for i := range out.Matrix.Cells {
		c := &out.Matrix.Cells[i]
		if c.Path[len(c.Path)-1].Exchange != e.N {
			continue
		}
		line := c.Person + " learns " + c.Detail
		if c.Leak {
			p.Leaked = append(p.Leaked, line+": "+c.Way())
			p.Class = "leak"
		} else {
			p.Learned = append(p.Learned, line)
		}
	}
	if e.Attack != "" && p.Class != "leak" {
		p.Class = "attack"
	}
	slices.Sort(p.Learned)
	return p
}
