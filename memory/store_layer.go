package memory

import (
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// layers replaces the host's layers of one session.
func (a *applier) layers(in *Layers, damaged bool) error {
	if a.begun[in.Session] && !damaged && !a.anyDead(a.conversations[in.Session], in.Entries) {
		return replaceLayers(a.tx, in.Session, in, &a.texts, a.relinkLater)
	}
	session, err := loadSession(a.tx.rows(), in.Session)
	if err != nil || session == nil {
		return err // left out as forgotten, or known under another id
	}
	next := *in
	if damaged || a.anyDead(session.Conversation, in.Entries) {
		if next, err = a.rebuilt(session, in.Entries); err != nil {
			return err
		}
	}
	return replaceLayers(a.tx, session.ID, &next, &a.texts, a.relinkLater)
}

func (a *applier) relinkLater(id privacy.FactID) { a.relink[id] = nil }

func (a *applier) anyDead(conversation string, entries []Entry) bool {
	for i := range entries {
		for _, turn := range entries[i].Turns {
			if a.dead[turnRef{conversation, turn}] || a.graves.turnID(conversation, turn) {
				return true
			}
		}
	}
	return false
}

// rebuilt makes the layers of a session that lost turns.
func (a *applier) rebuilt(session *Session, entries []Entry) (Layers, error) {
	gone := func(turn string) bool {
		return a.dead[turnRef{session.Conversation, turn}] || a.graves.turnID(session.Conversation, turn)
	}
	return rebuildLayers(a.store.opts.Rebuild, session, entries, gone)
}

// rebuildLayers makes the layers of session, which has lost the turns that gone
// names. Without a function of the host, the entries that restate none of them
// stay and the summary goes; an entry that doesn't say what it restates goes too.
func rebuildLayers(rebuild func(*Session) (Layers, error), session *Session, entries []Entry, gone func(turn string) bool) (Layers, error) {
	if rebuild != nil && len(session.Turns) > 0 {
		out, err := rebuild(session)
		out.Session = session.ID
		return out, err
	}
	out := Layers{Session: session.ID}
	for _, e := range entries {
		if len(e.Turns) > 0 && !slices.ContainsFunc(e.Turns, gone) {
			out.Entries = append(out.Entries, e)
		}
	}
	return out, nil
}

// replaceLayers writes the difference between the stored layers and next.
// Unchanged entries keep their vectors. relink gets the facts that lost a link or
// have none.
func replaceLayers(tx *writeTx, session string, next *Layers, texts *embedded, relink func(privacy.FactID)) error {
	before, err := loadEntries(tx.rows(), session)
	if err != nil {
		return err
	}
	old := make(map[string]*Entry, len(before))
	for i := range before {
		old[before[i].ID] = &before[i]
	}
	moved := false
	for pos := range next.Entries {
		e := &next.Entries[pos]
		was := old[e.ID]
		delete(old, e.ID)
		if was != nil && pos < len(before) && before[pos].ID == e.ID && was.equal(e) {
			continue
		}
		moved = true
		turns := encodeList(e.Turns)
		if was != nil && was.found(e) {
			tx.exec("UPDATE entries SET pos = ?, turns = ?, location = ?, topic = ?, revision = ? WHERE id = ?", pos, turns, e.Place, e.Topic, tx.revision, e.ID)
			continue
		}
		text, ok := texts.entry(e.ID)
		if !ok || text.text != e.Text {
			text = indexed{terms: entryTerms(e)}
			tx.unembedded = true
		}
		if was != nil {
			tx.rewritten = true
			tx.exec(`UPDATE entries SET pos = ?, text = ?, turns = ?, said_at = ?, said_local = ?, keywords = ?, persons = ?, location = ?, topic = ?,
				terms = ?, model = ?, vector = ?, revision = ? WHERE id = ?`,
				pos, e.Text, turns, encodeTime(e.When.Instant), e.When.Local, encodeList(e.Keywords), encodeList(e.Persons), e.Place, e.Topic,
				text.terms, text.model, text.vector, tx.revision, e.ID)
			continue
		}
		tx.exec(`INSERT INTO entries (id, session, pos, text, turns, said_at, said_local, keywords, persons, location, topic, terms, model, vector, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			e.ID, session, pos, e.Text, turns, encodeTime(e.When.Instant), e.When.Local, encodeList(e.Keywords), encodeList(e.Persons), e.Place, e.Topic,
			text.terms, text.model, text.vector, tx.revision)
	}
	for id := range old {
		moved, tx.rewritten = true, true
		if err := tx.each("SELECT fact FROM links WHERE entry = ?", []any{id}, relinkRow(relink)); err != nil {
			return err
		}
		tx.exec("DELETE FROM links WHERE entry = ?", id)
		tx.exec("DELETE FROM entries WHERE id = ?", id)
	}
	if moved {
		tx.changed = true
		err := tx.each("SELECT id FROM facts WHERE session = ? AND NOT EXISTS (SELECT 1 FROM links WHERE fact = facts.id)",
			[]any{session}, relinkRow(relink))
		if err != nil {
			return err
		}
	}
	if err := replaceGrains(tx, session, next, texts, moved); err != nil {
		return err
	}
	return writeSummary(tx, session, next.Summary)
}

func relinkRow(relink func(privacy.FactID)) func(rows *sql.Rows) error {
	return func(rows *sql.Rows) error {
		var id privacy.FactID
		err := rows.Scan(&id)
		relink(id)
		return err
	}
}

func writeSummary(tx *writeTx, session, summary string) error {
	var before string
	err := tx.scan("SELECT text FROM summaries WHERE session = ?", []any{session}, &before)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case before == summary:
		return nil
	case summary == "":
		tx.exec("DELETE FROM summaries WHERE session = ?", session)
	default:
		tx.exec("INSERT OR REPLACE INTO summaries (session, text) VALUES (?, ?)", session, summary)
	}
	tx.changed = true
	return tx.err
}

func (e *Entry) equal(other *Entry) bool {
	return e.found(other) && slices.Equal(e.Turns, other.Turns) && e.Place == other.Place && e.Topic == other.Topic
}

// found reports whether other is found by the same words and people.
func (e *Entry) found(other *Entry) bool {
	return e.Text == other.Text && sameStamp(e.When, other.When) && slices.Equal(e.Keywords, other.Keywords) && slices.Equal(e.Persons, other.Persons)
}

func loadEntries(each rowsOf, session string) ([]Entry, error) {
	var out []Entry
	err := each("SELECT id, session, text, turns, said_at, said_local, keywords, persons, location, topic FROM entries WHERE session = ? ORDER BY pos, id", []any{session},
		func(rows *sql.Rows) error {
			var e Entry
			var turns, at, local, keywords, persons string
			if err := rows.Scan(&e.ID, &e.Session, &e.Text, &turns, &at, &local, &keywords, &persons, &e.Place, &e.Topic); err != nil {
				return err
			}
			var err error
			if e.Turns, err = decodeList[string](turns, "entries.turns"); err != nil {
				return err
			}
			if e.Keywords, err = decodeList[string](keywords, "entries.keywords"); err != nil {
				return err
			}
			if e.Persons, err = decodeList[string](persons, "entries.persons"); err != nil {
				return err
			}
			e.When, err = decodeStamp(at, local)
			out = append(out, e)
			return err
		})
	return out, err
}

// linksAtMost is how many entries of its sessions a fact is linked to: those that
// restate its evidence come first, then the nearest ones by their vectors.
// Source: EP-Mem, arXiv 2609.35233, §A.1.
const linksAtMost = 3

// link makes the F2→F0 links of the facts in a.relink.
func (a *applier) link() error {
	ids := make([]privacy.FactID, 0, len(a.relink))
	for id := range a.relink {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return linkFacts(a.tx, ids, a.relink, a.texts.facts, a.store.Embedder())
}

// linkable is an entry as linking sees it.
type linkable struct {
	id     string
	turns  []string
	blob   []byte
	vector []float32 // of blob, once it is wanted
}

// linkFacts links the facts of ids. fresh holds those of them that were stored
// just now, as they are without links, and texts what was made of their words; the
// others are read.
func linkFacts(tx *writeTx, ids []privacy.FactID, fresh map[privacy.FactID]*Fact, texts map[privacy.FactID]indexed, embedder Embedder) error {
	model, dim := modelName(embedder), embedder.Dimensions()
	sessions := map[string][]*linkable{}
	for _, id := range ids {
		f := fresh[id]
		if f == nil {
			var err error
			if f, err = loadFact(tx.rows(), id); err != nil {
				return err
			}
		}
		if f == nil {
			continue
		}
		var near []*linkable
		for _, session := range f.allSessions() {
			entries, ok := sessions[session]
			if !ok {
				var err error
				if entries, err = loadLinkable(tx, session, model); err != nil {
					return err
				}
				sessions[session] = entries
			}
			near = append(near, entries...)
		}
		var made *indexed
		if text, ok := texts[id]; ok && fresh[id] != nil && text.model == model {
			made = &text
		}
		links, err := nearestEntries(tx, f, made, near, model, dim)
		if err != nil {
			return err
		}
		if slices.Equal(links, f.Entries) {
			continue
		}
		if len(f.Entries) > 0 {
			tx.exec("DELETE FROM links WHERE fact = ?", string(id))
		}
		insertLinks(tx, id, links)
		if fresh[id] == nil {
			tx.exec("UPDATE facts SET revision = ? WHERE id = ?", tx.revision, string(id))
		}
	}
	return tx.err
}

func loadLinkable(tx *writeTx, session, model string) ([]*linkable, error) {
	var out []*linkable
	err := tx.each("SELECT id, turns, vector FROM entries WHERE session = ? AND model IN (?, '') ORDER BY pos, id", []any{session, model},
		func(rows *sql.Rows) error {
			e := &linkable{}
			var turns string
			if err := rows.Scan(&e.id, &turns, &e.blob); err != nil {
				return err
			}
			var err error
			e.turns, err = decodeList[string](turns, "entries.turns")
			out = append(out, e)
			return err
		})
	return out, err
}

// loadVector reads the vector of a fact, or that of text where that isn't nil.
func loadVector(tx *writeTx, id privacy.FactID, text *indexed, model string, dim int) ([]float32, error) {
	var blob []byte
	if text != nil {
		if text.vector == nil {
			return nil, nil
		}
		out := make([]float32, dim, padded(dim))
		return out, decodeVector(text.vector, out)
	}
	err := tx.scan("SELECT vector FROM facts WHERE id = ? AND model = ?", []any{string(id), model}, &blob)
	if errors.Is(err, sql.ErrNoRows) || err == nil && blob == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]float32, dim, padded(dim))
	return out, decodeVector(blob, out)
}

// nearestEntries returns the ids of at most linksAtMost entries: before all others
// those that restate the fact's evidence, then those with a positive cosine, of each
// the nearest first, ties by id.
func nearestEntries(tx *writeTx, fact *Fact, text *indexed, entries []*linkable, model string, dim int) ([]string, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	vector, err := loadVector(tx, fact.ID, text, model, dim)
	if err != nil {
		return nil, err
	}
	top := best[Scored]{k: linksAtMost, compare: byScore}
	for _, e := range entries {
		score := 0.0
		if vector != nil && e.blob != nil {
			if e.vector == nil {
				e.vector = make([]float32, dim, padded(dim))
				if err := decodeVector(e.blob, e.vector); err != nil {
					return nil, err
				}
			}
			score = float64(dot(vector, e.vector))
		}
		if slices.ContainsFunc(e.turns, func(turn string) bool { return slices.Contains(fact.Evidence, turn) }) {
			score += 3 // above every cosine
		}
		if score > 0 {
			top.push(Scored{e.id, score})
		}
	}
	var out []string
	for _, s := range top.sorted() {
		out = append(out, s.ID)
	}
	return out, nil
}

func insertLinks(tx *writeTx, fact privacy.FactID, entries []string) {
	pos := 0
	for some := range slices.Chunk(entries, 50) {
		tx.changed = true
		args := make([]any, 0, 3*len(some))
		for _, entry := range some {
			args = append(args, string(fact), pos, entry)
			pos++
		}
		tx.exec("INSERT OR IGNORE INTO links (fact, pos, entry) VALUES (?, ?, ?)"+strings.Repeat(", (?, ?, ?)", len(some)-1), args...)
	}
}
