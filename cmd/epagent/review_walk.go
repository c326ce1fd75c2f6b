package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// walker goes through the review fact by fact, one line of input an answer.
type walker struct {
	agent *agent.Agent
	lines *bufio.Reader
	page  *page // what is shown next
	out   io.Writer

	categories []privacy.Category
	decided    int
	skipped    int
}

// errQuit ends the walk: by the owner's word, or at the end of the input.
var errQuit = errors.New("quit")

// walkReview asks for a decision on each fact of a queue.
func (c *cli) walkReview(ctx context.Context, a *agent.Agent, queue *agent.ReviewQueue, asks []agent.Asked) error {
	policy, err := a.Policy(ctx)
	if err != nil {
		return err
	}
	w := &walker{
		agent: a, lines: c.lines, out: c.out, categories: policy.Categories(),
		page: &page{colour: colour(c.out), width: width(c.out)},
	}
	return w.walk(ctx, queue, asks)
}

func (w *walker) walk(ctx context.Context, queue *agent.ReviewQueue, asks []agent.Asked) error {
	if err := w.asks(ctx, asks); errors.Is(err, errQuit) {
		return w.end()
	} else if err != nil {
		return errors.Join(w.flush(), err)
	}
	for _, n := range queue.Groups {
		asked := slices.ContainsFunc(queue.Items, func(item agent.ReviewItem) bool { return item.Group == n.Group })
		if asked {
			w.page.line("%s: %s", groupTitles[n.Group], plural(n.Facts, "fact", "facts"))
		}
	}
	if len(queue.Items) > 0 {
		w.keys()
	}
	for i := range queue.Items {
		err := w.fact(ctx, queue.Items[i], i+1, len(queue.Items))
		if errors.Is(err, errQuit) {
			break
		}
		if err != nil {
			return errors.Join(w.flush(), err)
		}
	}
	return w.end()
}

// end says what was done.
func (w *walker) end() error {
	w.page.line("")
	w.page.line("%s, %d skipped.", plural(w.decided, "fact decided", "facts decided"), w.skipped)
	return w.flush()
}

// keys says what can be typed.
func (w *walker) keys() {
	w.page.line("[enter] take the guess · the name or number of a category (several: 3+5; ? lists them)")
	w.page.line("l 2/life: label · a NAME: allow · d NAME: deny · k: keep it closed")
	w.page.line("c: it is true · n: not a fact · w KIND = RIGHT: say what is wrong (feedback) · s: skip · q: quit")
}

// help lists the categories and the keys.
func (w *walker) help() {
	for i, c := range w.categories {
		w.page.line("%3d  %-16s %-8s %s", i+1, c.ID, c.Label(), clean(c.Name))
	}
	w.keys()
}

// fact asks about one fact until it waits no longer or is skipped.
func (w *walker) fact(ctx context.Context, item agent.ReviewItem, n, of int) error {
	// It may have been decided with one before it.
	now, waits, err := w.agent.ReviewOf(ctx, item.ID)
	if err != nil || !waits {
		return err
	}
	now.Alike = item.Alike
	if err := w.show(ctx, &now, n, of); err != nil {
		return err
	}
	for {
		line, err := w.ask("> ")
		if err != nil {
			return err
		}
		switch line {
		case "q":
			return errQuit
		case "s":
			w.skipped++
			return nil
		case "?":
			w.help()
			continue
		}
		if key, rest := cutWord(line); key == "w" {
			if err := w.wrong(ctx, item.ID, rest); err != nil {
				return err
			}
			continue
		}
		d, err := w.read(ctx, line, &now)
		if err == nil {
			err = w.decide(ctx, now.ID, d)
		}
		if errors.Is(err, errQuit) || errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			w.page.line("%s", clean(err.Error()))
			continue
		}
		if now, waits, err = w.agent.ReviewOf(ctx, item.ID); err != nil || !waits {
			return err
		}
		w.page.line("It still waits: %s.", clean(now.Why))
	}
}

