package ingest

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// mailChunk is how many bytes of mail are read ahead in the order of time: mails
// lie anywhere in a mailbox, and one read at a time would go back and forth.
const mailChunk = 1 << 20

// mailThreads gathers what is known of the mails of an import: where each lies,
// when it was sent and what it answers. A hundred bytes a mail; their words are
// read when their turn has come.
type mailThreads struct {
	o     Options
	list  []mailRef
	seed  maphash.Seed
	up    map[uint64]uint64 // union-find over Message-IDs, towards the oldest
	roots map[uint64]string // Message-IDs that may be the oldest of a thread
	names map[string]mailName
	seen  map[uint64]struct{}
	last  int64
	dates oddDates
	prune int // how many roots there are before those that aren't any more go
}

// mailRef is where a mail lies.
type mailRef struct {
	part        *source
	start, size int64
	line        int32
	number      int32
	at          int64  // seconds since 1970; of the mail before it where unknown
	id          uint64 // what it is known by
}

// mailName is the name that somebody gave an address, and when. What people call
// themselves goes before what others call them.
type mailName struct {
	name string
	at   int64
	own  bool
}

func newMailThreads(o Options) *mailThreads {
	return &mailThreads{o: o, seed: maphash.MakeSeed(), up: map[uint64]uint64{}, roots: map[uint64]string{}, names: map[string]mailName{}, seen: map[uint64]struct{}{}, prune: 1 << 12}
}

func (t *mailThreads) hash(id string) uint64 { return maphash.String(t.seed, id) }

// own is what a mail is known by: its Message-ID, else who sent it when.
func (in *mailMessage) own() string {
	if in.m.ID != "" {
		return in.m.ID
	}
	return "unnamed-" + digest(in.from.address, in.m.given, in.subject)
}

// add takes in a mail by its header; false for one that is there already.
func (t *mailThreads) add(ref mailRef, in *mailMessage) bool {
	own := in.own()
	ref.id = t.hash(own)
	if in.m.ID != "" {
		if _, twice := t.seen[ref.id]; twice {
			return false
		}
		t.seen[ref.id] = struct{}{}
	}
	ref.at = t.last
	if at, err := time.Parse(wallLayout, in.m.When.Local); !in.m.When.Instant.IsZero() {
		ref.at = in.m.When.Instant.Unix()
		t.last = ref.at
	} else if err == nil {
		ref.at = at.Unix() // as near as is known
		t.last = ref.at
	}
	for i, p := range append([]mailPerson{in.from}, in.to...) {
		if p.name == "" {
			continue
		}
		have, ok := t.names[p.address]
		if own := i == 0; !ok || own && !have.own || own == have.own && ref.at < have.at {
			t.names[strings.Clone(p.address)] = mailName{strings.Clone(p.name), ref.at, own}
		}
	}
	// The nearest parent comes first, the oldest last. A thread is known by the oldest
	// Message-ID that any of its mails refers to, so that it stays the same when more
	// of the thread turns up.
	oldest := own
	child := ref.id
	for _, id := range in.parents {
		oldest = id
		parent := t.hash(id)
		if c, p := t.find(child), t.find(parent); c != p {
			t.up[c] = p
		}
		child = parent
	}
	if key := t.hash(oldest); t.roots[key] == "" {
		t.roots[key] = strings.Clone(oldest)
	}
	if len(t.roots) > t.prune {
		for key := range t.roots {
			if t.find(key) != key {
				delete(t.roots, key)
			}
		}
		t.prune = max(2*len(t.roots), 1<<12)
	}
	t.list = append(t.list, ref)
	return true
}

func (t *mailThreads) find(id uint64) uint64 {
	for {
		parent, ok := t.up[id]
		if !ok || parent == id {
			return id
		}
		if grand, ok := t.up[parent]; ok {
			t.up[id] = grand
		}
		id = parent
	}
}

// thread is the Message-ID that the thread of a mail is known by.
func (t *mailThreads) thread(ref *mailRef, in *mailMessage) string {
	root := t.find(ref.id)
	if id, ok := t.roots[root]; ok {
		return id
	}
	for _, id := range append([]string{in.own()}, in.parents...) {
		if t.hash(id) == root {
			return id
		}
	}
	return in.own()
}

func (t *mailThreads) shown(p mailPerson) string {
	if n, ok := t.names[p.address]; ok {
		return n.name
	}
	return p.address
}

