package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// telegramReader reads Telegram Desktop's result.json: one chat, or all of them.
type telegramReader struct{}

func (telegramReader) name() string { return "telegram" }

func (telegramReader) sniff(src *source, _ Options) bool {
	s := src.jsonShape()
	if s.has("chats.list") || s.has("left_chats.list") || s.has("personal_information.user_id") {
		return true
	}
	_, known := telegramKinds[s.text["type"]]
	return known && s.has("id", "messages")
}

// telegramKinds are Telegram's words for what a chat is.
var telegramKinds = map[string]Kind{
	"saved_messages": Self, "replies": Bot, "verification_codes": Bot, "personal_chat": Direct, "bot_chat": Bot,
	"private_group": Group, "private_supergroup": Group, "public_supergroup": Group, "private_channel": Channel, "public_channel": Channel,
}

type telegramMessage struct {
	ID            looseString     `json:"id"`
	Type          string          `json:"type"`
	Date          string          `json:"date"`
	Unix          looseString     `json:"date_unixtime"`
	Edited        looseString     `json:"edited"`
	EditedUnix    looseString     `json:"edited_unixtime"`
	From          *string         `json:"from"`
	FromID        looseString     `json:"from_id"`
	Actor         *string         `json:"actor"`
	ActorID       looseString     `json:"actor_id"`
	Action        string          `json:"action"`
	Author        string          `json:"author"`
	ReplyTo       looseString     `json:"reply_to_message_id"`
	ReplyPeer     looseString     `json:"reply_to_peer_id"`
	ForwardedFrom json.RawMessage `json:"forwarded_from"`
	ForwardedID   looseString     `json:"forwarded_from_id"`
	SavedFrom     json.RawMessage `json:"saved_from"`
	ViaBot        looseString     `json:"via_bot"`
	Text          telegramText    `json:"text"`
	Entities      telegramText    `json:"text_entities"`
	Photo         json.RawMessage `json:"photo"`
	File          json.RawMessage `json:"file"`
	FileName      string          `json:"file_name"`
	MediaType     string          `json:"media_type"`
	MIME          string          `json:"mime_type"`
	Emoji         string          `json:"sticker_emoji"`
	Poll          *struct {
		Question telegramText `json:"question"`
	} `json:"poll"`
	Location *struct{} `json:"location_information"`
	Contact  *struct{} `json:"contact_information"`
	Place    string    `json:"place_name"`
	Game     string    `json:"game_title"`
	Title    string    `json:"title"`
	NewTitle string    `json:"new_title"`

	Thread   looseString `json:"message_thread_id"`
	ReplyTop looseString `json:"reply_to_top_id"`
}

// telegramText is a string, or a list of strings and of objects with a text. What
// stands in a block of quotation was said before.
type telegramText struct{ words, quoted string }

func (t *telegramText) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		var s looseString
		err := s.UnmarshalJSON(b)
		*t = telegramText{words: string(s)}
		return err
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var out, quoted strings.Builder
	for _, p := range parts {
		var s string
		if p[0] == '"' {
			if err := json.Unmarshal(p, &s); err != nil {
				return err
			}
		} else if p[0] == '{' {
			var e struct {
				Type string `json:"type"`
				Text string `json:"text"`
			}
			if err := json.Unmarshal(p, &e); err != nil {
				continue
			}
			if e.Type == "blockquote" || e.Type == "expandable_blockquote" {
				quoted.WriteString(e.Text + "\n")
				continue
			}
			s = e.Text
		}
		out.WriteString(s)
	}
	*t = telegramText{out.String(), quoted.String()}
	return nil
}

func (telegramReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	j, err := openJSON(ctx, src)
	if err != nil {
		return err
	}
	defer j.close()
	t := &telegramRun{j: j, b: b, zone: o.TZ}
	if t.names, err = telegramNames(ctx, src); err != nil {
		return err
	}
	if m := telegramDates.FindSubmatch(src.head); m != nil {
		local, err := time.Parse(wallLayout, string(m[1]))
		if seconds, bad := strconv.ParseInt(string(m[2]), 10, 64); err == nil && bad == nil {
			t.computer = computerZone(local, time.Unix(seconds, 0))
		}
	}
	if err := t.chat(true); err != nil {
		return err
	}
	if len(b.out.Conversations) == 0 {
		return fmt.Errorf("%w: no chat in it; export with \"Personal chats\" chosen, as JSON", ErrFormat)
	}
	return j.end()
}

