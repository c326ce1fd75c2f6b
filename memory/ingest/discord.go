package ingest

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// discordReader reads the JSON of DiscordChatExporter: one channel a file.
type discordReader struct{}

func (discordReader) name() string { return "discord" }

func (discordReader) sniff(src *source, _ Options) bool {
	return src.jsonShape().has("guild.id", "channel.id", "channel.type")
}

type discordAuthor struct {
	ID       looseString `json:"id"`
	Name     string      `json:"name"`
	Nickname string      `json:"nickname"`
	Bot      bool        `json:"isBot"`
}

func (a *discordAuthor) shown() string {
	for _, s := range []string{a.Nickname, a.Name, string(a.ID)} {
		if s = strings.TrimSpace(tidy(s)); s != "" {
			return s
		}
	}
	return ""
}

type discordEmbed struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

type discordContent struct {
	Timestamp   string `json:"timestamp"`
	Edited      string `json:"timestampEdited"`
	Content     string `json:"content"`
	Attachments []struct {
		FileName string `json:"fileName"`
	} `json:"attachments"`
	Embeds   []discordEmbed `json:"embeds"`
	Stickers []struct {
		Name string `json:"name"`
	} `json:"stickers"`
}

type discordMessage struct {
	discordContent
	ID        looseString   `json:"id"`
	Type      looseString   `json:"type"`
	Author    discordAuthor `json:"author"`
	Reference *struct {
		Type      looseString `json:"type"`
		MessageID looseString `json:"messageId"`
		ChannelID looseString `json:"channelId"`
	} `json:"reference"`
	Forwarded   *discordContent `json:"forwardedMessage"`
	Interaction *struct {
		User discordAuthor `json:"user"`
	} `json:"interaction"`
	Poll *struct {
		Question struct {
			Text string `json:"text"`
		} `json:"question"`
	} `json:"poll"`
}

// discordWords are the types of messages that somebody wrote; the numbers are
// those of Discord for types that the exporter has no word for.
var discordWords = wordSet("Default Reply ChatInputCommand ContextMenuCommand 0 19 20 23")

func (discordReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	j, err := openJSON(ctx, src)
	if err != nil {
		return err
	}
	defer j.close()
	d := &discordChannel{b: b, zone: o.TZ}
	err = j.object(func(key string) error {
		switch key {
		case "guild":
			return j.decode(&d.guild)
		case "channel":
			return j.decode(&d.channel)
		case "messages":
			d.open()
			return j.list(func() error {
				var m discordMessage
				if err := j.decode(&m); err != nil {
					return err
				}
				d.add(&m)
				return nil
			})
		}
		return j.skip()
	})
	if err != nil {
		return err
	}
	if d.label == "" {
		return fmt.Errorf("%w: no messages in it", ErrFormat)
	}
	if c := b.conv(d.label); c.Kind == Direct && len(c.Bots) == 0 && len(c.Participants) == 1 && c.Title != nil && !c.names(*c.Title) {
		b.listens(d.label, *c.Title, "")
	}
	if c := b.conv(d.label); c.Kind == Direct && len(c.Bots) > 0 && len(c.Participants) < 2 {
		c.Kind = Bot
	}
	return j.end()
}

type discordChannel struct {
	b     *builder
	zone  *time.Location
	guild struct {
		ID   looseString `json:"id"`
		Name string      `json:"name"`
	}
	channel struct {
		ID   looseString `json:"id"`
		Type looseString `json:"type"`
		Name string      `json:"name"`
	}
	label string
}

func (d *discordChannel) open() {
	c := Conversation{SourceID: string(d.channel.ID), Kind: Channel}
	title := d.channel.Name
	switch d.channel.Type {
	case "DirectTextChat", "1":
		c.Kind = Direct
	case "DirectGroupTextChat", "3":
		c.Kind = Group
	default:
		if d.guild.Name != "" {
			title = d.guild.Name + " / " + title
		}
	}
	if title = tidy(title); title != "" {
		c.Title = &title
	}
	d.label = d.b.conversation(c)
}

func (d *discordChannel) add(in *discordMessage) {
	m := Message{ID: string(in.ID), Conversation: d.label, Kind: KindMessage, Text: tidy(in.Content), Edited: in.Edited != "", SenderID: string(in.Author.ID)}
	var ok bool
	if m.When, ok = rfc3339(in.Timestamp); !ok {
		d.b.skipMessage(m.ID, "no time")
		return
	}
	m.given = m.When.Instant.UTC().Format(time.RFC3339)
	if d.zone != nil {
		m.When.Instant = m.When.Instant.In(d.zone)
		m.When.Local = m.When.Instant.Format(wallLayout)
	}
	if !discordWords[string(in.Type)] {
		m.Kind, m.System, m.Actor = KindSystem, string(in.Type), in.Author.shown()
		d.b.numbers.set(d.label, m.ID, d.b.message(m))
		return
	}
	m.Sender, m.Bot = in.Author.shown(), in.Author.Bot
	if !m.Bot {
		d.b.owner.bears(in.Author.Name, m.SenderID)
	}
	m.Media = in.media()
	switch {
	case in.Forwarded != nil && m.Text != "": // own words with what is passed on
		if words := tidy(in.Forwarded.Content); words != "" {
			m.Quoted = &Quoted{Text: words}
		}
		m.Media = append(m.Media, in.Forwarded.media()...)
	case in.Forwarded != nil: // all of it is somebody else's, as in Telegram
		m.Forwarded, m.Text = true, tidy(in.Forwarded.Content)
		m.Media = append(m.Media, in.Forwarded.media()...)
	case m.Text == "" && m.Bot:
		m.Text = embedded(in.Embeds)
	case !m.Bot:
		m.quoteOff()
	}
	if in.Poll != nil {
		m.Media = append(m.Media, Media{Type: "poll", Caption: tidy(in.Poll.Question.Text)})
	}
	if in.Interaction != nil {
		m.AskedBy = in.Interaction.User.shown()
	}
	if len(m.Media) > 0 {
		m.Kind = KindMedia
	} else if m.Text == "" && m.Quoted != nil {
		m.Kind = KindMedia
	} else if m.Text == "" {
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
	d.answers(in, &m)
	d.b.numbers.set(d.label, m.ID, d.b.message(m))
}

func (d *discordChannel) answers(in *discordMessage, m *Message) {
	if in.Reference == nil || in.Reference.Type == "Forward" || in.Reference.Type == "1" || m.Forwarded || in.Reference.MessageID == "" {
		return
	}
	to := string(in.Reference.MessageID)
	if n := d.b.numbers.get(d.label, to); n > 0 {
		m.ReplyTo = n
		return
	}
	m.ReplyToMissing = to
}

func (c *discordContent) media() []Media {
	var out []Media
	for _, a := range c.Attachments {
		out = append(out, Media{Type: mediaTypeOf(a.FileName), Name: a.FileName})
	}
	for _, s := range c.Stickers {
		out = append(out, Media{Type: "sticker", Name: s.Name})
	}
	return out
}

// embedded are the words of a program that speaks in cards. What an address that
// a person wrote unfolds to is no word of theirs.
func embedded(embeds []discordEmbed) string {
	var out []string
	for _, e := range embeds {
		for _, s := range []string{e.Title, e.Description} {
			if s = tidy(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return strings.Join(out, "\n")
}
