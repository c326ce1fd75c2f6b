package memory

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Forget is what is to be forgotten. Its parts add up.
type Forget struct {
	Facts    []privacy.FactID
	Sessions []string
	// Turns are messages that their speakers have taken back. The facts that rest on
	// nothing else go with them.
	Turns []TurnAddress
	// People are names as the sources have them: a person's own turns go, and the
	// facts that they said or that are about them. Others' mention of them stays.
	People []string
	// Rules tells which rules of the policy a fact meets, for its [Trace]: the record
	// doesn't know the policy. Nil: none.
	Rules func(privacy.FactID) []privacy.RuleID
	// Unlearn is what becomes of facts that supplements had labelled which go by it. Nil:
	// their marks stay as they are.
	Unlearn *Unlearn
	// DryRun finds out what would go and changes nothing.
	DryRun bool
}

// TurnAddress is where a turn is.
type TurnAddress struct{ Conversation, ID string }

// Forgotten is what was forgotten.
type Forgotten struct {
	Facts    []privacy.FactID // by id, covers of forgotten facts included
	Sessions int              // sessions that are gone altogether
	Turns    int
	// Kept are facts that rest on another source too. They stay, without the
	// forgotten source and the grants that rested on it.
	Kept          []privacy.FactID
	LedgerEntries int // entries whose words are gone
	Exemplars     int // what the owner taught by facts that are gone, or by words of theirs
	// Supplements are what was learned from nothing but feedback on them, by id; Learned
	// is what of it all is in force afterwards, nil where that doesn't change.
	Supplements []string
	Learned     []string
	// Relabelled are facts that stay and lose what such a supplement had given them.
	Relabelled []privacy.FactID
	// Unknown are the facts and sessions asked for that the record doesn't have.
	Unknown []string
	// Pending: everything is gone from the record, but another process is using
	// the file, so the bytes are wiped from the log and the free pages when it is
	// next opened or something else is forgotten.
	Pending bool
}

// Forget removes things from every layer, for good.
//
// A fact takes with it the turns that are its evidence, the entries that restate
// them, its vector, links and exemplars, and, if it is real, its covers: those
// whose mark names it, and those of its event that name nothing, unless another
// real fact of the event stays. Other facts that rest on the same turns keep
// their own text and lose that evidence; they are forgotten only if asked for. A
// session or a person takes the turns, and the facts that rest on nothing else.
// Summaries of the sessions touched are made anew (Options.Rebuild) or dropped.
// What the facts were before ([Store.JudgedAt]) goes the same way.
//
// On facts that stay, marks that rested on a forgotten turn remain if they
// restrict, and go if they grant: forgetting never widens an audience. Event
// rules remain. Ledger entries of forgotten facts keep who, when and by which
// policy, and a [Trace]. Tombstones keep an import from bringing anything back.
//
// Then the bytes go: freed pages are zeroed, the file is rewritten, the log emptied.
func (s *Store) Forget(ctx context.Context, what Forget) (Forgotten, error) {
	var done Forgotten
	unembedded := false
	err := s.update(ctx, func(tx *writeTx) error {
		done = Forgotten{}
		f := &forgetter{store: s, tx: tx, done: &done, doomed: map[privacy.FactID]*Fact{}, turns: map[turnRef]forgottenTurn{}, sessions: map[string]bool{}}
		taught, err := countExemplars(tx)
		if err != nil {
			return err
		}
		if err := f.run(what); err != nil {
			return err
		}
		left, err := countExemplars(tx)
		if err != nil {
			return err
		}
		done.Exemplars = taught - left
		unembedded = tx.unembedded
		if what.DryRun {
			return errDryRun
		}
		return tx.err
	})
	if what.DryRun && errors.Is(err, errDryRun) {
		return done, nil
	}
	if err != nil {
		return Forgotten{}, fmt.Errorf("forget: %w", err)
	}
	if err := s.scrub(ctx); err != nil {
		if !errors.Is(err, ErrBusy) {
			return done, fmt.Errorf("forget: it is gone from the record, but its bytes are not wiped yet; repeat: %w", err)
		}
		done.Pending = true
	}
	if unembedded {
		if err := s.fillVectors(ctx, s.Embedder(), nil); err != nil {
			return done, fmt.Errorf("forget: done, but the rebuilt layers are not indexed yet; run epagent reindex: %w", err)
		}
	}
	return done, nil
}

func countExemplars(tx *writeTx) (n int, err error) {
	err = tx.scan("SELECT count(*) FROM exemplars", nil, &n)
	return n, err
}

