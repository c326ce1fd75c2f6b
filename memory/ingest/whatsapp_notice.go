package ingest

import (
	"strings"
	"unicode"
)

// WhatsApp's notices on Android bear no mark, and what they tell of may hold a colon:
// "You added Tom: Smith", "Anna pinned a message: see you". What stands before it is
// then no name. Three things tell, each over what stands before the first colon:
//
//   - words that only the app says there, see waNoticeHead;
//   - a verb that the language puts behind its object, at the end of the line, see
//     waNoticeAround; it must have begun before the colon;
//   - somebody who speaks, followed by a few words in small letters, which says one
//     thing in the whole chat: a notice in a language that isn't known here.
//
// And a name all of whose lines end as a notice does ("Tom: Smith was added") speaks
// nowhere.

// waNoticeHead are the words of notices that stand before what they tell of.
var waNoticeHead = noticeWords(
	// blanks between words, in the form of phraseKey
	`\S+ (?:added|removed|invited|approved|blocked|unblocked|dismissed|reported) \S.*|(?:un)?pinned (?:a|an|the|this|your) .*|(?:un)?pinned|created (?:this |the |a )?(?:group|community|channel|event|poll|broadcast list|subgroup).*|changed (?:the|this|that|their|your|his|her|to|from|its) .*|changed (?:to|from)|changed|security code.*|joined (?:using|from|via|the|this|a|by) .*|(?:left|deleted|reset|updated|set|turned on|turned off|enabled|disabled|cleared|ended|started|scheduled|canceled|cancelled) (?:the|this|a|an|your|their|disappearing|advanced|new) .*|(?:is|are|'re|was|were) (?:now|no longer) .*|requested to (?:join|add) .*|(?:is |are )?end-to-end encrypted.*|(?:you|they) (?:added|removed|created|changed|joined|left|pinned|unpinned|blocked|unblocked|invited|approved|updated|turned|reset|deleted|set|cleared|are now|are no longer|'re now|'re no longer)(?: .*)?|you're (?:now|no longer) .*|(?:was|were) (?:added|removed|invited) .*|this (?:chat|group|business|community|message) (?:is|was|has|uses|with) .*|group (?:subject|name|description|icon) (?:was )?changed.*|disappearing messages.*|only (?:admins|community admins) can .*`,
	// es
	`(?:has |han |ha |se )?(?:añadiste|agregaste|añadió|agregó|añadido|agregado|eliminaste a|eliminó|sacaste|sacó|expulsaste|expulsó|invitaste|invitó|bloqueaste|desbloqueaste)(?: .*)?|(?:cambió|cambiaste|has cambiado|ha cambiado|cambiado) (?:el|la|los|su|tu|este|esta|a|de) .*|(?:fijó|fijaste|has fijado|ha fijado|ancló|anclaste) (?:un|una|el|este) .*|(?:creó|creaste|ha creado|has creado) (?:el|este|un|la|una) .*|(?:salió|saliste|se unió|te uniste|se ha unido) (?:del|de|al|a|usando|con|mediante) .*|(?:activó|activaste|desactivó|desactivaste) (?:los|las|el|la) .*|código de seguridad.*|mensajes temporales.*|cifrados? de extremo.*|(?:ahora|ya no) (?:eres|es) (?:admin.*|administrador.*)`,
	// de
	`du hast(?: .*)?|du bist (?:jetzt|nicht mehr|der gruppe|dieser gruppe|mit).*|(?:hat|haben|hast) (?:eine|die|das|den|dich|sich|seine|ihre|diese|diesen|einen|dir|deine) .*|(?:hat|wurde) (?:zu|von|hinzugefügt|entfernt|geändert|gewechselt).*|deine? sicherheits(?:nummer|code).*|(?:die )?sicherheits(?:nummer|code)(?: .*)?|ist (?:jetzt|kein) .*admin.*|(?:ist|sind) (?:der gruppe|dieser gruppe|über|mithilfe|mit) .*|selbstlöschende nachrichten.*|ende-zu-ende-verschlüsselt.*`,
	// fr
	`(?:a|avez|as|ont) (?:ajouté|retiré|supprimé|exclu|invité|changé|modifié|épinglé|désépinglé|créé|quitté|rejoint|activé|désactivé|bloqué|débloqué|mis)(?: .*)?|vous (?:avez|êtes|n'êtes) .*|vous (?:avez|êtes)|(?:votre |le |son )?code de sécurité.*|(?:s'est joint|est maintenant|n'est plus|est devenu|êtes maintenant|a été|ont été) .*|messages éphémères.*|chiffrés? de bout en bout.*`,
	// pt
	`(?:você |vc )?(?:adicionou|removeu|adicionaste|removeste|fixou|fixaste|afixou|criou|criaste|mudou|alterou|alteraste|mudaste|bloqueou|desbloqueou|convidou|ativou|desativou)(?: .*)?|você (?:foi|agora|não é|entrou|saiu|está) .*|(?:saiu|entrou|saíste|entraste) (?:do|da|no|na|usando|com|através) .*|(?:foi|foram) (?:adicionad|removid|alterad).*|código de segurança.*|mensagens temporárias.*|(?:agora é|não é mais|já não é) .*admin.*|(?:criptografia|encriptad\S*|criptografad\S*) (?:de )?ponta.*`,
	// it
	`(?:hai|ha|hanno) (?:aggiunto|rimosso|invitato|cambiato|modificato|fissato|creato|abbandonato|lasciato|attivato|disattivato|bloccato|sbloccato|impostato|messo)(?: .*)?|(?:si è unito|si è unita|sei entrato|sei entrata|è entrato|è entrata|sei stato|è stato|è stata|ora sei|non sei più|ora è|non è più) .*|(?:il tuo )?codice di sicurezza.*|messaggi effimeri.*|crittografat\S* end-to-end.*`,
	// nl, sv, da, no, fi
	`(?:je|u) (?:hebt|bent)(?: .*)?|heeft (?:een|het|de|je|zijn|haar|u|deze|dit|zich) .*|(?:je )?beveiligingscode.*|neemt deel .*|is (?:nu|niet langer) .*beheerder.*|(?:lade till|tog bort|ändrade|fäste|skapade|lämnade|bjöd in)(?: .*)?|säkerhetskod\S*(?: .*)?|(?:tilføjede|fjernede|ændrede|fastgjorde|oprettede|forlod)(?: .*)?|(?:la til|fjernet|endret|festet|opprettet|forlot) \S.*|sikkerhedskode\S*(?: .*)?|sikkerhetskode\S*(?: .*)?|(?:lisäsi|lisäsit|poisti|poistit|vaihtoi|vaihdoit|kiinnitti|kiinnitit|loi|poistui) (?:ryhmä\S*|viestin|henkilön|käyttäjän|\S+n) .*|turvakoodi\S*(?: .*)?|suojauskoodi\S*(?: .*)?`,
	// pl, cs, ru, uk, hu, ro, bg
	`(?:dodano|dodał|dodała|usunął|usunęła|usunięto|zmienił|zmieniła|zmieniono|przypiął|przypięła|przypięto|utworzył|utworzyła|utworzono|opuścił|opuściła|dodałeś|dodałaś|usunąłeś|zmieniłeś|przypiąłeś)(?: .*)?|kod (?:zabezpieczeń|bezpieczeństwa).*|(?:přidal|přidala|odebral|odebrala|odstranil|odstranila|změnil|změnila|připnul|připnula|vytvořil|vytvořila|opustil|opustila|přidali|odebrali|změnili|připnuli)(?: .*)?|bezpečnostní kód.*|(?:добавил|добавила|добавили|удалил|удалила|удалили|изменил|изменила|изменили|закрепил|закрепила|закрепили|создал|создала|создали|покинул|покинула|пригласил|пригласила|пригласили|сменил|сменила)(?: .*)?|(?:ваш )?код безопасности.*|(?:додав|додала|додали|вилучив|видалив|видалила|змінив|змінила|змінили|закріпив|закріпила|створив|створила)(?: .*)?|(?:ваш )?код безпеки.*|(?:hozzáadta|hozzáadtad|eltávolította|módosította|megváltoztatta|rögzítette|kitűzte|létrehozta)(?: .*)?|biztonsági kód.*|(?:a adăugat|ai adăugat|ați adăugat|a eliminat|a schimbat|ați schimbat|ai schimbat|a fixat|ai fixat|a creat|a părăsit)(?: .*)?|cod(?:ul)? de securitate.*|(?:добави|премахна|промени|закачи|създаде|напусна) .*`,
	// tr, id, ms, vi, el
	`güvenlik kod\S*(?: .*)?|(?:menambahkan|mengeluarkan|menghapus|mengubah|menyematkan|membuat grup|keluar dari|bergabung menggunakan|menukar|mengundang)(?: .*)?|kode keamanan.*|kod keselamatan.*|(?:đã thêm|đã xóa|đã thay đổi|đã đổi|đã ghim|đã tạo nhóm|đã rời)(?: .*)?|mã bảo mật.*|(?:πρόσθεσε|προσθέσατε|αφαίρεσε|αφαιρέσατε|άλλαξε|αλλάξατε|καρφίτσωσε|καρφιτσώσατε|δημιούργησε|δημιουργήσατε)(?: .*)?|κωδικός ασφαλείας.*`,
	// ar, fa, he, hi
	`(?:أضاف|أضافت|أضفت|قمت|أزال|أزالت|أزلت|غيّر|غيرت|غيّرت|غير|ثبّت|ثبت|ثبّتت|أنشأ|أنشأت|غادر|انضم|رمز الأمان)(?: .*)?|(?:افزود|اضافه کرد|حذف کرد|تغییر داد|سنجاق کرد|کد امنیتی)(?: .*)?|(?:הוסיף|הוסיפה|הוספת|הסיר|הסירה|הסרת|שינה|שינתה|שינית|הצמיד|הצמידה|הצמדת|נעץ|נעצה|יצר|יצרה|יצרת|קוד האבטחה)(?: .*)?|(?:सुरक्षा कोड|ने जोड़ा|ने हटाया|ने बदला|ने पिन)(?: .*)?`,
)

