package ingest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

type weFlowSession struct {
	WXID        string      `json:"wxid"`
	Nickname    string      `json:"nickname"`
	Remark      string      `json:"remark"`
	DisplayName string      `json:"displayName"`
	Type        looseString `json:"type"`
}

type weFlowMessage struct {
	LocalID     looseString `json:"localId"`
	CreateTime  looseString `json:"createTime"`
	Formatted   string      `json:"formattedTime"`
	Type        string      `json:"type"`
	Content     looseString `json:"content"`
	IsSend      looseString `json:"isSend"`
	Username    string      `json:"senderUsername"`
	DisplayName string      `json:"senderDisplayName"`
}

func readWeFlow(ctx context.Context, src *source, o Options, b *builder) error {
	j, err := openJSON(ctx, src)
	if err != nil {
		return err
	}
	defer j.close()
	w := &weFlow{b: b, zone: o.TZ}
	err = j.object(func(key string) error {
		switch key {
		case "session":
			return j.decode(&w.session)
		case "messages":
			w.open()
			return j.list(func() error {
				var m weFlowMessage
				if err := j.decode(&m); err != nil {
					return err
				}
				w.add(&m)
				return nil
			})
		}
		return j.skip()
	})
	if err != nil {
		return err
	}
	if w.label == "" {
		return fmt.Errorf("%w: no messages in it", ErrFormat)
	}
	if c := b.conv(w.label); c.Kind == Direct && c.Title != nil && len(c.Participants) == 1 && c.partIDs[0] != w.session.WXID && !c.names(*c.Title) {
		b.listens(w.label, *c.Title, w.session.WXID)
	}
	return j.end()
}

type weFlow struct {
	b       *builder
	zone    *time.Location
	session weFlowSession
	label   string
	recent  recentTexts
}

func (w *weFlow) open() {
	s := w.session
	c := Conversation{SourceID: s.WXID}
	if title := slackName("", s.Remark, s.DisplayName, s.Nickname); title != "" {
		c.Title = &title
	}
	switch {
	case strings.HasSuffix(s.WXID, "@chatroom") || strings.Contains(string(s.Type), "群"):
		c.Kind = Group
	case strings.HasPrefix(s.WXID, "gh_") || strings.Contains(string(s.Type), "公众号"):
		c.Kind = Channel
	default:
		c.Kind = Direct
	}
	w.label = w.b.conversation(c)
}

func (w *weFlow) add(in *weFlowMessage) {
	m := Message{ID: string(in.LocalID), Conversation: w.label, Kind: KindMessage}
	seconds, err := strconv.ParseInt(string(in.CreateTime), 10, 64)
	if seconds > 1e11 { // some versions write milliseconds
		seconds /= 1000
	}
	var ok bool
	if m.When, ok = unix(seconds, 0, w.zone); err != nil || !ok {
		w.b.skipMessage(m.ID, "no time")
		return
	}
	if local, err := time.Parse(time.DateTime, in.Formatted); err == nil && w.zone == nil {
		if offset := local.Sub(m.When.Instant.UTC()); offset%(15*time.Minute) == 0 && offset.Abs() <= 14*time.Hour {
			m.When.Instant = m.When.Instant.In(time.FixedZone("", int(offset.Seconds())))
			m.When.Local = local.Format(wallLayout)
		}
	}
	m.given = m.When.Instant.UTC().Format(time.RFC3339)
	content := tidy(string(in.Content))
	if in.Type == "系统消息" || in.IsSend == "" && in.Username == "" {
		m.Kind, m.Text, m.Deleted = KindSystem, content, weChatRecalled.MatchString(content)
		w.b.message(m)
		return
	}
	m.Sender, m.SenderID = slackName(in.Username, in.DisplayName), in.Username
	m.Self = in.IsSend == "1" || in.IsSend == "true"
	if m.Sender == "" {
		m.Sender = "unknown"
	}
	w.words(in, &m, content)
	w.recent.add(w.b.message(m), m.Sender, m.Text)
}

// words tells words from what stands for something attached. The words of a type
// decide, since localType isn't kept up by all exporters.
func (w *weFlow) words(in *weFlowMessage, m *Message, content string) {
	name := strings.TrimSuffix(strings.TrimSuffix(in.Type, "消息"), "卡片")
	switch {
	case in.Type == "引用消息":
		m.Text = w.quote(m, content)
	case strings.Contains(in.Type, "通话"):
		m.Kind, m.System, m.Actor, m.Sender, m.Self = KindSystem, "call", m.Sender, "", false
		return
	case in.Type == "文本消息" || in.Type == "":
		m.Text = content
		if strings.HasPrefix(content, "[引用 ") {
			m.Text = w.quote(m, content)
		}
	case strings.HasPrefix(content, "<"):
		m.Kind, m.Media = KindMedia, []Media{{Type: weChatType(name)}}
	default:
		kind, label := weChatType(name), content
		if found := weChatPlaceholder.FindStringSubmatch(firstLine(content)); found != nil {
			if kind == "unknown" {
				kind = weChatType(found[1])
			}
			label = strings.TrimSpace(found[2])
		} else if strings.HasPrefix(label, "[") && strings.HasSuffix(label, "]") {
			label = ""
		}
		m.Kind, m.Media = KindMedia, []Media{{Type: kind, Name: firstLine(label)}}
	}
	if m.Text == "" && m.Kind == KindMessage {
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
}

// quote reads "[引用 Name：words]\nanswer". The quoted words may hold a bracket
// themselves: the first end counts at which they are a message that was said.
func (w *weFlow) quote(m *Message, content string) string {
	rest, ok := strings.CutPrefix(content, "[引用 ")
	cut := strings.IndexAny(rest, ":：")
	if !ok || cut < 0 {
		return content
	}
	name := tidy(rest[:cut])
	rest = strings.TrimPrefix(strings.TrimPrefix(rest[cut:], ":"), "：")
	first := -1
	for at := 0; at < len(rest); {
		i := strings.Index(rest[at:], "]\n")
		if i < 0 {
			break
		}
		end := at + i
		at = end + 2
		if first < 0 {
			first = end
		}
		if n, _ := w.recent.find(name, rest[:end]); n > 0 {
			m.ReplyTo, first = n, end
			break
		}
		if at > 1<<16 {
			break
		}
	}
	if first < 0 {
		m.Quoted = &Quoted{Sender: name, Text: tidy(strings.TrimSuffix(rest, "]"))}
		return ""
	}
	m.Quoted = &Quoted{Sender: name, Text: tidy(rest[:first])}
	return tidy(rest[first+2:])
}
