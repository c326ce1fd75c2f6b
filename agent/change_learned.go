package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// LearnedChange is a change of what evolution has in force.
type LearnedChange struct {
	Add  []string `json:"add,omitempty"`  // supplements that come into force; what they merge retires
	Drop []string `json:"drop,omitempty"` // that no longer are
	// To brings a version back: 0 is the home before anything was learned. Nil: none.
	To     *int64 `json:"to,omitempty"`
	Status string `json:"status,omitempty"` // of what is dropped; default: retired
	Note   string `json:"note,omitempty"`
	Author string `json:"author,omitempty"` // default: owner
}

// LearnedPlan is what such a change does, or did.
type LearnedPlan struct {
	From    int64    `json:"from"`    // the version in force
	Version int64    `json:"version"` // the new one; 0 before it is made
	Active  []string `json:"active"`
	// Now are the verdicts on stored facts that turn, Later those that the stages alone
	// would give to facts like the stored ones. Looser are the facts whose label, or
	// that of later ones like them, opens though no verdict does today.
	Now    privacy.Difference `json:"now"`
	Later  privacy.Difference `json:"later"`
	Looser []privacy.FactID   `json:"looser"`
	// Marks is how many stored facts get other marks by it.
	Marks int `json:"marks"`
}

// MaxLessons is how many lessons of one stage and language may be in force.
const MaxLessons = 64

// Errors of changes of what evolution has in force.
var (
	ErrUnknownSupplement = errors.New("no such supplement; `epagent evolve list` lists them")
	ErrTooManyLearned    = errors.New("a stage holds no more supplements; take one out by `epagent evolve revert` first")
)

// previewLearned plans a change of what is in force. It opens what lets somebody know a
// stored fact, and also what would let somebody know a later one like it.
func (a *Agent) previewLearned(ctx context.Context, p *Proposal) error {
	if p.Change.Learned == nil {
		return fmt.Errorf("supplements: %w", ErrEmpty)
	}
	r, err := a.Replayer(ctx)
	if err != nil {
		return err
	}
	c := &learnedChange{a: a, r: r, change: *p.Change.Learned}
	if err := c.plan(ctx); err != nil {
		return err
	}
	p.Learned = &c.out
	p.content = strings.Join(append(append([]string{fmt.Sprint(c.out.From)}, c.out.Active...), c.change.Status), "\x00")
	p.opens(c.out.Now.Shown, c.out.Now.Loosened)
	p.Closes = pairsClose(c.out.Now.Hidden)
	for _, x := range c.out.Later.Shown {
		p.Opens = append(p.Opens, fmt.Sprintf("%s may know later facts like %s (%s)", anybody(x.Name), x.Fact, x.After.Reason))
		p.People, p.subjects = append(p.People, anybody(x.Name)), append(p.subjects, x.Fact)
	}
	for _, x := range c.out.Later.Loosened {
		p.Opens = append(p.Opens, fmt.Sprintf("the combination %s would no longer hold later facts like %s back from %s", x.Combination, x.Fact, anybody(x.Name)))
	}
	for _, id := range c.out.Looser {
		p.Opens = append(p.Opens, fmt.Sprintf("the label of %s, or of later facts like it, becomes looser", id))
		p.subjects = append(p.subjects, id)
	}
	for _, id := range c.out.Active {
		if !slices.Contains(c.was, id) && unforeseen(c.all[id]) {
			p.Opens = append(p.Opens, fmt.Sprintf("which facts or events %s makes of later texts can't be known beforehand, nor who may know them", id))
		}
	}
	for _, id := range c.change.Add {
		if s, ok := c.all[id]; ok {
			p.Notes = append(p.Notes, cautions(s)...)
		}
	}
	if n := len(c.out.Later.Hidden); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("by the stages alone, %d verdicts on facts like the stored ones close", n))
	}
	p.apply = func(ctx context.Context, _ func(int, int)) error { return c.apply(ctx) }
	return nil
}

// learnedChange carries one change of what is in force from plan to deed.
type learnedChange struct {
	a      *Agent
	r      *Replayer
	change LearnedChange
	out    LearnedPlan

	was      []string // in force until now
	all      map[string]memory.StoredSupplement
	put      []memory.StoredSupplement
	takeBack []string
	marks    []memory.SupplementMarks
	restores int64
}

func (c *learnedChange) plan(ctx context.Context) error {
	stored, err := c.a.store.Supplements(ctx)
	if err != nil {
		return err
	}
	c.all = map[string]memory.StoredSupplement{}
	for _, x := range stored {
		c.all[x.ID] = x
	}
	versions, err := c.a.store.SupplementVersions(ctx)
	if err != nil {
		return err
	}
	var was []string
	if n := len(versions); n > 0 {
		c.out.From, was = versions[n-1].Seq, versions[n-1].Active
	}
	c.was = was
	next, err := c.next(was, versions)
	if err != nil {
		return err
	}
	c.out.Active = next
	if err := c.bounded(next); err != nil {
		return err
	}
	return c.effects(ctx, was, next)
}

