package ingest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSpill: a spill is an array, whatever lies in memory.
func TestSpill(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		s := newSpill(rapid.IntRange(1, 900).Draw(t, "record"), rapid.IntRange(1, 3).Draw(t, "pages"))
		defer s.close()
		var want [][]byte
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.IntRange(1, 40).Draw(t, "n") {
					if n := s.add(); n != len(want) {
						t.Fatalf("record %d of %d", n, len(want))
					}
					want = append(want, make([]byte, s.record))
				}
			},
			"change": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip("nothing in it")
				}
				i, to := rapid.IntRange(0, len(want)-1).Draw(t, "i"), rapid.Byte().Draw(t, "to")
				r := s.at(i, true)
				r[len(r)-1], r[0] = to, to
				want[i][s.record-1], want[i][0] = to, to
			},
			"": func(t *rapid.T) {
				for i := range want {
					if got := s.at(i, false); !bytes.Equal(got, want[i]) {
						t.Fatalf("record %d is %x, want %x", i, got, want[i])
					}
				}
				if s.fault != nil {
					t.Fatal(s.fault)
				}
			},
		})
	})
}

// TestTextSpill: texts come back as they were, over the ends of pages.
func TestTextSpill(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	texts := newTextSpill(1)
	defer texts.bytes.close()
	var at []uint64
	for i := range 200 {
		at = append(at, texts.add(strings.Repeat("ä", i*17)))
	}
	for i, place := range at {
		if got := texts.get(place); place == 0 || got != strings.Repeat("ä", i*17) {
			t.Fatalf("text %d at %d has %d bytes", i, place, len(got))
		}
	}
	if got := texts.get(0); got != "" {
		t.Errorf("no text is %q", got)
	}
}

// TestTable: a table is a map, through growing and with hashes that begin alike.
func TestTable(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	table := newTable(keyBytes, 1)
	defer table.close()
	key := func(i int) uint64 {
		if i%3 == 0 {
			return 1<<63 | uint64(i) // one front half for all of them
		}
		return uint64(i) * 0x9e3779b97f4a7c15
	}
	const n = 1500
	for i := range n {
		if table.find(key(i)) >= 0 {
			t.Fatalf("%d is there before it was added", i)
		}
		if number, isNew := table.add(key(i)); number != i || !isNew {
			t.Fatalf("%d is number %d, new: %v", i, number, isNew)
		}
	}
	for i := range n {
		if number, isNew := table.add(key(i)); number != i || isNew || table.find(key(i)) != i {
			t.Fatalf("%d is number %d, new: %v", i, number, isNew)
		}
	}
	if err := table.fault(); err != nil {
		t.Fatal(err)
	}
}

// TestSpillSorted: records are sorted through several runs, equal ones as they came.
func TestSpillSorted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, n := range []int{0, 1, sortAtOnce, 2*sortAtOnce + 77} {
		s := newSpill(16, 2)
		var want [][2]uint64
		for i := range n {
			r, at := s.at(s.add(), true), uint64(i)*2654435761%97
			binary.LittleEndian.PutUint64(r, at)
			binary.LittleEndian.PutUint64(r[8:], uint64(i))
			want = append(want, [2]uint64{at, uint64(i)})
		}
		slices.SortStableFunc(want, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
		s = s.sorted(byTime)
		if s.n != n || s.fault != nil {
			t.Fatalf("%d of %d records: %v", s.n, n, s.fault)
		}
		for i := range want {
			r := s.at(i, false)
			if got := [2]uint64{binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:])}; got != want[i] {
				t.Fatalf("record %d is %v, want %v", i, got, want[i])
			}
		}
		s.close()
	}
}

// TestSpillFault: where no temporary file can be had, what was put in is an error in
// the end, not a silent zero; and nothing is left behind.
func TestSpillFault(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	fill := func() *spill {
		s := newSpill(8, 1)
		for i := range 5000 {
			s.at(s.add(), true)[0] = byte(i)
		}
		return s
	}
	s := fill()
	if s.close(); s.fault != nil {
		t.Error(s.fault)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", dir+"/none")
	if s := fill(); s.fault == nil || !strings.Contains(s.fault.Error(), "TMPDIR") {
		t.Errorf("without a folder for it: %v", s.fault)
	}
}
