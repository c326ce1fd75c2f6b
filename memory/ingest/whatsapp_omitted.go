package ingest

import (
	"strings"
	"unicode"
)

// A file that the export left out is told in words that each language makes of a few:
// what kind it is, and that it isn't there. waOmitted puts them together, so that no
// pair of them is missing.

// waOmissions are, by language, words for kinds (each "kind=word,word") and words for
// their absence; blanks within a word are "_".
var waOmissions = []struct{ kinds, absent string }{
	{"image=image,photo,picture video=video,video_note,video_message audio=audio,voice_message,voice_note gif=gif sticker=sticker document=document,file contact=contact_card,contact unknown=media,media_file,view_once_message,view_once_voice_message", "omitted"},
	{"image=bild,foto video=video,videonachricht audio=audio,sprachnachricht,audiodatei gif=gif sticker=sticker document=dokument,datei contact=kontaktkarte,kontakt unknown=medien,media,mediendatei", "weggelassen ausgelassen ausgeschlossen wurde_weggelassen nicht_enthalten"},
	{"image=imagen,foto,fotografía video=video,vídeo,nota_de_video,mensaje_de_video audio=audio,mensaje_de_voz,nota_de_voz gif=gif sticker=sticker,pegatina document=documento,archivo contact=tarjeta_de_contacto,contacto unknown=multimedia,archivo_multimedia,medios", "omitido omitida omitidos omitidas"},
	{"image=imagem,foto,fotografia video=vídeo,video,mensagem_de_vídeo audio=áudio,audio,mensagem_de_voz gif=gif sticker=figurinha,sticker,autocolante document=documento,arquivo,ficheiro contact=cartão_do_contato,cartão_de_contato,cartão_de_contacto,contato unknown=mídia,arquivo_de_mídia,ficheiro_multimédia,multimédia", "omitido omitida ocultado ocultada oculto oculta não_revelado não_revelada"},
	{"image=image,photo video=vidéo,note_vidéo,message_vidéo audio=audio,message_vocal,note_vocale gif=gif sticker=sticker,autocollant document=document,fichier contact=fiche_contact,contact unknown=média,médias,fichier_multimédia", "omis omise omises absent absente absents retiré retirée manquant manquante"},
	{"image=immagine,foto video=video,messaggio_video,videomessaggio audio=audio,messaggio_vocale,nota_vocale gif=gif sticker=sticker,adesivo document=documento,file contact=scheda_contatto,contatto unknown=media,file_multimediale,multimediale", "omesso omessa omessi omesse escluso esclusa esclusi non_incluso non_inclusa"},
	{"image=afbeelding,foto video=video,videobericht audio=audio,spraakbericht gif=gif sticker=sticker document=document,bestand contact=contactkaart,contact unknown=media", "weggelaten niet_bijgevoegd"},
	{"image=bild,foto video=video,videomeddelande audio=ljud,röstmeddelande gif=gif sticker=klistermärke,sticker document=dokument,fil contact=kontaktkort unknown=media,medierna,mediet", "utelämnad utelämnat utelämnades utelämnats har_utelämnats ej_inkluderad"},
	{"image=billede,bilde,foto video=video,videobesked,videomelding audio=lyd,lydbesked,talebesked,talemelding gif=gif sticker=klistermærke,klistremerke,sticker document=dokument,fil contact=kontaktkort unknown=medie,medier,mediefil,medieinnhold,media", "udeladt utelatt udeladte er_utelatt"},
	{"image=kuva,valokuva video=video,videoviesti audio=ääni,äänitiedosto,ääniviesti gif=gif sticker=tarra document=asiakirja,tiedosto contact=yhteystieto unknown=media", "jätettiin_pois jätetty_pois puuttuu"},
	{"image=obraz,zdjęcie video=wideo,film,wiadomość_wideo audio=dźwięk,audio,wiadomość_głosowa gif=gif sticker=naklejka,naklejkę document=dokument,plik contact=wizytówka,karta_kontaktu unknown=multimedia,media", "pominięto pominięty pominięte pominięta został_pominięty została_pominięta zostało_pominięte zostały_pominięte"},
	{"image=obrázek,fotka,fotografie,fotografia video=video audio=audio,zvuk,hlasová_zpráva,hlasová_správa gif=gif sticker=nálepka,samolepka document=dokument,soubor,súbor contact=karta_kontaktu unknown=média", "vynechán vynechána vynecháno vynechané vynechaný vynechaná sú_vynechané"},
	{"image=kép,fénykép video=videó,videoüzenet audio=hang,hangüzenet,hangfájl gif=gif sticker=matrica document=dokumentum,fájl contact=névjegy,névjegykártya unknown=média,médiafájl", "kihagyva elhagyva kihagyása hiányzik"},
	{"image=imagine,poză,fotografie video=video,videoclip audio=audio,mesaj_vocal gif=gif sticker=autocolant,sticker document=document,fișier contact=carte_de_vizită,contact unknown=media,fișier_media,fișiere_media,conținut_media", "omis omisă omise exclus exclusă"},
	{"image=изображение,изображения,фото,фотография video=видео,видеосообщение audio=аудио,аудиофайл,аудиофайла,голосовое_сообщение,голосового_сообщения gif=gif,гифка sticker=стикер,стикера document=документ,файл contact=карточка_контакта,контакт unknown=медиа,медиафайл,медиафайлы", "отсутствует отсутствуют опущен опущено пропущен пропущено пропущена пропущены опущена опущены без без_медиафайлов"},
	{"image=зображення,фото,світлина video=відео,відеоповідомлення audio=аудіо,аудіофайл,голосове_повідомлення gif=gif sticker=стікер,наліпка document=документ,файл contact=картка_контакту unknown=медіа,медіафайл", "пропущено відсутнє відсутній вилучено"},
	{"image=görüntü,resim,fotoğraf video=video,video_notu audio=ses,ses_kaydı,sesli_mesaj gif=gif sticker=çıkartma document=belge,dosya contact=kişi_kartı unknown=medya", "dahil_edilmedi atlandı atlanmış eklenmedi"},
	{"image=صورة,الصورة video=فيديو,الفيديو,مقطع_فيديو,مقطع_الفيديو,رسالة_فيديو audio=صوت,الصوت,تسجيل_صوتي,رسالة_صوتية,مقطع_صوتي,المقطع_الصوتي gif=gif,صورة_متحركة sticker=ملصق,الملصق document=مستند,المستند,ملف contact=بطاقة_جهة_الاتصال,جهة_اتصال unknown=الوسائط,وسائط", "محذوف محذوفة تم_حذف تم_استبعاد غير_مدرجة غير_مدرج تم_حذفها مستبعدة"},
	{"image=تصویر,عکس video=ویدیو,ویدئو audio=صدا,پیام_صوتی gif=گیف,gif sticker=استیکر document=سند,فایل contact=کارت_مخاطب unknown=رسانه,پیوست_نما/رسانه", "حذف_شد حذف_شده حذف_شده_است پیوست_نشده_است"},
	{"image=תמונה,התמונה video=סרטון,הסרטון,וידאו,הווידאו,סרטון_וידאו,סרטון_הווידאו audio=שמע,השמע,הודעה_קולית,הקלטה gif=gif sticker=מדבקה,המדבקה,סטיקר,הסטיקר document=מסמך,המסמך,קובץ contact=כרטיס_איש_קשר unknown=מדיה,המדיה", "הושמט הושמטה לא_נכלל לא_נכללה לא_הושמטה"},
	{"image=圖片,图片,照片,图像,圖像,相片 video=视频,影片,視訊,视频消息 audio=音频,語音,语音,音訊,语音消息,語音訊息 gif=gif sticker=贴图,貼圖,表情 document=文档,文件,檔案,文檔 contact=名片,聯絡人,联系人,联系人名片,聯絡人名片 unknown=媒体,媒體,多媒体,多媒體,多媒体文件,多媒體檔案,媒体文件,媒體檔案,影音内容,影音內容", "已忽略 忽略 已省略 省略 已略过 略过 略過 已略過 已略去 未包含 不包含"},
	{"image=画像,写真 video=動画,ビデオ audio=音声,ボイスメッセージ,オーディオ gif=gif sticker=スタンプ,ステッカー document=文書,ファイル,ドキュメント contact=連絡先,連絡先カード unknown=メディア", "は含まれていません なし 省略 を省略 は省略されました"},
	{"image=이미지,사진 video=동영상,비디오 audio=음성,오디오,음성_메시지 gif=gif,움짤 sticker=스티커 document=문서,파일 contact=연락처,연락처_카드 unknown=미디어,미디어_파일", "생략됨 생략 제외됨 제외"},
	{"image=gambar,foto,imej video=video,nota_video audio=audio,pesan_suara,mesej_suara gif=gif sticker=stiker,pelekat document=dokumen,file,fail contact=kartu_kontak,kad_kenalan unknown=media", "tidak_disertakan dikecualikan ditinggalkan diabaikan dihilangkan"},
	{"image=hình_ảnh,ảnh video=video audio=âm_thanh,tin_nhắn_thoại gif=gif sticker=nhãn_dán document=tài_liệu,tệp contact=thẻ_liên_hệ unknown=phương_tiện,file_media,tệp_media", "bị_bỏ_qua đã_bỏ_qua bỏ_qua"},
	{"image=รูปภาพ,ภาพ,รูป video=วิดีโอ audio=เสียง,ข้อความเสียง gif=gif sticker=สติกเกอร์ document=เอกสาร,ไฟล์ contact=นามบัตร unknown=สื่อ", "ถูกละเว้น ไม่รวม ถูกละไว้"},
	{"image=चित्र,इमेज,फ़ोटो,फोटो video=वीडियो audio=ऑडियो,वॉइस_मैसेज gif=gif sticker=स्टिकर document=दस्तावेज़,डॉक्यूमेंट contact=संपर्क_कार्ड unknown=मीडिया", "छोड़ा_गया छोड़ी_गई के_बिना शामिल_नहीं_है"},
	{"image=εικόνα,φωτογραφία video=βίντεο audio=ήχος,φωνητικό_μήνυμα gif=gif sticker=αυτοκόλλητο document=έγγραφο,αρχείο contact=κάρτα_επαφής unknown=πολυμέσα,πολυμέσων", "παραλείφθηκε παραλείφθηκαν εξαιρέθηκαν παράλειψη"},
	{"image=slika,fotografija,слика video=video,видео audio=zvuk,glasovna_poruka,аудио gif=gif sticker=naljepnica,nalepnica document=dokument,datoteka,документ,файл contact=kontakt unknown=mediji,medij,медија,медия,multimedija", "izostavljen izostavljena izostavljeno izostavljeni izostavljene изостављено пропусната пропуснат изключена изключен"},
	{"image=imatge,foto video=vídeo audio=àudio,missatge_de_veu gif=gif sticker=adhesiu document=document,fitxer contact=targeta_de_contacte unknown=multimèdia,mitjans,contingut_multimèdia", "omès omesos omesa s'ha_omès s'han_omès"},
}

