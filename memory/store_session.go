package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// SessionInfo is a session without its turns.
type SessionInfo struct {
	ID           string
	Conversation string
	Title        string
	Channel      string
	Group        bool
	Participants []string
	Start        privacy.Stamp
	Source       Source
	Turns        int // how many
}

// session stores one session of a batch and reports whether turns of it were
// left out as forgotten.
func (a *applier) session(in *Session) (lost bool, err error) {
	a.conversations[in.ID] = in.Conversation
	old, err := selectSession(a.tx, in.ID)
	known := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	if known && old.Conversation != in.Conversation {
		return false, fmt.Errorf("it is stored as part of another conversation; give it an id of its own: %w", ErrInvalid)
	}
	ids := make([]string, len(in.Turns))
	for i := range in.Turns {
		ids[i] = in.Turns[i].ID
	}
	stored, err := among(func(query string, args []any, f func(*sql.Rows) error) error {
		return a.tx.each(query, append([]any{in.Conversation}, args...), f)
	}, "SELECT id FROM turns WHERE conversation = ? AND id IN", ids)
	if err != nil {
		return false, err
	}
	var fresh []Turn
	for i := range in.Turns {
		t := &in.Turns[i]
		switch {
		case stored[t.ID]:
			a.done.DuplicateTurns++
		case a.graves.turn(in.Conversation, t):
			a.done.Tombstoned++
			a.dead[turnRef{in.Conversation, t.ID}] = true
			lost = true
		default:
			fresh = append(fresh, *t)
		}
	}
	if !known {
		if len(in.Turns) > 0 && len(fresh) == 0 {
			return lost, nil // all of it is known elsewhere or forgotten
		}
		if a.graves.session(in.ID) && len(fresh) == 0 {
			a.done.Tombstoned++
			return true, nil
		}
		a.done.Sessions++
		a.insertSession(in)
		a.begun[in.ID] = true
	} else {
		a.widen(old, in)
	}
	a.done.Turns += len(fresh)
	if err := a.insertTurns(in, old, fresh); err != nil {
		return lost, err
	}
	a.subSessions(in, known)
	return lost, a.tx.err
}

// title is that of a session, "" if it was forgotten.
func (a *applier) title(in *Session) string {
	if a.graves.has("title", in.Title) {
		return ""
	}
	return in.Title
}

func (a *applier) insertSession(in *Session) {
	a.tx.changed = true
	a.tx.exec(`INSERT INTO sessions (id, conversation, title, channel, is_group, participants, start_at, start_local, source_name, source_format)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		in.ID, in.Conversation, a.title(in), in.Channel, in.Group, encodeList(in.Participants),
		encodeTime(in.Start.Instant), in.Start.Local, in.Source.Name, in.Source.Format)
}

// widen adds to a known session what it lacks: a fuller export may name more
// participants or start earlier.
func (a *applier) widen(old *SessionInfo, in *Session) {
	next := *old
	next.Participants = union(old.Participants, in.Participants)
	next.Group = old.Group || in.Group
	if next.Title == "" {
		next.Title = a.title(in)
	}
	if next.Channel == "" {
		next.Channel = in.Channel
	}
	if next.Start.IsZero() || !in.Start.IsZero() && in.Start.Compare(next.Start) < 0 {
		next.Start = in.Start
	}
	if len(next.Participants) == len(old.Participants) && next.Group == old.Group &&
		next.Title == old.Title && next.Channel == old.Channel && sameStamp(next.Start, old.Start) {
		return
	}
	a.tx.changed = true
	a.tx.exec("UPDATE sessions SET title = ?, channel = ?, is_group = ?, participants = ?, start_at = ?, start_local = ? WHERE id = ?",
		next.Title, next.Channel, next.Group, encodeList(next.Participants), encodeTime(next.Start.Instant), next.Start.Local, in.ID)
}

// insertTurns adds fresh turns. In a session that has turns already they are put
// in order of time where every turn has one, else at the end.
func (a *applier) insertTurns(in *Session, old *SessionInfo, fresh []Turn) error {
	if len(fresh) == 0 {
		return nil
	}
	a.tx.changed = true
	first := 0
	if old != nil {
		if err := a.tx.scan("SELECT coalesce(max(pos) + 1, 0) FROM turns WHERE session = ?", []any{in.ID}, &first); err != nil {
			return err
		}
	}
	for i := range fresh {
		t := &fresh[i]
		a.tx.exec(`INSERT INTO turns (conversation, id, session, pos, speaker, self, kind, text, caption, said_at, said_local, reply_to, print, slot, edited, deleted)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			in.Conversation, t.ID, in.ID, first+i, t.Speaker, t.Self, string(t.Kind), t.Text, t.Caption,
			encodeTime(t.When.Instant), t.When.Local, t.ReplyTo, t.Print, t.Slot, t.Edited, t.Deleted)
	}
	if first == 0 {
		return a.tx.err
	}
	turns, err := selectTurns(a.tx, in.ID)
	if err != nil {
		return err
	}
	for _, t := range turns {
		if t.When.IsZero() {
			return nil
		}
	}
	slices.SortStableFunc(turns, func(x, y Turn) int { return x.When.Compare(y.When) })
	for pos, t := range turns {
		a.tx.exec("UPDATE turns SET pos = ? WHERE conversation = ? AND id = ?", pos, in.Conversation, t.ID)
	}
	return a.tx.err
}

