package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
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
		if v.isStamp(sentence) {
			continue
		}
		for _, p := range v.truths(tokenize(sentence)) {
			st, ok := v.englishStatement(p.toks)
			if !ok {
				continue
			}
			st.apart = p.apart
			st.weak = st.weak && !p.apart // it can't lean on what was told
			out = append(out, st)
		}
	}
	return out
}

// englishStatement makes a statement of a sentence or a part of one, if it states
// anything.
func (v *voice) englishStatement(toks []token) (statement, bool) {
	joins := len(toks) > 0 && leansBack[toks[0].lower]
	toks = v.trimEnglish(toks)
	toks = v.dropAccess(toks)
	if len(toks) == 0 {
		return statement{}, false
	}
	toks, teller := v.saysFrame(toks)
	toks = statementPart(toks)
	if len(toks) == 0 || isCommand(toks) {
		return statement{}, false
	}
	toks, given := teller.aboutWhom(toks)
	who := ""
	if given {
		who = v.scene.about
	} else {
		toks, who = teller.antecedent(toks)
	}
	st, ok := teller.rewrite(toks)
	v.before = append(v.before, v.mentionsIn(toks)...)
	if !ok || teller.inFirstPerson(st.text) {
		return statement{}, false
	}
	if who != "" {
		st.subject = who
	}
	if unnamed[st.subject] { // "she says: I am leaving"
		st.subject = ""
	}
	st.joins = joins && !given || leansBack[toks[0].lower]
	return st, true
}

// rewrite puts a statement into the third person, with its times resolved.
func (v *voice) rewrite(toks []token) (statement, bool) {
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
			if s := englishTime(toks, i, said); s.n > 0 {
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
	st.weak = w.subject == "" && !dropped && !hasVerb(toks) && !lists(toks)
	switch v.matterOf(toks, !st.when.IsZero()) {
	case noMatter:
		return statement{}, false
	case whole:
		st.leads = st.weak
		st.weak = st.weak && st.when.IsZero() // "operation, Thursday the 5th" says enough
	case leaning:
		st.leads = !st.weak
		st.weak = true
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

// lists reports whether a sentence gives what belongs to the speaker behind a
// colon: "my new address: …".
func lists(toks []token) bool {
	if w := toks[0].lower; w != "my" && w != "our" {
		return false
	}
	for k := 2; k < len(toks)-1 && k < 5; k++ {
		if toks[k].lower == ":" {
			return true
		}
	}
	return false
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
	case chatVerbs[w] && next == "you" && i+2 < len(toks):
		add = []token{{text: "I", lower: "i"}, {text: "will", lower: "will", space: true}}
	case (irregularPast[w] || droppedAux[w]) && !ambiguousPast[w] && next != "" && next != "by" && isWord(next):
		add = []token{{text: "I", lower: "i"}}
	default:
		return toks, false
	}
	out := append(add, toks...)
	out[len(add)].space = true
	out[len(add)].text = out[len(add)].lower // it began the sentence
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
