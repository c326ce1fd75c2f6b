package ingest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// emailReader reads mail: one message (.eml), or many (mbox).
type emailReader struct{}

func (emailReader) name() string { return "email" }

const (
	maxHeader = 1 << 20   // bytes of a mail's header
	maxMail   = 256 << 20 // bytes of a mail with its attachments
)

func (emailReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return false
	}
	head := src.head
	if isMbox(head) {
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	return mailHeader(head)
}

func isMbox(head []byte) bool { return bytes.HasPrefix(head, []byte("From ")) }

// mailHeader reports whether a text begins as a mail does: with fields, among
// them From and one that only mail has.
func mailHeader(head []byte) bool {
	from, mark := false, false
	for n := 0; n < 400; n++ {
		line, rest, more := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 || !more {
			break
		}
		if head = rest; n > 0 && (line[0] == ' ' || line[0] == '\t') {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t") {
			return false
		}
		switch strings.ToLower(string(name)) {
		case "from", "sender":
			from = true
		case "message-id", "mime-version", "received", "return-path", "delivered-to", "x-gm-thrid", "in-reply-to", "content-transfer-encoding":
			mark = true
		case "date", "subject":
			mark = mark || from
		}
	}
	return from && mark
}

// mailMessage is a mail with what threads need.
type mailMessage struct {
	m       Message
	parents []string // Message-IDs that it answers, nearest first
	subject string
	from    mailPerson
	to      []mailPerson
}

type mailPerson struct{ name, address string }

func (emailReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	f, err := src.open()
	if err != nil {
		return err
	}
	defer f.Close()
	box := &mbox{r: bufio.NewReaderSize(f, headSize), single: !isMbox(src.head), ctx: ctx}
	if b.mail == nil {
		b.mail = &mailThreads{seen: map[string]bool{}}
	}
	for {
		line, ok, err := box.next()
		if err != nil {
			return fmt.Errorf("line %d: %w", box.line, err)
		}
		if !ok {
			break
		}
		in, err := readMail(box, o)
		switch {
		case errors.Is(err, ErrTooLong), errors.Is(err, ErrHostile), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("line %d: %w", box.line, err)
		case err != nil:
			b.skip(line, "a mail that can't be read: "+mailFault(err))
			continue
		}
		if in.m.ID != "" && b.mail.seen[in.m.ID] {
			b.out.Duplicates++
			continue
		}
		if in.m.ID != "" {
			b.mail.seen[in.m.ID] = true
		}
		b.mail.list = append(b.mail.list, in)
	}
	if len(b.mail.list) == 0 && len(b.out.Skipped) == 0 {
		return fmt.Errorf("%w: no mail in it", ErrEmpty)
	}
	return nil
}

// mailFault words a fault without the mail's own text.
func mailFault(err error) string {
	if _, ok := errors.AsType[textproto.ProtocolError](err); ok {
		return "its header is broken"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it is cut off"
	}
	return "its header or parts are broken"
}

// mailThreads gathers the mails of an import, since a thread can be spread over
// files and out of order.
type mailThreads struct {
	list []*mailMessage
	seen map[string]bool // Message-IDs
}

// write puts mails into conversations by thread, in the order of time.
func (t *mailThreads) write(b *builder) {
	slices.SortStableFunc(t.list, func(x, y *mailMessage) int {
		if x.m.When.Instant.IsZero() || y.m.When.Instant.IsZero() {
			return 0
		}
		return x.m.When.Instant.Compare(y.m.When.Instant)
	})
	names := map[string]string{} // by address: the first real name that anybody gave
	for _, in := range t.list {
		for _, p := range append([]mailPerson{in.from}, in.to...) {
			if p.name != "" && names[p.address] == "" {
				names[p.address] = p.name
			}
		}
	}
	shown := func(p mailPerson) string {
		if n := names[p.address]; n != "" {
			return n
		}
		return p.address
	}
	root := t.roots()
	labels, numbers := map[string]string{}, map[string]int{}
	for _, in := range t.list {
		key := root[in]
		label, ok := labels[key]
		if !ok {
			c := Conversation{SourceID: key}
			if in.subject != "" {
				c.Title = &in.subject
			}
			label = b.conversation(c)
			labels[key] = label
		}
		m := in.m
		m.Conversation, m.Sender, m.SenderID = label, shown(in.from), in.from.address
		m.audience = []string{m.Sender}
		if !m.Bot {
			b.member(label, m.Sender, m.SenderID)
		}
		for _, p := range in.to {
			m.Recipients = append(m.Recipients, p.address)
			b.member(label, shown(p), p.address)
			if name := shown(p); !slices.Contains(m.audience, name) {
				m.audience = append(m.audience, name)
			}
		}
		slices.Sort(m.audience)
		if len(in.parents) > 0 {
			if m.ReplyTo = numbers[in.parents[0]]; m.ReplyTo == 0 {
				m.ReplyToMissing = in.parents[0]
			}
		}
		n := b.message(m)
		if m.ID != "" {
			numbers[m.ID] = n
		}
	}
}

