package ingest

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Export is all that one file or folder holds. Its JSON is the object that
// `import --dry-run --json` prints.
type Export struct {
	Format        string         // one of Formats
	Conversations []Conversation // of mail and assistants that were opened none: see Reading.EachConversation
	Messages      []Message      // in the order of the source; Message.N counts from 1
	Skipped       []Skip
	Warnings      []string         // what the user must be told; never message text
	Deletions     int              // messages that were taken back by who said them
	Duplicates    int              // rows that are the same message twice
	People        []ProposedPerson // whom the source's address book names; proposals, never applied
	Script        *Script          // of a benchmark script folder, else nil

	source   string        // base name of the file or folder
	gap      time.Duration // Options.Gap, resolved
	topicGap time.Duration // Options.TopicGap, resolved
	speakers *speakers
	mail     *mailThreads
	many     *manyChats // holds the conversations of a source that was opened, not read
	zoneless bool       // some times carry no zone
}

// Kind is what sort of conversation it is.
type Kind string

// The kinds of conversations.
const (
	Direct  Kind = "direct"  // two people
	Group   Kind = "group"   // more than two
	Channel Kind = "channel" // one writes, many read
	Self    Kind = "self"    // the owner alone: notes
	Bot     Kind = "bot"     // the other one is a program
)

// Conversation is one chat.
type Conversation struct {
	ID           string   `json:"id"`    // a label local to this Export: "c1", "c2", …
	Title        *string  `json:"title"` // nil: unknown
	Kind         Kind     `json:"kind"`
	Participants []string `json:"participants"`
	SourceID     string   `json:"source_id,omitempty"`   // the source's own id
	SourceType   string   `json:"source_type,omitempty"` // the source's own word for its kind
	Bots         []string `json:"bots,omitempty"`        // programs that take part; no people
	SelfHint     string   `json:"self_hint,omitempty"`   // who the owner is by the source's own words, "" unsaid

	channel   string            // memory.Session.Channel, where the source has a word for it
	partIDs   []string          // ids of Participants, "" unknown
	known     string            // identity that Identify gave, "" none
	formerly  map[string]string // names under which speakers are known, by their normalised ones here
	fileTitle bool              // Title comes from a file's name: shown, but no part of the identity
}

// ProposedPerson is an entry of an address book: names and addresses that may be
// one person. It is shown to the owner and changes nothing by itself.
type ProposedPerson struct {
	Name      string   `json:"name"`
	Aliases   []string `json:"aliases,omitempty"`   // other names, nicknames, handles
	Phones    []string `json:"phones,omitempty"`    // as written in the source
	Addresses []string `json:"addresses,omitempty"` // e-mail
	SourceID  string   `json:"source_id,omitempty"` // the source's own id
}

// MessageKind is what a message is.
type MessageKind string

// The kinds of messages. Only KindMessage is somebody's words.
const (
	KindMessage MessageKind = "message"
	KindSystem  MessageKind = "system" // a notice, a call, a deleted message
	KindMedia   MessageKind = "media"  // something attached, perhaps with a caption
)

// Message is one message.
type Message struct {
	N              int
	Conversation   string // Conversation.ID
	When           privacy.Stamp
	TimeText       string // what the source says of the time, where When says less; "" nothing
	Sender         string // as the source shows it; "" nobody
	SenderID       string
	Self           bool // the owner spoke
	Kind           MessageKind
	Text           string // the words alone: no marker, no quoted part
	ReplyTo        int    // N of the message answered, 0 none
	ReplyToMissing string // the source's id of an answered message that isn't in the source
	ID             string // the source's own id
	Quoted         *Quoted
	Edited         bool
	Deleted        bool
	Forwarded      bool     // Text is somebody else's: the sender passed it on
	ForwardedFrom  string   // whose, "" unknown
	System         string   // the source's word for a notice: "channel_join"
	Actor          string   // who did what a notice tells
	Bot            bool     // a program wrote it
	AskedBy        string   // who made the program speak
	Author         string   // who wrote in the name of a channel
	Recipients     []string // ids of those it was addressed to; nil: everybody in the conversation
	OffsetSeconds  *int     // from the start of a recording
	Media          []Media

	borrowed bool // Text came with Media that a program made: nobody's words

	session string // the source's own session, "" none
	section int    // counts day separators and headings of the source
	heading string // of a note's section, or the chat and its topic
	topic   string // of a chat that has several at a time, "" none
	given   string // the time as the source writes it: part of the identity

	audience []string // with Recipients: sender and recipients by shown name
}

// Quoted is somebody else's words inside a message. They are never said by the
// sender.
type Quoted struct {
	Sender string `json:"sender"`
	Text   string `json:"text"`
}