// subSessions stores the two-party parts, of living turns only.
func (a *applier) subSessions(in *Session, known bool) {
	for pos, sub := range in.Subs {
		var living []string
		for _, id := range sub.Turns {
			if !a.dead[turnRef{in.Conversation, id}] && !a.graves.turnID(in.Conversation, id) {
				living = append(living, id)
			}
		}
		if known {
			var stored string
			if a.tx.scan("SELECT turns FROM subsessions WHERE session = ? AND id = ?", []any{in.ID, sub.ID}, &stored) == nil {
				before, err := decodeList[string](stored, "subsessions.turns")
				if err != nil {
					a.tx.err = err
					return
				}
				if living = union(before, living); len(living) == len(before) {
					continue
				}
			}
		}
		if len(living) == 0 {
			continue
		}
		a.tx.changed = true
		a.tx.exec("INSERT OR REPLACE INTO subsessions (session, id, pos, one, other, turns) VALUES (?, ?, ?, ?, ?, ?)",
			in.ID, sub.ID, pos, sub.Pair[0], sub.Pair[1], encodeList(living))
	}
}

// union returns a with the elements of b that it lacks, in order.
func union(a, b []string) []string {
	out := slices.Clip(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

const sessionColumns = `id, conversation, title, channel, is_group, participants, start_at, start_local, source_name, source_format,
	(SELECT count(*) FROM turns WHERE turns.session = sessions.id)`

type scanner interface{ Scan(into ...any) error }

func scanSession(row scanner) (*SessionInfo, error) {
	var out SessionInfo
	var participants, at, local string
	err := row.Scan(&out.ID, &out.Conversation, &out.Title, &out.Channel, &out.Group, &participants, &at, &local,
		&out.Source.Name, &out.Source.Format, &out.Turns)
	if err != nil {
		return nil, err
	}
	if out.Participants, err = decodeList[string](participants, "sessions.participants"); err != nil {
		return nil, err
	}
	out.Start, err = decodeStamp(at, local)
	return &out, err
}

func selectSession(tx *writeTx, id string) (*SessionInfo, error) {
	st := tx.stmt("SELECT " + sessionColumns + " FROM sessions WHERE id = ?")
	if tx.err != nil {
		return nil, tx.err
	}
	return scanSession(st.QueryRowContext(tx.ctx, id))
}

const turnColumns = "id, speaker, self, kind, text, caption, said_at, said_local, reply_to, print, slot, edited, deleted"

func scanTurn(rows scanner, more ...any) (Turn, error) {
	var t Turn
	var at, local string
	err := rows.Scan(append([]any{&t.ID, &t.Speaker, &t.Self, &t.Kind, &t.Text, &t.Caption, &at, &local, &t.ReplyTo, &t.Print, &t.Slot, &t.Edited, &t.Deleted}, more...)...)
	if err != nil {
		return t, err
	}
	t.When, err = decodeStamp(at, local)
	return t, err
}

func selectTurns(tx *writeTx, session string) ([]Turn, error) {
	var out []Turn
	err := tx.each("SELECT "+turnColumns+" FROM turns WHERE session = ? ORDER BY pos, id", []any{session}, func(rows *sql.Rows) error {
		t, err := scanTurn(rows)
		out = append(out, t)
		return err
	})
	return out, err
}

// rowsOf is what a transaction of either kind can do: run f on every row.
type rowsOf func(query string, args []any, f func(*sql.Rows) error) error

func reader(ctx context.Context, tx readTx) rowsOf {
	return func(query string, args []any, f func(*sql.Rows) error) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		return eachRow(rows, f)
	}
}

// loadSession reads a session whole; nil without one.
func loadSession(each rowsOf, id string) (*Session, error) {
	var out *Session
	err := each("SELECT "+sessionColumns+" FROM sessions WHERE id = ?", []any{id}, func(rows *sql.Rows) error {
		info, err := scanSession(rows)
		if err == nil {
			out = &Session{ID: info.ID, Conversation: info.Conversation, Title: info.Title, Channel: info.Channel,
				Group: info.Group, Participants: info.Participants, Start: info.Start, Source: info.Source}
		}
		return err
	})
	if err != nil || out == nil {
		return nil, err
	}
	err = each("SELECT "+turnColumns+" FROM turns WHERE session = ? ORDER BY pos, id", []any{id}, func(rows *sql.Rows) error {
		t, err := scanTurn(rows)
		out.Turns = append(out.Turns, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each("SELECT id, one, other, turns FROM subsessions WHERE session = ? ORDER BY pos, id", []any{id}, func(rows *sql.Rows) error {
		var sub SubSession
		var turns string
		err := rows.Scan(&sub.ID, &sub.Pair[0], &sub.Pair[1], &turns)
		if err == nil {
			sub.Turns, err = decodeList[string](turns, "subsessions.turns")
		}
		out.Subs = append(out.Subs, sub)
		return err
	})
	return out, err
}

// Session returns the session with its turns, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (*Session, error) {
	var out *Session
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadSession(reader(ctx, tx), id)
		return err
	})
	if err == nil && out == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("session %q: %w", id, err)
	}
	return out, nil
}

