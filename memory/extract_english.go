package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
)

// token is a word or a mark of an English sentence.
type token struct {
	text  string
	lower string
	space bool // white space stands before it
}

func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// tokenize cuts a sentence into words (with inner apostrophes, hyphens and
// decimal points) and single marks.
func tokenize(s string) []token {
	out := make([]token, 0, len(s)/5+1)
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			space = true
			i += n
			continue
		}
		j := i + n
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			for j < len(s) {
				c, m := utf8.DecodeRuneInString(s[j:])
				if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) {
					j += m
					continue
				}
				if next, _ := utf8.DecodeRuneInString(s[j+m:]); strings.ContainsRune("'-.,", c) && (unicode.IsLetter(next) || unicode.IsDigit(next)) &&
					(c != ',' || unicode.IsDigit(next)) {
					j += m
					continue
				}
				break
			}
		}
		out = append(out, token{text: s[i:j], lower: strings.ToLower(s[i:j]), space: space})
		space = false
		i = j
	}
	return out
}

// english makes statements of an English text in v's voice.
func (v *voice) english(text string) []statement {
	var out []statement
	for _, sentence := range sentences(text) {
		toks := tokenize(sentence)
		joins := len(toks) > 0 && leansBack[toks[0].lower]
		toks = v.trimEnglish(toks)
		toks = statementPart(toks)
		if len(toks) == 0 || isCommand(toks) {
			continue
		}
		toks = dropAccess(toks)
		if len(toks) == 0 {
			continue
		}
		st, ok := v.rewrite(toks)
		if !ok {
			continue
		}
		st.joins = joins || leansBack[toks[0].lower]
		out = append(out, st)
	}
	return out
}

// trimEnglish drops interjections, greetings and words of address at the start,
// and tags at the end.
func (v *voice) trimEnglish(toks []token) []token {
	for len(toks) > 0 {
		w := toks[0].lower
		switch {
		case !isWord(w) && !strings.Contains("\"“'(", w):
			toks = toks[1:]
		case len(toks) > 2 && w == "of" && toks[1].lower == "course", w == "you" && len(toks) > 3 && toks[1].lower == "know" && (questionWords[toks[2].lower] || toks[2].lower == "that"):
			toks = toks[2:]
		case interjections[w] && (len(toks) == 1 || w != "no" && w != "so" && w != "well" && w != "like" || !isWord(toks[1].lower)):
			toks = toks[1:]
		case len(toks) > 1 && !isWord(toks[1].lower) && toks[1].lower != "'" && v.addressee(w):
			v.calls(w)
			toks = toks[2:]
		default:
			goto tail
		}
	}
tail:
	for len(toks) > 0 {
		n := len(toks) - 1
		w := toks[n].lower
		if w == "(" || w == "," || w == "-" || w == "–" || w == "—" || tags[w] && n > 0 && !isWord(toks[n-1].lower) {
			toks = toks[:n]
			continue
		}
		if n > 0 && toks[n-1].lower == "," && (v.addressee(w) || tags[w]) {
			v.calls(w)
			toks = toks[:n-1]
			continue
		}
		return toks
	}
	return nil
}

// addressee reports whether w alone calls somebody who hears it.
func (v *voice) addressee(w string) bool {
	return callings[w] || v.scene.people[w] != ""
}

// calls makes the participant whom w calls the one that "you" means: in a group
// "Fenna, you and I …" is said to Fenna, whatever message it answers.
func (v *voice) calls(w string) {
	if name := v.scene.people[w]; name != "" && name != v.speaker {
		v.you = name
	}
}

// statementPart returns the part of a sentence that states something: nothing
// of a question, what comes before it in "I'm pregnant, can you believe it?".
func statementPart(toks []token) []token {
	if len(toks) == 0 {
		return nil
	}
	asks := toks[len(toks)-1].lower == "?"
	for i, t := range toks { // what follows "please" or ", why would he" isn't stated
		if i > 0 && (t.lower == "please" || toks[i-1].lower == "," && i+1 < len(toks) && (t.lower == "why" || inverting[t.lower] && subjectWords[toks[i+1].lower])) {
			toks = toks[:i]
			for len(toks) > 0 && (connectives[toks[len(toks)-1].lower]) {
				toks = toks[:len(toks)-1]
			}
			asks = false
			break
		}
	}
	for len(toks) > 0 && strings.Contains("?", toks[len(toks)-1].lower) {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 || asksFirst(toks) {
		return nil
	}
	if !asks {
		return toks
	}
	for i := len(toks) - 2; i > 1; i-- {
		if mark := toks[i].lower; mark == "," || mark == "-" || mark == "–" || mark == ":" {
			if rest := toks[i+1:]; asksFirst(rest) || len(rest) <= 2 {
				return toks[:i]
			}
		}
	}
	return nil
}

// asksFirst reports whether a clause begins as a question does.
func asksFirst(toks []token) bool {
	w := toks[0].lower
	if len(toks) < 2 {
		return questionWords[w]
	}
	next := toks[1].lower
	switch {
	case inverting[w]:
		return subjectWords[next] || next == "n't"
	case w == "when" || w == "if" || w == "where":
		// "when I get back I'm off" states, "when is it" asks.
		return inverting[next] || inverting[strings.TrimSuffix(next, "'s")] || strings.HasSuffix(next, "'s") && !subjectWords[strings.TrimSuffix(next, "'s")] || len(toks) < 6
	}
	return questionWords[w] || questionWords[strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "s")] && strings.HasSuffix(w, "s")
}

