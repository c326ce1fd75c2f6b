package agent

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// MaxStatement is the largest text that Remember takes, in bytes. Longer texts are
// files: import them.
const MaxStatement = 256 << 10

// RememberRequest is one statement to remember.
type RememberRequest struct {
	Text string
	// From is who said it; "" is the owner. What anybody else says is untrusted.
	// A server sets it from the connection, never from an argument.
	From  string
	To    []string // who heard it; nil: nobody
	About string   // whom it is about, where the text doesn't say; "" the speaker
	Time  privacy.Stamp
	// PassedOn: somebody else passes the words on as the owner's, such as an assistant
	// that may have read a stranger's text. They are remembered as the owner's; what
	// they permit to anybody beyond the policy's categories is left out and comes back
	// in Grants, for the owner to agree to (ChangeGrant).
	PassedOn bool
}

// Remembered is what a statement became.
type Remembered struct {
	Session string           `json:"session"`
	Facts   []RememberedFact `json:"facts"`
	New     bool             `json:"new"` // false: the very same statement was there
	// Degraded are the stages that ran offline although a model was to run them.
	Degraded []string     `json:"degraded,omitempty"`
	Grants   []Permission `json:"-"` // see RememberRequest.PassedOn
}

// RememberedFact is one fact of a statement.
type RememberedFact struct {
	ID         privacy.FactID       `json:"id"`
	Text       string               `json:"text"`
	Label      privacy.Label        `json:"label"`
	Categories []privacy.CategoryID `json:"categories"`
	Review     string               `json:"review,omitempty"` // why the owner should look at it
}

// Remember stores one statement durably and learns facts from it. A statement that
// the extractor makes nothing of is kept as one fact as it stands.
func (a *Agent) Remember(ctx context.Context, req RememberRequest) (out *Remembered, err error) {
	err = again(func() error {
		out, err = a.remember(ctx, req)
		return err
	})
	return out, err
}

// again does what it is given anew where what evolution has in force changed meanwhile: a
// fact is never stored with the marks of another set.
func again(do func() error) error {
	err := do()
	for range 3 {
		if !errors.Is(err, memory.ErrMoved) {
			return err
		}
		err = do()
	}
	return err
}

func (a *Agent) remember(ctx context.Context, req RememberRequest) (*Remembered, error) {
	if err := checkStatement(req.Text); err != nil {
		return nil, err
	}
	l, err := a.newLearner(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{req.From, req.About}, req.To...) {
		// A name that only looks like somebody's would be another person's for good.
		if _, err := l.policy.Lookup(name); errors.Is(err, privacy.ErrConfusable) {
			return nil, err
		}
	}
	l.about = req.About
	s := l.statement(req, a.opts.Now())
	whole := func() []privacy.Record { return []privacy.Record{l.asItStands(req, s)} }
	ran := &notes{}
	got, err := l.session(engine.WithNotes(ctx, ran.add), s, nil, whole)
	if err != nil {
		return nil, err
	}
	for i := range got.facts {
		if req.About != "" {
			got.facts[i].Subject = req.About
		}
	}
	var grants []Permission
	if req.PassedOn {
		grants = withholdGrants(got)
	}
	applied, err := a.store.Apply(ctx, memory.Batch{
		Sessions: []memory.Session{*s}, Layers: []memory.Layers{got.layers}, Facts: got.facts, EventRules: got.rules,
		InForce: l.taught.version,
	})
	if err != nil {
		return nil, err
	}
	a.settleHost(ctx)
	out := &Remembered{Session: s.ID, Facts: []RememberedFact{}, New: applied.Turns > 0, Degraded: ran.degraded(), Grants: grants}
	stored, err := a.storedOf(ctx, got.facts)
	if err != nil {
		return nil, err
	}
	w := newWorld(l.policy, stored, nil, l.now) // a label depends on the fact alone
	for i := range stored {
		mark, _ := w.mark(stored[i].ID)
		why := ""
		if open := openQuestions(&stored[i].Record, l.policy.Settings()); len(open) > 0 {
			why = open[0].Value
		}
		out.Facts = append(out.Facts, RememberedFact{
			ID: stored[i].ID, Text: stored[i].Text, Label: w.label(stored[i].ID),
			Categories: append([]privacy.CategoryID{}, mark.Categories...), Review: why,
		})
	}
	return out, nil
}

