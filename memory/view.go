package memory

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/epagent/epagent/memory/lexical"
)

// view is the searchable copy in memory of one table of texts. It is loaded at
// the first question and caught up by the record's revision at each later one.
type view struct {
	store *Store
	table string // "facts", "entries" or "grains"
	kind  string // of the grains

	mu       sync.RWMutex
	revision int64 // 0: not loaded
	loads    int64 // how often docs may have changed: ordinals hold for one of them
	model    string
	docs     []viewed       // by ordinal
	ordinal  map[string]int // by id
	words    *lexical.Corpus
	vectors  Index
	rows     []int // by ordinal: as what number its vector was put in, -1 for none
	entries  named // the entries that facts are linked to
}

// viewed is what a view knows of a text beside its words and vector.
type viewed struct {
	id      string
	session string
	links   []int32 // facts only: the entries that state it, as numbers of the view
}

// named numbers names, 0, 1, …
type named struct {
	names  []string
	number map[string]int32
}

func (n *named) of(name string) int32 {
	at, ok := n.number[name]
	if !ok {
		at = int32(len(n.names))
		n.names = append(n.names, name)
		n.number[name] = at
	}
	return at
}

// question is a question prepared for search.
type question struct {
	words  lexical.Question
	vector []float32 // unit length; nil without content
}

func (s *Store) ask(ctx context.Context, text, today string, people []lexical.Person) (question, error) {
	q := question{words: lexical.ReadQuestion(text)}
	q.words.Days, q.words.People = lexical.ReadDays(text, today), people
	embedder := s.Embedder()
	vectors, err := embedder.Embed(ctx, []string{text})
	if err != nil {
		return q, fmt.Errorf("embed the question with %q: %w", embedder.Model(), err)
	}
	if len(vectors) != 1 {
		return q, fmt.Errorf("embed the question with %q: %d vectors: %w", embedder.Model(), len(vectors), ErrVector)
	}
	encoded, err := checkedVector(vectors[0], embedder.Dimensions())
	if err != nil {
		return q, fmt.Errorf("embed the question with %q: %w", embedder.Model(), err)
	}
	if encoded != nil {
		q.vector = unit(vectors[0])
	}
	return q, nil
}

// read brings the view up to date and runs f on it. f must not keep anything of it.
func (v *view) read(ctx context.Context, f func() error) error {
	revision, err := v.store.Revision(ctx)
	if err != nil {
		return err
	}
	v.mu.RLock()
	fresh := v.revision >= revision && v.model == modelName(v.store.Embedder())
	if fresh {
		defer v.mu.RUnlock()
		return f()
	}
	v.mu.RUnlock()
	v.mu.Lock()
	err = v.refresh(ctx, revision)
	v.mu.Unlock()
	if err != nil {
		return fmt.Errorf("load %s: %w", v.table, err)
	}
	// Another process may have written since: the answer is of a state that was
	// whole when it was asked for, and that is enough.
	v.mu.RLock()
	defer v.mu.RUnlock()
	return f()
}

// refresh takes in what the record has and the view lacks; it starts anew where
// something was removed or rewritten. A failed refresh leaves an empty view.
func (v *view) refresh(ctx context.Context, wanted int64) error {
	embedder := v.store.Embedder()
	model := modelName(embedder)
	if v.revision >= wanted && v.model == model {
		return nil // another goroutine was faster
	}
	v.loads++
	revision, err := v.store.snapshot(ctx, func(tx readTx) error {
		var rewritten int64
		var count int
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'rewritten'").Scan(&rewritten)
		if err == nil {
			err = tx.QueryRowContext(ctx, "SELECT count(*) FROM "+v.table+v.only(""), v.kindArgs()...).Scan(&count)
		}
		if err != nil {
			return err
		}
		outgrown := v.vectors != nil && len(v.docs) <= FlatAbove && count > FlatAbove
		if v.revision == 0 || rewritten > v.revision || v.model != model || outgrown {
			v.reset(embedder.Dimensions(), count)
		}
		return v.load(ctx, tx, model, embedder.Dimensions())
	})
	if err != nil {
		v.revision = 0
		return err
	}
	v.revision, v.model = revision, model
	return nil
}

func (v *view) reset(dim, size int) {
	v.revision = 0
	v.docs = make([]viewed, 0, size)
	v.ordinal = make(map[string]int, size)
	v.words = lexical.NewCorpus()
	v.vectors = NewIndex(dim, size)
	v.rows = make([]int, 0, size)
	v.entries = named{number: map[string]int32{}}
}

// columns are what a view reads of each table beside words and vector: who said it,
// whom it is about, the days that it speaks of, and its place in the session.
var columns = map[string]string{
	"facts": `facts.speaker, facts.subject, facts.said_at, facts.said_local, facts.happened_at, facts.happened_local,
		COALESCE((SELECT turns.pos FROM turns WHERE facts.evidence <> '' AND turns.id = facts.evidence ->> 0 AND turns.session = facts.session), -1)`,
	"entries": `COALESCE((SELECT turns.speaker FROM turns WHERE entries.turns <> '' AND turns.id = entries.turns ->> 0 AND turns.session = entries.session), ''),
		CASE WHEN entries.persons LIKE '["%' AND json_array_length(entries.persons) = 1 THEN entries.persons ->> 0 ELSE '' END, entries.said_at, entries.said_local, '', '', entries.pos`,
	"grains": "'', '', grains.said_at, grains.said_local, '', '', 0",
}

// only is the condition of v's rows, with another one, as SQL.
func (v *view) only(and string) string {
	switch {
	case v.kind != "" && and != "":
		return " WHERE kind = ? AND " + and
	case v.kind != "":
		return " WHERE kind = ?"
	case and != "":
		return " WHERE " + and
	}
	return ""
}

