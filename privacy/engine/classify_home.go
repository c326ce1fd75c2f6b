package engine

import (
	"regexp"
	"strings"
)

// Where somebody lives is mostly said without a word that says so: "I moved to
// Ghent". Verbs of living and moving are about much else, so it takes a person who
// does it and a place.
var (
	livesIn   = regexp.MustCompile(`(?:^|[.!?,;]\s+|\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Yy]ou|and|I've|I'm|we've|we're|\p{Lu}[\p{L}'’-]+)\s+)(?:(?:have|has|had|am|is|are|was|were|now|just|still|currently|used to|recently|finally|will|'ll|going to|will be|have been|has been)\s+)*(?:[Ll]ive[sd]?|[Ll]iving|[Mm]ove[sd]?|[Mm]oving|[Rr]elocat(?:e[sd]?|ing)|[Rr]esid(?:e[sd]?|ing)|[Ss]ettled?)(?:\s+(?:back|over|away|out|here|down|alone|together|permanently|now))?\s+(?:to|in|into|near|outside|at|on|from)\s+(?:the\s+)?(\p{Lu}[\p{L}'’-]+|\d+)`)
	homeIs    = regexp.MustCompile(`(?i)\b(?:(?:my|our|new|home|postal|street)\s+address|\p{L}+'s\s+(?:new\s+|home\s+)?address)\s+(?:is|was|has|will|changes|changed|:)`)
	livesCJK  = regexp.MustCompile(`(?:^|[，。！？；、\s])([^，。！？；、\s]{0,8}?)(?:搬到|搬去|搬来|搬回|搬进|移居|迁居|定居|住在|现居|家在)了?\p{Han}`)
	addressIs = regexp.MustCompile(`(?:我|我们|咱|新|家|的)(?:家)?(?:的)?(?:住址|地址)(?:是|在|改|换|：|:)`)
	// noMover is what is moved without anybody's home: meetings, goods, a firm.
	noMover = regexp.MustCompile(`把|将|会|课|考试|活动|项目|比赛|时间|公司|单位|办公|部门|学校|店|东西|桌|箱|医院|酒店|宾馆|旅馆|民宿`)
	awayCJK = regexp.MustCompile(`(?:搬到|住在|搬进|搬去)了?[^，。！？]{0,10}(?:医院|病房|酒店|宾馆|旅馆|民宿|办公室|客厅|公司|教室|部门)`)
	// movingTo is a move that is still to come: without a word of a home it may be
	// one to another employer, which is nobody's business yet.
	movingTo   = regexp.MustCompile(`(?i)(?:moving|\b(?:will|'ll|going to)\s+move|relocating)\s+(?:back\s+|over\s+|away\s+)?to\s`)
	toLive     = regexp.MustCompile(`(?i)\b(?:flat|apartment|house|home|city|town|village|country|countryside|abroad|live|living|together|family|kids|children|removal|from\s+\p{Lu}|lease|rent)`)
	noPlace    = regexp.MustCompile(`^(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|January|February|March|April|August|September|October|November|December|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|I|Friday's)$`)
	noMoverEN  = regexp.MustCompile(`(?i)\b(?:the|a|an|this|that|my|our|his|her|their)\s+(?:\p{L}+\s+){0,2}$`)
	noHomeWord = regexp.MustCompile(`^\s+(?:team|department|project|gmbh|ltd|inc|corp|ag|group|division|office|hotel|hospital|clinic|hostel|inn)\b`)
)

// lives reports whether text says where somebody lives or moves.
func lives(text string) bool {
	if hasCJK(text) {
		return addressIs.MatchString(text) || livesHan(text)
	}
	if homeIs.MatchString(text) {
		return true
	}
	text = strings.ReplaceAll(text, "’", "'")
	for _, m := range livesIn.FindAllStringSubmatchIndex(text, -1) {
		place, before, after := text[m[2]:m[3]], text[:m[0]], strings.ToLower(text[m[3]:])
		if movingTo.MatchString(text[m[0]:m[1]]) && !toLive.MatchString(text) {
			continue
		}
		if !noPlace.MatchString(place) && !isShout(place) && !noMoverEN.MatchString(before+" ") && !noHomeWord.MatchString(after) {
			return true
		}
	}
	return false
}

func livesHan(text string) bool {
	if awayCJK.MatchString(text) {
		return false
	}
	for _, m := range livesCJK.FindAllStringSubmatch(text, -1) {
		if !noMover.MatchString(m[1]) {
			return true
		}
	}
	return false
}

// isShout reports whether a word is written in capitals alone, as firms and their
// tools are.
func isShout(word string) bool {
	return len(word) > 1 && strings.ToUpper(word) == word && word[0] > '9'
}
