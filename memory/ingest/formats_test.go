package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
)

func readNamed(t testing.TB, name, text string, o ingest.Options) *ingest.Export {
	t.Helper()
	e, err := ingest.Read(t.Context(), write(t, name, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestWhatsAppLocales: the same two messages as phones of many languages write
// them; the first is of the 13th, so that every order is certain.
func TestWhatsAppLocales(t *testing.T) {
	tests := []struct{ name, first, second, want string }{
		{"American Android", "3/13/24, 9:05 PM - ", "3/14/24, 12:10 AM - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"British Android", "13/03/2024, 21:05 - ", "14/03/2024, 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Indian Android", "13/03/24, 9:05\u202fpm - ", "14/03/24, 12:10\u202fam - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"German Android", "13.03.24, 21:05 - ", "14.03.24, 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Spanish Android", "13/3/24, 9:05 p.\u00a0m. - ", "14/3/24, 12:10 a.\u00a0m. - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Brazilian Android", "13/03/2024 21:05 - ", "14/03/2024 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"French Android", "13/03/2024 à 21:05 - ", "14/03/2024 à 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Dutch Android", "13-03-2024 21:05 - ", "14-03-2024 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Swedish Android", "2024-03-13 21:05 - ", "2024-03-14 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Finnish Android", "13.3.2024 klo 21.05 - ", "14.3.2024 klo 0.10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Hungarian Android", "2024. 03. 13. 21:05 - ", "2024. 03. 14. 0:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Korean Android", "2024. 3. 13. 오후 9:05 - ", "2024. 3. 14. 오전 12:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Taiwanese Android", "2024/3/13 下午9:05 - ", "2024/3/14 上午12:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Arabic digits", "١٣\u200f/٣\u200f/٢٠٢٤، ٩:٠٥ م - ", "١٤\u200f/٣\u200f/٢٠٢٤، ١٢:١٠ ص - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Bulgarian Android", "13.3.2024 г., 21:05 - ", "14.3.2024 г., 0:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Vietnamese Android", "21:05, 13/3/2024 - ", "00:10, 14/3/2024 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"Thai Android", "13/3/2567 21:05 - ", "14/3/2567 00:10 - ", "2024-03-13T21:05:00 2024-03-14T00:10:00"},
		{"American iPhone", "[3/13/24, 9:05:06\u202fPM] ", "[3/14/24, 12:10:07\u202fAM] ", "2024-03-13T21:05:06 2024-03-14T00:10:07"},
		{"Danish iPhone", "[13.03.2024 21.05.06] ", "[14.03.2024 00.10.07] ", "2024-03-13T21:05:06 2024-03-14T00:10:07"},
		{"Chinese iPhone", "[2024/3/13 下午9:05:06] ", "[2024/3/14 凌晨12:10:07] ", "2024-03-13T21:05:06 2024-03-14T00:10:07"},
		{"Dutch iPhone", "[13-03-2024, 21:05:06] ", "[14-03-2024, 00:10:07] ", "2024-03-13T21:05:06 2024-03-14T00:10:07"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := readNamed(t, "x.txt", tt.first+"Ana: see you: soon\n"+tt.second+"Bo Li: ok\n12:30 is fine\n", ingest.Options{})
			want := strings.Fields(tt.want)
			if diff := cmp.Diff([]string{"Ana|" + want[0] + "|see you: soon", "Bo Li|" + want[1] + "|ok⏎12:30 is fine"}, show(e)); diff != "" || e.Format != "whatsapp" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
		})
	}
}

// What WhatsApp writes in the place of words, in whatever language, is no text.
func TestWhatsAppMarkers(t *testing.T) {
	android := func(s string) string { return "13/03/24, 21:05 - " + s + "\n" }
	ios := func(s string) string { return "[13.03.24, 21:05:06] " + s + "\n" }
	tests := []struct {
		line      string
		kind      ingest.MessageKind
		text      string
		gone, mod bool
	}{
		{android("Ana: <Multimedia omitido>"), "media", "", false, false},
		{android("Ana: <Médias omis>"), "media", "", false, false},
		{android("Ana: <Media jätettiin pois>"), "media", "", false, false},
		{android("Ana: <Média kihagyva>"), "media", "", false, false},
		{android("Ana: <Без файл>"), "media", "", false, false},
		{android("Ana: <省略多媒體檔案>"), "media", "", false, false},
		{android("Ana: <Đã bỏ qua tệp media>"), "media", "", false, false},
		{ios("Ana: \u200eSprachnachricht weggelassen"), "media", "", false, false},
		{android("Ana: Se eliminó este mensaje."), "system", "", true, false},
		{android("Ana: このメッセージは削除されました"), "system", "", true, false},
		{android("Ana: voy tarde <Se editó este mensaje.>"), "message", "voy tarde", false, true},
		{android("Ana: \u200eIMG-20240313-WA0007.jpg (archivo adjunto)\nmi casa"), "media", "mi casa", false, false},
		{android("Ana: Vertrag.pdf (Datei angehängt)"), "media", "", false, false},
		{android("Ana: I like <this> and (that)"), "message", "I like <this> and (that)", false, false},
		{android("Ana: plan.pdf (version two)"), "message", "plan.pdf (version two)", false, false},
		{android("Ana: location: https://maps.google.com/?q=1.5,2.5"), "media", "", false, false},
		{android("Ana: https://maps.google.com/?q=1.5,2.5"), "message", "https://maps.google.com/?q=1.5,2.5", false, false},
		{ios("Ana: \u200eelokuva jätettiin pois"), "system", "elokuva jätettiin pois", false, false}, // a language we don't know says nothing
		{ios("Ana: \u200eimagen omitida"), "media", "", false, false},
		{ios("Ana: look \u200eimage omitted"), "media", "look", false, false},
		{ios("Ana: \u200eMissed voice call"), "system", "Missed voice call", false, false},
		{ios("Ana: ok \u200e<Este mensaje fue editado>"), "message", "ok", false, true},
		{ios("Ana: \u200ePOLL:\nWhere?\n\u200eOPTION: Rome (1 vote)\n\u200eOPTION: Ghent (0 votes)"), "media", "", false, false},
		{ios("Ana: \u200e<adjunto: 00000012-PHOTO-2024-03-13-21-05-06.jpg>"), "media", "", false, false},
		{ios("Ana: this message was deleted by me yesterday"), "message", "this message was deleted by me yesterday", false, false},
	}
	for _, tt := range tests {
		// A second message of the same style makes the file a chat.
		head := strings.SplitN(tt.line, "Ana", 2)[0]
		e := readNamed(t, "x.txt", tt.line+head+"Bo: k\n", ingest.Options{})
		m := e.Messages[0]
		if m.Kind != tt.kind || m.Text != tt.text || m.Deleted != tt.gone || m.Edited != tt.mod {
			t.Errorf("%q: %s %q deleted %v edited %v", tt.line, m.Kind, m.Text, m.Deleted, m.Edited)
		}
		if len(e.Messages) != 2 || e.Messages[1].Text != "k" {
			t.Errorf("%q: %v", tt.line, show(e))
		}
	}
}

// A notice that quotes a name with a colon in it has no sender; a name with marks of
// quotation is a name.
func TestWhatsAppQuotes(t *testing.T) {
	at := "13/03/24, 21:05 - "
	e := readNamed(t, "x.txt", at+"Ana changed the subject from \"a\" to \"b: c\"\n"+at+"Jonas „Joni“ Meier: hi\n"+at+"Ana hat den Betreff zu „b: c“ geändert\n"+at+"Ana: yo\n", ingest.Options{})
	var got []string
	for _, m := range e.Messages {
		got = append(got, m.Sender)
	}
	if diff := cmp.Diff([]string{"", "Jonas „Joni“ Meier", "", "Ana"}, got); diff != "" || e.Conversations[0].Kind != ingest.Group {
		t.Errorf("%s (-want +got)\n%s", e.Conversations[0].Kind, diff)
	}
}

// A forward whose author is gone is a forward all the same, and a message in a
// topic doesn't answer the topic's beginning.
func TestTelegramForms(t *testing.T) {
	e := readNamed(t, "result.json", `{"name":"G","type":"public_supergroup","id":7,"messages":[
{"id":1,"type":"service","date":"2024-03-13T21:05:00","date_unixtime":"1710363900","actor":"Ana","actor_id":"user1","action":"topic_created","title":"T","text":""},
{"id":2,"type":"message","date":"2024-03-13T21:05:00","date_unixtime":"1710363900","from":"Ana","from_id":"user1","reply_to_message_id":1,"text":"hi"},
{"id":3,"type":"message","date":"2024-03-13T21:05:00","date_unixtime":"1710363900","from":"Bo","from_id":"user2","forwarded_from":null,"text":"passed on"},
{"id":4,"type":"message","date":"2020-03-13T21:05:00","from":"Bo","from_id":2,"text":["old ",{"type":"bold","text":"form"}]}]}`, ingest.Options{})
	m := e.Messages
	if len(m) != 4 || m[1].ReplyTo != 0 || m[1].ReplyToMissing != "" || !m[2].Forwarded || m[3].Text != "old form" || m[3].When.Instant.Format(time.RFC3339) != "2020-03-13T21:05:00Z" || m[3].When.Local != "2020-03-13T21:05:00" {
		t.Errorf("%+v", m)
	}
}

// What a bot made at somebody's wish, and what was saved from somewhere else, isn't
// said by whoever sent it; a date that is there and can't be read is reported as that.
func TestTelegramNotOwnWords(t *testing.T) {
	at := `"type":"message","date":"2024-03-13T21:05:00","date_unixtime":"1710363900"`
	e := readNamed(t, "result.json", `{"name":"Ana","type":"personal_chat","id":1,"messages":[
{"id":1,`+at+`,"from":"Ana","from_id":"user1","text":"hi"},
{"id":2,`+at+`,"from":"Ana","from_id":"user1","via_bot":"@quizbot","text":"I live in Rome"},
{"id":3,`+at+`,"from":"Bo","from_id":"user2","saved_from":"News","text":"it rains"},
{"id":4,`+at+`,"from":"Ana","from_id":"user1","forwarded_from":"Ana","forwarded_from_id":"user1","via_bot":"@quizbot","text":"again"},
{"id":5,"type":"message","date":"2024-13-45T99:05:00","from":"Ana","from_id":"user1","text":"lost"},
{"id":6,"type":"unsupported"},
{"id":7,`+at+`,"from":"Ana","from_id":"user1","via_bot":"@gif","media_type":"animation","file":"x.mp4","text":""}]}`, ingest.Options{})
	var got []string
	for _, m := range e.Messages {
		got = append(got, m.ID+" "+m.Sender+" "+strconv.FormatBool(m.Forwarded)+" "+m.ForwardedFrom)
	}
	for _, s := range e.Skipped {
		got = append(got, s.Message+": "+s.Reason)
	}
	if diff := cmp.Diff([]string{"1 Ana false ", "2 Ana true @quizbot", "3 Bo true News", "4 Ana true Ana", "7 Ana false ", "5: a date that can't be read", "6: no date; Telegram couldn't export it"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Anybody can type what the app writes when the owner deletes a message: on
// Android nothing tells it apart, so it makes nobody the owner.
func TestWhatsAppOwnerIsNotGuessed(t *testing.T) {
	e := readNamed(t, "x.txt", "13/03/24, 21:05 - Ana: You deleted this message\n13/03/24, 21:06 - Bo: hm\n", ingest.Options{})
	for _, m := range e.Messages {
		if m.Self {
			t.Errorf("%s is taken for the owner", m.Sender)
		}
	}
}

// Renamed, re-exported longer, with CRLF and BOM: the same messages.
func TestWhatsAppIdentity(t *testing.T) {
	short := "13/03/24, 21:05 - Ana: ok\n13/03/24, 21:05 - Ana: ok\n13/03/24, 21:06 - Bo: hm\n"
	first := turnIDs(readNamed(t, "WhatsApp Chat with Ana.txt", short, ingest.Options{}))
	if first[0] == first[1] {
		t.Error("a true repetition was lost")
	}
	again := turnIDs(readNamed(t, "copy.txt", "\ufeff"+strings.ReplaceAll(short, "\n", "\r\n")+"14/03/24, 09:00 - Bo: more\r\n", ingest.Options{}))
	if !slices.Equal(first, again[:3]) {
		t.Errorf("%q and %q", first, again)
	}
	ios := turnIDs(readNamed(t, "x.txt", "[13.03.24, 21:05:01] Ana: ok\n[13.03.24, 21:05:40] Ana: ok\n[13.03.24, 21:06:00] Bo: hm\n", ingest.Options{}))
	if ios[0] == first[0] {
		t.Error("messages that differ in their seconds became one")
	}
}

// A longer export in which somebody new speaks has other members: its prints tell
// that it is the same chat, and Identify makes it that.
func TestIdentify(t *testing.T) {
	short := "13/03/24, 21:05 - Ana: ok\n13/03/24, 21:05 - Ana: ok\n13/03/24, 21:06 - Bo: hm\n"
	a := readNamed(t, "a.txt", short, ingest.Options{})
	b := readNamed(t, "b.txt", short+"14/03/24, 09:00 - Cem: hello\n", ingest.Options{})
	pa, pb := a.Prints("c1"), b.Prints("c1")
	if !slices.Equal(pa, pb[:3]) || len(pb) != 4 || pa[0] == pa[1] {
		t.Fatalf("%q and %q", pa, pb)
	}
	if slices.Equal(turnIDs(a), turnIDs(b)[:3]) {
		t.Fatal("the members differ, and the conversation is the same by itself")
	}
	b.Identify("c1", a.Sessions()[0].Conversation)
	if !slices.Equal(turnIDs(a), turnIDs(b)[:3]) {
		t.Errorf("%q and %q", turnIDs(a), turnIDs(b))
	}
}

// A wall clock that a zone never showed has no instant; one that came twice goes
// by the order of the chat.
func TestImpossibleTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	e := readNamed(t, "x.txt", "31.03.24, 01:59 - Ana: a\n31.03.24, 02:30 - Ana: b\n31.03.24, 03:00 - Bo: c\n27.10.24, 02:30 - Bo: d\n27.10.24, 02:10 - Bo: e\n", ingest.Options{TZ: berlin})
	want := []string{"Ana|2024-03-31T00:59:00Z|a", "Ana|2024-03-31T02:30:00|b", "Bo|2024-03-31T01:00:00Z|c", "Bo|2024-10-27T00:30:00Z|d", "Bo|2024-10-27T01:10:00Z|e"}
	if diff := cmp.Diff(want, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, code := range []string{"time_impossible", "time_ambiguous"} {
		if !strings.Contains(strings.Join(e.Warnings, "\n"), code) {
			t.Errorf("no %s in %q", code, e.Warnings)
		}
	}
}

func TestLINE(t *testing.T) {
	text := "[LINE] Anaとのトーク履歴\n保存日時：2024/03/15 21:05\n\n2024/03/13(水)\n21:05\tAna\tこんばんは\n21:06\tBo\t\"一行目\n\n2024/01/01(月) に\"\n21:07\tAna\t[写真]\n21:08\tAnaがメッセージの送信を取り消しました\n21:09\tBo\t☎ 通話時間 1:23\n\n2024/03/14(木)\n午前0:10\tAna\tおやすみ\n"
	e := readNamed(t, "line.txt", text, ingest.Options{})
	want := []string{"Ana|2024-03-13T21:05:00|こんばんは", "Bo|2024-03-13T21:06:00|一行目⏎⏎2024/01/01(月) に", "Ana|2024-03-13T21:07:00|", "-|2024-03-13T21:08:00|Anaがメッセージの送信を取り消しました", "-|2024-03-13T21:09:00|☎ 通話時間 1:23", "Ana|2024-03-14T00:10:00|おやすみ"}
	if diff := cmp.Diff(want, show(e)); diff != "" || e.Format != "line" {
		t.Errorf("%s (-want +got)\n%s", e.Format, diff)
	}
	if !e.Messages[3].Deleted || *e.Conversations[0].Title != "Ana" {
		t.Errorf("%+v", e.Conversations)
	}
}

const (
	chatGPT = `[{"id":"g1","title":"Diet","current_node":"d","mapping":{
"r":{"parent":null,"children":["a"],"message":null},
"a":{"parent":"r","children":["b","x"],"message":{"id":"a","author":{"role":"user"},"create_time":1710363900.5,"content":{"content_type":"text","parts":["I am allergic to nuts"]}}},
"x":{"parent":"a","children":[],"message":{"id":"x","author":{"role":"assistant"},"content":{"content_type":"text","parts":["an answer that was made anew"]}}},
"b":{"parent":"a","children":["t"],"message":{"id":"b","author":{"role":"assistant"},"create_time":1710363910,"content":{"content_type":"text","parts":["You have diabetes"]}}},
"t":{"parent":"b","children":["d"],"message":{"id":"t","author":{"role":"tool"},"content":{"content_type":"text","parts":["tool output"]}}},
"d":{"parent":"t","children":[],"message":{"id":"d","author":{"role":"user"},"create_time":1710363920,"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer"},"my plate"]}}}}}]`
	claude = `[{"uuid":"c1","name":"Trip","created_at":"2024-03-13T21:00:00Z","chat_messages":[
{"uuid":"m1","sender":"human","created_at":"2024-03-13T21:05:00.1Z","text":"I fly to Oslo","content":[{"type":"text","text":"I fly to Oslo"}]},
{"uuid":"m2","sender":"assistant","created_at":"2024-03-13T21:05:09Z","text":"","content":[{"type":"text","text":"You live in Ghent"}]}]}]`
)

// What an assistant says is never the owner's, nor anybody's.
func TestAssistants(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"chatgpt": {chatGPT, []string{"Ines*|2024-03-13T21:05:00Z|I am allergic to nuts", "ChatGPT|2024-03-13T21:05:10Z|You have diabetes", "Ines*|2024-03-13T21:05:20Z|my plate"}},
		"claude":  {claude, []string{"Ines*|2024-03-13T21:05:00Z|I fly to Oslo", "Claude|2024-03-13T21:05:09Z|You live in Ghent"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := readNamed(t, "conversations.json", tt.text, ingest.Options{Owner: []string{"Ines"}})
			if diff := cmp.Diff(tt.want, show(e)); diff != "" || e.Format != name {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
			if c := e.Conversations[0]; c.Kind != ingest.Bot || !slices.Equal(c.Participants, []string{"Ines"}) || len(c.Bots) != 1 {
				t.Errorf("%+v", c)
			}
			for _, s := range e.Sessions() {
				for _, turn := range s.Turns {
					if words := turn.Kind == memory.Message; words != turn.Self {
						t.Errorf("%s: kind %s, self %v", turn.Speaker, turn.Kind, turn.Self)
					}
				}
			}
		})
	}
}

// Words that were passed on, a program's and deleted ones are nobody's in a
// session; two people of one name stay two.
func TestSessionsOfExports(t *testing.T) {
	turns := map[string]memory.Turn{}
	speakers := map[string]bool{}
	for _, file := range []string{"telegram/01-personal-mixed-text.json", "telegram/02-group-deleted-accounts-services.json", "discord/01-guild-channel-replies.json", "slack/02-dms-mpims-private.zip", "signal/02-official-jsonl-group.jsonl"} {
		e, err := ingest.Read(t.Context(), filepath.Join("testdata", "cases", filepath.FromSlash(file)), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range e.Sessions() {
			for _, turn := range s.Turns {
				turns[turn.Text+turn.Caption] = turn
				speakers[turn.Speaker] = true
			}
		}
	}
	for text, want := range map[string]memory.TurnKind{
		"Night trains cancelled on https://rail.example.org/now": memory.Media,
		"d20: 17":                            memory.System,
		"Reminder: timesheet.":               memory.System,
		"the ring 💍 (Ivo does not know yet)": memory.Message,
		"Krank? Sie sagte mir: Kündigung":    memory.Message,
	} {
		turn, ok := turns[text]
		if !ok || turn.Kind != want || want == memory.Media && turn.Text != "" {
			t.Errorf("%q: %+v, want %s", text, turn, want)
		}
	}
	for _, name := range []string{"Alex (user7770001)", "Alex (user7770002)", "Max P (202)", "Max P (203)"} {
		if !speakers[name] {
			t.Errorf("no speaker %q", name)
		}
	}
}

// A mail's session holds who got it, and nobody else.
func TestMailAudience(t *testing.T) {
	e, err := ingest.Read(t.Context(), filepath.Join("testdata", "cases", "email", "01-thread-mboxrd.mbox"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range e.Sessions() {
		who := slices.Sorted(slices.Values(s.Participants))
		got = append(got, strings.Join(who, ", "))
	}
	if diff := cmp.Diff([]string{"Hanna Weiß, Omar Said, petra@example.org", "Hanna Weiß, Omar Said", "Hanna Weiß, Omar Said"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMailWords(t *testing.T) {
	mail := func(header, body string) string {
		return "From: Ana <ana@example.org>\nTo: bo@example.org\nMessage-ID: <1@example.org>\nDate: Wed, 13 Mar 2024 21:05:00 +0100\n" + header + "\n" + body
	}
	tests := []struct{ name, text, want, quoted string }{
		{"below", mail("", "yes\n\nOn Mon, Bo <bo@example.org> wrote:\n> secret\n"), "yes", ""},
		{"between", mail("", "On 3 March Bo wrote:\n> when?\nnoon\n> where?\nhere\n"), "noon\nhere", ""},
		{"two lines", mail("", "yes\n\nOn Mon, 4 Mar 2024 at 10:00, Bo Li\n<bo@example.org> wrote:\n\n> secret\n"), "yes", ""},
		{"unmarked", mail("", "yes\n\nAm 04.03.2024 um 10:00 schrieb Bo:\nsecret\n"), "yes", ""},
		{"Outlook", mail("", "yes\n________________________________\nFrom: Bo\nSent: Monday\nTo: Ana\nSubject: x\n\nsecret\n"), "yes", ""},
		{"rule", mail("", "yes\n-----Ursprüngliche Nachricht-----\nVon: Bo\n\nsecret\n"), "yes", ""},
		{"forwarded", mail("", "fyi\n\n---------- Forwarded message ---------\nFrom: Cem <cem@example.org>\nDate: Mon\nSubject: x\nTo: Ana\n\nI moved out\n"), "fyi", "Cem: I moved out"},
		{"signature", mail("", "yes\n-- \nAna Li\n+49 0\n"), "yes", ""},
		{"Latin-1", mail("Content-Type: text/plain; charset=iso-8859-15\nContent-Transfer-Encoding: quoted-printable\n", "f=FCr 5 =A4\n"), "für 5 €", ""},
		{"UTF-7", mail("Content-Type: text/plain; charset=utf-7\n", "f+APw-r 5 +IKw- 1 +- 1\n"), "für 5 € 1 + 1", ""},
		{"no charset", mail("", "f\xfcr\n"), "für", ""},
		{"HTML alone", mail("Content-Type: text/html; charset=utf-8\n", "<style>x</style><p>yes &amp; no</p><div class=\"gmail_quote\">On Mon Bo wrote:<blockquote>secret</blockquote></div>"), "yes & no", ""},
		{"Polish", mail("", "tak\n\npt., 1 mar 2024 o 10:00 Bo <bo@example.org> napisał(a):\n\n> secret\n"), "tak", ""},
		{"Japanese", mail("Content-Type: text/plain; charset=utf-8\n", "はい\n\n2024年3月1日(金) 10:00 Bo <bo@example.org>:\n\n> secret\n"), "はい", ""},
		{"Russian", mail("Content-Type: text/plain; charset=utf-8\n", "да\n\nпт, 1 мар. 2024 г. в 10:00, Bo <bo@example.org>:\n> secret\n"), "да", ""},
		{"written on a phone", mail("", "yes\n\nSent from my iPhone\n\n> On 1 Mar 2024, at 10:00, Bo <bo@example.org> wrote:\n> secret\n"), "yes", ""},
		{"sent from a place", mail("", "yes\n\nSent from the office, by taxi\n"), "yes\n\nSent from the office, by taxi", ""},
		{"an address and a list", mail("", "write to <cem@example.org>:\nflat 3\n"), "write to <cem@example.org>:\nflat 3", ""},
		{"a sentence with a colon", mail("", "as she wrote:\nwe are late\n"), "as she wrote:\nwe are late", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := readNamed(t, "m.eml", tt.text, ingest.Options{}).Messages[0]
			quoted := ""
			if m.Quoted != nil {
				quoted = m.Quoted.Sender + ": " + m.Quoted.Text
			}
			if m.Text != tt.want || quoted != tt.quoted || m.Sender != "Ana" {
				t.Errorf("%s: %q, quoted %q", m.Sender, m.Text, quoted)
			}
		})
	}
}

// People are called what they call themselves, and by their given name first.
func TestMailNames(t *testing.T) {
	mail := func(id, from, to string) string {
		return "From x@example.org Fri Mar 01 10:00:00 2024\nFrom: " + from + "\nTo: " + to + "\nDate: Fri, 1 Mar 2024 10:0" + id + ":00 +0100\nMessage-ID: <" + id + "@x>\n\nhi\n\n"
	}
	text := mail("1", "Bo <bo@example.org>", `"Falk, Ines" <ines@example.org>, Dear Cem <cem@example.org>`) +
		mail("2", "Cem Öz <cem@example.org>", "Bo <bo@example.org>") +
		mail("3", `"Smith, Jr." <s@example.org>`, "Bo <bo@example.org>") +
		mail("4", `"Lind & Sons, Ghent" <l@example.org>`, "ines@example.org")
	e := readNamed(t, "m.mbox", text, ingest.Options{})
	var got []string
	for _, c := range e.Conversations {
		got = append(got, strings.Join(c.Participants, "; "))
	}
	want := []string{"Bo; Ines Falk; Cem Öz", "Cem Öz; Bo", "Smith, Jr.; Bo", "Lind & Sons, Ghent; Ines Falk"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCalendar(t *testing.T) {
	text := "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Home\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20240301T080000Z\r\nDTSTART;TZID=Europe/Berlin:20240514T093000\r\nDTEND;TZID=Europe/Berlin:20240514T100000\r\nSUMMARY:Dentist\\, scaling\r\nLOCATION:12 Mill\r\n  Lane\r\nBEGIN:VALARM\r\nSUMMARY:no\r\nEND:VALARM\r\nEND:VEVENT\r\n" +
		"BEGIN:VEVENT\r\nUID:e2\r\nDTSTAMP:20240302T080000Z\r\nDTSTART;VALUE=DATE:20240601\r\nSUMMARY:Offsite\r\nORGANIZER;CN=Cem:mailto:cem@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	e := readNamed(t, "c.ics", text, ingest.Options{Owner: []string{"Ines"}})
	if diff := cmp.Diff([]string{"Ines*|2024-03-01T08:00:00Z|Dentist, scaling (2024-05-14 09:30–10:00), 12 Mill Lane", "Cem|2024-03-02T08:00:00Z|"}, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if m := e.Messages[1]; m.Kind != ingest.KindMedia || m.Self || m.Media[0].Caption != "Offsite (2024-06-01)" {
		t.Errorf("%+v", m)
	}
}

// An event of somebody else's that the owner goes to is told by who organised it: what,
// when, where and with whom.
func TestCalendarAttended(t *testing.T) {
	event := func(guests string) string {
		return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20240301T080000Z\r\nDTSTART;TZID=Europe/Berlin:20240514T190000\r\nDTEND;TZID=Europe/Berlin:20240514T210000\r\nSUMMARY:Team dinner\r\nLOCATION:Bistro Rosa\r\n" +
			"ORGANIZER;CN=Bo Lund:mailto:bo@example.org\r\n" + guests + "ATTENDEE;CN=Cy:mailto:cy@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	}
	ines := ingest.Options{Owner: []string{"Ines"}}
	for name, tt := range map[string]struct {
		guests string
		o      ingest.Options
		want   string
	}{
		"goes":          {"ATTENDEE;CN=Ines;PARTSTAT=ACCEPTED:mailto:i@example.org\r\n", ines, "Ines takes part in Team dinner on 2024-05-14 19:00–21:00 at Bistro Rosa, with Cy and Bo Lund."},
		"is asked":      {"ATTENDEE;CN=Ines;PARTSTAT=NEEDS-ACTION:mailto:i@example.org\r\n", ines, "Ines is invited to Team dinner on 2024-05-14 19:00–21:00 at Bistro Rosa, with Cy and Bo Lund."},
		"by address":    {"ATTENDEE;CN=I. Falk;PARTSTAT=ACCEPTED:mailto:I@example.org\r\n", ingest.Options{SelfID: "i@example.org"}, "I. Falk takes part in Team dinner on 2024-05-14 19:00–21:00 at Bistro Rosa, with Cy and Bo Lund."},
		"has declined":  {"ATTENDEE;CN=Ines;PARTSTAT=DECLINED:mailto:i@example.org\r\n", ines, ""},
		"isn't invited": {"", ines, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := readNamed(t, "c.ics", event(tt.guests), tt.o).Messages[0]
			if m.Text != tt.want || m.Sender != "Bo Lund" || m.Self || (m.Kind == ingest.KindMessage) != (tt.want != "") {
				t.Errorf("%+v", m)
			}
		})
	}
}

// An event to which the owner invited others is the owner's, though its words needn't
// be.
func TestCalendarInvitation(t *testing.T) {
	text := "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e1\r\nDTSTAMP:20240301T080000Z\r\nDTSTART:20240514T093000Z\r\nSUMMARY:Lunch\r\nORGANIZER;CN=I. F.:mailto:Ines@example.org\r\nATTENDEE;CN=Cem:mailto:cem@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	e := readNamed(t, "c.ics", text, ingest.Options{SelfID: "ines@example.org"})
	if m := e.Messages[0]; m.Sender != "Me" || !m.Self || m.Kind != ingest.KindMedia || len(e.Conversations[0].Participants) != 1 {
		t.Errorf("%+v", m)
	}
}

// A program that speaks among two people doesn't make their chat one with a program.
func TestDiscordBotAmongTwo(t *testing.T) {
	message := func(id, name, bot string) string {
		return `{"id":"` + id + `","type":"Default","timestamp":"2024-03-01T10:00:00+00:00","content":"hi","author":{"id":"` + name + `","name":"` + name + `","isBot":` + bot + `}}`
	}
	for _, tt := range []struct {
		messages string
		want     ingest.Kind
	}{
		{message("1", "ana", "false") + "," + message("2", "bo", "false") + "," + message("3", "robot", "true"), ingest.Direct},
		{message("1", "ana", "false") + "," + message("3", "robot", "true"), ingest.Bot},
	} {
		e := readNamed(t, "c.json", `{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"5","type":"DirectTextChat","name":"bo"},"messages":[`+tt.messages+`]}`, ingest.Options{})
		if got := e.Conversations[0].Kind; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.messages, got, tt.want)
		}
	}
}

func TestContacts(t *testing.T) {
	text := "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lenz;Dario;;;\r\nFN:Dario Lenz\r\nNICKNAME:Dari,D\r\nitem1.TEL;type=CELL:+49 151 0000000\r\nEMAIL:Dario@Example.org\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Eva\r\nTEL;CELL:0151\r\nEND:VCARD\r\n"
	e := readNamed(t, "c.vcf", text, ingest.Options{})
	want := []ingest.ProposedPerson{
		{Name: "Dario Lenz", Aliases: []string{"Dari", "D"}, Phones: []string{"+49 151 0000000"}, Addresses: []string{"dario@example.org"}},
		{Name: "Eva Müller", Phones: []string{"0151"}},
	}
	if diff := cmp.Diff(want, e.People); diff != "" || len(e.Messages) != 0 || len(e.Sessions()) != 0 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A folder or a zip of one app's files is one export; texts that were attached to
// a chat are no chat.
func TestArchives(t *testing.T) {
	chat := "13/03/24, 21:05 - Ana: hi\n13/03/24, 21:06 - Bo: yo\n"
	other := strings.ReplaceAll(chat, "Bo", "Cem")
	path := filepath.Join(t.TempDir(), "WhatsApp Chat with Ana.zip")
	writeZip(t, path, "WhatsApp Chat with Ana.txt", chat, "other.txt", other, "IMG-1.jpg", "\x00")
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil || len(e.Messages) != 2 || *e.Conversations[0].Title != "Ana" {
		t.Fatalf("%v %+v", err, e)
	}
	writeZip(t, path, "1.txt", chat, "2.txt", other)
	if _, err := ingest.Read(t.Context(), path, ingest.Options{}); !errors.Is(err, ingest.ErrFormat) {
		t.Errorf("two chats in one zip: %v", err)
	}
	dir := t.TempDir()
	for _, name := range []string{"a.eml", "b.eml"} {
		text := "From: Ana <ana@example.org>\nMessage-ID: <" + name + ">\nDate: Wed, 13 Mar 2024 21:05:00 +0100\n\nhi\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if e, err = ingest.Read(t.Context(), dir, ingest.Options{}); err != nil || e.Format != "email" || len(e.Messages) != 2 {
		t.Errorf("%v %+v", err, e)
	}
}

// Hostile input is refused with its place, and nothing is read of it.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	made := 0
	zipped := func(members ...string) string {
		made++
		path := filepath.Join(dir, strconv.Itoa(made)+".zip")
		writeZip(t, path, members...)
		return path
	}
	cut := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return write(t, filepath.Base(path), string(data[:len(data)*2/3]))
	}
	chat := "13/03/24, 21:05 - Ana: hi\n13/03/24, 21:06 - Bo: yo\n"
	bomb := chat + strings.Repeat("0123456789\n", 12<<20)
	tests := []struct {
		name string
		path string
		want error
	}{
		{"path up", zipped("../_chat.txt", chat), ingest.ErrHostile},
		{"absolute path", zipped("/etc/x.txt", chat), ingest.ErrHostile},
		{"backslashes", zipped(`..\x.txt`, chat), ingest.ErrHostile},
		{"twice", zipped("a.txt", chat, "a.txt", chat), ingest.ErrHostile},
		{"nothing of an export", zipped("a.jpg", "x"), ingest.ErrFormat},
		{"cut zip", cut(filepath.Join("testdata", "cases", "slack", "01-workspace-threads.zip")), ingest.ErrFormat},
		{"cut JSON", cut(filepath.Join("testdata", "cases", "telegram", "01-personal-mixed-text.json")), ingest.ErrFormat},
		{"deep JSON", write(t, "result.json", `{"type":"personal_chat","id":1,"messages":[],"x":`+strings.Repeat("[", 100_000)), ingest.ErrHostile},
		{"deep JSON in a message", write(t, "result.json", `{"type":"personal_chat","id":1,"messages":[{"text":`+strings.Repeat("[", 100_000)), ingest.ErrHostile},
		{"deep JSON first", write(t, "result.json", `{"x":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`,"type":"personal_chat","id":1,"messages":[]}`), ingest.ErrHostile},
		{"one endless value", write(t, "result.json", `{"type":"personal_chat","id":1,"messages":[{"text":"`+strings.Repeat("x", 17<<20)), ingest.ErrTooLong},
		{"bomb", zipped("_chat.txt", bomb), ingest.ErrHostile},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ingest.Read(t.Context(), tt.path, ingest.Options{})
			if !errors.Is(err, tt.want) || e != nil {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			if strings.HasPrefix(tt.name, "deep") && !strings.Contains(err.Error(), "nested too deeply") {
				t.Errorf("the nesting isn't named: %v", err)
			}
			if strings.Contains(err.Error(), filepath.Dir(tt.path)) {
				t.Errorf("a path in %q", err)
			}
		})
	}
}
