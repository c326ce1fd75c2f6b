package ingest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LINE on computers writes "21:05 Ana Lima I am here": where the name ends isn't
// marked. It is settled over the file: by who is known (the file's name, the header,
// the owner and those whom the owner knows), by what stands for a picture or a message
// taken back, which has nothing but the name before it, and by what all rows of one
// speaker begin with and no other's rows do.

// lineSpaced is a row with blanks.
var lineSpaced = lazily(`^((?:上午|下午|午前|午後|오전|오후)?\s?\d{1,2}:\d\d(?:\s?[AaPp][Mm])?)[ \x{3000}]+(\S.*)$`)

// lineNames learns who speaks in rows with blanks, by the first word of the name.
type lineNames struct {
	rows, odd int // rows; of these, at a minute that isn't a round one
	by        map[string]*lineName
	words     int      // that are held
	known     []string // names that are given
	settled   map[string][][]string
	unsure    int // line of the first name whose end isn't sure, 0 none
}

// lineName is what rows begin with, and what stands behind it.
type lineName struct {
	rows  int
	first int // line of the first
	next  map[string]*lineName
	bound bool // something has shown that this is the whole name
}

const (
	maxNameWords = 3
	maxLineWords = 20_000
)

// at is the name that goes on with a word.
func (l *lineNames) at(n *lineName, word string, line int) *lineName {
	next := n.next[word]
	if next == nil {
		if l.words++; l.words > maxLineWords {
			return nil
		}
		if n.next == nil {
			n.next = map[string]*lineName{}
		}
		next = &lineName{first: line}
		n.next[strings.Clone(word)] = next
	}
	return next
}

// see takes a line.
func (l *lineNames) see(number int, line string) {
	m := lineSpaced.FindStringSubmatch(line)
	if m == nil {
		return
	}
	c, ok := cutLineClock(m[1])
	words := strings.Fields(m[2])
	if !ok || len(words) < 2 {
		return
	}
	l.rows++
	if c.m%5 != 0 {
		l.odd++
	}
	if l.by == nil {
		l.by = map[string]*lineName{}
	}
	n := l.by[words[0]]
	if n == nil {
		if len(l.by) >= maxSpeakers {
			return
		}
		n = &lineName{first: number}
		l.by[strings.Clone(words[0])] = n
	}
	n.rows++
	if name := lineTakenBack.ReplaceAllString(words[1], ""); len(words) == 2 && name != words[1] && name != "" {
		if n = l.at(n, name, number); n != nil {
			n.rows++
		}
		return
	}
	shown := nameBefore(words)
	if shown == 1 {
		n.bound = true
	}
	for i, word := range words[1:max(min(len(words)-1, maxNameWords), shown)] {
		if n = l.at(n, strings.TrimSuffix(word, takenBackBy(shown == i+2, word)), number); n == nil {
			return
		}
		n.rows++
		if i+2 == shown {
			n.bound = n.bound || lineWord(word) > commonWord
			return
		}
	}
}

// takenBackBy is the particle that a notice puts behind a name.
func takenBackBy(last bool, word string) string {
	if i := strings.Index(word, "がメッセージの送信を"); last && i > 0 {
		return word[i:]
	}
	return ""
}

// nameBefore is how many words stand before what stands for a picture or a message
// taken back, 0 where nothing does.
func nameBefore(words []string) int {
	for i := 1; i < len(words) && i <= maxNameWords; i++ {
		rest := strings.Join(words[i:], " ")
		if _, bare := lineBare(rest); bare || strings.HasPrefix(rest, "[") && lineMedia.MatchString(rest) || rest == "unsent a message." || rest == "unsent a message" {
			return i
		}
	}
	for i, word := range words[:min(len(words), maxNameWords)] {
		if takenBackBy(true, word) != "" {
			return i + 1
		}
	}
	return 0
}

// lineBare reads what LINE on computers writes in place of something attached: the
// word alone.
func lineBare(text string) (kind string, ok bool) {
	if text == "" || text[0] >= 'a' && text[0] <= 'z' {
		return "", false
	}
	kind, ok = lineTypes[strings.ToLower(text)]
	if !ok && lineFiles[strings.ToLower(text)] {
		return "document", true
	}
	return kind, ok
}

func isBare(text string) bool {
	_, ok := lineBare(text)
	return ok
}

