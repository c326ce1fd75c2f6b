package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// ReviewItem is a fact that waits for the owner, with those that are near-identical
// to it folded in.
type ReviewItem struct {
	ID    privacy.FactID `json:"id"`
	Text  string         `json:"text"`
	Group ReviewGroup    `json:"group"`
	Why   string         `json:"why"` // in words; several reasons are divided by "; "
	// Guess is what the fact seems to be: the annotator's categories, or, where it
	// has none, the category whose own words are nearest. GuessedBy says which. An
	// empty guess: nothing is near.
	Guess     []privacy.CategoryID `json:"guess"`
	GuessedBy GuessSource          `json:"guessed_by,omitempty"`
	// Strictest is the strictest category that is near, the guess among them.
	Strictest privacy.CategoryID `json:"strictest,omitempty"`
	// Opens is who learns the fact by the guess, by name, compared with L0; for a
	// fact that is held, once it is confirmed too. Strangers says whether anybody does.
	Opens     []string `json:"opens"`
	Strangers bool     `json:"strangers,omitempty"`
	// Risk is how much harm the guess can do; 0 is none. See [Agent.Review].
	Risk int `json:"risk"`
	// Alike are the other facts of the queue that say nearly the same, SameEvent
	// those that are about the same event and are items of their own.
	Alike     []privacy.FactID `json:"alike"`
	SameEvent []privacy.FactID `json:"same_event"`
	// Ends are the facts of its event that it would end, and that are told as they are
	// while it waits. It is a hint for the owner: what waits changes nothing for others.
	Ends     []privacy.FactID `json:"ends,omitempty"`
	Label    privacy.Label    `json:"label"` // as it counts now
	Speaker  string           `json:"speaker,omitempty"`
	SaidAt   *string          `json:"said_at"`
	Session  string           `json:"session"`
	Evidence []string         `json:"evidence"`

	saidAt privacy.Stamp
}

// ReviewCount is how much waits in one group.
type ReviewCount struct {
	Group ReviewGroup `json:"group"`
	Facts int         `json:"facts"`
	Items int         `json:"items"` // with those alike counted once
}

// ReviewQueue is what waits for the owner.
type ReviewQueue struct {
	Items  []ReviewItem  `json:"items"`
	Groups []ReviewCount `json:"groups"` // all four, whatever was asked for
	Total  int           `json:"total"`  // items of the groups that were asked for, before the limit
	Facts  int           `json:"facts"`  // facts in them
}

// ErrUnknownGroup says that the review queue has no such group.
var ErrUnknownGroup = errors.New("not a group of the review queue")

// ReviewQuery asks for part of the queue. The zero value is all of it.
type ReviewQuery struct {
	Groups []ReviewGroup // nil: all
	Limit  int           // at most so many items; 0: all
}