// isCommand reports whether a sentence orders or asks for something.
func isCommand(toks []token) bool {
	for len(toks) > 2 && (adverbs[toks[0].lower] || connectives[toks[0].lower]) {
		toks = toks[1:]
	}
	w := toks[0].lower
	if len(toks) < 5 && (w == "you're" || w == "youre") && len(toks) > 1 && courtesies[toks[1].lower] {
		return true
	}
	if w == "thank" || w == "please" || w == "let's" || w == "lets" || w == "don't" || w == "dont" {
		return true
	}
	if !commands[w] || len(toks) == 1 {
		return false
	}
	// "tell Desh" orders, "call was good" and "Mark said" don't.
	next := toks[1].lower
	return !beForms[next] && next != "," && !irregularPast[next]
}

// courtesies follow "you're" and say nothing.
var courtesies = words("welcome joking kidding right sweet kind funny lovely sure wrong amazing brilliant impossible on")

// dropAccess drops the clauses that only say who may know: another stage takes
// them from the utterance itself.
func dropAccess(toks []token) []token {
	if !mentionsAccess(toks) {
		return toks
	}
	var kept []token
	start := 0
	flush := func(end int) {
		clause := toks[start:end]
		if len(clause) > 0 && !aboutAccess(clause) {
			kept = append(kept, clause...)
		}
		start = end
	}
	for i, t := range toks {
		if t.lower == "," || t.lower == ";" || t.lower == "-" || t.lower == "–" || t.lower == "—" || t.lower == ":" ||
			i > start+2 && (t.lower == "and" || t.lower == "but" || t.lower == "so") && i+1 < len(toks) && (subjectWords[toks[i+1].lower] || commands[toks[i+1].lower]) {
			flush(i)
		}
	}
	flush(len(toks))
	if len(kept) == len(toks) {
		return toks
	}
	for len(kept) > 0 && (!isWord(kept[0].lower) || connectives[kept[0].lower]) {
		kept = kept[1:]
	}
	return kept
}

func mentionsAccess(toks []token) bool {
	for _, t := range toks {
		if accessWords[t.lower] {
			return true
		}
	}
	return false
}

// aboutAccess reports whether a clause says who may know.
func aboutAccess(clause []token) bool {
	var b strings.Builder
	for _, t := range clause {
		b.WriteByte(' ')
		b.WriteString(t.lower)
	}
	b.WriteByte(' ')
	s := b.String()
	for _, p := range accessPhrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	// "not Fenna", "not a word to him"
	return strings.HasPrefix(s, " not ") && len(clause) <= 6
}

// rewrite puts a statement into the third person, with its times resolved.
func (v *voice) rewrite(toks []token) (statement, bool) {
	past := isPast(toks)
	said, dated := saidDay(v.said)
	toks, dropped := v.supplySubject(toks)
	w := writer{v: v}
	st := statement{subject: v.speaker}
	quoted := false
	for i := 0; i < len(toks); {
		t := toks[i]
		if t.lower == "\"" || t.lower == "“" || t.lower == "”" {
			quoted = t.lower == "“" || t.lower == "\"" && !quoted
			w.put(t.text, t.space)
			i++
			continue
		}
		if quoted { // quoted words keep their own I and you
			w.put(t.text, t.space)
			i++
			continue
		}
		if dated {
			if s := englishTime(toks, i, said, past); s.n > 0 {
				if st.when.IsZero() {
					st.when = stampOf(s.when)
				}
				if s.text != "" {
					if i > 0 && bindsTime[toks[i-1].lower] { // "by tomorrow" is "by 12 March"
						s.text = strings.TrimPrefix(strings.TrimPrefix(s.text, "on "), "in ")
					}
					w.put(s.text, t.space)
				} else {
					for _, t := range toks[i : i+s.n] {
						w.put(t.text, t.space)
					}
				}
				i += s.n
				continue
			}
		}
		i += w.person(toks, i)
	}
	text := unpaired(strings.Trim(w.b.String(), " "))
	st.weak = w.subject == "" && !dropped && !hasVerb(toks)
	if content := lexical.Terms(text); len(content) < 3 && (st.weak || len(content) < 2) {
		return statement{}, false
	} else if names := nameTerms(v); countNew(content, names) < 1 || countNew(content, names) < 2 && st.weak {
		return statement{}, false
	}
	if w.first != "" {
		st.subject = w.first
	} else if unnamed[toks[0].lower] || unnamed[strings.TrimSuffix(toks[0].lower, "'s")] {
		st.subject = ""
	} else if s := v.subjectOf(toks); s != "" {
		st.subject = s
	}
	st.text = closed(text, ".")
	return st, st.text != ""
}

