package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// holding is a state of which a person has one at a time, and what it is: that she lives in
// Ghent. "moved to Ghent in March" and "lives in Ghent now" are one state.
type holding struct {
	slot  int      // of slots
	value []string // the words that name it, sorted
}

// differs reports whether s and e can't both be so.
func (s holding) differs(e holding) bool {
	if s.slot != e.slot {
		return false
	}
	if len(s.value) == 0 || len(e.value) == 0 {
		return true // one of them can't be read, and the later one counts
	}
	return !slices.ContainsFunc(s.value, func(w string) bool { return slices.Contains(e.value, w) })
}

// slots are what a person has one of at a time. What names it is the first group
// that matched.
var slots = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:lives?|living|resides?|wohnt|wohne|lebt|lebe) (?:now |jetzt |currently |back )?(?:in|at|near|bei)\b([^.!?;:]*)` +
		`|\b(?:moved|relocated|relocates) (?:back )?(?:from [^.!?;:,]{1,40}? )?(?:in)?to\b([^.!?;:]*)|\bsettled in\b([^.!?;:]*)` +
		`|\bnach ([^.!?;:,]{1,40}?) (?:um)?gezogen\b|\b(?:zog|zieht) (?:von [^.!?;:,]{1,40}? )?nach ([^.!?;:,]*)` +
		`|(?:住在|搬到|搬去|搬家到|搬回)([^，。！？；]*)`),
	regexp.MustCompile(`\b(?:works?|working|arbeitet|arbeite) (?:now |jetzt |currently )?(?:at|for|bei)\b([^.!?;:]*)|在([^，。]{1,12}?)(?:工作|上班)`),
	regexp.MustCompile(`\b(?:works?|working|arbeitet|arbeite) (?:now |jetzt |currently )?(?:as|als)\b([^.!?;:]*)`),
}

// notSo are words by which a state isn't one of now.
var notSo = regexp.MustCompile(`\b(?:used to|no longer|formerly|once|never|not|(?:does|do|did|has|is|was)n't|would|could|might|if|früher|damals|nicht|kein)\b|以前|曾|不再|没`)

func readHolding(said cued) (holding, bool) {
	folded := said.text
	for i, slot := range slots {
		if !said.may(slot) {
			continue
		}
		all := slot.FindAllStringSubmatchIndex(folded, -1)
		for n := len(all) - 1; n >= 0; n-- { // the last one is where it came to
			m := all[n]
			// What the clause says before: "used to", "plans to".
			before := folded[:m[0]]
			before = before[strings.LastIndexAny(before, ".,;:!?，。；")+1:]
			if notSo.MatchString(before) || planning.MatchString(before) {
				continue
			}
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					return holding{i, nameOf(folded[m[g]:m[g+1]])}, true
				}
			}
		}
	}
	return holding{slot: -1}, false
}