// wrong takes feedback on the fact that is shown. Where something may be right and isn't
// given, the next line is that, and nothing else.
func (w *walker) wrong(ctx context.Context, fact privacy.FactID, line string) error {
	id, req, err := w.feedback(ctx, fact, line)
	switch {
	case errors.Is(err, errQuit), errors.Is(err, context.Canceled):
		return err
	case err != nil:
		w.page.line("%s", clean(err.Error()))
	default:
		w.page.line("Noted as %d. %s", id, w.agent.SaysOf(ctx, req))
	}
	return nil
}

func (w *walker) feedback(ctx context.Context, fact privacy.FactID, line string) (int64, agent.FeedbackRequest, error) {
	req, err := readFeedback(line, fact, func(string) bool { return false })
	if err != nil {
		return 0, req, err
	}
	req.Origin = "review"
	if form := req.Kind.Form(); form.Right && req.Expected+req.Note == "" && !(form.Entry && req.Entry == 0) {
		if req.Expected, err = w.ask("what is right (nothing: note nothing): "); err != nil {
			return 0, req, err
		}
		if req.Expected == "" {
			return 0, req, errors.New("nothing given, nothing noted")
		}
	}
	if req.Kind == "wrong-category" { // by number, as everywhere in the review
		if ids, err := w.chosen(req.Expected); err == nil {
			words := make([]string, len(ids))
			for i, id := range ids {
				words[i] = string(id)
			}
			req.Expected = strings.Join(words, ", ")
		}
	}
	id, err := w.agent.Feedback(ctx, req)
	return id, req, err
}

// show lays out a fact: what it says, what it rests on, what it is taken for and
// whom that lets in.
func (w *walker) show(ctx context.Context, item *agent.ReviewItem, n, of int) error {
	view, err := w.agent.Fact(ctx, item.ID)
	if err != nil {
		return err
	}
	p := w.page
	p.line("")
	p.line("%s", p.style(bold, fmt.Sprintf("%d of %d  %s", n, of, clean(item.Text))))
	p.line("  waits because: %s", clean(item.Why))
	for _, t := range view.Evidence {
		speaker := t.Speaker
		if t.Self {
			speaker = "you"
		}
		p.paragraphs(fmt.Sprintf("%s %s: %s", t.When.Date(), speaker, t.Text), "  ")
	}
	switch {
	case len(item.Guess) == 0:
		p.line("  guess: none; for nobody so far")
	default:
		would := "opens to"
		if item.Group == agent.ReviewUntrusted {
			would = "if it is true, opens to"
		}
		p.line("  guess: %s, %s %s", guessWords(item), would, clean(strings.Join(item.Opens, ", "))+opensRest(item))
	}
	if len(item.Alike) > 0 {
		p.line("  %s", plural(len(item.Alike), "other waiting fact is alike", "other waiting facts are alike"))
	}
	return nil
}

func opensRest(item *agent.ReviewItem) string {
	switch {
	case item.Strangers && len(item.Opens) > 0:
		return " and anybody else"
	case item.Strangers:
		return "anybody"
	case len(item.Opens) == 0:
		return "nobody"
	}
	return ""
}

// read turns a line into a decision. Words that mean nothing are an error that says
// what would.
func (w *walker) read(ctx context.Context, line string, item *agent.ReviewItem) (agent.Decision, error) {
	var d agent.Decision
	key, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	needs := func(prompt string) error {
		var err error
		if rest == "" {
			rest, err = w.ask(prompt)
		}
		if err == nil && rest == "" {
			err = errors.New("nothing given, nothing done")
		}
		return err
	}
	switch key {
	case "":
		if len(item.Guess) == 0 {
			return d, errors.New("there is no guess to take: choose a category, or s to skip")
		}
		d.Categories = item.Guess
	case "l":
		if err := needs("label, such as 0 or 2/life: "); err != nil {
			return d, err
		}
		policy, err := w.agent.Policy(ctx)
		if err != nil {
			return d, err
		}
		label, err := agent.ParseLabel(rest, policy)
		if err != nil {
			return d, err
		}
		d.Label = &label
	case "a", "d":
		if err := needs("whom (a name, or group:ID): "); err != nil {
			return d, err
		}
		parties := []privacy.Party{privacy.Party(rest)}
		if key == "a" {
			d.Allow = parties
		} else {
			d.Deny = parties
		}
	case "c", "k", "n":
		if rest != "" {
			return d, fmt.Errorf("%q takes nothing after it", key)
		}
		d.Confirm, d.Close, d.NotFact = key == "c", key == "k", key == "n"
	default:
		var err error
		if d.Categories, err = w.chosen(line); err != nil {
			return d, err
		}
	}
	return d, nil
}

