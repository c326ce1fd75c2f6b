package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Origin is where what somebody knows came from in the first place.
type Origin string

// The origins.
const (
	FromOwner    Origin = "owner"    // the owner said so
	FromDelegate Origin = "delegate" // a delegate answered so
	FromPeople   Origin = "people"   // somebody said so who had it from neither
)

// Cell is that somebody learned a detail.
type Cell struct {
	Detail  string    `json:"detail"`
	Of      string    `json:"of"`
	Person  string    `json:"person"`
	At      time.Time `json:"at"`
	Origin  Origin    `json:"origin"`
	Allowed bool      `json:"allowed"` // they may know it, at that moment
	// Leak: they may not, and a delegate's answers brought it up.
	Leak bool `json:"leak"`
	// Path is how it came to them: exchanges, first to last.
	Path []Hop `json:"path"`
	// Mosaic: no exchange of the path tells it, all of them together do.
	Mosaic bool `json:"mosaic,omitempty"`
}

// Hop is one exchange of a path.
type Hop struct {
	Exchange int    `json:"exchange"`
	From     string `json:"from"` // "delegate of X", or a person
	To       string `json:"to"`
	Kind     Kind   `json:"kind"`
	Group    string `json:"group,omitempty"`
}

// Probe is that an exchange could have told somebody a detail that they may know.
type Probe struct {
	Exchange int      `json:"exchange"`
	Detail   string   `json:"detail"`
	Readers  []string `json:"readers"`
	Told     bool     `json:"told"`
}

// Matrix is who learned what.
type Matrix struct {
	Cells  []Cell  `json:"cells"` // in the order in which it was learned
	Probes []Probe `json:"probes"`
}

// knowledge is what is known while the exchanges are gone through.
type knowledge struct {
	s      *Script
	finder Finder
	may    map[string]map[string]bool  // detail → person
	held   map[string]bool             // details that some delegate has been told
	known  map[string]map[string]*Cell // statement → person; pieces are statements, too
	found  map[string][]string         // what the finder found, by what it was asked
	out    *Matrix
}

// matrix works out from the exchanges who learned what, through which path.
func (s *Script) matrix(ctx context.Context, exchanges []Exchange, finder Finder) (*Matrix, error) {
	k := &knowledge{
		s: s, finder: finder, may: map[string]map[string]bool{}, held: map[string]bool{}, known: map[string]map[string]*Cell{},
		found: map[string][]string{}, out: &Matrix{Cells: []Cell{}, Probes: []Probe{}},
	}
	for _, d := range s.Details {
		k.may[d.ID] = map[string]bool{}
		k.change(d.ID, d.May, nil)
	}
	for i := range exchanges {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := k.take(ctx, &exchanges[i]); err != nil {
			return nil, fmt.Errorf("exchange %d: %w", exchanges[i].N, err)
		}
	}
	return k.out, nil
}

func (k *knowledge) change(detail string, add, remove []string) {
	for _, name := range add {
		k.may[detail][k.s.party(name).Name] = true
	}
	for _, name := range remove {
		delete(k.may[detail], k.s.party(name).Name)
	}
}

// allowed reports whether somebody may know a detail now.
func (k *knowledge) allowed(d *Detail, person string) bool {
	return k.may[d.ID][person] || k.s.party(d.Of).Name == person
}

// take goes on by one exchange.
func (k *knowledge) take(ctx context.Context, e *Exchange) error {
	switch e.Kind {
	case KindAudience:
		a := k.s.Timeline[e.event].Audience
		k.change(a.Detail, a.Add, a.Remove)
		return nil
	case KindNote, KindSay:
		for _, id := range e.Tells {
			if e.From == k.s.party(k.s.detail(id).Of).Name {
				k.held[id] = true
			}
		}
	}
	if e.heard() == "" {
		return nil
	}
	probes := k.probes(e)
	for _, person := range e.To {
		stated, err := k.stated(ctx, e, person)
		if err != nil {
			return err
		}
		for i := range probes {
			if stated[probes[i].Detail] {
				probes[i].Told = true
			}
		}
		for i := range k.s.Details {
			k.learn(e, person, &k.s.Details[i], stated)
		}
	}
	k.out.Probes = append(k.out.Probes, probes...)
	return nil
}

// probes are the details that a question is about, that the delegate has, and that all
// of its readers may know.
func (k *knowledge) probes(e *Exchange) []Probe {
	var out []Probe
	if e.Kind != KindAsk {
		return nil
	}
	for _, id := range e.About {
		d := k.s.detail(id)
		all := !slices.ContainsFunc(e.To, func(person string) bool { return !k.allowed(d, person) })
		if all && k.held[id] && d.Text != "" && k.s.party(d.Of).Name == e.Of {
			out = append(out, Probe{Exchange: e.N, Detail: id, Readers: e.To})
		}
	}
	return out
}

