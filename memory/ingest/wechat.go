package ingest

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// weChatReader reads what the tools that can export WeChat write: the JSON of
// WeFlow and EchoTrace, and the CSV and TXT of WeChatMsg.
type weChatReader struct{}

func (weChatReader) name() string { return "wechat" }

func (weChatReader) sniff(src *source, _ Options) bool {
	switch {
	case src.whole():
		return false
	case firstByte(src.head) == '{':
		s := src.jsonShape()
		return s.has("weflow") || s.has("session.wxid", "messages") || s.has("session.wxid", "session.type")
	case weChatCSV(src.head):
		return true
	}
	return weChatText(src.head)
}

func (weChatReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	switch {
	case firstByte(src.head) == '{':
		return readWeFlow(ctx, src, o, b)
	case weChatCSV(src.head):
		return readWeChatCSV(ctx, src, o, b)
	}
	return readWeChatText(ctx, src, o, b)
}

var weChatRecalled = lazily(`撤回了一条消息|撤回了一條訊息|recalled a message`)

// weChatPlaceholder is a body that stands for something attached, perhaps with
// its name.
var weChatPlaceholder = lazily(`^\[(图片|圖片|照片|语音|語音|视频|影片|文件|表情包|表情|动画表情|位置|地理位置|名片|红包|微信红包|转账|链接|小程序|聊天记录|合并转发|音乐|视频号|直播|接龙|语音通话|视频通话|通话|卡片|分享|引用|未知消息|Photo|Voice|Video|File|Sticker|Location|Link|Contact Card|Red Packet|Transfer)\](.*)$`)

var weChatTypes = map[string]string{
	"图片": "image", "圖片": "image", "照片": "image", "photo": "image", "语音": "audio", "語音": "audio", "voice": "audio", "视频": "video", "影片": "video", "video": "video",
	"文件": "document", "file": "document", "表情包": "sticker", "表情": "sticker", "动画表情": "sticker", "sticker": "sticker", "位置": "location", "地理位置": "location", "location": "location",
	"名片": "contact", "contact card": "contact", "红包": "red_packet", "微信红包": "red_packet", "red packet": "red_packet", "转账": "transfer", "transfer": "transfer",
	"链接": "link", "link": "link", "分享": "link", "卡片": "link", "小程序": "link", "音乐": "link", "视频号": "link", "聊天记录": "forwarded", "合并转发": "forwarded",
}

func weChatType(word string) string {
	if kind, ok := weChatTypes[strings.ToLower(word)]; ok {
		return kind
	}
	return "unknown"
}

// weChatTitle drops what exporters add to a chat's name.
func weChatTitle(stem string) string {
	stem = dropCopy(stem)
	for _, suffix := range []string{"_utf8", "_utf-8", "_gbk", "_ansi", "_chat"} {
		stem = strings.TrimSuffix(stem, suffix)
	}
	return strings.TrimSpace(stem)
}

// weChatGroup makes a chat a group of which a notice says that it is one.
func weChatGroup(b *builder, label, notice string) {
	if strings.Contains(notice, "群聊") || strings.Contains(notice, "群名") {
		b.conv(label).Kind = Group
	}
}

var weChatColumns = []string{"localId", "TalkerId", "Type", "IsSender", "CreateTime", "StrContent"}

func weChatCSV(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	for _, name := range weChatColumns {
		if !bytes.Contains(line, []byte(name)) {
			return false
		}
	}
	return bytes.IndexByte(line, ',') > 0
}