// next is what will be in force, sorted.
func (c *learnedChange) next(was []string, versions []memory.SupplementVersion) ([]string, error) {
	next := slices.Clone(was)
	if to := c.change.To; to != nil {
		next = nil
		at := slices.IndexFunc(versions, func(v memory.SupplementVersion) bool { return v.Seq == *to })
		switch {
		case at >= 0:
			next, c.restores = slices.Clone(versions[at].Active), *to
		case *to != 0:
			return nil, fmt.Errorf("version %d: %w", *to, ErrUnknownVersion)
		}
	}
	for _, id := range c.change.Drop {
		if !slices.Contains(next, id) {
			return nil, fmt.Errorf("%q is not in force: %w", id, ErrUnknownSupplement)
		}
		next = slices.DeleteFunc(next, func(x string) bool { return x == id })
	}
	for _, id := range c.change.Add {
		x, ok := c.all[id]
		if !ok {
			return nil, fmt.Errorf("%q: %w", id, ErrUnknownSupplement)
		}
		next = slices.DeleteFunc(next, func(y string) bool { return slices.Contains(x.Parents, y) })
		if !slices.Contains(next, id) {
			next = append(next, id)
		}
	}
	slices.Sort(next)
	return next, nil
}

// ErrUnknownVersion says that no version of the supplements has this number.
var ErrUnknownVersion = errors.New("no such version; `epagent evolve status` lists them")

// bounded holds that no stage is bloated.
func (c *learnedChange) bounded(next []string) error {
	type place struct {
		stage, language string
		lesson          bool
	}
	count := map[place]int{}
	for _, id := range next {
		x, ok := c.all[id]
		if !ok {
			return fmt.Errorf("%q: %w", id, ErrUnknownSupplement)
		}
		at, most := place{x.Stage, x.Language, len(x.Lesson) > 0}, MaxLessons
		if !at.lesson {
			most = prompts.MaxSupplements
		}
		if count[at]++; count[at] > most {
			return fmt.Errorf("%s (%s), at most %d: %w", x.Stage, x.Language, most, ErrTooManyLearned)
		}
	}
	return nil
}

// effects finds out what the change does to stored facts and to later ones like them.
func (c *learnedChange) effects(ctx context.Context, was, next []string) error {
	for _, id := range was {
		if !slices.Contains(next, id) {
			c.takeBack = append(c.takeBack, id)
		}
	}
	did, err := c.a.store.SupplementMarks(ctx)
	if err != nil {
		return err
	}
	facts := c.r.Facts()
	for i := range facts {
		facts[i].Marks = slices.Clone(facts[i].Marks)
	}
	at := map[privacy.FactID]int{}
	for i := range facts {
		at[facts[i].ID] = i
	}
	for _, m := range did {
		if i, ok := at[m.Fact]; ok && slices.Contains(c.takeBack, m.Supplement) {
			facts[i].Marks = append(without(facts[i].Marks, m.Added), m.Removed...)
		}
	}
	first, err := c.learned(was)
	if last, lastErr := c.learned(next); err == nil && lastErr == nil && first.Version == last.Version {
		c.out.Looser = []privacy.FactID{}
		return nil // no mark differs by it
	}
	if err != nil {
		// What can't be read never taught a stage anything: taking it out is judged as
		// from nothing.
		first = Learned{}
	}
	before, err := c.r.Run(ctx, first)
	if err != nil {
		return err
	}
	step := before
	set := slices.DeleteFunc(slices.Clone(was), func(id string) bool { return !slices.Contains(next, id) })
	if len(c.takeBack) > 0 {
		if step, err = c.run(ctx, set); err != nil {
			return err
		}
	}
	for _, id := range next {
		if slices.Contains(set, id) {
			continue
		}
		set = append(set, id)
		after, err := c.run(ctx, set)
		if err != nil {
			return err
		}
		for _, m := range c.r.marksBy(id, step, after, facts) {
			i := at[m.Fact]
			facts[i].Marks = append(without(facts[i].Marks, m.Removed), m.Added...)
			c.marks = append(c.marks, m)
		}
		step = after
	}
	c.out.Marks = len(c.marks)
	w := c.r.w
	after := newWorld(w.policy, facts, w.rules, w.now)
	if c.out.Now, err = c.a.difference(ctx, w, after); err != nil {
		return err
	}
	if c.out.Later, err = c.a.difference(ctx, before.alone, step.alone); err != nil {
		return err
	}
	c.out.Looser = append(LooserLabels(w.judge, after.judge), LooserLabels(before.Alone, step.Alone)...)
	slices.Sort(c.out.Looser)
	c.out.Looser = slices.Compact(c.out.Looser)
	seen := map[privacy.FactID]bool{}
	for _, x := range slices.Concat(c.out.Now.Shown, c.out.Later.Shown) {
		seen[x.Fact] = true
	}
	c.out.Looser = nonNil(slices.DeleteFunc(c.out.Looser, func(id privacy.FactID) bool { return seen[id] }))
	return nil
}

