package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// SeenName is a name under which somebody speaks in what was imported.
type SeenName struct {
	Name          string
	Self          bool // the owner's own words
	Messages      int
	Conversations int
	First, Last   string   // days, "" unknown
	Formats       []string // of the sources, sorted
	Handles       []Handle // ids that apps gave, sorted
}

// Handle is the id that an app gives to somebody who speaks: a number, an address, an
// account. A name may have several, and several names one.
type Handle struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Handle string `json:"handle"`
}

// Contact is an entry of an address book. It is a proposal and grants nothing.
type Contact struct {
	Name      string   `json:"name"`
	Format    string   `json:"format"`
	SourceID  string   `json:"source_id,omitempty"`
	Aliases   []string `json:"aliases,omitempty"`
	Phones    []string `json:"phones,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
}

// FormatRenamed is the format of a Contact that is no entry of an address book: Name and
// its alias said the same messages in two exports of one chat. SourceID is the alias.
const FormatRenamed = "renamed"

// FormatMerged is the format of a Contact that is no entry of an address book: its
// aliases are what a merge wrote for the person Name into the policy; SourceID is the
// name that was merged. Without aliases it was taken back.
const FormatMerged = "merged"

// OwnerName is a name or id under which the owner speaks in the exports of a format,
// as the owner said.
type OwnerName struct {
	Format string `json:"format"`
	Name   string `json:"name"`
	ID     string `json:"id,omitempty"`
}

// People is what the record knows of people beside their words.
type People struct {
	Handles  []Handle    `json:"handles,omitempty"`
	Contacts []Contact   `json:"contacts,omitempty"`
	Owner    []OwnerName `json:"owner,omitempty"`
	Apart    [][2]string `json:"apart,omitempty"` // names that the owner said are two people
}

// NotePeople adds to what is known of people. What is there already stays; an entry of
// an address book replaces the one with its name and id.
func (s *Store) NotePeople(ctx context.Context, p People) error {
	err := s.update(ctx, func(tx *writeTx) error {
		p.write(tx)
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("note people: %w", err)
	}
	return nil
}

func (p *People) write(tx *writeTx) {
	for _, h := range p.Handles {
		tx.exec("INSERT OR IGNORE INTO handles (name, format, handle) VALUES (?, ?, ?)", h.Name, h.Format, h.Handle)
	}
	for _, c := range p.Contacts {
		tx.exec("INSERT OR REPLACE INTO contacts (name, format, source_id, aliases, phones, addresses) VALUES (?, ?, ?, ?, ?, ?)",
			c.Name, c.Format, c.SourceID, encodeList(c.Aliases), encodeList(c.Phones), encodeList(c.Addresses))
	}
	for _, o := range p.Owner {
		tx.exec("INSERT OR IGNORE INTO owner_names (format, name, id) VALUES (?, ?, ?)", o.Format, o.Name, o.ID)
	}
	for _, a := range p.Apart {
		tx.exec("INSERT OR IGNORE INTO people_apart (one, other) VALUES (?, ?)", min(a[0], a[1]), max(a[0], a[1]))
	}
}

// Together takes back that two names are two people.
func (s *Store) Together(ctx context.Context, one, other string) error {
	err := s.update(ctx, func(tx *writeTx) error {
		tx.exec("DELETE FROM people_apart WHERE one = ? AND other = ?", min(one, other), max(one, other))
		return tx.err
	})
	if err != nil {
		return fmt.Errorf("note people: %w", err)
	}
	return nil
}

// ForgetOwnerName takes back that the owner speaks under a name, in every format. It
// reports whether it was known.
func (s *Store) ForgetOwnerName(ctx context.Context, name string) (bool, error) {
	gone := false
	err := s.update(ctx, func(tx *writeTx) error {
		for _, o := range loadPeople(tx.rows(), tx).Owner {
			if foldName(o.Name) == foldName(name) || o.ID == name {
				tx.exec("DELETE FROM owner_names WHERE format = ? AND name = ? AND id = ?", o.Format, o.Name, o.ID)
				gone = true
			}
		}
		return tx.err
	})
	if err != nil {
		return false, fmt.Errorf("owner's names: %w", err)
	}
	return gone, nil
}

// People returns what NotePeople took in, sorted.
func (s *Store) People(ctx context.Context) (People, error) {
	var out People
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = readPeople(reader(ctx, tx))
		return err
	})
	if err != nil {
		return People{}, fmt.Errorf("read people: %w", err)
	}
	return out, nil
}

// loadPeople is readPeople within a writing transaction.
func loadPeople(each rowsOf, tx *writeTx) People {
	out, err := readPeople(each)
	if err != nil && tx.err == nil {
		tx.err = err
	}
	return out
}

func readPeople(each rowsOf) (People, error) {
	var out People
	err := each("SELECT name, format, handle FROM handles ORDER BY name, format, handle", nil, func(rows *sql.Rows) error {
		var h Handle
		err := rows.Scan(&h.Name, &h.Format, &h.Handle)
		out.Handles = append(out.Handles, h)
		return err
	})
	if err != nil {
		return out, err
	}
	err = each("SELECT name, format, source_id, aliases, phones, addresses FROM contacts ORDER BY name, format, source_id", nil, func(rows *sql.Rows) error {
		var c Contact
		var lists [3]string
		err := rows.Scan(&c.Name, &c.Format, &c.SourceID, &lists[0], &lists[1], &lists[2])
		for i, into := range []*[]string{&c.Aliases, &c.Phones, &c.Addresses} {
			if err == nil {
				*into, err = decodeList[string](lists[i], "contacts")
			}
		}
		out.Contacts = append(out.Contacts, c)
		return err
	})
	if err != nil {
		return out, err
	}
	err = each("SELECT format, name, id FROM owner_names ORDER BY format, name, id", nil, func(rows *sql.Rows) error {
		var o OwnerName
		err := rows.Scan(&o.Format, &o.Name, &o.ID)
		out.Owner = append(out.Owner, o)
		return err
	})
	if err != nil {
		return out, err
	}
	err = each("SELECT one, other FROM people_apart ORDER BY one, other", nil, func(rows *sql.Rows) error {
		var a [2]string
		err := rows.Scan(&a[0], &a[1])
		out.Apart = append(out.Apart, a)
		return err
	})
	return out, err
}

// Seen returns the names that speak, by name.
func (s *Store) Seen(ctx context.Context) ([]SeenName, error) {
	var out []SeenName
	_, err := s.snapshot(ctx, func(tx readTx) error {
		each := reader(ctx, tx)
		err := each(`SELECT t.speaker, max(t.self), count(*), count(DISTINCT t.conversation),
				coalesce(min(CASE WHEN t.said_local <> '' THEN substr(t.said_local, 1, 10) END), ''), coalesce(max(substr(t.said_local, 1, 10)), ''),
				group_concat(DISTINCT s.source_format)
			FROM turns t JOIN sessions s ON s.id = t.session
			WHERE t.speaker <> '' AND t.kind <> 'system' GROUP BY t.speaker ORDER BY t.speaker`, nil, func(rows *sql.Rows) error {
			var n SeenName
			var formats string
			err := rows.Scan(&n.Name, &n.Self, &n.Messages, &n.Conversations, &n.First, &n.Last, &formats)
			n.Formats = strings.Split(formats, ",")
			slices.Sort(n.Formats)
			out = append(out, n)
			return err
		})
		if err != nil {
			return err
		}
		people, err := readPeople(each)
		for _, h := range people.Handles {
			if i, ok := slices.BinarySearchFunc(out, h.Name, func(n SeenName, name string) int { return strings.Compare(n.Name, name) }); ok {
				out[i].Handles = append(out[i].Handles, h)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list people: %w", err)
	}
	return out, nil
}

// forgetPeople takes names out of what is known of people.
func (f *forgetter) forgetPeople() error {
	if len(f.people) == 0 {
		return nil
	}
	known := loadPeople(f.tx.rows(), f.tx)
	for _, h := range known.Handles {
		if f.people[foldName(h.Name)] {
			f.tx.exec("DELETE FROM handles WHERE name = ?", h.Name)
		}
	}
	for _, c := range known.Contacts {
		if f.people[foldName(c.Name)] {
			f.tx.exec("DELETE FROM contacts WHERE name = ?", c.Name)
		}
		if (c.Format == FormatRenamed || c.Format == FormatMerged) && slices.ContainsFunc(c.Aliases, func(name string) bool { return f.people[foldName(name)] }) {
			f.tx.exec("DELETE FROM contacts WHERE name = ? AND format = ? AND source_id = ?", c.Name, c.Format, c.SourceID)
		}
	}
	for _, o := range known.Owner {
		if f.people[foldName(o.Name)] {
			f.tx.exec("DELETE FROM owner_names WHERE name = ?", o.Name)
		}
	}
	for _, a := range known.Apart {
		if f.people[foldName(a[0])] || f.people[foldName(a[1])] {
			f.tx.exec("DELETE FROM people_apart WHERE one = ? AND other = ?", a[0], a[1])
		}
	}
	return f.tx.err
}
