package memory

import (
	"slices"
	"strings"
)

// dropAccess drops what only says who may know: another stage takes it from the
// utterance itself. Of a clause that says so of a thing it names ("nobody knows
// that I am ill", "don't tell Bo that I sold the car") the thing stays.
func (v *voice) dropAccess(toks []token) []token {
	toks = dropIfAsked(toks)
	if !mentionsAccess(toks) {
		return toks
	}
	var kept []token
	start, dropped := 0, false
	flush := func(end int) {
		clause := toks[start:end]
		start = end
		if len(clause) == 0 {
			return
		}
		after, about := aboutAccess(clause)
		if !about {
			if !dropped || !tellsWhy(clause) {
				kept = append(kept, clause...)
				dropped = dropped && !isWord(clause[0].lower) && len(clause) == 1
			}
			return
		}
		dropped = true
		if k := v.complement(clause, after); k > 0 {
			for n := k + 1; n < len(clause); n++ { // until when it is a secret, not until when it is so
				if w := clause[n].lower; w == "until" || w == "till" || w == "before" || w == "unless" || w == "yet" {
					clause = clause[:n]
				}
			}
			if len(kept) > 0 {
				kept = append(kept, token{text: ",", lower: ","})
			}
			kept = append(kept, clause[k:]...)
		}
	}
	for i, t := range toks {
		if accessBreaks[t.lower] || i > start+1 && (t.lower == "and" || t.lower == "but" || t.lower == "so") && i+1 < len(toks) && opensClause(toks[i+1].lower) {
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

// tellsWhy reports whether a clause behind one about access is about those who
// mustn't know, by a pronoun: "don't tell Bo, he would worry".
func tellsWhy(clause []token) bool {
	for len(clause) > 1 && (!isWord(clause[0].lower) || connectives[clause[0].lower]) {
		clause = clause[1:]
	}
	base, tail := splitContraction(clause[0].lower)
	if base != "he" && base != "she" && base != "they" {
		return false
	}
	return tail == "'d" || tail == "'ll" || len(clause) > 1 && wouldDo[clause[1].lower]
}

// opensClause reports whether a clause of its own begins with w behind "and".
func opensClause(w string) bool {
	base, _ := splitContraction(w)
	return subjectWords[base] || commands[w] || accessOpenings[w]
}

// dropIfAsked drops "if Bo asks, …" to the end of the sentence: what follows is
// what to say then, which needn't be so.
func dropIfAsked(toks []token) []token {
	for i := range toks {
		if toks[i].lower != "if" && toks[i].lower != "when" || i > 0 && isWord(toks[i-1].lower) && !connectives[toks[i-1].lower] {
			continue
		}
		for k := i + 2; k < len(toks) && k <= i+5 && isWord(toks[k-1].lower); k++ {
			if w := toks[k].lower; w != "ask" && w != "asks" && w != "asked" && w != "wonders" {
				continue
			}
			if k+1 < len(toks) && isWord(toks[k+1].lower) && !asksAbout[toks[k+1].lower] {
				break
			}
			for i > 0 && (!isWord(toks[i-1].lower) || connectives[toks[i-1].lower]) {
				i--
			}
			return toks[:i]
		}
	}
	return toks
}

func mentionsAccess(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool { return accessWords[t.lower] })
}

// aboutAccess reports whether a clause says who may know, and behind which of
// its tokens it has said so.
func aboutAccess(clause []token) (after int, ok bool) {
	var b strings.Builder
	ends := make([]int, len(clause)) // where each token ends in b
	for i, t := range clause {
		b.WriteByte(' ')
		b.WriteString(t.lower)
		ends[i] = b.Len()
	}
	b.WriteByte(' ')
	s := b.String()
	behind := func(at int) int {
		n, _ := slices.BinarySearch(ends, at)
		return min(n+1, len(clause))
	}
	best := -1
	for _, p := range accessPhrases {
		if i := strings.Index(s, p); i >= 0 && (best < 0 || i+len(p)-1 < best) {
			best = i + len(p) - 1
		}
	}
	if best >= 0 {
		return behind(best), true
	}
	for _, p := range accessOrders {
		if at := strings.Index(s, p); at == 0 || at > 0 && courteous(s[:at+1]) {
			return behind(at + len(p) - 1), true
		}
	}
	if k := keeps(clause); k > 0 {
		return k, true
	}
	if k := rather(clause); k > 0 {
		return k, true
	}
	if strings.HasPrefix(s, " not even ") && strings.Contains(s, " know") { // "not even Bo knows"
		return len(clause), true
	}
	// "not Fenna", "not a word to him"
	return len(clause), strings.HasPrefix(s, " not ") && len(clause) <= 6
}

// courteous reports whether words only lead up to an order.
func courteous(s string) bool {
	for w := range strings.FieldsSeq(s) {
		if isWord(w) && !courtesies[w] && !connectives[w] && !adverbs[w] && w != "please" && w != "you" {
			return false
		}
	}
	return true
}

// accessOrders begin a clause that forbids to pass something on.
var accessOrders = []string{
	" tell nobody ", " tell no one ", " tell noone ", " tell none of ", " let nobody ", " let no one ", " say nothing ", " mention nothing ", " mention it to nobody ", " mention it to no one ",
	" repeat it to nobody ", " repeat it to no one ", " say it to nobody ", " say it to no one ", " show nobody ", " show no one ", " don't repeat ", " never mention ", " never repeat ", " never say ",
	" don't share ", " don't pass it ", " don't pass this ", " don't pass that ", " don't spread ", " keep quiet ", " stay quiet ", " not a soul ",
}

// keeps reads "keep that news to yourself" and "keep it strictly between us": it
// returns the token behind it, 0 if it isn't there.
func keeps(clause []token) int {
	for i, t := range clause {
		if t.lower != "keep" && t.lower != "keeping" {
			continue
		}
		for k := i + 1; k < len(clause) && k <= i+5; k++ {
			switch clause[k].lower {
			case "yourself", "yourselves":
				if clause[k-1].lower == "to" {
					return k + 1
				}
			case "between":
				if k+1 < len(clause) && (clause[k+1].lower == "us" || clause[k+1].lower == "you" || clause[k+1].lower == "ourselves") {
					return k + 2
				}
			case "private", "confidential", "hush":
				if k == len(clause)-1 {
					return k + 1
				}
			}
		}
	}
	return 0
}

// rather reads "would rather Bo didn't know": it returns the token behind it, 0
// if it isn't there. Who would rather not know something wants no secret kept.
func rather(clause []token) int {
	for i, t := range clause {
		if t.lower != "rather" {
			continue
		}
		for k := i + 2; k+1 < len(clause) && k <= i+6; k++ {
			if w := clause[k].lower; w != "didn't" && w != "didnt" && w != "not" && w != "doesn't" && w != "never" {
				continue
			}
			switch clause[k+1].lower {
			case "know", "knew", "hear", "heard", "find", "learn", "told":
				return k + 2
			}
		}
	}
	return 0
}

// complement returns where in a clause about access the thing begins that it is
// about, at or behind token from; 0 if it names none.
func (v *voice) complement(clause []token, from int) int {
	for k := from; k < len(clause) && k <= from+5; k++ {
		before := clause[k-1].lower
		if questionWords[before] || prepositions[before] || before == "or" || before == "and" || before == "than" || before == "if" {
			if before != "that" {
				continue
			}
		}
		base, tail := splitContraction(clause[k].lower)
		switch base {
		case "i", "we":
			if tail != "" || k+1 < len(clause) && isWord(clause[k+1].lower) {
				return k
			}
		case "my", "our":
			if k+2 < len(clause) && (verbLike(clause[k+2].lower) || before == "that") {
				return k
			}
		default:
			if before == "that" && v.beginsClause(clause, k) {
				return k
			}
		}
	}
	return 0
}

var (
	accessBreaks = words(", ; : - – —")
	wouldDo      = words("will would can could might may must won't wouldn't can't couldn't shall should")
	// accessOpenings begin a clause about access behind "and", "but" and "so".
	accessOpenings = words("only nobody noone no dont don't not never just between")
	// asksAbout may follow "if Bo asks" where that means: about what is secret.
	asksAbout = words("about tell say why where what how when anything then i i'm im you we it it's")

	accessWords = words(`know knows tell telling told word secret between mention mentions mentioning hear hears quiet anyone anybody nobody noone yourself say says saying
		breathe whisper promise swear spread leak share sharing discreet confidential private show find stays mum's mum vault asks wonders rather keep keeping told lips else aware stops nothing sealed repeat pass soul no-one`)
)

// accessPhrases mark a clause that says who may know; each has blanks around its
// words, as aboutAccess writes a clause.
var accessPhrases = []string{
	" don't tell ", " dont tell ", " do not tell ", " never tell ", " not tell ", " won't tell ", " can't tell ", " didn't tell anyone ", " haven't told anyone ",
	" haven't told anybody ", " haven't even told ", " not telling ", " n't mention ", " don't mention ", " do not mention ", " don't say ", " won't say ", " not say a ",
	" nobody else ", " no one else ", " noone else ", " nobody knows ", " no one knows ", " nobody at ", " only you know ", " only you and ", " only one who knows ", " only one there ",
	" the only one ", " only one in the ", " the only person ", " the only ones ", " between us ", " between you and me ", " keep it quiet ", " keep this quiet ", " keep it to yourself ",
	" keep this to yourself ", " keep it between ", " keep this between ", " keep it secret ", " a secret ", " not a word ", " a word to ", " must not know ", " mustn't know ", " mustn't hear ",
	" must not hear ", " can't know ", " cannot know ", " shouldn't know ", " should not know ", " isn't to know ", " not to know ", " mustn't find out ", " can't find out ", " must not find out ",
	" don't want him to know ", " don't want her to know ", " don't want them to know ", " you can tell ", " you may tell ", " can know ", " may know ", " feel free to tell ", " tell her too ",
	" stays with you ", " stays between ", " stops with us ", " stays with ", " swear you ", " promise not ", " promise you won't ", " won't spread ", " no one hears ", " nobody hears ",
	" nothing to friends ", " for your ears ", " off the record ", " you and me only ", " just you and ", " hear of it ", " is only for ", " who knows ", " won't breathe ", " lips are sealed ",
	" mum's the word ", " mum is the word ", " only you may ", " nobody must ", " no one must ", " keep that quiet ", " keep that secret ", " keep this secret ", " keep that between ",
	" you could tell ", " you're allowed to tell ", " free to tell ", " stay between ", " don't let on ", " dont let on ", " dont mention ", " dont say ", " don't breathe ",
}