// waNoticeHan are those of scripts without blanks.
var waNoticeHan = lazily(`添加了|新增了|加入了群|加入了这|加入了此|移除了|移出|移出了|踢出|创建了|建立了|更改了|更改為|更改为|变更了|變更了|修改了|设置了|設定了|置顶了|置頂了|固定了|釘選了|已釘選|退出了|离开了|離開了|邀请了|邀請了|邀请.{1,60}加入|安全码|安全碼|安全代碼|安全代码|端到端加密|端對端加密|限时消息|限時訊息|您已|您将|您將|你将|你將|现在是管理员|不再是管理员|セキュリティコード|を追加し|を削除し|を変更し|を固定し|をピン留め|を作成し|が退出し|に参加し|보안 코드|님을 추가|님을 초대|님이 나갔|변경했습니다|고정했습니다|추가했습니다|만들었습니다|เพิ่ม.{1,60}แล้ว|รหัสความปลอดภัย|ปักหมุดข้อความ|เปลี่ยนชื่อกลุ่ม`)

// waNoticeAround are verbs at the end of the line, with what stands before their object.
var waNoticeAround = lazily(`^(?:.+ hat|du hast|.+ haben) .+ (?:hinzugefügt|entfernt|geändert|angepinnt|angeheftet|fixiert|erstellt|eingeladen|blockiert|aktiviert|deaktiviert|festgelegt|gemacht|gewechselt|verlassen)(?:\..*)?$` +
	`|^(?:.+ heeft|je hebt|u hebt) .+ (?:toegevoegd|verwijderd|gewijzigd|vastgemaakt|vastgezet|gemaakt|uitgenodigd|verlaten|geblokkeerd)(?:\..*)?$` +
	`|^.+ (?:ekledi|eklediniz|çıkardı|çıkardınız|değiştirdi|değiştirdiniz|sabitledi|sabitlediniz|oluşturdu|oluşturdunuz|davet etti|davet ettiniz|olarak değişti)(?:\..*)?$` +
	`|^.+(?:が|は).+(?:を追加しました|を削除しました|を変更しました|をピン留めしました|を固定しました|に変更しました|を招待しました|を作成しました)。?$` +
	`|^.+님(?:이|께서) .+(?:추가했습니다|초대했습니다|내보냈습니다|변경했습니다|고정했습니다|만들었습니다)\.?$` +
	`|^(?:.+ ने|आपने) .+ (?:को जोड़ा|जोड़ा|हटाया|को हटाया|बदल दिया|बदला|पिन किया)।?$` +
	`|^(?:.+ )?(?:将|將|把|已将|已將).+(?:移出|移除|添加|加入|更改|设为|設為|改为|改為|置顶|釘選).*$` +
	`|^[您你][与與和].+(?:安全码|安全碼|安全代码|安全代碼|安全號碼).*$`)

