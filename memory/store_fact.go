package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// allSessions returns every session that f rests on, Record.Session first.
func (f *Fact) allSessions() []string {
	if f.Session == "" {
		return slices.Clone(f.Sessions)
	}
	return union([]string{f.Session}, f.Sessions)
}

// fact stores one fact of a batch.
func (a *applier) fact(in *Fact) error {
	sessions := in.allSessions()
	gone, err := a.gone(sessions)
	if err != nil {
		return err
	}
	if a.forgotten(in, sessions, gone) {
		a.done.Tombstoned++
		return nil
	}
	evidence := slices.DeleteFunc(slices.Clone(in.Evidence), gone)
	marks := keptMarks(in.Marks, gone)
	if a.facts[string(in.ID)] {
		known, err := loadFact(a.tx.rows(), in.ID)
		if err != nil {
			return err
		}
		if known != nil {
			return a.widenFact(known, sessions, evidence, marks)
		}
	}
	a.facts[string(in.ID)] = true
	a.done.Facts++
	f := *in
	f.Sessions, f.Evidence = sessions, evidence
	if f.Session == "" && len(sessions) > 0 {
		f.Session = sessions[0]
	}
	if f.ImportedAt.IsZero() {
		f.ImportedAt = a.store.opts.Now()
	}
	f.Marks = mergeMarks(nil, marks)
	insertFact(a.tx, &f, a.texts.facts[f.ID])
	for _, m := range in.Did {
		m.Fact = f.ID // an edited message may have given it another name
		insertSupplementMarks(a.tx, m)
	}
	if len(f.Entries) > 0 {
		insertLinks(a.tx, f.ID, f.Entries)
	} else {
		a.relink[f.ID] = &f
	}
	return a.tx.err
}

// gone returns which turns of the sessions were forgotten.
func (a *applier) gone(sessions []string) (func(turn string) bool, error) {
	if len(a.graves.hashes) == 0 {
		return func(string) bool { return false }, nil
	}
	var talks []string
	for _, session := range sessions {
		c, err := a.conversation(session)
		if err != nil {
			return nil, err
		}
		talks = union(talks, []string{c})
	}
	return func(turn string) bool {
		return slices.ContainsFunc(talks, func(c string) bool { return a.dead[turnRef{c, turn}] || a.graves.turnID(c, turn) })
	}, nil
}

// forgotten reports whether in may not be stored: it was forgotten itself, or
// the last source of it was.
func (a *applier) forgotten(in *Fact, sessions []string, gone func(turn string) bool) bool {
	switch {
	case len(a.graves.hashes) == 0:
		return false
	case a.graves.fact(in.ID):
		return true
	case len(in.Evidence) > 0:
		return !slices.ContainsFunc(in.Evidence, func(turn string) bool { return !gone(turn) })
	}
	return len(sessions) > 0 && !slices.ContainsFunc(sessions, func(id string) bool { return !a.graves.session(id) })
}

// conversation returns that of a session of the batch or the record, "" unknown.
func (a *applier) conversation(session string) (string, error) {
	if c, ok := a.conversations[session]; ok {
		return c, nil
	}
	var c string
	err := a.tx.scan("SELECT conversation FROM sessions WHERE id = ?", []any{session}, &c)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", err
	}
	a.conversations[session] = c
	return c, nil
}

// widenFact adds to a known fact what it lacks.
func (a *applier) widenFact(known *Fact, sessions, evidence []string, marks []privacy.Mark) error {
	next := *known
	next.Sessions = union(known.allSessions(), sessions)
	next.Evidence = union(known.Evidence, evidence)
	next.Marks = mergeMarks(known.Marks, marks)
	if len(next.Sessions) == len(known.Sessions) && len(next.Evidence) == len(known.Evidence) && len(next.Marks) == len(known.Marks) {
		return nil
	}
	if len(next.Evidence) > len(known.Evidence) || len(known.Entries) == 0 {
		a.relinkLater(known.ID)
	}
	updateFactRow(a.tx, &next)
	return a.tx.err
}