// Review lists the facts that wait for the owner: those that the annotator wasn't
// sure of, that it put into no category, that may belong to a new category, and
// that rest on somebody else's words and are held. It goes by group in the order of
// [ReviewGroups]; within a group the riskiest comes first, then the most repeated,
// then the newest.
//
// The risk of a fact is the number of people who learn it by the guess and would
// not if the strictest category that is near were the right one (where nothing
// stricter is near: if it were for nobody), times how deep that category lies, from
// 1 for L4 to 5 for L0.
func (a *Agent) Review(ctx context.Context, q ReviewQuery) (*ReviewQueue, error) {
	for _, g := range q.Groups {
		if !slices.Contains(ReviewGroups(), g) {
			return nil, fmt.Errorf("review group %q: %w; one of %s", g, ErrUnknownGroup, groupList())
		}
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	items := w.reviewItems(w.queue(), newNearness(w.policy, stored), a.opts.Now())
	out := &ReviewQueue{Items: []ReviewItem{}}
	for _, g := range ReviewGroups() {
		n := ReviewCount{Group: g}
		for i := range items {
			if items[i].Group != g {
				continue
			}
			n.Items++
			n.Facts += 1 + len(items[i].Alike)
			if len(q.Groups) == 0 || slices.Contains(q.Groups, g) {
				out.Items = append(out.Items, items[i])
			}
		}
		out.Groups = append(out.Groups, n)
		if len(q.Groups) == 0 || slices.Contains(q.Groups, g) {
			out.Total, out.Facts = out.Total+n.Items, out.Facts+n.Facts
		}
	}
	if q.Limit > 0 && len(out.Items) > q.Limit {
		out.Items = out.Items[:q.Limit]
	}
	return out, nil
}

// ReviewOf returns the item of one fact, and whether it waits. What is alike is
// not looked for.
func (a *Agent) ReviewOf(ctx context.Context, id privacy.FactID) (ReviewItem, bool, error) {
	w, err := a.current(ctx)
	if err != nil {
		return ReviewItem{}, false, err
	}
	i, ok := w.byID[id]
	if !ok {
		return ReviewItem{}, false, nil // it is none any more
	}
	x, waits := w.waits(i)
	if !waits {
		return ReviewItem{}, false, nil
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return ReviewItem{}, false, err
	}
	return w.reviewItems([]waiting{x}, newNearness(w.policy, stored), a.opts.Now())[0], true, nil
}

func groupList() string {
	var words []string
	for _, g := range ReviewGroups() {
		words = append(words, string(g))
	}
	return strings.Join(words, ", ")
}

// ParseLabel reads "L2", "2", "2/work" or "L2/work".
func ParseLabel(text string, p *privacy.Policy) (privacy.Label, error) {
	level, domain, bound := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "L"), "/")
	if len(level) != 1 || level[0] < '0' || level[0] > '4' {
		return privacy.Label{}, fmt.Errorf("label %q: want a level 0 to 4, and a domain if any, as in 2/work", text)
	}
	l := privacy.Label{Level: privacy.Level(level[0] - '0')}
	if bound {
		if !slices.Contains(p.Domains(), privacy.Domain(domain)) {
			return privacy.Label{}, fmt.Errorf("label %q: the policy has no domain %q", text, domain)
		}
		l.Domain = privacy.Domain(domain)
	}
	return l, nil
}

// reviewItems makes the items of a queue, in the order in which they are shown.
func (w *world) reviewItems(queue []waiting, near *nearness, now time.Time) []ReviewItem {
	items := make([]ReviewItem, len(queue))
	for k := range queue {
		x := &queue[k]
		f := &w.facts[x.index]
		item := &items[k]
		*item = ReviewItem{
			ID: f.ID, Text: f.Text, Group: x.group, Why: x.why(), Opens: []string{}, Alike: []privacy.FactID{}, SameEvent: []privacy.FactID{},
			Label: w.label(f.ID), Speaker: f.Speaker, SaidAt: stampText(f.SaidAt), Session: f.Session,
			Evidence: append([]string{}, f.Evidence...), saidAt: f.SaidAt,
		}
		item.Guess, item.GuessedBy, item.Strictest = w.guess(x, near)
	}
	w.assess(queue, items, now)
	w.countEvents(queue, items)
	w.findEnded(items)
	slices.SortFunc(items, func(a, b ReviewItem) int {
		return cmp.Or(
			cmp.Compare(slices.Index(ReviewGroups(), a.Group), slices.Index(ReviewGroups(), b.Group)),
			cmp.Compare(b.Risk, a.Risk),
			b.saidAt.Compare(a.saidAt),
			cmp.Compare(a.ID, b.ID),
		)
	})
	items = w.foldAlike(items)
	slices.SortStableFunc(items, func(a, b ReviewItem) int {
		return cmp.Or(
			cmp.Compare(slices.Index(ReviewGroups(), a.Group), slices.Index(ReviewGroups(), b.Group)),
			cmp.Compare(b.Risk, a.Risk),
			cmp.Compare(b.repeated(), a.repeated()),
		)
	})
	return items
}

// repeated is how often the matter of an item comes up in the queue.
func (item *ReviewItem) repeated() int { return 1 + len(item.Alike) + len(item.SameEvent) }

// countEvents notes for each item which others are about the same event.
func (w *world) countEvents(queue []waiting, items []ReviewItem) {
	of := map[privacy.EventID][]int{}
	for k := range queue {
		if e := w.marks[queue[k].index].Event; e != "" {
			of[e] = append(of[e], k)
		}
	}
	for _, same := range of {
		for _, k := range same {
			for _, other := range same {
				if other != k {
					items[k].SameEvent = append(items[k].SameEvent, items[other].ID)
				}
			}
		}
	}
}
