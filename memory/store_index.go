package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// indexed is what the record keeps of a text for finding it.
type indexed struct {
	text   string
	terms  string // see encodeTerms
	model  string // "" while the vector is to be made
	vector []byte
}

// embedded holds the indexed forms of a batch's texts.
type embedded struct {
	facts   map[privacy.FactID]indexed
	entries map[string]indexed // entries and grains
}

func (e *embedded) entry(id string) (indexed, bool) {
	if e == nil {
		return indexed{}, false
	}
	in, ok := e.entries[id]
	return in, ok
}

func factTerms(f *Fact) string {
	return encodeTerms(lexical.IndexTerms(f.Text), dateTerms(f.Text, f.SaidAt, f.HappenedAt))
}

func entryTerms(e *Entry) string {
	return encodeTerms(withMarks(e), dateTerms(e.Text, e.When))
}

// withMarks are the terms of an entry's words, and those of its keywords, persons and
// place that its words don't have.
func withMarks(e *Entry) []string {
	terms := lexical.IndexTerms(e.Text)
	said := len(terms)
	for _, term := range lexical.IndexTerms(strings.Join(append(append(slices.Clone(e.Keywords), e.Persons...), e.Place), " ")) {
		if !slices.Contains(terms[:said], term) && !slices.Contains(terms[said:], term) {
			terms = append(terms, term)
		}
	}
	return terms
}

func grainTerms(g *Grain) string {
	return encodeTerms(lexical.IndexTerms(g.Text), dateTerms(g.Text, g.When))
}

// dateTerms returns the words by which somebody may ask for a day: "8 May 2023",
// and in a Chinese text "2023年5月8日".
func dateTerms(text string, stamps ...privacy.Stamp) []string {
	var out []string
	for _, stamp := range stamps {
		han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
		out = union(out, dayTerms.of(stamp.Date(), han))
	}
	return out
}

// days remembers the words of the days asked for last: many texts are of one day.
type days struct {
	mu    sync.Mutex
	words map[day][]string
}

type day struct {
	date string
	han  bool
}

const daysKept = 2048

var dayTerms = days{words: map[day][]string{}}

// of returns the words of the day "2006-01-02", none for anything else. They are not
// to be changed.
func (d *days) of(date string, han bool) []string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	words, ok := d.words[day{date, han}]
	if !ok {
		words = lexical.Terms(at.Format("2 January 2006"))
		if han {
			words = append(words, lexical.Terms(at.Format("2006年1月2日"))...)
		}
		if len(d.words) >= daysKept {
			clear(d.words)
		}
		d.words[day{strings.Clone(date), han}] = words
	}
	return words
}