// roots finds what each thread is known by: the oldest Message-ID that any of its
// mails refers to, so that it stays the same when more of the thread turns up.
func (t *mailThreads) roots() map[*mailMessage]string {
	up := map[string]string{}
	find := func(id string) string {
		for up[id] != "" && up[id] != id {
			if g := up[up[id]]; g != "" {
				up[id] = g
			}
			id = up[id]
		}
		return id
	}
	own := func(in *mailMessage) string {
		if in.m.ID != "" {
			return in.m.ID
		}
		return "unnamed-" + digest(in.from.address, in.m.given, in.subject, in.m.Text)
	}
	for _, in := range t.list {
		chain := append([]string{own(in)}, in.parents...) // nearest parent first, oldest last
		for i := 0; i+1 < len(chain); i++ {
			if child, parent := find(chain[i]), find(chain[i+1]); child != parent {
				up[child] = parent
			}
		}
	}
	out := make(map[*mailMessage]string, len(t.list))
	for _, in := range t.list {
		out[in] = find(own(in))
	}
	return out
}

// readMail reads the mail at which box stands.
func readMail(box *mbox, o Options) (*mailMessage, error) {
	header, err := readHeader(box)
	if err != nil {
		return nil, err
	}
	in := &mailMessage{}
	from := addresses(header, "From")
	if len(from) == 0 {
		from = addresses(header, "Sender")
	}
	if len(from) == 0 {
		return nil, errors.New("no sender")
	}
	in.from = from[0]
	have := map[string]bool{in.from.address: true}
	for _, field := range []string{"To", "Cc", "Bcc"} {
		for _, p := range addresses(header, field) {
			if !have[p.address] {
				have[p.address] = true
				in.to = append(in.to, p)
			}
		}
	}
	in.subject = bareSubject(decodeWords(header.Get("Subject")))
	m := &in.m
	m.Kind = KindMessage
	if ids := messageIDs(header.Get("Message-Id")); len(ids) > 0 {
		m.ID = ids[0]
	}
	in.parents = parents(header, m.ID)
	m.given = strings.TrimSpace(header.Get("Date"))
	if at, err := mail.ParseDate(m.given); err == nil && at.Year() > 1970 {
		if o.TZ != nil {
			at = at.In(o.TZ)
		}
		m.When = privacy.At(at)
		m.given = at.UTC().Format(time.RFC3339)
	}
	body, err := mailBody(textproto.MIMEHeader(header), box, 0)
	if err != nil {
		return nil, err
	}
	m.Media = body.media
	own, forwarded := ownWords(body.words())
	m.Text = own
	if forwarded != nil {
		m.Quoted = forwarded
	}
	m.Bot = autoMail(header)
	if m.Text == "" {
		m.Kind = KindMedia
		if len(m.Media) == 0 && m.Quoted == nil {
			m.Media = []Media{{Type: "unknown"}}
		}
	}
	return in, nil
}

// autoMail reports whether no person wrote it.
func autoMail(h mail.Header) bool {
	auto := strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted")))
	precedence := strings.ToLower(strings.TrimSpace(h.Get("Precedence")))
	list := h.Get("List-Post") != "" || h.Get("List-Id") != "" && precedence == "list" // people write there
	return auto != "" && auto != "no" || precedence == "auto_reply" || !list && (precedence == "bulk" || h.Get("List-Unsubscribe") != "")
}

// readHeader reads the fields before the first empty line. A line that is no field
// is passed over: old mailboxes have some.
func readHeader(box *mbox) (mail.Header, error) {
	var raw []byte
	for {
		line, err := box.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(raw)+len(line) > maxHeader {
			return nil, fmt.Errorf("%w: a header above %d KiB", ErrTooLong, maxHeader>>10)
		}
		trimmed := bytes.TrimRight(line, "\r\n")
		if len(trimmed) == 0 {
			break
		}
		folded := trimmed[0] == ' ' || trimmed[0] == '\t'
		if i := bytes.IndexByte(trimmed, ':'); folded && len(raw) > 0 || i > 0 && !bytes.ContainsAny(trimmed[:i], " \t") {
			raw = append(append(raw, trimmed...), '\r', '\n')
		}
		if err != nil {
			break
		}
	}
	h, err := textproto.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(raw), strings.NewReader("\r\n")))).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	return mail.Header(h), nil
}