var errDryRun = errors.New("dry run")

type forgottenTurn struct {
	Turn
	session string
}

// forgetter carries one Forget through one transaction.
type forgetter struct {
	store    *Store
	tx       *writeTx
	graves   *graves
	done     *Forgotten
	facts    []Fact     // all of the record
	past     []pastFact // what they were before
	doomed   map[privacy.FactID]*Fact
	turns    map[turnRef]forgottenTurn
	sessions map[string]bool // to go altogether
	talks    map[string]string
	people   map[string]bool   // folded names
	asked    map[turnRef]bool  // turns that were named
	told     []map[string]bool // words of each doomed fact and forgotten turn, see tells
	cut      bool              // something of the history is gone
}

func (f *forgetter) run(what Forget) error {
	var err error
	if f.graves, err = loadGraves(f.tx); err != nil {
		return err
	}
	if f.facts, err = loadFacts(f.tx.rows()); err != nil {
		return err
	}
	if f.past, err = loadPast(f.tx.rows()); err != nil {
		return err
	}
	f.talks = map[string]string{}
	err = f.tx.each("SELECT id, conversation FROM sessions", nil, func(rows *sql.Rows) error {
		var id, conversation string
		err := rows.Scan(&id, &conversation)
		f.talks[id] = conversation
		return err
	})
	if err != nil {
		return err
	}
	for _, step := range []func(Forget) error{f.chooseFacts, f.chooseTurns, f.chooseResting, f.removeFacts, f.removeTurns, f.trimKept, f.trimPast, f.redact, f.unask} {
		if err := step(what); err != nil {
			return err
		}
	}
	for id := range f.doomed {
		f.done.Facts = append(f.done.Facts, id)
	}
	slices.Sort(f.done.Facts)
	slices.Sort(f.done.Kept)
	f.done.Turns = len(f.turns)
	if len(f.doomed)+len(f.turns)+len(f.sessions) > 0 || f.cut {
		f.tx.changed, f.tx.rewritten = true, true
		f.tx.exec("UPDATE meta SET value = 1 WHERE key = 'scrub'")
	}
	return f.tx.err
}

// chooseFacts takes the facts asked for, those of the people, and covers.
func (f *forgetter) chooseFacts(what Forget) error {
	f.people = map[string]bool{}
	for _, name := range what.People {
		if folded := foldName(name); folded != "" {
			f.people[folded] = true
		}
	}
	asked := make(map[privacy.FactID]bool, len(what.Facts))
	for _, id := range what.Facts {
		asked[id] = true
	}
	for i := range f.facts {
		fact := &f.facts[i]
		if asked[fact.ID] || f.people[foldName(fact.Speaker)] || f.people[foldName(fact.Subject)] {
			f.doomed[fact.ID] = fact
			delete(asked, fact.ID)
		}
	}
	for id := range asked {
		f.done.Unknown = append(f.done.Unknown, string(id))
	}
	slices.Sort(f.done.Unknown)
	f.chooseCovers()
	return nil
}

// chooseCovers adds the covers of doomed real facts.
func (f *forgetter) chooseCovers() {
	stays := map[privacy.EventID]bool{} // events with a real fact that stays
	goes := map[privacy.EventID]bool{}
	for i := range f.facts {
		fact := &f.facts[i]
		event := privacy.EventID(fact.Value(privacy.MarkEvent))
		if event == "" || fact.Value(privacy.MarkTruth) != privacy.Real.String() {
			continue
		}
		if f.doomed[fact.ID] != nil {
			goes[event] = true
		} else {
			stays[event] = true
		}
	}
	for i := range f.facts {
		fact := &f.facts[i]
		covers := fact.Values(privacy.MarkCovers)
		named := slices.ContainsFunc(covers, func(id string) bool { return f.doomed[privacy.FactID(id)] != nil })
		event := privacy.EventID(fact.Value(privacy.MarkEvent))
		byEvent := len(covers) == 0 && fact.Value(privacy.MarkTruth) == privacy.Cover.String() && event != "" && goes[event] && !stays[event]
		if named || byEvent {
			f.doomed[fact.ID] = fact
		}
	}
}

