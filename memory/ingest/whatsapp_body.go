package ingest

import "strings"

// waKind is what a body is.
type waKind int

const (
	waWords waKind = iota
	waMedia
	waGone       // deleted
	waSystem     // a notice, said by nobody
	waCallNotice // a call
)

type waFound struct {
	media  Media
	edited bool
	shape  bool // only the shape of it tells that it stands for a file
}

// waClassify tells words from what WhatsApp writes in their place. A body that
// begins with U+200E on an iPhone was written by the app: unless it is known to
// stand for media, it is a notice.
func waClassify(body string, ios bool) (waKind, string, waFound) {
	var f waFound
	lead := strings.HasPrefix(body, "\u200e")
	// Most bodies hold nothing of all this.
	if !lead && !strings.ContainsAny(body, "<(\u200e‹\u3008\u2329＜⟨") && len(body) > 0 {
		text := tidy(body)
		if text == "" {
			return waMedia, "", waFound{media: Media{Type: "unknown"}}
		}
		if len(body) < 120 {
			key := phraseKey(text)
			own := appsOwn(text)
			if _, gone := waDeleted[key]; gone && own {
				return waGone, "", f
			}
			switch kind, is := waWhole[key]; {
			case !is:
			case kind == waSystem && own:
				return waSystem, text, f
			case kind == waCallNotice && own && !ios:
				return waCallNotice, text, f
			case kind == waMedia && !ios:
				return waMedia, "", waFound{media: Media{Type: "location"}}
			}
			if own && deletedBy(key) {
				return waGone, "", f
			}
			if kind, is := omittedType(key); is && !ios { // an iPhone marks it, so that there it was said
				return waMedia, "", waFound{media: Media{Type: kind}}
			}
			if !ios && text == "null" { // what could be seen once
				return waMedia, "", waFound{media: Media{Type: "unknown"}}
			}
		}
		if m := locationOf(text); m != "" && !strings.HasPrefix(text, "http") {
			return waMedia, "", waFound{media: Media{Type: "location", Caption: m}}
		}
		if isPoll(text) {
			return waMedia, "", waFound{media: Media{Type: "poll", Caption: pollQuestion(text)}}
		}
		return waWords, text, f
	}
	body, f.edited = cutEdited(body, ios)
	clean := tidy(body)
	if clean == "" {
		if f.edited {
			return waWords, "", f
		}
		return waMedia, "", waFound{media: Media{Type: "unknown"}}
	}
	key := phraseKey(clean)
	if _, gone := waDeleted[key]; gone || deletedBy(key) {
		return waGone, "", f
	}
	first, rest, _ := strings.Cut(body, "\n")
	if media, text, ok := waAttachment(first, ios, lead); ok {
		f.media = media
		return waMedia, tidy(strings.TrimLeft(text+"\n"+rest, "\n")), f
	}
	if m := locationOf(tidy(first)); m != "" && (lead || !strings.HasPrefix(tidy(first), "http")) {
		f.media = Media{Type: "location", Caption: m}
		return waMedia, "", f
	}
	if isPoll(clean) && (lead || !ios) {
		f.media = Media{Type: "poll", Caption: pollQuestion(clean)}
		return waMedia, "", f
	}
	switch {
	case waNotices[key]:
		return waSystem, clean, f
	case waMissed[key] && (lead || !ios), lead && ios && (waCall.MatchString(clean) || callShape(clean)):
		return waCallNotice, clean, f
	case waLive[key] && (lead || !ios):
		return waMedia, "", waFound{media: Media{Type: "location"}}
	case lead && ios && !strings.HasPrefix(clean, "@") && placeholderShape(clean):
		return waMedia, "", waFound{media: Media{Type: waBareType(key), Caption: clean}, shape: true}
	case lead && ios && !strings.HasPrefix(clean, "@"):
		return waSystem, clean, f
	}
	return waWords, clean, f
}