// messageIDs are what stands between < and >, at most 200.
func messageIDs(s string) []string {
	var out []string
	for len(out) < 200 {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		if id := strings.TrimSpace(tidy(strings.ToValidUTF8(s[i+1:i+end], ""))); id != "" {
			out = append(out, id)
		}
		s = s[i+end+1:]
	}
	return out
}

// parents are the mails that one answers, nearest first.
func parents(h mail.Header, own string) []string {
	refs := messageIDs(h.Get("References"))
	slices.Reverse(refs)
	var out []string
	for _, id := range append(messageIDs(h.Get("In-Reply-To")), refs...) {
		if id != own && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// mbox walks over the mails of a mailbox; as a reader it ends where a mail does.
// A line "From …" behind an empty line begins a mail; ">From" in a body is "From"
// (mboxrd takes off one sign, and so does mboxo with the only one it has).
type mbox struct {
	ctx    context.Context
	r      *bufio.Reader
	single bool
	line   int
	ended  bool   // the mail is over
	done   bool   // the file is over
	begun  bool   // the first mail has been given
	blank  bool   // the last line was empty
	rest   []byte // of a line that a small buffer couldn't take
	size   int64
}

// next goes to the next mail and returns the line that it begins on.
func (m *mbox) next() (int, bool, error) {
	if m.single {
		if m.begun {
			return 0, false, nil
		}
		m.begun = true
		return 1, true, nil
	}
	for m.begun && !m.ended {
		if _, err := m.readLine(); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return 0, false, err
		}
	}
	if !m.begun {
		if _, err := m.raw(); err != nil && !errors.Is(err, io.EOF) { // the first "From " line
			return 0, false, err
		}
	}
	if m.done {
		return 0, false, nil
	}
	m.begun, m.ended, m.blank, m.size, m.rest = true, false, false, 0, nil
	return m.line, true, nil
}

func (m *mbox) raw() ([]byte, error) {
	var long []byte
	for {
		part, err := m.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, part...); len(long) > maxLine {
				return nil, fmt.Errorf("%w: above %d MiB", ErrTooLong, maxLine>>20)
			}
			continue
		}
		if len(part) == 0 && len(long) == 0 && err != nil {
			m.done = true
			return nil, err
		}
		if m.line++; m.line%4096 == 0 {
			if ctxErr := m.ctx.Err(); ctxErr != nil {
				return nil, ctxErr
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if long != nil {
			part = append(long, part...)
		}
		return part, nil
	}
}

// readLine returns the next line of the mail, io.EOF at its end.
func (m *mbox) readLine() ([]byte, error) {
	if m.ended || m.done {
		return nil, io.EOF
	}
	if len(m.rest) > 0 {
		line := m.rest
		m.rest = nil
		return line, nil
	}
	line, err := m.raw()
	if err != nil {
		m.ended = true
		return nil, err
	}
	if m.size += int64(len(line)); m.size > maxMail {
		return nil, fmt.Errorf("%w: one mail above %d MiB", ErrTooLong, maxMail>>20)
	}
	if m.single {
		return line, nil
	}
	if m.blank && isFromLine(line) {
		m.ended = true
		return nil, io.EOF
	}
	m.blank = len(bytes.TrimRight(line, "\r\n")) == 0
	if line[0] == '>' {
		if bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			line = line[1:]
		}
	}
	return line, nil
}

// isFromLine reports whether a line separates mails: "From ", an address or
// another word, and a year or a clock behind it. A sentence in a body that isn't
// quoted, as some programs leave it, has no such end.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	rest := string(bytes.TrimRight(line[len("From "):], "\r\n"))
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return len(fields) == 1 && strings.Contains(fields[0], "@") || rest == "" || rest == "-"
	}
	clock := false
	for _, f := range fields[1:] {
		if parts := strings.Split(f, ":"); len(parts) >= 2 && len(parts[0]) <= 2 && startsDigit(parts[0]) && startsDigit(parts[1]) {
			clock = true
		}
	}
	return clock
}

func (m *mbox) Read(p []byte) (int, error) {
	line, err := m.readLine()
	if err != nil {
		return 0, err
	}
	n := copy(p, line)
	if n < len(line) {
		m.rest = bytes.Clone(line[n:])
	}
	return n, nil
}
