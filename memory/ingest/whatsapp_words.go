package ingest

import (
	"path"
	"strings"
	"unicode"
)

// What WhatsApp writes instead of words, in the languages that it speaks. iPhone
// exports mark such text with U+200E, so that an unknown language does no harm
// there; Android exports don't, so the list is what protects.

// phraseSet makes a set of phrases, one a line, in the form of phraseKey.
func phraseSet(s string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.SplitSeq(s, "\n") {
		if key := phraseKey(line); key != "" {
			out[key] = true
		}
	}
	return out
}

// phraseKey is a phrase without case, bidi marks, joiners, full stops and outer blanks.
func phraseKey(s string) string {
	if isASCII(s) { // as most are: nothing to take out or to replace
		return strings.ToLower(strings.TrimRight(strings.TrimSpace(s), ". "))
	}
	s = strings.TrimSpace(unmark(s))
	s = strings.TrimRight(s, ".。 \u00a0")
	return strings.ToLower(plainMarks.Replace(s))
}

var plainMarks = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "’", "'", "\u200c", "")

// waMediaAngled stand between < and > for a file that the export left out.
var waMediaAngled = phraseSet(`Media omitted
Media jätettiin pois
Média kihagyva
Без файл
省略多媒體檔案
Đã bỏ qua tệp media
Medien ausgeschlossen
Medien weggelassen
Multimedia omitido
Archivo omitido
Mídia omitida
Mídia oculta
Arquivo de mídia oculto
Ficheiro não revelado
Médias omis
Média omis
Fichier omis
Media omessi
Media omesso
Media weggelaten
Medierna har utelämnats
Media har utelämnats
Medieinnhold er utelatt
Media utelatt
Medier udeladt
Mediefil udeladt
Pominięto multimedia
pominięto multimedia
Média vynechána
Média sú vynechané
Soubor vynechán
Média elhagyva
Hiányzó médiafájl
Media wurde weggelassen
Без медиафайлов
Файл опущен
Медиафайл пропущен
Без медіафайлів
Медіафайл пропущено
Файл е пропуснат
Изключена медия
Medya dahil edilmedi
Medya atlanmış
Medya atlandı
تم استبعاد الوسائط
الوسائط محذوفة
تم حذف الوسائط
המדיה לא נכללה
המדיה הושמטה
המדיה לא הושמטה
רسانه حذف شد
رسانه حذف شده
پیوست نشده است
省略影音内容
省略媒体文件
媒体文件已省略
媒体已省略
已略去媒体文件
略過多媒體檔
已省略多媒體檔案
多媒體檔案已略過
メディアは含まれていません
メディアなし
미디어 파일을 생략한 대화내용
미디어 파일 생략
미디어 제외됨
Media tidak disertakan
Media dikecualikan
Media ditinggalkan
Phương tiện bị bỏ qua
File media bị bỏ qua
ไม่รวมสื่อ
สื่อถูกละเว้น
मीडिया के बिना
मीडिया छोड़ा गया
Παραλείφθηκαν πολυμέσα
Εξαιρέθηκαν πολυμέσα
Fișiere media omise
Conținut media omis
Mediji izostavljeni
Multimedijalni sadržaji izostavljeni
Media jätetty pois
Media puuttuu
S'ha omès el contingut multimèdia
mitjans omesos
View once voice message omitted`)

