package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Reading is a source that has been recognised and read through once, so that it
// is known to be sound, who takes part and how many messages there are. It holds
// no message: [Reading.Each] and [Reading.EachSession] read the source again and
// hand over one at a time, in memory that doesn't grow with it.
type Reading struct {
	Export        // Messages is empty
	Chats   int   // conversations
	Count   int   // messages
	Bytes   int64 // of the file; 0 for a folder
	Members int   // texts that were read of a zip or folder, else 1

	src    *source
	reader reader
	parts  []*source
	opts   Options
	far    *numbers
	others map[string]bool // ids with one of the owner's names that aren't the owner
	size   int64
	mod    time.Time
}

// Open recognises and checks the file, zip or folder at path: its errors are those
// of [Read], and nothing of a source that has any is handed over. Close it.
func Open(ctx context.Context, path string, o Options) (*Reading, error) {
	src, r, parts, err := find(ctx, path, o)
	if err != nil {
		return nil, err
	}
	g := &Reading{src: src, reader: r, parts: parts, opts: o, Members: len(parts)}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		g.size, g.mod, g.Bytes = info.Size(), info.ModTime(), info.Size()
	}
	b, err := g.first(ctx, func(b *builder) { b.keep, b.numbers.all = false, false })
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	g.Export, g.Count, g.far = *b.export(), b.count, b.numbers
	if g.Chats = len(g.Conversations); g.many != nil {
		g.Chats = g.many.n()
	}
	if err := o.gold(src, g.Script); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// first reads the source for the first time, and once more where it turns out that
// names make accounts the owner that may be somebody else's.
func (g *Reading) first(ctx context.Context, set func(*builder)) (*builder, error) {
	for {
		b := newBuilder(g.reader.name(), g.src, g.opts)
		b.owner.not = g.others
		set(b)
		if err := g.run(ctx, b); err != nil {
			b.mail.close()
			b.many.close()
			return nil, err
		}
		if others := b.owner.contested(); len(g.others) == 0 && len(others) > 0 {
			g.others = others
			b.mail.close()
			b.many.close()
			continue
		}
		g.src.tellUnread(b)
		for _, text := range b.owner.doubt() {
			b.warn(text)
		}
		if text := g.opts.unfound(&b.owner); text != "" && b.out.Script == nil {
			b.warn(text)
		}
		return b, nil
	}
}

// Close closes the source.
func (g *Reading) Close() error {
	g.mail.close()
	g.many.close()
	g.src.close()
	return nil
}

// run reads every part into b.
func (g *Reading) run(ctx context.Context, b *builder) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b.stop = cancel
	if g.src.in != nil {
		g.src.in.read = 0
	}
	err := func() error {
		parts := g.parts
		if b.mail != nil { // it is known where its mails lie
			parts = nil
		}
		for _, part := range parts {
			if err := part.fill(); err != nil {
				return fmt.Errorf("read %s: %w", g.src.name, err)
			}
			b.file = part.place()
			err := g.reader.read(ctx, part, g.opts, b)
			part.tellCharset(b)
			part.let()
			if err != nil {
				if part.name != g.src.name {
					err = fmt.Errorf("%s: %w", part.name, err)
				}
				return fmt.Errorf("read %s as %s: %w", g.src.name, g.reader.name(), err)
			}
		}
		if b.mail != nil {
			if !b.mail.whole {
				b.mail.dates.tell(b)
			}
			if err := b.mail.write(ctx, b); err != nil {
				return fmt.Errorf("read %s as %s: %w", g.src.name, g.reader.name(), err)
			}
		}
		if err := b.many.fault(); err != nil {
			return fmt.Errorf("read %s: %w", g.src.name, err)
		}
		return nil
	}()
	if b.ended && errors.Is(err, context.Canceled) {
		return nil // whoever listens has heard enough
	}
	return err
}

