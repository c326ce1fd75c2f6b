package ingest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"
)

// mailChunk is how many bytes of mail are read ahead in the order of time: mails
// lie anywhere in a mailbox, and one read at a time would go back and forth.
const mailChunk = 1 << 20

// mailThreads gathers what is known of the mails of an import: where each lies, when
// it was sent, what it answers and who is in its thread. Of that a few MB are held in
// memory, however many mails there are, see spill; besides, people are. Words are read
// when their turn has come.
type mailThreads struct {
	o     Options
	seed  maphash.Seed
	parts []*source
	refs  *spill    // mailRef, in the order of the mailbox, then in that of time
	ids   *table    // Message-IDs: mailID
	texts textSpill // Message-IDs by which threads are known, and their subjects
	names map[string]mailName
	last  int64
	timed bool // refs came in the order of time
	dates oddDates
	whole bool // write has been through
}

// mailRef is where a mail lies.
type mailRef struct {
	part        *source
	start, size int64
	line        int
	number      int
	at          int64 // seconds since 1970; of the mail before it where unknown
	id          int   // number of what it is known by, in ids
}

const refBytes = 40

func (t *mailThreads) ref(i int) mailRef {
	r, le := t.refs.at(i, false), binary.LittleEndian
	return mailRef{
		at: int64(le.Uint64(r)), start: int64(le.Uint64(r[8:])), size: int64(le.Uint64(r[16:])), number: int(le.Uint32(r[24:])),
		line: int(le.Uint32(r[28:])), id: int(le.Uint32(r[32:])), part: t.parts[min(int(le.Uint32(r[36:])), len(t.parts)-1)],
	}
}

// keep appends ref, of the last part.
func (t *mailThreads) keep(ref mailRef) {
	r, le := t.refs.at(t.refs.add(), true), binary.LittleEndian
	le.PutUint64(r, uint64(ref.at))
	le.PutUint64(r[8:], uint64(ref.start))
	le.PutUint64(r[16:], uint64(ref.size))
	le.PutUint32(r[24:], uint32(ref.number))
	le.PutUint32(r[28:], uint32(ref.line))
	le.PutUint32(r[32:], uint32(ref.id))
	le.PutUint32(r[36:], uint32(len(t.parts)-1))
}

// byTime compares two stored mailRefs.
func byTime(a, b []byte) int {
	return cmp.Compare(int64(binary.LittleEndian.Uint64(a)), int64(binary.LittleEndian.Uint64(b)))
}

// A Message-ID in ids: its hash; where the id itself stands in texts, if it may be the
// oldest of a thread; the id that it belongs to, towards the oldest (union-find); the
// conversation of that; the number of its message; and whether a mail has it. All
// numbers but the hash are one more than they say, 0 nothing.
const (
	idText    = keyBytes
	idUp      = idText + 8
	idChat    = idUp + 4
	idMessage = idChat + 4
	idSeen    = idMessage + 4
	idBytes   = idSeen + 4
)

func (t *mailThreads) get(id, field int) int {
	return int(binary.LittleEndian.Uint32(t.ids.records.at(id, false)[field:])) - 1
}

func (t *mailThreads) set(id, field, to int) {
	binary.LittleEndian.PutUint32(t.ids.records.at(id, true)[field:], uint32(to+1))
}

// mailName is the name that somebody gave an address, and when. What people call
// themselves goes before what others call them.
type mailName struct {
	name string
	at   int64
	own  bool
}

// Pages of the parts of an import that are held in memory.
const (
	fewPages  = 16
	manyPages = 128
)

func newMailThreads(o Options) *mailThreads {
	return &mailThreads{
		o: o, seed: maphash.MakeSeed(), refs: newSpill(refBytes, fewPages), ids: newTable(idBytes, manyPages), texts: newTextSpill(fewPages),
		names: map[string]mailName{}, timed: true,
	}
}

func (t *mailThreads) close() {
	if t == nil {
		return
	}
	t.refs.close()
	t.ids.close()
	t.texts.bytes.close()
}

// fault is why something that was put into a temporary file can't be had, nil for none.
func (t *mailThreads) fault() error {
	return cmp.Or(t.refs.fault, t.ids.fault(), t.texts.bytes.fault)
}

func (t *mailThreads) hash(id string) uint64 { return maphash.String(t.seed, id) }

// own is what a mail is known by: its Message-ID, else who sent it when.
func (in *mailMessage) own() string {
	if in.m.ID != "" {
		return in.m.ID
	}
	return "unnamed-" + digest(in.from.address, in.m.given, in.subject)
}

