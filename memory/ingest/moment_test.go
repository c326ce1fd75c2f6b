package ingest

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWallClock: a wall clock is read as time.Parse reads it.
func TestWallClock(t *testing.T) {
	same := func(t interface{ Errorf(string, ...any) }, s string) {
		want, err := time.Parse(wallLayout, s)
		if got, ok := wallClock(s); ok != (err == nil) || ok && !got.Equal(want) {
			t.Errorf("%q is %v, %v; want %v, %v", s, got, ok, want, err)
		}
	}
	for _, s := range []string{"", "2024-02-29T00:00:00", "2023-02-29T00:00:00", "2024-02-30T10:00:00", "2024-13-01T10:00:00", "2024-01-01 10:00:00", "2024-1-01T10:00:00", "2024-01-01T24:00:00", "2024-01-01T10:00:60", "0000-01-01T00:00:00", "2024-01-01T10:00:00.5", "2024-00-01T10:00:00", "2024-01-00T10:00:00", "２024-01-01T10:00"} {
		same(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		same(t, rapid.StringMatching(`[0-9]{4}-[0-3][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]`).Draw(t, "s"))
	})
}

// TestDigest: a digest is the front of the SHA-256 in base 32, as stored ids have it.
func TestDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.StringN(0, 300, -1), 0, 5).Draw(t, "fields")
		var all []byte
		for _, f := range fields {
			all = append(binary.BigEndian.AppendUint64(all, uint64(len(f))), f...)
		}
		sum := sha256.Sum256(all)
		if got, want := digest(fields...), strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:13]; got != want {
			t.Errorf("%q is %s, want %s", fields, got, want)
		}
	})
}

// TestLooseString: a string of JSON is read as encoding/json reads it.
func TestLooseString(t *testing.T) {
	for _, in := range []string{`""`, `"a"`, `"Ana \"B\""`, `"\u00e4"`, `"ä"`, "\"a\xff\"", `"\\"`, `"a\ud83d"`} {
		var want string
		if err := json.Unmarshal([]byte(in), &want); err != nil {
			t.Fatal(err)
		}
		var got looseString
		if err := json.Unmarshal([]byte(in), &got); err != nil || string(got) != want {
			t.Errorf("%s is %q, want %q: %v", in, got, want, err)
		}
	}
}