// waMediaBare are iPhone's words for the same, after U+200E; the first word or
// the last tells the type.
var waMediaBare = phraseSet(`image omitted
Sprachnachricht weggelassen
photo omitted
video omitted
audio omitted
GIF omitted
sticker omitted
document omitted
Contact card omitted
video note omitted
Bild weggelassen
Foto weggelassen
Video weggelassen
Audio weggelassen
GIF weggelassen
Sticker weggelassen
Dokument weggelassen
Kontaktkarte ausgelassen
Kontaktkarte weggelassen
Videonachricht weggelassen
imagen omitida
foto omitida
video omitido
vídeo omitido
audio omitido
sticker omitido
GIF omitido
documento omitido
Tarjeta de contacto omitida
imagem ocultada
vídeo omitido
áudio ocultado
áudio omitido
figurinha omitida
imagem omitida
documento omitido
Cartão do contato omitido
image absente
image omise
vidéo absente
vidéo omise
audio omis
sticker omis
GIF retiré
document manquant
document omis
Fiche contact omise
immagine omessa
video omesso
audio omesso
sticker non incluso
sticker omesso
GIF esclusa
documento omesso
Scheda contatto omessa
afbeelding weggelaten
video weggelaten
audio weggelaten
sticker weggelaten
document weggelaten
Contactkaart weggelaten
изображение отсутствует
видео отсутствует
аудиофайл отсутствует
стикер отсутствует
документ отсутствует
görüntü dahil edilmedi
video dahil edilmedi
ses dahil edilmedi
belge dahil edilmedi
Çıkartma dahil edilmedi
图像已忽略
图片已忽略
忽略图片
忽略视频
忽略音频
音频已忽略
视频已忽略
文档已忽略
忽略文档
表情已忽略
忽略贴图
忽略多媒体文件
圖片已忽略
影片已忽略
語音已忽略
文件已忽略
貼圖已忽略
画像は含まれていません
動画は含まれていません
音声は含まれていません
スタンプは含まれていません
文書は含まれていません
이미지 생략됨
동영상 생략됨
음성 메시지 생략됨
문서 생략됨
스티커 생략됨
gambar tidak disertakan
video tidak disertakan
audio tidak disertakan
stiker tidak disertakan
dokumen tidak disertakan
تم حذف الصورة
صورة محذوفة
فيديو محذوف
تسجيل صوتي محذوف
ملصق محذوف
مستند محذوف
התמונה הושמטה
הסרטון הושמט
השמע הושמט
המדבקה הושמטה
המסמך הושמט
obraz pominięto
pominięto obraz
wideo pominięto
dźwięk pominięto
bild utelämnad
billede udeladt
bilde utelatt
kuva jätettiin pois
obrázek vynechán`)