// withholdGrants takes out of the facts what the words permit to somebody: whitelists
// that were spoken, and that somebody heard it. That they heard it stays known, since
// it also keeps things from people: the truth behind a cover story, the other parts
// of a combination.
func withholdGrants(got *learned) []Permission {
	var out []Permission
	for i := range got.facts {
		f := &got.facts[i]
		var kept []privacy.Mark
		for _, m := range f.Marks {
			switch {
			case m.Kind == privacy.MarkWhitelist:
				out = append(out, Permission{Fact: f.ID, Mark: m})
				continue
			case m.Kind == privacy.MarkToldTo && f.Value(privacy.MarkTruth) != privacy.Cover.String():
				out = append(out, Permission{Fact: f.ID, Mark: m})
				m.Rule = privacy.RulePassedOn
			}
			kept = append(kept, m)
		}
		f.Marks = kept
	}
	return out
}

// storedOf returns the facts as they are stored; one that was forgotten before is
// not brought back by saying it again, and is left out.
func (a *Agent) storedOf(ctx context.Context, facts []memory.Fact) ([]memory.Fact, error) {
	var out []memory.Fact
	for i := range facts {
		fact, err := a.store.Fact(ctx, facts[i].ID)
		switch {
		case errors.Is(err, memory.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			out = append(out, *fact)
		}
	}
	return out, nil
}

// checkStatement refuses what can't be stored whole.
func checkStatement(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("statement: %w", ErrEmpty)
	case len(text) > MaxStatement:
		return fmt.Errorf("%w: %d bytes, and the limit is %d; put it in a file and import that", ErrTooLarge, len(text), MaxStatement)
	case !utf8.ValidString(text):
		return fmt.Errorf("statement: not valid UTF-8 at byte %d; convert it to UTF-8 first", invalidAt(text))
	case strings.ContainsRune(text, 0):
		return fmt.Errorf("statement: a NUL character at byte %d; remove it first", strings.IndexByte(text, 0))
	}
	return nil
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return len(s)
}

// statement makes the one-turn session of a statement.
func (l *learner) statement(req RememberRequest, now time.Time) *memory.Session {
	when := req.Time
	if when.IsZero() {
		when = privacy.At(now)
	}
	speaker, self := req.From, false
	if speaker == "" {
		speaker, self = l.policy.Owner().Name, true
	}
	id := shortHash("remember", speaker, strings.Join(req.To, "\x00"), stampKey(when), req.Text)
	participants := append([]string{speaker}, req.To...)
	return &memory.Session{
		ID: "r" + id, Conversation: "remember", Channel: "remember",
		Group: len(participants) > 2, Participants: participants, Start: when,
		Source: memory.Source{Name: "remember", Format: "remember"},
		Turns: []memory.Turn{{
			ID: "r" + id + "-1", Speaker: speaker, Self: self, Kind: memory.Message, Text: req.Text, When: when,
		}},
	}
}

// asItStands is the draft of a statement that the extractor made nothing of.
func (l *learner) asItStands(req RememberRequest, s *memory.Session) privacy.Record {
	t := &s.Turns[0]
	subject := t.Speaker
	if t.Self {
		subject = l.owner
	}
	return privacy.Record{
		ID: privacy.FactID("f" + shortHash("fact", t.ID)), Text: strings.TrimSpace(req.Text),
		Language: lexical.Language(req.Text), Speaker: t.Speaker, OwnerSaid: t.Self, Subject: subject,
		Listeners: s.Listeners(t), SaidAt: t.When, Session: s.ID, Evidence: []string{t.ID},
	}
}

func stampKey(s privacy.Stamp) string {
	if !s.Instant.IsZero() {
		return s.Instant.UTC().Format(time.RFC3339Nano)
	}
	return s.Local
}

// shortHash names something by its parts: 50 bits, enough for a person's life, and
// short enough to type. Parts are length-prefixed, so no two lists join alike.
func shortHash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:10])
}

// firstPerson reports whether a text speaks as its speaker does ("I", "our", 我): as
// a fact about somebody it would be a quotation.
func firstPerson(text string) bool {
	if strings.ContainsAny(text, "我咱俺") {
		return true
	}
	return slices.ContainsFunc(lexical.Words(text), func(w string) bool {
		w, _, _ = strings.Cut(w, "'")
		return slices.Contains(firstPersonWords, w)
	})
}

var firstPersonWords = strings.Fields("i me my mine myself we us our ours ourselves ich mir mich mein meine meinen meiner wir uns unser unsere")
