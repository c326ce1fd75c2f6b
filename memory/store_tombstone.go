package memory

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/privacy"
)

// graves knows what was forgotten, by keyed hashes. Without the keys, which lie
// in the same file, a hash can't be guessed from a message; with them one can
// ask for a message that one already has, and nothing else.
type graves struct {
	keys   [][]byte // the first is this store's own
	hashes map[[sha256.Size]byte]bool
}

func loadGraves(tx *writeTx) (*graves, error) {
	return collectGraves(func(query string, f func(*sql.Rows) error) error { return tx.each(query, nil, f) })
}

func readGraves(ctx context.Context, tx readTx) (*graves, error) {
	return collectGraves(func(query string, f func(*sql.Rows) error) error {
		rows, err := tx.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		return eachRow(rows, f)
	})
}

func collectGraves(each func(query string, f func(*sql.Rows) error) error) (*graves, error) {
	g := &graves{hashes: map[[sha256.Size]byte]bool{}}
	err := each("SELECT key FROM tombstone_keys ORDER BY id", func(rows *sql.Rows) error {
		var key []byte
		err := rows.Scan(&key)
		g.keys = append(g.keys, key)
		return err
	})
	if err == nil {
		err = each("SELECT hash FROM tombstones", func(rows *sql.Rows) error {
			var hash []byte
			err := rows.Scan(&hash)
			if len(hash) == sha256.Size {
				g.hashes[[sha256.Size]byte(hash)] = true
			}
			return err
		})
	}
	return g, err
}

// hash covers each part with its length in front, so that no two lists of parts
// run into one.
func (g *graves) hash(key []byte, parts ...string) [sha256.Size]byte {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		var length [8]byte
		for i := range length {
			length[i] = byte(len(p) >> (8 * i))
		}
		_, _ = mac.Write(length[:])
		_, _ = mac.Write([]byte(p))
	}
	return [sha256.Size]byte(mac.Sum(nil))
}

func (g *graves) has(parts ...string) bool {
	if len(g.hashes) == 0 {
		return false
	}
	for _, key := range g.keys {
		if g.hashes[g.hash(key, parts...)] {
			return true
		}
	}
	return false
}

// factForgotten asks for one fact without reading every tombstone.
func factForgotten(tx *writeTx, id privacy.FactID) (bool, error) {
	g := &graves{}
	err := tx.each("SELECT key FROM tombstone_keys ORDER BY id", nil, func(rows *sql.Rows) error {
		var key []byte
		err := rows.Scan(&key)
		g.keys = append(g.keys, key)
		return err
	})
	if err != nil {
		return false, err
	}
	for _, key := range g.keys {
		hash := g.hash(key, "fact", string(id))
		var one int
		err := tx.scan("SELECT 1 FROM tombstones WHERE hash = ?", []any{hash[:]}, &one)
		if err == nil || tx.err != nil {
			return err == nil, tx.err
		}
	}
	return false, nil
}

func (g *graves) turnID(conversation, id string) bool { return g.has("turn", conversation, id) }

// turn asks by id and by message: another export may number its messages anew.
func (g *graves) turn(conversation string, t *Turn) bool {
	if t.Account.Handle != "" && g.has(accountKey(t.Account, t)...) {
		return true
	}
	return g.turnID(conversation, t.ID) || slices.ContainsFunc(messageKeys(conversation, t), func(key []string) bool { return g.has(key...) })
}

// place reports whether these words were forgotten in that minute of the conversation,
// whoever has said them: a contact may have been renamed since, and the name of somebody
// who was forgotten is nowhere. Two may say one word in one minute: what is stored is
// asked for before.
func (g *graves) place(conversation string, t *Turn) bool {
	key := placeKey(conversation, t)
	return key != nil && g.has(key...)
}

func (g *graves) fact(id privacy.FactID) bool { return g.has("fact", string(id)) }
func (g *graves) session(id string) bool      { return g.has("session", id) }

// bury writes the tombstone of parts.
func (g *graves) bury(tx *writeTx, parts ...string) {
	hash := g.hash(g.keys[0], parts...)
	g.hashes[hash] = true
	tx.exec("INSERT OR IGNORE INTO tombstones (hash) VALUES (?)", hash[:])
}