// cutEdited takes "<This message was edited>" off the end.
func cutEdited(body string, ios bool) (string, bool) {
	end := strings.TrimRight(body, " \u200e\u200f\r")
	if before, inner, odd := oddPair(end); odd && before != "" && !waMediaAngled[phraseKey(inner)] {
		return before, true
	}
	if !strings.HasSuffix(end, ">") {
		return body, false
	}
	i := strings.LastIndexByte(end, '<')
	if i < 0 {
		return body, false
	}
	inner := end[i+1 : len(end)-1]
	marked := ios && strings.HasSuffix(end[:i], "\u200e") && i > len("\u200e") && letters(inner)
	if waEdited[phraseKey(inner)] || (marked || !ios && i > 0 && end[i-1] == ' ' && editedShape(inner)) && !waMediaAngled[phraseKey(inner)] {
		return strings.TrimRight(end[:i], " \u200e"), true
	}
	return body, false
}

// waAttachment reads a line that stands for a file. text is what the sender wrote
// before it.
func waAttachment(line string, ios, lead bool) (Media, string, bool) {
	clean := tidy(line)
	if inner, ok := inBrackets(clean); ok {
		if kind, is := omittedType(phraseKey(inner)); is {
			return Media{Type: kind}, "", true
		}
		if !ios && asPlaceholder(inner) { // in words that aren't known: kept, and said by nobody
			return Media{Type: "unknown", Caption: inner}, "", true
		}
	}
	if before, inner, odd := oddPair(clean); odd && before == "" {
		return Media{Type: waBareType(phraseKey(inner)), Caption: inner}, "", true
	}
	if kind, is := omittedType(phraseKey(clean)); is && !ios {
		return Media{Type: kind}, "", true
	}
	if m := waIOSFile.FindStringSubmatchIndex(clean); m != nil {
		word, name := clean[m[2]:m[3]], clean[m[4]:m[5]]
		if waAttached[phraseKey(word)] || waFile.MatchString(name) || ios && strings.Contains(line, "\u200e<") && letters(word) {
			return Media{Type: mediaTypeOf(name), Name: name}, documentLabel(clean[:m[0]], name), true
		}
	}
	if m := waTailFile.FindStringSubmatch(clean); m != nil && !ios {
		switch media := (Media{Type: mediaTypeOf(m[1]), Name: m[1]}); {
		case waAttached[phraseKey(m[2])], waFile.MatchString(m[1]) && letters(m[2]), lead && letters(m[2]):
			return media, "", true
		case isFileName(m[1]) && foreignWords(m[2]):
			media.Caption = m[2]
			return media, "", true
		}
	}
	if ios {
		if i := strings.LastIndex(line, "\u200e"); i >= 0 {
			if kind, is := omittedType(phraseKey(line[i:])); is {
				m := Media{Type: kind}
				before := tidy(line[:i])
				if name, _, ok := strings.Cut(before, " • "); ok && m.Type == "document" {
					m.Name, before = name, ""
				}
				return m, before, true
			}
		}
	}
	return Media{}, "", false
}

// documentLabel drops "Lease scan.pdf • 3 pages" before a document: the app's
// words, not the sender's.
func documentLabel(before, name string) string {
	before = strings.TrimSpace(before)
	label, _, ok := strings.Cut(before, " • ")
	if ok && strings.HasSuffix(name, label) || before != "" && strings.HasSuffix(name, before) {
		return ""
	}
	return before
}

func locationOf(line string) string {
	if !strings.Contains(line, "://") {
		return ""
	}
	if m := waLocation.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

func isPoll(text string) bool {
	return len(text) < 4096 && strings.Count(text, "\n") >= 2 && waPoll.MatchString(text)
}

func pollQuestion(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	question, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(question)
}

// tidy drops marks that direct the eye, carriage returns and blanks at the ends
// of lines and of the whole. NUL can't be in words.
func tidy(s string) string {
	s = unmark(s)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if strings.IndexByte(s, '\n') >= 0 {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " \t\u00a0")
		}
		s = strings.Join(lines, "\n")
	}
	return strings.TrimSpace(s)
}