// waNoticeEnd are the ends of notices whose subject holds the colon.
var waNoticeEnd = lazily(`(?: was (?:added|removed|invited)| joined (?:using|from|via) .*| changed (?:their phone number|to \+?\d|the (?:subject|group|settings|description)|this group).*| pinned a message| requested to join.*| left| was removed by .*` +
	`| wurde (?:hinzugefügt|entfernt)| hat (?:die gruppe|diese gruppe) verlassen| hat (?:eine neue|die) telefonnummer.*| ist .* beigetreten| hat .*gewechselt.*` +
	`| salió(?: del grupo)?| se unió (?:usando|con|al|mediante) .*| cambió (?:su|el) (?:número|asunto|nombre).*| fue añadido| fue añadida` +
	`| est parti| est partie| a quitté(?: le groupe)?| a rejoint .*| a changé (?:de numéro|son numéro|le sujet).*` +
	`| saiu(?: do grupo)?| entrou usando .*| mudou (?:para|de|seu) .*número.*| foi adicionad[oa]` +
	`| ha abbandonato(?: il gruppo)?| si è unit[oa] .*| ha cambiato (?:numero|il suo numero).*` +
	`|已退出.*|退出了群.*|离开了.*|離開了.*|已加入.*|通过.*加入.*|透過.*加入.*|更换了.*号码.*|更改了.*号码.*|變更了.*號碼.*)\.?(?: tap .*| tippe.*| toca.*| toque.*| tocca.*)?$`)