// waOmitted tells what kind of file a phrase, in the form of phraseKey, says was left
// out, "" where it says something else.
var waOmitted = func() map[string]string {
	out := map[string]string{}
	word := strings.NewReplacer("_", " ")
	for _, l := range waOmissions {
		for group := range strings.FieldsSeq(l.kinds) {
			kind, names, _ := strings.Cut(group, "=")
			for name := range strings.SplitSeq(names, ",") {
				for gone := range strings.FieldsSeq(l.absent) {
					n, g := phraseKey(word.Replace(name)), phraseKey(word.Replace(gone))
					for _, phrase := range []string{n + " " + g, g + " " + n, n + g, g + n} {
						if _, ok := out[phrase]; !ok {
							out[phrase] = kind
						}
					}
				}
			}
		}
	}
	return out
}()

// omittedType tells what kind of file a whole body says was left out.
func omittedType(key string) (string, bool) {
	if kind, ok := waOmitted[key]; ok {
		return kind, true
	}
	if waMediaBare[key] || waMediaAngled[key] {
		return waBareType(key), true
	}
	return "", false
}

// waBrackets are the pairs in which a placeholder stands.
var waBrackets = map[rune]rune{'<': '>', '‹': '›', '\u3008': '\u3009', '＜': '＞', '⟨': '⟩', '\u2329': '\u232a'}

// inBrackets returns what stands in brackets if that is all of s.
func inBrackets(s string) (string, bool) {
	r := []rune(s)
	if n := len(r); n > 2 && n < 120 && waBrackets[r[0]] == r[n-1] && r[n-1] != 0 {
		if inner := string(r[1 : n-1]); !strings.ContainsAny(inner, string([]rune{r[0], r[n-1]})) {
			return strings.TrimSpace(inner), true
		}
	}
	return "", false
}

// asPlaceholder reports whether words in brackets may be an app's: up to six, of letters
// alone. What has figures, a comma or a mark of a sentence is somebody's words.
func asPlaceholder(inner string) bool {
	inner = strings.ReplaceAll(inner, "/", " ") // "attachment/media removed"
	if !letters(inner) || strings.HasSuffix(inner, "...") {
		return false
	}
	n, letter := len(strings.Fields(inner)), false
	for _, r := range inner {
		letter = letter || unicode.IsLetter(r)
	}
	return letter && n <= 6 && len([]rune(inner)) <= 60
}