// marks appends marks to a stored fact.
func (a *applier) marks(id privacy.FactID, marks []privacy.Mark) error {
	known, err := loadFact(a.tx.rows(), id)
	if err != nil || known == nil {
		return err
	}
	gone, err := a.gone(known.allSessions())
	if err != nil {
		return err
	}
	return a.widenFact(known, nil, nil, keptMarks(marks, gone))
}

// mergeMarks returns a with the marks of b that it lacks. A mark is known again
// by what it says and what it rests on; a new score or time makes no new mark.
func mergeMarks(a, b []privacy.Mark) []privacy.Mark {
	same := func(x privacy.Mark) privacy.Mark {
		return privacy.Mark{Kind: x.Kind, Value: x.Value, By: x.By, Rule: x.Rule, Turn: x.Turn}
	}
	seen := make(map[privacy.Mark]bool, len(a)+len(b))
	for _, m := range a {
		seen[same(m)] = true
	}
	out := slices.Clip(a)
	for _, m := range b {
		if !seen[same(m)] {
			seen[same(m)] = true
			out = append(out, m)
		}
	}
	return out
}

func insertFact(tx *writeTx, f *Fact, text indexed) {
	tx.changed = true
	tx.exec("INSERT INTO facts ("+factColumns+`, terms, model, vector, revision, since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append(factValues(f), text.terms, text.model, text.vector, tx.revision, tx.revision)...)
}

// updateFactRow writes everything of f but its text, index and links. What it was
// stays in the history.
func updateFactRow(tx *writeTx, f *Fact) {
	keepFact(tx, f.ID)
	writeFactRow(tx, f)
}

// writeFactRow is updateFactRow without history: for what must not be seen again,
// and for what is as it was.
func writeFactRow(tx *writeTx, f *Fact) {
	tx.changed = true
	tx.exec("UPDATE facts SET "+factSet+", revision = ? WHERE id = ?", append(factValues(f)[2:], tx.revision, string(f.ID))...)
}

// The columns of a fact, in the order of factValues and scanFact; factSet leaves
// out id and text.
const (
	factColumns = `id, text, language, speaker, owner_said, subject, listeners, said_at, said_local, happened_at, happened_local,
		session, evidence, marks, sessions, source_name, source_format, imported_at`
	factSet = `language = ?, speaker = ?, owner_said = ?, subject = ?, listeners = ?, said_at = ?, said_local = ?, happened_at = ?, happened_local = ?,
		session = ?, evidence = ?, marks = ?, sessions = ?, source_name = ?, source_format = ?, imported_at = ?`
)

func factValues(f *Fact) []any {
	return []any{
		string(f.ID), f.Text, f.Language, f.Speaker, f.OwnerSaid, f.Subject, encodeList(f.Listeners),
		encodeTime(f.SaidAt.Instant), f.SaidAt.Local, encodeTime(f.HappenedAt.Instant), f.HappenedAt.Local,
		f.Session, encodeList(f.Evidence), encodeList(f.Marks), encodeList(f.Sessions),
		f.Source.Name, f.Source.Format, encodeTime(f.ImportedAt),
	}
}

func scanFact(rows *sql.Rows, more ...any) (*Fact, error) {
	var f Fact
	var listeners, saidAt, saidLocal, happenedAt, happenedLocal, evidence, marks, sessions, imported string
	err := rows.Scan(append([]any{&f.ID, &f.Text, &f.Language, &f.Speaker, &f.OwnerSaid, &f.Subject, &listeners, &saidAt, &saidLocal,
		&happenedAt, &happenedLocal, &f.Session, &evidence, &marks, &sessions, &f.Source.Name, &f.Source.Format, &imported}, more...)...)
	if err != nil {
		return nil, err
	}
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	f.Listeners, e = decodeList[string](listeners, "facts.listeners")
	keep(e)
	f.Evidence, e = decodeList[string](evidence, "facts.evidence")
	keep(e)
	f.Marks, e = decodeList[privacy.Mark](marks, "facts.marks")
	keep(e)
	f.Sessions, e = decodeList[string](sessions, "facts.sessions")
	keep(e)
	f.SaidAt, e = decodeStamp(saidAt, saidLocal)
	keep(e)
	f.HappenedAt, e = decodeStamp(happenedAt, happenedLocal)
	keep(e)
	f.ImportedAt, e = decodeTime(imported)
	keep(e)
	if err != nil {
		return nil, fmt.Errorf("fact %q: %w", f.ID, err)
	}
	return &f, nil
}

// loadFact reads one fact with its links; nil without one.
func loadFact(each rowsOf, id privacy.FactID) (*Fact, error) {
	var out *Fact
	err := each("SELECT "+factColumns+" FROM facts WHERE id = ?", []any{string(id)}, func(rows *sql.Rows) (err error) {
		out, err = scanFact(rows)
		return err
	})
	if err != nil || out == nil {
		return nil, err
	}
	err = each("SELECT entry FROM links WHERE fact = ? ORDER BY pos, entry", []any{string(id)}, func(rows *sql.Rows) error {
		var entry string
		err := rows.Scan(&entry)
		out.Entries = append(out.Entries, entry)
		return err
	})
	return out, err
}

// loadFacts reads every fact, by id.
func loadFacts(each rowsOf) ([]Fact, error) { return loadFactsSince(each, 0) }

// loadFactsSince reads the facts that were stored or changed after a revision.
func loadFactsSince(each rowsOf, revision int64) ([]Fact, error) {
	out, err := selectFacts(each, "facts WHERE revision > ?", revision)
	if err != nil {
		return nil, err
	}
	return out, attachLinks(each, out, revision)
}

// selectFacts reads facts without their links, by id.
func selectFacts(each rowsOf, from string, args ...any) ([]Fact, error) {
	var out []Fact
	err := each("SELECT "+factColumns+" FROM "+from+" ORDER BY id", args, func(rows *sql.Rows) error {
		f, err := scanFact(rows)
		if err == nil {
			out = append(out, *f)
		}
		return err
	})
	return out, err
}

// attachLinks adds their links to facts, which are sorted by id and stored or
// changed after a revision.
func attachLinks(each rowsOf, facts []Fact, revision int64) error {
	next := 0 // both run in the order of the ids' bytes
	return each("SELECT links.fact, links.entry FROM links JOIN facts ON facts.id = links.fact WHERE facts.revision > ? ORDER BY links.fact, links.pos, links.entry", []any{revision}, func(rows *sql.Rows) error {
		var fact privacy.FactID
		var entry string
		if err := rows.Scan(&fact, &entry); err != nil {
			return err
		}
		for next < len(facts) && facts[next].ID < fact {
			next++
		}
		if next < len(facts) && facts[next].ID == fact {
			facts[next].Entries = append(facts[next].Entries, entry)
		}
		return nil
	})
}

// Facts returns every fact, by id, and the revision at which they are so.
func (s *Store) Facts(ctx context.Context) ([]Fact, int64, error) {
	var out []Fact
	revision, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadFacts(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read facts: %w", err)
	}
	return out, revision, nil
}

// Judged is everything that verdicts rest on, of one moment.
type Judged struct {
	Facts    []Fact // by id
	Rules    []privacy.EventRule
	Revision int64
}

// Judged reads facts and event rules in one snapshot: a verdict that mixed two
// moments could miss the rule that denies. Since is an earlier result, or the zero
// value; what has not changed since is taken from there and shared with it.
func (s *Store) Judged(ctx context.Context, since Judged) (Judged, error) {
	var out Judged
	var err error
	out.Revision, err = s.snapshot(ctx, func(tx readTx) (err error) {
		var rewritten int64
		if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'rewritten'").Scan(&rewritten); err != nil {
			return err
		}
		each := reader(ctx, tx)
		if since.Revision == 0 || rewritten > since.Revision {
			out.Facts, err = loadFacts(each)
		} else {
			var changed []Fact
			changed, err = loadFactsSince(each, since.Revision)
			out.Facts = mergeFacts(since.Facts, changed)
		}
		if err != nil {
			return err
		}
		out.Rules, err = loadEventRules(each)
		return err
	})
	if err != nil {
		return Judged{}, fmt.Errorf("read facts and rules: %w", err)
	}
	return out, nil
}

// mergeFacts returns old with changed in its place, both by id and so the result.
func mergeFacts(old, changed []Fact) []Fact {
	if len(changed) == 0 {
		return old
	}
	out := make([]Fact, 0, len(old)+len(changed))
	for len(old) > 0 && len(changed) > 0 {
		switch c := strings.Compare(string(old[0].ID), string(changed[0].ID)); {
		case c < 0:
			out, old = append(out, old[0]), old[1:]
		case c > 0:
			out, changed = append(out, changed[0]), changed[1:]
		default:
			out, old, changed = append(out, changed[0]), old[1:], changed[1:]
		}
	}
	return append(append(out, old...), changed...)
}

// Fact returns one fact, or ErrNotFound.
func (s *Store) Fact(ctx context.Context, id privacy.FactID) (*Fact, error) {
	var out *Fact
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadFact(reader(ctx, tx), id)
		return err
	})
	if err == nil && out == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("fact %q: %w", id, err)
	}
	return out, nil
}

// UpdateFact lets change edit a fact in one transaction: what it reads can't be
// overtaken by another process before it is written. An error of change, or a
// changed id, leaves everything as it was. A changed text is embedded anew after
// the transaction; the old one stays in the history until the fact is forgotten.
// ErrNotFound.
func (s *Store) UpdateFact(ctx context.Context, id privacy.FactID, change func(*Fact) error) error {
	edited := false
	err := s.update(ctx, func(tx *writeTx) error {
		f, err := loadFact(tx.rows(), id)
		if err != nil {
			return err
		}
		if f == nil {
			return ErrNotFound
		}
		before, terms, entries := factValues(f), factTerms(f), slices.Clone(f.Entries)
		text := f.Text
		if err := change(f); err != nil {
			return err
		}
		if f.ID != id {
			return fmt.Errorf("its id would become %q: %w", f.ID, ErrInvalid)
		}
		f.Sessions = f.allSessions()
		same, linked := slices.Equal(before, factValues(f)), slices.Equal(entries, f.Entries)
		switch {
		case same && linked:
			return nil
		case same:
			writeFactRow(tx, f)
		default:
			updateFactRow(tx, f)
		}
		if !linked {
			tx.exec("DELETE FROM links WHERE fact = ?", string(id))
			insertLinks(tx, id, f.Entries)
		}
		if next := factTerms(f); next != terms || f.Text != text {
			tx.exec("UPDATE facts SET text = ?, terms = ? WHERE id = ?", f.Text, next, string(id))
			tx.rewritten = true
		}
		if f.Text != text {
			edited = true
			tx.exec("UPDATE facts SET model = '', vector = NULL WHERE id = ?", string(id))
		}
		return tx.err
	})
	if err == nil && edited {
		err = s.fillVectors(ctx, s.Embedder(), nil)
	}
	if err != nil {
		return fmt.Errorf("update fact %q: %w", id, err)
	}
	return nil
}

// DropFact removes a fact that is none, by the owner's word, and its history: the
// turns that it was made from stay, and a tombstone keeps the next import from making it again. Use
// [Store.Forget] for what is to be forgotten. ErrNotFound.
func (s *Store) DropFact(ctx context.Context, id privacy.FactID) error {
	err := s.update(ctx, func(tx *writeTx) error {
		graves, err := loadGraves(tx)
		if err != nil {
			return err
		}
		var one int
		if err := tx.scan("SELECT 1 FROM facts WHERE id = ?", []any{string(id)}, &one); err != nil {
			return err
		}
		graves.bury(tx, "fact", string(id))
		tx.exec("DELETE FROM facts WHERE id = ?", string(id)) // and its links and history
		tx.changed, tx.rewritten = true, true
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("drop fact %q: %w", id, err)
	}
	return nil
}