// add takes in a mail of the last part by its header; false for one that is there
// already.
func (t *mailThreads) add(ref mailRef, in *mailMessage) bool {
	own := in.own()
	ref.id, _ = t.ids.add(t.hash(own))
	if in.m.ID != "" {
		if t.get(ref.id, idSeen) >= 0 {
			return false
		}
		t.set(ref.id, idSeen, 0)
	}
	ref.at = t.last
	if !in.m.When.Instant.IsZero() {
		ref.at = in.m.When.Instant.Unix()
	} else if at, ok := wallClock(in.m.When.Local); ok {
		ref.at = at.Unix() // as near as is known
	}
	t.timed = t.timed && (t.refs.n == 0 || ref.at >= t.last)
	t.last = ref.at
	for i, p := range append([]mailPerson{in.from}, in.to...) {
		if p.name == "" {
			continue
		}
		have, ok := t.names[p.address]
		if own := i == 0; !ok || own && !have.own || own == have.own && ref.at < have.at {
			if have.name != p.name {
				have.name = strings.Clone(p.name)
			}
			t.names[strings.Clone(p.address)] = mailName{have.name, ref.at, own}
		}
	}
	// The nearest parent comes first, the oldest last. A thread is known by the oldest
	// Message-ID that any of its mails refers to, so that it stays the same when more
	// of the thread turns up.
	oldest, child := own, ref.id
	top := child
	for _, id := range in.parents {
		oldest = id
		parent, _ := t.ids.add(t.hash(id))
		if c, p := t.find(child), t.find(parent); c != p {
			t.set(c, idUp, p)
		}
		child, top = parent, parent
	}
	if binary.LittleEndian.Uint64(t.ids.records.at(top, false)[idText:]) == 0 {
		at := t.texts.add(oldest)
		binary.LittleEndian.PutUint64(t.ids.records.at(top, true)[idText:], at)
	}
	t.keep(ref)
	return true
}

// find is the id to which another leads in the end.
func (t *mailThreads) find(id int) int {
	for {
		parent := t.get(id, idUp)
		if parent < 0 {
			return id
		}
		if grand := t.get(parent, idUp); grand >= 0 {
			t.set(id, idUp, grand)
		}
		id = parent
	}
}

// thread is the Message-ID that the thread of a mail is known by.
func (t *mailThreads) thread(root int, in *mailMessage) string {
	record := t.ids.records.at(root, false)
	key := binary.LittleEndian.Uint64(record)
	if id := t.texts.get(binary.LittleEndian.Uint64(record[idText:])); id != "" {
		return id
	}
	for _, id := range append([]string{in.own()}, in.parents...) {
		if t.hash(id) == key {
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
	if !t.timed {
		t.refs, t.timed = t.refs.sorted(byTime), true
	}
	var chunk []mailRef
	for from := 0; from < t.refs.n; from += len(chunk) {
		chunk = chunk[:0]
		for size := int64(0); from+len(chunk) < t.refs.n; {
			ref := t.ref(from + len(chunk))
			if size += ref.size; size > mailChunk && len(chunk) > 0 {
				break
			}
			chunk = append(chunk, ref)
		}
		mails, err := t.load(ctx, b, chunk)
		if err != nil {
			return err
		}
		for i := range chunk {
			if in := mails[i]; in != nil {
				t.message(b, chunk[i].id, in)
			}
		}
		if err := cmp.Or(t.fault(), b.many.fault()); err != nil {
			return err
		}
		if b.ended {
			return nil
		}
	}
	t.whole = true
	return nil
}

func (t *mailThreads) message(b *builder, id int, in *mailMessage) {
	root := t.find(id)
	chat := t.get(root, idChat)
	if chat < 0 {
		c := Conversation{SourceID: t.thread(root, in)}
		if in.subject != "" {
			c.Title = &in.subject
		}
		b.conversation(c)
		chat = b.opened - 1
		t.set(root, idChat, chat)
	}
	m := in.m
	m.Conversation, m.Sender, m.SenderID = label(chat), t.shown(in.from), in.from.address
	m.audience = []string{m.Sender}
	if !m.Bot {
		b.member(m.Conversation, m.Sender, m.SenderID)
	}
	for _, p := range in.to {
		m.Recipients = append(m.Recipients, p.address)
		b.member(m.Conversation, t.shown(p), p.address)
		if name := t.shown(p); !slices.Contains(m.audience, name) {
			m.audience = append(m.audience, name)
		}
	}
	slices.Sort(m.audience)
	if len(in.parents) > 0 {
		if m.ReplyTo = t.number(in.parents[0], b.count); m.ReplyTo == 0 {
			m.ReplyToMissing = in.parents[0]
		}
	}
	n := b.message(m)
	if m.ID != "" && !t.whole {
		t.set(id, idMessage, n-1)
	}
}

// number is the number of the message with an id if it is one of the first count, else 0.
func (t *mailThreads) number(id string, count int) int {
	if known := t.ids.find(t.hash(id)); known >= 0 {
		if n := t.get(known, idMessage) + 1; n <= count {
			return n
		}
	}
	return 0
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
			b.skip(ref.line, "a mail that can't be read: "+mailFault(err))
		default:
			out[i] = in
		}
	}
	return out, nil
}

// mailFile reads mails of one part at their places: by seeking in a file; in an
// archive by reading on, and from the start again for what lies before.
type mailFile struct {
	part   *source
	file   *os.File
	bom    int64
	body   io.ReadCloser
	pos    int64
	buffer *bufio.Reader
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
	if f.buffer == nil {
		f.buffer = bufio.NewReaderSize(r, headSize)
	}
	f.buffer.Reset(r)
	return &mbox{ctx: ctx, r: f.buffer, single: !f.part.mailbox, begun: true}, nil
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
