package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// internalText is all that a client learns of an error that has no public text.
const internalText = "internal error, see the server's log"

// publicError is an error whose text was written for the client: it holds nothing
// but names of arguments, limits and remedies.
type publicError struct {
	text string
}

func (e *publicError) Error() string { return e.text }

func publicf(format string, args ...any) error {
	return &publicError{text: fmt.Sprintf(format, args...)}
}

// borderText is the public text of an error.
type borderText struct {
	is   error
	text string
}

// ownerTexts are the public texts for the owner, tried in order.
var ownerTexts = []borderText{
	{agent.ErrNoPolicy, "the home folder has no policy.yaml, so nobody may be told anything; run `epagent init` to write one"},
	{agent.ErrPolicyBroken, "policy.yaml has a mistake, so nothing is disclosed until it is mended; run `epagent policy check` to see where"},
	{agent.ErrNotRecorded, "the answer could not be recorded in the ledger, so it was not given; check that the home folder can be written and try again"},
	{agent.ErrUnknownFact, "no fact has one of these ids; recall lists ids"},
	{agent.ErrUnknownPerson, "a name is not in the policy; add the person to policy.yaml first"},
	{agent.ErrUnknownCategory, "a category is not in the policy; add it to policy.yaml first"},
	{agent.ErrTooLarge, fmt.Sprintf("the text is too large, the limit is %d bytes; put it in a file and import that", agent.MaxStatement)},
	{agent.ErrEmpty, "a text is blank; say something in it"},
	{agent.ErrUnknownSession, "no session has this id; recall names the session of a fact"},
	{agent.ErrDecision, "the decision contradicts itself, or is none that a review takes; give categories, label, allow, deny, confirm, close, or not_a_fact alone"},
	{agent.ErrUnknownEntry, "the ledger has no such entry; the tool ledger lists their numbers"},
	{agent.ErrZone, "no such time zone; give an IANA name such as Europe/Berlin"},
	{agent.ErrMoment, "want a day, a time, a version of the policy, or VERSION@REVISION, not in the future"},
	{agent.ErrChanged, "what the change would do has changed meanwhile; nothing was done, ask again"},
	{evolve.ErrUnknown, "no supplement has this id; review with action waiting lists what can be approved"},
	{evolve.ErrNotProposed, "this supplement doesn't wait for the owner; review with action waiting lists what does"},
	{agent.ErrNotProposed, "this supplement doesn't wait for the owner any more"},
	{evolve.ErrUnfit, "this supplement can't be put in force: it holds what none may; `epagent evolve approve` says what"},
	{agent.ErrTooManyLearned, "its stage holds no more supplements; the owner takes one out by `epagent evolve revert` first"},
	{agent.ErrConsent, "this needs the owner's consent; nothing was done"},
	{memory.ErrInvalid, "what was given is out of range, or contradicts itself"},
	{memory.ErrTooMany, "too many changes wait for the owner already; the owner decides on them by `epagent review`"},
	{memory.ErrNotFound, "nothing has this id or version"},
	{memory.ErrAmbiguous, "more than one thing has this id or version; give more of it"},
	{ingest.ErrEmpty, "there is nothing in the file"},
	{ingest.ErrEncoding, "the file is not UTF-8 text; convert it first"},
	{ingest.ErrTooLong, "a line of the file is too long"},
	{ingest.ErrHostile, "the file is refused: it is built like one that is meant to do harm"},
	{ingest.ErrOptions, "the options don't fit the file; `epagent import --help` explains them"},
	{ingest.ErrFormat, "the file is in no format that epagent reads, or is damaged"},
	{agent.ErrWidens, "this would let somebody learn more; the owner must agree to it on the command line"},
	{privacy.ErrEmptyName, "a name is blank; give one with letters"},
	{memory.ErrBusy, "another process is writing to the store; try again"},
	{memory.ErrReadOnly, "the store can't be written; make the home folder writable"},
	{memory.ErrFull, "the disk is full and nothing was stored; free some space"},
	{memory.ErrDamaged, "the store is damaged; restore it from a backup"},
	{memory.ErrNotStore, "the store's file is no epagent database; choose another home folder"},
	{memory.ErrNewer, "the store was written by a newer release; update epagent"},
	{memory.ErrOlder, "the store is of an older release and can't be migrated; make the home folder writable"},
	{memory.ErrHostMismatch, "the memory is laid out for another native host; run `epagent reindex`"},
	{memory.ErrModelMismatch, "the search index is of another embedding model; run `epagent reindex`"},
	{context.Canceled, "the call was cancelled"},
	{context.DeadlineExceeded, "the call took too long and was given up; try again"},
}

// publicText returns what the owner's client may read of err. Without a text of its
// own an error is internal, and the second result is false: then it must be logged.
func publicText(err error) (string, bool) {
	var public *publicError
	if errors.As(err, &public) {
		return public.text, true
	}
	var confusable *privacy.ConfusableError
	if errors.As(err, &confusable) {
		return fmt.Sprintf("%+q is nobody's name and looks like %q: use the name as the policy has it, or let the owner add an alias",
			clip(confusable.Name, 200), confusable.Candidate), true
	}
	// Of the policy, places and remedies are the owner's to read; facts are not in it.
	var broken *privacy.PolicyError
	if errors.As(err, &broken) && !errors.Is(err, agent.ErrPolicyBroken) {
		return "the policy has a mistake: " + problemText(broken.Problems), true
	}
	var refused *privacy.EditError
	if errors.As(err, &refused) {
		return "the policy can't be edited like that: " + oneLine(clip(refused.Error(), 500)), true
	}
	// What is wanted of feedback names kinds, ids and categories.
	var feedback *agent.FeedbackError
	if errors.As(err, &feedback) {
		return "this feedback can't be taken: " + oneLine(clip(feedback.Wants, 1000)), true
	}
	var ambiguous *privacy.AmbiguousError
	if errors.As(err, &ambiguous) {
		return oneLine(clip(ambiguous.Error(), 500)), true
	}
	return look(ownerTexts, err, internalText)
}

// problemText tells the first mistakes of a policy.
func problemText(problems []privacy.Problem) string {
	const shown = 5
	var lines []string
	for i, p := range problems {
		if i == shown {
			lines = append(lines, fmt.Sprintf("and %d more", len(problems)-shown))
			break
		}
		lines = append(lines, oneLine(clip(p.String(), 300)))
	}
	return strings.Join(lines, "; ")
}

// recipientText is publicText for a recipient's client. It names nobody.
func recipientText(err error) (string, bool) {
	var public *publicError
	if errors.As(err, &public) {
		return public.text, true
	}
	return look(recipientTexts, err, recipientInternalText)
}

func look(texts []borderText, err error, otherwise string) (string, bool) {
	for _, entry := range texts {
		if errors.Is(err, entry.is) {
			return entry.text, true
		}
	}
	return otherwise, false
}

// border returns what the principal of the server may read of err, see publicText.
func (s *Server) border(err error) (string, bool) {
	if s.principal.IsOwner() {
		return publicText(err)
	}
	return recipientText(err)
}

// errorKinds lists the Go types that err is made of, outermost first. Types hold no
// content.
func errorKinds(err error) string {
	var kinds []string
	var walk func(error)
	walk = func(err error) {
		if err == nil || len(kinds) >= 16 {
			return
		}
		kinds = append(kinds, fmt.Sprintf("%T", err))
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, inner := range e.Unwrap() {
				walk(inner)
			}
		}
	}
	walk(err)
	return strings.Join(kinds, " ")
}