// exhume takes the tombstones of everything in b away.
func (a *applier) exhume(b Batch) {
	for i := range b.Sessions {
		s := &b.Sessions[i]
		a.graves.exhume(a.tx, "session", s.ID)
		a.graves.exhume(a.tx, "title", s.Title)
		for j := range s.Turns {
			a.graves.exhume(a.tx, "turn", s.Conversation, s.Turns[j].ID)
			if account := s.Turns[j].Account; account.Handle != "" {
				a.graves.exhume(a.tx, accountKey(account, &s.Turns[j])...)
			}
			for _, key := range messageKeys(s.Conversation, &s.Turns[j]) {
				a.graves.exhume(a.tx, key...)
			}
			if key := placeKey(s.Conversation, &s.Turns[j]); key != nil {
				a.graves.exhume(a.tx, key...)
			}
		}
	}
	for i := range b.Facts {
		a.graves.exhume(a.tx, "fact", string(b.Facts[i].ID))
	}
}

// exhume takes the tombstones of parts away, whichever key they were made with.
func (g *graves) exhume(tx *writeTx, parts ...string) {
	for _, key := range g.keys {
		if hash := g.hash(key, parts...); g.hashes[hash] {
			delete(g.hashes, hash)
			tx.exec("DELETE FROM tombstones WHERE hash = ?", hash[:])
		}
	}
}

// accountKey is a message by the account that sent it, whatever it was called.
func accountKey(account Handle, t *Turn) []string {
	when := t.When.Local
	if !t.When.Instant.IsZero() {
		when = encodeTime(t.When.Instant.UTC())
	}
	return []string{"account", account.Format, account.Handle, when, t.Text, t.Caption}
}

// buryTurn writes the tombstones of a turn; accounts are those of who said it.
func (g *graves) buryTurn(tx *writeTx, conversation string, t *Turn, accounts ...Handle) {
	g.bury(tx, "turn", conversation, t.ID)
	for _, account := range accounts {
		if !t.When.Instant.IsZero() || t.When.Local != "" {
			g.bury(tx, accountKey(account, t)...)
		}
	}
	if strings.TrimSpace(t.Text)+strings.TrimSpace(t.Caption) != "" {
		for _, key := range messageKeys(conversation, t) {
			g.bury(tx, key...)
		}
		if key := placeKey(conversation, t); key != nil {
			g.bury(tx, key...)
		}
	}
}

// messageKeys are a message without its id: who said what and when, and in which
// minute, since another phone's export may show no seconds, or others. A message of
// a known time is the same one in whatever conversation a file shows it; without
// a time its conversation belongs to it.
func messageKeys(conversation string, t *Turn) [][]string {
	when := t.When.Local
	if when == "" {
		when = encodeTime(t.When.Instant)
	}
	if when != "" {
		conversation = ""
	}
	out := [][]string{{"message", conversation, t.Speaker, when, t.Text, t.Caption}}
	if minute := minuteOf(t); minute != "" {
		out = append(out, []string{"minute", t.Speaker, minute, t.Text, t.Caption})
		if utf8.RuneCountInString(t.Text) >= unsignedRunes { // a contact may have been renamed since
			out = append(out, []string{"unsigned", minute, t.Text, t.Caption})
		}
	}
	return out
}

// placeKey is a message by its conversation, minute and words, nil without one of them.
func placeKey(conversation string, t *Turn) []string {
	minute := minuteOf(t)
	if minute == "" {
		return nil
	}
	return []string{"place", conversation, minute, t.Text, t.Caption}
}

// minuteOf is the minute of a turn that has words, "" unknown.
func minuteOf(t *Turn) string {
	minute := len("2006-01-02T15:04")
	if len(t.When.Local) < minute || strings.TrimSpace(t.Text)+strings.TrimSpace(t.Caption) == "" {
		return ""
	}
	return t.When.Local[:minute]
}

// unsignedRunes is how long words are that two don't say alike in one minute.
const unsignedRunes = 20
