package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
)

// fourVersions is a store whose policy changed and changed back: one a month from
// January on. The hash of the third begins like that of the second and is all digits
// up to there.
func fourVersions(t testing.TB) *memory.Store {
	t.Helper()
	s := openNew(t)
	for i, hash := range []string{"abcdef0123", "1234567aaa", "1234567bbb", "abcdef0123"} {
		at := time.Date(2025, time.Month(i+1), 15, 12, 0, 0, 0, time.UTC)
		if err := s.PolicyVersion(context.Background(), memory.PolicyVersion{Hash: hash, Source: []byte("people: []\n"), At: at, Author: "owner", Note: "note"}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestFindPolicyVersion(t *testing.T) {
	ctx := t.Context()
	s := fourVersions(t)
	for _, c := range []struct {
		ref  string
		want int64 // 0: an error
		err  error
		says string
	}{
		{ref: "1", want: 1},
		{ref: " 3 ", want: 3},
		{ref: "abcdef", want: 4}, // it came back: the latest
		{ref: "ABCDEF01", want: 4},
		{ref: "abcdef0123", want: 4},
		{ref: "1234567a", want: 2},
		{ref: "1234567bbb", want: 3},
		{ref: "123456", err: memory.ErrAmbiguous, says: "2 (1234567aaa, 2025-02-15T12:00:00Z), 3 (1234567bbb"},
		{ref: "2025-02-15", want: 2}, // the end of that day
		{ref: "2025-02-14", want: 1},
		{ref: "2025-02-15T11:59", want: 1},
		{ref: "2025-02-15T12:00:00Z", want: 2},
		{ref: "2025-02-15T12:30:00+01:00", want: 1},
		{ref: "2025-02-15T12:30+01:00", want: 1},
		{ref: "2025-02-15 13:30+01:00", want: 2},
		{ref: "2031-01-01", want: 4},
		{ref: "2025-01-14", err: memory.ErrNotFound, says: "1 (abcdef0123, 2025-01-15T12:00:00Z)"},
		{ref: "5", err: memory.ErrNotFound, says: "4 (abcdef0123"},
		{ref: "0", err: memory.ErrNotFound},
		{ref: "-1", err: memory.ErrNotFound},
		{ref: "99999999999999999999", err: memory.ErrNotFound},
		{ref: "fedcba", err: memory.ErrNotFound, says: "1 (abcdef0123"},
		{ref: "abcde", err: memory.ErrInvalid, says: "6 characters"},
		{ref: "", err: memory.ErrInvalid},
		{ref: "2025-02-30", err: memory.ErrNotFound},
	} {
		got, err := s.FindPolicyVersion(ctx, c.ref)
		if !errors.Is(err, c.err) || got.Seq != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%q: version %d, %v; want %d, %v", c.ref, got.Seq, err, c.want, c.err)
		}
		if err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v doesn't say %q", c.ref, err, c.says)
		}
	}
	whole, err := s.FindPolicyVersion(ctx, "2")
	want := memory.PolicyVersion{Seq: 2, Hash: "1234567aaa", Source: []byte("people: []\n"), At: time.Date(2025, 2, 15, 12, 0, 0, 0, time.UTC), Author: "owner", Note: "note"}
	if diff := cmp.Diff(want, whole); err != nil || diff != "" {
		t.Errorf("version 2: %v (-want +got):\n%s", err, diff)
	}
	empty := openNew(t)
	for _, ref := range []string{"1", "abcdef", "2025-02-15", ""} {
		if got, err := empty.FindPolicyVersion(ctx, ref); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%q of none: %+v, %v", ref, got, err)
		}
	}
	// The same hash under a number that begins it: both mean one version.
	if err := empty.PolicyVersion(ctx, memory.PolicyVersion{Hash: "1", Source: nil, At: noon, Author: "", Note: ""}); err != nil {
		t.Fatal(err)
	}
	if got, err := empty.FindPolicyVersion(ctx, "1"); err != nil || got.Seq != 1 {
		t.Errorf("a hash like its number: %+v, %v", got, err)
	}
}

// Versions that came with an export are older than their numbers say.
func TestPolicyVersionAt(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	late, early := noon, noon.AddDate(-1, 0, 0)
	for hash, at := range map[string]time.Time{"late": late} {
		if err := s.PolicyVersion(ctx, memory.PolicyVersion{Hash: hash, Source: nil, At: at, Author: "", Note: ""}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PolicyVersion(ctx, memory.PolicyVersion{Hash: "early", Source: nil, At: early, Author: "", Note: ""}); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]string{
		early: "early", late.Add(-time.Second): "early", late: "late", late.AddDate(9, 0, 0): "late",
	} {
		if got, err := s.PolicyVersionAt(ctx, at); err != nil || got.Hash != want {
			t.Errorf("at %v: %q, %v; want %q", at, got.Hash, err, want)
		}
	}
	if _, err := s.PolicyVersionAt(ctx, early.Add(-time.Second)); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "2 (early") {
		t.Errorf("before the first: %v", err)
	}
}

// Whatever is asked for, the answer is what the words name, or an error.
func FuzzFindPolicyVersion(f *testing.F) {
	for _, seed := range []string{"1", "3", "123456", "abcdef", "2025-02-15", "2025-02-15T12:00", "2025-02-15T12:00:00+23:59", "", "\xff", "９"} {
		f.Add(seed)
	}
	s := fourVersions(f)
	f.Fuzz(func(t *testing.T, ref string) {
		got, err := s.FindPolicyVersion(context.Background(), ref)
		if err != nil {
			kinds := []error{memory.ErrInvalid, memory.ErrNotFound, memory.ErrAmbiguous}
			if !slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }) {
				t.Fatalf("%q: %v", ref, err)
			}
			return
		}
		ref = strings.ToLower(strings.TrimSpace(ref))
		if moment, ok := memory.ParseMoment(strings.ToUpper(ref), time.UTC); ok {
			if got.At.After(moment) {
				t.Fatalf("%q: version of %v", ref, got.At)
			}
			return
		}
		if !strings.HasPrefix(got.Hash, ref) && strings.TrimLeft(ref, "+0") != string(rune('0'+got.Seq)) {
			t.Fatalf("%q: version %d, %s", ref, got.Seq, got.Hash)
		}
	})
}
