package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
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
	// Waits says that it is not the owner who asks to put in force what waits for the owner. It
	// takes their consent whatever turns by it today, since what waits may do what no replay
	// shows; and where one of Add waits no longer, it is ErrNotProposed.
	Waits bool `json:"waits,omitempty"`
}

// says is what the change is, for the version's note.
func (c *LearnedChange) says() string {
	var out []string
	switch {
	case c.To != nil && *c.To == 0:
		out = append(out, "as before anything was learned")
	case c.To != nil:
		out = append(out, fmt.Sprintf("version %d again", *c.To))
	}
	if len(c.Add) > 0 {
		out = append(out, "with "+strings.Join(c.Add, ", "))
	}
	if len(c.Drop) > 0 {
		out = append(out, "without "+strings.Join(c.Drop, ", "))
	}
	return strings.Join(out, ", ")
}

// LearnedPlan is what such a change does, or did.
type LearnedPlan struct {
	From    int64    `json:"from"`    // the version in force
	Version int64    `json:"version"` // the new one; 0 before it is made, From where nothing was to be done
	Active  []string `json:"active"`
	// Now are the verdicts on stored facts that turn, Later those that the stages alone
	// would give to facts like the stored ones. Looser are the facts whose label, or
	// that of later ones like them, opens though no verdict does today.
	Now    privacy.Difference `json:"now"`
	Later  privacy.Difference `json:"later"`
	Looser []privacy.FactID   `json:"looser"`
	// Marks is how many stored facts get other marks by it.
	Marks int `json:"marks"`
	// Moved are the stored facts of whose like later ones would be of an event with others
	// than now; the stored ones keep theirs.
	Moved []privacy.FactID `json:"moved,omitempty"`
}

// MergedInto begins the reason of a supplement that another one took the place of; what
// follows is the id of that.
const MergedInto = "merged into "

// MaxLessons is how many lessons of one stage and language may be in force.
const MaxLessons = 64

// Errors of changes of what evolution has in force.
var (
	ErrUnknownSupplement = errors.New("no such supplement; `epagent evolve list` lists them")
	ErrNotProposed       = errors.New("this supplement doesn't wait for the owner; `epagent evolve list` says what became of it")
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
	parts := append(append([]string{fmt.Sprint(c.out.From)}, c.out.Active...), c.change.Status)
	for _, id := range c.scoped {
		parts = append(parts, string(engine.ScopeOf(c.all[id].Scope)))
	}
	p.content = strings.Join(parts, "\x00")
	if c.change.Waits {
		if err := c.needsWord(p); err != nil {
			return err
		}
	}
	p.opens(c.out.Now.Shown, c.out.Now.Loosened)
	p.Closes = pairsClose(c.out.Now.Hidden)
	for _, x := range c.out.Later.Shown {
		if slices.ContainsFunc(c.out.Now.Shown, func(y privacy.PairChange) bool { return x.Fact == y.Fact && x.Name == y.Name }) {
			continue // said of the fact itself
		}
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
	scoped   []string // that are approved for other categories by it
	takeBack []string // no longer in force
	relabel  memory.Relabelling
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
	before := c.stored(was) // as it was approved until now
	c.scope(next)
	return c.effects(ctx, before, next)
}

// scope binds what comes into force by the change to what its theme has in the policy, so
// that it is approved for that and for nothing else; one that is in force already is
// approved anew where the change adds it.
func (c *learnedChange) scope(next []string) {
	again := func(x memory.StoredSupplement) bool { return slices.Contains(c.change.Add, x.ID) }
	for _, x := range scopeTo(c.r.w.policy, c.stored(next), again) {
		c.all[x.ID] = x
		c.scoped = append(c.scoped, x.ID)
	}
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
		next = slices.DeleteFunc(next, func(y string) bool { return slices.Contains(x.Parents, y) || replaces(x, c.all[y]) })
		if !slices.Contains(next, id) {
			next = append(next, id)
		}
	}
	slices.Sort(next)
	return next, nil
}