// noticeWords compiles phrases of which one must stand as whole words, up to the end of
// what is looked at.
func noticeWords(phrases ...string) *pattern {
	return lazily(`(?:^|[ ,~])(?:` + strings.Join(phrases, "|") + `)$`)
}

// waNotice reports whether what stands before the first colon of a line is the start of
// a notice by its words. rest is the whole line.
func waNotice(name, rest string) bool {
	if !severalWords(name) {
		return false
	}
	key := phraseKey(name)
	if waNoticeHead.MatchString(key) || waNoticeHan.MatchString(key) {
		return true
	}
	if len(rest) > 400 || strings.Contains(rest, "\n") {
		return false
	}
	return waNoticeAround.MatchString(phraseKey(rest)) && waAuxiliary.MatchString(key)
}

// waAuxiliary is what a notice whose verb ends it has before its object.
var waAuxiliary = lazily(` (?:hat|haben|heeft|ने) \S|^(?:du hast|je hebt|u hebt|आपने) \S|^[您你][与與和]|[がは]|님(?:이|께서)|[将將把]|,`)

// severalWords reports whether s may be more than a name of one word: letters of
// other scripts need no blanks.
func severalWords(s string) bool {
	for _, r := range s {
		if r == ' ' || r == 0xa0 || r == 0x202f || r >= 0xe00 {
			return true
		}
	}
	return false
}

// waEnds reports whether a line reads as a notice about whoever its beginning names.
func waEnds(body string) bool {
	return len(body) < 200 && waNoticeEnd.MatchString(" "+phraseKey(body)) && startsAsName(body)
}

// startsAsName reports whether a line begins as a name does: with a capital, and not
// with a pronoun alone, as in "I left".
func startsAsName(s string) bool {
	s = strings.TrimSpace(unmark(s))
	first, _, _ := strings.Cut(s, " ")
	for _, r := range s {
		return (unicode.IsUpper(r) || !unicode.IsLower(r) && unicode.IsLetter(r) || r == '+') && !waPronouns[strings.ToLower(first)]
	}
	return false
}

var waPronouns = wordSet("i he she they we it you who everyone everybody nobody this that ich er sie es wir alles jeder je il elle on nous ils yo él ella eu ele ela io lui lei 我 他 她 我们 我們 他们 你")

// noticesApart settles which names are notices: those that a speaker's name and words
// in small letters make up, once, and those all of whose lines are notices about
// somebody.
func (s *waSurvey) noticesApart() {
	for name, lines := range s.speakers {
		if lines == 1 && s.speakerAndWords(name) || s.ends[name] == lines && s.others(name) >= 2 {
			s.notices[name] = true
		}
	}
	for name, is := range s.notices {
		if is {
			delete(s.speakers, name)
			delete(s.colons, name)
		}
	}
}

// others is how many speak beside name.
func (s *waSurvey) others(name string) int {
	n := len(s.speakers)
	if s.speakers[name] > 0 {
		n--
	}
	return n
}

// speakerAndWords reports whether name is somebody who speaks at least twice, followed
// by two to six words in small letters of which none stands within names.
func (s *waSurvey) speakerAndWords(name string) bool {
	for i := strings.IndexByte(name, ' '); i > 0; {
		if s.speakers[name[:i]] >= 2 {
			words := strings.Fields(name[i:])
			plain := len(words) >= 2 && len(words) <= 6
			for _, w := range words {
				for _, r := range w {
					plain = plain && unicode.IsLower(r)
					break
				}
				plain = plain && !nameParticles[w]
			}
			return plain
		}
		next := strings.IndexByte(name[i+1:], ' ')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// nameParticles are small words within names and behind them: "Anna von Berg", "Tom from work".
var nameParticles = wordSet("von vom van der den de del della di da do dos das du des la le el al bin ibn ben zu zum zur ter ten y e i und et and from at vom aus bei beim im am of the work gym school the son daughter mom dad mum neu new old alt mobil mobile privat work home")
