package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tense says on which side of the day of the talk the time in a clause lies.
type tense int

const (
	tenseUnclear tense = iota // no verb tells: the nearest such time, on a tie the one ahead
	tensePresent              // a plain present: ahead, save that the last thirty days count as well
	tensePast                 // the last such time
	tenseFuture               // planned or still to come: the next such time
)

// tenseAt returns the tense of the time expression in toks[i:j]. The nearest verb
// before it in its clause tells, else the next one behind it; those of other
// clauses don't: "I got a place, 9 November" is a day ahead. The time of what was arranged lies ahead too, though the
// arranging is past: "offered me the job from 1 January", "moved it to 4 May".
func tenseAt(toks []token, i, j int) tense {
	bound, k := "", i-1
	if k >= 0 && toks[k].lower == "the" {
		k--
	}
	if i < len(toks) && timeBinders[toks[i].lower] {
		bound = toks[i].lower
	} else if k >= 0 && timeBinders[toks[k].lower] {
		bound = toks[k].lower
		k--
	}
	if bound == "since" {
		return tensePast
	}
	if k >= 0 && (present[toks[k].lower] || pronouns[strings.TrimSuffix(toks[k].lower, "'s")] && strings.HasSuffix(toks[k].lower, "'s")) {
		return tenseFuture // "the wedding is on 4 June"
	}
	start := clauseStart(toks, k+1)
	found := lastTense(toks, start, i)
	if found == tensePast {
		switch bound {
		case "from", "by", "until", "till", "for", "to":
			if anyOf(toks[start:i], arrangements) {
				return tenseFuture
			}
		default:
			if anyOf(toks[start:i], bookings) {
				return tenseUnclear // "booked the hall on 5 June": the booking or its day
			}
		}
		return tensePast
	}
	if found == tenseUnclear {
		found = firstTense(toks, j, clauseEnd(toks, j))
	}
	if found != tensePast || anyOf(toks[:i], arrangements) {
		switch bound {
		case "from", "by", "until", "till":
			return tenseFuture
		}
	}
	return found
}

// pastDay reports whether a day without a month lies behind: so near, the verbs of
// other clauses tell as well.
func pastDay(toks []token, i, j int) bool {
	t := tenseAt(toks, i, j)
	if t == tenseUnclear {
		t = lastTense(toks, 0, clauseStart(toks, i))
	}
	if t == tenseUnclear {
		t = firstTense(toks, j, len(toks))
	}
	return t == tensePast
}

// clauseStart and clauseEnd bound the clause around a token.
func clauseStart(toks []token, i int) int {
	for k := i - 1; k >= 0; k-- {
		if clauseBreak[toks[k].lower] {
			return k + 1
		}
	}
	return 0
}

func clauseEnd(toks []token, j int) int {
	for ; j < len(toks); j++ {
		if clauseBreak[toks[j].lower] {
			break
		}
	}
	return j
}

// firstTense returns the tense of the first telling verb of toks[from:to].
func firstTense(toks []token, from, to int) tense {
	for k := from; k < to; k++ {
		if t := tokenTense(toks, k); t != tenseUnclear {
			return t
		}
	}
	return tenseUnclear
}

// lastTense returns the tense of the last telling verb of toks[from:to]. Of a
// chain of verbs the finite one in front tells: "was going to meet" is past.
func lastTense(toks []token, from, to int) tense {
	found := tenseUnclear
	for k := to - 1; k >= from; k-- {
		t := tokenTense(toks, k)
		if t == tenseUnclear {
			continue
		}
		if found == tenseUnclear || t == tensePast {
			found = t
		}
		if k == from || !chained(toks, k) {
			break
		}
	}
	return found
}

// chained reports whether the word at k belongs to a verb in front of it.
func chained(toks []token, k int) bool {
	w := toks[k-1].lower
	return w == "to" || softFuture[w] || auxiliaries[w] || adverbs[w] || strings.Contains(w, "'")
}

