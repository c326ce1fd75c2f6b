package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

func telegramOf(senders ...string) string {
	var rows []string
	for i, s := range senders {
		name, id, _ := strings.Cut(s, "/")
		rows = append(rows, fmt.Sprintf(`{"id":%d,"type":"message","date":"2026-03-02T09:0%d:00","date_unixtime":"17724420%d0","from":%q,"from_id":%q,"text":"words no. %d"}`, i+1, i, i, name, id, i))
	}
	return `{"name":"Band","type":"private_group","id":77,"messages":[` + strings.Join(rows, ",") + `]}`
}

func discordOf(authors ...string) string {
	var rows []string
	for i, s := range authors {
		p := strings.Split(s, "/")
		rows = append(rows, fmt.Sprintf(`{"id":"9%d","type":"Default","timestamp":"2026-03-02T09:0%d:00+00:00","content":"words no. %d","author":{"id":%q,"name":%q,"nickname":%q,"isBot":false}}`, i, i, i, p[0], p[1], p[2]))
	}
	return `{"guild":{"id":"1","name":"Band"},"channel":{"id":"2","type":"GuildTextChat","name":"general"},"messages":[` + strings.Join(rows, ",") + `]}`
}

func mailOf(from ...string) string {
	var b strings.Builder
	for i, f := range from {
		fmt.Fprintf(&b, "From x@example.org Mon Mar  2 09:0%d:00 2026\nFrom: %s\nTo: bo@example.org\nDate: Mon, 2 Mar 2026 09:0%d:00 +0000\nMessage-ID: <%d@example.org>\nSubject: s%d\n\nwords no. %d\n\n", i, f, i, i, i, i)
	}
	return b.String()
}

// Whoever calls an account as the owner is called isn't the owner by that.
func TestOwnerByNameAlone(t *testing.T) {
	ines := ingest.Options{Owner: []string{"Ines Falk", "Ines"}}
	me := func(o ingest.Options, name, id string) ingest.Options { o.Self, o.SelfID = name, id; return o }
	knows := func(o ingest.Options, format, name, id string) ingest.Options {
		o.Known = []ingest.OwnerName{{Format: format, Name: name, ID: id}}
		return o
	}
	saw := func(o ingest.Options, accounts ...ingest.Account) ingest.Options { o.Accounts = accounts; return o }
	two := telegramOf("Ines/user1", "Bo/user2", "Ines/user5")
	one := telegramOf("Ines/user5", "Bo/user2")
	account := telegramOf("Ines/user1", "Ines/user5")
	account = `{"personal_information":{"user_id":1,"first_name":"Ines","last_name":""},"chats":{"list":[` + account + `]}}`
	nick := discordOf("111/ines.f/Ines", "222/mallory/Ines Falk")
	mine := discordOf("111/Ines Falk/cat", "222/mallory/Ines Falk")
	tests := []struct {
		name, text string
		o          ingest.Options
		self       string // numbers of the messages that are the owner's
		warn       string // what the warnings say, in part
	}{
		{"one account", one, ines, "1", ""},
		{"two accounts", two, ines, "", "user1;user5;--me-id"},
		{"two accounts, --me", two, me(ines, "Ines", ""), "", "user1;user5;--me-id"},
		{"two accounts, --me-id", two, me(ines, "", "user1"), "1", ""},
		{"two accounts, both given", two, me(ines, "", "user1, user5"), "1 3", ""},
		{"two accounts, name and id", two, me(ines, "Ines (user1)", ""), "1", ""},
		{"two names of the owner's", telegramOf("Ines/user1", "Ines Falk/user5"), ines, "", "user1;user5"},
		{"one is known", two, knows(ines, "telegram", "Ines", "user1"), "1", "user5"},
		{"one is known, --me", two, me(knows(ines, "telegram", "Ines", "user1"), "Ines", ""), "1", "user5"},
		{"another is known", one, knows(ines, "telegram", "Ines", "user1"), "", "user5"},
		{"another is known, --me", one, me(knows(ines, "telegram", "Ines", "user1"), "Ines", ""), "", "user5"},
		{"another is known in another app", one, knows(ines, "slack", "Ines", "U1"), "1", ""},
		{"another of the name spoke before", one, saw(ines, ingest.Account{Format: "telegram", Name: "Ines", ID: "user1"}), "", "user5"},
		{"two of the name spoke before", one, saw(ines, ingest.Account{Format: "telegram", Name: "Ines (user1)", ID: "user1"}, ingest.Account{Format: "telegram", Name: "Ines (user5)", ID: "user5"}), "", "user5"},
		{"the same spoke before", two, saw(ines, ingest.Account{Format: "telegram", Name: "Ines", ID: "user1"}), "1", "user5"},
		{"the export knows its account", account, ines, "1", "user5"},
		{"the export knows its account, --me", account, me(ines, "Ines", ""), "1", "user5"},
		{"nickname", nick, ines, "", "111;222"},
		{"nickname of another than is known", nick, knows(ines, "discord", "Ines", "111"), "1", "222"},
		{"nickname, and the owner's own nickname", mine, ines, "", "111;222"},
		{"nickname, --me-id", nick, me(ines, "", "111"), "1", ""},
		{"mail", mailOf("Ines Falk <ines@example.org>", "Ines Falk <other@example.net>"), ines, "", "ines@example.org;other@example.net"},
		{"mail, the address is the owner's", mailOf("Ines Falk <ines@example.org>", "Ines Falk <other@example.net>"), ingest.Options{Owner: []string{"Ines Falk", "ines@example.org"}}, "1", "other@example.net"},
		{"--me of nobody", one, me(ines, "Agnes", ""), "", "me_unknown;Agnes"},
		{"--me-id of nobody", one, me(ines, "", "user9"), "", "me_unknown;user9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := readNamed(t, "x", tt.text, tt.o)
			r, err := ingest.Open(t.Context(), write(t, "x", tt.text), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var streamed []ingest.Message
			if err := r.Each(t.Context(), func(m *ingest.Message) error { streamed = append(streamed, *m); return nil }); err != nil {
				t.Fatal(err)
			}
			for how, messages := range map[string][]ingest.Message{"read": e.Messages, "streamed": streamed} {
				var self []string
				for _, m := range messages {
					if m.Self {
						self = append(self, fmt.Sprint(m.N))
					}
				}
				if got := strings.Join(self, " "); got != tt.self {
					t.Errorf("%s: the owner's are %q, want %q", how, got, tt.self)
				}
			}
			if !slices.Equal(e.Warnings, r.Warnings) {
				t.Errorf("warnings %q and %q", e.Warnings, r.Warnings)
			}
			said := strings.Join(slices.DeleteFunc(r.Warnings, func(w string) bool {
				return !strings.HasPrefix(w, "self_") && !strings.HasPrefix(w, "me_")
			}), "\n")
			for part := range strings.SplitSeq(tt.warn, ";") {
				if !strings.Contains(said, part) || tt.warn == "" && said != "" {
					t.Errorf("warnings %q, want %q", said, tt.warn)
				}
			}
		})
	}
}
