package ingest

import (
	"path"
	"slices"
	"strings"
)

// A chat in which only one has written says nothing of who read it. Where the app
// names the other party, in the chat's name, its header or the file's name, that one
// is a listener.

// listens adds somebody who hasn't written to a conversation. id is the source's own.
func (b *builder) listens(conversation, name, id string) {
	b.names.know(cleanName(name), id)
	b.member(conversation, name, id)
}

// settleKind says what a chat of few is by its title. sure: the title is the
// app's, not merely the name of a file. Then a chat of two whose title is neither
// of them is a group, and where only one has spoken the title is the other.
func settleKind(b *builder, label string, sure bool) {
	c := b.conv(label)
	if c.Title == nil || c.Kind != "" || !sure || c.names(*c.Title) {
		return
	}
	switch len(c.Participants) {
	case 1:
		b.listens(label, *c.Title, "")
	case 2:
		c.Kind = Group
	}
}

// names reports whether somebody who takes part bears a name, as a file would.
func (c *Conversation) names(name string) bool {
	return slices.ContainsFunc(c.Participants, func(p string) bool { return fileForm(p) == fileForm(name) })
}

// named reports whether a conversation is called after somebody.
func (b *builder) named(label, name string) bool {
	title := b.conv(label).Title
	return title != nil && name != "" && fileForm(*title) == fileForm(name)
}

// onlyOwner reports whether the owner, by the export's own word, is the only one who
// has written in a conversation.
func (b *builder) onlyOwner(label string) bool {
	c := b.conv(label)
	return len(c.Participants) == 1 && (selfNames[strings.ToLower(c.Participants[0])] || b.isSelf(c.Participants[0], c.partIDs[0]))
}

// plainStems are names of files that name nobody.
var plainStems = wordSet("chat chats message messages export exports conversation conversations orphaned text texts imessage imessages sms wechat weixin whatsapp signal telegram line backup history archive data output untitled new download 聊天记录 聊天 消息 微信 导出 新建文本文档")

// partyNames are the people after whom a chat's file is called: "Bo", "Bo, Cy". A
// number behind the name, as copies have, is dropped.
func partyNames(stem string) []string {
	stem = strings.TrimSpace(dropCopy(unmark(stem)))
	var out []string
	for name := range strings.SplitSeq(stem, ", ") {
		if name = strings.TrimSpace(name); name == "" || plainStems[strings.ToLower(name)] {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// dropCopy takes off the " (1)" of a second copy in a folder of downloads.
func dropCopy(stem string) string {
	if i := strings.LastIndex(stem, " ("); i > 0 && strings.HasSuffix(stem, ")") && strings.Trim(stem[i+2:len(stem)-1], "0123456789") == "" {
		return stem[:i]
	}
	return stem
}

// chatWith are how people and apps name the file of one chat, in lower case; the
// other party stands where % is.
var chatWith = strings.Split("chat with %|conversation with %|messages with %|chat history with %|chat mit %|gespräch mit %|chat con %|conversación con %|conversa com %|chat com %|chat avec %|conversation avec %|discussion avec %|chat met %|czat z %|чат с %|与%的聊天记录|与%的聊天|和%的聊天记录|與%的聊天記錄|%とのトーク", "|")

// chatWithWhom takes the other party's name from the name of a file.
func chatWithWhom(stem string) (string, bool) {
	stem = strings.TrimSpace(dropCopy(unmark(stem)))
	lower := strings.ToLower(stem)
	if len(lower) != len(stem) {
		lower = stem
	}
	for _, form := range chatWith {
		before, after, _ := strings.Cut(form, "%")
		if len(stem) > len(before)+len(after) && strings.HasPrefix(lower, before) && strings.HasSuffix(lower, after) {
			if name := strings.TrimSpace(stem[len(before) : len(stem)-len(after)]); name != "" {
				return name, true
			}
		}
	}
	return "", false
}

// stemOf is a name without its extension, if that is one and not a part of the name.
func stemOf(name string) string {
	if ext := path.Ext(name); len(ext) <= 9 && !strings.Contains(ext, " ") {
		return strings.TrimSuffix(name, ext)
	}
	return name
}