// embedBatch makes terms and vectors of what b brings and the record lacks. It
// runs before the transaction: an embedder may be slow, and a lock is not held
// for it.
func (s *Store) embedBatch(ctx context.Context, b Batch) (embedded, error) {
	out := embedded{map[privacy.FactID]indexed{}, map[string]indexed{}}
	if s.write == nil {
		return out, fmt.Errorf("%s: %w: open it for writing", s.path, ErrReadOnly)
	}
	var texts []string
	var set []func(vector []byte)
	model := modelName(s.Embedder())
	_, err := s.snapshot(ctx, func(tx readTx) error {
		ids := make([]string, len(b.Facts))
		for i := range b.Facts {
			ids[i] = string(b.Facts[i].ID)
		}
		knownFact, err := among(reader(ctx, tx), "SELECT id FROM facts WHERE id IN", ids)
		if err != nil {
			return err
		}
		sessions := make([]string, len(b.Layers))
		for i := range b.Layers {
			sessions[i] = b.Layers[i].Session
		}
		knownSession, err := among(reader(ctx, tx), "SELECT id FROM sessions WHERE id IN", sessions)
		if err != nil {
			return err
		}
		for i := range b.Facts {
			f := &b.Facts[i]
			if knownFact[string(f.ID)] {
				continue
			}
			if _, twice := out.facts[f.ID]; twice {
				continue
			}
			in := indexed{text: f.Text, terms: factTerms(f), model: model}
			out.facts[f.ID] = in
			texts = append(texts, f.Text)
			set = append(set, func(vector []byte) { in.vector = vector; out.facts[f.ID] = in })
		}
		for i := range b.Layers {
			var before []Entry
			var grains []Grain
			if knownSession[b.Layers[i].Session] {
				if before, err = loadEntries(reader(ctx, tx), b.Layers[i].Session); err != nil {
					return err
				}
				if grains, err = loadGrains(reader(ctx, tx), b.Layers[i].Session); err != nil {
					return err
				}
			}
			known := make(map[string]*Entry, len(before))
			for j := range before {
				known[before[j].ID] = &before[j]
			}
			for j := range b.Layers[i].Entries {
				e := &b.Layers[i].Entries[j]
				if was := known[e.ID]; was != nil && was.found(e) {
					continue
				}
				in := indexed{text: e.Text, terms: entryTerms(e), model: model}
				out.entries[e.ID] = in
				texts = append(texts, e.Text)
				set = append(set, func(vector []byte) { in.vector = vector; out.entries[e.ID] = in })
			}
			for _, g := range b.Layers[i].Grains {
				if slices.ContainsFunc(grains, g.equal) {
					continue
				}
				id := grainID(b.Layers[i].Session, g.Kind)
				in := indexed{text: g.Text, terms: grainTerms(&g), model: model}
				out.entries[id] = in
				texts = append(texts, g.Text)
				set = append(set, func(vector []byte) { in.vector = vector; out.entries[id] = in })
			}
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	vectors, err := embedAll(ctx, s.Embedder(), texts)
	if err != nil {
		return out, err
	}
	for i, v := range vectors {
		set[i](v)
	}
	return out, nil
}

// embedAll returns the stored form of each text's vector, nil for a text without
// content. What the embedder gives is checked: ErrVector.
func embedAll(ctx context.Context, e Embedder, texts []string) ([][]byte, error) {
	const most = 512 // texts a call
	out := make([][]byte, 0, len(texts))
	for len(texts) > 0 {
		n := min(most, len(texts))
		vectors, err := e.Embed(ctx, texts[:n])
		if err != nil {
			return nil, fmt.Errorf("embed with %q: %w", e.Model(), err)
		}
		if len(vectors) != n {
			return nil, fmt.Errorf("embed with %q: %d vectors for %d texts: %w", e.Model(), len(vectors), n, ErrVector)
		}
		for _, v := range vectors {
			encoded, err := checkedVector(v, e.Dimensions())
			if err != nil {
				return nil, fmt.Errorf("embed with %q: %w", e.Model(), err)
			}
			out = append(out, encoded)
		}
		texts = texts[n:]
	}
	return out, nil
}

func checkedVector(v []float32, dim int) ([]byte, error) {
	if len(v) == dim && !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return nil, nil // the zero vector: no content, no index
	}
	if err := checkVector(v, dim); err != nil {
		return nil, err
	}
	return encodeVector(unit(v)), nil
}

// fillChunk is how many texts are embedded between two writes.
const fillChunk = 512

// fillVectors makes the terms and vectors that are missing or of another model,
// chunk by chunk; each chunk is a transaction. A text that changes while it is
// embedded is left for the next chunk.
func (s *Store) fillVectors(ctx context.Context, e Embedder, progress func(done, total int)) error {
	model := modelName(e)
	var total, done int
	err := s.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM facts WHERE model <> ?) + (SELECT count(*) FROM entries WHERE model <> ?)
		+ (SELECT count(*) FROM grains WHERE model <> ?)`, model, model, model).Scan(&total)
	if err != nil {
		return s.fault(err)
	}
	for _, table := range []string{"facts", "entries", "grains"} {
		for {
			n, err := s.fillSome(ctx, e, table, model)
			if err != nil {
				return err
			}
			if n == 0 {
				break
			}
			done += n
			if progress != nil {
				progress(min(done, total), total)
			}
		}
	}
	return nil
}

func (s *Store) fillSome(ctx context.Context, e Embedder, table, model string) (int, error) {
	type row struct{ id, text, dates string }
	var rows []row
	dates := map[string]string{"facts": "said_at, said_local, happened_at, happened_local", "entries": "said_at, said_local, '', ''", "grains": "said_at, said_local, '', ''"}[table]
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT id, text, "+dates+" FROM "+table+" WHERE model <> ? ORDER BY id LIMIT ?", []any{model, fillChunk},
			func(r *sql.Rows) error {
				var one row
				var saidAt, saidLocal, happenedAt, happenedLocal string
				if err := r.Scan(&one.id, &one.text, &saidAt, &saidLocal, &happenedAt, &happenedLocal); err != nil {
					return err
				}
				said, err := decodeStamp(saidAt, saidLocal)
				if err != nil {
					return err
				}
				happened, err := decodeStamp(happenedAt, happenedLocal)
				one.dates = encodeTerms(lexical.IndexTerms(one.text), dateTerms(one.text, said, happened))
				rows = append(rows, one)
				return err
			})
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	texts := make([]string, len(rows))
	for i := range rows {
		texts[i] = rows[i].text
	}
	vectors, err := embedAll(ctx, e, texts)
	if err != nil {
		return 0, err
	}
	return len(rows), s.update(ctx, func(tx *writeTx) error {
		tx.changed, tx.rewritten = true, true
		for i, r := range rows {
			tx.exec("UPDATE "+table+" SET terms = ?, model = ?, vector = ?, revision = ? WHERE id = ? AND text = ?",
				r.dates, model, vectors[i], tx.revision, r.id, r.text)
		}
		return tx.err
	})
}

// Reindex makes every vector and index term anew with e, which is the store's
// embedder from then on. It may be broken off and repeated; meanwhile recall
// leaves out the vectors that are missing. progress may be nil.
func (s *Store) Reindex(ctx context.Context, e Embedder, progress func(done, total int)) error {
	if e == nil || e.Dimensions() <= 0 || e.Dimensions() > maxDimensions {
		return fmt.Errorf("reindex: the embedder is missing or has unfit dimensions: %w", ErrInvalid)
	}
	err := s.update(ctx, func(tx *writeTx) error {
		tx.changed, tx.rewritten = true, true
		tx.exec("UPDATE meta SET value = ? WHERE key = 'model'", modelName(e))
		tx.exec("UPDATE facts SET model = ''") // every row is to be made anew
		tx.exec("UPDATE entries SET model = ''")
		tx.exec("UPDATE grains SET model = ''")
		tx.exec("UPDATE associations SET ties = NULL, centre = NULL, revision = ?", tx.revision)
		return tx.err
	})
	if err == nil {
		s.embedder.Store(&e)
		err = s.fillVectors(ctx, e, progress)
	}
	if err == nil {
		err = s.relinkAll(ctx) // what is nearest has changed with the vectors
	}
	if err != nil {
		return fmt.Errorf("reindex: %w", err)
	}
	return nil
}
