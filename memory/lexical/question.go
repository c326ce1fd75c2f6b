package lexical

import (
	"slices"
	"strings"
	"unicode"
)

// Cue is what a text shows of itself beside its words. Cues may be joined.
type Cue uint8

// The cues.
const (
	TellsTime   Cue = 1 << iota // it names a time
	TellsNumber                 // it names a number
	Asks                        // it ends with a question
	TellsName                   // it calls something by its name
)

// Question is a question prepared for a [Corpus].
type Question struct {
	Text    string
	Terms   []string // as [IndexTerms] gives them, in every language
	When    bool     // it asks when
	HowMany bool     // it asks for a number
	Called  bool     // it asks for a name: who, where, which, what book
	Days    []Days   // the times that it names
	People  []Person
}

// Person is somebody whom a question may name: every name that they go by.
type Person struct{ Names []string }

// ReadQuestion prepares a question in English, Chinese or German; what it can't
// read in another language it leaves to the words.
func ReadQuestion(text string) Question {
	q := Question{Text: text, Terms: questionTerms(text)}
	words := Words(text)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case w == "when" || w == "wann":
			q.When = true
		case (w == "what" || w == "which" || strings.HasPrefix(w, "welch")) && calendarWords[next]:
			q.When = true
		case w == "how" && next == "long", w == "wie" && next == "lange":
			q.When, q.HowMany = true, true
		case w == "how" && (next == "many" || next == "much" || next == "often" || next == "old"), w == "wie" && (next == "viel" || next == "viele" || next == "oft" || next == "alt"):
			q.HowMany = true
		}
	}
	q.Called = asksName(words)
	folded := fold(text)
	q.Called = q.Called || containsAny(folded, "谁", "誰", "哪里", "哪裡", "哪儿", "哪个", "哪個", "哪家", "哪本", "哪部", "叫什么", "叫什麼", "名字")
	q.When = q.When || containsAny(folded, "什么时候", "什麼時候", "何时", "何時", "哪天", "哪一天", "哪年", "哪一年", "几月", "几号", "几点", "多久", "啥时候")
	q.HowMany = q.HowMany || containsAny(folded, "多少", "几个", "几次", "多久", "几岁", "多大")
	return q
}

// asksName reports whether a question in English or German asks for something that
// goes by a name.
func asksName(words []string) bool {
	for i, w := range words {
		switch {
		case nameWords[w]:
			return true
		case w == "wie" && i+1 < len(words) && (strings.HasPrefix(words[i+1], "heis") || strings.HasPrefix(words[i+1], "hies")): // ß folds to one s
			return true
		case i == 0 && (openerWords[w] || strings.HasPrefix(w, "welch")):
			return true
		case w == "what" || w == "which" || strings.HasPrefix(w, "welch"):
			for _, next := range words[i+1 : min(i+3, len(words))] {
				if namedThings[strings.TrimSuffix(next, "s")] {
					return true
				}
			}
		}
	}
	return false
}

// openerWords open a question for a name, nameWords make one of it anywhere, and
// namedThings do after "what".
var (
	openerWords = set("who whom whose where which wer wem wen wessen wo wohin woher")
	nameWords   = set("name names named called titled genannt")
	namedThings = set(`
book novel magazine newspaper movie film show serie play song album band singer musician artist author writer podcast game app website
city town village country state place region island river mountain lake beach park street museum theater theatre restaurant cafe bar hotel shop store
company firm brand airline team club school university college hospital clinic church festival event concert language breed pet dog cat
buch roman film lied spiel stadt ort land firma schule verein
`)
)

// calendarWords follow "what" or "which" in a question for a time.
var calendarWords = set("year years month months day days date dates time week weekend season jahr jahre monat tag datum woche wochenende")

func containsAny(s string, pieces ...string) bool {
	return slices.ContainsFunc(pieces, func(p string) bool { return strings.Contains(s, p) })
}

// CuesOf returns the cues of a text.
func CuesOf(text string) Cue {
	var out Cue
	end := text
	if strings.HasSuffix(end, "]") { // a description of something attached
		end = end[:max(strings.LastIndexByte(end, '['), 0)]
	}
	end = strings.TrimRightFunc(end, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.So, r) || strings.ContainsRune("\"”’」』)）]", r)
	})
	if strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") {
		out |= Asks
	}
	if callsByName(text) {
		out |= TellsName
	}
	scan(text, func(word string, cjk bool) {
		switch {
		case cjk:
			if containsAny(word, chineseTimes...) {
				out |= TellsTime
			}
			if strings.ContainsAny(word, "一二三四五六七八九十百千万两") {
				out |= TellsNumber
			}
		case timeWords[word]:
			out |= TellsTime
		case numberWords[word]:
			out |= TellsNumber
		case word[0] >= '0' && word[0] <= '9':
			out |= TellsNumber
			if len(word) == 4 && (strings.HasPrefix(word, "19") || strings.HasPrefix(word, "20")) {
				out |= TellsTime
			}
		}
	})
	return out
}

// timeWords name a time in English or German (folded).
var timeWords = set(`
yesterday today tonight tomorrow ago last next recently week weeks weekend weekends month months year years
morning afternoon evening night noon midnight day days hour hours minute minutes spring summer autumn fall winter
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun
christmas easter thanksgiving halloween birthday anniversary since until
gestern heute morgen vorgestern ubermorgen woche wochen wochenende monat monate monaten jahr jahre jahren
januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
fruhling sommer herbst weihnachten ostern letzte letzten letztes letzter nachste nachsten nachstes seit
`)

var numberWords = set(`
one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million dozen
couple several twice once first second third
eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert tausend einmal zweimal
`)

var chineseTimes = []string{
	"昨", "今天", "明天", "后天", "前天", "上周", "下周", "本周", "这周", "上个月", "下个月", "星期", "周末", "去年", "今年", "明年",
	"月", "年", "点", "早上", "晚上", "下午", "上午", "中午", "春", "夏", "秋", "冬", "生日",
}