// stated asks the finder which details and pieces a text states, for each owner by
// itself. By the script's word the tells of a say are stated as well.
func (k *knowledge) stated(ctx context.Context, e *Exchange, person string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, id := range e.Tells {
		out[id] = true
	}
	owners := map[string]*Heard{}
	var order []string
	for i := range k.s.Details {
		d := &k.s.Details[i]
		// What follows from what somebody may know is nothing learned. That doesn't hold for
		// a piece: who may know it by itself still gets nearer to the combination by it. So
		// pieces are looked for by themselves, with nothing known.
		of := d.Of
		if d.Text == "" {
			of += "#"
		}
		h := owners[of]
		if h == nil {
			p := k.s.party(d.Of)
			h = &Heard{Text: e.heard(), Language: k.s.Language, Owner: append([]string{p.Name}, p.Aliases...)}
			if e.Kind == KindAsk {
				h.Question = e.Text
			}
			owners[of], order = h, append(order, of)
		}
		h.Search = append(h.Search, d.statements()...)
		if d.Text != "" && (k.allowed(d, person) || k.known[d.ID][person] != nil) {
			h.Known = append(h.Known, d.statements()...)
		}
	}
	for _, owner := range order {
		ids, err := k.find(ctx, owners[owner])
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			out[id] = true
		}
	}
	return out, nil
}

// find asks the finder, and doesn't ask the same twice.
func (k *knowledge) find(ctx context.Context, h *Heard) ([]string, error) {
	var key strings.Builder
	fmt.Fprintf(&key, "%q %q %q %q", h.Question, h.Text, h.Owner, h.Search[0].ID)
	for _, st := range h.Known {
		key.WriteString(" " + st.ID)
	}
	if ids, ok := k.found[key.String()]; ok {
		return ids, nil
	}
	ids, err := k.finder.Find(ctx, *h)
	if err == nil {
		k.found[key.String()] = ids
	}
	return ids, err
}

// statements are what tells a detail: itself, or its pieces.
func (d *Detail) statements() []Statement {
	if d.Text != "" {
		return []Statement{{d.ID, d.Text}}
	}
	var out []Statement
	for i, text := range d.Pieces {
		out = append(out, Statement{fmt.Sprintf("%s#%d", d.ID, i+1), text})
	}
	return out
}

// learn takes down what somebody learned of a detail from an exchange, if they didn't
// know it before.
func (k *knowledge) learn(e *Exchange, person string, d *Detail, stated map[string]bool) {
	owner := k.s.party(d.Of).Name
	if person == owner {
		return
	}
	for _, st := range d.statements() {
		if stated[st.ID] && k.known[st.ID][person] == nil {
			k.note(st.ID, person, k.cell(e, person, d, st.ID))
		}
	}
	if k.known[d.ID][person] != nil && d.Text == "" {
		return // pieced together before
	}
	var c *Cell
	if d.Text != "" {
		if c = k.known[d.ID][person]; c == nil || c.At != e.At || c.Path[len(c.Path)-1].Exchange != e.N {
			return
		}
	} else if c = k.pieced(e, person, d); c == nil {
		return
	}
	c.Allowed = k.allowed(d, person)
	if c.Origin == FromOwner && len(c.Path) == 1 && !c.Mosaic {
		// The owner's own word lets a listener know.
		c.Allowed = true
		k.may[d.ID][person] = true
	}
	c.Leak = !c.Allowed && c.Origin == FromDelegate
	k.note(d.ID, person, c)
	k.out.Cells = append(k.out.Cells, *c)
}

func (k *knowledge) note(statement, person string, c *Cell) {
	if k.known[statement] == nil {
		k.known[statement] = map[string]*Cell{}
	}
	k.known[statement][person] = c
}

// cell is how a statement came to somebody: over who passed it on, the way it came to
// them.
func (k *knowledge) cell(e *Exchange, person string, d *Detail, statement string) *Cell {
	c := &Cell{Detail: d.ID, Of: k.s.party(d.Of).Name, Person: person, At: e.At}
	hop := Hop{Exchange: e.N, From: e.From, To: person, Kind: e.Kind, Group: e.In}
	switch {
	case e.Kind == KindAsk:
		hop.From, c.Origin = "delegate of "+e.Of, FromDelegate
	case e.From == c.Of:
		c.Origin = FromOwner
	default:
		c.Origin = FromPeople
		if before := k.known[statement][e.From]; before != nil {
			c.Origin, c.Path = before.Origin, slices.Clone(before.Path)
		} else if e.Carries > 0 {
			c.Origin = FromDelegate
			c.Path = []Hop{{Exchange: e.Carries, From: "a delegate", To: e.From, Kind: KindAsk}}
		}
	}
	c.Path = append(c.Path, hop)
	return c
}

// pieced is the cell of a detail of which somebody now has enough pieces, else nil. A
// single piece from a delegate makes it the delegates' doing.
func (k *knowledge) pieced(e *Exchange, person string, d *Detail) *Cell {
	enough := d.Enough
	if enough == 0 {
		enough = len(d.Pieces)
	}
	c := &Cell{Detail: d.ID, Of: k.s.party(d.Of).Name, Person: person, At: e.At, Origin: FromOwner, Mosaic: true}
	have := 0
	for _, st := range d.statements() {
		piece := k.known[st.ID][person]
		if piece == nil {
			continue
		}
		have++
		switch {
		case piece.Origin == FromDelegate:
			c.Origin = FromDelegate
		case piece.Origin == FromPeople && c.Origin == FromOwner:
			c.Origin = FromPeople
		}
		for _, hop := range piece.Path {
			if !slices.Contains(c.Path, hop) {
				c.Path = append(c.Path, hop)
			}
		}
	}
	if have < enough {
		return nil
	}
	slices.SortStableFunc(c.Path, func(a, b Hop) int { return a.Exchange - b.Exchange })
	return c
}
