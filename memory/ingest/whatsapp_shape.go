package ingest

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What WhatsApp writes in place of words has shapes that people don't type, whatever the
// language: a file's name with words in brackets behind it, brackets that are no pair, a few
// words behind U+200E. Where only the shape tells, the words are kept as the caption.

// realExtensions are endings of files that people send, beside those of extensionTypes.
var realExtensions = wordSet("pdf doc docx docm odt rtf txt md csv tsv xls xlsx xlsm ods ppt pptx odp pages numbers key epub mobi zip rar 7z gz tar apk ipa exe dmg iso html htm xml json ics eml msg psd ai dwg dxf kml kmz gpx log tex svg webm was")

// isFileName reports whether s ends as the name of a file does.
func isFileName(s string) bool {
	ext := strings.ToLower(path.Ext(s))
	return ext != "" && (extensionTypes[ext] != "" || realExtensions[ext[1:]])
}

// foreignWords reports whether s is words of a script that isn't Latin: what stands in a
// placeholder of a language that isn't known. The languages in Latin letters are known, and
// people type words of theirs into brackets behind a file's name.
func foreignWords(s string) bool {
	return letters(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// appsOwn reports whether a notice without a mark may be the app's: it begins with a
// capital where its script has them. What is typed all small was said.
func appsOwn(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// oddPair returns what stands between brackets at the end of s that are no pair, "‹…>", and
// what stands before them.
func oddPair(s string) (before, inner string, ok bool) {
	r := []rune(s)
	n := len(r)
	if n < 3 {
		return "", "", false
	}
	for i := n - 2; i >= 0 && i >= n-120; i-- {
		closing, opens := waBrackets[r[i]]
		switch {
		case opens && closing != r[n-1] && closes(r[n-1]):
			inner = strings.TrimSpace(string(r[i+1 : n-1]))
			return strings.TrimRight(string(r[:i]), " \u200e"), inner, letters(strings.ReplaceAll(inner, "/", " "))
		case opens || closes(r[i]):
			return "", "", false
		}
	}
	return "", "", false
}

func closes(r rune) bool {
	for _, c := range waBrackets {
		if c == r {
			return true
		}
	}
	return false
}

// editedShape reports whether words in angle brackets behind a message on Android are the
// app's, of a language that isn't known: nobody types three words of their own script, or a
// sentence without blanks, into them.
func editedShape(inner string) bool {
	if !foreignWords(inner) || len([]rune(inner)) > 60 {
		return false
	}
	n, long := len(strings.Fields(inner)), 0
	for _, r := range inner {
		if unicode.IsLetter(r) && r >= 0xe00 {
			long++
		}
	}
	return n >= 3 && n <= 8 || n == 1 && long >= 8
}

// placeholderShape reports whether a line that begins with U+200E stands for a file: a few
// words without a mark of a sentence, which no known notice has.
func placeholderShape(s string) bool {
	if strings.ContainsAny(s, "\n.。!?！？।۔\"“”„«»「」:") || !letters(s) || len([]rune(s)) > 40 || len(strings.Fields(s)) > 5 {
		return false
	}
	key := phraseKey(s)
	return !waNoticeHead.MatchString(key) && !waNoticeHan.MatchString(key) && !waNoticeAround.MatchString(key) && !waNoticeEnd.MatchString(" "+key)
}

// waCallWord are words for a call, as beginnings within words where a language joins them.
var waCallWord = lazily(`(?:^| )(?:call|calls|llamada|videollamada|chamada|ligação|appel|chiamata|videochiamata|trucada|apel|poziv|hovor|hívás|panggilan|cuộc gọi|κλήση|звонок|вызов|виклик|дзвінок|обаждане|połączenie|arama|araması|puhelu|कॉल|שיחה|שיחת|مكالمة|تماس|کال)(?:$| )|anruf|oproep|samtal|opkald|anrop|puhelu|аудиозвонок|видеозвонок|аудіодзвінок|відеодзвінок|通话|通話|通話|着信|来电|來電|통화|전화|สายโทร|การโทร|hívás`)

// callShape reports whether a line that begins with U+200E tells of a call.
func callShape(s string) bool {
	return len(strings.Fields(s)) <= 12 && waCallWord.MatchString(phraseKey(s))
}

// waDeletedBy are notices of a message that somebody else took out.
var waDeletedBy = lazily(`^(?:this message was deleted by (?:group )?admin(?: .{1,60})?|admin .{1,60} deleted this message|diese nachricht wurde (?:vom|von|durch) .{0,60}admin(?:in|istrator)?(?: .{1,60})? gelöscht|ce message a été supprimé par .{0,20}admin.{0,60}|(?:se eliminó este mensaje|este mensaje fue eliminado|(?:el |la )?admin.{1,60}eliminó este mensaje) ?(?:por .{0,20}admin.{0,60})?|esta mensagem foi (?:apagada|excluída|eliminada) (?:pelo|pela|por) .{0,10}admin.{0,60}|questo messaggio è stato eliminato da.{0,20}(?:admin|amministrator).{0,60}|dit bericht is verwijderd door .{0,20}(?:admin|beheerder).{0,60}|(?:данное |это )?сообщение (?:было )?удалено админ.{0,60}|(?:此消息|此訊息|该消息|該訊息)已?被?(?:群组|群組)?管理[员員].{0,20}(?:删除|刪除)|このメッセージは管理者.{0,30}削除されました)$`)

// deletedBy reports whether a phrase, in the form of phraseKey, is such a notice.
func deletedBy(key string) bool {
	if key == "" || key[0] < 0x80 && strings.IndexByte("acdelqst", key[0]) < 0 {
		return false // as most lines: no such notice begins so
	}
	return len(key) < 160 && (strings.Contains(key, "admin") || strings.Contains(key, "админ") || strings.Contains(key, "beheerder") || strings.Contains(key, "amministrator") || strings.Contains(key, "管理")) && waDeletedBy.MatchString(key)
}

// waLive stand for a place that is shown as it changes.
var waLive = phraseSet(`live location shared
Live-Standort wird geteilt
Live-Standort geteilt
ubicación en tiempo real compartida
localização em tempo real compartilhada
localização em tempo real partilhada
localisation en direct partagée
position en direct partagée
posizione in tempo reale condivisa
posizione attuale condivisa
live locatie gedeeld
живая геолокация отправлена
canlı konum paylaşıldı
lokasi terkini dibagikan
即時位置已分享
已分享实时位置
位置情報(ライブ)が共有されました
실시간 위치가 공유됨`)

// waWhole tells what a whole message of certain words is: a notice, a call, or a place.
var waWhole = func() map[string]waKind {
	out := map[string]waKind{}
	for key := range waLive {
		out[key] = waMedia
	}
	for key := range waMissed {
		out[key] = waCallNotice
	}
	for key := range waNotices {
		out[key] = waSystem
	}
	return out
}()