func readWeChatCSV(ctx context.Context, src *source, o Options, b *builder) error {
	column := map[string]int{}
	label := ""
	err := src.rows(ctx, func(n, line int, row []string) error {
		if n == 1 {
			for i, name := range row {
				column[strings.TrimSpace(name)] = i
			}
			return nil
		}
		if label == "" {
			c := Conversation{}
			if title := weChatTitle(src.stem()); title != "" {
				c.Title, c.fileTitle = &title, true
			}
			label = b.conversation(c)
		}
		field := func(name string) string {
			if i, ok := column[name]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		weChatRow(b, o, label, line, field)
		return nil
	})
	switch {
	case err != nil:
		return err
	case label == "":
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	weChatHears(b, label)
	return nil
}

// weChatRow reads one row. The numbers are WeChat's own types of messages.
func weChatRow(b *builder, o Options, label string, line int, field func(string) string) {
	m := Message{ID: strings.Clone(field("localId")), Conversation: label, Kind: KindMessage}
	seconds, err := strconv.ParseInt(field("CreateTime"), 10, 64)
	var ok bool
	if m.When, ok = unix(seconds, 0, o.TZ); err != nil || !ok {
		b.skip(line, "a row without a time")
		return
	}
	if local, err := time.Parse(time.DateTime, field("StrTime")); err == nil && o.TZ == nil {
		if offset := local.Sub(m.When.Instant.UTC()); offset%(15*time.Minute) == 0 && offset.Abs() <= 14*time.Hour {
			m.When.Instant = m.When.Instant.In(time.FixedZone("", int(offset.Seconds())))
			m.When.Local = local.Format(wallLayout)
		}
	}
	m.given = m.When.Instant.UTC().Format(time.RFC3339)
	content := tidy(field("StrContent"))
	m.SenderID = strings.Clone(field("Sender"))
	if field("IsSender") == "1" {
		m.Sender, m.Self = "Me", true
	} else {
		m.Sender = strings.Clone(slackName(m.SenderID, field("Remark"), field("NickName")))
	}
	kind := field("Type")
	if kind == "10000" || kind == "10002" || m.Sender == "" {
		m.Kind, m.Sender, m.SenderID, m.Self = KindSystem, "", "", false
		m.Text, m.Deleted = content, weChatRecalled.MatchString(content)
		weChatGroup(b, label, content)
		b.message(m)
		return
	}
	media := func(kind string) { m.Kind, m.Media = KindMedia, []Media{{Type: kind}} }
	switch kind {
	case "1":
		if m.Text = content; m.Text == "" {
			media("unknown")
		}
	case "3":
		media("image")
	case "34":
		media("audio")
	case "42", "66":
		media("contact")
	case "43", "62":
		media("video")
	case "47":
		media("sticker")
	case "48":
		media("location")
	case "50":
		m.Kind, m.System, m.Actor, m.Sender, m.SenderID, m.Self = KindSystem, "call", m.Sender, "", "", false
	case "49":
		words := ""
		if field("SubType") == "57" && content != "" && !strings.HasPrefix(content, "<") {
			words = content
		}
		if m.Text = weChatQuote(&m, words, nil); m.Text == "" {
			media(map[string]string{"6": "document", "4": "link", "5": "link", "33": "link", "36": "link", "8": "gif", "2000": "transfer", "2001": "red_packet", "19": "forwarded"}[field("SubType")])
			if m.Media[0].Type == "" {
				m.Media[0].Type = "unknown"
			}
		}
	default:
		media("unknown")
	}
	b.message(m)
}

// weChatQuote takes "引用:Name:words" off the end of a body. recent may be nil.
func weChatQuote(m *Message, body string, recent *recentTexts) string {
	i := strings.LastIndex("\n"+body, "\n引用")
	if i < 0 {
		return body
	}
	rest := strings.TrimLeft(body[min(len(body), i+len("引用")):], " ")
	if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "：") {
		return body
	}
	rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, ":"), "："), " ")
	cut := strings.IndexAny(rest, ":：")
	if cut < 0 {
		return body
	}
	name, quoted := rest[:cut], strings.TrimPrefix(strings.TrimPrefix(rest[cut:], ":"), "：")
	m.Quoted = &Quoted{Sender: tidy(name), Text: tidy(quoted)}
	if recent != nil {
		m.ReplyTo, _ = recent.find(m.Quoted.Sender, m.Quoted.Text)
	}
	return tidy(body[:max(0, i-1)])
}

var weChatHead = lazily(`^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (\S.*)$`)

func weChatText(head []byte) bool {
	heads, spoken := 0, 0
	blank, last := true, false
	for i, raw := range strings.SplitN(string(head), "\n", 300) {
		line := strings.TrimSuffix(raw, "\r")
		m := weChatHead.FindStringSubmatch(line)
		switch {
		case m != nil && blank && !strings.Contains(m[2], ": ") && !strings.HasPrefix(m[2], "- "):
			heads++
			last = true
		case i == 0:
			return false
		default:
			if last && strings.TrimSpace(line) != "" {
				spoken++
			}
			last = false
		}
		blank = strings.TrimSpace(line) == ""
	}
	return heads >= 1 && spoken >= 1
}