// Sessions returns every session without its turns, by start and id.
func (s *Store) Sessions(ctx context.Context) ([]SessionInfo, error) {
	return s.sessions(ctx, "", nil)
}

// SessionsOf returns the sessions of one conversation, by start and id.
func (s *Store) SessionsOf(ctx context.Context, conversation string) ([]SessionInfo, error) {
	return s.sessions(ctx, " WHERE conversation = ?", []any{conversation})
}

func (s *Store) sessions(ctx context.Context, where string, args []any) ([]SessionInfo, error) {
	var out []SessionInfo
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT "+sessionColumns+" FROM sessions"+where+" ORDER BY id", args, func(rows *sql.Rows) error {
			info, err := scanSession(rows)
			if err == nil {
				out = append(out, *info)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	slices.SortStableFunc(out, func(a, b SessionInfo) int { return a.Start.Compare(b.Start) })
	return out, nil
}

// Turn returns a turn by its id, with its session. ErrNotFound; ErrAmbiguous if
// conversations number their turns alike, see [Store.Evidence].
func (s *Store) Turn(ctx context.Context, id string) (Turn, string, error) {
	var found []Turn
	var session string
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)("SELECT "+turnColumns+", session FROM turns WHERE id = ? ORDER BY session", []any{id}, func(rows *sql.Rows) error {
			t, err := scanTurn(rows, &session)
			found = append(found, t)
			return err
		})
	})
	switch {
	case err != nil:
	case len(found) == 0:
		err = ErrNotFound
	case len(found) > 1:
		err = ErrAmbiguous
	default:
		return found[0], session, nil
	}
	return Turn{}, "", fmt.Errorf("turn %q: %w", id, err)
}

// Evidence returns the turns that state f, in the order of its evidence. A turn
// that is gone is left out.
func (s *Store) Evidence(ctx context.Context, f *Fact) ([]Turn, error) {
	var out []Turn
	_, err := s.snapshot(ctx, func(tx readTx) error {
		each := reader(ctx, tx)
		seen := map[string]bool{}
		for _, session := range f.allSessions() {
			for _, id := range f.Record.Evidence {
				if seen[id] {
					continue
				}
				err := each("SELECT "+turnColumns+` FROM turns WHERE id = ? AND conversation =
					(SELECT conversation FROM sessions WHERE sessions.id = ?)`, []any{id, session}, func(rows *sql.Rows) error {
					t, err := scanTurn(rows)
					out, seen[id] = append(out, t), true
					return err
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("evidence of fact %q: %w", f.ID, err)
	}
	order := map[string]int{}
	for i, id := range f.Record.Evidence {
		order[id] = i
	}
	slices.SortStableFunc(out, func(a, b Turn) int { return order[a.ID] - order[b.ID] })
	return out, nil
}

// Summary returns a session's summary (F3), "" if it has none.
func (s *Store) Summary(ctx context.Context, session string) (string, error) {
	var text string
	err := s.read.QueryRowContext(ctx, "SELECT text FROM summaries WHERE session = ?", session).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("summary of session %q: %w", session, s.fault(err))
	}
	return text, nil
}

// Entries returns the host's entries (F0) of a session, in their order.
func (s *Store) Entries(ctx context.Context, session string) ([]Entry, error) {
	var out []Entry
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadEntries(reader(ctx, tx), session)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("entries of session %q: %w", session, err)
	}
	return out, nil
}