// write puts mails into conversations by thread, in the order of time.
func (t *mailThreads) write(ctx context.Context, b *builder) error {
	slices.SortStableFunc(t.list, func(x, y mailRef) int { return cmp.Compare(x.at, y.at) })
	labels := map[uint64]string{}
	for from := 0; from < len(t.list); {
		to, size := from, int64(0)
		for to < len(t.list) && (to == from || size+t.list[to].size <= mailChunk) {
			size += t.list[to].size
			to++
		}
		chunk := t.list[from:to]
		mails, err := t.load(ctx, b, chunk)
		if err != nil {
			return err
		}
		for i := range chunk {
			if in := mails[i]; in != nil {
				t.message(b, &chunk[i], in, labels)
			}
		}
		if b.ended {
			return nil
		}
		from = to
	}
	return nil
}

func (t *mailThreads) message(b *builder, ref *mailRef, in *mailMessage, labels map[uint64]string) {
	key := t.find(ref.id)
	label, ok := labels[key]
	if !ok {
		c := Conversation{SourceID: strings.Clone(t.thread(ref, in))}
		if title := strings.Clone(in.subject); title != "" { // not a part of the mail, which would stay
			c.Title = &title
		}
		label = b.conversation(c)
		labels[key] = label
	}
	m := in.m
	m.Conversation, m.Sender, m.SenderID = label, t.shown(in.from), in.from.address
	m.audience = []string{m.Sender}
	if !m.Bot {
		b.member(label, m.Sender, m.SenderID)
	}
	for _, p := range in.to {
		m.Recipients = append(m.Recipients, p.address)
		b.member(label, t.shown(p), p.address)
		if name := t.shown(p); !slices.Contains(m.audience, name) {
			m.audience = append(m.audience, name)
		}
	}
	slices.Sort(m.audience)
	if len(in.parents) > 0 {
		if m.ReplyTo = b.numbers.get(label, in.parents[0]); m.ReplyTo == 0 {
			m.ReplyToMissing = in.parents[0]
		}
	}
	n := b.message(m)
	if m.ID != "" {
		b.numbers.set(label, m.ID, n)
	}
}

// load reads the mails of a chunk; one that can't be read is reported and nil.
func (t *mailThreads) load(ctx context.Context, b *builder, chunk []mailRef) ([]*mailMessage, error) {
	out := make([]*mailMessage, len(chunk))
	order := make([]int, len(chunk)) // by where they lie
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(chunk[x].number, chunk[y].number) })
	var at *mailFile
	defer func() { at.close() }()
	for _, i := range order {
		ref := &chunk[i]
		if at == nil || at.part != ref.part {
			at.close()
			at = &mailFile{part: ref.part}
		}
		box, err := at.at(ctx, ref)
		var in *mailMessage
		if err == nil {
			in, err = readMail(box, t.o)
		}
		switch {
		case isBound(err):
			return nil, fmt.Errorf("line %d: %w", ref.line, err)
		case err != nil:
			b.file = ref.part.place()
			b.skip(int(ref.line), "a mail that can't be read: "+mailFault(err))
		default:
			out[i] = in
		}
	}
	return out, nil
}

// mailFile reads mails of one part at their places: by seeking in a file; in an
// archive by reading on, and from the start again for what lies before.
type mailFile struct {
	part *source
	file *os.File
	bom  int64
	body io.ReadCloser
	pos  int64
}

func (f *mailFile) close() {
	if f == nil {
		return
	}
	if f.file != nil {
		_ = f.file.Close()
	}
	if f.body != nil {
		_ = f.body.Close()
	}
}

// at returns the mailbox at a mail.
func (f *mailFile) at(ctx context.Context, ref *mailRef) (*mbox, error) {
	r, err := f.reader(ref)
	if err != nil {
		return nil, err
	}
	box := newMbox(ctx, r, !f.part.mailbox)
	box.begun = true
	return box, nil
}

func (f *mailFile) reader(ref *mailRef) (io.Reader, error) {
	path, ok := f.part.filePath()
	if ok {
		if f.file == nil {
			file, err := os.Open(path)
			if err != nil {
				return nil, unpath(err)
			}
			f.file = file
			head := make([]byte, 3)
			if n, _ := io.ReadFull(file, head); n == 3 && string(head) == "\xef\xbb\xbf" {
				f.bom = 3
			}
		}
		return io.NewSectionReader(f.file, f.bom+ref.start, ref.size), nil
	}
	if f.body == nil || f.pos > ref.start {
		if f.body != nil {
			_ = f.body.Close()
		}
		body, err := f.part.open()
		if err != nil {
			return nil, err
		}
		f.body, f.pos = body, 0
	}
	if _, err := io.CopyN(io.Discard, f.body, ref.start-f.pos); err != nil {
		return nil, err
	}
	f.pos = ref.start
	return &placed{f: f, left: ref.size}, nil
}

// placed reads one mail of an archive and keeps account of the place.
type placed struct {
	f    *mailFile
	left int64
}

func (p *placed) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, io.EOF
	}
	n, err := p.f.body.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	p.f.pos += int64(n)
	return n, err
}