// replaces is [engine.Lesson.Replaces] of two stored supplements.
func replaces(a, b memory.StoredSupplement) bool {
	var x, y engine.Lesson
	return len(a.Lesson) > 0 && len(b.Lesson) > 0 && json.Unmarshal(a.Lesson, &x) == nil && json.Unmarshal(b.Lesson, &y) == nil && x.Replaces(y)
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
func (c *learnedChange) effects(ctx context.Context, was []memory.StoredSupplement, next []string) error {
	for _, x := range was {
		if !slices.Contains(next, x.ID) {
			c.takeBack = append(c.takeBack, x.ID)
		}
	}
	did, err := c.a.store.SupplementMarks(ctx)
	if err != nil {
		return err
	}
	first, err := LearnedOf(Marking(was))
	if err != nil {
		// What can't be read never taught a stage anything: taking it out is judged as
		// from nothing.
		first = Learned{}
	}
	last, err := LearnedOf(Marking(c.stored(next)))
	if err != nil {
		return err
	}
	before, err := c.r.Run(ctx, first)
	if err != nil {
		return err
	}
	step, err := c.r.Run(ctx, last)
	if err != nil {
		return err
	}
	relabelled, err := c.r.relabel(ctx, c.stored(next), did)
	if err != nil {
		return err
	}
	c.relabel = relabelled.Relabelling
	c.out.Marks = len(c.relabel.Facts)
	w := c.r.w
	after := newWorld(w.policy, relabelled.facts, w.rules, w.now)
	if c.out.Now, err = c.a.difference(ctx, w, after); err != nil {
		return err
	}
	then, later, err := c.later(ctx, was, next, before, step)
	if err != nil {
		return err
	}
	if c.out.Later, err = c.a.difference(ctx, then, later); err != nil {
		return err
	}
	c.out.Looser = append(LooserLabels(w.judge, after.judge), LooserLabels(then.judge, later.judge)...)
	slices.Sort(c.out.Looser)
	c.out.Looser = slices.Compact(c.out.Looser)
	seen := map[privacy.FactID]bool{}
	for _, x := range slices.Concat(c.out.Now.Shown, c.out.Later.Shown) {
		seen[x.Fact] = true
	}
	c.out.Looser = nonNil(slices.DeleteFunc(c.out.Looser, func(id privacy.FactID) bool { return seen[id] }))
	return nil
}

// later are the worlds of facts like the stored ones by the stages alone, before the change
// and after it: with their events found anew where lessons that join them differ.
func (c *learnedChange) later(ctx context.Context, was []memory.StoredSupplement, next []string, before, after *Replay) (then, later *world, err error) {
	if !joins(was) && !joins(c.stored(next)) {
		return before.alone, after.alone, nil
	}
	first, err := LearnedOf(was)
	if err != nil {
		first = Learned{} // as in effects
	}
	last, err := LearnedOf(c.stored(next))
	if err != nil {
		return nil, nil, err
	}
	a, err := c.r.Coreferred(ctx, before, first.Lessons)
	if err != nil {
		return nil, nil, err
	}
	b, err := c.r.Coreferred(ctx, after, last.Lessons)
	if err != nil {
		return nil, nil, err
	}
	c.out.Moved = b.Moved(a)
	return a.alone, b.alone, nil
}

func (c *learnedChange) stored(ids []string) []memory.StoredSupplement {
	var list []memory.StoredSupplement
	for _, id := range ids {
		list = append(list, c.all[id])
	}
	return list
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
	if slices.Equal(c.was, c.out.Active) && len(c.relabel.Facts)+len(c.scoped) == 0 {
		c.out.Version = c.out.From // it is so already: no version of it
		return nil
	}
	if change.Note = strings.TrimSpace(change.Note); change.Note == "" {
		change.Note = change.says()
	}
	for _, id := range c.out.Active {
		if x := c.all[id]; x.Status != memory.SupplementActive || slices.Contains(c.scoped, id) {
			x.Status, x.Reason = memory.SupplementActive, ""
			c.put = append(c.put, x)
		}
	}
	for _, id := range c.takeBack {
		x := c.all[id]
		x.Status, x.Reason = change.Status, change.Note
		for _, add := range change.Add {
			if slices.Contains(c.all[add].Parents, id) {
				x.Status, x.Reason = "retired", MergedInto+add
			}
		}
		c.put = append(c.put, x)
	}
	seq, err := c.a.store.ActivateSupplements(ctx, memory.Activation{
		From: c.out.From, Seen: c.r.w.revision, Put: c.put, Relabelling: c.relabel,
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

// answer notes which feedback is answered by what is in force now, as far as its supplements
// say so, and which is to be looked at again.
func (c *learnedChange) answer(ctx context.Context) error {
	for _, list := range []struct {
		ids    []string
		status memory.FeedbackStatus
	}{{c.takeBack, memory.FeedbackNew}, {c.out.Active, memory.FeedbackAnswered}} {
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
