package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

func grainID(session, kind string) string { return session + "/" + kind }

func (g *Grain) equalTo(other *Grain) bool {
	return g.Kind == other.Kind && g.Text == other.Text && sameStamp(g.When, other.When)
}

func (g Grain) equal(other Grain) bool { return g.equalTo(&other) }

func loadGrains(each rowsOf, session string) ([]Grain, error) {
	var out []Grain
	err := each("SELECT kind, text, said_at, said_local FROM grains WHERE session = ? ORDER BY kind", []any{session}, func(rows *sql.Rows) error {
		var g Grain
		var at, local string
		err := rows.Scan(&g.Kind, &g.Text, &at, &local)
		if err == nil {
			g.When, err = decodeStamp(at, local)
		}
		out = append(out, g)
		return err
	})
	return out, err
}

// replaceGrains writes the difference between the stored grains and next's, and gives
// a session with grains its place among the associations. moved says that its entries
// have changed.
func replaceGrains(tx *writeTx, session string, next *Layers, texts *embedded, moved bool) error {
	before, err := loadGrains(tx.rows(), session)
	if err != nil || len(before) == 0 && len(next.Grains) == 0 {
		return err
	}
	for _, g := range next.Grains {
		if slices.ContainsFunc(before, g.equal) {
			continue
		}
		moved = true
		id := grainID(session, g.Kind)
		text, ok := texts.entry(id)
		if !ok || text.text != g.Text {
			text = indexed{terms: grainTerms(&g)}
			tx.unembedded = true
		}
		if slices.ContainsFunc(before, func(old Grain) bool { return old.Kind == g.Kind }) {
			tx.rewritten = true
		}
		tx.exec(`INSERT OR REPLACE INTO grains (id, session, kind, text, said_at, said_local, terms, model, vector, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, session, g.Kind, g.Text, encodeTime(g.When.Instant), g.When.Local, text.terms, text.model, text.vector, tx.revision)
	}
	for _, old := range before {
		if !slices.ContainsFunc(next.Grains, func(g Grain) bool { return g.Kind == old.Kind }) {
			moved, tx.rewritten = true, true
			tx.exec("DELETE FROM grains WHERE id = ?", grainID(session, old.Kind))
		}
	}
	if !moved {
		return tx.err
	}
	tx.changed = true
	// Whatever was tied with this session in sight is tied anew: a tie is made among
	// all that came before, so the text of one shapes those of the others.
	if tx.exec("UPDATE associations SET ties = NULL, centre = NULL, revision = ? WHERE place >= (SELECT place FROM associations WHERE session = ?)",
		tx.revision, session) > 0 {
		tx.rewritten = true
	}
	if len(next.Grains) == 0 {
		tx.exec("DELETE FROM associations WHERE session = ?", session)
		return tx.err
	}
	tx.exec("INSERT OR IGNORE INTO associations (session, place, revision) VALUES (?, (SELECT COALESCE(max(place) + 1, 0) FROM associations), ?)",
		session, tx.revision)
	return tx.err
}

// Association is the place of a session in a host's graph of sessions, and how the
// host tied it to those of lower places.
type Association struct {
	Session string
	Place   int
	Ties    []byte // as the host wrote them; nil: to be made
}

// Associations returns those written after revision since, by place, and the revision
// that they are of. anew says that something was removed or rewritten since then: all
// are returned, and what was known before is to be dropped.
func (s *Store) Associations(ctx context.Context, since int64) (list []Association, revision int64, anew bool, err error) {
	revision, err = s.snapshot(ctx, func(tx readTx) error {
		var rewritten int64
		if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'rewritten'").Scan(&rewritten); err != nil {
			return err
		}
		if anew = rewritten > since; anew {
			since = 0
		}
		return reader(ctx, tx)("SELECT session, place, ties FROM associations WHERE revision > ? ORDER BY place", []any{since}, func(rows *sql.Rows) error {
			var a Association
			err := rows.Scan(&a.Session, &a.Place, &a.Ties)
			list = append(list, a)
			return err
		})
	})
	if err != nil {
		return nil, 0, false, fmt.Errorf("read associations: %w", err)
	}
	return list, revision, anew, nil
}

// SessionVectors are the vectors of a session, of unit length: of its grains by kind,
// and the mean of those of its entries. A text without content has none.
type SessionVectors struct {
	Session string
	Place   int
	Grains  map[string][]float32
	Entries []float32
}

// SessionVectors returns those of the sessions whose places are from and up, by place,
// and the revision that they are of. A session whose texts are being indexed ends the
// list.
func (s *Store) SessionVectors(ctx context.Context, from int) (list []SessionVectors, revision int64, err error) {
	embedder := s.Embedder()
	model, dim := modelName(embedder), embedder.Dimensions()
	revision, err = s.snapshot(ctx, func(tx readTx) error {
		each := reader(ctx, tx)
		var unmade []int // places without a mean yet
		end := -1
		err := each(`SELECT a.session, a.place, a.centre, a.ties IS NOT NULL, g.kind, g.model, g.vector FROM associations a CROSS JOIN grains g ON g.session = a.session
			WHERE a.place >= ? ORDER BY a.place, g.kind`, []any{from}, func(rows *sql.Rows) error {
			var session, kind, madeBy string
			var place int
			var tied bool
			var centre, vector sql.RawBytes
			if err := rows.Scan(&session, &place, &centre, &tied, &kind, &madeBy, &vector); err != nil {
				return err
			}
			if end >= 0 {
				return nil
			}
			if madeBy != model {
				end = place
				return nil
			}
			if n := len(list); n == 0 || list[n-1].Place != place {
				one := SessionVectors{Session: session, Place: place, Grains: map[string][]float32{}}
				if !tied {
					unmade = append(unmade, n)
				} else if len(centre) > 0 {
					one.Entries = make([]float32, dim, padded(dim))
					if err := decodeVector(centre, one.Entries); err != nil {
						return err
					}
				}
				list = append(list, one)
			}
			if len(vector) == 0 {
				return nil
			}
			v := make([]float32, dim, padded(dim))
			list[len(list)-1].Grains[kind] = v
			return decodeVector(vector, v)
		})
		if end >= 0 && len(list) > 0 && list[len(list)-1].Place == end {
			list = list[:len(list)-1]
		}
		for _, at := range unmade {
			if err == nil && at < len(list) {
				list[at].Entries, err = meanOfEntries(each, list[at].Session, model, dim)
			}
		}
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read the vectors of sessions: %w", err)
	}
	return list, revision, nil
}

func meanOfEntries(each rowsOf, session, model string, dim int) ([]float32, error) {
	sum := make([]float64, dim)
	one := make([]float32, dim)
	n := 0
	err := each("SELECT vector FROM entries WHERE session = ? AND model = ? AND vector IS NOT NULL ORDER BY pos, id", []any{session, model}, func(rows *sql.Rows) error {
		var blob sql.RawBytes
		if err := rows.Scan(&blob); err != nil {
			return err
		}
		n++
		err := decodeVector(blob, one)
		for i, x := range one {
			sum[i] += float64(x)
		}
		return err
	})
	if err != nil || n == 0 {
		return nil, err
	}
	mean := make([]float32, dim)
	for i, x := range sum {
		mean[i] = float32(x / float64(n))
	}
	return unit(mean), nil
}

// Associate stores ties that were made from the vectors of revision at, each with the
// mean of its entries' vectors. Those of sessions that changed since are left out, and
// all behind them. It tells how many were stored.
func (s *Store) Associate(ctx context.Context, at int64, list []Association, means [][]float32) (int, error) {
	stored := 0
	err := s.update(ctx, func(tx *writeTx) error {
		stored = 0
		for i, a := range list {
			mean := means[i]
			if mean == nil {
				mean = []float32{}
			}
			if tx.exec("UPDATE associations SET ties = ?, centre = ?, revision = ? WHERE session = ? AND place = ? AND ties IS NULL AND revision <= ?",
				append([]byte{}, a.Ties...), encodeVector(mean), tx.revision, a.Session, a.Place, at) == 0 {
				break
			}
			stored++
			tx.changed = true
		}
		return tx.err
	})
	if err != nil {
		return 0, fmt.Errorf("store associations: %w", err)
	}
	return stored, nil
}
