package ingest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultGap is the silence that ends a session: six hours, about a night.
const DefaultGap = 6 * time.Hour

// DefaultTopicGap is the silence after which a change of topic ends a session.
const DefaultTopicGap = 2 * time.Hour

// Options is what the user says about a source. The zero value works.
type Options struct {
	Self      string         // the owner's name in the source (--me); compared as privacy.NormalizeName does
	SelfID    string         // the owner's id in the source (--me-id), or several with commas between
	Owner     []string       // names of the owner in general; a sender of one is the owner where Self and SelfID are empty
	Accounts  []Account      // accounts of earlier sources: another one of the same name and format is somebody else
	Known     []OwnerName    // names of the owner that were given for earlier sources, by format
	People    []string       // names of people whom the owner knows; a plain transcript needs no announcement of them
	TZ        *time.Location // zone of times that carry none; nil: such times get no instant
	DateOrder string         // "dmy", "mdy" or "ymd" for dates like 3/4/2024; "" infers it from the file
	Encoding  string         // of texts that carry no mark and aren't UTF-8, a name as the web has it; "" tells it from the text
	Name      string         // original file name, where it differs from path's
	Gap       time.Duration  // silence that ends a session; 0 is DefaultGap
	TopicGap  time.Duration  // silence that ends one where the talk goes on about something else; 0 is DefaultTopicGap, negative never
	Gold      bool           // the caller wants gold facts: anything without them is an error
}

// Account is who speaks under an app's own id, by the name that their turns bear.
type Account struct{ Format, Name, ID string }

// OwnerName is a name or id under which the owner speaks in the sources of a format.
type OwnerName struct{ Format, Name, ID string }

// reader knows one format. Readers are stateless and safe for concurrent use.
type reader interface {
	// name is the Format of what it reads.
	name() string
	// sniff reports, from content alone, whether src is of this format. It
	// reads as little as it can, and an input that it can't read isn't its own.
	sniff(src *source, o Options) bool
	// read hands everything in src to b, or nothing counts: after an error the
	// caller drops b. It keeps no more of src in memory than b does.
	read(ctx context.Context, src *source, o Options, b *builder) error
}

// readers in the order in which they are asked: the most particular first,
// notes last, since any text can be a note.
var readers = []reader{
	scriptReader{}, iMessageDBReader{}, slackReader{}, messengerReader{}, telegramReader{}, discordReader{}, signalReader{}, chatGPTReader{}, claudeReader{},
	locomoReader{}, weChatReader{}, kakaoReader{}, whatsAppReader{}, iMessageReader{}, lineReader{}, emailReader{}, calendarReader{},
	contactsReader{}, plainReader{}, notesReader{},
}

// Read reads the file, zip or folder at path into memory; [Open] does without. The
// format is recognised by content. It returns everything or an error, never a part:
// ErrEmpty, ErrEncoding, ErrTooLong, ErrHostile or ErrFormat, wrapped with the place
// and what to do about it. It checks ctx as it goes.
func Read(ctx context.Context, path string, o Options) (*Export, error) {
	src, r, parts, err := find(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer src.close()
	g := &Reading{src: src, reader: r, parts: parts, opts: o}
	b, err := g.first(ctx, func(*builder) {})
	if err != nil {
		return nil, err
	}
	e := b.export()
	if e.many != nil {
		for i := range e.many.n() {
			e.Conversations = append(e.Conversations, *e.many.get(i))
		}
		err := e.many.fault()
		e.mail.close()
		e.many.close()
		if e.mail, e.many = nil, nil; err != nil {
			return nil, fmt.Errorf("read %s: %w", src.name, err)
		}
	}
	if err := o.gold(src, e.Script); err != nil {
		return nil, err
	}
	return e, nil
}

// find opens a source and recognises it.
func find(ctx context.Context, path string, o Options) (*source, reader, []*source, error) {
	if err := o.check(); err != nil {
		return nil, nil, nil, err
	}
	src, err := openSource(path, o.Name, givenCharset(o.Encoding))
	if err != nil {
		return nil, nil, nil, err
	}
	r, parts, err := recognise(ctx, src, o)
	if err != nil {
		src.close()
		return nil, nil, nil, err
	}
	return src, r, parts, nil
}

// gold refuses a source without gold facts where they were asked for.
func (o Options) gold(src *source, s *Script) error {
	if o.Gold && (s == nil || len(s.Facts) == 0) {
		return fmt.Errorf("read %s: %w: gold facts were asked for, and only a script folder with %s has any", src.name, ErrOptions, factsFile)
	}
	return nil
}

// recognise finds the reader of src and what it is to read: src itself, or the
// texts of a zip or folder that are all in the reader's format.
func recognise(ctx context.Context, src *source, o Options) (reader, []*source, error) {
	for _, r := range readers {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if r.sniff(src, o) {
			return r, []*source{src}, nil
		}
	}
	if !src.whole() && src.shape != nil && src.shape.deep {
		return nil, nil, fmt.Errorf("read %s: %w: no export nests JSON deeper than %d levels", src.name, errTooDeep, shapeDepth)
	}
	if !src.whole() {
		return nil, nil, fmt.Errorf("read %s: %w: no known format; known are %s", src.name, ErrFormat, strings.Join(Formats(), ", "))
	}
	return recogniseParts(ctx, src, o)
}

// Formats returns the names of the formats that Read knows.
func Formats() []string {
	var out []string
	for _, r := range readers {
		if !slices.Contains(out, r.name()) { // some formats have two readers
			out = append(out, r.name())
		}
	}
	return out
}

func (o Options) check() error {
	switch o.DateOrder {
	case "", "dmy", "mdy", "ymd":
	default:
		return fmt.Errorf("date order %q: %w: want dmy, mdy or ymd", o.DateOrder, ErrOptions)
	}
	if !KnownEncoding(o.Encoding) {
		return fmt.Errorf("encoding %q: %w: want a name such as gb18030, big5, shift_jis, euc-kr, windows-1251 or iso-8859-2", o.Encoding, ErrOptions)
	}
	if o.Gap < 0 {
		return fmt.Errorf("session gap %v: %w: want a positive duration", o.Gap, ErrOptions)
	}
	return nil
}

func baseName(path, original string) string {
	if original != "" {
		path = original
	}
	return filepath.Base(filepath.Clean(path))
}
