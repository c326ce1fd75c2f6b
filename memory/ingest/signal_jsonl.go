package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// signalFrame is a line of the Signal app's own plaintext export (main.jsonl).
// Numbers of 64 bits are strings there.
type signalFrame struct {
	Recipient *signalRecipient `json:"recipient"`
	Chat      *struct {
		ID          looseString `json:"id"`
		RecipientID looseString `json:"recipientId"`
	} `json:"chat"`
	Item    *signalItem `json:"chatItem"`
	Account *struct {
		Given  string `json:"givenName"`
		Family string `json:"familyName"`
	} `json:"account"`
	Backup looseString `json:"backupTimeMs"`
}

type signalRecipient struct {
	ID      looseString `json:"id"`
	Contact *struct {
		ACI           string      `json:"aci"`
		E164          looseString `json:"e164"`
		SystemGiven   string      `json:"systemGivenName"`
		SystemFamily  string      `json:"systemFamilyName"`
		ProfileGiven  string      `json:"profileGivenName"`
		ProfileFamily string      `json:"profileFamilyName"`
		Nickname      *struct {
			Given  string `json:"given"`
			Family string `json:"family"`
		} `json:"nickname"`
		Username string `json:"username"`
	} `json:"contact"`
	Group *struct {
		Snapshot struct {
			Title struct {
				Title string `json:"title"`
			} `json:"title"`
			Members []struct {
				UserID string `json:"userId"`
			} `json:"members"`
		} `json:"snapshot"`
	} `json:"group"`
	Self         *struct{} `json:"self"`
	ReleaseNotes *struct{} `json:"releaseNotes"`
}

type signalBody struct {
	Body   string        `json:"body"`
	Ranges []signalRange `json:"bodyRanges"`
}

type signalRange struct {
	Start   int    `json:"start"` // in UTF-16 units
	Length  int    `json:"length"`
	Mention string `json:"mentionAci"`
}

type signalPointer struct {
	ContentType string `json:"contentType"`
	FileName    string `json:"fileName"`
}

type signalItem struct {
	ChatID       looseString       `json:"chatId"`
	AuthorID     looseString       `json:"authorId"`
	DateSent     looseString       `json:"dateSent"`
	ExpireStart  looseString       `json:"expireStartDate"`
	ExpiresIn    looseString       `json:"expiresInMs"`
	Outgoing     json.RawMessage   `json:"outgoing"`
	Revisions    []json.RawMessage `json:"revisions"`
	Deleted      *struct{}         `json:"remoteDeletedMessage"`
	AdminDeleted *struct{}         `json:"adminDeletedMessage"`
	Update       json.RawMessage   `json:"updateMessage"`
	Sticker      *struct{}         `json:"stickerMessage"`
	ViewOnce     *struct{}         `json:"viewOnceMessage"`
	Contact      *struct{}         `json:"contactMessage"`
	Payment      *struct{}         `json:"paymentNotification"`
	GiftBadge    *struct{}         `json:"giftBadge"`
	Poll         *struct {
		Question string `json:"question"`
	} `json:"poll"`
	StoryReply *struct {
		TextReply *struct {
			Text signalBody `json:"text"`
		} `json:"textReply"`
		Emoji string `json:"emoji"`
	} `json:"directStoryReplyMessage"`
	Standard *struct {
		Text  *signalBody `json:"text"`
		Quote *struct {
			Sent     looseString `json:"targetSentTimestamp"`
			AuthorID looseString `json:"authorId"`
			Text     *signalBody `json:"text"`
		} `json:"quote"`
		Attachments []struct {
			Pointer signalPointer `json:"pointer"`
			Flag    string        `json:"flag"`
		} `json:"attachments"`
		LongText *signalPointer `json:"longText"`
	} `json:"standardMessage"`
}

func signalJSONL(src *source) bool {
	line, _, _ := bytes.Cut(src.head, []byte("\n"))
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	var f signalFrame
	if json.Unmarshal(line, &f) == nil && f.Backup != "" {
		return true
	}
	return bytes.Contains(src.head, []byte(`"chatItem"`)) && bytes.Contains(src.head, []byte(`"recipient"`)) && bytes.Contains(src.head, []byte(`"recipientId"`))
}