// telegramRun reads one file.
type telegramRun struct {
	j    *jsonStream
	b    *builder
	zone *time.Location
	me   string // id of the account, "" unknown
	name string

	names    map[string]string // of accounts by id, where some message lacks one
	computer *time.Location    // zone of the computer that exported, as other messages show it; nil unknown
}

// telegramDates are the two times of a message.
var telegramDates = lazily(`"date"\s*:\s*"([0-9T:-]{19})"\s*,\s*"date_unixtime"\s*:\s*"?(\d{9,11})`)

// computerZone is the zone of the exporting computer: the distance of a message's two
// times, in quarters.
func computerZone(local, utc time.Time) *time.Location {
	offset := local.Sub(utc.UTC())
	if offset%(15*time.Minute) != 0 || offset.Abs() > 14*time.Hour {
		return nil
	}
	return time.FixedZone("", int(offset.Seconds()))
}

// chat reads an object that is a chat or, at the top, everything. Name and kind
// stand before the messages.
func (t *telegramRun) chat(top bool) error {
	var head struct {
		name, kind, id looseString
	}
	var c *telegramChat
	err := t.j.object(func(key string) error {
		switch key {
		case "name":
			return t.j.decode(&head.name)
		case "type":
			return t.j.decode(&head.kind)
		case "id":
			return t.j.decode(&head.id)
		case "messages":
			if c == nil {
				c = t.open(string(head.name), string(head.kind), string(head.id))
			}
			err := t.j.list(func() error {
				var m telegramMessage
				if err := t.j.decode(&m); err != nil {
					return err
				}
				c.add(&m)
				return nil
			})
			if err == nil {
				c.hears(string(head.name))
			}
			return err
		case "personal_information":
			if top {
				return t.owner()
			}
		case "contacts":
			if top {
				return t.contacts()
			}
		case "chats", "left_chats":
			if top {
				return t.j.object(func(key string) error {
					if key != "list" {
						return t.j.skip()
					}
					return t.j.list(func() error { return t.chat(false) })
				})
			}
		}
		return t.j.skip()
	})
	if err == nil && c == nil && head.kind != "" && telegramKinds[string(head.kind)] != "" {
		t.open(string(head.name), string(head.kind), string(head.id))
	}
	return err
}

func (t *telegramRun) owner() error {
	var p struct {
		ID    looseString `json:"user_id"`
		First string      `json:"first_name"`
		Last  string      `json:"last_name"`
	}
	if err := t.j.decode(&p); err != nil {
		return err
	}
	if p.ID != "" {
		t.me, t.name = "user"+string(p.ID), strings.TrimSpace(p.First+" "+p.Last)
	}
	return nil
}

func (t *telegramRun) contacts() error {
	return t.j.object(func(key string) error {
		if key != "list" {
			return t.j.skip()
		}
		return t.j.list(func() error {
			var p struct {
				ID    looseString `json:"user_id"`
				First string      `json:"first_name"`
				Last  string      `json:"last_name"`
				Phone string      `json:"phone_number"`
			}
			if err := t.j.decode(&p); err != nil {
				return err
			}
			person := ProposedPerson{Name: strings.TrimSpace(p.First + " " + p.Last)}
			if p.ID != "" && p.ID != "0" {
				person.SourceID = "user" + string(p.ID)
			}
			if p.Phone != "" {
				person.Phones = []string{p.Phone}
			}
			t.b.person(person)
			return nil
		})
	})
}

// telegramChat is a chat being read.
type telegramChat struct {
	*telegramRun
	label  string
	kind   Kind
	other  string // id of the other one in a chat of two
	wrote  bool   // that one did
	topics telegramTopics
}