// waDeleted are the notices of a message that isn't there any more; a true value
// means that whoever exported the chat deleted it.
var waDeleted = func() map[string]bool {
	out := map[string]bool{}
	for key := range phraseSet(`This message was deleted
This message was deleted by admin
Diese Nachricht wurde gelöscht
Se eliminó este mensaje
Este mensaje fue eliminado
Este mensaje se eliminó
Esta mensagem foi apagada
Mensagem apagada
Esta mensagem foi eliminada
Ce message a été supprimé
Questo messaggio è stato eliminato
Dit bericht is verwijderd
Detta meddelande raderades
Det här meddelandet raderades
Denne besked blev slettet
Denne meldingen ble slettet
Tämä viesti poistettiin
Ta wiadomość została usunięta
Wiadomość została usunięta
Tato zpráva byla smazána
Tato zpráva byla odstraněna
Táto správa bola odstránená
Ez az üzenet törölve lett
Üzenet törölve
Acest mesaj a fost șters
Това съобщение беше изтрито
Данное сообщение удалено
Это сообщение удалено
Сообщение удалено
Це повідомлення видалено
Bu mesaj silindi
تم حذف هذه الرسالة
تم مسح هذه الرسالة
این پیام حذف شده است
این پیام حذف شد
הודעה זו נמחקה
ההודעה נמחקה
यह संदेश हटा दिया गया
यह मैसेज मिटा दिया गया
यह मैसेज मिटा दिया गया था
यह मैसेज हटा दिया गया था
यह मैसेज डिलीट किया गया था
Це повідомлення було видалено
Це повідомлення було вилучено
ข้อความนี้ถูกลบ
यह मैसेज डिलीट कर दिया गया
यह मैसेज डिलीट किया गया
यह मैसेज डिलीट कर दिया गया है
यह मैसेज हटा दिया गया
यह मैसेज हटा दिया गया है
यह संदेश हटा दिया गया है
यह संदेश डिलीट कर दिया गया
यह मैसेज मिटा दिया गया है
यह संदेश मिटा दिया गया
यह संदेश मिटाया गया
此消息已删除
此消息已被删除
这条消息已删除
此条消息已删除
該則訊息已刪除
此訊息已刪除
這則訊息已刪除
此訊息已被刪除
このメッセージは削除されました
삭제된 메시지입니다
메시지가 삭제되었습니다
이 메시지는 삭제되었습니다
이 메시지가 삭제되었습니다
이 메시지는 삭제됐습니다
삭제된 메시지
Pesan ini telah dihapus
Pesan ini dihapus
Mesej ini telah dipadamkan
Tin nhắn này đã bị xóa
Tin nhắn đã bị xóa
ข้อความนี้ถูกลบแล้ว
Αυτό το μήνυμα διαγράφηκε
Ova poruka je izbrisana
Aquest missatge s'ha suprimit
S'ha suprimit aquest missatge
Aquest missatge s'ha eliminat
Dit bericht werd verwijderd
Dit bericht is gewist
Mensaje eliminado
Message supprimé
Messaggio eliminato
Nachricht gelöscht
Message deleted
Bericht verwijderd
Meddelandet raderades
Ova je poruka izbrisana
Poruka je izbrisana
Ова порука је избрисана
To sporočilo je bilo izbrisano
See sõnum kustutati
Šī ziņa tika izdzēsta
Ši žinutė buvo ištrinta
Съобщението беше изтрито
Silinmiş mesaj
Bu mesaj silinmiş
رسالة محذوفة
تم حذف الرسالة
یہ پیغام حذف کر دیا گیا
এই মেসেজটি মুছে ফেলা হয়েছে
இந்த செய்தி நீக்கப்பட்டது
ఈ సందేశం తొలగించబడింది
ही संदेश हटवला गेला
Ujumbe huu ulifutwa
Binura ang mensaheng ito
訊息已刪除
消息已删除
已删除消息
該訊息已刪除
メッセージは削除されました
Mesej ini dipadamkan
Pesan dihapus`) {
		out[key] = false
	}
	for key := range phraseSet(`You deleted this message
Du hast diese Nachricht gelöscht
Eliminaste este mensaje
Has eliminado este mensaje
Você apagou esta mensagem
Apagou esta mensagem
Apagaste esta mensagem
Vous avez supprimé ce message
Hai eliminato questo messaggio
U hebt dit bericht verwijderd
Je hebt dit bericht verwijderd
Du raderade det här meddelandet
Du slettede denne besked
Du slettet denne meldingen
Poistit tämän viestin
Usunięto tę wiadomość
Usunąłeś tę wiadomość
Smazali jste tuto zprávu
Törölted ezt az üzenetet
Вы удалили данное сообщение
Вы удалили это сообщение
Ви видалили це повідомлення
Bu mesajı sildiniz
لقد حذفت هذه الرسالة
قمت بحذف هذه الرسالة
حذفتَ هذه الرسالة
شما این پیام را حذف کردید
מחקת הודעה זו
מחקת את ההודעה
आपने यह संदेश मिटाया
आपने यह मैसेज मिटाया
आपने यह मैसेज मिटा दिया
आपने यह मैसेज हटाया
आपने यह मैसेज हटा दिया
आपने यह मैसेज डिलीट किया
Usunąłeś(-ęłaś) tę wiadomość
Usunąłeś(aś) tę wiadomość
Usunęłaś tę wiadomość
คุณได้ลบข้อความนี้
คุณลบข้อความนี้
您删除了这条消息
你删除了这条消息
您已删除此消息
您刪除了此訊息
您已刪除此訊息
你已刪除此訊息
このメッセージを削除しました
あなたはこのメッセージを削除しました
이 메시지를 삭제했습니다
삭제한 메시지입니다
Anda menghapus pesan ini
Anda telah menghapus pesan ini
Anda memadamkan mesej ini
Bạn đã xóa tin nhắn này
คุณลบข้อความนี้แล้ว
Διαγράψατε αυτό το μήνυμα
Ați șters acest mesaj
Ai șters acest mesaj
Has suprimit aquest missatge
Vymazali ste túto správu
Изтрихте това съобщение
Obrisali ste ovu poruku
Izbrisali ste ovu poruku
Eliminou esta mensagem
Borraste este mensaje
Tu as supprimé ce message
Sie haben diese Nachricht gelöscht
Je hebt dit bericht gewist
Ви видалили це повідомлення
آپ نے یہ پیغام حذف کر دیا
Bạn đã xóa tin nhắn
你删除了此消息
您删除了此消息`) {
		out[key] = true
	}
	return out
}()