// lineFiles are words for what is attached that aren't in lineTypes.
var lineFiles = wordSet("ファイル file files ノート note notes 檔案 文件 記事本 파일 노트 ไฟล์")

// certain reports whether the rows are a chat's: few speak, again and again, at any
// minute. An agenda has round times and each line begins otherwise.
func (l *lineNames) certain() bool {
	again := 0
	for _, n := range l.by {
		if n.rows > 1 {
			again++
		}
	}
	return l.rows >= 3 && l.odd > 0 && again > 0 && len(l.by)*3 <= l.rows*2
}

// What a word behind a first name can be, from the least to the most like a name.
const (
	noName     = iota
	commonWord // one that many sentences begin with
	nameWord   // written like a name
	hanWord    // in a script whose sentences have no blanks, short
)

// lineStarters begin sentences, and no surname.
var lineStarters = wordSet(`i i'm i'll i've i'd im you you're we we're he she it it's its they the a an this that these those there here
	what when where who why how which is are was were do does did can could will would shall should may have has had not no yes yeah yep ok okay oh ah hi hey hello
	thanks thank please sorry well so and but or if then as at in on for from to with my your our his her let's lets just maybe good great nice sure see call come go got
	ich du wir er sie es das der die ein eine was wann wo wer wie ja nein je tu nous vous il elle ce le la les un une oui non yo tú el los las sí eu você o os sim não
	나는 나 저는 저 내가 제가 우리 우리는 오늘 오늘은 내일 어제 그 이 안녕 안녕하세요 네 넵 아니 아니요 지금 그럼 그래 아 음 응 너 너는
	今日 明日 昨日 今 私 僕 俺 はい うん いや うーん ありがとう こんにちは おはよう こんばんは 今天 明天 昨天 我 你 我们 你好 好 好的 嗯`)

// lineWord says what a word can be.
func lineWord(word string) int {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case strings.ContainsAny(word, "?!,;:。？！、，…"):
		return noName
	case lineStarters[strings.ToLower(strings.ReplaceAll(word, "’", "'"))]:
		return commonWord
	case unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana):
		if utf8.RuneCountInString(word) > 6 {
			return noName
		}
		return hanWord
	case unicode.IsUpper(first), unicode.Is(unicode.So, first), unicode.Is(unicode.Hangul, first) && utf8.RuneCountInString(word) <= 4:
		return nameWord
	}
	return noName
}

// settle decides how long each name is.
func (l *lineNames) settle() *lineNames {
	l.settled = map[string][][]string{}
	begins := map[string]int{} // speakers by a word that stands behind the first of the name
	for _, n := range l.by {
		for word := range n.next {
			begins[word]++
		}
	}
	for first, n := range l.by {
		l.settled[first] = l.name(first, n, begins)
	}
	for _, name := range l.known {
		words := strings.Fields(name)
		if len(words) > 0 && !slices.ContainsFunc(l.settled[words[0]], func(have []string) bool { return slices.Equal(have, words) }) {
			l.settled[words[0]] = append(l.settled[words[0]], words)
		}
	}
	for _, names := range l.settled {
		slices.SortFunc(names, func(a, b []string) int { return len(b) - len(a) })
	}
	l.by = nil
	return l
}

