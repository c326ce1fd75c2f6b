package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
)

// Bounds of a file of failed items.
const (
	maxFeedbackBytes = 8 << 20
	maxFeedbackItems = 5000
	maxFeedbackName  = 100 // bytes of a name of a script or an item
	shownLines       = 10
)

// ErrFeedbackFile says that a file isn't what [WriteFeedback] writes; the places follow.
var ErrFeedbackFile = errors.New("not failed items as `bench run --feedback-out` writes them")

// ReadFeedback reads what [WriteFeedback] wrote, and nothing else: every line is checked, and
// one that is wrong refuses all of them. ErrFeedbackFile names the first of the wrong lines
// by number, and what is wrong; no text of theirs.
func ReadFeedback(r io.Reader) ([]FeedbackItem, error) {
	source, err := io.ReadAll(io.LimitReader(r, maxFeedbackBytes+1))
	if err != nil {
		return nil, err
	}
	if len(source) > maxFeedbackBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFeedbackFile, maxFeedbackBytes)
	}
	var items []FeedbackItem
	var faults []error
	first := map[string]int{}
	n := 0
	for line := range bytes.Lines(source) {
		n++
		if n > maxFeedbackItems {
			return nil, fmt.Errorf("%w: more than %d lines", ErrFeedbackFile, maxFeedbackItems)
		}
		item, fault := readFeedbackLine(line)
		if fault == "" {
			key := strings.Join(append([]string{item.Script, string(item.Task), item.Item, item.Kind}, item.To...), "\x00")
			if at, twice := first[key]; twice {
				fault = fmt.Sprintf("the same item as in line %d", at)
			} else {
				first[key] = n
			}
		}
		if fault != "" {
			faults = append(faults, fmt.Errorf("line %d: %s", n, fault))
			continue
		}
		items = append(items, item)
	}
	if len(faults) > 0 {
		if more := len(faults) - shownLines; more > 0 {
			faults = append(faults[:shownLines], fmt.Errorf("and %d more", more))
		}
		return nil, fmt.Errorf("%w:\n%w", ErrFeedbackFile, errors.Join(faults...))
	}
	return items, nil
}

// readFeedbackLine reads one line, and says what is wrong with it.
func readFeedbackLine(line []byte) (item FeedbackItem, fault string) {
	if !utf8.Valid(line) {
		return item, "no UTF-8"
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&item); err != nil {
		return item, "no object of that form"
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return item, "more than one object"
	}
	return item, item.fault()
}

// fault says what of an item no run writes, "" for nothing.
func (f *FeedbackItem) fault() string {
	stages := []string{atExtract, atAnnotate, atExceptions, atUnits, atGuard}
	switch {
	case !plainName(f.Script):
		return "script: want its name"
	case !plainName(f.Item):
		return "item: want its id"
	case !slices.Contains(stages, f.Stage):
		return fmt.Sprintf("stage: want one of %s", strings.Join(stages, ", "))
	case strings.TrimSpace(f.Reason) == "":
		return "reason: it is missing"
	case f.Language != lexical.Base(lexical.Language(f.Text+f.Question)):
		return "language: it isn't that of the text"
	}
	switch f.Task {
	case TaskLabel:
		switch {
		case f.Kind != "wrong-category" || f.Stage != atAnnotate:
			return "kind, stage: want wrong-category and annotate for t1"
		case f.Fact == "" || strings.TrimSpace(f.Text) == "":
			return "fact, text: a t1 item has both"
		case f.Question != "" || len(f.To) > 0:
			return "question, to: a t1 item has neither"
		case f.Was.Label == nil || f.Right.Label == nil || *f.Was.Label == *f.Right.Label:
			return "was, right: a failed t1 item has two labels, which differ"
		}
	case TaskWho, TaskTell:
		switch {
		case f.Kind != "should-have-told" && f.Kind != "should-not-have-told":
			return "kind: want should-have-told or should-not-have-told"
		case strings.TrimSpace(f.Question) == "" || len(f.To) == 0:
			return "question, to: they are missing"
		case f.Fact != "" || f.Text != "":
			return "fact, text: a question has neither"
		}
	default:
		return "task: want t1, t2 or t3"
	}
	return ""
}

// plainName reports whether a name can stand in a line.
func plainName(s string) bool {
	return s != "" && len(s) <= maxFeedbackName && strings.TrimSpace(s) == s && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