func (v *view) kindArgs(more ...any) []any {
	if v.kind == "" {
		return more
	}
	return append([]any{v.kind}, more...)
}

func (v *view) load(ctx context.Context, tx readTx, model string, dim int) error {
	each := reader(ctx, tx)
	vector := make([]float32, dim)
	err := each("SELECT id, session, text, terms, model, vector, "+columns[v.table]+" FROM "+v.table+v.only("revision > ?")+" ORDER BY id", v.kindArgs(v.revision),
		func(rows *sql.Rows) error {
			var doc viewed
			var text, terms, madeBy string
			var blob sql.RawBytes
			var in lexical.Document
			var said, saidLocal, happened, happenedLocal string
			if err := rows.Scan(&doc.id, &doc.session, &text, &terms, &madeBy, &blob, &in.By, &in.About, &said, &saidLocal, &happened, &happenedLocal, &in.Place); err != nil {
				return err
			}
			if at, ok := v.ordinal[doc.id]; ok {
				v.docs[at] = doc // its words are as they were, or rewritten would say so
				return nil
			}
			days, err := daysOf(happened, happenedLocal)
			if err == nil && days == (lexical.Days{}) {
				days, err = daysOf(said, saidLocal)
			}
			if err != nil {
				return err
			}
			in.Key, in.Session, in.Days, in.Cues = doc.id, doc.session, days, lexical.CuesOf(text)
			in.Terms, in.Dates = decodeTerms(terms)
			v.ordinal[doc.id] = v.words.Add(in)
			v.docs = append(v.docs, doc)
			v.rows = append(v.rows, -1)
			if madeBy != model || len(blob) == 0 {
				return nil
			}
			if err := decodeVector(blob, vector); err != nil {
				return err
			}
			v.rows[len(v.rows)-1] = v.vectors.Len()
			return v.vectors.Add(doc.id, vector)
		})
	v.words.Settle()
	if err != nil || v.table != "facts" {
		return err
	}
	return each("SELECT links.fact, links.entry FROM links JOIN facts ON facts.id = links.fact WHERE facts.revision > ? ORDER BY links.fact, links.pos, links.entry",
		[]any{v.revision}, func(rows *sql.Rows) error {
			var fact, entry string
			err := rows.Scan(&fact, &entry)
			if at, ok := v.ordinal[fact]; ok {
				v.docs[at].links = append(v.docs[at].links, v.entries.of(entry))
			}
			return err
		})
}

// cosine is that of a vector of unit length and a document; 0 without a vector.
func (v *view) cosine(vector []float32, ordinal int) float64 {
	if v.rows[ordinal] < 0 {
		return 0
	}
	if flat, ok := v.vectors.(*FlatIndex); ok { // by its number: no look-up
		return flat.rowCosine(vector, v.rows[ordinal])
	}
	c, _ := v.vectors.Cosine(vector, v.docs[ordinal].id)
	return c
}

// cosines puts the cosines of a vector of unit length and of documents at their
// ordinals in out; 0 for those below and without a vector.
func (v *view) cosines(vector []float32, ordinals []int, out []float32) {
	flat, ok := v.vectors.(*FlatIndex)
	if !ok {
		for _, i := range ordinals {
			out[i] = float32(max(v.cosine(vector, i), 0))
		}
		return
	}
	flat.mu.RLock()
	defer flat.mu.RUnlock()
	for _, i := range ordinals {
		out[i] = 0
		if row := v.rows[i]; row >= 0 {
			out[i] = max(dot(vector, flat.row(row)), 0)
		}
	}
}

func daysOf(instant, local string) (lexical.Days, error) {
	stamp, err := decodeStamp(instant, local)
	return lexical.Day(stamp.Date()), err
}

// EntryView is the searchable copy of the host's entries, for hosts that keep
// them in the record. It sees every entry: it is a way for the owner, never for a
// recipient.
type EntryView struct{ view view }

// NewEntryView returns the view of s's entries. It loads at the first search.
func NewEntryView(s *Store) *EntryView {
	return &EntryView{view{store: s, table: "entries"}}
}

// Search returns at most k entries (k <= 0: all that have anything to do with the
// question, they or their session), best first, ties by id. The best one scores 1.
func (v *EntryView) Search(ctx context.Context, text string, k int) ([]NativeHit, error) {
	q, err := v.view.store.ask(ctx, text, "", nil)
	if err != nil {
		return nil, fmt.Errorf("search entries: %w", err)
	}
	var out []NativeHit
	err = v.view.read(ctx, func() error {
		found, err := v.view.rank(ctx, q, ranking{k: k, weights: Weights{Beta: 1}, wide: true})
		for _, r := range found {
			out = append(out, NativeHit{Entry: r.doc.id, Session: r.doc.session, Score: NativeScore(r.score)})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search entries: %w", err)
	}
	return out, nil
}

// Sessions returns at most k sessions (k <= 0: all that have anything to do with
// the question), best first, ties by id. A session scores by its own words and by
// those of its best entry; the best session scores 1.
func (v *EntryView) Sessions(ctx context.Context, text string, k int) ([]SessionHit, error) {
	q, err := v.view.store.ask(ctx, text, "", nil)
	if err != nil {
		return nil, fmt.Errorf("search sessions: %w", err)
	}
	var out []SessionHit
	err = v.view.read(ctx, func() error {
		out, err = v.view.sessions(ctx, q, nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search sessions: %w", err)
	}
	if k > 0 && len(out) > k {
		out = out[:k]
	}
	return out, nil
}
