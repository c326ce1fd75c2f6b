package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// learnedBatch is a batch on its way into the store.
type learnedBatch struct {
	memory.Batch
	done  int // messages of the file up to and with this batch
	chats []learnedChat
	gaps  int // new turns that stand for a message taken back
}

// learnedChat is what a batch brings of one conversation.
type learnedChat struct {
	chat          *ChatReport
	facts, review int
}

// learn reads the source session by session, learns from each and stores in
// batches. One batch is stored while the next is learned. A batch that has begun is
// finished: cancelling takes effect between two.
func (im *importer) learn(ctx context.Context) error {
	a := im.a
	storing, stored := make(chan learnedBatch, 1), make(chan error, 1)
	go func() {
		var failed error
		for b := range storing {
			if failed != nil {
				continue // drained, so that the learner can't block
			}
			failed = im.store(context.WithoutCancel(ctx), b)
		}
		stored <- failed
	}()
	ran := &notes{}
	w := &window{im: im, out: storing, batch: im.emptyBatch()}
	learning := func() error {
		ctx := engine.WithNotes(ctx, ran.add)
		err := im.from.EachSession(ctx, func(s *memory.Session) error { return w.add(ctx, s) })
		if err != nil {
			w.flush() // what was begun
			return err
		}
		if err := w.learn(ctx); err != nil {
			return err
		}
		if err := im.placeAll(ctx); err != nil {
			return err
		}
		for i := range im.gold {
			im.gold[i].ImportedAt = im.l.now
		}
		w.batch.Facts = append(w.batch.Facts, im.gold...)
		w.flush()
		return nil
	}()
	close(storing)
	err := errors.Join(<-stored, learning)
	im.report.Degraded = ran.degraded()
	if err == nil {
		a.settleHost(ctx)
		// What another process stored meanwhile is there already, too.
		r := im.report
		r.Duplicate = r.Messages - r.New - r.Forgotten - r.Edited
		if a.opts.Model.Calls != nil {
			err = a.store.DropReplies(ctx) // they were for an import that is stopped
		}
	} else { // what was looked at; the rest is left for the next run
		r := im.report
		for i := range r.Chats {
			r.Duplicate += r.Chats[i].Duplicate
		}
		r.Left = max(r.Messages-r.New-r.Duplicate-r.Forgotten-r.Edited, 0)
	}
	return err
}

func (im *importer) emptyBatch() learnedBatch {
	return learnedBatch{Batch: memory.Batch{Resurrect: im.opts.Resurrect, InForce: im.l.taught.version}}
}

// store applies a batch and counts what it brought.
func (im *importer) store(ctx context.Context, b learnedBatch) error {
	applied, err := im.a.store.Apply(ctx, b.Batch)
	if errors.Is(err, memory.ErrMoved) {
		return fmt.Errorf("%w; import the same again: it goes on where it was", err)
	}
	if err != nil {
		return err
	}
	im.report.New += max(applied.Turns-b.gaps, 0)
	im.report.Edited += applied.Edited
	im.report.Facts += applied.Facts
	review := 0
	for _, c := range b.chats {
		c.chat.Facts += c.facts
		c.chat.Review += c.review
		review += c.review
	}
	im.report.Review += min(review, applied.Facts+len(b.Edits)) // none of what another process stored first
	if im.opts.Progress != nil {
		im.opts.Progress(b.done, im.report.Messages)
	}
	return nil
}

// The window of sessions that are drafted at once: wide enough to keep a model
// busy, narrow enough to be small beside what is learned.
const (
	windowMessages = 2000
	windowSessions = 256
)

// window holds sessions that wait to be learned, and the batch that waits to be
// stored.
type window struct {
	im       *importer
	out      chan<- learnedBatch
	todo     []toLearn
	messages int
	done     int // messages of the file that were looked at
	batch    learnedBatch
	pending  int // messages in batch
}

