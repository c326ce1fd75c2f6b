package memory

import "strings"

// statementPart returns the part of a sentence that states something: nothing
// of a question, what comes before it in "I'm pregnant, can you believe it?".
func statementPart(toks []token) []token {
	if len(toks) == 0 {
		return nil
	}
	asks := toks[len(toks)-1].lower == "?"
	for i, t := range toks { // what follows "please" or ", why would he" isn't stated
		if i > 0 && (t.lower == "please" || toks[i-1].lower == "," && ordersObject(toks[i:]) || toks[i-1].lower == "," && i+1 < len(toks) && (t.lower == "why" || inverting[t.lower] && subjectWords[toks[i+1].lower])) {
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
	if ordersObject(toks) {
		return true
	}
	if !commands[w] || len(toks) == 1 {
		return false
	}
	// "tell Desh" orders, "call was good" and "Mark said" don't.
	next := toks[1].lower
	return !beForms[next] && next != "," && !irregularPast[next]
}

// ordersObject reports whether a clause orders something for the speaker: "give
// me a minute", "remind us".
func ordersObject(toks []token) bool {
	if len(toks) < 2 || toks[1].lower != "me" && toks[1].lower != "us" {
		return false
	}
	w := toks[0].lower
	if interjections[w] || prepositions[w] && w != "like" || irregularPast[w] || sameInPast[w] && w != "let" || questionWords[w] {
		return false
	}
	_, verb := agree(w, false)
	return verb
}

// courtesies follow "you're" and say nothing.
var courtesies = words("welcome joking kidding right sweet kind funny lovely sure wrong amazing brilliant impossible on")
