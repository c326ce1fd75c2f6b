package ingest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// A notice that holds a colon makes neither a person nor a message, in whatever of the
// app's languages.
func TestWhatsAppNotices(t *testing.T) {
	notices := []string{
		"You added Tom: Smith", "Ana added Tom: Smith", "Ana pinned a message: see you at 9", "You pinned a message: ok",
		"Ana changed the group name from A to B: C", "Your security code with Tom: Smith changed. Tap to learn more.",
		"Tom: Smith changed their phone number to a new number. Tap to message or add the new number.",
		"Tom: Smith joined using this group's invite link", "You changed this group's settings: only admins can send", "Ana created group Trip: Rome",
		"Ana removed Tom: Smith", "You're now an admin of Trip: Rome", "Tom: Smith left", "This chat is with a business account: Shop",
		"Añadiste a Tom: Smith", "Ana añadió a Tom: Smith", "Ana fijó un mensaje: nos vemos", "Cambió tu código de seguridad con Tom: Smith", "Ana cambió el asunto a A: B", "Ana eliminó a Tom: Smith",
		"Du hast Tom: Smith hinzugefügt", "Ana hat Tom: Smith entfernt", "Ana hat eine Nachricht angepinnt: bis dann", "Deine Sicherheitsnummer für Tom: Smith hat sich geändert.", "Ana hat den Betreff in A: B geändert", "Tom: Smith hat die Gruppe verlassen",
		"Vous avez ajouté Tom: Smith", "Ana a épinglé un message: à plus", "Votre code de sécurité avec Tom: Smith a changé", "Ana a changé le sujet en A: B", "Ana a retiré Tom: Smith",
		"Você adicionou Tom: Smith", "Ana adicionou Tom: Smith", "Ana fixou uma mensagem: até já", "Seu código de segurança com Tom: Smith mudou", "Ana mudou o nome do grupo para A: B",
		"Hai aggiunto Tom: Smith", "Ana ha aggiunto Tom: Smith", "Ana ha fissato un messaggio: a dopo", "Il tuo codice di sicurezza con Tom: Smith è cambiato", "Ana ha cambiato l'oggetto in A: B",
		"你添加了 Tom: Smith", "Ana 添加了 Tom: Smith", "Ana 置顶了一条消息: 再见", "您与 Tom: Smith 的安全码已更改", "Ana 将群名改为 A: B", "Ana 新增了 Tom: Smith", "Ana 更改了群组名称为 A: B",
		"Je hebt Tom: Smith toegevoegd", "Ana heeft een bericht vastgemaakt: tot zo", "Ana, Tom: Smith kişisini ekledi", "AnaがTom: Smithを追加しました", "Ana님이 Tom: Smith님을 추가했습니다",
		"Ana добавила Tom: Smith", "Ana закрепила сообщение: пока", "Ana dodał Tom: Smith", "Ana přidala Tom: Smith",
		"Ana menambahkan Tom: Smith", "Ana đã thêm Tom: Smith", "أضافت Ana Tom: Smith", "Ana ghlac nóta beag: slán", // a language that isn't known
	}
	for _, notice := range notices {
		at := "13/03/24, 21:05 - "
		e := readNamed(t, "x.txt", at+"Ana: one\n"+at+"Bo: two\n"+at+notice+"\n"+at+"Ana: three\n"+at+"Bo: four\n", ingest.Options{})
		if got := e.Conversations[0].Participants; !slices.Equal(got, []string{"Ana", "Bo"}) {
			t.Errorf("%q makes %q take part", notice, got)
		}
		if m := e.Messages[2]; m.Kind != ingest.KindSystem || m.Sender != "" || m.Text != strings.TrimSpace(notice) || len(e.Messages) != 5 {
			t.Errorf("%q: %s by %q: %q", notice, m.Kind, m.Sender, m.Text)
		}
	}
}

// What people are called and say isn't taken for a notice.
func TestWhatsAppNoNotices(t *testing.T) {
	for _, line := range []string{
		"Ana von Berg: hi", "Ana from work: hi", "Maria da Silva: oi", "Leo Left: I left", "Joined Up Ltd: hello", "Tom Hat: wer hat das geändert", "Ana (mum): we changed the plan: Rome",
		"王将: 好", "はな: どこ", "Smith, Tom: I was added to the list", "Cy: everyone left", "Cy: I pinned a message", "+49 170 1234567: Mama ist weg", "Pinned: no", "Changed Tyres: done", "Ana & Bo: you added Tom: Smith",
		"Hat Shop: du hast Post", "Ana Du: du hast recht", "El Gringo: añadió sal", "Code: security code is 12",
	} {
		at := "13/03/24, 21:05 - "
		e := readNamed(t, "x.txt", at+"Ana: one\n"+at+"Bo: two\n"+at+line+"\n"+at+"Ana: three\n"+at+"Bo: four\n", ingest.Options{})
		name, text, _ := strings.Cut(line, ": ")
		if m := e.Messages[2]; m.Sender != name || m.Text != text || m.Kind != ingest.KindMessage {
			t.Errorf("%q: %s by %q: %q", line, m.Kind, m.Sender, m.Text)
		}
	}
}

// A placeholder is no text, with brackets of any kind or none; what somebody says in
// brackets is theirs, and words that may be a placeholder are kept beside it.
func TestWhatsAppPlaceholders(t *testing.T) {
	tests := []struct{ body, kind, caption string }{
		{"image omitted", "image", ""}, {"Sprachnachricht weggelassen", "audio", ""}, {"省略多媒體檔案", "unknown", ""}, {"Média kihagyva", "unknown", ""},
		{"imagem ocultada", "image", ""}, {"صورة محذوفة", "image", ""}, {"‹Media omitted›", "unknown", ""}, {"〈省略影音内容〉", "unknown", ""}, {"<Video note omitted>", "video", ""},
		{"nota de voz omitida", "audio", ""}, {"message vocal absent", "audio", ""}, {"обраzec", "", ""}, {"видео пропущено", "video", ""}, {"画像は含まれていません", "image", ""}, {"사진 생략됨", "image", ""},
		{"<Fichéad ar lár>", "unknown", "Fichéad ar lár"}, {"<I am not sure, really>", "", ""}, {"<see you at 9>", "", ""}, {"image omitted again", "", ""}, {"<3", "", ""},
	}
	for _, tt := range tests {
		at := "13/03/24, 21:05 - "
		e := readNamed(t, "x.txt", at+"Ana: "+tt.body+"\n"+at+"Bo: k\n", ingest.Options{})
		m := e.Messages[0]
		if tt.kind == "" {
			if m.Kind != ingest.KindMessage || m.Text != tt.body {
				t.Errorf("%q: %s %q", tt.body, m.Kind, m.Text)
			}
			continue
		}
		if m.Kind != ingest.KindMedia || m.Text != "" || len(m.Media) != 1 || m.Media[0].Type != tt.kind || m.Media[0].Caption != tt.caption {
			t.Errorf("%q: %s %q %v", tt.body, m.Kind, m.Text, m.Media)
		}
	}
	for _, body := range []string{"ok <Mensaje editado>", "ok <消息已编辑>", "ok <Zpráva byla upravena.>"} {
		if m := readNamed(t, "x.txt", "13/03/24, 21:05 - Ana: "+body+"\n13/03/24, 21:05 - Bo: k\n", ingest.Options{}).Messages[0]; m.Text != "ok" || !m.Edited {
			t.Errorf("%q: %q edited %v", body, m.Text, m.Edited)
		}
	}
}
