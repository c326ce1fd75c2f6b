package ingest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Chats with an assistant: conversations.json of ChatGPT and of Claude. What the
// assistant says is said by a program, whatever it says about the owner.

// ownerName is what the owner is called where a source doesn't name them.
func ownerName(o Options) string {
	if names := o.ownerNames(); len(names) > 0 {
		return names[0]
	}
	return NoteSender
}

// claudeReader reads Claude's export.
type claudeReader struct{}

func (claudeReader) name() string { return "claude" }

func (claudeReader) sniff(src *source, _ Options) bool {
	s := src.jsonShape()
	return s.has("[].chat_messages", "[].uuid") || s.has("chat_messages", "uuid")
}

type claudeConversation struct {
	UUID     string          `json:"uuid"`
	Name     string          `json:"name"`
	Leaf     string          `json:"current_leaf_message_uuid"` // "": not told
	Messages []claudeMessage `json:"chat_messages"`
}

type claudeMessage struct {
	UUID    string `json:"uuid"`
	Parent  string `json:"parent_message_uuid"`
	Sender  string `json:"sender"`
	Created string `json:"created_at"`
	Text    string `json:"text"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Attachments []struct {
		Name string `json:"file_name"`
	} `json:"attachments"`
	Files []struct {
		Name string `json:"file_name"`
	} `json:"files"`
}

func (claudeReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	return assistantFile(ctx, src, b, func(j *jsonStream) error {
		var c claudeConversation
		if err := j.decode(&c); err != nil {
			return err
		}
		label := assistantConversation(b, o, c.UUID, c.Name, "Claude")
		left := c.otherBranches()
		if len(left) > 0 {
			b.warnOnce("branches", branchesLeft)
		}
		for i := range c.Messages {
			if left[i] {
				continue
			}
			in := &c.Messages[i]
			m := Message{ID: in.UUID, Conversation: label, Kind: KindMessage}
			var texts []string
			for _, part := range in.Content {
				if part.Type == "text" {
					texts = append(texts, part.Text)
				}
			}
			if m.Text = tidy(strings.Join(texts, "\n")); m.Text == "" {
				m.Text = tidy(in.Text)
			}
			for _, list := range [][]struct {
				Name string `json:"file_name"`
			}{in.Attachments, in.Files} {
				for _, f := range list {
					m.Media = append(m.Media, Media{Type: mediaTypeOf(f.Name), Name: f.Name})
				}
			}
			m.When, _ = rfc3339(in.Created)
			assistantMessage(b, o, m, in.Sender == "human", "Claude")
		}
		return nil
	})
}

const branchesLeft = "branches: rewritten questions and answers made anew are left out; the branch shown last is read"

// otherBranches are the places of the messages that were written anew, with all that follows
// upon them: of several answers to one message only that counts which leads to the newest one
// (or to the one that the export says was shown). Messages that don't name what they follow
// stay.
func (c *claudeConversation) otherBranches() map[int]bool {
	place, leaf := map[string]int{}, -1
	for i, m := range c.Messages {
		if m.UUID != "" {
			place[m.UUID] = i
		}
		if leaf < 0 || m.Created >= c.Messages[leaf].Created { // RFC 3339 in UTC: in order as text
			leaf = i
		}
	}
	if i, ok := place[c.Leaf]; ok && c.Leaf != "" {
		leaf = i
	}
	shown, follows := map[int]bool{}, map[string]bool{} // the branch, and what its messages follow
	for at, ok := leaf, leaf >= 0; ok && !shown[at]; at, ok = place[c.Messages[at].Parent] {
		shown[at] = true
		if parent := c.Messages[at].Parent; parent != "" {
			follows[parent] = true
		}
		if _, named := place[c.Messages[at].Parent]; !named {
			break
		}
	}
	out := map[int]bool{}
	for i := range c.Messages {
		seen := map[int]bool{}
		for at, ok := i, true; ok && !shown[at] && !seen[at]; at, ok = place[c.Messages[at].Parent] {
			if seen[at] = true; follows[c.Messages[at].Parent] {
				out[i] = true
				break
			}
		}
	}
	return out
}

// chatGPTReader reads ChatGPT's export: each conversation is a tree, of which
// the branch that was shown last counts. Answers that were made anew and
// questions that were rewritten are other branches, left out.
type chatGPTReader struct{}

func (chatGPTReader) name() string { return "chatgpt" }

func (chatGPTReader) sniff(src *source, _ Options) bool {
	s := src.jsonShape()
	return s.has("[].mapping", "[].title") || s.has("mapping", "current_node")
}

type gptConversation struct {
	ID      string             `json:"id"`
	OtherID string             `json:"conversation_id"`
	Title   string             `json:"title"`
	Current string             `json:"current_node"`
	Mapping map[string]gptNode `json:"mapping"`
}

type gptNode struct {
	Parent   *string     `json:"parent"`
	Children []string    `json:"children"`
	Message  *gptMessage `json:"message"`
}

type gptMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
	} `json:"author"`
	Created *float64 `json:"create_time"`
	Content struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
		Text  string            `json:"text"`
	} `json:"content"`
	Recipient string `json:"recipient"`
	Metadata  struct {
		Hidden      bool `json:"is_visually_hidden_from_conversation"`
		UserContext bool `json:"is_user_system_message"`
		Attachments []struct {
			Name string `json:"name"`
			MIME string `json:"mime_type"`
		} `json:"attachments"`
	} `json:"metadata"`
}

func (chatGPTReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	return assistantFile(ctx, src, b, func(j *jsonStream) error {
		var c gptConversation
		if err := j.decode(&c); err != nil {
			return err
		}
		id := c.ID
		if id == "" {
			id = c.OtherID
		}
		label := assistantConversation(b, o, id, c.Title, "ChatGPT")
		branch := c.branch()
		if said := len(c.Mapping) - len(branch); said > 0 {
			b.warnOnce("branches", branchesLeft)
		}
		for _, in := range branch {
			c.add(b, o, label, in)
		}
		return nil
	})
}

// branch are the messages from the root to the node shown last.
func (c *gptConversation) branch() []*gptMessage {
	at := c.Current
	if _, ok := c.Mapping[at]; !ok {
		at = c.newest()
	}
	var out []*gptMessage
	seen := map[string]bool{}
	for at != "" && !seen[at] {
		seen[at] = true
		node, ok := c.Mapping[at]
		if !ok {
			break
		}
		out = append(out, node.Message)
		if at = ""; node.Parent != nil {
			at = *node.Parent
		}
	}
	slices.Reverse(out)
	return out
}

// newest is the leaf that was made last, for exports that don't say.
func (c *gptConversation) newest() string {
	best, when := "", -1.0
	for id, n := range c.Mapping {
		t := 0.0
		if n.Message != nil && n.Message.Created != nil {
			t = *n.Message.Created
		}
		if len(n.Children) == 0 && (t > when || t == when && id < best) {
			best, when = id, t
		}
	}
	return best
}

func (c *gptConversation) add(b *builder, o Options, label string, in *gptMessage) {
	if in == nil || in.Metadata.Hidden || in.Metadata.UserContext || in.Author.Role == "system" || in.Author.Role == "tool" ||
		in.Recipient != "" && in.Recipient != "all" {
		return
	}
	m := Message{ID: in.ID, Conversation: label, Kind: KindMessage}
	var texts []string
	switch in.Content.Type {
	case "text", "multimodal_text":
		for _, p := range in.Content.Parts {
			var s string
			if json.Unmarshal(p, &s) == nil {
				texts = append(texts, s)
				continue
			}
			var part struct {
				Type string `json:"content_type"`
				Text string `json:"text"`
			}
			if json.Unmarshal(p, &part) != nil {
				continue
			}
			switch part.Type {
			case "audio_transcription":
				texts = append(texts, part.Text)
			case "image_asset_pointer":
				m.Media = append(m.Media, Media{Type: "image"})
			case "audio_asset_pointer", "real_time_user_audio_video_asset_pointer":
				m.Media = append(m.Media, Media{Type: "audio"})
			}
		}
	case "code", "execution_output", "tether_quote", "tether_browsing_display", "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap", "system_error":
		return // not said to anybody
	default:
		texts = append(texts, in.Content.Text)
	}
	for _, a := range in.Metadata.Attachments {
		if kind := typeByMIME(a.MIME, a.Name); kind != "image" || len(m.Media) == 0 {
			m.Media = append(m.Media, Media{Type: kind, Name: a.Name})
		}
	}
	m.Text = tidy(strings.Join(texts, "\n"))
	if in.Created != nil && *in.Created > 0 && *in.Created < 1e11 {
		m.When, _ = unix(int64(*in.Created), 0, nil)
	}
	assistantMessage(b, o, m, in.Author.Role == "user", "ChatGPT")
}

// assistantFile walks the conversations of a file, one or a list.
func assistantFile(ctx context.Context, src *source, b *builder, each func(*jsonStream) error) error {
	j, err := openJSON(ctx, src)
	if err != nil {
		return err
	}
	defer j.close()
	if b.many == nil {
		b.many = newManyChats()
	}
	if firstByte(src.head) == '{' {
		err = each(j)
	} else {
		err = j.list(func() error { return each(j) })
	}
	if err != nil {
		return err
	}
	return j.end()
}

func assistantConversation(b *builder, o Options, id, title, bot string) string {
	c := Conversation{Kind: Bot, SourceID: id, Participants: []string{ownerName(o)}}
	if title = tidy(title); title != "" {
		c.Title = &title
	}
	label := b.conversation(c)
	b.bot(label, bot)
	return label
}

func assistantMessage(b *builder, o Options, m Message, mine bool, bot string) {
	if m.Text == "" && len(m.Media) == 0 {
		return // a node that only holds the tree together
	}
	if !m.When.Instant.IsZero() {
		if o.TZ != nil {
			m.When = privacy.At(m.When.Instant.In(o.TZ))
		}
		m.given = m.When.Instant.UTC().Format(time.RFC3339)
	}
	if m.Sender, m.Self, m.Bot = bot, false, true; mine {
		m.Sender, m.Self, m.Bot = ownerName(o), true, false
	} else {
		m.AskedBy = ownerName(o)
	}
	if len(m.Media) > 0 {
		m.Kind = KindMedia
	}
	b.message(m)
}