// Each hands over the messages, in the order of the source, until f returns an
// error, which it returns. The message is f's to keep. A source that has changed
// since Open is an error.
func (g *Reading) Each(ctx context.Context, f func(*Message) error) error {
	if g.size > 0 {
		if info, err := os.Stat(g.src.path); err != nil || info.Size() != g.size || !info.ModTime().Equal(g.mod) {
			return fmt.Errorf("read %s: %w: it has changed while it was read; do it again", g.src.name, ErrFormat)
		}
	}
	b := newBuilder(g.reader.name(), g.src, g.opts)
	b.keep, b.numbers, b.owner.not, b.mail = false, g.far.second(), g.others, g.mail
	b.many, b.again = g.many, g.many != nil
	var failed error
	b.emit = func(m *Message) bool {
		failed = f(m)
		return failed == nil
	}
	if err := g.run(ctx, b); err != nil && failed == nil {
		return err
	}
	if failed == nil && b.count != g.Count {
		return fmt.Errorf("read %s: %w: it has changed while it was read; do it again", g.src.name, ErrFormat)
	}
	g.far.pins = b.numbers.pins
	return failed
}

// EachConversation hands over the conversations in their order, until f returns an
// error, which it returns.
func (g *Reading) EachConversation(f func(*Conversation) error) error {
	for i := range g.Chats {
		if err := f(g.chat(label(i))); err != nil {
			return err
		}
	}
	return g.many.fault()
}

// EachSession hands over the sessions as [Export.Sessions] cuts them, each when it
// has ended, until f returns an error, which it returns.
func (g *Reading) EachSession(ctx context.Context, f func(*memory.Session) error) error {
	c := newCutter(&g.Export, g.far.pins, f)
	if err := g.Each(ctx, c.add); err != nil {
		return err
	}
	return c.end()
}

// Print is what a message of a source is known by in another export, see
// [memory.Turn].
type Print struct {
	Conversation string // Conversation.ID
	Print        string
	Sender       string
	As           string // the name that it was made with
	When         privacy.Stamp
	Timed        bool // it is known when it was said, or by which id
	Runes        int  // of its words
}

// EachPrint hands over the fingerprint of each message, in the order of the source.
func (g *Reading) EachPrint(ctx context.Context, f func(Print) error) error {
	return g.EachPrintAs(ctx, func(_, name string) []string { return []string{name} }, f)
}

// EachPrintAs hands over the fingerprints that each message would have if its sender
// bore each of the names that as gives; none leaves it out.
func (g *Reading) EachPrintAs(ctx context.Context, as func(conversation, name string) []string, f func(Print) error) error {
	names := newTurnIDs()
	return g.Each(ctx, func(m *Message) error {
		for _, name := range as(m.Conversation, m.Sender) {
			p := Print{Conversation: m.Conversation, Sender: m.Sender, As: name, When: m.When, Timed: m.ID != "" || m.given != "", Runes: utf8.RuneCountInString(m.Text)}
			p.Print, _, _ = names.print(m.Conversation, privacy.NormalizeName(name), m)
			if err := f(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// Speakers are the people who speak in it, by conversation and name.
func (e *Export) Speakers() []Speaker {
	if e.speakers == nil {
		return nil
	}
	return e.speakers.list()
}

// WriteJSON writes the object that `import --dry-run --json` prints, one message a
// line.
func (g *Reading) WriteJSON(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriterSize(w, headSize)
	part := func(before string, v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		_, err = out.WriteString(before)
		if err == nil {
			_, err = out.Write(b)
		}
		return err
	}
	err := part(`{"version":1,"format":`, g.Format)
	between := `,"conversations":[`
	err = errors.Join(err, g.EachConversation(func(c *Conversation) error {
		shown := *c
		shown.Participants = list(c.Participants)
		err := part(between, shown)
		between = ","
		return err
	}))
	if g.Chats == 0 {
		_, bad := out.WriteString(between)
		err = errors.Join(err, bad)
	}
	if _, bad := out.WriteString("]"); err != nil || bad != nil {
		return errors.Join(err, bad)
	}
	before := `,"messages":[` + "\n"
	if g.Count == 0 {
		if _, err := out.WriteString(before); err != nil {
			return err
		}
	}
	err = g.Each(ctx, func(m *Message) error {
		err := part(before, m)
		before = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	err = errors.Join(part("\n"+`],"skipped":`, list(g.Skipped)), part(`,"warnings":`, list(g.Warnings)))
	if g.Duplicates > 0 {
		err = errors.Join(err, part(`,"duplicates":`, g.Duplicates))
	}
	if len(g.People) > 0 {
		err = errors.Join(err, part(`,"people":`, g.People))
	}
	_, end := out.WriteString("}\n")
	return errors.Join(err, end, out.Flush())
}
