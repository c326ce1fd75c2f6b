package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// TurnState is what the record knows about a turn.
type TurnState uint8

// The states.
const (
	TurnNew       TurnState = iota // never seen
	TurnStored                     // in the record
	TurnForgotten                  // forgotten once; Apply leaves it out
	TurnEdited                     // in the record with other words, which these replace
	TurnTakenBack                  // in the record with words that its speaker has taken back
)

// Met is a turn of an import as the record knows it.
type Met struct {
	State   TurnState
	ID      string // of the stored turn; its own where it is new or forgotten
	Session string // of the stored turn, "" without one
	// Unplaced: the stored turn has the wall clock of this one and no instant, which
	// this one has. See Store.Place.
	Unplaced bool
}

// Meet looks up the turns of one conversation, as an export shows them, in order,
// and says of each what it is to the record. A stored turn answers for one turn of
// an export.
//
// A turn is known by its id; else by its fingerprint, in another wrapping of the
// chat; else by its place and its fingerprint under an earlier name of the account
// (Turn.Formerly); else by its place (Turn.Slot) where one of the two is marked as edited or
// taken back: then it is the same message with other words. An older wording of a
// stored message counts as stored. What isn't in the export is not asked for: that
// it is missing says nothing.
func (s *Store) Meet(ctx context.Context, conversation string, turns []Turn) ([]Met, error) {
	out := make([]Met, len(turns))
	_, err := s.snapshot(ctx, func(tx readTx) error {
		graves, err := readGraves(ctx, tx)
		if err != nil {
			return err
		}
		m := &meeting{conversation: conversation, turns: turns, out: out, graves: graves, taken: map[string]bool{}}
		return m.run(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("look up turns: %w", err)
	}
	return out, nil
}

// meeting carries one Meet.
type meeting struct {
	conversation string
	turns        []Turn
	out          []Met
	graves       *graves
	taken        map[string]bool // stored turns that have answered

	byID, byPrint, bySlot, byVersion *sql.Stmt
}

// known is a stored turn.
type known struct {
	id, session, print string
	edited, deleted    bool
	saidAt, saidLocal  string
}

// unplaced reports whether t says when the stored turn was said, which it doesn't.
func (k *known) unplaced(t *Turn) bool {
	return k.saidAt == "" && !t.When.Instant.IsZero() && t.When.Local != "" && k.saidLocal == t.When.Local
}

func (m *meeting) run(ctx context.Context, tx readTx) error {
	for query, into := range map[string]**sql.Stmt{
		"SELECT id, session, print, edited, deleted, said_at, said_local FROM turns WHERE conversation = ? AND id = ?":                                   &m.byID,
		"SELECT id, session, print, edited, deleted, said_at, said_local FROM turns WHERE print = ?2 AND print <> '' AND conversation = ?1":              &m.byPrint,
		"SELECT id, session, print, edited, deleted, said_at, said_local FROM turns WHERE conversation = ? AND slot = ? AND slot <> '' ORDER BY pos, id": &m.bySlot,
		`SELECT t.id, t.session, t.print, t.edited, t.deleted, t.said_at, t.said_local FROM turn_versions v
			JOIN turns t ON t.conversation = v.conversation AND t.id = v.turn WHERE v.conversation = ? AND v.print = ?`: &m.byVersion,
	} {
		st, err := tx.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer st.Close() //nolint:errcheck // it has only read
		*into = st
	}
	// First what is certain, so that what is left over in a place is what has changed.
	for i := range m.turns {
		t := &m.turns[i]
		m.out[i].ID = t.ID
		if err := m.find(ctx, i, m.byID, t.ID); err != nil {
			return err
		}
	}
	for _, step := range []struct {
		by  *sql.Stmt
		key func(*Turn) string
	}{{m.byPrint, func(t *Turn) string { return t.Print }}, {m.byVersion, func(t *Turn) string { return t.Print }}} {
		for i := range m.turns {
			if m.out[i].State != TurnNew || step.key(&m.turns[i]) == "" {
				continue
			}
			if err := m.find(ctx, i, step.by, step.key(&m.turns[i])); err != nil {
				return err
			}
		}
	}
	for i := range m.turns {
		if t := &m.turns[i]; m.out[i].State == TurnNew && (m.graves.turn(m.conversation, t) || m.graves.place(m.conversation, t)) {
			m.out[i].State = TurnForgotten
		}
	}
	for i := range m.turns {
		if err := m.renamed(ctx, i); err != nil {
			return err
		}
	}
	for i := range m.turns {
		if err := m.changed(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// renamed looks for a message whose sender had another name: it has the same place,
// and the same words under one of the account's earlier names.
func (m *meeting) renamed(ctx context.Context, i int) error {
	t := &m.turns[i]
	if m.out[i].State != TurnNew || t.Slot == "" || len(t.Formerly) == 0 {
		return nil
	}
	found, err := m.stored(ctx, m.bySlot, t.Slot)
	if err != nil {
		return err
	}
	for _, k := range found {
		if !m.taken[k.id] && slices.ContainsFunc(t.Formerly, func(f FormerName) bool { return f.Print == k.print }) {
			m.taken[k.id] = true
			m.out[i] = Met{State: TurnStored, ID: k.id, Session: k.session, Unplaced: k.unplaced(t)}
			return nil
		}
	}
	for _, f := range t.Formerly {
		was := *t
		if was.Speaker = f.Speaker; m.graves.turn(m.conversation, &was) {
			m.out[i].State = TurnForgotten
			return nil
		}
	}
	return nil
}

// find takes the stored turn that a query finds, if it hasn't answered yet.
func (m *meeting) find(ctx context.Context, i int, by *sql.Stmt, key string) error {
	found, err := m.stored(ctx, by, key)
	if err != nil {
		return err
	}
	for _, k := range found {
		if !m.taken[k.id] {
			m.taken[k.id] = true
			m.out[i] = Met{State: TurnStored, ID: k.id, Session: k.session, Unplaced: k.unplaced(&m.turns[i])}
			return nil
		}
	}
	return nil
}

func (m *meeting) stored(ctx context.Context, by *sql.Stmt, key string) ([]known, error) {
	rows, err := by.QueryContext(ctx, m.conversation, key)
	if err != nil {
		return nil, err
	}
	var out []known
	err = eachRow(rows, func(rows *sql.Rows) error {
		var k known
		err := rows.Scan(&k.id, &k.session, &k.print, &k.edited, &k.deleted, &k.saidAt, &k.saidLocal)
		out = append(out, k)
		return err
	})
	return out, err
}

// changed looks for a message whose words have changed since, or were others
// before. Where the source gives ids, the place is the message; where it doesn't,
// several messages may be in one place, and only a mark tells that one has changed.
func (m *meeting) changed(ctx context.Context, i int) error {
	t := &m.turns[i]
	if m.out[i].State != TurnNew || t.Slot == "" {
		return nil
	}
	found, err := m.stored(ctx, m.bySlot, t.Slot)
	if err != nil {
		return err
	}
	for _, k := range found {
		if m.taken[k.id] {
			continue
		}
		state := TurnNew
		switch {
		case k.deleted && !t.Deleted, k.edited && !t.Edited && !t.Deleted:
			state = TurnStored // an older export
		case t.Deleted && !k.deleted:
			state = TurnTakenBack
		case t.Edited && !k.deleted:
			state = TurnEdited
		default:
			continue
		}
		m.taken[k.id] = true
		m.out[i] = Met{State: state, ID: k.id, Session: k.session}
		return nil
	}
	return nil
}

// AnyForgotten reports whether anything was ever forgotten.
func (s *Store) AnyForgotten(ctx context.Context) (bool, error) {
	var some bool
	err := s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM tombstones)").Scan(&some)
	return some, s.fault(err)
}

// Buried says of each turn whether its words were forgotten in its minute of the
// conversation, whoever says them now.
func (s *Store) Buried(ctx context.Context, conversation string, turns []Turn) ([]bool, error) {
	out := make([]bool, len(turns))
	_, err := s.snapshot(ctx, func(tx readTx) error {
		graves, err := readGraves(ctx, tx)
		for i := range turns {
			out[i] = err == nil && graves.place(conversation, &turns[i])
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up what was forgotten: %w", err)
	}
	return out, nil
}

// SaidBetween counts the turns of a conversation whose wall clock is from the one minute
// to the other, both included, by who said them.
func (s *Store) SaidBetween(ctx context.Context, conversation, from, to string) (map[string]int, error) {
	out := map[string]int{}
	rows, err := s.read.QueryContext(ctx, `SELECT speaker, count(*) FROM turns
		WHERE conversation = ? AND said_local <> '' AND kind <> ? AND substr(said_local, 1, 16) BETWEEN ? AND ? GROUP BY speaker`, conversation, string(System), from, to)
	if err == nil {
		err = eachRow(rows, func(rows *sql.Rows) error {
			var name string
			var n int
			err := rows.Scan(&name, &n)
			out[name] = n
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("count turns: %w", s.fault(err))
	}
	return out, nil
}

// Known returns the state of each of the turns of a conversation, by id alone.
// Turns without an entry in the result are new.
func (s *Store) Known(ctx context.Context, conversation string, turnIDs []string) (map[string]TurnState, error) {
	turns := make([]Turn, len(turnIDs))
	for i, id := range turnIDs {
		turns[i].ID = id
	}
	met, err := s.Meet(ctx, conversation, turns)
	if err != nil {
		return nil, err
	}
	known := make(map[string]TurnState)
	for i, m := range met {
		if m.State != TurnNew {
			known[turnIDs[i]] = m.State
		}
	}
	return known, nil
}

// Prints counts in which stored conversations the given fingerprints occur.
func (s *Store) Prints(ctx context.Context, prints []string) (map[string][]string, error) {
	out := map[string][]string{}
	_, err := s.snapshot(ctx, func(tx readTx) error {
		st, err := tx.PrepareContext(ctx, "SELECT DISTINCT conversation FROM turns WHERE print = ? AND print <> ''")
		if err != nil {
			return err
		}
		defer st.Close() //nolint:errcheck // it has only read
		for _, p := range prints {
			rows, err := st.QueryContext(ctx, p)
			if err != nil {
				return err
			}
			err = eachRow(rows, func(rows *sql.Rows) error {
				var c string
				err := rows.Scan(&c)
				out[c] = append(out[c], p)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look up fingerprints: %w", err)
	}
	return out, nil
}

// Unknown reports whether nothing of a conversation is stored, and nothing at all was
// ever forgotten.
func (s *Store) Unknown(ctx context.Context, conversation string) (bool, error) {
	var known bool
	err := s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM turns WHERE conversation = ?) OR EXISTS (SELECT 1 FROM tombstones)", conversation).Scan(&known)
	return !known, s.fault(err)
}

// Chat is what the record holds of a conversation.
type Chat struct {
	ID           string
	Titles       []string
	Participants []string
	Formats      []string
	First, Last  string // days of its sessions' beginnings, "" unknown
	Turns        int
	Unprinted    int // turns without a fingerprint: stored by an earlier release
}

// Empty reports whether no turn is stored.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	var some bool
	err := s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM turns)").Scan(&some)
	return !some, s.fault(err)
}

// Chat returns a conversation; Turns is 0 for one that isn't there.
func (s *Store) Chat(ctx context.Context, conversation string) (Chat, error) {
	out := Chat{ID: conversation}
	sessions, err := s.SessionsOf(ctx, conversation)
	if err != nil {
		return out, err
	}
	for _, in := range sessions {
		out.Turns += in.Turns
		out.Participants = union(out.Participants, in.Participants)
		out.Titles = union(out.Titles, []string{in.Title})
		out.Formats = union(out.Formats, []string{in.Source.Format})
	}
	if err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM turns WHERE conversation = ? AND print = ''", conversation).Scan(&out.Unprinted); err != nil {
		return out, s.fault(err)
	}
	err = s.read.QueryRowContext(ctx, "SELECT coalesce(min(said_local), ''), coalesce(max(said_local), '') FROM turns WHERE conversation = ? AND said_local <> ''", conversation).Scan(&out.First, &out.Last)
	return out, s.fault(err)
}
