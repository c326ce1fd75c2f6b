package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Token is what the record keeps of a bearer token: who speaks with it, and the
// hash of its text. Exports leave tokens out.
type Token struct {
	ID            string        // public, unique
	Hash          [32]byte      // SHA-256 of the token
	Owner         bool          // it speaks for the owner
	People        []TokenPerson // else for all of these
	Purpose       string        // the owner's note
	Cap           privacy.Tier  // 0: none
	KeepWhitelist bool          // under a cap, whitelists count
	Created       time.Time
	Expires       time.Time // zero: never
	Used          time.Time // last, to usedStep; zero: never
	Revoked       time.Time // zero: it is not
}

// TokenPerson is one person whom a token is bound to. ID is "" for a name that the
// policy didn't know.
type TokenPerson struct {
	ID   privacy.PersonID `json:"id,omitempty"`
	Name string           `json:"name"`
}

// usedStep is how exactly the last use of a token is kept: enough to find tokens
// that nobody uses, and no diary of when somebody asks.
const usedStep = time.Hour

// AddToken stores a new token. A zero Created becomes now. ErrInvalid: it has no id,
// or its id is taken.
func (s *Store) AddToken(ctx context.Context, t Token) error {
	if t.ID == "" || t.Hash == [32]byte{} || t.Owner == (len(t.People) > 0) {
		return fmt.Errorf("store token %q: id, hash and whom it speaks for are needed: %w", t.ID, ErrInvalid)
	}
	if t.Created.IsZero() {
		t.Created = s.opts.Now()
	}
	err := s.update(ctx, func(tx *writeTx) error {
		var n int
		if err := tx.scan("SELECT count(*) FROM tokens WHERE id = ? OR hash = ?", []any{t.ID, t.Hash[:]}, &n); err != nil {
			return err
		}
		if n > 0 {
			return ErrInvalid
		}
		tx.exec(`INSERT INTO tokens (id, hash, owner, people, purpose, cap, keep_whitelist, created, expires, used, revoked)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')`,
			t.ID, t.Hash[:], t.Owner, encodeList(t.People), t.Purpose, int(t.Cap), t.KeepWhitelist, encodeTime(t.Created), encodeTime(t.Expires))
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("store token %s: %w", t.ID, err)
	}
	return nil
}

const tokenColumns = "SELECT id, hash, owner, people, purpose, cap, keep_whitelist, created, expires, used, revoked FROM tokens"

// Tokens returns all tokens, revoked and expired ones too, oldest first.
func (s *Store) Tokens(ctx context.Context) ([]Token, error) {
	var out []Token
	_, err := s.snapshot(ctx, func(tx readTx) error {
		return reader(ctx, tx)(tokenColumns+" ORDER BY created, id", nil, func(rows *sql.Rows) error {
			t, err := scanToken(rows)
			out = append(out, t)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	return out, nil
}

// Token returns one token by its id. ErrNotFound.
func (s *Store) Token(ctx context.Context, id string) (Token, error) {
	t, err := scanToken(s.read.QueryRowContext(ctx, tokenColumns+" WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return Token{}, fmt.Errorf("token %q: %w", id, s.fault(err))
	}
	return t, nil
}

func scanToken(row interface{ Scan(...any) error }) (Token, error) {
	var t Token
	var hash []byte
	var people, created, expires, used, revoked string
	var limit int
	err := row.Scan(&t.ID, &hash, &t.Owner, &people, &t.Purpose, &limit, &t.KeepWhitelist, &created, &expires, &used, &revoked)
	if err != nil {
		return t, err
	}
	if len(hash) != len(t.Hash) || limit < 0 || limit > 4 {
		return t, fmt.Errorf("a stored token: %w: revoke it and create another", ErrDamaged)
	}
	copy(t.Hash[:], hash)
	t.Cap = privacy.Tier(limit)
	if t.People, err = decodeList[TokenPerson](people, "tokens.people"); err != nil {
		return t, err
	}
	for _, part := range []struct {
		text string
		into *time.Time
	}{{created, &t.Created}, {expires, &t.Expires}, {used, &t.Used}, {revoked, &t.Revoked}} {
		if *part.into, err = decodeTime(part.text); err != nil {
			return t, err
		}
	}
	return t, nil
}

// RevokeToken ends a token for good, at a moment. One that is revoked stays so, with the time of
// the first time. ErrNotFound.
func (s *Store) RevokeToken(ctx context.Context, id string, at time.Time) error {
	err := s.update(ctx, func(tx *writeTx) error {
		if tx.exec("UPDATE tokens SET revoked = CASE revoked WHEN '' THEN ? ELSE revoked END WHERE id = ?", encodeTime(at), id) == 0 && tx.err == nil {
			return ErrNotFound
		}
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("revoke token %q: %w", id, err)
	}
	return nil
}

// TokenUsed notes that a token is in use at a moment, where the last note is older
// than an hour. Between notes it writes nothing.
func (s *Store) TokenUsed(ctx context.Context, t Token, at time.Time) error {
	now := at.UTC().Truncate(usedStep)
	if !t.Used.Before(now) || s.write == nil {
		return nil
	}
	return s.update(ctx, func(tx *writeTx) error {
		tx.exec("UPDATE tokens SET used = ? WHERE id = ?", encodeTime(now), t.ID)
		return tx.err
	})
}
