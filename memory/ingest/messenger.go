package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// messengerReader reads what Facebook Messenger and Instagram export as JSON: a folder
// a chat, with message_1.json, message_2.json and so on, of which the first holds the
// latest messages; and the file a chat of Messenger's encrypted chats.
//
// Its strings hold each byte of their UTF-8 as a character of its own, see unescaped.
// Messages stand with the latest first, so that a file is held whole: apps put 10,000
// messages in one, and maxThread bounds it.
type messengerReader struct{}

func (messengerReader) name() string { return "messenger" }

// maxThread is how many bytes of messages one file of a chat may hold.
const maxThread = 256 << 20

var messengerFile = lazily(`^message_(\d{1,6})\.json$`)

func (messengerReader) sniff(src *source, _ Options) bool {
	if src.whole() {
		return len(messengerFiles(src)) > 0
	}
	s := src.jsonShape()
	return s.has("participants", "messages") && (s.has("messages[].sender_name", "messages[].timestamp_ms") || s.has("messages[].senderName", "messages[].timestamp") ||
		s.has("thread_path") && (s.has("messages[].timestamp_ms") || s.has("title")))
}

// messengerFiles are the files of chats in a zip or folder: by chat, the oldest first.
func messengerFiles(src *source) []string {
	var out []string
	for _, name := range src.in.names {
		if messengerFile.MatchString(path.Base(name)) {
			out = append(out, name)
		}
	}
	number := func(name string) int { return atoi(messengerFile.FindStringSubmatch(path.Base(name))[1]) }
	slices.SortFunc(out, func(a, b string) int {
		if n := strings.Compare(path.Dir(a), path.Dir(b)); n != 0 {
			return n
		}
		return number(b) - number(a)
	})
	return out
}