// bindsTime are words that a date follows without "on".
var bindsTime = words("by to until till from since before after around for between of about past on in and than")

// unnamed begin sentences about somebody whom they don't name.
var unnamed = words("he she they he'll she'll they're they'll they've he'd she'd they'd")

// unpaired drops brackets without their partner, and marks of a shout.
func unpaired(s string) string {
	if strings.Count(s, "(") != strings.Count(s, ")") {
		s = strings.NewReplacer("(", "", ")", "").Replace(s)
	}
	return strings.TrimRight(s, "!. ")
}

// nameTerms are the terms of the names in v: alone they are no content.
func nameTerms(v *voice) map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{v.speaker, v.you, v.we} {
		if name == "" {
			continue
		}
		for _, t := range lexical.Terms(name) {
			out[t] = true
		}
	}
	return out
}

func countNew(terms []string, known map[string]bool) int {
	n := 0
	for _, t := range terms {
		if !known[t] {
			n++
		}
	}
	return n
}

// supplySubject adds the speaker to a sentence that dropped its subject, as
// chats do: "sending it tonight", "got the keys".
func (v *voice) supplySubject(toks []token) ([]token, bool) {
	i := 0
	for i < len(toks)-1 && adverbs[toks[i].lower] {
		i++
	}
	w := toks[i].lower
	next := ""
	if i+1 < len(toks) {
		next = toks[i+1].lower
	}
	var add []token
	switch {
	case gerund(w) && next != "" && (isWord(next) && !beForms[next] && next != "of"):
		add = []token{{text: "I", lower: "i"}, {text: "am", lower: "am", space: true}}
	case (irregularPast[w] || droppedAux[w]) && !ambiguousPast[w] && next != "" && next != "by" && isWord(next):
		add = []token{{text: "I", lower: "i"}}
	default:
		return toks, false
	}
	out := append(add, toks...)
	out[len(add)].space = true
	return out, true
}

// ambiguousPast look like a past tense and often are something else.
var ambiguousPast = words("left felt found broke fell rose ground bound lit spoke wound shot was were did had meant used cut made paid lost")

// subjectOf names the known person whom a sentence begins with.
func (v *voice) subjectOf(toks []token) string {
	if len(toks) == 0 {
		return ""
	}
	if len(toks) > 1 && toks[1].space {
		if name := v.scene.people[toks[0].lower+" "+toks[1].lower]; name != "" {
			return name
		}
	}
	w := strings.TrimSuffix(strings.TrimSuffix(toks[0].lower, "'s"), "'ll")
	if name := v.scene.people[w]; name != "" {
		return name
	}
	// A capital in mid-flow of lower-case chat is a name; at the start of a
	// sentence it may be any word, so a verb has to follow.
	r, _ := utf8.DecodeRuneInString(toks[0].text)
	if unicode.IsUpper(r) && len(toks) > 1 && !lowerCased[w] && (beForms[toks[1].lower] || irregularPast[toks[1].lower] || strings.HasSuffix(toks[0].lower, "'s")) {
		return strings.TrimSuffix(toks[0].text, "'s")
	}
	return ""
}

// isPast guesses whether a sentence is about the past: it has a past verb and
// nothing that points ahead.
func isPast(toks []token) bool {
	past := false
	for i, t := range toks {
		if sameInPast[t.lower] && i > 0 && (toks[i-1].lower == "i" || toks[i-1].lower == "we") {
			past = true
		}
		if ahead[t.lower] || strings.HasSuffix(t.lower, "'ll") {
			return false
		}
		if t.lower == "was" || t.lower == "were" || t.lower == "had" || t.lower == "did" || t.lower == "didn't" || irregularPast[t.lower] ||
			strings.HasSuffix(t.lower, "ed") && len(t.lower) > 4 {
			past = true
		}
	}
	return past
}

// hasVerb reports whether a sentence has something like a finite verb.
func hasVerb(toks []token) bool {
	for i, t := range toks {
		w := t.lower
		if beForms[w] || inverting[w] || irregularPast[w] || strings.Contains(w, "'") && !strings.HasSuffix(w, "'s") ||
			strings.HasSuffix(w, "ed") && len(w) > 4 || strings.HasSuffix(w, "'s") && i+1 < len(toks) && (gerund(toks[i+1].lower) || articles[toks[i+1].lower]) {
			return true
		}
		if i > 0 && len(w) > 2 && (presentVerbs[strings.TrimSuffix(w, "s")] || presentVerbs[w]) {
			return true
		}
	}
	return false
}

func gerund(w string) bool {
	return len(w) > 5 && strings.HasSuffix(w, "ing") && !notGerund[w] || w == "going" || w == "doing"
}

// pairOf names the people of "Anselm and I" that ends before toks[i].
func (v *voice) pairOf(toks []token, i int) string {
	if i < 2 || toks[i-1].lower != "and" {
		return ""
	}
	name := toks[i-2].text
	if known := v.scene.people[toks[i-2].lower]; known != "" {
		return known
	}
	if toks[i-2].lower == "you" && v.you != "" {
		return v.you
	}
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return name
	}
	return ""
}