// name is what the rows that begin with a first word are said by.
func (l *lineNames) name(first string, n *lineName, begins map[string]int) [][]string {
	var shown [][]string
	var walk func(n *lineName, words []string)
	walk = func(n *lineName, words []string) {
		if n.bound {
			shown = append(shown, slices.Clone(words))
			return
		}
		for _, word := range sortedKeys(n.next) {
			walk(n.next[word], append(words, word))
		}
	}
	if walk(n, []string{first}); len(shown) > 0 {
		return shown
	}
	given := map[string]bool{} // what names that are known go on with
	for _, name := range l.known {
		if words := strings.Fields(name); len(words) > 1 && words[0] == first && n.next[words[1]] != nil {
			given[words[1]] = true
		} else if name == first {
			return [][]string{{first}}
		}
	}
	rest := n.without(given)
	if rest.rows == 0 {
		return nil
	}
	// Two of one first name, each more than once; one beside a name that is known.
	if names := rest.apart(first, begins); len(names) > 1 || len(names) == 1 && len(given) > 0 {
		if lineWord(names[0][1]) != hanWord {
			l.doubt(n)
		}
		return names
	}
	words := []string{first}
	for at := n; len(words) < maxNameWords; {
		word, next := at.only()
		if next == nil {
			break
		}
		if nameParticles[word] && len(words)+1 < maxNameWords {
			if surname, last := next.only(); last != nil && last.rows == n.rows && n.rows > 1 && lineWord(surname) == nameWord {
				words, at = append(words, word, surname), last
				continue
			}
		}
		kind := lineWord(word)
		switch {
		case next.rows < n.rows || kind < nameWord:
			if n.rows == 1 || next.rows < n.rows {
				return [][]string{words}
			}
		case begins[word] > 1 && len(words) == 1: // both speakers' lines have it
			if n.rows > 1 && kind == nameWord {
				l.doubt(n)
			}
			return [][]string{words}
		case n.rows == 1:
			l.doubt(n)
			return [][]string{words}
		case len(words) > 1 && n.rows < 3:
			return [][]string{words}
		default:
			if n.rows == 2 && kind == nameWord {
				l.doubt(n)
			}
			words, at = append(words, word), next
			continue
		}
		break
	}
	return [][]string{words}
}

// without is n without the rows of names that go on with one of words.
func (n *lineName) without(words map[string]bool) *lineName {
	out := &lineName{rows: n.rows, first: n.first, next: map[string]*lineName{}, bound: n.bound}
	for word, next := range n.next {
		if words[word] {
			out.rows -= next.rows
		} else {
			out.next[word] = next
		}
	}
	return out
}

// lineTakenBack is a notice behind a name without a blank.
var lineTakenBack = lazily(`(?:已收回訊息|已收回讯息)$`)

// only is the word that stands behind in all rows, nil where several do.
func (n *lineName) only() (string, *lineName) {
	if len(n.next) == 1 {
		for word, next := range n.next {
			if next.rows == n.rows {
				return word, next
			}
		}
	}
	return "", nil
}

// apart are the names of several with one first word: all rows go on with one of a few
// words that are written like a name, each twice, and that nobody else's rows have.
func (n *lineName) apart(first string, begins map[string]int) [][]string {
	var names [][]string
	rows := 0
	for _, word := range sortedKeys(n.next) {
		next := n.next[word]
		if lineWord(word) < nameWord || begins[word] > 1 || next.rows < 2 {
			return nil
		}
		rows += next.rows
		names = append(names, []string{first, word})
	}
	if rows < n.rows || len(names) > 6 {
		return nil
	}
	return names
}

func (l *lineNames) doubt(n *lineName) {
	if l.unsure == 0 || n.first < l.unsure {
		l.unsure = n.first
	}
}

// tell reports names that may end elsewhere.
func (l *lineNames) tell(b *builder) {
	if l.unsure > 0 {
		b.warn(fmt.Sprintf("speaker_unsure: blanks stand between names and words, and where some name ends isn't sure (first: line %d); keep the name that the app gave the file, or say --me", l.unsure))
	}
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// cut takes a row apart. One with nothing behind a name is a notice.
func (l *lineNames) cut(line string) (c clock, name, words string, ok bool) {
	m := lineSpaced.FindStringSubmatch(line)
	if m == nil {
		return c, "", "", false
	}
	if c, ok = cutLineClock(m[1]); !ok {
		return c, "", "", false
	}
	const blanks = " \u3000"
	first := m[2]
	if i := strings.IndexAny(first, blanks); i >= 0 {
		first = first[:i]
	}
	names, is := l.settled[first]
	if !is {
		return c, "", m[2], true
	}
	for _, parts := range names {
		rest, fits := m[2], true
		for _, word := range parts {
			if rest, fits = strings.CutPrefix(strings.TrimLeft(rest, blanks), word); !fits {
				break
			}
		}
		if fits && (rest == "" || strings.ContainsAny(rest[:1], " ") || strings.HasPrefix(rest, "\u3000") || lineUnsent(rest)) {
			return c, strings.Join(parts, " "), strings.TrimLeft(rest, blanks), true
		}
	}
	// a row of somebody else of that first name
	return c, first, strings.TrimLeft(strings.TrimPrefix(m[2], first), blanks), true
}