func (messengerReader) read(ctx context.Context, src *source, o Options, b *builder) error {
	m := &messengerRun{b: b, zone: o.TZ, labels: map[string]string{}}
	if !src.whole() {
		return m.file(ctx, src)
	}
	if err := m.owner(ctx, src); err != nil {
		return err
	}
	for _, name := range messengerFiles(src) {
		part, err := src.part(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		b.file = name
		if err := m.file(ctx, part); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

type messengerRun struct {
	b      *builder
	zone   *time.Location
	me     string            // the name of the account, "" unknown
	labels map[string]string // conversations by the thread's path
}

// owner reads whose account it is, where the export says so.
func (r *messengerRun) owner(ctx context.Context, src *source) error {
	for _, name := range src.in.names {
		base := path.Base(name)
		if base != "profile_information.json" && base != "personal_information.json" {
			continue
		}
		part, err := src.part(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		j, err := openJSON(ctx, part)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var p struct {
			Profile struct {
				Name struct {
					Full string `json:"full_name"`
				} `json:"name"`
			} `json:"profile_v2"`
			User []struct {
				Data map[string]struct {
					Value string `json:"value"`
				} `json:"string_map_data"`
			} `json:"profile_user"`
		}
		err = j.decode(&p)
		j.close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r.me = p.Profile.Name.Full; r.me == "" && len(p.User) > 0 {
			r.me = p.User[0].Data["Name"].Value
		}
		if r.me = tidy(unescaped(r.me)); r.me != "" {
			return nil
		}
	}
	return nil
}

type messengerMessage struct {
	Sender    string      `json:"sender_name"`
	Millis    looseString `json:"timestamp_ms"`
	Content   string      `json:"content"`
	Type      string      `json:"type"`
	Unsent    bool        `json:"is_unsent"`
	Call      looseString `json:"call_duration"`
	Photos    []uriOf     `json:"photos"`
	Videos    []uriOf     `json:"videos"`
	Audio     []uriOf     `json:"audio_files"`
	GIFs      []uriOf     `json:"gifs"`
	Files     []uriOf     `json:"files"`
	Sticker   *uriOf      `json:"sticker"`
	Share     *shareOf    `json:"share"`
	Users     []partyName `json:"users"`
	SenderE2E string      `json:"senderName"` // of encrypted chats
	TimeE2E   looseString `json:"timestamp"`
	TextE2E   string      `json:"text"`
	UnsentE2E bool        `json:"isUnsent"`
	Media     []uriOf     `json:"media"`

	at int64
	n  int // its place in the file
}

type uriOf struct {
	URI string `json:"uri"`
}

type shareOf struct {
	Link  string `json:"link"`
	Text  string `json:"share_text"`
	Owner string `json:"original_content_owner"`
}

// partyName is a participant: a name, or an object with one.
type partyName string

func (p *partyName) UnmarshalJSON(b []byte) error {
	var named struct {
		Name string `json:"name"`
	}
	if len(b) > 0 && b[0] == '{' {
		err := json.Unmarshal(b, &named)
		*p = partyName(named.Name)
		return err
	}
	return (*looseString)(p).UnmarshalJSON(b)
}

// unescaped makes text of a string that holds each byte of its UTF-8 as a character. A
// string that doesn't is as it should be.
func unescaped(s string) string {
	high := false
	for _, r := range s {
		if r > 0xff {
			return s
		}
		high = high || r >= 0x80
	}
	if !high {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	if !utf8.Valid(b) {
		return s
	}
	return string(b)
}

// messengerThread is a file of a chat.
type messengerThread struct {
	title, path, kind string
	encrypted         bool
	parties           []string
	messages          []messengerMessage
}

func (r *messengerRun) file(ctx context.Context, src *source) error {
	j, err := openJSON(ctx, src)
	if err != nil {
		return err
	}
	defer j.close()
	var t messengerThread
	var title, threadName, kind, place looseString
	var parties []partyName
	start := int64(0)
	err = j.object(func(key string) error {
		switch key {
		case "participants":
			return j.decode(&parties)
		case "title":
			return j.decode(&title)
		case "threadName":
			t.encrypted = true
			return j.decode(&threadName)
		case "thread_type":
			return j.decode(&kind)
		case "thread_path":
			return j.decode(&place)
		case "messages":
			start = j.dec.InputOffset()
			return j.list(func() error {
				if j.dec.InputOffset()-start > maxThread {
					return j.fault(fmt.Errorf("%w: more than %d MiB of messages in one file of a chat; import its parts", ErrTooLong, maxThread>>20))
				}
				var m messengerMessage
				if err := j.decode(&m); err != nil {
					return err
				}
				m.n = len(t.messages) + 1
				t.messages = append(t.messages, m)
				return nil
			})
		}
		return j.skip()
	})
	if err != nil {
		return err
	}
	if err := j.end(); err != nil {
		return err
	}
	t.title, t.kind, t.path = tidy(unescaped(string(title))), string(kind), unescaped(string(place))
	if t.title == "" {
		t.title = tidy(threadNumber.ReplaceAllString(unescaped(string(threadName)), ""))
	}
	for _, p := range parties {
		t.parties = append(t.parties, r.party(string(p), &t))
	}
	r.thread(&t)
	return nil
}

// threadNumber stands behind the name of an encrypted chat.
var threadNumber = lazily(`_\d{1,6}$`)

// goneAccounts are what the apps call whoever has no account any more, all alike.
var goneAccounts = phraseSet(`Facebook user
Instagram user
Instagrammer
Facebook-Nutzer
Instagram-Nutzer
Usuario de Facebook
Usuario de Instagram
Utilisateur Facebook
Utilisateur de Facebook
Utilisateur Instagram
Utente Facebook
Utente di Facebook
Utente Instagram
Usuário do Facebook
Usuário do Instagram
Utilizador do Facebook
Facebook 用户
Facebook 用戶
Facebookユーザー
Facebook 사용자
Пользователь Facebook`)

// party is a name as it is kept. Two who are gone from two chats aren't one person.
func (r *messengerRun) party(name string, t *messengerThread) string {
	name = tidy(unescaped(name))
	if name == "" {
		name = "Facebook user"
	}
	if goneAccounts[phraseKey(name)] {
		where := path.Base(t.path)
		if t.path == "" {
			where = t.title
		}
		return name + " (" + where + ")"
	}
	return name
}

// thread hands over the messages of a file, the oldest first.
func (r *messengerRun) thread(t *messengerThread) {
	label, known := r.labels[t.path]
	if !known || t.path == "" {
		c := Conversation{SourceID: t.path, SourceType: t.kind, Participants: t.parties}
		if t.title != "" {
			c.Title = &t.title
		}
		if len(t.parties) > 2 || t.kind == "RegularGroup" || t.kind == "Group" {
			c.Kind = Group
		} else {
			c.Kind = Direct
		}
		label = r.b.conversation(c)
		r.labels[t.path] = label
	}
	for i := range t.messages {
		m := &t.messages[i]
		if m.Millis == "" {
			m.Millis = m.TimeE2E
		}
		if m.Sender == "" {
			m.Sender = m.SenderE2E
		}
		if m.Content == "" {
			m.Content = m.TextE2E
		}
		m.Unsent = m.Unsent || m.UnsentE2E
		m.at, _ = strconv.ParseInt(string(m.Millis), 10, 64) // not a number: 0, which is no time
	}
	if n := len(t.messages); n > 1 && t.messages[0].at >= t.messages[n-1].at {
		slices.Reverse(t.messages)
	}
	slices.SortStableFunc(t.messages, func(a, b messengerMessage) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for i := range t.messages {
		r.message(label, t, &t.messages[i])
	}
}

func (r *messengerRun) message(label string, t *messengerThread, in *messengerMessage) {
	m := Message{Conversation: label, Kind: KindMessage, Text: tidy(unescaped(in.Content))}
	var ok bool
	if m.When, ok = unix(in.at/1000, in.at%1000*int64(time.Millisecond), r.zone); !ok {
		r.b.skipMessage("no. "+strconv.Itoa(in.n), "no date that can be read")
		return
	}
	m.given = strconv.FormatInt(in.at, 10)
	name := tidy(unescaped(in.Sender))
	m.Sender = r.party(in.Sender, t)
	m.Self = r.me != "" && name == r.me && t.counts(m.Sender) < 2
	m.Media = in.media()
	switch {
	case in.Unsent:
		m.Kind, m.Deleted, m.Text, m.Media = KindSystem, true, "", nil
	case in.Call != "" || in.Type == "Call":
		r.notice(&m, "call")
	case in.Type == "Subscribe", in.Type == "Unsubscribe":
		r.notice(&m, strings.ToLower(in.Type))
	case messengerReaction.MatchString(m.Text):
		m.Text = ""
		r.notice(&m, "reaction")
	case messengerSent(name, m.Text):
		if m.Text, m.Kind = "", KindMedia; len(m.Media) == 0 {
			m.Media = []Media{{Type: "unknown"}}
		}
	case len(m.Media) == 0 && messengerNotice(name, m.Text):
		r.notice(&m, "notice")
	case len(m.Media) > 0:
		m.Kind = KindMedia
	case m.Text == "":
		m.Kind, m.Media = KindMedia, []Media{{Type: "unknown"}}
	}
	r.b.message(m)
}

// notice makes a message what the app tells: nobody says it.
func (r *messengerRun) notice(m *Message, what string) {
	m.Kind, m.System, m.Actor, m.Sender, m.Self, m.Media = KindSystem, what, m.Sender, "", false, nil
}

func (t *messengerThread) counts(name string) int {
	n := 0
	for _, p := range t.parties {
		if p == name {
			n++
		}
	}
	return n
}

func (in *messengerMessage) media() []Media {
	var out []Media
	for _, list := range []struct {
		kind  string
		files []uriOf
	}{{"image", in.Photos}, {"video", in.Videos}, {"audio", in.Audio}, {"gif", in.GIFs}, {"", in.Files}, {"", in.Media}} {
		for _, f := range list.files {
			m := Media{Type: list.kind, Name: path.Base(unescaped(f.URI))}
			if m.Type == "" {
				m.Type = mediaTypeOf(m.Name)
			}
			out = append(out, m)
		}
	}
	if in.Sticker != nil {
		out = append(out, Media{Type: "sticker"})
	}
	if in.Share != nil && (in.Share.Link != "" || in.Share.Text != "" || in.Share.Owner != "") {
		out = append(out, Media{Type: "link", Name: tidy(in.Share.Link), Caption: tidy(unescaped(in.Share.Text))})
	}
	return out
}
