package engine

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// Course is how things went on in a set of facts.
type Course struct {
	// Superseded are the facts that no longer say how things are, each with the later
	// one that says so.
	Superseded map[privacy.FactID]privacy.FactID
	// Restored are the facts that hold again, by the one that took back what had
	// superseded them.
	Restored map[privacy.FactID][]privacy.FactID
}

// CourseOf tells which facts no longer hold: a plan that was carried out, put off
// or called off, a state that gave way to another. What takes an earlier fact back
// ("scrap that, I never moved") gives what that one had superseded its place again.
//
// event names the event of a fact. Facts of one event and about one person
// supersede each other, and facts that say of one person what there is one of at a
// time ([slots]) or that a liking ended; nothing does without a word for it, since
// two facts of an event mostly add to each other. The result depends on the facts
// given alone: over what somebody may know it tells what is current for them,
// whatever else there is.
func CourseOf(records []privacy.Record, event func(privacy.FactID) privacy.EventID) Course {
	list := make([]*turnOfThings, 0, len(records))
	for i := range records {
		list = append(list, readTurn(&records[i], event(records[i].ID)))
	}
	slices.SortStableFunc(list, func(a, b *turnOfThings) int {
		return cmp.Or(a.record.SaidAt.Compare(b.record.SaidAt), cmp.Compare(a.record.ID, b.record.ID))
	})
	out := Course{map[privacy.FactID]privacy.FactID{}, map[privacy.FactID][]privacy.FactID{}}
	undone := map[*turnOfThings]*turnOfThings{} // by what took it back
	// From the last one back: what was taken back itself takes nothing's place.
	for i := len(list) - 1; i >= 0; i-- {
		later := list[i]
		if undone[later] != nil {
			continue
		}
		if later.retracts {
			if target := later.target(list[:i], out.Superseded); target != nil {
				out.Superseded[target.record.ID] = later.record.ID
				undone[target] = later
			}
			continue
		}
		for j := i - 1; j >= 0 && later.goesOn(); j-- {
			earlier := list[j]
			if _, gone := out.Superseded[earlier.record.ID]; !gone && later.supersedes(earlier) {
				out.Superseded[earlier.record.ID] = later.record.ID
			}
		}
	}
	for _, target := range list {
		by := undone[target]
		if by == nil {
			continue
		}
		for _, earlier := range list {
			if _, gone := out.Superseded[earlier.record.ID]; !gone && target.supersedes(earlier) {
				out.Restored[by.record.ID] = append(out.Restored[by.record.ID], earlier.record.ID)
			}
		}
	}
	return out
}

// AsksForPast reports whether a question is about how something was before.
func AsksForPast(question string) bool { return askingPast.MatchString(foldText(question)) }

var askingPast = regexp.MustCompile(`\b(?:before|used to|previous(?:ly)?|formerly|former|earlier|originally|at first|in the past|history|ever|once|when|fruher|vorher|ehemals|damals|jemals|wann)\b|以前|之前|原来|曾经|过去|什么时候`)

// turnOfThings is what a fact says of how things went on.
type turnOfThings struct {
	turnWords
	record  *privacy.Record
	event   privacy.EventID
	subject string
}

// turnWords is what the words of a fact alone say of it.
type turnWords struct {
	terms    []string
	retracts bool // it takes something back
	changes  bool // it says that something is otherwise now, put off or called off
	ends     bool // it says that something is so no longer
	done     bool // it says that something was done
	planned  bool // it tells what is to come
	past     bool // it says that something was done, and what by its verb
	holds    bool // it tells a state
	state    holding
	parts    turnParts
}

// turnParts are what the parts of a statement speak of.
type turnParts struct {
	all     []string // the whole
	planned []string // the whole, without words of planning and of time
	ended   []string // what came to an end
	left    []string // what somebody left
	begun   []string // what began
	belongs bool     // it tells of belonging to something
}

func readTurn(r *privacy.Record, event privacy.EventID) *turnOfThings {
	t := &turnOfThings{turnWords: turnMemo.of(r.Text), record: r, event: event, subject: foldText(r.Subject)}
	t.planned = t.planned || !r.HappenedAt.IsZero() && r.HappenedAt.Date() > r.SaidAt.Date()
	return t
}

func readTurnWords(text string) turnWords {
	folded := foldText(text)
	said := turnCues.in(folded)
	t := turnWords{
		terms: uniqueTerms(folded), retracts: said.has(retracting), changes: said.has(changing),
		ends: said.has(ending), done: said.has(carriedOut), planned: said.has(planning),
	}
	t.state, t.holds = readHolding(said)
	t.past = !t.planned && said.has(pastDoing) && !said.has(undone)
	t.parts.all = things(folded, t.terms, doings, doingsHan)
	t.parts.planned = things(folded, t.terms, plannings, planningsHan)
	t.parts.belongs = said.has(belonging)
	if t.ends || said.has(leaving) || said.has(beginning) {
		for _, clause := range doingClauses(folded) {
			of := things(clause, uniqueTerms(clause), doings, doingsHan)
			switch {
			case ending.MatchString(clause):
				t.parts.ended = append(t.parts.ended, of...)
			case leaving.MatchString(clause):
				t.parts.left = append(t.parts.left, of...)
			case beginning.MatchString(clause):
				t.parts.begun = append(t.parts.begun, of...)
			}
		}
	}
	return t
}

