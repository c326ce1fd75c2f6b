package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ErrNoConversation says that there is no such conversation to go on with.
var ErrNoConversation = errors.New("no such conversation")

// ErrOtherReaders says that a conversation was begun for other people.
var ErrOtherReaders = errors.New("the conversation was begun for other readers")

// ErrSpeaker says that a speaker is none of the readers.
var ErrSpeaker = errors.New("who writes must be one of those who read")

// ErrMessage says that a message can't be taken as it is: too large, empty, or no
// text. The conversation goes on.
var ErrMessage = errors.New("the message can't be taken")

// Conversation is a talk of the delegate with the readers that it was begun for.
// They are bound when it begins: nothing in a message changes who reads. Each
// message goes through the one disclosing graph; what a message leaves out
// ("and when?") is taken from these readers' own earlier messages in it.
//
// Its state is in the store, so it can be resumed by its id. It is safe for
// concurrent use; messages are answered one after the other.
type Conversation struct {
	agent   *Agent
	id      string
	to      []Reader
	owner   bool
	speaker string

	mu      sync.Mutex
	earlier []string // messages so far, oldest first
}

// ConversationOptions say how a conversation begins. The zero value begins a new
// one.
type ConversationOptions struct {
	Resume string // the id of one that is to go on, or "last": the last one with these readers
	// Speaker is which of several readers writes the messages, by the channel's
	// word; "" is the only reader, and of several nobody: what nobody in particular
	// says is kept and no fact is made of it.
	Speaker string
}

// Converse begins or resumes a conversation for these readers. A resumed one must
// have been begun for the same: ErrOtherReaders. ErrSpeaker where the speaker is none
// of them.
func (a *Agent) Converse(ctx context.Context, to []Reader, o ConversationOptions) (*Conversation, error) {
	if len(to) == 0 {
		return nil, fmt.Errorf("readers: %w; nothing may be told to nobody", ErrEmpty)
	}
	c := &Conversation{agent: a, to: slices.Clone(to), speaker: o.Speaker}
	var names []string
	for _, r := range to {
		if r.Recipient.IsOwner() {
			return nil, fmt.Errorf("readers: %w: the owner's own view is another conversation", ErrOtherReaders)
		}
		names = append(names, r.Name)
	}
	switch {
	case o.Speaker != "" && !slices.Contains(names, o.Speaker):
		return nil, fmt.Errorf("%w: %q; name one of %s", ErrSpeaker, o.Speaker, strings.Join(names, ", "))
	case o.Speaker == "" && len(names) == 1:
		c.speaker = names[0]
	}
	if o.Resume == "" {
		c.id = strings.ToLower(rand.Text()[:10])
		return c, a.store.BeginTalk(ctx, memory.Talk{ID: c.id, To: names, Started: a.opts.Now()})
	}
	return c, c.resume(ctx, o.Resume, names)
}

// resume reads back where a conversation stands.
func (c *Conversation) resume(ctx context.Context, id string, names []string) error {
	find := c.agent.store.Talk
	if id == "last" {
		find = func(ctx context.Context, _ string) (memory.Talk, error) { return c.agent.store.LastTalk(ctx, names) }
	}
	talk, err := find(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w: %q", ErrNoConversation, id)
	}
	if err != nil {
		return err
	}
	if !slices.Equal(talk.To, names) {
		return fmt.Errorf("%w: %s", ErrOtherReaders, talk.ID)
	}
	c.id = talk.ID
	entries, err := c.agent.store.Ledger(ctx, memory.LedgerFilter{})
	for _, e := range entries {
		if slices.Contains(talk.Entries, e.ID) && e.Question != "" {
			c.earlier = append(c.earlier, e.Question)
		}
	}
	return err
}

// ConverseAsOwner begins the owner's own view: every fact may be shown, cover
// stories are marked as such, nothing is recorded or remembered, and it is not
// resumed. It is for a channel that is the owner's.
func (a *Agent) ConverseAsOwner(ctx context.Context) (*Conversation, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	return &Conversation{
		agent: a, owner: true,
		to: []Reader{{Recipient: privacy.OwnerPrincipal(), Name: w.policy.Owner().Name}},
	}, nil
}

// ID names the conversation, to resume it by; "" for the owner's own view.
func (c *Conversation) ID() string { return c.id }

// Say answers one message. The permitted set is in the ledger and the guard has
// passed the whole answer before emit gets its first piece; the pieces are
// sentences, and together they are the answer. With a nil emit it leaves when Say
// returns. Where nothing may be told at all that is the deflection, see
// DiscloseRequest.Listener. What emit refuses ends the answer there: the ledger then keeps what has
// left. Afterwards the message is remembered as its speaker's untrusted words.
func (c *Conversation) Say(ctx context.Context, message string, emit func(piece string) error) (*Disclosure, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := checkStatement(message); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	a := c.agent
	t := &turn{
		request: DiscloseRequest{Question: message, To: c.to, Preview: c.owner, Listener: !c.owner},
		owner:   c.owner, talk: c, earlier: c.earlier,
	}
	d, err := a.run(ctx, t)
	if err != nil {
		return nil, err
	}
	// From here on the exchange is a fact of its own: it is noted whole, also when
	// the caller gives up meanwhile.
	kept := context.WithoutCancel(ctx)
	if !c.owner && d.Ledger == 0 {
		_, err := send(ctx, d.Answer, emit) // the ledger can't be written: nothing is kept of it
		return d, err
	}
	if !c.owner {
		if err := a.store.AddExchange(kept, c.id, d.Ledger); err != nil {
			return nil, errors.Join(ErrNotRecorded, err)
		}
	}
	left, err := send(ctx, d.Answer, emit)
	c.earlier = append(c.earlier, message)
	if c.owner {
		return d, err
	}
	told := d.FactsTold
	if left == "" {
		told = nil
	}
	if finishErr := a.store.Finish(kept, d.Ledger, left, told); finishErr != nil {
		return d, errors.Join(err, finishErr)
	}
	return d, errors.Join(err, a.rememberMessage(kept, c, message, len(c.earlier)))
}

// send hands out an answer piece by piece and returns what has left.
func send(ctx context.Context, answer string, emit func(string) error) (left string, err error) {
	if emit == nil {
		return answer, nil
	}
	for _, piece := range pieces(answer) {
		if err := ctx.Err(); err != nil {
			return left, err
		}
		if err := emit(piece); err != nil {
			return left, fmt.Errorf("send the answer: %w", err)
		}
		left += piece
	}
	return left, nil
}

// pieces cuts an answer behind its lines and sentences; joined they are the answer.
func pieces(answer string) []string {
	var out []string
	from := 0
	runes := []rune(answer)
	for i, r := range runes {
		last := i+1 == len(runes)
		blank := !last && (runes[i+1] == ' ' || runes[i+1] == '\n')
		ends := r == '\n' || strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && blank
		if ends || last {
			out = append(out, string(runes[from:i+1]))
			from = i + 1
		}
	}
	return out
}