// waEdited stand between < and > behind an edited message.
var waEdited = phraseSet(`This message was edited
Diese Nachricht wurde bearbeitet
Se editó este mensaje
Este mensaje fue editado
Este mensaje se editó
Mensagem editada
Esta mensagem foi editada
Ce message a été modifié
Questo messaggio è stato modificato
Dit bericht is bewerkt
Det här meddelandet har redigerats
Denne besked er blevet redigeret
Denne meldingen ble redigert
Tätä viestiä muokattiin
Ta wiadomość została edytowana
Wiadomość edytowana
Tato zpráva byla upravena
Ezt az üzenetet szerkesztették
Acest mesaj a fost editat
Данное сообщение изменено
Это сообщение изменено
Сообщение изменено
Це повідомлення відредаговано
Bu mesaj düzenlendi
تم تعديل هذه الرسالة
این پیام ویرایش شد
הודעה זו נערכה
यह संदेश संपादित किया गया
此消息已编辑
此消息已被编辑
此訊息已被編輯
这条消息已编辑
已编辑这条消息
此訊息已編輯
這則訊息已編輯
このメッセージは編集されました
편집된 메시지입니다
이 메시지는 수정되었습니다
Pesan ini diedit
Pesan ini telah diedit
Mesej ini telah diedit
Tin nhắn này đã được chỉnh sửa
ข้อความนี้ถูกแก้ไขแล้ว
Αυτό το μήνυμα τροποποιήθηκε
Αυτό το μήνυμα υποβλήθηκε σε επεξεργασία
Mensaje editado
Este mensaje ha sido editado
Nachricht bearbeitet
Message modifié
Messaggio modificato
Bericht bewerkt
Esta mensagem foi modificada
Meddelandet redigerades
Meddelandet har redigerats
Denne besked blev redigeret
Meldingen ble redigert
Táto správa bola upravená
Tato zpráva byla změněna
Zpráva byla upravena
Üzenet szerkesztve
Ez az üzenet szerkesztve lett
Mesajul a fost editat
Съобщението е редактирано
Това съобщение беше редактирано
Повідомлення змінено
Ova poruka je uređena
Ova poruka je izmijenjena
S'ha editat aquest missatge
Aquest missatge s'ha editat
Mesaj düzenlendi
تم تعديل الرسالة
این پیام ویرایش شده است
ההודעה נערכה
यह मैसेज एडिट किया गया
यह मैसेज एडिट किया गया है
यह मैसेज बदला गया
이 메시지가 수정되었습니다
ข้อความนี้ถูกแก้ไข
消息已编辑
訊息已編輯
此訊息已經過編輯
メッセージが編集されました
메시지가 수정되었습니다
Pesan telah diedit
Tin nhắn đã được chỉnh sửa
Message edited`)

// waAttached are the words that stand in brackets behind a file's name on
// Android, and before it on iPhones ("<attached: name>").
var waAttached = phraseSet(`file attached
attached
Datei angehängt
Anhang
archivo adjunto
adjunto
arquivo anexado
anexado
ficheiro anexado
fichier joint
pièce jointe
file allegato
allegato
bestand bijgevoegd
bijgevoegd
bifogad fil
bifogad
vedhæftet fil
vedhæftet
vedlagt fil
vedlagt
liitetiedosto
liite
plik dołączony
załącznik
załączono plik
soubor byl přiložen
přiloženo
fájl csatolva
csatolt fájl
fișier atașat
атташирано
файл добавлен
прикреплено
файл додано
dosya ekli
eklendi
ملف مرفق
مرفق
الملف مرفق
فایل پیوست شد
پیوست
קובץ מצורף
מצורף
文件附件
附件
檔案附件
附件檔案
檔案已附加
附加檔案
फ़ाइल अटैच की गई
फ़ाइल संलग्न
फाइल संलग्न
फ़ाइल जुड़ी है
na-attach na file
fail dilampirkan
faili limeambatishwa
添付ファイル
添付
파일 첨부됨
첨부됨
첨부
file terlampir
terlampir
lampiran
tệp đính kèm
đính kèm
ไฟล์ที่แนบมา
แนบ
επισυνάφθηκε αρχείο
συνημμένο`)