func readWeChatText(ctx context.Context, src *source, o Options, b *builder) error {
	c := Conversation{}
	if title := weChatTitle(src.stem()); title != "" {
		c.Title, c.fileTitle = &title, true
	}
	w := &weChatWriter{b: b, times: timeline{b: b, zone: o.TZ}, blank: true, speaks: map[string]bool{}}
	blank, name := true, ""
	if err := src.lines(ctx, func(_ int, raw string) error {
		was := blank
		if blank = strings.TrimSpace(unmark(raw)) == ""; !blank && name != "" && len(w.speaks) < maxSpeakers && !w.speaks[name] {
			w.speaks[strings.Clone(name)] = true // words stand below it
		}
		if name = ""; was {
			if m := weChatHead.FindStringSubmatch(unmark(raw)); m != nil {
				if _, err := time.Parse(time.DateTime, m[1]); err == nil {
					name = tidy(m[2])
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	w.label = b.conversation(c)
	if err := src.lines(ctx, func(n int, raw string) error {
		w.line(n, raw)
		return nil
	}); err != nil {
		return err
	}
	w.flush()
	w.odd.tell(b)
	if b.count == 0 {
		return fmt.Errorf("%w: no message in it", ErrEmpty)
	}
	weChatHears(b, w.label)
	return nil
}

// weChatHears adds the one whom the file is called after, where only the owner has
// written.
func weChatHears(b *builder, label string) {
	c := b.conv(label)
	if c.Kind != "" || c.Title == nil || !b.onlyOwner(label) {
		return
	}
	if names := partyNames(*c.Title); len(names) == 1 {
		b.listens(label, names[0], "")
	}
}

type weChatWriter struct {
	b      *builder
	label  string
	times  timeline
	recent recentTexts
	open   *Message
	name   string
	body   []string
	blank  bool
	speaks map[string]bool // who does, by the messages whose time can be read
	odd    oddStamps
	lost   bool // within a message that is left out
}

func (w *weChatWriter) line(n int, raw string) {
	blank := w.blank
	w.blank = strings.TrimSpace(unmark(raw)) == ""
	if blank {
		if m := weChatHead.FindStringSubmatch(unmark(raw)); m != nil {
			if at, err := time.Parse(time.DateTime, m[1]); err == nil {
				w.flush()
				w.open, w.name, w.lost = &Message{Conversation: w.label, Kind: KindMessage, When: w.times.at(at)}, strings.TrimSpace(m[2]), false
				w.open.given = w.open.When.Local
				return
			}
		}
		if m := oddWithWho.FindStringSubmatch(unmark(raw)); m != nil {
			w.flush()
			w.odd.see(n)
			if name := tidy(m[2]); !w.speaks[name] && !selfNames[name] && !w.b.named(w.label, name) {
				w.lost = true
				w.b.skip(n, skipOdd)
				return
			}
			w.open, w.name, w.lost = &Message{Conversation: w.label, Kind: KindMessage, given: m[1]}, strings.TrimSpace(m[2]), false
			return
		}
	}
	switch {
	case w.lost:
	case w.open != nil:
		w.body = append(w.body, raw)
	case !w.blank:
		w.b.skip(n, "before the first message")
	}
}

// flush hands over the open message. One without words is a notice: what stands
// behind its time is no name.
func (w *weChatWriter) flush() {
	if w.open == nil {
		return
	}
	m, text := w.open, tidy(strings.Join(w.body, "\n"))
	body := w.body
	w.open, w.body = nil, nil
	if text == "" || strings.TrimSpace(body[0]) == "" && weChatRecalled.MatchString(w.name) {
		m.Kind, m.Text, m.Deleted = KindSystem, tidy(w.name), weChatRecalled.MatchString(w.name)
		weChatGroup(w.b, w.label, m.Text)
		w.b.message(*m)
		return
	}
	m.Sender = tidy(w.name)
	m.Self = selfNames[m.Sender]
	if found := weChatPlaceholder.FindStringSubmatch(firstLine(text)); found != nil {
		m.Kind, m.Media = KindMedia, []Media{{Type: weChatType(found[1]), Name: weChatCard(found[2])}}
		if strings.Contains(found[1], "通话") {
			m.Kind, m.System, m.Actor, m.Sender, m.Self, m.Media = KindSystem, "call", m.Sender, "", false, nil
		}
	} else {
		m.Text = weChatQuote(m, text, &w.recent)
	}
	if m.Text == "" && m.Kind == KindMessage {
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
	w.recent.add(w.b.message(*m), m.Sender, m.Text)
}

// weChatCard is the title of a card: ":title:…", or what stands there.
func weChatCard(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), ":：")
	return strings.TrimSpace(strings.TrimPrefix(s, "title:"))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}