// target is the fact that t takes back: the last one before it of its event or, if
// there is none, the last one about the same person that shares a word with it
// beside their name.
func (t *turnOfThings) target(before []*turnOfThings, gone map[privacy.FactID]privacy.FactID) *turnOfThings {
	own := uniqueTerms(t.subject)
	shares := func(e *turnOfThings) bool {
		return slices.ContainsFunc(e.terms, func(term string) bool {
			return !slices.Contains(own, term) && slices.Contains(t.terms, term)
		})
	}
	for _, sameEvent := range []bool{true, false} {
		for i := len(before) - 1; i >= 0; i-- {
			e := before[i]
			if _, done := gone[e.record.ID]; done || e.retracts || e.subject != t.subject || sameEvent != (e.event != "" && e.event == t.event) {
				continue
			}
			if shares(e) {
				return e
			}
		}
	}
	return nil
}

// goesOn reports whether t has a word for taking the place of anything.
func (t *turnOfThings) goesOn() bool {
	return t.holds || t.changes || t.done || t.past || t.ends || len(t.parts.left) > 0 || len(t.parts.begun) > 0
}

// supersedes reports whether t, said later, takes the place of e.
func (t *turnOfThings) supersedes(e *turnOfThings) bool {
	if e.retracts || t.subject != e.subject || t.record.SaidAt.Compare(e.record.SaidAt) <= 0 {
		return false
	}
	if t.holds && e.holds && t.state.slot == e.state.slot && t.subject != "" {
		return t.state.differs(e.state)
	}
	sameEvent := t.event != "" && t.event == e.event
	if sameEvent && (t.changes || t.done && e.planned) {
		return true
	}
	if t.subject == "" {
		return false
	}
	// Two facts of different events may yet be of one thing.
	own := baseTerms(t.subject)
	switch {
	case t.past && e.planned && holdsAll(t.parts.planned, e.parts.planned, own):
		return true // planned, and done
	case e.planned && e.ends:
		return false // a plan to end something
	case holdsAll(t.parts.ended, e.parts.all, own):
		return true // "loves fish", "no longer eats fish"
	case e.parts.belongs && holdsAll(t.parts.left, e.parts.all, own):
		return true
	case len(e.parts.ended) > 0 && holdsAll(t.parts.begun, e.parts.ended, own), len(e.parts.left) > 0 && holdsAll(t.parts.begun, e.parts.left, own):
		return true // left, and joined again
	}
	return false
}

func baseTerms(text string) []string {
	var out []string
	for _, term := range uniqueTerms(text) {
		out = append(out, term, verbBase(term))
	}
	return out
}

// doings are verbs of liking, belonging, beginning and ending: what is done with a
// thing, whichever the thing is.
var doings = set("love like hate enjoy prefer eat drink play read watch favorit habit usual alway join rejoin start begin stop quit leave left member belong work sing resign longer anymore more again " +
	"angefangen aufgehort aufhoren beigetreten ausgetreten verlassen mitglied mehr nicht")

// plannings are words of planning and of time.
var plannings = set("plan want hope intend book schedul will go going like would next last week month year summer winter spring autumn soon tomorrow today weekend will werde wird mochte vor hat habe hab plane plant geplant " +
	"final yesterday endlich gestern new have " + namesOfMonths)

const (
	doingsHan    = "喜欢爱讨厌吃喝看玩做开始加入参退出离开戒"
	planningsHan = "打算准备计划将艘辆条只台套终于昨天明年月周下今"
)

// turnCues are what is looked for in each fact that is ranked.
var turnCues = newCues(append([]*regexp.Regexp{retracting, ending, changing, carriedOut, planning, pastDoing, undone, belonging, leaving, beginning}, slots...)...)

var (
	retracting = regexp.MustCompile(`\b(?:scrap that|forget (?:that|what (?:i|he|she) said)|never mind|take that back|takes that back|was wrong about|that was wrong|that isn't true|not true after all|false alarm|never (?:happened|moved|went|did|got|signed|started|took)|fell through|came to nothing|vergiss das|stimmt nicht|doch nicht|daraus wurde nichts|hat sich zerschlagen)\b|说错了|当我没说|不是真的|其实没|没搬成|没去成|没成|泡汤|黄了`)
	ending     = regexp.MustCompile(`\b(?:no longer|not (?:[a-z]+ )?(?:any ?more|anymore)|any ?more|stopped|stops|quit|quits|gave up|gives up|given up|nicht mehr|kein(?:e|en|em|er)? [^.!?;]{1,40} mehr|aufgeh[oö]rt|aufgegeben)\b|不再|戒了|不(?:吃|喝|去|做|玩)了`)
	changing   = regexp.MustCompile(ending.String() + `|\b(?:instead|after all|moved out|moved back|changed (?:to|from|his|her|their)|switched (?:to|from)|cancell?ed|cancels|called off|calls off|postponed|rescheduled|put off|brought forward|fell through|broke up|stattdessen|abgesagt|verschoben|verlegt|ausgezogen|gek[uü]ndigt)\b|改(?:到|成|在|为)|取消|推迟|延期|换成|不去了`)
	carriedOut = regexp.MustCompile(`\b(?:went|had|did|passed|failed|done|finished|completed|over|signed|bought|sold|came back|got back|is back|was|were|erledigt|geschafft|fertig|vorbei|war|hatte)\b|已经|结束|完成|做完|去了|回来了|通过了|买了|做了`)
	planning   = regexp.MustCompile(`\b(?:will|plans?|planning|going to|hopes to|wants to|intends to|booked|scheduled|is to|would like to|wird|werde|plane|plant|m[oö]chte|will|hat vor|habe vor)\b|打算|准备|计划|要去|将`)
)