// Media is something attached.
type Media struct {
	Type    string `json:"type"` // "image", "audio", "video", "document", "sticker", "unknown", …
	Name    string `json:"name,omitempty"`
	Caption string `json:"caption,omitempty"` // describes it; said by nobody
}

// Skip is a row that was left out: where it stands, and why.
type Skip struct {
	File    string `json:"file"`              // of a zip or folder: the path in it
	Line    int    `json:"line,omitempty"`    // from 1; 0 where lines mean nothing: then Message is given, or the whole file is left out
	Message string `json:"message,omitempty"` // the source's own id of the message, else "no. 12": its place
	Reason  string `json:"reason"`
}

// Place words where it stands: "chat.txt, line 3".
func (s Skip) Place() string {
	if s.Line > 0 {
		return s.File + ", line " + strconv.Itoa(s.Line)
	}
	if s.Message == "" {
		return s.File
	}
	return s.File + ", message " + s.Message
}

// MarshalJSON writes the object of CLI.md, version 1. Lists are never null.
func (e *Export) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Version       int            `json:"version"`
		Format        string         `json:"format"`
		Conversations []Conversation `json:"conversations"`
		Messages      []Message      `json:"messages"`
		Skipped       []Skip         `json:"skipped"`
		Warnings      []string       `json:"warnings"`
		Duplicates    int            `json:"duplicates,omitempty"`

		People []ProposedPerson `json:"people,omitempty"`
	}{1, e.Format, conversations(e.Conversations), list(e.Messages), list(e.Skipped), list(e.Warnings), e.Duplicates, e.People})
}

// conversations are cs with lists that aren't null.
func conversations(cs []Conversation) []Conversation {
	out := make([]Conversation, len(cs))
	for i, c := range cs {
		c.Participants = list(c.Participants)
		out[i] = c
	}
	return out
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// MarshalJSON writes a message as the import cases do: time is RFC 3339, or
// null where no zone is known; then time_local is the wall clock, the date, or
// null where nothing is known. time_text is what the source says where that is more.
func (m Message) MarshalJSON() ([]byte, error) {
	out := struct {
		N              int             `json:"n"`
		ID             string          `json:"id,omitempty"`
		Conversation   string          `json:"conversation"`
		Time           *string         `json:"time"`
		TimeLocal      json.RawMessage `json:"time_local,omitempty"`
		TimeText       string          `json:"time_text,omitempty"`
		Sender         *string         `json:"sender"`
		SenderID       string          `json:"sender_id,omitempty"`
		Self           bool            `json:"self,omitempty"`
		Kind           MessageKind     `json:"kind"`
		Text           string          `json:"text"`
		ReplyTo        *int            `json:"reply_to"`
		ReplyToMissing string          `json:"reply_to_missing,omitempty"`
		Quoted         *Quoted         `json:"quoted,omitempty"`
		Edited         bool            `json:"edited,omitempty"`
		Deleted        bool            `json:"deleted,omitempty"`
		Forwarded      bool            `json:"forwarded,omitempty"`
		ForwardedFrom  string          `json:"forwarded_from,omitempty"`
		System         string          `json:"system,omitempty"`
		Actor          string          `json:"actor,omitempty"`
		Bot            bool            `json:"bot,omitempty"`
		AskedBy        string          `json:"asked_by,omitempty"`
		Author         string          `json:"author,omitempty"`
		Recipients     []string        `json:"recipients,omitempty"`
		OffsetSeconds  *int            `json:"offset_seconds,omitempty"`
		Media          []Media         `json:"media,omitempty"`
	}{
		N: m.N, ID: m.ID, Conversation: m.Conversation, TimeText: m.TimeText, SenderID: m.SenderID, Self: m.Self, Kind: m.Kind,
		Text: m.Text, ReplyToMissing: m.ReplyToMissing, Quoted: m.Quoted, Edited: m.Edited, Deleted: m.Deleted,
		Forwarded: m.Forwarded, ForwardedFrom: m.ForwardedFrom, System: m.System, Actor: m.Actor, Bot: m.Bot,
		AskedBy: m.AskedBy, Author: m.Author, Recipients: m.Recipients, OffsetSeconds: m.OffsetSeconds, Media: m.Media,
	}
	switch {
	case !m.When.Instant.IsZero():
		s := m.When.Instant.Format(time.RFC3339)
		out.Time = &s
	case m.When.Local != "":
		local, err := json.Marshal(m.When.Local)
		if err != nil {
			return nil, err
		}
		out.TimeLocal = local
	default:
		out.TimeLocal = json.RawMessage("null")
	}
	if m.Sender != "" {
		out.Sender = &m.Sender
	}
	if m.ReplyTo > 0 {
		out.ReplyTo = &m.ReplyTo
	}
	return json.Marshal(out)
}
