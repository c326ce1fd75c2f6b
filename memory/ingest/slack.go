package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// slackReader reads a workspace export, zipped or unpacked: lists of people and
// channels, and a folder a channel with a file a day.
type slackReader struct{}

func (slackReader) name() string { return "slack" }

// slackLists are the files that tell what the folders are.
var slackLists = []struct {
	file string
	kind Kind
}{{"channels.json", Channel}, {"groups.json", Channel}, {"dms.json", Direct}, {"mpims.json", Group}}

func (slackReader) sniff(src *source, _ Options) bool {
	root, ok := slackRoot(src)
	return ok && src.in.has(root+"users.json")
}

// slackRoot is the folder that holds the lists: the top, or one folder that a
// packer put around all.
func slackRoot(src *source) (string, bool) {
	if !src.whole() {
		return "", false
	}
	for _, name := range src.in.names {
		if dir, base := path.Split(name); strings.Count(dir, "/") <= 1 && slices.ContainsFunc(slackLists, func(l struct {
			file string
			kind Kind
		}) bool {
			return l.file == base
		}) {
			return dir, true
		}
	}
	return "", false
}

type slackUser struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	RealName string       `json:"real_name"`
	IsBot    bool         `json:"is_bot"`
	Profile  slackProfile `json:"profile"`
}

type slackProfile struct {
	RealName    string `json:"real_name"`
	DisplayName string `json:"display_name"`
	Name        string `json:"name"`
	Email       string `json:"email"`
	Phone       string `json:"phone"`
}

type slackChannel struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Members []string `json:"members"`
	kind    Kind
	days    []string                 // paths of its files, in order
	first   string                   // ts of its first row, "" none
	changed map[string]*slackMessage // what became of messages since, by ts
}

type slackMessage struct {
	Type     string        `json:"type"`
	Subtype  string        `json:"subtype"`
	User     string        `json:"user"`
	BotID    string        `json:"bot_id"`
	Username string        `json:"username"`
	Profile  *slackProfile `json:"user_profile"`
	BotInfo  *struct {
		Name string `json:"name"`
	} `json:"bot_profile"`
	Text        string            `json:"text"`
	TS          string            `json:"ts"`
	ThreadTS    string            `json:"thread_ts"`
	Edited      json.RawMessage   `json:"edited"`
	Files       []slackFile       `json:"files"`
	File        *slackFile        `json:"file"`
	Attachments []slackAttachment `json:"attachments"`
	Blocks      []slackBlock      `json:"blocks"`
	Comment     *slackComment     `json:"comment"`    // of file_comment: what was said, and by whom
	Message     *slackMessage     `json:"message"`    // of message_changed: as it is now
	DeletedTS   string            `json:"deleted_ts"` // of message_deleted: which
}

type slackComment struct {
	User    string `json:"user"`
	Comment string `json:"comment"`
}

type slackFile struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	MIME  string `json:"mimetype"`
	Mode  string `json:"mode"`
}

type slackAttachment struct {
	Fallback    string `json:"fallback"`
	Title       string `json:"title"`
	Text        string `json:"text"`
	Pretext     string `json:"pretext"`
	IsShare     bool   `json:"is_share"`
	IsMsgUnfurl bool   `json:"is_msg_unfurl"`
	AuthorName  string `json:"author_name"`
	AuthorID    string `json:"author_id"`
}

// slackSpoken are the subtypes of what somebody said; all others are notices.
var slackSpoken = wordSet("bot_message me_message file_share file_comment thread_broadcast reply_broadcast slackbot_response assistant_app_thread bot_reply document_mention")

// slackbot is Slack's own program. It is in no list of people.
const slackbot = "USLACKBOT"

func (slackReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	root, _ := slackRoot(src)
	w := &slackWorkspace{ctx: ctx, src: src, root: root, b: b, zone: o.TZ, names: map[string]string{slackbot: "Slackbot"}, bots: map[string]bool{slackbot: true}}
	var users []slackUser
	if err := w.load("users.json", &users); err != nil {
		return err
	}
	for _, u := range users {
		w.user(&u)
	}
	channels, err := w.channels()
	if err != nil {
		return err
	}
	for _, c := range channels {
		if err := w.survey(c); err != nil {
			return err
		}
	}
	slices.SortStableFunc(channels, func(x, y *slackChannel) int {
		if x.first == "" || y.first == "" {
			return strings.Compare(y.first, x.first)
		}
		return compareTS(x.first, y.first)
	})
	for _, c := range channels {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.write(c); err != nil {
			return err
		}
	}
	return nil
}

