package ingest

import (
	"regexp"
	"strings"
)

// A phone without iMessage is told of a tapback in words, with those that it is about:
// `Loved “I come at 11”`. Both, the reaction and the words of somebody else, are none of
// the sender's own. imTapbacks are these forms in the languages of the app; “…” stands
// for what is quoted or for what is attached, % for an emoji or a short word.
var imTapbacks = lazily(`(?s)^(?:` + tapbackForms(imQuoted, `Loved …|Liked …|Disliked …|Laughed at …|Emphasized …|Emphasised …|Questioned …|Reacted % to …|Reacted with % to …|Removed % from …
Liebt …|Mag …|Hat … geliebt|Gefällt …|Gefiel …|Missfällt …|Gefällt … nicht|Mag … nicht|Lacht über …|Lachte über …|Hat über … gelacht|Betont …|Betonte …|Hat … betont|Hat … hervorgehoben|Hebt … hervor|Stellt … in Frage|Stellt … infrage|Hat … hinterfragt|Hinterfragt …|Reagierte mit % auf …|Reagiert mit % auf …|Hat mit % auf … reagiert|Hat % von … entfernt|Entfernte % von …
A adoré …|Adore …|A aimé …|Aime …|N'a pas aimé …|N'aime pas …|A ri à …|A ri de …|Rit à …|A mis en évidence …|A mis … en évidence|A souligné …|A insisté sur …|A accentué …|A posé une question sur …|A remis en question …|A questionné …|A réagi avec % à …|A réagi % à …|A réagi par % à …|A supprimé % de …|A retiré % de …
Le encantó …|Encantó …|Me encanta …|Le gustó …|Le ha gustado …|Le ha encantado …|No le gustó …|No le ha gustado …|Se rió de …|Se rio de …|Se ha reído de …|Rió con …|Le dio risa …|Enfatizó …|Ha enfatizado …|Exclamó por …|Exclamó en …|Destacó …|Cuestionó …|Ha cuestionado …|Preguntó por …|Reaccionó con % a …|Ha reaccionado con % a …|Quitó % de …|Eliminó % de …
Ha adorato …|Ha messo mi piace a …|Non ha apprezzato …|Ha riso di …|Ha enfatizzato …|Ha evidenziato …|Ha messo in dubbio …|Ha reagito con % a …|Ha rimosso % da …
Amou …|Adorou …|Gostou de …|Curtiu …|Não gostou de …|Não curtiu …|Riu de …|Enfatizou …|Questionou …|Reagiu com % a …|Removeu % de …
Vond … geweldig|Vond … leuk|Vond … niet leuk|Lachte om …|Benadrukte …|Plaatste vraagtekens bij …|Reageerde met % op …
喜爱…|喜爱了…|喜欢…|喜欢了…|爱了…|很喜欢…|赞了…|踩了…|不喜欢…|不喜欢了…|讨厌…|因…大笑|因…而大笑|对…大笑|笑了…|被…逗笑|强调了…|强调…|质疑了…|质疑…|对…表示疑问|对…有疑问|对…添加了%|对…做出了%回应|对…作出%回应|用%回应了…|以%回应…|移除了…的%|从…移除了%|取消了对…的%
喜愛…|喜愛了…|喜歡…|喜歡了…|說…讚|對…按讚|不喜歡…|對…大笑|因…大笑|強調…|強調了…|質疑…|質疑了…|對…表示疑問|用%回應了…|以%回應…|從…移除了%
…にハートしました|…をハートしました|…に「いいね」しました|…を好きではないと言いました|…に笑いました|…を強調しました|…に質問しました|…に%でリアクションしました`) + `)[.。]?$`)

// imQuoted is what stands for … in a form: the words in the marks of the language, or
// what was attached.
const imQuoted = `(?:[“"„«「『‘].*[”"“»」』’]|(?:an?|ein(?:e[nmrs]?)?|une?|una?|um|uma|een|uno) ?(?:image|attachment|movie|video|audio message|photo|sticker|link|location|contact|voice message|bild|foto|anhang|audionachricht|sprachnachricht|film|standort|kontakt|pièce jointe|vidéo|message audio|photo|lien|position|imagen|archivo adjunto|mensaje de audio|vídeo|enlace|ubicación|immagine|allegato|messaggio audio|imagem|anexo|mensagem de áudio|afbeelding|bijlage|audiobericht)|(?:了)?(?:一?[张個个段条張則则份])?(?:图片|圖片|照片|视频|影片|附件|语音|音频信息|音訊|贴纸|貼圖|链接|連結|影像))`

// tapbackForms makes alternatives of a list of forms.
func tapbackForms(quoted, forms string) string {
	var out []string
	for form := range strings.FieldsFuncSeq(forms, func(r rune) bool { return r == '|' || r == '\n' }) {
		form = regexp.QuoteMeta(form)
		form = strings.ReplaceAll(form, "'", "['’]")
		form = strings.ReplaceAll(form, "…", `[\s\x{00a0}\x{202f}]*(?i:`+quoted+`)[\s\x{00a0}\x{202f}]*`)
		out = append(out, strings.ReplaceAll(form, "%", `[^“"„«「\n]{1,40}?`))
	}
	return strings.Join(out, "|")
}

// tapback makes a notice of a message that is nothing but a tapback in words, and
// reports whether it is one.
func (m *Message) tapback() bool {
	if len(m.Media) > 0 || len(m.Text) > 8192 || !imTapbacks.MatchString(m.Text) {
		return false
	}
	m.Kind, m.System, m.Actor, m.Text = KindSystem, "reaction", m.Sender, ""
	m.Sender, m.SenderID, m.Self, m.Edited = "", "", false, false
	return true
}
