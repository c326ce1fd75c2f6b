package memory

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What was told to somebody and what is true are two facts, which different
// people may know: "I told Bo I was at the gym, but really I saw a lawyer". A
// sentence is cut where it turns from one to the other, the words that turn it
// are dropped, and the parts are never joined again.

// piece is a part of a sentence that makes statements of its own.
type piece struct {
	toks  []token
	apart bool // what it says mustn't stand in one fact with what was said before
}

// truths cuts an English sentence before each turn to what is true.
func (v *voice) truths(toks []token) []piece {
	var out []piece
	start, apart, quoted := 0, false, false
	for i := 0; i < len(toks); i++ {
		if w := toks[i].lower; w == "\"" || w == "“" || w == "”" {
			quoted = w == "“" || w == "\"" && !quoted
		}
		if quoted {
			continue
		}
		n, kept := v.turnsToTruth(toks, start, i)
		if n == 0 {
			continue
		}
		rest := toks[i+n:]
		if i > start {
			said := toks[start:i]
			for len(said) > 0 && (connectives[said[len(said)-1].lower] || turning[said[len(said)-1].lower]) {
				said = said[:len(said)-1]
			}
			out = append(out, piece{said, apart})
			if subject, _ := splitContraction(toks[start].lower); clausePronouns[subject] && subject != "there" && needsSubject(rest) {
				rest = append([]token{{text: pick(subject == "i", "I", subject), lower: subject, space: true}}, rest...)
			}
		}
		toks = rest
		start, apart, i = 0, true, -1
		if kept { // its own words don't turn again
			i = min(4, len(toks)-1)
		}
		if len(out) >= maxFactSentences {
			break
		}
	}
	if len(toks) > start {
		out = append(out, piece{toks[start:], apart})
	}
	return out
}

// turnsToTruth returns how many tokens at i turn the sentence, that began at
// start, to what is true. kept says that the clause behind keeps all its words
// ("but I was really …"), which only counts behind words of telling.
func (v *voice) turnsToTruth(toks []token, start, i int) (n int, kept bool) {
	k := i
	contrast := k < len(toks) && turning[toks[k].lower]
	if contrast {
		k++
	} else if i > start && isWord(toks[i-1].lower) {
		return 0, false
	}
	if k < len(toks) && toks[k].lower == "," {
		k++
	}
	n = truthWords(toks[k:])
	if n == 0 {
		if contrast && i > start && k < len(toks) && (v.beginsClause(toks, k) || needsSubject(toks[k:])) && anyOf(toks[start:i], telling) {
			for m := k + 1; m < len(toks) && m < k+4 && isWord(toks[m].lower); m++ {
				if w := toks[m].lower; w == "really" || w == "actually" || w == "secretly" || w == "fact" && toks[m-1].lower == "in" {
					return k - i, true
				}
			}
		}
		return 0, false
	}
	bare := toks[k].lower == "really" || toks[k].lower == "honestly"
	k += n
	if k < len(toks) && toks[k].lower == "," {
		bare = false
		k++
	}
	if k >= len(toks) || bare && !contrast && !anyOf(toks[start:i], telling) {
		return 0, false
	}
	if toks[k].lower == "that" && k+1 < len(toks) && v.beginsClause(toks, k+1) {
		k++
	}
	rest := toks[k:]
	first, _ := splitContraction(rest[0].lower)
	if v.beginsClause(toks, k) || (subjectWords[first] || isCapital(rest[0])) && hasVerb(rest) ||
		i > start && needsSubject(rest) && (contrast || anyOf(toks[start:i], telling)) {
		return k - i, false
	}
	return 0, false
}

// truthWords returns how many tokens at the start say that what follows is true.
func truthWords(toks []token) int {
	for _, p := range truthPhrases {
		if len(p) > len(toks) {
			continue
		}
		same := true
		for i, w := range p {
			same = same && toks[i].lower == w
		}
		if same {
			return len(p)
		}
	}
	return 0
}

// needsSubject reports whether a clause begins with its verb.
func needsSubject(toks []token) bool {
	w := toks[0].lower
	return len(toks) > 1 && isWord(toks[1].lower) && (beForms[w] || irregularPast[w] || presentVerbs[w] || strings.HasSuffix(w, "ed") && len(w) > 4)
}

// truthPhrases in the order in which they are tried.
var truthPhrases = phrasesOf("as a matter of fact|to tell the truth|the truth is|truth is|the fact is|in actual fact|in fact|in reality|in truth|in actuality|actually|really|honestly")

func phrasesOf(list string) [][]string {
	var out [][]string
	for p := range strings.SplitSeq(list, "|") {
		out = append(out, strings.Fields(p))
	}
	return out
}

var (
	turning = words("but when while whereas though although and yet")
	// telling are words of what somebody was or will be told.
	telling = words("tell tells told telling say says said saying pretend pretends pretended pretending claim claims claimed think thinks believe believes thought lie lied lying excuse officially")
)

// chineseTruth is how a clause turns to what is true, its subject before or not.
var chineseTruth = regexp.MustCompile(`^(?:但是|但|可是|可|不过|而|然而)?(我|我们|咱们|他|她)?(?:其实|实际上|事实上|真相是|真实情况是|真实的情况是|实情是|说实话)[：:，,]?`)

// chineseTruths writes a comma where a sentence about what somebody was told turns
// to what is true without one.
func chineseTruths(s string) string {
	for _, turn := range []string{"其实", "实际上", "事实上"} {
		i := strings.Index(s, turn)
		if i <= 0 || !strings.ContainsAny(s[:i], "说告骗讲称装") {
			continue
		}
		start := i
		for _, before := range []string{"我", "他", "她", "但", "可", "但是", "可是", "不过"} {
			if strings.HasSuffix(s[:i], before) && i-len(before) < start {
				start = i - len(before)
			}
		}
		if last, _ := utf8.DecodeLastRuneInString(s[:start]); start == 0 || strings.ContainsRune("，,。；;！!：:“”「」", last) || utf8.RuneCountInString(s[:start]) < 4 {
			continue
		}
		return s[:start] + "，" + s[start:]
	}
	return s
}

// turnChinese drops the words that turn a clause to what is true; turns says that
// there were some.
func turnChinese(p string) (rest string, turns bool) {
	m := chineseTruth.FindStringSubmatchIndex(p)
	if m == nil {
		return p, false
	}
	rest = p[m[1]:]
	if m[2] >= 0 {
		rest = p[m[2]:m[3]] + rest
	}
	return rest, true
}

// namesSpeaker reports whether a clause speaks of the speaker themself, not only
// of their kin.
func namesSpeaker(clauses []string) bool {
	return slices.ContainsFunc(clauses, func(c string) bool {
		for _, after := range strings.Split(c, "我")[1:] {
			if kin, _ := kinAfter(after); kin == "" && !strings.HasPrefix(after, "们") {
				return true
			}
		}
		return false
	})
}
