package memory

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	tx.exec(`INSERT OR REPLACE INTO supplements (id, stage, language, text, lesson, parents, evidence, author, at, gate, status, reason, scope)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		x.ID, x.Stage, x.Language, x.Text, string(x.Lesson), encodeList(x.Parents), encodeList(x.Evidence), x.Author, encodeTime(x.At),
		string(x.Gate), x.Status, x.Reason, encodeScope(x.Scope))
}

// encodeScope keeps a scope without a category apart from one that isn't noted.
func encodeScope(ids []privacy.CategoryID) string {
	if ids != nil && len(ids) == 0 {
		return "[]"
	}
	return encodeList(ids)
}

func decodeScope(text string) ([]privacy.CategoryID, error) {
	if text == "[]" {
		return []privacy.CategoryID{}, nil
	}
	return decodeList[privacy.CategoryID](text, "supplements.scope")
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
	err := each("SELECT id, stage, language, text, lesson, parents, evidence, author, at, gate, status, reason, scope FROM supplements", nil, func(rows *sql.Rows) error {
		var x StoredSupplement
		var lesson, parents, evidence, at, gate, scope string
		err := rows.Scan(&x.ID, &x.Stage, &x.Language, &x.Text, &lesson, &parents, &evidence, &x.Author, &at, &gate, &x.Status, &x.Reason, &scope)
		if err == nil {
			x.At, err = decodeTime(at)
		}
		if err == nil {
			x.Parents, err = decodeList[string](parents, "supplements.parents")
		}
		if err == nil {
			x.Evidence, err = decodeList[int64](evidence, "supplements.evidence")
		}
		if err == nil {
			x.Scope, err = decodeScope(scope)
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
	From    int64              // the version that it was made from; ErrMoved if another one is in force
	Version SupplementVersion  // the new one; Seq is given by the store
	Put     []StoredSupplement // supplements with their new status: what becomes active, and what no longer is
	Relabelling
	// Seen is the revision of the record that it was made from: ErrMoved where a fact has
	// come in or was changed since. 0: that isn't asked.
	Seen int64
}

// Relabelling gives stored facts the marks of another set of supplements.
type Relabelling struct {
	// Facts lose what every supplement did to them before Marks are applied; of other
	// facts Marks say nothing.
	Facts []privacy.FactID
	Marks []SupplementMarks // what each supplement does to them, one after the other
}

// relabel carries a relabelling out. A fact that is gone meanwhile is passed over.
func (r *Relabelling) relabel(tx *writeTx) error {
	does := map[privacy.FactID][]SupplementMarks{}
	for _, m := range r.Marks {
		does[m.Fact] = append(does[m.Fact], m)
	}
	for _, id := range r.Facts {
		if err := relabelFact(tx, id, does[id]); err != nil {
			return err
		}
	}
	return tx.err
}

// relabelFact undoes what supplements did to a fact, and has others do theirs.
func relabelFact(tx *writeTx, id privacy.FactID, does []SupplementMarks) error {
	f, err := loadFact(tx.rows(), id)
	if err != nil || f == nil {
		return err
	}
	did, err := loadSupplementMarks(tx.rows(), "WHERE fact = ?", string(id))
	if err != nil {
		return err
	}
	tx.exec("DELETE FROM supplement_marks WHERE fact = ?", string(id))
	f.Marks = Unsupplemented(f.Marks, did...)
	for _, m := range does {
		// What a supplement removes and the fact no longer has is not brought back one day.
		there := slices.DeleteFunc(slices.Clone(m.Removed), func(x privacy.Mark) bool { return !hasMark(f.Marks, x) })
		f.Marks = append(less(f.Marks, there), m.Added...)
		insertSupplementMarks(tx, SupplementMarks{Supplement: m.Supplement, Fact: id, Added: m.Added, Removed: there})
	}
	updateFactRow(tx, f)
	return tx.err
}

func insertSupplementMarks(tx *writeTx, m SupplementMarks) {
	tx.exec("INSERT OR REPLACE INTO supplement_marks (supplement, fact, added, removed) VALUES (?, ?, ?, ?)",
		m.Supplement, string(m.Fact), encodeList(m.Added), encodeList(m.Removed))
}

// Unsupplemented are marks as they were before supplements did what did says, in whatever
// order: what one of them added and another removed is in neither.
func Unsupplemented(marks []privacy.Mark, did ...SupplementMarks) []privacy.Mark {
	out := slices.Clone(marks)
	for _, m := range did {
		out = append(out, m.Removed...)
	}
	for _, m := range did {
		out = less(out, m.Added)
	}
	return out
}

// less is marks without those of gone, each once.
func less(marks, gone []privacy.Mark) []privacy.Mark {
	out := slices.Clone(marks)
	for _, g := range gone {
		if at := slices.IndexFunc(out, func(m privacy.Mark) bool { return sameMark(m, g) }); at >= 0 {
			out = slices.Delete(out, at, at+1)
		}
	}
	return out
}

func hasMark(marks []privacy.Mark, m privacy.Mark) bool {
	return slices.ContainsFunc(marks, func(x privacy.Mark) bool { return sameMark(x, m) })
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
		if a.Seen > 0 {
			var since int
			if err := tx.scan("SELECT count(*) FROM facts WHERE revision > ?", []any{a.Seen}, &since); err != nil {
				return err
			}
			if since > 0 {
				return fmt.Errorf("%d facts came in or were changed: %w", since, ErrMoved)
			}
		}
		if err := a.relabel(tx); err != nil {
			return err
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

// pruned is what a forgetting takes out of what was learned.
type pruned struct {
	gone []string // supplements, sorted
	left []string // of those in force; nil where none of them went
}

// pruneSupplements takes the evidence that is gone out of supplements. One that rests on
// nothing else goes, whether it is in force or not, and so does a note that says what
// was forgotten: from every version, and with no tombstone, since its id is that of its
// content (see unname).
func pruneSupplements(tx *writeTx, now time.Time, tells func(string) bool) (out pruned, err error) {
	all, err := loadSupplements(tx.rows())
	if err != nil || len(all) == 0 {
		return out, err
	}
	feedback, err := loadFeedback(tx.rows())
	if err != nil {
		return out, err
	}
	there := make(map[int64]bool, len(feedback))
	for _, f := range feedback {
		there[f.ID] = true
	}
	newest, err := newestVersion(tx.rows())
	if err != nil {
		return out, err
	}
	gone := map[string]bool{}
	for _, x := range all {
		left := slices.DeleteFunc(slices.Clone(x.Evidence), func(id int64) bool { return !there[id] })
		switch {
		case len(x.Evidence) > 0 && len(left) == 0, tells(x.Text):
			tx.exec("DELETE FROM supplements WHERE id = ?", x.ID)
			gone[x.ID] = true
			out.gone = append(out.gone, x.ID)
		case len(left) < len(x.Evidence):
			tx.exec("UPDATE supplements SET evidence = ? WHERE id = ?", encodeList(left), x.ID)
			tx.changed = true
		}
	}
	if len(gone) == 0 {
		return out, tx.err
	}
	slices.Sort(out.gone)
	// No version may bring back what is gone.
	versions, err := loadSupplementVersions(tx.rows(), "")
	if err != nil {
		return out, err
	}
	for _, v := range versions {
		left := slices.DeleteFunc(slices.Clone(v.Active), func(id string) bool { return gone[id] })
		if len(left) < len(v.Active) {
			tx.exec("UPDATE supplement_versions SET active = ? WHERE seq = ?", encodeList(left), v.Seq)
		}
	}
	if left := slices.DeleteFunc(slices.Clone(newest.Active), func(id string) bool { return gone[id] }); len(left) < len(newest.Active) {
		insertSupplementVersion(tx, SupplementVersion{At: now, Active: left, Author: "owner", Note: "what it rested on was forgotten"})
		out.left = left
	}
	tx.changed = true
	return out, tx.err
}

// Unlearn is what becomes of the marks of stored facts where supplements go with what they
// rest on.
type Unlearn struct {
	Gone []string // the supplements that it is made for; ErrMoved where others go
	Relabelling
}

// unlearn takes back what the supplements that are gone did to facts that stay, as far as
// the plan for it does: what it leaves as it is stays so for good.
func (p pruned) unlearn(tx *writeTx, plan *Unlearn) error {
	if plan != nil && !slices.Equal(plan.Gone, p.gone) {
		return fmt.Errorf("%d supplements go by it, and %d were expected: %w", len(p.gone), len(plan.Gone), ErrMoved)
	}
	if plan != nil {
		if err := plan.relabel(tx); err != nil {
			return err
		}
	}
	for _, id := range p.gone {
		tx.exec("DELETE FROM supplement_marks WHERE supplement = ?", id)
		unname(tx, id)
	}
	return tx.err
}

// ForgottenSupplement begins what stands for a supplement that was forgotten; what follows
// is random.
const ForgottenSupplement = "forgotten-"

// unname puts something random in the place of the id of a supplement that is gone,
// wherever it stands: the id is a hash of what the supplement said, the same in every home,
// so that a guess could be tested by it.
func unname(tx *writeTx, id string) {
	stands := ForgottenSupplement + strings.ToLower(rand.Text()[:10])
	for _, at := range []struct{ table, column string }{
		{"fact_history", "marks"}, {"supplement_versions", "active"}, {"supplement_versions", "note"},
		{"supplements", "parents"}, {"supplements", "reason"}, {"supplement_marks", "added"}, {"supplement_marks", "removed"},
		{"evolution_runs", "candidates"},
	} {
		tx.exec("UPDATE "+at.table+" SET "+at.column+" = replace("+at.column+", ?1, ?2) WHERE instr("+at.column+", ?1) > 0", id, stands)
	}
	tx.exec("UPDATE facts SET marks = replace(marks, ?1, ?2), revision = ?3 WHERE instr(marks, ?1) > 0", id, stands, tx.revision)
	tx.exec("DELETE FROM waiting_changes WHERE instr(change, ?1) > 0", id)
	tx.changed = true
}
