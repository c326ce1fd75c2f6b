package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

const forum = `{"name": "House", "type": "private_supergroup", "id": 7, "messages": [
 {"id": 1, "type": "service", "date": "2024-03-05T19:00:00", "date_unixtime": "1709665200", "actor": "Ana", "actor_id": "user1", "action": "topic_created", "title": "Roof"},
 {"id": 2, "type": "service", "date": "2024-03-05T19:00:30", "date_unixtime": "1709665230", "actor": "Ana", "actor_id": "user1", "action": "topic_created", "title": "Cellar"},
 {"id": 3, "type": "message", "date": "2024-03-05T19:01:00", "date_unixtime": "1709665260", "from": null, "from_id": "user2", "reply_to_message_id": 1, "text": "it leaks"},
 {"id": 4, "type": "message", "date": "2024-03-05T19:02:00", "date_unixtime": "1709665320", "from": "Ana", "from_id": "user1", "reply_to_message_id": 2, "text": "it is wet"},
 {"id": 5, "type": "message", "date": "2024-03-05T19:03:00", "date_unixtime": "1709665380", "from": "Bo \"B\"", "from_id": "user2", "reply_to_message_id": 3, "text": "badly"},
 {"id": 6, "type": "message", "date": "2024-03-05T19:04:00", "date_unixtime": "1709665440", "from": "Ana", "from_id": "user1", "text": "hello all"},
 {"id": 7, "type": "message", "date": "2024-03-05T19:05:00", "date_unixtime": "1709665500", "from": null, "from_id": "user3", "reply_to_message_id": 5, "text": "\"from\": null, \"from_id\": oh"}
]}`

// Each topic of a forum has its sessions; an answer to its beginning answers nobody. Who
// is nameless at one place and named at another has that name at both.
func TestTelegramTopics(t *testing.T) {
	e := readNamed(t, "result.json", forum, ingest.Options{})
	var got []string
	for _, m := range e.Messages {
		if m.Kind == ingest.KindMessage {
			got = append(got, m.Sender+": "+m.Text+" >"+strings.Repeat("i", m.ReplyTo)+m.ReplyToMissing)
		}
	}
	if diff := cmp.Diff([]string{`Bo "B": it leaks >`, "Ana: it is wet >", `Bo "B": badly >iii`, "Ana: hello all >", `user3: "from": null, "from_id": oh >iiiii`}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(e.Conversations) != 1 {
		t.Fatalf("%+v", e.Conversations)
	}
	sessions := map[string]string{}
	for _, s := range e.Sessions() {
		for _, turn := range s.Turns {
			if turn.Text != "" {
				sessions[s.Title] += turn.Text + "|"
			}
		}
	}
	want := map[string]string{"House / Roof": `it leaks|badly|"from": null, "from_id": oh|`, "House / Cellar": "it is wet|", "House": "hello all|"}
	if diff := cmp.Diff(want, sessions); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
