package memory

import (
	"encoding/json"
	"slices"
)

// exportSupplements hands out what the stages learned, what of it was in force when,
// and what it did to stored facts. Runs are of a home alone.
func exportSupplements(each rowsOf, emit func(string, any) error) error {
	supplements, err := loadSupplements(each)
	if err == nil {
		err = emitAll(emit, ExportLearned, supplements)
	}
	if err != nil {
		return err
	}
	versions, err := loadSupplementVersions(each, "")
	if err == nil {
		err = emitAll(emit, ExportInForce, versions)
	}
	if err != nil {
		return err
	}
	marks, err := loadSupplementMarks(each, "")
	if err != nil {
		return err
	}
	return emitAll(emit, ExportDid, marks)
}

// importedSupplements is what an export holds of them.
type importedSupplements struct {
	supplements []StoredSupplement
	versions    []SupplementVersion
	marks       []SupplementMarks

	admit    Admit
	admitted map[string]bool // by id
	whole    bool            // the versions were taken over, and the marks belong to them
}

// Admit says whether a supplement of an export may be in force where it comes to as it
// was where it comes from. An error refuses the whole export: this is none that was
// written so.
type Admit func(StoredSupplement) (inForce bool, err error)

// take takes a supplement of the export.
func (in *importedSupplements) take(value json.RawMessage) error {
	if err := takeOne(value, &in.supplements); err != nil || in.admit == nil {
		return err
	}
	x := in.supplements[len(in.supplements)-1]
	ok, err := in.admit(x)
	if in.admitted == nil {
		in.admitted = map[string]bool{}
	}
	before, twice := in.admitted[x.ID]
	in.admitted[x.ID] = ok && (before || !twice) // what stands there twice is the worse of the two
	return err
}

// What a supplement becomes that was in force elsewhere: in a home with its own, what its
// own cases have to bear out; in an empty one, what waits for the owner.
const (
	statusImported = "candidate"
	statusRestored = SupplementProposed
)

// write stores what isn't there yet. A home in which nothing was ever in force takes
// the versions over, with those in them that are admitted; in another one, what was in
// force comes in as a candidate.
func (in *importedSupplements) write(tx *writeTx, given []Feedback) error {
	if len(in.supplements)+len(in.versions) == 0 {
		return tx.err
	}
	newest, err := newestVersion(tx.rows())
	if err != nil {
		return err
	}
	have, err := loadSupplements(tx.rows())
	if err != nil {
		return err
	}
	renumber, err := renumbered(tx, given)
	if err != nil {
		return err
	}
	in.whole = newest.Seq == 0 && len(have) == 0
	for _, x := range in.supplements {
		if slices.ContainsFunc(have, func(y StoredSupplement) bool { return y.ID == x.ID }) {
			continue
		}
		var evidence []int64
		for _, id := range x.Evidence {
			if now, ok := renumber[id]; ok {
				evidence = append(evidence, now)
			}
		}
		x.Evidence = evidence
		x.Gate = nil // a trial is this home's own; a file can say anything
		if x.Status != SupplementActive || !in.whole || !in.admitted[x.ID] {
			x.Scope = nil // it isn't approved here
		}
		switch {
		case x.Status != SupplementActive:
		case !in.whole:
			x.Status, x.Reason = statusImported, "it was in force in another home"
		case !in.admitted[x.ID]:
			x.Status, x.Reason = statusRestored, "it was in force in the home of the backup"
		}
		putSupplement(tx, x)
	}
	if in.whole {
		renamed := map[int64]int64{}
		for _, v := range in.versions {
			old := v.Seq
			v.Restores = renamed[v.Restores]
			v.Active = slices.DeleteFunc(v.Active, func(id string) bool { return !in.admitted[id] })
			renamed[old] = insertSupplementVersion(tx, v)
		}
		if newest, err = newestVersion(tx.rows()); err != nil {
			return err
		}
		if err := activeThere(tx, newest.Active); err != nil {
			return err
		}
	}
	return tx.err
}

// writeMarks notes what supplements did to the facts that came with them.
func (in *importedSupplements) writeMarks(tx *writeTx) error {
	if !in.whole {
		return tx.err
	}
	for _, m := range in.marks {
		tx.exec("INSERT OR IGNORE INTO supplement_marks (supplement, fact, added, removed) SELECT ?, id, ?, ? FROM facts WHERE id = ?",
			m.Supplement, encodeList(m.Added), encodeList(m.Removed), string(m.Fact))
	}
	return tx.err
}

// unnumberFeedback takes away what a piece of feedback is called by in one home alone.
func unnumberFeedback(f *Feedback) { f.ID, f.Entry, f.Supplements = 0, 0, 0 }

// renumbered maps the numbers of feedback in an export to those that it has here.
func renumbered(tx *writeTx, given []Feedback) (map[int64]int64, error) {
	stored, err := loadFeedback(tx.rows())
	if err != nil {
		return nil, err
	}
	key := func(f Feedback) string {
		unnumberFeedback(&f)
		b, err := json.Marshal(f)
		if err != nil {
			return ""
		}
		return string(b)
	}
	here := map[string][]int64{}
	for _, f := range stored {
		here[key(f)] = append(here[key(f)], f.ID)
	}
	out := map[int64]int64{}
	for _, f := range given {
		k := key(f)
		if ids := here[k]; len(ids) > 0 {
			out[f.ID] = ids[0]
			here[k] = ids[1:]
		}
	}
	return out, nil
}
