package ingest

import (
	"strings"
	"unicode"
)

// The apps of Meta write what happened as the content of a message by who did it. Where
// that begins with the sender's whole name or with "You", and goes on as a notice, it is
// none of the sender's words.

// messengerReaction is a reaction that is told as a message.
var messengerReaction = lazily(`^(?:Reacted \S{1,16} to (?:your|a|their) message|Liked (?:a|your) message|Reaccionó con \S{1,16} a (?:tu|un) mensaje|(?:Le gustó|Le ha gustado) (?:un|tu) mensaje|Hat mit \S{1,16} auf (?:deine|eine) Nachricht reagiert|(?:Gefällt|Hat) (?:deine|eine) Nachricht(?: geliked)?|A réagi(?: avec)? \S{1,16} à (?:votre|un) message|A aimé (?:votre|un) message|Reagiu com \S{1,16} (?:à sua|a uma|à tua) mensagem|Curtiu (?:uma|sua) mensagem|Gostou d\S+ (?:tua |sua )?mensagem|Ha reagito(?: con)? \S{1,16} al? (?:tuo|un) messaggio|Ha messo "?Mi piace"? (?:a|al) (?:un|tuo) messaggio|(?:对|對)你的(?:消息|訊息).{0,12}\S{1,16}|(?:用|以) ?\S{1,16} ?(?:回应|回應)了你的(?:消息|訊息)|.{0,40}メッセージに\S{1,16}(?:で|と)?リアクション(?:しました)?) ?\.?$`)

// messengerVerb are what notices go on with behind the name of who did it, by language.
var messengerVerb = lazily(`(?i)^(?:(?:has |have )?(?:named|renamed|changed|set|cleared|removed|added|created|joined|left|started|ended|missed|called|turned (?:on|off)|pinned|unpinned|invited|replied to|mentioned|made|promoted|unsent|shared (?:a|an|the|their|live)|voted|updated|can now|are now|is now|waved|muted|responded|blocked|unblocked|deleted)(?: .*|\.|$)` +
	`|(?:ha |has )?(?:cambi|nombr|añad|agreg|elimin|cre[óa]|abandon|sal[ió]|se uni|inici|perdi|fij|llam|sac)\S* (?:.*|$)|hat .* (?:geändert|benannt|hinzugefügt|entfernt|verlassen|erstellt|gestartet|verpasst|festgelegt|angepinnt|beendet)\.?|(?:a|avez) (?:nommé|changé|modifié|défini|ajouté|retiré|supprimé|créé|quitté|rejoint|démarré|manqué|épinglé|commencé|appelé)(?: .*|\.|$)` +
	`|(?:nomeou|mudou|alterou|definiu|adicionou|removeu|criou|saiu|entrou|iniciou|perdeu|fixou|ligou)(?: .*|\.|$)|(?:ha|hai) (?:nominato|cambiato|modificato|impostato|aggiunto|rimosso|creato|abbandonato|lasciato|avviato|perso|fissato|chiamato|iniziato)(?: .*|\.|$)` +
	`|(?:将|將|已|更改|修改|添加|新增|移除|创建|建立|离开|離開|退出|加入|发起|發起|错过|錯過|置顶|釘選).*)$`)

// messengerYou are how the notices address the owner.
var messengerYou = []string{"You ", "Has ", "Du hast ", "Vous ", "Você ", "Hai ", "你", "您"}

// messengerYouVerb is stricter than messengerVerb: people begin with "you" themselves.
var messengerYouVerb = lazily(`^(?:You (?:named the group|changed the (?:group|theme|chat|quick|emoji)|set (?:the|your|\S+'s) (?:nickname|quick|emoji|group)|set the nickname|cleared (?:the|your) nickname|removed \S.* from the group|added \S.* to the group|created (?:the|a|this) (?:group|poll)|joined the (?:call|video|group|chat)|left the group|started (?:a|an|the) (?:video|audio|voice|call|chat|group)|missed (?:a|an) (?:\S+ )?call|called \S+|turned (?:on|off) \S.*|pinned a message|unpinned a message|unsent a message|can now message|are now connected|sent an attachment|replied to).*` +
	`|Has (?:cambiado|nombrado|añadido|agregado|eliminado|creado|abandonado|iniciado|fijado) (?:el|la|los|un|una|a|tu) .*|Du hast .+ (?:geändert|benannt|hinzugefügt|entfernt|verlassen|erstellt|gestartet|festgelegt|angepinnt)\.?|Vous avez (?:nommé|changé|modifié|défini|ajouté|retiré|créé|quitté|rejoint|démarré|épinglé) (?:le|la|les|un|une|l'|votre|\S+) .*|Você (?:nomeou|mudou|alterou|definiu|adicionou|removeu|criou|saiu|iniciou|fixou) (?:o|a|os|um|uma|do|\S+) .*|Hai (?:nominato|cambiato|modificato|impostato|aggiunto|rimosso|creato|avviato|fissato) (?:il|la|i|un|una|l'|\S+) .*|[你您](?:更改|修改|添加|新增|移除|创建|建立|退出|加入|将|將)了?.*)$`)

