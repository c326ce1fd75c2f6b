package ingest

import (
	"strings"
)

// Where the words of a message stand below its head, apps put lines in brackets between
// the two: whom it answers, whom it was passed on from, what is attached. They are part
// of that message.
//
//	Ana, [15.03.2024 00:06]
//	[In reply to Bob]
//	sure, I quit

var (
	belowReply   = lazily(`(?i)^(?:in reply to|antwort (?:auf|an)|en réponse à|réponse à|en respuesta a|respuesta a|in risposta a|risposta a|em resposta a|resposta a|als antwoord op|antwoord op|w odpowiedzi (?:na|do)?|в ответ(?: на)?|ответ на|у відповідь(?: на)?|yanıt|回复|回覆|답장|返信)\s?[:：]?\s?\S`)
	belowForward = lazily(`(?i)^(?:forwarded from|forwarded message(?: from)?|weitergeleitet von|transféré (?:de|depuis)|reenviado de|inoltrato da|encaminhado de|doorgestuurd van|przesłan\S+ (?:od|dalej od)|przekazano (?:od|z)|переслано (?:от|из|від|з)|iletildi|转发自|轉傳自|轉發自|전달|転送元)\s?[:：]?\s?(.*)$`)
	belowMedia   = lazily(`^\[ (\S.{0,120}) \]$`)
)

// belowTypes are words for what is attached.
var belowTypes = []struct {
	kind  string
	words string
}{
	{"sticker", "sticker|стикер|наклейка|наліпка|贴纸|貼圖"},
	{"image", "photo|foto|image|bild|picture|imagen|imagem|immagine|фото|фотография|світлина|图片|圖片|照片|写真|사진"},
	{"audio", "voice|audio|sprachnachricht|voz|vocale|vocal|голосов|music|语音|語音"},
	{"video", "video|vidéo|vídeo|gif|видео|відео|视频|影片|動画|동영상"},
	{"contact", "contact|kontakt|contacto|contatto|контакт|名片"},
	{"location", "location|standort|ubicación|posizione|localização|position|геопозиция|местоположение|位置"},
	{"poll", "poll|umfrage|encuesta|sondaggio|sondage|enquete|опрос|投票"},
	{"document", "file|datei|archivo|fichier|documento|arquivo|файл|文件|檔案"},
}

// belowHead takes a line in brackets that stands right below a head without words. It
// reports false for what isn't the app's: it is said.
func (w *plainWriter) belowHead(text string) bool {
	m := w.open
	inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if media := belowMedia.FindStringSubmatch(text); media != nil {
		m.Media = append(m.Media, belowType(media[1]))
		return true
	}
	if media := weChatPlaceholder.FindStringSubmatch(text); media != nil {
		m.Media = append(m.Media, Media{Type: weChatType(media[1]), Caption: strings.TrimSpace(media[2])})
		return true
	}
	if from := belowForward.FindStringSubmatch(inner); from != nil {
		m.Forwarded, m.ForwardedFrom = true, strings.TrimSpace(from[1])
		return true
	}
	if belowReply.MatchString(inner) {
		return true
	}
	if !w.copied || !strings.HasPrefix(text, "[") {
		return false
	}
	// Telegram's in another language: it names who speaks here and was answered, or
	// whose the words are.
	for _, name := range w.survey.spelling {
		if strings.Contains(inner, name) {
			return true
		}
	}
	m.Forwarded = true
	return true
}

// belowType tells what "[ Photo ]" or "[ File : plan.pdf ]" stands for.
func belowType(s string) Media {
	word, name, _ := strings.Cut(s, ":")
	name = strings.TrimSpace(name)
	word = strings.ToLower(word)
	for _, t := range belowTypes {
		for w := range strings.SplitSeq(t.words, "|") {
			if !strings.Contains(word, w) {
				continue
			}
			if t.kind == "document" && name != "" {
				return Media{Type: mediaTypeOf(name), Name: name}
			}
			return Media{Type: t.kind, Caption: name}
		}
	}
	return Media{Type: "unknown", Caption: name}
}
