package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PolicyVersion is one state of the policy file.
type PolicyVersion struct {
	Seq    int64     `json:"seq"` // 1, 2, …
	Hash   string    `json:"hash"`
	Source []byte    `json:"source"`
	At     time.Time `json:"at"`
	Author string    `json:"author,omitempty"`
	Note   string    `json:"note,omitempty"`
	// Restores is the number of the version that came back by an undo, 0 for none.
	Restores int64 `json:"restores,omitempty"`
}

// PolicyVersion stores a version of the policy, unless it is the latest already.
// An earlier one that comes back is a new version. A zero At becomes now; Seq is
// the store's to give.
func (s *Store) PolicyVersion(ctx context.Context, v PolicyVersion) error {
	return s.PutPolicy(ctx, v, func() error { return nil })
}

// PutPolicy is [Store.PolicyVersion] together with what put does to the policy file
// or finds there: no other process writes to the store between the two, and nothing
// is stored where put fails.
func (s *Store) PutPolicy(ctx context.Context, v PolicyVersion, put func() error) error {
	if v.Hash == "" {
		return fmt.Errorf("store a policy version: no hash: %w", ErrInvalid)
	}
	if v.At.IsZero() {
		v.At = s.opts.Now()
	}
	var failed error
	err := s.update(ctx, func(tx *writeTx) error {
		if failed = put(); failed != nil {
			return failed
		}
		insertPolicyVersion(tx, v)
		return tx.err
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("store policy version %s: %w", v.Hash, err)
	}
	return nil
}

func insertPolicyVersion(tx *writeTx, v PolicyVersion) {
	var latest string
	if tx.scan("SELECT hash FROM policy_versions ORDER BY seq DESC LIMIT 1", nil, &latest); latest == v.Hash || tx.err != nil { //nolint:errcheck // no row: no version yet
		return
	}
	source := v.Source
	if source == nil {
		source = []byte{}
	}
	tx.exec("INSERT INTO policy_versions (hash, source, at, author, note, restores) VALUES (?, ?, ?, ?, ?, ?)", v.Hash, source, encodeTime(v.At), v.Author, v.Note, v.Restores)
}

// PolicyVersions returns every version, by number.
func (s *Store) PolicyVersions(ctx context.Context) ([]PolicyVersion, error) {
	var out []PolicyVersion
	_, err := s.snapshot(ctx, func(tx readTx) (err error) {
		out, err = loadPolicyVersions(reader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read policy versions: %w", err)
	}
	return out, nil
}

func loadPolicyVersions(each rowsOf) ([]PolicyVersion, error) {
	var out []PolicyVersion
	err := each("SELECT seq, hash, source, at, author, note, restores FROM policy_versions ORDER BY seq", nil, func(rows *sql.Rows) error {
		var v PolicyVersion
		var at string
		err := rows.Scan(&v.Seq, &v.Hash, &v.Source, &at, &v.Author, &v.Note, &v.Restores)
		if err == nil {
			v.At, err = decodeTime(at)
		}
		out = append(out, v)
		return err
	})
	return out, err
}

// PolicyVersionAt returns the version that was in force at the instant t: the
// latest of those that are not later. ErrNotFound: there was none yet; the error
// names the first.
func (s *Store) PolicyVersionAt(ctx context.Context, t time.Time) (PolicyVersion, error) {
	versions, err := s.PolicyVersions(ctx)
	var out PolicyVersion
	if err == nil {
		out, err = policyVersionAt(versions, t)
	}
	if err != nil {
		return PolicyVersion{}, fmt.Errorf("policy version at %s: %w", t.Format(time.RFC3339), err)
	}
	return out, nil
}

func policyVersionAt(versions []PolicyVersion, t time.Time) (PolicyVersion, error) {
	if len(versions) == 0 {
		return PolicyVersion{}, fmt.Errorf("%w: no version is stored yet", ErrNotFound)
	}
	// An imported export brings older versions under higher numbers.
	versions = slices.Clone(versions)
	slices.SortStableFunc(versions, func(a, b PolicyVersion) int { return a.At.Compare(b.At) })
	later := slices.IndexFunc(versions, func(v PolicyVersion) bool { return v.At.After(t) })
	switch later {
	case -1:
		return versions[len(versions)-1], nil
	case 0:
		return PolicyVersion{}, fmt.Errorf("%w: the first is %s; ask for a later time", ErrNotFound, versions[0].name())
	}
	return versions[later-1], nil
}

// minHashPrefix is the fewest characters that may stand for a whole hash.
const minHashPrefix = 6

// FindPolicyVersion returns the version that ref names: its number ("3"), the
// first characters of its hash, six at least, or a time ("2026-03-01" is the end
// of that day on this machine, RFC 3339 an instant), see [Store.PolicyVersionAt].
// Where one hash came back as several versions it means the latest. ErrNotFound
// says what there is, ErrAmbiguous names the candidates, ErrInvalid: ref is none
// of these.
func (s *Store) FindPolicyVersion(ctx context.Context, ref string) (PolicyVersion, error) {
	versions, err := s.PolicyVersions(ctx)
	var out PolicyVersion
	if err == nil {
		out, err = findPolicyVersion(versions, strings.TrimSpace(ref), s.opts.Now().Location())
	}
	if err != nil {
		return PolicyVersion{}, fmt.Errorf("policy version %q: %w", ref, err)
	}
	return out, nil
}

func findPolicyVersion(versions []PolicyVersion, ref string, zone *time.Location) (PolicyVersion, error) {
	if t, ok := ParseMoment(ref, zone); ok {
		return policyVersionAt(versions, t)
	}
	seq, err := strconv.ParseInt(ref, 10, 64)
	numeric, prefix := err == nil, strings.ToLower(ref)
	var found []PolicyVersion
	best := 0 // the numbered one, else the latest
	for _, v := range versions {
		hash := strings.ToLower(v.Hash)
		numbered := numeric && v.Seq == seq
		if numbered || hash == prefix || len(prefix) >= minHashPrefix && strings.HasPrefix(hash, prefix) {
			found = append(found, v)
			if numbered || !numeric || found[best].Seq != seq {
				best = len(found) - 1
			}
		}
	}
	switch {
	case slices.ContainsFunc(found, func(v PolicyVersion) bool { return v.Hash != found[0].Hash }):
		return PolicyVersion{}, fmt.Errorf("%w: it may be %s; give more of the hash, or a number", ErrAmbiguous, policyNames(found))
	case len(found) > 0:
		return found[best], nil
	case len(versions) == 0:
		return PolicyVersion{}, fmt.Errorf("%w: no version is stored yet", ErrNotFound)
	case numeric || len(ref) >= minHashPrefix:
		return PolicyVersion{}, fmt.Errorf("%w: there is %s", ErrNotFound, policyNames(versions))
	}
	return PolicyVersion{}, fmt.Errorf("%w: give a number, %d characters of a hash or a time; there is %s", ErrInvalid, minHashPrefix, policyNames(versions))
}

// policyNames names versions for an error, the latest few of many.
func policyNames(versions []PolicyVersion) string {
	const most = 6
	var names []string
	for _, v := range versions[max(0, len(versions)-most):] {
		names = append(names, v.name())
	}
	out := strings.Join(names, ", ")
	if more := len(versions) - most; more > 0 {
		out += fmt.Sprintf(" and %d earlier", more)
	}
	return out
}

func (v *PolicyVersion) name() string {
	const shown = 12 // characters of the hash
	return fmt.Sprintf("%d (%.*s, %s)", v.Seq, shown, v.Hash, v.At.Format(time.RFC3339))
}

// momentLayouts are the forms of a moment, with a T or a blank before the time.
var momentLayouts = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00",
	"2006-01-02T15:04:05", time.DateTime, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

// ParseMoment reads a moment that a person gives: RFC 3339 is an instant,
// "2006-01-02 15:04" and "2006-01-02 15:04:05" are in the zone, and a day,
// "2006-01-02", stands for its end there, since what was done that day is to be
// seen.
func ParseMoment(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range momentLayouts {
		t, err := time.ParseInLocation(layout, text, zone)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
		}
		return t, true
	}
	return time.Time{}, false
}