func (c *learnedChange) learned(ids []string) (Learned, error) {
	var list []memory.StoredSupplement
	for _, id := range ids {
		list = append(list, c.all[id])
	}
	return LearnedOf(Marking(list))
}

func (c *learnedChange) run(ctx context.Context, ids []string) (*Replay, error) {
	l, err := c.learned(ids)
	if err != nil {
		return nil, err
	}
	return c.r.Run(ctx, l)
}

// LooserLabels are the facts, of those both judges have, of which anybody might pass after who might not before, as
// they stand, as they would if nothing closed them, or by their categories alone.
func LooserLabels(before, after *privacy.Judge) []privacy.FactID {
	var out []privacy.FactID
	for k := range after.Len() {
		id := after.ID(k)
		i, ok := before.Index(id)
		if ok && (looser(before.Label(i), after.Label(k)) || looser(before.LabelIfOpen(i), after.LabelIfOpen(k)) ||
			looser(before.CategoryLabel(i), after.CategoryLabel(k))) {
			out = append(out, id)
		}
	}
	return out
}

// supplementRule begins the rule of a mark that a supplement gave to a stored fact; what
// follows is its id.
const supplementRule = "supplement "

// marksBy are the marks that a supplement gives to and takes from stored facts, as the
// replays before and after it differ. What the owner decided by hand stays as it is.
func (r *Replayer) marksBy(id string, before, after *Replay, facts []memory.Fact) []memory.SupplementMarks {
	same := func(a privacy.Mark) func(privacy.Mark) bool {
		return func(b privacy.Mark) bool { return a.Kind == b.Kind && a.Value == b.Value }
	}
	var out []memory.SupplementMarks
	for i := range facts {
		f := &facts[i]
		if decidedByHand(&f.Record) {
			continue
		}
		m := memory.SupplementMarks{Supplement: id, Fact: f.ID}
		for _, x := range after.marks[i] {
			if !slices.ContainsFunc(before.marks[i], same(x)) && !slices.ContainsFunc(f.Marks, same(x)) {
				x.Rule, x.At = supplementRule+id, r.w.now
				m.Added = append(m.Added, x)
			}
		}
		for _, x := range before.marks[i] {
			if slices.ContainsFunc(after.marks[i], same(x)) {
				continue
			}
			for _, y := range f.Marks {
				if same(x)(y) && replayed(y) {
					m.Removed = append(m.Removed, y)
				}
			}
		}
		if len(m.Added)+len(m.Removed) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// without is marks less those of gone, each once.
func without(marks, gone []privacy.Mark) []privacy.Mark {
	out := slices.Clone(marks)
	for _, g := range gone {
		at := slices.IndexFunc(out, func(m privacy.Mark) bool {
			return m.Kind == g.Kind && m.Value == g.Value && m.By == g.By && m.Rule == g.Rule && m.Turn == g.Turn && m.At.Equal(g.At)
		})
		if at >= 0 {
			out = slices.Delete(out, at, at+1)
		}
	}
	return out
}

// apply makes the change, unless what is in force has changed meanwhile.
func (c *learnedChange) apply(ctx context.Context) error {
	change := c.change
	if change.Author == "" {
		change.Author = "owner"
	}
	if change.Status == "" {
		change.Status = "retired"
	}
	for _, id := range c.out.Active {
		if x := c.all[id]; x.Status != memory.SupplementActive {
			x.Status, x.Reason = memory.SupplementActive, ""
			c.put = append(c.put, x)
		}
	}
	for _, id := range c.takeBack {
		x := c.all[id]
		x.Status, x.Reason = change.Status, change.Note
		for _, add := range change.Add {
			if slices.Contains(c.all[add].Parents, id) {
				x.Status, x.Reason = "retired", "merged into "+add
			}
		}
		c.put = append(c.put, x)
	}
	seq, err := c.a.store.ActivateSupplements(ctx, memory.Activation{
		From: c.out.From, Put: c.put, Marks: c.marks, TakeBack: c.takeBack,
		Version: memory.SupplementVersion{At: c.a.opts.Now(), Active: c.out.Active, Author: change.Author, Note: change.Note, Restores: c.restores},
	})
	if errors.Is(err, memory.ErrMoved) {
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	if err != nil {
		return err
	}
	c.out.Version = seq
	return c.answer(ctx)
}

// answer notes which feedback is answered by what is in force now, and which no longer is.
func (c *learnedChange) answer(ctx context.Context) error {
	for _, list := range []struct {
		ids    []string
		status memory.FeedbackStatus
	}{{c.takeBack, memory.FeedbackUsed}, {c.out.Active, memory.FeedbackAnswered}} {
		var ids []int64
		for _, id := range list.ids {
			ids = append(ids, c.all[id].Evidence...)
		}
		if err := c.a.store.SetFeedbackStatus(ctx, list.status, unique(ids)...); err != nil {
			return err
		}
	}
	return nil
}