// chosen reads categories by number, id or name, joined by "+".
func (w *walker) chosen(line string) ([]privacy.CategoryID, error) {
	var out []privacy.CategoryID
	for _, word := range strings.Split(line, "+") {
		word = strings.TrimSpace(word)
		at := -1
		if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(w.categories) {
			at = n - 1
		}
		for i, c := range w.categories {
			if at < 0 && (strings.EqualFold(word, string(c.ID)) || strings.EqualFold(word, c.Name)) {
				at = i
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("%q is neither a key nor a category; ? lists both", word)
		}
		out = append(out, w.categories[at].ID)
	}
	return out, nil
}

// decide makes a decision; what it opens, and what else is alike, is shown and
// asked.
func (w *walker) decide(ctx context.Context, id privacy.FactID, d agent.Decision) error {
	done, err := w.agent.Decide(ctx, []privacy.FactID{id}, d, false)
	if errors.Is(err, agent.ErrWidens) && done != nil {
		w.page.line("This lets somebody learn more:")
		for _, line := range widenedLines(done.Widened, done.Loosened) {
			w.page.line("  %s", line)
		}
		agreed, answerErr := w.agree("Agree?")
		if answerErr != nil {
			return answerErr
		}
		if !agreed {
			return errors.New("nothing was changed")
		}
		done, err = w.agent.Decide(ctx, []privacy.FactID{id}, d, true)
	}
	if err != nil {
		return err
	}
	w.told(done, d)
	if len(done.Alike) == 0 {
		return nil
	}
	w.page.line("%s of the same kind; the same decision opens them to: %s",
		plural(len(done.Alike), "waiting fact is", "waiting facts are"), openedTo(done.AlikeWidened))
	agreed, err := w.agree("Decide the same on them?")
	if err != nil || !agreed {
		return err
	}
	more, err := w.agent.Decide(ctx, done.Alike, d, true)
	if err != nil {
		return err
	}
	w.told(more, d)
	return nil
}

func (w *walker) told(done *agent.Decided, d agent.Decision) {
	w.decided += len(done.Edits)
	for _, e := range done.Edits {
		if d.NotFact {
			w.page.line("%s is gone: it is no fact.", e.Fact)
		} else {
			w.page.line("%s: label %s, %s opened, %d closed.", e.Fact, e.Label, plural(len(e.Widened), "verdict", "verdicts"), len(e.Narrowed))
		}
	}
}

func (w *walker) agree(question string) (bool, error) {
	line, err := w.ask(question + " [y/N] ")
	return err == nil && isYes(line), err
}

// ask shows what is on the page and reads a line. The end of the input quits.
func (w *walker) ask(prompt string) (string, error) {
	w.page.WriteString(prompt)
	if err := w.flush(); err != nil {
		return "", err
	}
	line, err := w.lines.ReadString('\n')
	if err != nil && line == "" {
		if errors.Is(err, io.EOF) {
			return "", errQuit
		}
		return "", fmt.Errorf("read an answer: %w", err)
	}
	return strings.TrimSpace(line), nil
}

func (w *walker) flush() error {
	_, err := io.WriteString(w.out, w.page.String())
	w.page.Reset()
	return err
}

// isYes reads the answer to a yes-or-no question.
func isYes(line string) bool {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "j", "ja", "是":
		return true
	}
	return false
}
