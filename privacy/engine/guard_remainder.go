package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// remainder returns what an answer says beside the allowed facts as they are told,
// their days, the owner's names and the fixed words of the responder, and whether it
// says anything. An answer of those alone is never a leak, whatever is denied: a
// guard that objected to one would make a denied fact change an answer.
func remainder(out Outgoing) (string, bool) {
	var fixed []string
	add := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			fixed = append(fixed, s)
		}
	}
	for i := range out.Allowed {
		r := &out.Allowed[i]
		for _, language := range sortedKeys(voices) {
			said := statement(r, language)
			add(said)
			said, _ = cutStop(said) // where its day comes before the stop
			add(said)
			for _, day := range stampDays(*r) {
				add(dayIn(language, day))
			}
		}
		add(r.Text)
		for _, day := range stampDays(*r) {
			add(day)
		}
	}
	owners := slices.Clone(out.Owner)
	for _, language := range sortedKeys(nobodyNamed) {
		owners = append(owners, nobodyNamed[language])
	}
	for _, language := range sortedKeys(voices) {
		for _, owner := range owners {
			add(strings.Replace(voices[language].lead, "%s", owner, 1))
			add(strings.Replace(voices[language].deflect, "%s", owner, 1))
		}
	}
	for _, owner := range out.Owner {
		add(owner)
	}
	slices.SortFunc(fixed, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	rest := strings.Join(strings.Fields(out.Answer), " ")
	for _, s := range slices.Compact(fixed) {
		rest = cutWhole(rest, s)
	}
	return rest, strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// cutWhole replaces s in text by a line break wherever it stands for itself and is
// no part of a longer word.
func cutWhole(text, s string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			if b.Len() == 0 {
				return text
			}
			b.WriteString(text[from:])
			return b.String()
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(s):])
		first, _ := utf8.DecodeRuneInString(s)
		last, _ := utf8.DecodeLastRuneInString(s)
		if inWord(before, first) || inWord(last, after) {
			_, n := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[from : i+n])
			from = i + n
			continue
		}
		b.WriteString(text[from:i])
		b.WriteByte('\n')
		from = i + len(s)
	}
}

// inWord reports whether two neighbouring characters belong to one word.
func inWord(a, b rune) bool {
	is := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isCJKRune(r) }
	return is(a) && is(b)
}