// messengerSentBy is how the apps word that something without words was sent.
var messengerSentBy = lazily(`^(?:sent (?:an? |\d+ )?(?:attachment|photo|video|voice message|sticker|gif|location|link|file|live location|reel|post|story|poll|contact|audio)s?|shared (?:an? )?(?:post|story|reel|link|location|photo|video)|(?:ha enviado|envió|enviaste|has enviado|ha mandado) (?:un |una )?(?:archivo adjunto|foto|video|vídeo|mensaje de voz|sticker|gif|ubicación|enlace)|hat (?:einen |eine |ein )?(?:anhang|foto|video|sprachnachricht|sticker|gif|standort|link) (?:gesendet|geteilt|gesandt)|hast (?:einen |eine |ein )?(?:anhang|foto|video|sprachnachricht) gesendet|(?:a|avez) (?:envoyé|partagé) (?:une |un )?(?:pièce jointe|photo|vidéo|message vocal|autocollant|gif|lien)|(?:enviou|enviaste) (?:um |uma )?(?:anexo|foto|vídeo|mensagem de voz|figurinha|gif)|(?:ha|hai) (?:inviato|condiviso) (?:un |una )?(?:allegato|foto|video|messaggio vocale|adesivo|gif|link)|(?:发送|傳送|傳|发)了.{0,6}(?:附件|照片|视频|影片|语音|語音).{0,4})[.!。]?$`)

// behindName is what stands behind the sender's whole name or the address of the owner.
func behindName(name, text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, name+" "); ok && name != "" {
		return rest, true
	}
	for _, you := range messengerYou {
		if rest, ok := strings.CutPrefix(text, you); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// messengerSent reports whether text only says that something was sent.
func messengerSent(name, text string) bool {
	if len(text) > 200 || strings.Contains(text, "\n") {
		return false
	}
	rest, ok := behindName(name, text)
	if !ok && strings.HasPrefix(text, "Du ") {
		rest, ok = text[len("Du "):], true
	}
	return ok && messengerSentBy.MatchString(strings.ToLower(rest))
}

// messengerNotice reports whether text tells what its sender did in the app.
// messengerCalled is what a notice of a call ends with: a name and nothing else.
var messengerCalled = lazily(`^You called \p{Lu}\S*(?: \p{Lu}\S*)*\.$`)

// messengerSentence reports whether a line that begins as a notice to the owner is one to
// its end: a statement with its full stop. What people write to each other so ("You left
// the group because of me?") asks, goes on, or has none.
func messengerSentence(text string) bool {
	switch {
	case strings.HasPrefix(text, "You created a poll: "):
		return true
	case !strings.HasSuffix(text, "."), strings.ContainsAny(text, "?!"), strings.Contains(text, ", "):
		return false
	case strings.HasPrefix(text, "You called "):
		return messengerCalled.MatchString(text)
	}
	return true
}

func messengerNotice(name, text string) bool {
	if len(text) > 400 || strings.Contains(text, "\n") {
		return false
	}
	if messengerYouVerb.MatchString(text) {
		return !strings.HasPrefix(text, "You ") || messengerSentence(text)
	}
	rest, ok := strings.CutPrefix(text, name+" ")
	if !ok || name == "" {
		return false
	}
	first := rune(0)
	for _, r := range rest {
		first = r
		break
	}
	return messengerVerb.MatchString(rest) && !unicode.IsUpper(first)
}
