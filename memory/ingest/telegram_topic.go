package ingest

import "slices"

// A forum's messages are in topics. One that answers the beginning of a topic was written
// into it and answers nobody; one that answers a message of a topic is in that topic, too.
// A topic has sessions of its own: what is said in one doesn't run into another.

// telegramTopics are the topics of a chat.
type telegramTopics struct {
	titles map[string]string // by the id of the message that begins it
	order  []string          // their ids, from 1 on
	of     *numbers          // the number of its topic, by message
}

// maxTopics is how many topics of a chat are told apart.
const maxTopics = 10_000

// begins notes that a message begins a topic.
func (t *telegramTopics) begins(chat *telegramChat, id, title string) {
	if t.titles == nil {
		t.titles, t.of = map[string]string{}, newNumbers(chat.b.numbers.seed)
	}
	if _, known := t.titles[id]; !known && len(t.order) < maxTopics {
		t.order = append(t.order, id)
		t.titles[id] = title
		t.of.set(chat.label, id, len(t.order))
	}
}

// is reports whether a message begins a topic.
func (t *telegramTopics) is(id string) bool {
	_, is := t.titles[id]
	return is
}

// place puts a message into its topic.
func (t *telegramTopics) place(chat *telegramChat, in *telegramMessage, m *Message) {
	if t.of == nil {
		return
	}
	n := 0
	if in.Action == "topic_created" {
		n = t.of.near(chat.label, string(in.ID))
	}
	for _, id := range []looseString{in.Thread, in.ReplyTop, in.ReplyTo} {
		if id != "" && id != "0" && (id != in.ReplyTo || in.ReplyPeer == "") && n == 0 {
			if n = t.of.near(chat.label, string(id)); n == 0 { // one may be long since
				n = slices.Index(t.order, string(id)) + 1
			}
		}
	}
	if n == 0 {
		return
	}
	m.topic = t.order[n-1]
	if in.Action == "topic_edit" && in.NewTitle != "" {
		t.titles[m.topic] = in.NewTitle
	}
	t.of.set(chat.label, string(in.ID), n)
	if title := tidy(t.titles[m.topic]); title != "" {
		if m.heading = title; chat.b.many == nil {
			if c := chat.b.conv(chat.label); c.Title != nil {
				m.heading = *c.Title + " / " + title
			}
		}
	}
}
