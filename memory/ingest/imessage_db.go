package ingest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// iMessageDBReader reads chat.db, the database in which macOS keeps iMessage and SMS.
// It reads one message at a time, chat by chat, in the order of time.
type iMessageDBReader struct{}

func (iMessageDBReader) name() string { return "imessage" }

var sqliteMagic = []byte("SQLite format 3\x00")

func (iMessageDBReader) sniff(src *source, _ Options) bool {
	if src.whole() || !bytes.HasPrefix(src.head, sqliteMagic) {
		return false
	}
	// The schema stands in the first pages, as text.
	return bytes.Contains(src.head, []byte("chat_message_join")) && bytes.Contains(src.head, []byte("handle"))
}

// imMessageColumns are read where the database has them: each release of macOS has
// more.
var imMessageColumns = []string{
	"guid", "text", "attributedBody", "handle_id", "is_from_me", "date", "date_edited", "date_retracted", "associated_message_type",
	"thread_originator_guid", "item_type", "group_title", "cache_has_attachments", "is_audio_message", "is_system_message",
}

const imMaxText = 1 << 20 // bytes of one message's words

func (iMessageDBReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	file, ok := src.filePath()
	if !ok {
		return fmt.Errorf("%w: a database inside of a zip; unpack it and import chat.db with the files that lie beside it", ErrFormat)
	}
	db, err := memory.OpenAttached(ctx, file)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, unpath(err))
	}
	defer db.Close() //nolint:errcheck // it has only read
	d := &imDatabase{ctx: ctx, db: db, b: b, zone: o.TZ, handles: map[int64]string{}}
	if err := d.open(); err != nil {
		return err
	}
	return d.chats()
}

type imDatabase struct {
	ctx     context.Context
	db      *memory.Attached
	b       *builder
	zone    *time.Location
	handles map[int64]string
	query   string          // of one message
	tables  map[string]bool // of those that may be missing
}

// open learns what the database has.
func (d *imDatabase) open() error {
	have, err := d.db.Columns(d.ctx, "message")
	if err != nil {
		return err
	}
	for _, name := range []string{"guid", "text", "handle_id", "is_from_me", "date"} {
		if !have[name] {
			return fmt.Errorf("%w: table message has no %s: it is no chat.db of macOS", ErrFormat, name)
		}
	}
	var columns []string
	for _, name := range imMessageColumns {
		switch {
		case !have[name]:
			columns = append(columns, "NULL")
		case name == "text" || name == "attributedBody":
			columns = append(columns, fmt.Sprintf("CASE WHEN length(CAST(%s AS BLOB)) <= %d THEN CAST(%s AS BLOB) END", name, imMaxText, name))
		case name == "guid" || name == "thread_originator_guid" || name == "group_title":
			columns = append(columns, "substr(CAST("+name+" AS TEXT), 1, 400)")
		default:
			columns = append(columns, "CAST("+name+" AS INTEGER)")
		}
	}
	d.query = "SELECT " + strings.Join(columns, ", ") + " FROM message WHERE ROWID = ?"
	d.tables = map[string]bool{}
	for _, table := range []string{"chat", "handle", "chat_message_join", "chat_handle_join", "message_attachment_join", "attachment"} {
		columns, err := d.db.Columns(d.ctx, table)
		if err != nil {
			return err
		}
		d.tables[table] = len(columns) > 0
	}
	for _, table := range []string{"chat", "handle", "chat_message_join"} {
		if !d.tables[table] {
			return fmt.Errorf("%w: it has no table %s: it is no chat.db of macOS", ErrFormat, table)
		}
	}
	return d.db.Each(d.ctx, "SELECT ROWID, substr(CAST(id AS TEXT), 1, 400) FROM handle", nil, func(scan func(...any) error) error {
		var id int64
		var name *string
		err := scan(&id, &name)
		if name != nil {
			d.handles[id] = strings.TrimSpace(tidy(strings.ToValidUTF8(*name, "")))
		}
		return err
	})
}

// imChat is a chat of the database: several rows of one identifier are one, since
// iMessage and SMS to one number are kept apart there.
type imChat struct {
	identifier, title string
	group             bool
	rows              []any
	label             string
}

