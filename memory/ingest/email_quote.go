package ingest

import (
	"html"
	"strings"
)

// A mail repeats what it answers. These words were said before, by somebody else;
// ownWords keeps the sender's.

var (
	// attribution is the line above quoted words: "On … Ana wrote:".
	attribution = lazily(`(?i)^[>\s]*(?:on\b.{4,300}\bwrote|am\b.{4,300}\bschrieb\b.{0,200}|(?:.{1,200} )?schrieb am .{4,200}|le\b.{4,300}a écrit|el\b.{4,300}escribió|(?:em|no dia|a)\b.{4,300}(?:escreveu|escribió)|il\b.{4,300}ha scritto|op\b.{4,300}(?:schreef|geschreven)\b.{0,200}|den\b.{4,300}(?:skrev|skrev följande)\b.{0,200}|(?:w dniu|dnia)\b.{4,300}(?:napisał|pisze)\S*.{0,100}|dne\b.{4,300}napsal\S*.{0,100}|.{4,300}(?:пишет|написал|написала|写道|寫道|写到|のメール|作成|작성|yazdı|şunu yazdı|ezt írta(?: \(időpont:.{4,120}\))?|írta(?: \(időpont:.{4,120}\))?|a scris|έγραψε|כתב|כתבה|כתב/ה|كتب|نوشت|đã viết|menulis|เขียนว่า|rašė|rakstīja|написа|написао|je napisao(?:/la)?|je napísal|napísal(?:\(a\))?|va escriure|kirjutas|skrifaði|wrote|schreef|skrev|kirjoitti))\s*[:：]\s*$`)
	// addressed is such a line in any language: a date, an address, a colon at the end.
	addressed = lazily(`\d.{0,120}<[^<>\s]+@[^<>\s]+>.{0,40}[:：]\s*$`)
	// sentFrom is what a program puts under a mail of its own accord.
	sentFrom = lazily(`(?i)^\s*(?:sent (?:from|via|with) (?:my |the )?(?:iphone|ipad|android|samsung|galaxy|mobile|phone|outlook|mail|yahoo|gmail|proton|huawei|xiaomi|blackberry)\b.{0,60}|get outlook for .{1,20}|(?:von meinem .{2,30}|mit der .{2,30}) gesendet\.?|gesendet (?:von|mit|über|aus) .{2,60}|envoyé (?:de(?:puis)?|à partir de|avec) .{2,60}|enviado desde .{2,60}|enviad[oa] (?:do|de|da|pelo) .{2,60}|inviato da .{2,60}|verstuurd vanaf .{2,60}|verzonden (?:vanaf|met) .{2,60}|skickat från .{2,60}|sendt fra .{2,60}|wysłano z .{2,60}|отправлено (?:с|из) .{2,60}|发自我的.{1,20}|從我的.{1,20}傳送|傳送自.{1,20}|iphone\s?から送信|나의 iphone에서 보냄)\s*$`)
	// quoteRule is a line that a program draws above the mail it repeats.
	quoteRule = lazily(`(?i)^\s*-{2,}\s*(?:original message|original-nachricht|ursprüngliche nachricht|originalnachricht|mensaje original|message d'origine|message original|mensagem original|messaggio originale|oorspronkelijk bericht|original appointment|ursprungligt meddelande|oprindelig meddelelse|wiadomość oryginalna|исходное сообщение|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지|orijinal mesaj|reply message)\s*-{2,}\s*$`)
	// forwardRule is a line above a mail that is passed on.
	forwardRule = lazily(`(?i)^\s*(?:-{2,}\s*(?:forwarded message|weitergeleitete nachricht|mensaje reenviado|message transféré|mensagem encaminhada|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande|пересылаемое сообщение|转发的?邮件|轉寄的?郵件|転送されたメッセージ|전달된 메시지)[^-]{0,60}-{2,}|begin forwarded message:|anfang der weitergeleiteten (?:nachricht|e-mail):|inicio del mensaje reenviado:|début du message (?:réexpédié|transféré) :|inizio messaggio inoltrato:)\s*$`)
	// headerField is a field of the block that Outlook and others put above: From,
	// Sent, To, Subject, in many languages.
	headerFrom  = lazily(`(?i)^[*\s]*(?:from|von|de|da|van|från|fra|od|от|发件人|發件人|寄件者|寄件人|差出人|送信者|보낸 사람|kimden|mittente|expéditeur|remitente|lähettäjä)\s*[:：]\s*\**\s*(.*)$`)
	headerOther = lazily(`(?i)^[*\s]*(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|enviado(?: el| em)?|fecha|data|para|asunto|assunto|envoyé|date d'envoi|à|objet|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|отправлено|дата|кому|тема|发送时间|發送時間|时间|日期|日時|收件人|抄送|主题|主旨|收件者|送信日時|宛先|件名|보낸 날짜|받는 사람|제목|gönderildi|kime|konu)\s*[:：]`)
	outlookRule = lazily(`^\s*_{10,}\s*$`)
)