// waMissed are calls that nobody took, as Android writes them without a mark.
var waMissed = phraseSet(`Missed voice call
Missed video call
Missed group voice call
Missed group video call
Verpasster Sprachanruf
Verpasster Videoanruf
Verpasster Gruppenanruf
Llamada perdida
Llamada de voz perdida
Videollamada perdida
Chamada de voz perdida
Chamada de vídeo perdida
Ligação de voz perdida
Ligação de vídeo perdida
Appel vocal manqué
Appel vidéo manqué
Chiamata vocale persa
Videochiamata persa
Gemiste spraakoproep
Gemiste video-oproep
Пропущенный аудиозвонок
Пропущенный видеозвонок
Cevapsız sesli arama
Cevapsız görüntülü arama
Nieodebrane połączenie głosowe
Nieodebrane połączenie wideo
Missat röstsamtal
Missat videosamtal
مكالمة صوتية فائتة
مكالمة فيديو فائتة
未接语音通话
未接视频通话
未接語音通話
未接視訊通話
不在着信
音声通話の不在着信
ビデオ通話の不在着信
부재중 음성전화
부재중 영상전화
부재중 음성 전화
부재중 영상 전화
부재중 그룹 음성통화
부재중 음성통화
부재중 음성 통화
부재중 영상통화
부재중 영상 통화
मिस्ड वॉइस कॉल
मिस्ड वीडियो कॉल
छूटी हुई वॉइस कॉल
Panggilan suara tak terjawab
Panggilan video tak terjawab
Пропущений голосовий виклик
Пропущений аудіовиклик
Пропущений відеовиклик
Пропущений аудіодзвінок
Пропущений відеодзвінок
Пропущенный голосовой вызов
Пропущенный голосовой звонок
שיחה קולית שלא נענתה
שיחת וידאו שלא נענתה
שיחת קול שלא נענתה
音声着信がありました
ビデオ着信がありました
音声通話に応答がありませんでした
ビデオ通話に応答がありませんでした
Cuộc gọi thoại nhỡ
Cuộc gọi video nhỡ
تماس صوتی ازدسترفته
تماس صوتی از دست رفته
تماس تصویری ازدسترفته
تماس تصویری از دست رفته
สายโทรเข้าด้วยเสียงที่ไม่ได้รับ
สายโทรเข้าด้วยวิดีโอที่ไม่ได้รับ
สายวิดีโอคอลที่ไม่ได้รับ
Zmeškaný hlasový hovor
Zmeškaný videohovor
Nem fogadott hanghívás
Nem fogadott videohívás
Apel vocal ratat
Apel video ratat
Αναπάντητη φωνητική κλήση
Αναπάντητη βιντεοκλήση
Mistet lydopkald
Mistet videoopkald
Tapt taleanrop
Tapt videoanrop
Vastaamaton äänipuhelu
Vastaamaton videopuhelu
Ubesvart taleanrop
Trucada de veu perduda
Videotrucada perduda
Panggilan suara tidak dijawab
未接视频来电
未接语音来电`)

// waNotices stand for words that never arrived.
var waNotices = phraseSet(`Waiting for this message. This may take a while
Waiting for this message
Warten auf diese Nachricht. Das kann etwas dauern
Esperando este mensaje. Esto puede tomar tiempo
Aguardando mensagem. Essa ação pode levar alguns instantes
En attente de ce message. Cela peut prendre un moment
In attesa del messaggio. Potrebbe volerci un po' di tempo
Ожидание сообщения. Это может занять некоторое время
正在等待此消息。这可能需要一段时间
正在等待此訊息。這可能需要一些時間`)

