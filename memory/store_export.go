package memory

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The kinds of an export's records, in the order in which they come.
const (
	ExportHeader    = "epagent"            // exportHeader, first and once
	ExportSession   = "session"            // Session
	ExportLayers    = "layers"             // Layers of the session before it
	ExportFact      = "fact"               // Fact
	ExportEventRule = "event_rule"         // privacy.EventRule
	ExportExemplar  = "exemplar"           // Exemplar
	ExportLedger    = "ledger"             // LedgerEntry
	ExportPolicy    = "policy"             // PolicyVersion
	ExportFeedback  = "feedback"           // Feedback
	ExportLearned   = "supplement"         // StoredSupplement
	ExportInForce   = "supplement_version" // SupplementVersion
	ExportDid       = "supplement_marks"   // SupplementMarks
	ExportPeople    = "people"             // People
	ExportForgotten = "forgotten"          // tombstones, so that they hold in the next home
)

// exportVersion is that of the export's form. A reader refuses a higher one.
const exportVersion = 1

type exportHeader struct {
	Version int `json:"version"`
}

// exportedGraves are tombstones with the keys that they were made with.
type exportedGraves struct {
	Keys   []string `json:"keys"`
	Hashes []string `json:"hashes"`
}

// Export hands out everything that the record holds in a form of its own, one
// value a call: what can be made anew (vectors, terms) is left out, and so is the
// history of facts: in the next home it begins with the import. An error of emit
// ends it. All is of one moment.
func (s *Store) Export(ctx context.Context, emit func(kind string, v any) error) error {
	_, err := s.snapshot(ctx, func(tx readTx) error {
		each := reader(ctx, tx)
		if err := emit(ExportHeader, exportHeader{exportVersion}); err != nil {
			return err
		}
		if err := exportSessions(each, emit); err != nil {
			return err
		}
		facts, err := loadFacts(each)
		if err == nil {
			err = emitAll(emit, ExportFact, facts)
		}
		if err != nil {
			return err
		}
		rules, err := loadEventRules(each)
		if err == nil {
			err = emitAll(emit, ExportEventRule, rules)
		}
		if err != nil {
			return err
		}
		exemplars, err := loadExemplars(each)
		if err == nil {
			err = emitAll(emit, ExportExemplar, exemplars)
		}
		if err != nil {
			return err
		}
		ledger, err := loadLedger(each)
		if err == nil {
			err = emitAll(emit, ExportLedger, ledger)
		}
		if err != nil {
			return err
		}
		policies, err := loadPolicyVersions(each)
		if err == nil {
			err = emitAll(emit, ExportPolicy, policies)
		}
		if err != nil {
			return err
		}
		feedback, err := loadFeedback(each)
		if err == nil {
			err = emitAll(emit, ExportFeedback, feedback)
		}
		if err != nil {
			return err
		}
		if err := exportSupplements(each, emit); err != nil {
			return err
		}
		people, err := readPeople(each)
		if err == nil && len(people.Handles)+len(people.Contacts)+len(people.Owner)+len(people.Apart) > 0 {
			err = emit(ExportPeople, people)
		}
		if err != nil {
			return err
		}
		return exportGraves(each, emit)
	})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func emitAll[T any](emit func(string, any) error, kind string, list []T) error {
	for i := range list {
		if err := emit(kind, list[i]); err != nil {
			return err
		}
	}
	return nil
}

func exportSessions(each rowsOf, emit func(string, any) error) error {
	var ids []string
	err := each("SELECT id FROM sessions ORDER BY id", nil, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		session, err := loadSession(each, id)
		if err != nil {
			return err
		}
		if err := emit(ExportSession, *session); err != nil {
			return err
		}
		layers := Layers{Session: id}
		if layers.Entries, err = loadEntries(each, id); err != nil {
			return err
		}
		err = each("SELECT text FROM summaries WHERE session = ?", []any{id}, func(rows *sql.Rows) error { return rows.Scan(&layers.Summary) })
		if err != nil {
			return err
		}
		if layers.Grains, err = loadGrains(each, id); err != nil {
			return err
		}
		if len(layers.Entries) == 0 && layers.Summary == "" && len(layers.Grains) == 0 {
			continue
		}
		if err := emit(ExportLayers, layers); err != nil {
			return err
		}
	}
	return nil
}

func exportGraves(each rowsOf, emit func(string, any) error) error {
	var out exportedGraves
	hexRow := func(into *[]string) func(rows *sql.Rows) error {
		return func(rows *sql.Rows) error {
			var b []byte
			err := rows.Scan(&b)
			*into = append(*into, hex.EncodeToString(b))
			return err
		}
	}
	err := each("SELECT hash FROM tombstones ORDER BY hash", nil, hexRow(&out.Hashes))
	if err != nil || len(out.Hashes) == 0 {
		return err
	}
	if err := each("SELECT key FROM tombstone_keys ORDER BY id", nil, hexRow(&out.Keys)); err != nil {
		return err
	}
	return emit(ExportForgotten, out)
}

// exportLine is one line of a written export.
type exportLine struct {
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// ExportTo writes an export as lines of JSON: {"kind": …, "value": …}.
func (s *Store) ExportTo(ctx context.Context, w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	err := s.Export(ctx, func(kind string, v any) error {
		value, err := json.Marshal(v)
		if err != nil {
			return err
		}
		line, err := json.Marshal(exportLine{kind, value})
		if err != nil {
			return err
		}
		_, err = buffered.Write(append(line, '\n'))
		return err
	})
	return errors.Join(err, buffered.Flush())
}

// imported is an export read back.
type imported struct {
	batch     Batch
	exemplars []Exemplar
	ledger    []LedgerEntry
	policies  []PolicyVersion
	feedback  []Feedback
	learned   importedSupplements
	people    People
	graves    exportedGraves
}

// ImportExport reads what ExportTo wrote into this record, all of it or nothing.
// What is there already is not doubled: sessions, facts and rules as in
// [Store.Apply], exemplars, ledger entries and policy versions by their contents.
// Of supplements only what admit lets through is in force by it; nil lets none through.
// ErrInvalid names the line that doesn't fit.
func (s *Store) ImportExport(ctx context.Context, r io.Reader, admit Admit) (Applied, error) {
	in, err := readExport(r, admit)
	if err == nil {
		err = in.batch.check()
	}
	var texts embedded
	if err == nil {
		texts, err = s.embedBatch(ctx, in.batch)
	}
	if err != nil {
		return Applied{}, fmt.Errorf("import an export: %w", err)
	}
	var done Applied
	unembedded := false
	err = s.update(ctx, func(tx *writeTx) error {
		if err := in.writeRest(tx); err != nil {
			return err
		}
		done = Applied{}
		if err := newApplier(s, tx, texts, &done).run(in.batch); err != nil {
			return err
		}
		unembedded = tx.unembedded
		return in.learned.writeMarks(tx)
	})
	if err == nil && unembedded {
		err = s.fillVectors(ctx, s.Embedder(), nil)
	}
	if err != nil {
		return Applied{}, fmt.Errorf("import an export: %w", err)
	}
	return done, nil
}

func readExport(r io.Reader, admit Admit) (*imported, error) {
	out := &imported{}
	out.learned.admit = admit
	dec := json.NewDecoder(r)
	for n := 1; ; n++ {
		var line exportLine
		err := dec.Decode(&line)
		if errors.Is(err, io.EOF) {
			if n == 1 {
				return nil, fmt.Errorf("the file is empty: %w", ErrInvalid)
			}
			return out, nil
		}
		if err == nil {
			err = out.take(n, line)
		}
		if err != nil {
			// A syntax error of JSON may quote a character, never a text.
			return nil, fmt.Errorf("record %d: %w: write the export anew (%w)", n, ErrInvalid, err)
		}
	}
}

var errExportForm = errors.New("not an export of this form")

func (in *imported) take(n int, line exportLine) error {
	if (n == 1) != (line.Kind == ExportHeader) {
		return fmt.Errorf("kind %q at this place: %w", line.Kind, errExportForm)
	}
	switch line.Kind {
	case ExportHeader:
		var h exportHeader
		if err := strictJSON(line.Value, &h); err != nil {
			return err
		}
		if h.Version < 1 || h.Version > exportVersion {
			return fmt.Errorf("version %d, this release reads up to %d; update epagent: %w", h.Version, exportVersion, errExportForm)
		}
		return nil
	case ExportSession:
		return takeOne(line.Value, &in.batch.Sessions)
	case ExportLayers:
		return takeOne(line.Value, &in.batch.Layers)
	case ExportFact:
		return takeOne(line.Value, &in.batch.Facts)
	case ExportEventRule:
		return takeOne(line.Value, &in.batch.EventRules)
	case ExportExemplar:
		return takeOne(line.Value, &in.exemplars)
	case ExportLedger:
		return takeOne(line.Value, &in.ledger)
	case ExportPolicy:
		return takeOne(line.Value, &in.policies)
	case ExportFeedback:
		if err := takeOne(line.Value, &in.feedback); err != nil {
			return err
		}
		return in.feedback[len(in.feedback)-1].check()
	case ExportLearned:
		return in.learned.take(line.Value)
	case ExportInForce:
		return takeOne(line.Value, &in.learned.versions)
	case ExportDid:
		return takeOne(line.Value, &in.learned.marks)
	case ExportPeople:
		return strictJSON(line.Value, &in.people)
	case ExportForgotten:
		return strictJSON(line.Value, &in.graves)
	}
	return fmt.Errorf("kind %q: %w", line.Kind, errExportForm)
}

func takeOne[T any](value json.RawMessage, into *[]T) error {
	var one T
	if err := strictJSON(value, &one); err != nil {
		return err
	}
	*into = append(*into, one)
	return nil
}

func strictJSON(value json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// writeRest stores what a batch doesn't carry, tombstones first.
func (in *imported) writeRest(tx *writeTx) error {
	for _, part := range []struct {
		list  []string
		size  int
		query string
	}{
		{in.graves.Keys, 32, "INSERT OR IGNORE INTO tombstone_keys (key) VALUES (?)"},
		{in.graves.Hashes, sha256.Size, "INSERT OR IGNORE INTO tombstones (hash) VALUES (?)"},
	} {
		for _, text := range part.list {
			b, err := hex.DecodeString(text)
			if err != nil || len(b) != part.size {
				return fmt.Errorf("a tombstone of the export is not %d bytes in hex: %w", part.size, ErrInvalid)
			}
			tx.exec(part.query, b)
		}
	}
	if tx.err != nil {
		return tx.err
	}
	in.people.write(tx)
	exemplars, err := loadExemplars(tx.rows())
	if err != nil {
		return err
	}
	ledger, err := loadLedger(tx.rows())
	if err != nil {
		return err
	}
	policies, err := loadPolicyVersions(tx.rows())
	if err != nil {
		return err
	}
	feedback, err := loadFeedback(tx.rows())
	if err != nil {
		return err
	}
	addMissing(exemplars, in.exemplars, func(e *Exemplar) { e.ID = 0 }, func(e Exemplar) { insertExemplar(tx, e) })
	addMissing(ledger, in.ledger, func(e *LedgerEntry) { e.ID = 0 }, func(e LedgerEntry) { insertLedger(tx, e) })
	addMissing(policies, in.policies, func(v *PolicyVersion) { v.Seq = 0 }, func(v PolicyVersion) { insertPolicyVersion(tx, v) })
	// The ledger is numbered anew: what an entry was is not to be found by its number.
	addMissing(feedback, in.feedback, unnumberFeedback, func(f Feedback) { f.Entry = 0; insertFeedback(tx, f) })
	return in.learned.write(tx, in.feedback)
}

// addMissing adds the values of more that have lacks, compared without their
// numbers. A value that more has twice is added twice.
func addMissing[T any](have, more []T, unnumber func(*T), add func(T)) {
	key := func(v T) string {
		unnumber(&v)
		b, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(b)
	}
	counts := make(map[string]int, len(have))
	for _, v := range have {
		counts[key(v)]++
	}
	for _, v := range more {
		k := key(v)
		if counts[k] > 0 {
			counts[k]--
			continue
		}
		add(v)
	}
}
