package ingest

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// digest is a short stable name for fields: 13 letters and digits of a SHA-256,
// 65 bits. Each field goes in behind its length, so that ("a|b", "c") and
// ("a", "b|c") differ.
func digest(fields ...string) string {
	var room [512]byte
	b := room[:0]
	for _, f := range fields {
		b = binary.BigEndian.AppendUint64(b, uint64(len(f)))
		b = append(b, f...)
	}
	sum := sha256.Sum256(b)
	front := binary.BigEndian.Uint64(sum[:])
	const letters = "abcdefghijklmnopqrstuvwxyz234567" // base 32
	var out [13]byte
	for i := range 12 {
		out[i] = letters[front>>(59-5*i)&31]
	}
	out[12] = letters[front&15<<1|uint64(sum[8]>>7)]
	return string(out[:])
}

// conversationID is what a chat is known by when it comes again in another
// file: the source's own id (with its own word for the kind, since some apps
// number people and groups apart), else kind, title and who takes part. Names
// count as privacy.NormalizeName sees them; a title that a file's name gave
// doesn't count, since files get renamed.
func conversationID(format string, c *Conversation) string {
	if c.known != "" {
		return c.known
	}
	if c.SourceID != "" {
		if c.SourceType != "" {
			return "c-" + digest("source", format, c.SourceType, c.SourceID)
		}
		return "c-" + digest("source", format, c.SourceID)
	}
	title := ""
	if c.Title != nil && !c.fileTitle {
		title = privacy.NormalizeName(*c.Title)
	}
	who := make([]string, len(c.Participants))
	for i, p := range c.Participants {
		who[i] = privacy.NormalizeName(p)
	}
	slices.Sort(who)
	return "c-" + digest(append([]string{"chat", string(c.Kind), title, c.channel}, slices.Compact(who)...)...)
}

// chat is the conversation with a label, nil for an unknown one. Changes count where
// the Export has it in memory.
func (e *Export) chat(label string) *Conversation {
	switch i := labelled(label); {
	case e.many != nil && i >= 0 && i < e.many.n():
		return e.many.get(i)
	case i >= 0 && i < len(e.Conversations) && e.Conversations[i].ID == label:
		return &e.Conversations[i]
	}
	return nil
}

// ConversationID is what the conversation with that label is known by, "" for an
// unknown label.
func (e *Export) ConversationID(label string) string {
	if c := e.chat(label); c != nil {
		return conversationID(e.Format, c)
	}
	return ""
}

// Participants are who takes part in the conversation with that label.
func (e *Export) Participants(label string) []string {
	if c := e.chat(label); c != nil {
		return c.Participants
	}
	return nil
}

// Prints returns a fingerprint of each message of the conversation with that label,
// in order: memory.Turn.Print. Prints don't depend on the conversation's identity, so
// that a chat whose members changed between two exports is known again by its
// messages.
func (e *Export) Prints(label string) []string {
	names := newTurnIDs()
	var out []string
	for i := range e.Messages {
		if m := &e.Messages[i]; m.Conversation == label {
			print, _, _ := names.print(label, privacy.NormalizeName(m.Sender), m)
			out = append(out, print)
		}
	}
	return out
}

// Identify gives the conversation with that label an identity that is known
// already (memory.Session.Conversation of an earlier import). Sessions called
// after it use it; an unknown label changes nothing.
func (e *Export) Identify(label, conversation string) {
	if c := e.chat(label); c != nil {
		c.known = conversation
		e.know(label, c)
	}
}

// turnIDs gives messages their ids: a message is its conversation, author, time
// as given and content, with an ordinal among equals. A source's own id leads
// the id for the reader's eye ("D1:3-…"); it is not trusted to be unique.
type turnIDs struct {
	exact, loose ordinals
	names        map[string]string // normalised, of those who spoke last
}

func newTurnIDs() turnIDs {
	return turnIDs{newOrdinals(), newOrdinals(), map[string]string{}}
}

// normal is privacy.NormalizeName, which costs more than all the rest.
func (t *turnIDs) normal(name string) string {
	if n, ok := t.names[name]; ok {
		return n
	}
	if len(t.names) >= maxSpeakers {
		clear(t.names)
	}
	n := privacy.NormalizeName(name)
	t.names[strings.Clone(name)] = n
	return n
}

func (t *turnIDs) id(conversation string, m *Message) string {
	key := digest(conversation, t.normal(m.Sender), m.given, string(m.Kind), m.Text, m.ID)
	id := digest(key, strconv.Itoa(t.exact.next("", key, m.given == "")))
	if m.ID != "" {
		return m.ID + "-" + id
	}
	return "t-" + id
}

