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

// read lists the mails of a mailbox; mailThreads.write reads their words later, in
// the order of time, since a thread can be spread over files and out of order.
func (emailReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	if b.mail == nil {
		b.mail, b.many = newMailThreads(o), newManyChats()
	}
	b.mail.parts = append(b.mail.parts, src)
	f, err := src.open()
	if err != nil {
		return err
	}
	defer f.Close()
	src.mailbox = isMbox(src.head)
	box := newMbox(ctx, f, !src.mailbox)
	found := false
	for {
		line, ok, err := box.next()
		if err != nil {
			return fmt.Errorf("line %d: %w", box.line, err)
		}
		if !ok {
			break
		}
		found = true
		ref := mailRef{part: src, line: line, start: box.start, number: b.mail.refs.n}
		in, err := readMailHead(box, o)
		switch {
		case isBound(err):
			return fmt.Errorf("line %d: %w", box.line, err)
		case err != nil:
			b.skip(line, "a mail that can't be read: "+mailFault(err))
			continue
		}
		if err := box.drain(); err != nil {
			return fmt.Errorf("line %d: %w", box.line, err)
		}
		ref.size = box.offset - ref.start
		if !b.mail.add(ref, in) {
			b.out.Duplicates++
			continue
		}
		b.mail.dates.see(b, &in.m, line)
	}
	if !found {
		return fmt.Errorf("%w: no mail in it", ErrEmpty)
	}
	return nil
}

// isBound reports whether an error is one that ends the reading, not a fault of
// one mail.
func isBound(err error) bool {
	return errors.Is(err, ErrTooLong) || errors.Is(err, ErrHostile) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
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

// readMail reads the mail at which box stands.
func readMail(box *mbox, o Options) (*mailMessage, error) {
	header, err := readHeader(box)
	if err != nil {
		return nil, err
	}
	in, err := mailFields(header, o)
	if err != nil {
		return nil, err
	}
	m := &in.m
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

// readMailHead reads the header alone.
func readMailHead(box *mbox, o Options) (*mailMessage, error) {
	header, err := readHeader(box)
	if err != nil {
		return nil, err
	}
	return mailFields(header, o)
}

func mailFields(header mail.Header, o Options) (*mailMessage, error) {
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
	if m.When = mailDate(m.given, nil); m.When.Instant.IsZero() {
		m.When, m.TimeText = mailDate(m.given, o.TZ), m.given // it is known by what it says, whatever zone is given
	} else {
		if o.TZ != nil {
			m.When = privacy.At(m.When.Instant.In(o.TZ))
		}
		m.given = m.When.Instant.UTC().Format(time.RFC3339)
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