func readSignalJSONL(ctx context.Context, src *source, o Options, b *builder) error {
	s := &signalRun{b: b, zone: o.TZ, people: map[string]*signalPerson{}, byACI: map[string]*signalPerson{}, chats: map[string]*signalChat{}}
	err := src.lines(ctx, func(n int, line string) error {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		if err := s.line(n, line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(b.out.Conversations) == 0 {
		return fmt.Errorf("%w: no chat in it", ErrFormat)
	}
	return nil
}

type signalPerson struct {
	id, name string
	self     bool
	group    *signalRecipient
	bot      bool
}

type signalChat struct {
	label string
}

type signalRun struct {
	b       *builder
	zone    *time.Location
	people  map[string]*signalPerson
	byACI   map[string]*signalPerson
	chats   map[string]*signalChat
	account string
	me      *signalPerson
	backup  int64 // when the export was made, in milliseconds; 0 unknown
}

func (s *signalRun) line(n int, line string) error {
	var f signalFrame
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); !other {
			return fmt.Errorf("%w: %w", ErrFormat, jsonFault(err))
		}
	}
	if ms, err := strconv.ParseInt(string(f.Backup), 10, 64); err == nil && s.backup == 0 {
		s.backup = ms
	}
	switch {
	case f.Account != nil:
		s.account = strings.TrimSpace(f.Account.Given + " " + f.Account.Family)
		if s.me != nil && s.account != "" {
			s.me.name = s.account
		}
	case f.Recipient != nil:
		s.recipient(f.Recipient)
	case f.Chat != nil:
		s.chat(string(f.Chat.ID), string(f.Chat.RecipientID))
	case f.Item != nil:
		s.item(n, f.Item)
	}
	return nil
}

func (s *signalRun) recipient(r *signalRecipient) {
	p := &signalPerson{id: string(r.ID), self: r.Self != nil, bot: r.ReleaseNotes != nil}
	switch {
	case r.Self != nil:
		p.name = s.account
		if p.name == "" {
			p.name = "Me"
		}
		s.me = p
	case r.Contact != nil:
		c := r.Contact
		names := []string{c.SystemGiven + " " + c.SystemFamily, c.ProfileGiven + " " + c.ProfileFamily, string(c.E164), c.Username}
		if c.Nickname != nil {
			names = append([]string{c.Nickname.Given + " " + c.Nickname.Family}, names...)
		}
		p.name = slackName("recipient "+p.id, names...)
		if number := string(c.E164); number != "" && !strings.HasPrefix(p.name, "+") && p.name == number {
			p.name = "+" + number
		}
		if c.ACI != "" {
			s.byACI[c.ACI] = p
		}
	case r.Group != nil:
		p.group, p.name = r, tidy(r.Group.Snapshot.Title.Title)
	case p.bot:
		p.name = "Signal"
	default:
		p.name = "recipient " + p.id
	}
	s.people[p.id] = p
}

func (s *signalRun) chat(id, recipient string) {
	p := s.people[recipient]
	if p == nil {
		p = &signalPerson{id: recipient, name: "recipient " + recipient}
	}
	c := Conversation{Kind: Direct, SourceID: id, Title: &p.name}
	switch {
	case p.group != nil:
		c.Kind = Group
	case p.self:
		c.Kind = Self
	case p.bot:
		c.Kind = Bot
	}
	label := s.b.conversation(c)
	if p.group != nil {
		for _, m := range p.group.Group.Snapshot.Members {
			if member := s.byACI[m.UserID]; member != nil {
				s.b.member(label, member.name, member.id)
			}
		}
	} else if !p.bot {
		s.b.member(label, p.name, p.id)
	}
	s.chats[id] = &signalChat{label: label}
}

func (s *signalRun) item(n int, in *signalItem) {
	c := s.chats[string(in.ChatID)]
	if c == nil {
		s.b.skip(n, "a message of no chat")
		return
	}
	ms, err := strconv.ParseInt(string(in.DateSent), 10, 64)
	m := Message{Conversation: c.label, Kind: KindMessage}
	var ok bool
	if m.When, ok = unix(ms/1000, ms%1000*1e6, s.zone); err != nil || !ok {
		s.b.skip(n, "a message without a time")
		return
	}
	m.given = m.When.Instant.UTC().Format("2006-01-02T15:04:05.000Z")
	start, err1 := strconv.ParseInt(string(in.ExpireStart), 10, 64)
	ttl, err2 := strconv.ParseInt(string(in.ExpiresIn), 10, 64)
	if err1 == nil && err2 == nil && start > 0 && ttl > 0 {
		if s.backup == 0 || ttl > 1<<53 || start > 1<<53 || start+ttl <= s.backup {
			s.b.skip(n, "a disappearing message: its time had run out when it was exported")
			return
		}
		s.b.warn("disappearing: some messages had a timer running when they were exported; their senders didn't mean them to be kept")
	}
	author := s.people[string(in.AuthorID)]
	if author == nil {
		author = &signalPerson{id: string(in.AuthorID), name: "recipient " + string(in.AuthorID)}
	}
	if len(in.Update) > 0 {
		m.Kind, m.System, m.Actor = KindSystem, "updateMessage", author.name
		s.b.message(m)
		return
	}
	m.Sender, m.SenderID, m.Self, m.Bot = author.name, author.id, author.self, author.bot
	m.Edited = len(in.Revisions) > 0
	s.words(in, &m, c)
	number := s.b.message(m)
	s.b.numbers.set(c.label, author.id+" "+string(in.DateSent), number)
	for _, raw := range in.Revisions { // a quote may name any version
		var old signalItem
		if json.Unmarshal(raw, &old) == nil && old.DateSent != "" {
			s.b.numbers.set(c.label, author.id+" "+string(old.DateSent), number)
		}
	}
}

// words fills in what was said.
func (s *signalRun) words(in *signalItem, m *Message, c *signalChat) {
	media := func(kind string) { m.Kind, m.Media = KindMedia, append(m.Media, Media{Type: kind}) }
	switch {
	case in.Deleted != nil || in.AdminDeleted != nil:
		m.Kind, m.Deleted, m.Edited = KindSystem, true, false
	case in.Standard != nil:
		std := in.Standard
		if std.Text != nil {
			m.Text = s.text(std.Text)
		}
		for _, a := range std.Attachments {
			kind := typeByMIME(a.Pointer.ContentType, a.Pointer.FileName)
			if a.Flag == "VOICE_MESSAGE" {
				kind = "audio"
			}
			m.Media = append(m.Media, Media{Type: kind, Name: a.Pointer.FileName})
		}
		if q := std.Quote; q != nil {
			m.Quoted = &Quoted{}
			if q.Text != nil {
				m.Quoted.Text = s.text(q.Text)
			}
			if p := s.people[string(q.AuthorID)]; p != nil {
				m.Quoted.Sender = p.name
			}
			if m.ReplyTo = s.b.numbers.get(c.label, string(q.AuthorID)+" "+string(q.Sent)); m.ReplyTo == 0 && q.Sent != "" && q.Sent != "0" {
				m.ReplyToMissing = string(q.Sent)
			}
		}
		if len(m.Media) > 0 {
			m.Kind = KindMedia
		} else if m.Text == "" {
			media("unknown")
		}
	case in.StoryReply != nil:
		if in.StoryReply.TextReply != nil {
			m.Text = s.text(&in.StoryReply.TextReply.Text)
		}
		if m.Text == "" {
			media("unknown")
		}
	case in.Sticker != nil:
		media("sticker")
	case in.Contact != nil:
		media("contact")
	case in.Poll != nil:
		m.Kind, m.Media = KindMedia, []Media{{Type: "poll", Caption: tidy(in.Poll.Question)}}
	default: // view-once, payments, badges, and what is newer than this reader
		media("unknown")
	}
}

// text puts names where the app has U+FFFC for a mention; positions count UTF-16.
func (s *signalRun) text(b *signalBody) string {
	if !slices.ContainsFunc(b.Ranges, func(r signalRange) bool {
		return r.Mention != ""
	}) {
		return tidy(b.Body)
	}
	units := utf16.Encode([]rune(b.Body))
	ranges := slices.Clone(b.Ranges)
	slices.SortStableFunc(ranges, func(x, y signalRange) int {
		return y.Start - x.Start
	})
	for _, r := range ranges {
		p := s.byACI[r.Mention]
		if p == nil || r.Start < 0 || r.Length < 0 || r.Start > len(units) || r.Length > len(units)-r.Start {
			continue
		}
		units = slices.Replace(units, r.Start, r.Start+r.Length, utf16.Encode([]rune("@"+p.name))...)
	}
	return tidy(string(utf16.Decode(units)))
}
