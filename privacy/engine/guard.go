package engine

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Least lengths, in characters, at which a piece of a denied fact is attributable.
const (
	leastNumber = 3 // "84" may be anything, "840" is somebody's
	leastTerm   = 4 // letters of a stem
	leastHidden = 5 // letters of a stem in decoded or joined-up text
)

// Check implements [Guard] without a model (PROJECTION 10). A leak is a day, a
// name, a number or a content word of a denied fact that no allowed fact states
// and the question didn't bring: in the answer as it stands, reversed, in rot13,
// in base64 or hex, or spelled out. So is an answer that says yes or no, whether
// or not anything is denied: a guard that objected only when there is something
// to hide would tell that there is. It would rather withhold an answer too many.
func (o *Offline) Check(ctx context.Context, out Outgoing) ([]Leak, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var leaks []Leak
	if yesOrNo.MatchString(foldText(strings.TrimSpace(out.Answer))) {
		leaks = append(leaks, Leak{Kind: LeakYesNo, Detail: "a yes or no"})
	}
	if len(out.Denied) == 0 {
		return leaks, nil
	}
	rest, more := remainder(out)
	if !more {
		return leaks, nil // nothing but what may be told
	}
	k := newKnown(out)
	said := readAnswer(rest)
	for i := range out.Denied {
		if kind, detail := said.carries(k, &out.Denied[i]); kind != "" {
			leaks = append(leaks, Leak{Fact: out.Denied[i].ID, Kind: kind, Detail: detail})
		}
	}
	return leaks, nil
}

// yesOrNo matches an answer that is a yes or a no, or begins with one.
var yesOrNo = regexp.MustCompile(`^(?:"|'|\*|\(|\s)*(?:(?:yes|no|yep|yeah|yup|nope|nah|correct|incorrect|right|wrong|true|false|indeed|exactly|affirmative|negative|of course|sure|absolutely|definitely|certainly|ja|nein|doch|stimmt)(?:$|[\s,.!;:)*"'-])|(?:是|不是|是的|对|不对|对的|没错|没有|有|有的|嗯|没|会|不会|可以|不可以|确实)(?:$|[，,。.！!；;\s]))|^(?:👍|👎|✅|❌|\.|…|✔|✖)+$`)

// known is what gives nothing away: what allowed facts state and the question
// itself says.
type known struct {
	terms, names, numbers map[string]bool
	dates                 []string
	joined                string          // all of it, letters and digits only
	everywhere            map[string]bool // what most facts share: attributable to none
}

func newKnown(out Outgoing) *known {
	k := &known{terms: map[string]bool{}, names: map[string]bool{}, numbers: map[string]bool{}, everywhere: map[string]bool{}}
	var all strings.Builder
	learn := func(text string) {
		d := detailsOf(text)
		for _, t := range d.terms {
			k.terms[t] = true
		}
		for _, n := range d.numbers {
			k.numbers[n] = true
		}
		for _, w := range splitWords(text) {
			k.names[strings.TrimSuffix(foldText(w.text), "'s")] = true
		}
		k.dates = append(k.dates, d.dates...)
		all.WriteString(lettersOnly(text))
		all.WriteByte(' ')
	}
	learn(out.Question)
	for _, name := range out.Owner {
		learn(name)
	}
	for _, v := range voices {
		learn(v.lead)
		learn(v.deflect)
	}
	for _, s := range nobodyNamed {
		learn(s)
	}
	df := map[string]int{}
	for _, list := range [][]privacy.Record{out.Allowed, out.Denied} {
		for i := range list {
			r := &list[i]
			d := detailsOf(r.Text)
			both := append(slices.Clone(d.terms), d.names...)
			slices.Sort(both)
			for _, t := range slices.Compact(both) {
				df[t]++
			}
		}
	}
	for i := range out.Allowed {
		learn(out.Allowed[i].Text)
		learn(out.Allowed[i].Speaker)
		k.dates = append(k.dates, stampDays(out.Allowed[i])...)
	}
	for t, n := range df {
		k.everywhere[t] = n >= 3 && 2*n > len(out.Allowed)+len(out.Denied)
	}
	k.joined = all.String()
	return k
}