// nameOf are the words by which a state is told from another.
func nameOf(text string) []string {
	var out []string
	if hasCJK(text) {
		for _, r := range text {
			if unicode.Is(unicode.Han, r) && !strings.ContainsRune(emptyHan, r) {
				out = append(out, string(r))
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	text, _, _ = strings.Cut(text, ",")
	var kept []string
	for w := range strings.FieldsSeq(text) {
		if behindName[w] && len(kept) > 0 {
			break
		}
		if !besideName[w] && !strings.ContainsAny(w, "0123456789") {
			kept = append(kept, w)
		}
	}
	return slices.DeleteFunc(uniqueTerms(strings.Join(kept, " ")), func(term string) bool { return besideName[term] })
}

const namesOfMonths = " january february march april may june july august september october november december januar februar märz mai juni juli oktober dezember "

var (
	// behindName are words with which something else begins.
	behindName = set("with since now and but because for from until till when after before again last this next as while who which mit seit jetzt und aber weil von bis wieder als so on" + namesOfMonths)
	// besideName are words that several places and jobs share.
	besideName = set("in at the a an my his her our their near to flat house apartment room street city town village old new small big little part place country home der die das dem den ein eine einer einem wohnung haus zimmer stadt jetzt now im am" + namesOfMonths)
)

// emptyHan are characters that name no thing by themselves.
const emptyHan = "的了在和我她他它们你是有个一不就也又都还要想会能把被给对从到去来上下里着过吗呢吧啊已经再现这那很"

// pastOf leads from a past form to its verb where that isn't made by an ending.
var pastOf = map[string]string{
	"bought": "buy", "sold": "sell", "went": "go", "gone": "go", "got": "get", "took": "take", "taken": "take", "flew": "fly", "ran": "run", "wrote": "write", "written": "write",
	"met": "meet", "saw": "see", "seen": "see", "left": "leave", "built": "build", "found": "find", "paid": "pay", "made": "make", "drove": "drive", "swam": "swim", "began": "begin",
	"gave": "give", "given": "give", "told": "tell", "taught": "teach", "brought": "bring", "sent": "send", "spent": "spend", "rode": "ride", "sang": "sing", "won": "win", "lent": "lend",
	"kept": "keep", "held": "hold", "chose": "choose", "ate": "eat", "drank": "drink", "hired": "hire", "had": "have", "done": "do", "did": "do", "became": "become", "wed": "marry",
}

// verbBase is a term as its verb's base, as far as English and German forms tell.
func verbBase(term string) string {
	if base, ok := pastOf[term]; ok {
		return base
	}
	if bare, ok := strings.CutPrefix(term, "ge"); ok && len(bare) > 4 && (strings.HasSuffix(bare, "t") || strings.HasSuffix(bare, "en")) {
		term = bare
	}
	for _, end := range []string{"en", "t"} {
		if bare, ok := strings.CutSuffix(term, end); ok && len(bare) > 3 {
			return bare
		}
	}
	return term
}

// things are what a statement speaks of: its words without those of skip, in Chinese
// its characters.
func things(text string, terms []string, skip map[string]bool, skipHan string) []string {
	var out []string
	if hasCJK(text) {
		for _, r := range text {
			if unicode.Is(unicode.Han, r) && !strings.ContainsRune(emptyHan, r) && !strings.ContainsRune(skipHan, r) {
				out = append(out, string(r))
			}
		}
		return out
	}
	for _, t := range terms {
		if base := verbBase(t); !skip[t] && !skip[base] && !strings.ContainsAny(t, "0123456789") {
			out = append(out, base)
		}
	}
	return out
}

// holdsAll reports whether all things, one at least beside those of nobody, are in
// others.
func holdsAll(others, things []string, nobody []string) bool {
	n := 0
	for _, t := range things {
		if slices.Contains(nobody, t) {
			continue
		}
		n++
		if !slices.Contains(others, t) {
			return false
		}
	}
	return n > 0
}

// doingClauses splits a statement where another doing may begin; a clause without a word
// of beginning or ending goes on with the one before it: "stopped smoking and
// drinking, and started to run".
func doingClauses(folded string) []string {
	var out []string
	start := 0
	add := func(end int) {
		clause := folded[start:end]
		start = end
		if len(out) > 0 && !ending.MatchString(clause) && !leaving.MatchString(clause) && !beginning.MatchString(clause) {
			out[len(out)-1] += clause
			return
		}
		out = append(out, clause)
	}
	for _, m := range clauseBreak.FindAllStringIndex(folded, -1) {
		add(m[0])
	}
	add(len(folded))
	return out
}

var (
	clauseBreak = regexp.MustCompile(`[,;，；。]| (?:and|but|und|aber|then|while) |而|但`)
	beginning   = regexp.MustCompile(`\b(?:started|starts|began|begins|took up|takes up|joined|joins|rejoined|signed up|resumed|went back to|angefangen|begonnen|beigetreten|eingetreten)\b|开始|加入|参加`)
	leaving     = regexp.MustCompile(`\b(?:left|leaves|resigned|dropped out|withdrew|quit|quits|ausgetreten|verlassen)\b|退出|离开|退了`)
	belonging   = regexp.MustCompile(`\b(?:joined|joins|rejoined|member|signed up|enrolled|works?|plays?|sings?|belongs?|started|studies|beigetreten|mitglied|spielt|singt|arbeitet|studiert)\b|加入|参加|会员|成员`)
	// pastDoing are forms of what was done. "-ed" is nearly always one, in a statement.
	pastDoing = regexp.MustCompile(`\b(?:bought|sold|went|got|took|flew|ran|wrote|met|saw|built|found|paid|made|drove|swam|gave|told|taught|brought|sent|rode|sang|won|lent|chose|did|had|[a-z]{2,}ed|ge[a-zäöüß]{2,}(?:t|en)|[a-zäöü]*(?:kauft|macht|sucht))\b|了`)
	undone    = regexp.MustCompile(`\b(?:not|never|n't|(?:did|has|have|had|was|is)n't|yet|almost|nearly|nicht|kein|keine|keinen|noch|fast)\b|没|还`)
)