// ownWords returns what the sender wrote: without quoted mail, the lines that
// introduce it, and the signature. A mail that is passed on comes back apart.
func ownWords(text string) (string, *Quoted) {
	lines := strings.Split(tidy(text), "\n")
	var own []string
	var forwarded *Quoted
scan:
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case (strings.Contains(line, "--") || strings.HasSuffix(strings.TrimRight(line, " \t"), ":")) && forwardRule.MatchString(line):
			forwarded = forwardedMail(lines[i+1:])
			break scan
		case strings.Contains(line, "--") && quoteRule.MatchString(line), isSignature(line):
			break scan
		case strings.Contains(line, "____") && outlookRule.MatchString(line) && i+1 < len(lines) && headerBlock(lines[i+1:]):
			break scan
		case headerBlock(lines[i:]):
			break scan
		case strings.HasPrefix(line, ">"):
		case attributes(lines, i):
			end := attributionEnd(lines, i)
			if !quoteFollows(lines, end+1) {
				break scan // a program that marks the quotation by nothing else
			}
			i = end
		default:
			own = append(own, line)
		}
	}
	for len(own) > 0 && (strings.TrimSpace(own[len(own)-1]) == "" || sentFrom.MatchString(own[len(own)-1])) {
		own = own[:len(own)-1]
	}
	out := tidy(strings.Join(own, "\n"))
	for strings.Contains(out, "\n\n\n") {
		out = strings.ReplaceAll(out, "\n\n\n", "\n\n")
	}
	return out, forwarded
}

// isSignature reports whether the rest is a signature: "-- " (the blank gets lost).
func isSignature(line string) bool { return line == "--" || line == "-- " }

// attributes reports whether an attribution begins at line i; it may take up to
// three lines.
func attributes(lines []string, i int) bool { return attributionEnd(lines, i) >= 0 }

func attributionEnd(lines []string, i int) int {
	joined := ""
	for k := i; k < len(lines) && k < i+3; k++ {
		if strings.TrimSpace(lines[k]) == "" || strings.HasPrefix(lines[k], ">") || len(joined) > 500 {
			return -1
		}
		joined = strings.TrimSpace(joined + " " + strings.TrimSpace(lines[k]))
		// The last alternatives need a date or an address: people end lines with
		// "wrote:" too.
		if !strings.HasSuffix(joined, ":") && !strings.HasSuffix(joined, "：") {
			continue
		}
		if attribution.MatchString(joined) && (strings.ContainsAny(joined, "0123456789@") || k == i && quoteFollows(lines, k+1)) ||
			addressed.MatchString(joined) && quoteFollows(lines, k+1) {
			return k
		}
	}
	return -1
}

func quoteFollows(lines []string, i int) bool {
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	return i < len(lines) && strings.HasPrefix(lines[i], ">")
}

// headerBlock reports whether lines begin with the fields of a mail: From and two
// others within the next lines.
func headerBlock(lines []string) bool {
	if len(lines) == 0 || !strings.ContainsAny(lines[0], ":：") || !headerFrom.MatchString(lines[0]) {
		return false
	}
	n := 0
	for _, line := range lines[1:min(len(lines), 8)] {
		if headerOther.MatchString(line) {
			n++
		} else if strings.TrimSpace(line) == "" {
			break
		}
	}
	return n >= 2
}

// forwardedMail reads a mail that is passed on: its fields, then its words.
func forwardedMail(lines []string) *Quoted {
	q := &Quoted{}
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	for ; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		if m := headerFrom.FindStringSubmatch(strings.TrimLeft(lines[i], "> ")); m != nil && q.Sender == "" {
			name, _, _ := strings.Cut(m[1], "<")
			q.Sender = strings.Trim(strings.TrimSpace(name), `"*`)
		} else if !headerOther.MatchString(strings.TrimLeft(lines[i], "> ")) {
			break
		}
	}
	q.Text = tidy(strings.Join(lines[min(i, len(lines)):], "\n"))
	return q
}

var (
	htmlTag   = lazily(`(?s)<(/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>|<!--.*?-->|<![^>]*>`)
	htmlQuote = lazily(`(?i)(?:class|id)\s*=\s*["']?[^"'>]*(?:gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|appendonsend|protonmail_quote|WordSection1Reply)`)
	htmlSpace = lazily(`[ \t\r\n]+`)
)

// htmlWords is the text of an HTML body without what it quotes.
func htmlWords(s string) string {
	var out strings.Builder
	skip, skipTag := 0, ""
	at := 0
	emit := func(text string) {
		if skip == 0 {
			out.WriteString(html.UnescapeString(htmlSpace.ReplaceAllString(text, " ")))
		}
	}
	for _, m := range htmlTag.FindAllStringSubmatchIndex(s, -1) {
		emit(s[at:m[0]])
		at = m[1]
		if m[4] < 0 {
			continue // a comment
		}
		tag, closing, attrs := strings.ToLower(s[m[4]:m[5]]), m[3] > m[2], s[m[6]:m[7]]
		if skip > 0 {
			if tag == skipTag && !strings.HasSuffix(attrs, "/") {
				if closing {
					skip--
				} else {
					skip++
				}
			}
			continue
		}
		switch tag {
		case "blockquote", "style", "script", "head", "title":
			if !closing {
				skip, skipTag = 1, tag
			}
		case "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table":
			if !closing && htmlQuote.MatchString(attrs) {
				skip, skipTag = 1, tag
				continue
			}
			out.WriteByte('\n')
		case "td", "th":
			out.WriteByte(' ')
		}
	}
	emit(s[at:])
	return tidy(strings.ReplaceAll(out.String(), "\u00a0", " "))
}