// Renamed says that somebody who is called name in the conversation with that label
// was called before when the record came to know them: fingerprints made afterwards
// are those of before.
func (e *Export) Renamed(label, name, before string) {
	if c := e.chat(label); c != nil {
		if c.formerly == nil {
			c.formerly = map[string]string{}
		}
		c.formerly[privacy.NormalizeName(name)] = before
		e.know(label, c)
	}
}

// know keeps what a conversation is known by where it isn't in memory.
func (e *Export) know(label string, c *Conversation) {
	if e.many != nil {
		e.many.known[labelled(label)] = knownAs{c.known, c.formerly}
	}
}

// before is the name under which the record came to know a sender who is called
// otherwise now, "" for others.
func (c *Conversation) before(sender string) string {
	if len(c.formerly) == 0 {
		return ""
	}
	return c.formerly[privacy.NormalizeName(sender)]
}

// knownAs is the normalised name under which a sender of a conversation is known.
func (t *turnIDs) knownAs(c *Conversation, sender string) string {
	who := t.normal(sender)
	if before, ok := c.formerly[who]; ok {
		return t.normal(before)
	}
	return who
}

// print is a fingerprint of the message by which it is known in another export of
// the chat, whatever the chat is called there and whether seconds are shown: author,
// minute and content, with an ordinal. slot is the place that a message keeps when
// its words change: the source's own id, else author and minute; "" unknown.
// who is the sender's normalised name.
//
// formerly is the message with each of the other names of its sender's account, if it
// has an id.
func (t *turnIDs) print(conversation, who string, m *Message, others ...Account) (print, slot string, formerly []memory.FormerName) {
	minute := toMinute(m.given)
	key := digest("print", who, minute, string(m.Kind), m.Text)
	ordinal := strconv.Itoa(t.loose.next(conversation, key, m.given == ""))
	print = digest(key, ordinal)
	for _, other := range others {
		if name := privacy.NormalizeName(bare(other.Name, other.ID)); m.ID != "" && name != who {
			formerly = append(formerly, memory.FormerName{Speaker: other.Name, Print: digest(digest("print", name, minute, string(m.Kind), m.Text), ordinal)})
		}
	}
	switch {
	case m.ID != "":
		slot = digest("id", m.ID)
	case len(minute) >= len("2006-01-02T15:04") && who != "":
		slot = digest("at", who, minute)
	}
	return print, slot, formerly
}

// toMinute cuts a time as given to its minute.
func toMinute(given string) string {
	const minute = "2006-01-02T15:04"
	if len(given) < len(minute) || given[4] != '-' || given[10] != 'T' && given[10] != ' ' || given[13] != ':' {
		return given
	}
	cut := given[:len(minute)]
	if strings.HasSuffix(given, "Z") {
		cut += "Z"
	}
	return cut
}

// ordinals counts equal keys, by their hashes. Equal messages of one time lie close
// together, so that only the last ones are remembered; those without a time may lie
// anywhere.
type ordinals struct {
	seed    maphash.Seed
	recent  [2]map[uint64]int32
	forever map[uint64]int32
}

func newOrdinals() ordinals {
	return ordinals{maphash.MakeSeed(), [2]map[uint64]int32{{}, {}}, map[uint64]int32{}}
}

// next is how often a key of a conversation has come before.
func (o *ordinals) next(conversation, digest string, untimed bool) int {
	key := maphash.String(o.seed, digest)
	if conversation != "" {
		key ^= maphash.String(o.seed, conversation)
	}
	if untimed {
		o.forever[key]++
		return int(o.forever[key] - 1)
	}
	n, ok := o.recent[0][key]
	if !ok {
		n = o.recent[1][key]
	}
	if len(o.recent[0]) >= nearMessages {
		o.recent[0], o.recent[1] = make(map[uint64]int32, nearMessages), o.recent[0]
	}
	o.recent[0][key] = n + 1
	return int(n)
}

// SourceID returns the source's own id of a turn or session that
// [Export.Sessions] named, "" where the source had none: "D1:3" of
// "D1:3-5wjk2…". Ids of scripts are the source's own and come back whole.
func SourceID(id string) string {
	i := len(id) - 14
	if i <= 0 || id[i] != '-' {
		return id
	}
	if own := id[:i]; own != "t" && own != "s" {
		return own
	}
	return ""
}