func (t *telegramRun) open(name, kind, id string) *telegramChat {
	c := Conversation{Kind: telegramKinds[kind], SourceID: id, SourceType: kind}
	if c.Kind == "" {
		c.Kind = Group // a kind of chat that is newer than this reader
	}
	if name == "" && kind == "saved_messages" {
		name = "Saved Messages"
	}
	if name != "" {
		c.Title = &name
	}
	if c.Kind == Self && t.name != "" {
		c.Participants = nil
	}
	chat := &telegramChat{telegramRun: t, kind: c.Kind, other: "user" + id}
	chat.label = t.b.conversation(c)
	return chat
}

// hears adds the other one of a chat of two who hasn't written: the chat bears the
// name of that one, and their id.
func (c *telegramChat) hears(name string) {
	conv := c.b.conv(c.label)
	if c.kind != Direct || strings.TrimSpace(name) == "" || c.wrote || len(conv.Participants) != 1 || conv.names(name) {
		return
	}
	c.b.listens(c.label, name, c.other)
}

func (c *telegramChat) add(in *telegramMessage) {
	id := string(in.ID)
	m := Message{ID: id, Conversation: c.label, Kind: KindMessage, Text: tidy(in.Text.words)}
	quoted := in.Text.quoted
	if m.Text == "" && quoted == "" {
		m.Text, quoted = tidy(in.Entities.words), in.Entities.quoted
	}
	var ok bool
	if m.When, ok = c.when(in); !ok {
		c.b.skipMessage(id, in.undated())
		return
	}
	m.given = m.When.Local
	if !m.When.Instant.IsZero() {
		m.given = m.When.Instant.UTC().Format(time.RFC3339)
	}
	if in.Action == "topic_created" {
		c.topics.begins(c, id, in.Title)
	}
	c.topics.place(c, in, &m)
	if in.Type == "service" || in.Action != "" {
		m.Kind, m.System, m.Text = KindSystem, in.Action, ""
		m.Actor = c.called(in.Actor, string(in.ActorID))
		c.b.numbers.set(c.label, id, c.b.message(m))
		return
	}
	m.Sender, m.SenderID = c.called(in.From, string(in.FromID)), string(in.FromID)
	c.wrote = c.wrote || m.SenderID == c.other || "user"+m.SenderID == c.other
	m.Author, m.Edited = in.Author, in.Edited != "" || in.EditedUnix != ""
	mine := c.me != "" && (m.SenderID == c.me || "user"+m.SenderID == c.me) // old exports write the number alone
	m.Self = mine
	m.Bot = c.kind == Bot && !mine && (c.me != "" || m.SenderID == c.other || "user"+m.SenderID == c.other || c.other == "user")
	c.passedOn(in, &m)
	switch quoted = tidy(quoted); {
	case quoted == "":
	case m.Forwarded: // all of it is somebody else's
		m.Text = tidy(quoted + "\n" + m.Text)
	default:
		m.Quoted = &Quoted{Text: quoted}
	}
	if media, ok := in.media(); ok {
		m.Media, m.Kind = []Media{media}, KindMedia
	} else if m.Text == "" && m.Quoted != nil {
		m.Kind = KindMedia
	} else if m.Text == "" {
		m.Media, m.Kind = []Media{{Type: "unknown"}}, KindMedia
	}
	c.answers(in, &m)
	c.b.numbers.set(c.label, id, c.b.message(m))
}

// undated words why a message without a time is left out.
func (in *telegramMessage) undated() string {
	if in.Date == "" && in.Unix == "" {
		return "no date; Telegram couldn't export it"
	}
	return "a date that can't be read"
}

// deletedName is a shown name; a deleted account has none and goes by its id.
func deletedName(name *string, id string) string {
	if name != nil && strings.TrimSpace(*name) != "" {
		return strings.TrimSpace(tidy(*name))
	}
	return id
}

// called is deletedName, by what the export calls the account elsewhere.
func (t *telegramRun) called(name *string, id string) string {
	if name == nil || strings.TrimSpace(*name) == "" {
		if known := t.names[id]; known != "" {
			return known
		}
	}
	return deletedName(name, id)
}

