package memory

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/privacy"
)

// PutSupplements stores supplements, those with an id that is there in its place. It
// never changes what is in force: a status of SupplementActive is refused for one that
// isn't (ErrInvalid); see [Store.ActivateSupplements].
func (s *Store) PutSupplements(ctx context.Context, list ...StoredSupplement) error {
	err := s.update(ctx, func(tx *writeTx) error {
		version, err := newestVersion(tx.rows())
		if err != nil {
			return err
		}
		for _, x := range list {
			if active := slices.Contains(version.Active, x.ID); active != (x.Status == SupplementActive) {
				return fmt.Errorf("supplement %q as %q, and active is %v: %w", x.ID, x.Status, active, ErrInvalid)
			}
			putSupplement(tx, x)
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("store supplements: %w", err)
	}
	return nil
}

func putSupplement(tx *writeTx, x StoredSupplement) {
	if x.ID == "" || len(x.Lesson) > 0 && !json.Valid(x.Lesson) || len(x.Gate) > 0 && !json.Valid(x.Gate) {
		if tx.err == nil {
			tx.err = fmt.Errorf("supplement %q: %w", x.ID, ErrInvalid)
		}
		return
	}
	tx.exec(`INSERT OR REPLACE INTO supplements (id, stage, language, text, lesson, parents, evidence, author, at, gate, status, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		x.ID, x.Stage, x.Language, x.Text, string(x.Lesson), encodeList(x.Parents), encodeList(x.Evidence), x.Author, encodeTime(x.At),
		string(x.Gate), x.Status, x.Reason)
}

// Supplements returns every supplement, by time and id.
func (s *Store) Supplements(ctx context.Context) ([]StoredSupplement, error) {
	var out []StoredSupplement
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadSupplements(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read supplements: %w", err)
	}
	return out, nil
}

func loadSupplements(each rowsOf) ([]StoredSupplement, error) {
	var out []StoredSupplement
	err := each("SELECT id, stage, language, text, lesson, parents, evidence, author, at, gate, status, reason FROM supplements", nil, func(rows *sql.Rows) error {
		var x StoredSupplement
		var lesson, parents, evidence, at, gate string
		err := rows.Scan(&x.ID, &x.Stage, &x.Language, &x.Text, &lesson, &parents, &evidence, &x.Author, &at, &gate, &x.Status, &x.Reason)
		if err == nil {
			x.At, err = decodeTime(at)
		}
		if err == nil {
			x.Parents, err = decodeList[string](parents, "supplements.parents")
		}
		if err == nil {
			x.Evidence, err = decodeList[int64](evidence, "supplements.evidence")
		}
		x.Lesson, x.Gate = rawJSON(lesson), rawJSON(gate)
		out = append(out, x)
		return err
	})
	slices.SortFunc(out, func(a, b StoredSupplement) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return out, err
}

func rawJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// ActiveSupplements returns what is in force, by id, and the number of that version; 0
// while nothing ever was.
func (s *Store) ActiveSupplements(ctx context.Context) (version int64, active []StoredSupplement, err error) {
	_, err = s.snapshot(ctx, func(tx readTx) error {
		each := reader(ctx, tx)
		newest, err := newestVersion(each)
		if err != nil || len(newest.Active) == 0 {
			version = newest.Seq
			return err
		}
		all, err := loadSupplements(each)
		if err != nil {
			return err
		}
		version = newest.Seq
		for _, x := range all {
			if slices.Contains(newest.Active, x.ID) {
				active = append(active, x)
			}
		}
		slices.SortFunc(active, func(a, b StoredSupplement) int { return cmp.Compare(a.ID, b.ID) })
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("read the active supplements: %w", err)
	}
	return version, active, nil
}

// SupplementVersions returns every state of what was in force, oldest first.
func (s *Store) SupplementVersions(ctx context.Context) ([]SupplementVersion, error) {
	var out []SupplementVersion
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadSupplementVersions(reader(ctx, tx), "")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the versions of supplements: %w", err)
	}
	return out, nil
}

func newestVersion(each rowsOf) (SupplementVersion, error) {
	list, err := loadSupplementVersions(each, "WHERE seq = (SELECT max(seq) FROM supplement_versions)")
	if err != nil || len(list) == 0 {
		return SupplementVersion{}, err
	}
	return list[0], nil
}

func loadSupplementVersions(each rowsOf, where string) ([]SupplementVersion, error) {
	var out []SupplementVersion
	err := each("SELECT seq, at, active, author, note, restores FROM supplement_versions "+where+" ORDER BY seq", nil, func(rows *sql.Rows) error {
		v := SupplementVersion{Active: []string{}}
		var at, active string
		err := rows.Scan(&v.Seq, &at, &active, &v.Author, &v.Note, &v.Restores)
		if err == nil {
			v.At, err = decodeTime(at)
		}
		if err == nil && active != "" {
			v.Active, err = decodeList[string](active, "supplement_versions.active")
		}
		out = append(out, v)
		return err
	})
	return out, err
}

// ErrMoved says that what is in force is no longer what a change was made from.
var ErrMoved = errors.New("what is in force has changed meanwhile")

// Activation is a change of what is in force.
type Activation struct {
	From     int64              // the version that it was made from; ErrMoved if another one is in force
	Version  SupplementVersion  // the new one; Seq is given by the store
	Put      []StoredSupplement // supplements with their new status: what becomes active, and what no longer is
	Marks    []SupplementMarks  // what it does to stored facts
	TakeBack []string           // supplements whose marks on stored facts are undone
}

// ActivateSupplements changes what is in force, with what that does to stored facts,
// all of it or nothing, and returns the number of the new version.
func (s *Store) ActivateSupplements(ctx context.Context, a Activation) (seq int64, err error) {
	if a.Version.At.IsZero() {
		a.Version.At = s.opts.Now()
	}
	slices.Sort(a.Version.Active)
	err = s.update(ctx, func(tx *writeTx) error {
		newest, err := newestVersion(tx.rows())
		if err != nil {
			return err
		}
		if newest.Seq != a.From {
			return fmt.Errorf("version %d, and now it is %d: %w", a.From, newest.Seq, ErrMoved)
		}
		for _, x := range a.Put {
			if slices.Contains(a.Version.Active, x.ID) != (x.Status == SupplementActive) {
				return fmt.Errorf("supplement %q as %q: %w", x.ID, x.Status, ErrInvalid)
			}
			putSupplement(tx, x)
		}
		if err := activeThere(tx, a.Version.Active); err != nil {
			return err
		}
		for _, id := range a.TakeBack {
			if err := takeBackMarks(tx, id); err != nil {
				return err
			}
		}
		for _, m := range a.Marks {
			if err := applyMarks(tx, m); err != nil {
				return err
			}
		}
		seq = insertSupplementVersion(tx, a.Version)
		tx.changed = true
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("change the active supplements: %w", err)
	}
	return seq, nil
}

// activeThere holds that what is in force and what says so of itself are the same.
func activeThere(tx *writeTx, active []string) error {
	all, err := loadSupplements(tx.rows())
	if err != nil {
		return err
	}
	n := 0
	for _, x := range all {
		if in := slices.Contains(active, x.ID); in != (x.Status == SupplementActive) {
			return fmt.Errorf("supplement %q is %q, and its place among the active is %v: %w", x.ID, x.Status, in, ErrInvalid)
		} else if in {
			n++
		}
	}
	if n != len(active) {
		return fmt.Errorf("%d of %d active supplements are stored: %w", n, len(active), ErrInvalid)
	}
	return nil
}

func insertSupplementVersion(tx *writeTx, v SupplementVersion) (seq int64) {
	err := tx.scan("INSERT INTO supplement_versions (at, active, author, note, restores) VALUES (?, ?, ?, ?, ?) RETURNING seq",
		[]any{encodeTime(v.At), encodeList(v.Active), v.Author, v.Note, v.Restores}, &seq)
	if tx.err == nil {
		tx.err = err
	}
	return seq
}

// applyMarks changes the marks of a stored fact and keeps what it did. A fact that is
// gone meanwhile, or no longer has what is to be removed, is changed no further.
func applyMarks(tx *writeTx, m SupplementMarks) error {
	f, err := loadFact(tx.rows(), m.Fact)
	if err != nil || f == nil {
		return err
	}
	did := SupplementMarks{Supplement: m.Supplement, Fact: m.Fact, Added: m.Added}
	for _, mark := range m.Removed {
		if at := slices.IndexFunc(f.Marks, func(x privacy.Mark) bool { return sameMark(x, mark) }); at >= 0 {
			did.Removed = append(did.Removed, f.Marks[at])
			f.Marks = slices.Delete(f.Marks, at, at+1)
		}
	}
	f.Marks = append(f.Marks, m.Added...)
	updateFactRow(tx, f)
	tx.exec("INSERT OR REPLACE INTO supplement_marks (supplement, fact, added, removed) VALUES (?, ?, ?, ?)",
		m.Supplement, string(m.Fact), encodeList(did.Added), encodeList(did.Removed))
	return tx.err
}

// takeBackMarks undoes what a supplement did to the marks of stored facts.
func takeBackMarks(tx *writeTx, supplement string) error {
	list, err := loadSupplementMarks(tx.rows(), "WHERE supplement = ?", supplement)
	if err != nil {
		return err
	}
	for _, m := range list {
		f, err := loadFact(tx.rows(), m.Fact)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		for _, mark := range m.Added {
			if at := slices.IndexFunc(f.Marks, func(x privacy.Mark) bool { return sameMark(x, mark) }); at >= 0 {
				f.Marks = slices.Delete(f.Marks, at, at+1)
			}
		}
		f.Marks = append(f.Marks, m.Removed...)
		updateFactRow(tx, f)
	}
	tx.exec("DELETE FROM supplement_marks WHERE supplement = ?", supplement)
	return tx.err
}

// sameMark reports whether two marks say the same, by the same rule.
func sameMark(a, b privacy.Mark) bool {
	return a.Kind == b.Kind && a.Value == b.Value && a.By == b.By && a.Rule == b.Rule && a.Turn == b.Turn && encodeTime(a.At) == encodeTime(b.At)
}

// SupplementMarks returns what supplements did to the marks of stored facts.
func (s *Store) SupplementMarks(ctx context.Context) ([]SupplementMarks, error) {
	var out []SupplementMarks
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadSupplementMarks(reader(ctx, tx), "")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what supplements did: %w", err)
	}
	return out, nil
}

func loadSupplementMarks(each rowsOf, where string, args ...any) ([]SupplementMarks, error) {
	var out []SupplementMarks
	err := each("SELECT supplement, fact, added, removed FROM supplement_marks "+where+" ORDER BY supplement, fact", args, func(rows *sql.Rows) error {
		var m SupplementMarks
		var added, removed string
		err := rows.Scan(&m.Supplement, &m.Fact, &added, &removed)
		if err == nil {
			m.Added, err = decodeList[privacy.Mark](added, "supplement_marks.added")
		}
		if err == nil {
			m.Removed, err = decodeList[privacy.Mark](removed, "supplement_marks.removed")
		}
		out = append(out, m)
		return err
	})
	return out, err
}

// pruneSupplements takes the evidence that is gone out of supplements. One that rests on
// nothing else goes, whether it is in force or not, and so does a note that says what
// was forgotten; what it did to facts that stay, stays, since a mark that goes may open.
func pruneSupplements(tx *writeTx, now time.Time, tells func(string) bool) (gone int, err error) {
	all, err := loadSupplements(tx.rows())
	if err != nil {
		return 0, err
	}
	feedback, err := loadFeedback(tx.rows())
	if err != nil {
		return 0, err
	}
	there := make(map[int64]bool, len(feedback))
	for _, f := range feedback {
		there[f.ID] = true
	}
	newest, err := newestVersion(tx.rows())
	if err != nil {
		return 0, err
	}
	active, goneIDs := slices.Clone(newest.Active), map[string]bool{}
	for _, x := range all {
		left := slices.DeleteFunc(slices.Clone(x.Evidence), func(id int64) bool { return !there[id] })
		switch {
		case len(x.Evidence) > 0 && len(left) == 0, tells(x.Text):
			tx.exec("DELETE FROM supplements WHERE id = ?", x.ID)
			tx.exec("DELETE FROM supplement_marks WHERE supplement = ?", x.ID)
			active = slices.DeleteFunc(active, func(id string) bool { return id == x.ID })
			goneIDs[x.ID] = true
		case len(left) < len(x.Evidence):
			tx.exec("UPDATE supplements SET evidence = ? WHERE id = ?", encodeList(left), x.ID)
		}
	}
	if len(goneIDs) == 0 {
		return 0, tx.err
	}
	// No version may bring back what is gone.
	versions, err := loadSupplementVersions(tx.rows(), "")
	if err != nil {
		return 0, err
	}
	for _, v := range versions {
		left := slices.DeleteFunc(slices.Clone(v.Active), func(id string) bool { return goneIDs[id] })
		if len(left) < len(v.Active) {
			tx.exec("UPDATE supplement_versions SET active = ? WHERE seq = ?", encodeList(left), v.Seq)
		}
	}
	if len(active) < len(newest.Active) {
		insertSupplementVersion(tx, SupplementVersion{At: now, Active: active, Author: "owner", Note: "what it rested on was forgotten"})
	}
	tx.changed = true
	return len(goneIDs), tx.err
}