// answerForms is an answer in the forms in which something can hide in it.
type answerForms struct {
	plain  details
	words  map[string]bool // folded words
	hidden []string        // decoded forms, folded
	joined []string        // letters and digits only, forwards and backwards
}

func readAnswer(answer string) *answerForms {
	a := &answerForms{plain: detailsOf(answer), words: map[string]bool{}}
	for _, w := range splitWords(answer) {
		a.words[strings.TrimSuffix(foldText(w.text), "'s")] = true
	}
	a.hidden = append(a.hidden, foldText(rot13(answer)), foldText(reverse(answer)))
	for _, tok := range encodedToken.FindAllString(answer, 64) {
		for _, dec := range decodings(tok) {
			a.hidden = append(a.hidden, foldText(dec))
			a.joined = append(a.joined, lettersOnly(dec))
		}
	}
	j := lettersOnly(answer)
	a.joined = append(a.joined, j, reverse(j), lettersOnly(rot13(answer)))
	return a
}

// carries returns the detail of r that the answer carries and k doesn't cover, with
// its kind; "" where it carries none.
func (a *answerForms) carries(k *known, r *privacy.Record) (LeakKind, string) {
	d := detailsOf(r.Text)
	for _, date := range d.dates {
		if len(date) < len("01-02") || slices.ContainsFunc(k.dates, func(x string) bool { return sameDay(x, date) }) {
			continue
		}
		if slices.ContainsFunc(a.plain.dates, func(x string) bool { return sameDay(x, date) }) {
			return LeakDate, date
		}
	}
	for _, n := range d.numbers {
		if utf8.RuneCountInString(n) >= leastNumber && !k.numbers[n] {
			if slices.Contains(a.plain.numbers, n) || a.hides(n, k, leastNumber+1) {
				return LeakNumber, n
			}
		}
	}
	for _, n := range d.names {
		if k.names[n] || k.everywhere[n] {
			continue
		}
		if a.words[n] || a.hides(n, k, leastHidden) {
			return LeakName, n
		}
	}
	for _, t := range d.terms {
		if k.terms[t] || k.everywhere[t] || isNumber(t) || isMonth(t) || !hasCJK(t) && utf8.RuneCountInString(t) < leastTerm {
			continue
		}
		if slices.Contains(a.plain.terms, t) || a.hides(t, k, leastHidden) {
			return LeakWord, t
		}
	}
	return "", ""
}

// hides reports whether piece stands in a disguised form of the answer. What
// stands in known text as it runs is no disguise.
func (a *answerForms) hides(piece string, k *known, least int) bool {
	p := lettersOnly(piece)
	if hasCJK(p) {
		least = 2
	}
	if utf8.RuneCountInString(p) < least {
		return false
	}
	for _, h := range a.hidden {
		if slices.Contains(uniqueTerms(h), piece) || slices.Contains(lexical.Words(h), piece) {
			return true
		}
	}
	if strings.Contains(k.joined, p) {
		return false
	}
	return !hasCJK(p) && slices.ContainsFunc(a.joined, func(j string) bool { return strings.Contains(j, p) })
}

var encodedToken = regexp.MustCompile(`[A-Za-z0-9+/_=-]{8,}`)

// decodings returns what tok may encode: base64 in its alphabets, or hex.
func decodings(tok string) []string {
	var out []string
	bare := strings.TrimRight(tok, "=")
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := enc.DecodeString(bare); err == nil && utf8.Valid(b) {
			out = append(out, string(b))
		}
	}
	if b, err := hex.DecodeString(bare); err == nil && utf8.Valid(b) {
		out = append(out, string(b))
	}
	return out
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func reverse(s string) string {
	rs := []rune(s)
	slices.Reverse(rs)
	return string(rs)
}

func lettersOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, foldText(s))
}

func isNumber(t string) bool { return t != "" && t[0] >= '0' && t[0] <= '9' }