// tokenTense reads one word as a verb: what side it points to, if any.
func tokenTense(toks []token, k int) tense {
	w := toks[k].lower
	before := ""
	if k > 0 {
		before = toks[k-1].lower
		for n := k - 1; n > 0 && adverbs[before]; n-- {
			before = toks[n-1].lower
		}
	}
	isParticiple := participleAfter[before] || strings.Contains(before, "'") // "are married", "it's moved"
	base, tail := splitContraction(w)
	if tail == "'s" && !pronouns[base] {
		tail = "" // "Bo's"
	}
	switch {
	case pastForms[w]:
		return tensePast
	case futureForms[w], tail == "'ll", tail == "'d" && (k+1 >= len(toks) || !participles[toks[k+1].lower] && !strings.HasSuffix(toks[k+1].lower, "ed")):
		return tenseFuture
	case (w == "have" || w == "has" || w == "having" || tail == "'ve") && k+1 < len(toks):
		if toks[k+1].lower == "to" {
			return tenseFuture
		}
		for n := k + 1; n < len(toks) && n < k+4; n++ {
			next := toks[n].lower
			if participles[next] || irregularPast[next] || pastForms[next] || sameInPast[next] || strings.HasSuffix(next, "ed") && !baseInEd[next] {
				return tensePast
			}
			if !adverbs[next] {
				break
			}
		}
		return tensePresent
	case present[w], tail == "'m", tail == "'re", tail == "'s", tail == "m", tail == "re":
		// "is coming" plans, "is at home" is.
		for n := k + 1; n < len(toks) && n < k+4; n++ {
			next := toks[n].lower
			if gerund(next) || next == "due" || next == "to" || next == "scheduled" || next == "planned" || next == "booked" {
				return tenseFuture
			}
			if !adverbs[next] {
				break
			}
		}
		return tensePresent
	case irregularPast[w] && !isParticiple && !articles[before]:
		return tensePast
	case sameInPast[w] && (before == "i" || before == "we"):
		return tensePast
	case strings.HasSuffix(w, "ed") && len(w) > 4 && !baseInEd[w] && !isParticiple && !articles[before]:
		return tensePast
	case k > 0 && (before == "i" || before == "we" || before == "they" || before == "you") && conjugates(w):
		return tensePresent
	case k > 0 && presentVerbs[w] && (pronouns[before] || isCapital(toks[k-1]) && !strings.Contains(before, "'")):
		return tensePresent
	case k > 0 && strings.HasSuffix(w, "s") && len(w) > 3 && presentVerbs[strings.TrimSuffix(w, "s")] && !articles[before]:
		return tensePresent
	case startVerbs[w]:
		return tenseFuture
	}
	return tenseUnclear
}

// conjugates reports whether a word right after a subject is a verb in its base form.
func conjugates(w string) bool {
	_, ok := agree(w, false)
	return ok
}

func anyOf(toks []token, set map[string]bool) bool {
	for _, t := range toks {
		if set[t.lower] {
			return true
		}
	}
	return false
}

func isCapital(t token) bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.IsUpper(r)
}

var (
	timeBinders = words("on in at by until till from since for to around about before after")
	clauseBreak = words(", ; : – — ( ) and but so because that which who when if while although though where until then or")
	present     = words("am is are isn't aren't im")
	pastForms   = words("was were wasn't weren't had hadn't did didn't ago used been")
	// futureForms are verbs that point ahead, in whatever form.
	futureForms = words(`will won't shall gonna tomorrow must may might should would could can can't cannot want wants plan plans planning hope hopes hoping
		intend intends need needs due expect expects aim aims going wanna gotta upcoming let's`)
	softFuture      = words("would could should might must can need needs to be been going planning hoping will")
	auxiliaries     = words("am is are was were have has had be been being will would get getting wasn't weren't didn't did do does hadn't")
	participleAfter = words("am is are be get getting gets isn't aren't im to will would being become becomes")
	startVerbs      = words("starts begins opens ends finishes leaves arrives closes launches happens takes expires returns resumes")
	// arrangements are deeds whose object has a time of its own; of bookings even
	// "on" may be the object's.
	arrangements = words(`booked reserved scheduled postponed arranged planned offered promised agreed signed registered enrolled invited moved rescheduled
		pushed delayed set fixed ordered applied appointed announced hired accepted bought got pencilled extended shifted`)
	bookings = words("booked reserved scheduled rescheduled planned pencilled arranged")
	pronouns = words("i we you they he she it that this there what who everybody everyone everything nobody somebody someone anyone anybody u")
)