func (d *imDatabase) chats() error {
	var chats []*imChat
	byID := map[string]*imChat{}
	err := d.db.Each(d.ctx, `SELECT c.ROWID, coalesce(substr(CAST(c.chat_identifier AS TEXT), 1, 400), ''), coalesce(substr(CAST(c.display_name AS TEXT), 1, 400), ''), coalesce(CAST(c.style AS INTEGER), 0)
		FROM chat c ORDER BY (SELECT min(message_id) FROM chat_message_join j WHERE j.chat_id = c.ROWID), c.ROWID`, nil, func(scan func(...any) error) error {
		var row, style int64
		var id, title string
		if err := scan(&row, &id, &title, &style); err != nil {
			return err
		}
		id, title = strings.ToValidUTF8(id, ""), tidy(strings.ToValidUTF8(title, ""))
		c := byID[id]
		if c == nil || id == "" {
			c = &imChat{identifier: id}
			chats = append(chats, c)
			byID[id] = c
		}
		c.rows = append(c.rows, row)
		c.group = c.group || style == 43
		if title != "" {
			c.title = title
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range chats {
		if err := d.chat(c); err != nil {
			return err
		}
	}
	if err := d.astray(); err != nil {
		return err
	}
	if d.b.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	return nil
}

// astray reports the messages that are in no chat: they were deleted not long ago, or
// the Mac hasn't placed them. Who else heard them isn't known, so that they aren't read.
func (d *imDatabase) astray() error {
	return d.db.Each(d.ctx, `SELECT m.ROWID, coalesce(CAST(m.handle_id AS INTEGER), 0) FROM message m
		WHERE m.ROWID NOT IN (SELECT message_id FROM chat_message_join WHERE message_id IS NOT NULL) ORDER BY m.ROWID`, nil, func(scan func(...any) error) error {
		var id, handle int64
		err := scan(&id, &handle)
		if err != nil {
			return err
		}
		who := ""
		if name := d.handles[handle]; name != "" {
			who = " (with " + cleanName(name) + ")"
		}
		d.b.skipMessage(strconv.FormatInt(id, 10), "it is in no chat"+who)
		return nil
	})
}

func (d *imDatabase) chat(c *imChat) error {
	marks := strings.TrimSuffix(strings.Repeat("?,", len(c.rows)), ",")
	conv := Conversation{SourceID: c.identifier, Kind: Direct}
	if c.group {
		conv.Kind = Group
	}
	if c.title != "" {
		conv.Title = &c.title
	}
	c.label = d.b.conversation(conv)
	if d.tables["chat_handle_join"] {
		err := d.db.Each(d.ctx, "SELECT DISTINCT handle_id FROM chat_handle_join WHERE chat_id IN ("+marks+") ORDER BY handle_id", c.rows, func(scan func(...any) error) error {
			var id int64
			err := scan(&id)
			d.b.member(c.label, d.handles[id], d.handles[id])
			return err
		})
		if err != nil {
			return err
		}
	}
	if !c.group && c.identifier != "" && len(d.b.conv(c.label).Participants) == 0 { // the join may lack a row
		d.b.listens(c.label, c.identifier, c.identifier)
	}
	// Numbers are ordered, not messages: sorting those would hold them all.
	order := newSpill(8, fewPages)
	defer order.close()
	err := d.db.Each(d.ctx, `SELECT DISTINCT CASE WHEN CAST(m.date AS INTEGER) > 100000000000 THEN CAST(m.date AS INTEGER) / 1000000000 ELSE coalesce(CAST(m.date AS INTEGER), 0) END, m.ROWID FROM chat_message_join j JOIN message m ON m.ROWID = j.message_id
		WHERE j.chat_id IN (`+marks+`) ORDER BY 1, 2`, c.rows, func(scan func(...any) error) error {
		var date, id int64
		err := scan(&date, &id)
		binary.LittleEndian.PutUint64(order.at(order.add(), true), uint64(id))
		return err
	})
	if err != nil {
		return err
	}
	for i := range order.n {
		id := int64(binary.LittleEndian.Uint64(order.at(i, false)))
		if order.fault != nil {
			return order.fault
		}
		if err := d.message(c, id); err != nil {
			return fmt.Errorf("message %d: %w", id, err)
		}
		if d.b.ended {
			return nil
		}
	}
	return nil
}

// imRow is a row of table message.
type imRow struct {
	guid, thread, title                               *string
	text, body                                        []byte
	handle, mine, date, edited, retracted, associated *int64
	item, files, audio, system                        *int64
}

func is(n *int64) bool { return n != nil && *n != 0 }

func (d *imDatabase) message(c *imChat, id int64) error {
	var r imRow
	found := false
	err := d.db.Each(d.ctx, d.query, []any{id}, func(scan func(...any) error) error {
		found = true
		return scan(&r.guid, &r.text, &r.body, &r.handle, &r.mine, &r.date, &r.edited, &r.retracted, &r.associated, &r.thread, &r.item, &r.title, &r.files, &r.audio, &r.system)
	})
	if err != nil || !found {
		return err
	}
	if r.associated != nil && (*r.associated >= 1000 && *r.associated < 4000) {
		return nil // a tapback or a sticker on a message: a reaction, no words
	}
	m := Message{Conversation: c.label, Kind: KindMessage}
	if r.guid != nil {
		m.ID = strings.ToValidUTF8(*r.guid, "")
	}
	var ok bool
	if m.When, ok = appleTime(r.date, d.zone); !ok {
		d.b.skipMessage(strconv.FormatInt(id, 10), "no time")
		return nil
	}
	m.given = m.When.Instant.UTC().Format("2006-01-02T15:04:05Z")
	if is(r.mine) {
		m.Sender, m.SenderID, m.Self = "Me", "", true
	} else if r.handle != nil {
		m.Sender, m.SenderID = d.handles[*r.handle], d.handles[*r.handle]
	}
	if is(r.item) || is(r.system) {
		m.Kind, m.System, m.Actor, m.Sender, m.SenderID, m.Self = KindSystem, "group", m.Sender, "", "", false
		if r.title != nil {
			m.Text = tidy(strings.ToValidUTF8(*r.title, ""))
		}
		d.b.message(m)
		return nil
	}
	if m.Sender == "" {
		if c.group || c.identifier == "" {
			m.Sender = "unknown"
		} else { // the database has no handle, the chat has one
			m.Sender, m.SenderID = c.identifier, c.identifier
		}
	}
	m.Text = imWords(r.text, r.body)
	if is(r.files) {
		if err := d.attachments(&m, id); err != nil {
			return err
		}
	}
	m.Edited = is(r.edited)
	switch {
	case !is(r.retracted) && m.tapback(): // of a phone without iMessage
	case is(r.retracted), m.Edited && m.Text == "" && len(m.Media) == 0:
		m.Kind, m.Deleted, m.Text, m.Edited, m.Media = KindSystem, true, "", false, nil
	case len(m.Media) > 0:
		m.Kind = KindMedia
	case m.Text == "":
		kind := "unknown"
		if is(r.audio) {
			kind = "audio"
		}
		m.Kind, m.Media = KindMedia, []Media{{Type: kind}}
	}
	if r.thread != nil && *r.thread != "" {
		if m.ReplyTo = d.b.numbers.get(c.label, *r.thread); m.ReplyTo == 0 {
			m.ReplyToMissing = strings.ToValidUTF8(*r.thread, "")
		}
	}
	if n := d.b.message(m); m.ID != "" {
		d.b.numbers.set(c.label, m.ID, n)
	}
	return nil
}

func (d *imDatabase) attachments(m *Message, id int64) error {
	if !d.tables["message_attachment_join"] || !d.tables["attachment"] {
		return nil
	}
	return d.db.Each(d.ctx, `SELECT coalesce(substr(CAST(a.filename AS TEXT), 1, 1000), ''), coalesce(substr(CAST(a.mime_type AS TEXT), 1, 200), '')
		FROM message_attachment_join j JOIN attachment a ON a.ROWID = j.attachment_id WHERE j.message_id = ? ORDER BY a.ROWID LIMIT 100`, []any{id}, func(scan func(...any) error) error {
		var file, mime string
		err := scan(&file, &mime)
		name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(file, ""), "\\", "/"))
		if name == "." || name == "/" {
			name = ""
		}
		m.Media = append(m.Media, Media{Type: typeByMIME(mime, name), Name: name})
		return err
	})
}

// appleTime reads a time of macOS: nanoseconds since 2001, in old databases seconds.
func appleTime(date *int64, zone *time.Location) (privacy.Stamp, bool) {
	const epoch = 978_307_200 // 2001-01-01 in seconds since 1970
	if date == nil || *date <= 0 {
		return privacy.Stamp{}, false
	}
	if *date > 1e11 { // seconds would be in the year 5000
		return unix(epoch+*date/1e9, 0, zone)
	}
	return unix(epoch+*date, 0, zone)
}

// imWords are the words of a message: the text, else those of the attributed body.
// U+FFFC stands where something is attached.
func imWords(text, body []byte) string {
	s := strings.ToValidUTF8(string(text), "")
	if strings.Trim(s, "\ufffc \n") == "" {
		if t, err := typedString(body); err == nil {
			s = t
		}
	}
	return tidy(strings.NewReplacer("\ufffc", "", "\ufffd", "").Replace(s))
}

var errTyped = errors.New("no text in the attributed body")

// typedString reads the string of an NSAttributedString as Foundation archives it
// ("typedstream"): behind the name of its class come a few bytes that refer to types,
// a plus sign, the length, and the text in UTF-8. The length is one byte, or 0x81 and
// two, or 0x82 and four, the lowest first.
func typedString(body []byte) (string, error) {
	if len(body) < 16 || !bytes.Contains(body[:16], []byte("streamtyped")) {
		return "", errTyped
	}
	at := bytes.Index(body, []byte("NSString"))
	if at < 0 {
		if at = bytes.Index(body, []byte("NSMutableString")); at < 0 {
			return "", errTyped
		}
	}
	rest := body[at+len("NSString"):]
	plus := bytes.IndexByte(rest[:min(len(rest), 32)], '+')
	if plus < 0 {
		return "", errTyped
	}
	rest = rest[plus+1:]
	if len(rest) == 0 {
		return "", errTyped
	}
	size, width := int(rest[0]), 1
	switch rest[0] {
	case 0x81:
		width = 3
	case 0x82:
		width = 5
	}
	if len(rest) < width {
		return "", errTyped
	}
	if width > 1 {
		size = 0
		for i := width - 1; i >= 1; i-- {
			size = size<<8 | int(rest[i])
		}
	}
	if size < 0 || size > len(rest)-width {
		return "", errTyped
	}
	return strings.ToValidUTF8(string(rest[width:width+size]), ""), nil
}