// chooseTurns takes the evidence of the doomed facts, the turns of the sessions
// and those of the people.
func (f *forgetter) chooseTurns(what Forget) error {
	for _, fact := range f.doomed {
		for _, session := range fact.allSessions() {
			for _, id := range fact.Evidence {
				if err := f.takeTurns("conversation = ? AND id = ?", f.talks[session], id); err != nil {
					return err
				}
			}
		}
	}
	for _, id := range what.Sessions {
		if _, ok := f.talks[id]; !ok {
			f.done.Unknown = append(f.done.Unknown, id)
			continue
		}
		f.sessions[id] = true
		if err := f.takeTurns("session = ?", id); err != nil {
			return err
		}
	}
	f.asked = make(map[turnRef]bool, len(what.Turns))
	for _, t := range what.Turns {
		f.asked[turnRef{t.Conversation, t.ID}] = true
		if err := f.takeTurns("conversation = ? AND id = ?", t.Conversation, t.ID); err != nil {
			return err
		}
	}
	if len(f.people) == 0 {
		return nil
	}
	speakers := []string{}
	err := f.tx.each("SELECT DISTINCT speaker FROM turns", nil, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		if f.people[foldName(name)] {
			speakers = append(speakers, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range speakers {
		if err := f.takeTurns("speaker = ?", name); err != nil {
			return err
		}
	}
	return nil
}

func (f *forgetter) takeTurns(where string, args ...any) error {
	return f.tx.each("SELECT "+turnColumns+", conversation, session FROM turns WHERE "+where, args, func(rows *sql.Rows) error {
		var conversation, session string
		t, err := scanTurn(rows, &conversation, &session)
		f.turns[turnRef{conversation, t.ID}] = forgottenTurn{t, session}
		return err
	})
}

// gone reports whether the turn id of one of the sessions is to be forgotten.
func (f *forgetter) gone(sessions []string, id string) bool {
	for _, session := range sessions {
		if _, ok := f.turns[turnRef{f.talks[session], id}]; ok {
			return true
		}
	}
	return false
}

// chooseResting adds the facts that rest on nothing but forgotten sessions or
// people's turns.
func (f *forgetter) chooseResting(Forget) error {
	for i := range f.facts {
		if fact := &f.facts[i]; f.doomed[fact.ID] == nil && f.restsOnGone(fact) {
			f.doomed[fact.ID] = fact
		}
	}
	f.chooseCovers()
	// Covers found only now lose their evidence too.
	for _, fact := range f.doomed {
		for _, session := range fact.allSessions() {
			for _, id := range fact.Evidence {
				if _, ok := f.turns[turnRef{f.talks[session], id}]; ok {
					continue
				}
				if err := f.takeTurns("conversation = ? AND id = ?", f.talks[session], id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// restsOnGone reports whether fact has no source but forgotten sessions or people's
// turns. Facts that merely share a turn with a forgotten fact stay.
func (f *forgetter) restsOnGone(fact *Fact) bool {
	sessions := fact.allSessions()
	living := slices.DeleteFunc(slices.Clone(sessions), func(id string) bool { return f.sessions[id] })
	byPerson, left := 0, 0
	for _, id := range fact.Evidence {
		turn, ok := f.turns[f.refOf(sessions, id)]
		switch {
		case !ok:
			left++
		case f.sessions[turn.session] || f.people[foldName(turn.Speaker)] || f.asked[f.refOf(sessions, id)]:
			byPerson++
		default:
			left++ // its words go, the fact stays
		}
	}
	bare := len(fact.Evidence) == 0 && len(sessions) > 0 && len(living) == 0
	return bare || byPerson > 0 && left == 0
}

func (f *forgetter) refOf(sessions []string, id string) turnRef {
	for _, session := range sessions {
		ref := turnRef{f.talks[session], id}
		if _, ok := f.turns[ref]; ok {
			return ref
		}
	}
	return turnRef{}
}

// removeFacts deletes the doomed facts with all that hangs on them.
func (f *forgetter) removeFacts(Forget) error {
	for i := range f.past {
		if f.isDoomed(f.past[i].ID) {
			f.tx.exec("DELETE FROM exemplars WHERE text = ?", f.past[i].Text)
		}
	}
	for id, fact := range f.doomed {
		f.graves.bury(f.tx, "fact", string(id))
		f.tx.exec("DELETE FROM exemplars WHERE fact = ? OR text = ?", string(id), fact.Text)
		f.tx.exec("DELETE FROM feedback WHERE fact = ?", string(id))
		f.tx.exec("DELETE FROM facts WHERE id = ?", string(id)) // and its links and history
	}
	return f.tx.err
}

// removeTurns deletes the turns and makes their sessions' layers anew.
func (f *forgetter) removeTurns(Forget) error {
	accounts := map[string][]Handle{} // by name
	for _, h := range loadPeople(f.tx.rows(), f.tx).Handles {
		accounts[foldName(h.Name)] = append(accounts[foldName(h.Name)], h)
	}
	touched := map[string]bool{} // and whether it lost turns
	for ref, turn := range f.turns {
		touched[turn.session] = true
		f.graves.buryTurn(f.tx, ref.conversation, &turn.Turn, accounts[foldName(turn.Speaker)]...)
		f.tx.exec("DELETE FROM turns WHERE conversation = ? AND id = ?", ref.conversation, ref.id)
		f.tx.exec("DELETE FROM turn_versions WHERE conversation = ? AND turn = ?", ref.conversation, ref.id)
		f.tx.exec("UPDATE turns SET reply_to = '' WHERE conversation = ? AND reply_to = ?", ref.conversation, ref.id)
	}
	for id := range f.sessions {
		touched[id] = true
	}
	for _, fact := range f.doomed {
		for _, id := range fact.allSessions() {
			// Its summary may tell the fact, evidence or not.
			if _, stored := f.talks[id]; stored && !touched[id] {
				touched[id] = false
			}
		}
	}
	if err := f.forgetPeople(); err != nil {
		return err
	}
	sessions := make([]string, 0, len(touched))
	for id := range touched {
		sessions = append(sessions, id)
	}
	slices.Sort(sessions)
	var relink []privacy.FactID
	for _, id := range sessions {
		if err := f.session(id, touched[id], func(fact privacy.FactID) { relink = append(relink, fact) }); err != nil {
			return fmt.Errorf("session %q: %w", id, err)
		}
	}
	slices.Sort(relink)
	return linkFacts(f.tx, slices.Compact(relink), nil, nil, f.store.Embedder())
}

// session takes the forgotten turns out of one session's other layers. If it was
// emptied by that it goes altogether.
func (f *forgetter) session(id string, emptied bool, relink func(privacy.FactID)) error {
	session, err := loadSession(f.tx.rows(), id)
	if err != nil || session == nil {
		return err
	}
	if f.sessions[id] || emptied && len(session.Turns) == 0 {
		f.done.Sessions++
		if f.sessions[id] {
			f.graves.bury(f.tx, "session", id)
		}
		if err := replaceLayers(f.tx, id, &Layers{Session: id}, nil, relink); err != nil {
			return err
		}
		f.tx.exec("DELETE FROM sessions WHERE id = ?", id) // and what hangs on it
		return f.tx.err
	}
	gone := func(turn string) bool { return f.gone([]string{id}, turn) }
	for _, sub := range session.Subs {
		left := slices.DeleteFunc(slices.Clone(sub.Turns), gone)
		switch {
		case len(left) == len(sub.Turns):
		case len(left) == 0:
			f.tx.exec("DELETE FROM subsessions WHERE session = ? AND id = ?", id, sub.ID)
		default:
			f.tx.exec("UPDATE subsessions SET turns = ? WHERE session = ? AND id = ?", encodeList(left), id, sub.ID)
		}
	}
	if left := slices.DeleteFunc(slices.Clone(session.Participants), func(name string) bool { return f.people[foldName(name)] }); len(left) < len(session.Participants) {
		f.tx.exec("UPDATE sessions SET participants = ? WHERE id = ?", encodeList(left), id)
	}
	if f.tells(session.Title) {
		f.graves.bury(f.tx, "title", session.Title)
		f.tx.exec("UPDATE sessions SET title = '' WHERE id = ?", id)
	}
	if session, err = loadSession(f.tx.rows(), id); err != nil {
		return err
	}
	entries, err := loadEntries(f.tx.rows(), id)
	if err != nil {
		return err
	}
	next, err := rebuildLayers(f.store.opts.Rebuild, session, entries, gone)
	if err != nil {
		return fmt.Errorf("rebuild layers: %w", err)
	}
	next.Entries = slices.DeleteFunc(next.Entries, func(e Entry) bool { return slices.ContainsFunc(e.Turns, gone) })
	return replaceLayers(f.tx, id, &next, nil, relink)
}

// redact takes the words out of the ledger entries that the forgotten facts were
// in, or that speak of them.
func (f *forgetter) redact(what Forget) error {
	entries, err := loadLedger(f.tx.rows())
	if err != nil {
		return err
	}
	if err := f.untell(what); err != nil {
		return err
	}
	for _, e := range entries {
		next := e
		next.Permitted = slices.DeleteFunc(slices.Clone(e.Permitted), f.isDoomed)
		next.Told = slices.DeleteFunc(slices.Clone(e.Told), f.isDoomed)
		if len(next.Permitted) == len(e.Permitted) && len(next.Told) == len(e.Told) && !f.tells(e.Question) && !f.tells(e.Answer) {
			continue
		}
		next.Traces = slices.Clone(e.Traces)
		for _, id := range e.Permitted {
			if fact := f.doomed[id]; fact != nil {
				key := f.graves.hash(f.graves.keys[0], "trace", string(id))
				trace := Trace{Key: hex.EncodeToString(key[:8]), Told: slices.Contains(e.Told, id)}
				for _, c := range fact.Values(privacy.MarkCategory) {
					trace.Categories = append(trace.Categories, privacy.CategoryID(c))
				}
				if what.Rules != nil {
					trace.Rules = what.Rules(id)
				}
				next.Traces = append(next.Traces, trace)
			}
		}
		f.done.LedgerEntries++
		f.tx.exec("UPDATE ledger SET question = '', answer = '', permitted = ?, told = ?, redacted = 1, traces = ? WHERE id = ?",
			encodeList(next.Permitted), encodeList(next.Told), encodeList(next.Traces), e.ID)
	}
	return f.tx.err
}

// untell removes the exemplars that speak of something forgotten, also of a fact
// that the owner had dropped as none before.
func (f *forgetter) untell(what Forget) error {
	var gone []int64
	err := f.tx.each("SELECT id, text FROM exemplars", nil, func(rows *sql.Rows) error {
		var id int64
		var text string
		err := rows.Scan(&id, &text)
		if err == nil && f.tells(text) {
			gone = append(gone, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range gone {
		f.tx.exec("DELETE FROM exemplars WHERE id = ?", id)
	}
	return f.silence(what)
}

// silence takes feedback and waiting changes away that speak of something forgotten.
func (f *forgetter) silence(what Forget) error {
	feedback, err := loadFeedback(f.tx.rows())
	if err != nil {
		return err
	}
	for _, x := range feedback {
		if f.tells(x.Note) || f.tells(x.Expected) {
			f.tx.exec("DELETE FROM feedback WHERE id = ?", x.ID)
		}
	}
	gone, err := pruneSupplements(f.tx, f.store.opts.Now(), f.tells)
	if err != nil {
		return err
	}
	f.done.Supplements, f.done.Learned = gone.gone, gone.left
	if what.Unlearn != nil || !what.DryRun {
		if err := gone.unlearn(f.tx, what.Unlearn); err != nil {
			return err
		}
	}
	if what.Unlearn != nil {
		f.done.Relabelled = slices.Clone(what.Unlearn.Facts)
	}
	waiting, err := loadWaiting(f.tx.rows())
	if err != nil {
		return err
	}
	for _, x := range waiting {
		if slices.ContainsFunc(x.Facts, f.isDoomed) || f.tells(string(x.Change)) {
			f.tx.exec("DELETE FROM waiting_changes WHERE id = ?", x.ID)
		}
	}
	return f.tx.err
}

func (f *forgetter) isDoomed(id privacy.FactID) bool { return f.doomed[id] != nil }

// tells reports whether text shares enough words with a forgotten fact or turn to
// be about it: two or more, and half of the shorter one's. It is used where losing
// some words too many costs nothing.
func (f *forgetter) tells(text string) bool {
	words := wordSet(text)
	if len(words) == 0 {
		return false
	}
	if f.told == nil {
		for _, fact := range f.doomed {
			f.told = append(f.told, wordSet(fact.Text))
		}
		for i := range f.past {
			if f.isDoomed(f.past[i].ID) {
				f.told = append(f.told, wordSet(f.past[i].Text))
			}
		}
		for _, turn := range f.turns {
			f.told = append(f.told, wordSet(turn.Text), wordSet(turn.Caption))
		}
	}
	for _, theirs := range f.told {
		shared := 0
		for w := range words {
			if theirs[w] {
				shared++
			}
		}
		if shared >= min(2, len(words)) && shared > 0 && 2*shared >= min(len(words), len(theirs)) {
			return true
		}
	}
	return false
}

func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, term := range lexical.Terms(text) {
		out[term] = true
	}
	return out
}

// foldName brings a name as a source writes it to the form that names are
// compared in (CALCULUS, Names). "" stays "", which is nobody.
func foldName(name string) string {
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return collapse(folded)
}