// slackWorkspace is an export being read.
type slackWorkspace struct {
	ctx   context.Context
	src   *source
	root  string
	b     *builder
	zone  *time.Location
	names map[string]string // shown names by id
	bots  map[string]bool
	rooms map[string]string // channel names by id
}

// load reads one of the lists; one that isn't there is empty.
func (w *slackWorkspace) load(name string, v any) error {
	if !w.src.in.has(w.root + name) {
		return nil
	}
	part, err := w.src.part(w.root + name)
	if err != nil {
		return err
	}
	j, err := openJSON(w.ctx, part)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (w *slackWorkspace) user(u *slackUser) {
	if u.ID == "" {
		return
	}
	w.names[u.ID] = slackName(u.ID, u.RealName, u.Profile.RealName, u.Profile.DisplayName, u.Name)
	w.bots[u.ID] = u.IsBot
	if u.IsBot {
		return
	}
	for _, name := range []string{u.RealName, u.Profile.RealName, u.Profile.DisplayName, u.Name} {
		w.b.owner.bears(name, u.ID)
	}
	p := ProposedPerson{Name: w.names[u.ID], SourceID: u.ID}
	for _, alias := range []string{u.Profile.DisplayName, u.Name} {
		if alias != "" && privacy.NormalizeName(alias) != privacy.NormalizeName(p.Name) && !slices.Contains(p.Aliases, alias) {
			p.Aliases = append(p.Aliases, alias)
		}
	}
	if u.Profile.Email != "" {
		p.Addresses = []string{u.Profile.Email}
	}
	if u.Profile.Phone != "" {
		p.Phones = []string{u.Profile.Phone}
	}
	w.b.person(p)
}

// slackName is the full name where there is one: display names change and repeat.
func slackName(id string, names ...string) string {
	for _, s := range names {
		if s = strings.TrimSpace(tidy(s)); s != "" {
			return s
		}
	}
	return id
}

func (w *slackWorkspace) channels() ([]*slackChannel, error) {
	w.rooms = map[string]string{}
	var out []*slackChannel
	for _, l := range slackLists {
		var list []*slackChannel
		if err := w.load(l.file, &list); err != nil {
			return nil, err
		}
		for _, c := range list {
			if c == nil || c.ID == "" {
				continue
			}
			c.kind = l.kind
			w.rooms[c.ID] = c.Name
			out = append(out, c)
		}
	}
	return out, nil
}

// survey lists the days of a channel, finds its first row, and learns the names of
// people who are in no list.
func (w *slackWorkspace) survey(c *slackChannel) error {
	folders := []string{w.root + c.Name + "/", w.root + c.ID + "/"}
	for _, name := range w.src.in.names {
		dir, base := path.Split(name)
		if path.Ext(base) != ".json" || !slices.Contains(folders, dir) || c.Name == "" && dir == folders[0] {
			continue
		}
		c.days = append(c.days, name)
		err := slackRows(w, name, func(m *slackSeen) {
			c.change(m)
			if slackTime(m.TS) != 0 && (c.first == "" || compareTS(m.TS, c.first) < 0) {
				c.first = m.TS
			}
			if _, known := w.names[m.User]; !known && m.User != "" && m.Profile != nil {
				w.names[m.User] = slackName(m.User, m.Profile.RealName, m.Profile.DisplayName, m.Profile.Name)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// slackRows hands over each row of a day's file.
func slackRows[T any](w *slackWorkspace, name string, f func(*T)) error {
	j, err := openJSON(w.ctx, &source{name: path.Base(name), in: w.src.in, member: name})
	if err != nil {
		return err
	}
	defer j.close()
	err = j.list(func() error {
		var row T
		if err := j.decode(&row); err != nil {
			return err
		}
		f(&row)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", slackPlace(name), err)
	}
	return nil
}

func slackPlace(name string) string { return path.Base(path.Dir(name)) + "/" + path.Base(name) }

// change notes what a row says of an earlier message. The last word counts.
func (c *slackChannel) change(m *slackSeen) {
	ts, now := "", m.Message
	switch {
	case m.Subtype == "message_changed" && now != nil:
		if ts = now.TS; now.Subtype == "" && len(now.Edited) == 0 {
			now.Edited = json.RawMessage("{}")
		}
	case m.Subtype == "message_deleted":
		ts, now = m.DeletedTS, &slackMessage{Type: "message", Subtype: "tombstone", TS: m.DeletedTS}
	}
	if slackTime(ts) == 0 || compareTS(ts, m.TS) >= 0 || len(c.changed) >= maxSlackChanges {
		return
	}
	if c.changed == nil {
		c.changed = map[string]*slackMessage{}
	}
	c.changed[ts] = now
}

// maxSlackChanges bounds the messages of a channel whose changes are kept.
const maxSlackChanges = 100_000

// slackSeen is what the survey looks at.
type slackSeen struct {
	Subtype   string        `json:"subtype"`
	Message   *slackMessage `json:"message"`
	DeletedTS string        `json:"deleted_ts"`
	User      string        `json:"user"`
	TS        string        `json:"ts"`
	Profile   *slackProfile `json:"user_profile"`
}

// day reads one day of a channel, in order. A message shown in its thread and in
// the channel is one.
func (w *slackWorkspace) day(name string) ([]slackMessage, error) {
	var out []slackMessage
	row := 0
	err := slackRows(w, name, func(m *slackMessage) {
		row++
		if slackTime(m.TS) == 0 {
			w.b.left(Skip{File: slackPlace(name), Message: "no. " + strconv.Itoa(row), Reason: "a row without a time"})
			return
		}
		out = append(out, *m)
	})
	slices.SortStableFunc(out, func(x, y slackMessage) int { return compareTS(x.TS, y.TS) })
	return slices.CompactFunc(out, func(x, y slackMessage) bool { return x.TS == y.TS && x.User == y.User && x.Text == y.Text }), err
}

// compareTS orders "1714982400.000200" by number.
func compareTS(x, y string) int {
	if a, b := slackTime(x), slackTime(y); a != b {
		return int(min(max(a-b, -1), 1))
	}
	return strings.Compare(x, y)
}

// slackTime is the whole seconds of a ts, 0 for what is none. The fraction is a
// counter.
func slackTime(ts string) int64 {
	whole, _, _ := strings.Cut(ts, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if _, ok := unix(n, 0, nil); err != nil || !ok {
		return 0
	}
	return n
}

func (w *slackWorkspace) shown(id string) string {
	if name := w.names[id]; name != "" {
		return name
	}
	return id
}

func (w *slackWorkspace) write(c *slackChannel) error {
	conv := Conversation{Kind: c.kind, SourceID: c.ID}
	if c.Name != "" && c.kind != Direct {
		conv.Title = &c.Name
	}
	people := 0
	for _, id := range c.Members {
		if !w.bots[id] {
			people++
		}
	}
	if c.kind == Direct && people < len(c.Members) {
		conv.Kind = Bot
	}
	if c.kind == Direct && people == len(c.Members) && people > 0 && !slices.ContainsFunc(c.Members, func(id string) bool { return id != c.Members[0] }) {
		conv.Kind = Self // one's own notes
	}
	label := w.b.conversation(conv)
	for _, id := range c.Members {
		if w.bots[id] {
			w.b.bot(label, w.shown(id))
		} else {
			w.b.member(label, w.shown(id), id)
		}
	}
	for _, name := range c.days {
		rows, err := w.day(name)
		if err != nil {
			return err
		}
		for i := range rows {
			if in := &rows[i]; in.Subtype == "message_changed" && in.Message != nil && c.changed[in.Message.TS] != nil && w.b.numbers.get(label, in.Message.TS) == 0 {
				rows[i] = *c.changed[in.Message.TS] // of a message that only an earlier export has
			}
			c.asItIs(&rows[i])
			m := w.message(&rows[i], label)
			if root := rows[i].ThreadTS; root != "" && root != rows[i].TS && m.Kind != KindSystem {
				if m.ReplyTo = w.b.numbers.get(label, root); m.ReplyTo == 0 {
					m.ReplyToMissing = root
				}
			}
			w.b.numbers.set(label, rows[i].TS, w.b.message(m))
		}
	}
	return nil
}

// asItIs puts a row into the words that it has now.
func (c *slackChannel) asItIs(row *slackMessage) {
	now := c.changed[row.TS]
	if now == nil || row.Subtype == "message_changed" || row.Subtype == "message_deleted" {
		return
	}
	if now.User != "" && row.User != "" && now.User != row.User {
		return // nobody has another's words
	}
	was := *row
	*row = *now
	if row.User == "" {
		row.User = was.User
	}
	if row.ThreadTS == "" {
		row.ThreadTS = was.ThreadTS
	}
	if row.Profile == nil {
		row.Profile = was.Profile
	}
}

func (w *slackWorkspace) message(in *slackMessage, label string) Message {
	if in.Subtype == "file_comment" && in.Comment != nil && in.Comment.User != "" {
		said := *in // "@ana commented on …: nice" is Slack's; the comment alone is hers
		said.User, said.Text, said.Blocks = in.Comment.User, in.Comment.Comment, nil
		in = &said
	}
	m := Message{ID: in.TS, Conversation: label, Kind: KindMessage, given: in.TS, Edited: len(in.Edited) > 0 && string(in.Edited) != "null"}
	m.When, _ = unix(slackTime(in.TS), 0, w.zone)
	m.Text = w.plain(in.Text)
	if m.Text == "" {
		m.Text = w.blocks(in.Blocks)
	}
	switch {
	case in.Subtype == "tombstone" || in.Subtype == "message_deleted":
		m.Kind, m.System, m.Deleted, m.Text = KindSystem, in.Subtype, true, ""
		return m
	case in.Subtype != "" && !slackSpoken[in.Subtype], in.Type != "message" && in.Type != "":
		m.Kind, m.System, m.Actor = KindSystem, in.Subtype, ""
		if in.User != "" {
			m.Actor = w.shown(in.User)
		}
		return m
	}
	w.sender(in, &m)
	files := in.Files
	if in.File != nil {
		files = append(files, *in.File)
	}
	for _, f := range files {
		name := f.Name
		if name == "" {
			name = f.Title
		}
		if f.Mode == "tombstone" || f.Mode == "hidden_by_limit" {
			m.Media = append(m.Media, Media{Type: "unknown"})
			continue
		}
		m.Media = append(m.Media, Media{Type: typeByMIME(f.MIME, name), Name: name})
	}
	w.attached(in, &m)
	if !m.Bot {
		m.quoteOff()
	}
	switch {
	case len(m.Media) > 0:
		m.Kind = KindMedia
	case m.Text == "" && !m.Forwarded && m.Quoted == nil:
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	case m.Text == "":
		m.Kind = KindMedia
	}
	return m
}

func (w *slackWorkspace) sender(in *slackMessage, m *Message) {
	m.SenderID, m.Bot = in.User, in.Subtype == "bot_message" || in.BotID != "" || w.bots[in.User]
	switch {
	case in.User != "" && (w.names[in.User] != "" || !m.Bot):
		m.Sender = w.shown(in.User)
	case in.Username != "":
		m.Sender = tidy(in.Username)
	case in.BotInfo != nil && in.BotInfo.Name != "":
		m.Sender = tidy(in.BotInfo.Name)
	default:
		m.Sender = in.BotID
	}
	if m.SenderID == "" {
		m.SenderID = in.BotID
	}
	if m.Sender == "" {
		m.Sender, m.Bot = "unknown", true // nobody that can be named: no person's words
	}
}

// attached reads what hangs on a message: a program's own words, or a message of
// somebody else that was shared.
func (w *slackWorkspace) attached(in *slackMessage, m *Message) {
	var own []string
	for _, a := range in.Attachments {
		text := w.plain(a.Text)
		switch {
		case a.IsShare || a.IsMsgUnfurl:
			if m.Quoted == nil && text != "" {
				name := tidy(a.AuthorName)
				if a.AuthorID != "" {
					name = w.shown(a.AuthorID)
				}
				m.Quoted = &Quoted{Sender: name, Text: text}
			}
		case m.Bot:
			for _, s := range []string{w.plain(a.Pretext), w.plain(a.Title), text} {
				if s != "" {
					own = append(own, s)
				}
			}
			if text == "" && a.Fallback != "" {
				own = []string{w.plain(a.Fallback)}
			}
		}
	}
	if m.Text == "" && len(own) > 0 {
		m.Text = strings.Join(own, "\n")
	}
}
