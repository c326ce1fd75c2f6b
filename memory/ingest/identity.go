package ingest

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
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
	h := sha256.New()
	var n [8]byte
	for _, f := range fields {
		binary.BigEndian.PutUint64(n[:], uint64(len(f)))
		h.Write(n[:])
		h.Write([]byte(f))
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:13])
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

// ConversationID is what the conversation with that label is known by, "" for an
// unknown label.
func (e *Export) ConversationID(label string) string {
	for i := range e.Conversations {
		if e.Conversations[i].ID == label {
			return conversationID(e.Format, &e.Conversations[i])
		}
	}
	return ""
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
	for i := range e.Conversations {
		if e.Conversations[i].ID == label {
			e.Conversations[i].known = conversation
		}
	}
}

// turnIDs gives messages their ids: a message is its conversation, author, time
// as given and content, with an ordinal among equals. A source's own id leads
// the id for the reader's eye ("D1:3-…"); it is not trusted to be unique.
type turnIDs struct{ exact, loose ordinals }

func newTurnIDs() turnIDs { return turnIDs{newOrdinals(), newOrdinals()} }

func (t *turnIDs) id(conversation string, m *Message) string {
	key := digest(conversation, privacy.NormalizeName(m.Sender), m.given, string(m.Kind), m.Text, m.ID)
	id := digest(key, strconv.Itoa(t.exact.next(key, m.given == "")))
	if m.ID != "" {
		return m.ID + "-" + id
	}
	return "t-" + id
}

// Renamed says that somebody who is called name in the conversation with that label
// was called before when the record came to know them: fingerprints made afterwards
// are those of before.
func (e *Export) Renamed(label, name, before string) {
	for i := range e.Conversations {
		if c := &e.Conversations[i]; c.ID == label {
			if c.formerly == nil {
				c.formerly = map[string]string{}
			}
			c.formerly[privacy.NormalizeName(name)] = before
		}
	}
}

// knownAs is the normalised name under which a sender is known.
func (c *Conversation) knownAs(sender string) string {
	who := privacy.NormalizeName(sender)
	if c != nil {
		if before, ok := c.formerly[who]; ok {
			return privacy.NormalizeName(before)
		}
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
	ordinal := strconv.Itoa(t.loose.next(conversation+key, m.given == ""))
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

// ordinals counts equal keys. Equal messages of one time lie close together, so
// that only the last ones are remembered; those without a time may lie anywhere.
type ordinals struct {
	recent  [2]map[string]int
	forever map[string]int
}

func newOrdinals() ordinals {
	return ordinals{[2]map[string]int{{}, {}}, map[string]int{}}
}

// next is how often key has come before.
func (o *ordinals) next(key string, untimed bool) int {
	if untimed {
		o.forever[key]++
		return o.forever[key] - 1
	}
	n, ok := o.recent[0][key]
	if !ok {
		n = o.recent[1][key]
	}
	if len(o.recent[0]) >= nearMessages {
		o.recent[0], o.recent[1] = make(map[string]int, nearMessages), o.recent[0]
	}
	o.recent[0][key] = n + 1
	return n
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