// add takes the next session of the source.
func (w *window) add(ctx context.Context, s *memory.Session) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.im.report.Sessions++
	todo, err := w.im.meet(ctx, s)
	if err != nil {
		return err
	}
	w.done += len(s.Turns)
	if len(todo) == 0 {
		w.messages++
	}
	for i := range todo {
		todo[i].done = w.done
		w.messages += len(todo[i].session.Turns)
	}
	w.todo = append(w.todo, todo...)
	switch {
	case w.messages >= windowMessages, len(w.todo) >= windowSessions:
		return w.learn(ctx)
	case len(todo) == 0 && w.done%batchMessages < len(s.Turns) && w.im.opts.Progress != nil && len(w.todo) == 0 && w.pending == 0:
		w.im.opts.Progress(w.done, w.im.report.Messages) // nothing new for long
	}
	return nil
}

// learn drafts the sessions of the window, several at once, and settles them in
// order.
func (w *window) learn(ctx context.Context) error {
	im, l := w.im, w.im.l
	todo := w.todo
	w.todo, w.messages = nil, 0
	drafts, stop := context.WithCancel(ctx)
	defer stop()
	next := ahead(drafts, len(todo), im.a.concurrency(), func(ctx context.Context, k int) (*drafted, error) {
		s := &todo[k].session
		if im.gold != nil {
			layers, err := memory.OfflineHost(l.host).Compose(ctx, s) // no stage of the way in runs
			return &drafted{layers: layers}, err
		}
		return l.draft(ctx, s, todo[k].isFresh, nil)
	})
	for k := range todo {
		if err := ctx.Err(); err != nil {
			w.flush()
			return err
		}
		t := &todo[k]
		draft, err := next()
		var got *learned
		switch {
		case err != nil:
		case im.gold != nil:
			got = &learned{layers: draft.layers}
		default:
			got, err = l.settle(ctx, &t.session, draft)
		}
		if err == nil {
			err = im.settleEdits(ctx, t, got)
		}
		if err != nil {
			w.flush()
			return err
		}
		w.take(t, got)
		if w.pending >= batchMessages {
			w.flush()
		}
	}
	return nil
}

func (w *window) take(t *toLearn, got *learned) {
	b := &w.batch
	b.done = t.done
	b.Sessions = append(b.Sessions, t.session)
	b.Layers = append(b.Layers, got.layers)
	b.Facts = append(b.Facts, got.facts...)
	b.EventRules = append(b.EventRules, got.rules...)
	b.Edits = append(b.Edits, t.edits...)
	if len(t.marks) > 0 && b.FactMarks == nil {
		b.FactMarks = map[privacy.FactID][]privacy.Mark{}
	}
	for id, marks := range t.marks {
		b.FactMarks[id] = append(b.FactMarks[id], marks...)
	}
	chat := learnedChat{chat: w.im.chat(t.session.Conversation), facts: len(got.facts)}
	for j := range got.facts {
		if len(openQuestions(&got.facts[j].Record, w.im.l.policy.Settings())) > 0 {
			chat.review++
		}
	}
	b.chats = append(b.chats, chat)
	b.gaps += t.gaps
	w.pending += len(t.session.Turns)
}

func (w *window) flush() {
	if len(w.batch.Sessions) > 0 || len(w.batch.Facts) > 0 {
		w.out <- w.batch
	}
	done := w.batch.done
	w.batch, w.pending = w.im.emptyBatch(), 0
	w.batch.done = done
}

// toLearn is a session with something new in it.
type toLearn struct {
	session memory.Session
	fresh   map[string]bool // turns that facts are to be made of
	edits   []memory.TurnEdit
	edited  []string // ids of the turns of edits
	marks   map[privacy.FactID][]privacy.Mark
	gaps    int // fresh turns that stand for a message taken back
	done    int
}

func (t *toLearn) isFresh(turn string) bool { return t.fresh[turn] || slices.Contains(t.edited, turn) }