// waFile is how WhatsApp itself names what it sends.
var (
	waFile     = lazily(`^(?:IMG|VID|PTT|AUD|DOC|STK|GIF)-\d{8}-WA\d+\.[A-Za-z0-9]{2,5}$|^\d{8}-(?:PHOTO|VIDEO|AUDIO|STICKER|GIF)-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.[A-Za-z0-9]{2,5}$`)
	waTailFile = lazily(`^(.{1,200}\.[A-Za-z0-9]{1,6}) \(([^()]{2,40})\)$`)
	waIOSFile  = lazily(`<([^<>:]{2,30}): ?([^<>]{1,250})>$`)
	waLocation = lazily(`^(?:[\p{L}\p{M} ’'-]{2,40}[:：] ?)?(https?://(?:maps\.google\.com/|www\.google\.com/maps|maps\.apple\.com/|goo\.gl/maps/|foursquare\.com/)\S+)$`)
	waPoll     = lazily(`^(?:POLL|UMFRAGE|ENCUESTA|ENQUETE|SONDAGE|SONDAGGIO|PEILING|ОПРОС|ANKET|ANKIETA|投票|アンケート|투표|استطلاع|سקר|POLLING|JAJAK PENDAPAT)\s*[:：]`)
	waCall     = lazily(`(?i)^(?:missed |silenced )?(?:voice|video|group voice|group video|group) call\b|^(?:verpasster? )?(?:sprach|video)anruf\b|^llamada (?:perdida|de voz|de video)|^(?:chamada|ligação) (?:de voz|de vídeo|perdida)|^appel (?:vocal|vidéo|manqué)|^chiamata (?:vocale|video|persa)|^(?:gemiste )?(?:spraak|video)oproep\b|^(?:未接)?(?:语音|視訊|视频|語音)通(?:话|話)|^пропущенный (?:аудио|видео)звонок`)
)

// mediaTypeOf tells what a file is by its name.
func mediaTypeOf(name string) string {
	upper := strings.ToUpper(name)
	switch {
	case strings.HasPrefix(upper, "STK-"), strings.Contains(upper, "-STICKER-"):
		return "sticker"
	case strings.HasPrefix(upper, "PTT-"):
		return "audio"
	}
	return typeByExtension(path.Ext(name))
}

var extensionTypes = func() map[string]string {
	out := map[string]string{}
	for kind, names := range map[string]string{
		"image": "jpg jpeg png heic heif webp bmp tif tiff avif svg", "video": "mp4 mov 3gp 3gpp mkv webm avi m4v mpg mpeg",
		"audio": "opus ogg oga mp3 m4a aac wav amr caf flac aiff wma", "gif": "gif", "contact": "vcf vcard",
	} {
		for name := range strings.FieldsSeq(names) {
			out["."+name] = kind
		}
	}
	return out
}()

func typeByExtension(ext string) string {
	if kind, ok := extensionTypes[strings.ToLower(ext)]; ok {
		return kind
	}
	return "document"
}

// typeByMIME tells what a file is by its media type.
func typeByMIME(mime, name string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mime), "/")
	switch {
	case mime == "image/gif":
		return "gif"
	case kind == "image", kind == "video", kind == "audio":
		return kind
	case mime == "" && name == "":
		return "unknown"
	case mime == "":
		return mediaTypeOf(name)
	}
	return "document"
}

// waTypeWords begin or end iPhone's words for a type.
var waTypeWords = []struct{ kind, words string }{
	{"contact", "contact kontakt tarjeta cartão fiche scheda"},
	{"sticker", "sticker figurinha стикер çıkartma 表情 贴图 貼圖 スタンプ 스티커 stiker ملصق המדבקה"},
	{"gif", "gif"},
	{"video", "video vídeo vidéo videonachricht видео 视频 影片 動画 동영상 فيديو הסרטון wideo"},
	{"audio", "audio áudio аудиофайл ses 音频 語音 音声 음성 تسجيل השמע dźwięk"},
	{"document", "document dokument documento документ belge 文档 文件 文書 문서 dokumen مستند המסמך"},
	{"image", "image imagen imagem immagine bild bilde billede foto photo afbeelding изображение görüntü 图像 图片 圖片 画像 이미지 gambar صورة الصورة התמונה obraz kuva obrázek"},
}

// waBareType tells the type from iPhone's words.
func waBareType(key string) string {
	for _, t := range waTypeWords {
		for w := range strings.FieldsSeq(t.words) {
			if strings.HasPrefix(key, w) || strings.HasSuffix(key, w) {
				return t.kind
			}
		}
	}
	return "unknown"
}

// letters reports whether s has nothing but letters and blanks: what stands in a
// placeholder.
func letters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != ' ' && r != '.' && r != '\'' && r != '’' && r != 0xa0 && r != 0x202f && !isBidi(r) && r != 0x200d && r != 0x200c {
			return false
		}
	}
	return s != ""
}