// when prefers the instant; the local time is the one of the exporting computer.
func (c *telegramChat) when(in *telegramMessage) (privacy.Stamp, bool) {
	local, ok := wallClock(in.Date)
	if seconds, bad := strconv.ParseInt(string(in.Unix), 10, 64); bad == nil {
		clocks := c.zone
		if ok {
			if zone := computerZone(local, time.Unix(seconds, 0)); zone != nil && inChats(seconds) {
				if c.computer = zone; clocks == nil {
					clocks = zone
				}
			}
		}
		if s, ok := unix(seconds, 0, clocks); ok {
			return s, true
		}
	}
	if !ok {
		return privacy.Stamp{}, false
	}
	if c.computer != nil { // the others say on whose clocks
		at := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, c.computer)
		if c.zone != nil {
			at = at.In(c.zone)
		}
		return privacy.At(at), true
	}
	return wall(local, true, c.zone), true // exports from before 2022
}

// passedOn marks words of somebody else. In "Saved Messages" Telegram shows the
// first author as the sender of what the owner keeps.
func (c *telegramChat) passedOn(in *telegramMessage, m *Message) {
	switch {
	case in.ForwardedFrom != nil || in.ForwardedID != "": // null: from an account that is gone
		var name *string
		_ = json.Unmarshal(in.ForwardedFrom, &name) // not a name: it goes by its id
		m.Forwarded, m.ForwardedFrom = true, deletedName(name, string(in.ForwardedID))
	case c.kind == Self && (in.SavedFrom != nil || c.me != "" && !m.Self):
		m.Forwarded, m.ForwardedFrom = true, m.Sender
	case in.SavedFrom != nil:
		var name *string
		_ = json.Unmarshal(in.SavedFrom, &name)
		m.Forwarded, m.ForwardedFrom = true, deletedName(name, "")
	case in.ViaBot != "" && m.Text != "": // what a bot wrote, sent by whom it was asked for
		if _, m.borrowed = in.media(); !m.borrowed {
			m.Forwarded, m.ForwardedFrom = true, tidy(string(in.ViaBot))
		}
	}
	if m.Forwarded && c.kind == Self && c.me != "" {
		m.Sender, m.SenderID, m.Self = c.name, c.me, true
	}
	if m.ForwardedFrom != "" && m.ForwardedFrom == m.Sender && !m.Bot && in.ViaBot == "" && in.ForwardedID == in.FromID && in.ForwardedID != "" {
		m.Forwarded, m.ForwardedFrom = false, "" // one's own words said again
	}
}

// answers links a reply. A message in a topic names the topic's beginning, which
// is no answer to it.
func (c *telegramChat) answers(in *telegramMessage, m *Message) {
	to := string(in.ReplyTo)
	switch {
	case to == "" || to == "0":
	case in.ReplyPeer != "":
		m.ReplyToMissing = string(in.ReplyPeer) + "/" + to
	case c.topics.is(to):
	default:
		if m.ReplyTo = c.b.numbers.get(c.label, to); m.ReplyTo == 0 {
			m.ReplyToMissing = to
		}
	}
}

var telegramMedia = map[string]string{
	"sticker": "sticker", "voice_message": "audio", "audio_file": "audio", "video_message": "video", "video_file": "video", "animation": "gif",
}

func (in *telegramMessage) media() (Media, bool) {
	present := func(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
	name := in.FileName
	switch {
	case in.Poll != nil:
		return Media{Type: "poll", Caption: tidy(in.Poll.Question.words)}, true
	case in.Location != nil:
		return Media{Type: "location", Caption: tidy(in.Place)}, true
	case in.Contact != nil:
		return Media{Type: "contact"}, true
	case in.Game != "":
		return Media{Type: "game", Name: in.Game}, true
	case telegramMedia[in.MediaType] != "":
		return Media{Type: telegramMedia[in.MediaType], Name: name, Caption: in.Emoji}, true
	case present(in.Photo):
		return Media{Type: "image", Name: name}, true
	case present(in.File):
		return Media{Type: typeByMIME(in.MIME, name), Name: name}, true
	case in.MediaType != "" && !slices.Contains([]string{"text", "message"}, in.MediaType):
		return Media{Type: "unknown"}, true
	}
	return Media{}, false
}
