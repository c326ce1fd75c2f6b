package ingest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// plain resolves Slack's markup: <@U…> to a name, <url|label> to both, and the
// three escapes.
func (w *slackWorkspace) plain(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return tidy(s)
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		b.WriteString(unescape(s[:i]))
		b.WriteString(w.mark(s[i+1 : i+end]))
		s = s[i+end+1:]
	}
	b.WriteString(unescape(s))
	return tidy(b.String())
}

var slackEscapes = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

func unescape(s string) string { return slackEscapes.Replace(s) }

// mark is what stands between < and >.
func (w *slackWorkspace) mark(s string) string {
	target, label, labelled := strings.Cut(s, "|")
	label = unescape(label)
	switch {
	case target == "":
		return ""
	case target[0] == '@':
		if name := w.names[target[1:]]; name != "" || label == "" {
			return "@" + w.shown(target[1:])
		}
		return "@" + label
	case target[0] == '#':
		if name := w.rooms[target[1:]]; name != "" {
			return "#" + name
		}
		if label != "" {
			return "#" + label
		}
		return target
	case strings.HasPrefix(target, "!date^"):
		return label
	case strings.HasPrefix(target, "!subteam^"):
		if label != "" {
			return "@" + strings.TrimPrefix(label, "@")
		}
		return "@" + target[len("!subteam^"):]
	case target[0] == '!':
		return "@" + target[1:]
	}
	url := unescape(target)
	address := strings.TrimPrefix(strings.TrimPrefix(url, "mailto:"), "tel:")
	if !labelled || label == "" || label == url || label == address {
		return address
	}
	return label + " (" + address + ")"
}

// slackBlock is a piece of Slack's rich text; what it holds depends on its type.
type slackBlock struct {
	Type     string          `json:"type"`
	Elements []slackBlock    `json:"elements"`
	Text     json.RawMessage `json:"text"` // a string, or an object with a text
	UserID   string          `json:"user_id"`
	Channel  string          `json:"channel_id"`
	Range    string          `json:"range"`
	Name     string          `json:"name"`
	Unicode  string          `json:"unicode"`
	URL      string          `json:"url"`
	Fields   []slackBlock    `json:"fields"`
}

// blocks are the words of rich text, for messages that carry no other.
func (w *slackWorkspace) blocks(blocks []slackBlock) string {
	var out []string
	for i := range blocks {
		if s := tidy(w.block(&blocks[i], 0)); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

func (w *slackWorkspace) block(e *slackBlock, depth int) string {
	if depth > 20 {
		return ""
	}
	text := ""
	if len(e.Text) > 0 {
		var inner struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(e.Text, &text) != nil && json.Unmarshal(e.Text, &inner) == nil {
			text = w.plain(inner.Text)
		}
	}
	switch e.Type {
	case "user":
		return "@" + w.shown(e.UserID)
	case "channel":
		return "#" + slackName(e.Channel, w.rooms[e.Channel])
	case "broadcast":
		return "@" + e.Range
	case "emoji":
		if s := emojiOf(e.Unicode); s != "" {
			return s
		}
		return ":" + e.Name + ":"
	case "link":
		if text != "" && text != e.URL {
			return text + " (" + e.URL + ")"
		}
		return e.URL
	case "rich_text_quote":
		return "" // somebody else's words
	}
	var b strings.Builder
	b.WriteString(text)
	for i := range e.Elements {
		s := w.block(&e.Elements[i], depth+1)
		if strings.HasPrefix(e.Elements[i].Type, "rich_text_") && b.Len() > 0 && s != "" && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(s)
	}
	for i := range e.Fields {
		b.WriteString("\n" + w.block(&e.Fields[i], depth+1))
	}
	return b.String()
}

// emojiOf reads "1f44b-1f3fd".
func emojiOf(codes string) string {
	var b strings.Builder
	for code := range strings.SplitSeq(codes, "-") {
		n, err := strconv.ParseUint(code, 16, 32)
		if err != nil || n == 0 || n > 0x10ffff {
			return ""
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}
