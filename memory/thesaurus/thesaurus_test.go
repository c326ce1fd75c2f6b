package thesaurus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fileHash is the SHA-256 of vectors.bin; Model changes with it.
const fileHash = "a2385849b961491263f2db320147f650917d5dff0a6301c205d781bc0f7f6b8b"

// TestFile: the embedded file is the one that Model names, and it can be read.
func TestFile(t *testing.T) {
	sum := sha256.Sum256(file)
	if got := hex.EncodeToString(sum[:]); got != fileHash {
		t.Errorf("vectors.bin has the hash %s, want %s: a new file needs a new Model", got, fileHash)
	}
	if len(file) > 3<<20 {
		t.Errorf("vectors.bin has %d bytes, more than 3 MiB", len(file))
	}
	got, err := parse(file)
	if err != nil || len(got.rows) < 30_000 {
		t.Fatalf("%v, %d words", err, len(got.rows))
	}
	if notice := Notice(); !strings.Contains(notice, "WordNet 3.0 Copyright 2006 by Princeton University") || !strings.Contains(notice, `"AS IS"`) {
		t.Error("the notice of the dictionary is not whole")
	}
}

// TestFileIsGenerated makes the file anew from the dictionary.
func TestFileIsGenerated(t *testing.T) {
	dict := os.Getenv("EPAGENT_WORDNET")
	if dict == "" {
		t.Skip("EPAGENT_WORDNET names no folder with the database files of WordNet 3.0")
	}
	path := filepath.Join(t.TempDir(), "vectors.bin")
	if out, err := exec.CommandContext(t.Context(), "go", "run", "./generate", "-dict", dict, "-out", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, file) {
		t.Errorf("the generated file differs from the one in the tree: %v", err)
	}
}

func cosine(t *testing.T, a, b string) float64 {
	t.Helper()
	v, err := Embedder{}.Embed(t.Context(), []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	for i := range v[0] {
		sum += float64(v[0][i]) * float64(v[1][i])
	}
	return sum
}

// TestNearness: what means the same is near enough to be found, what doesn't isn't.
func TestNearness(t *testing.T) {
	from := Embedder{}.FindsFrom()
	for _, p := range [][2]string{
		{"Did Mia see a physician?", "Mia visited her doctor on Friday"}, {"what is her pay", "her salary is 84000"},
		{"which instrument does he play", "he practices the violin daily"}, {"the film", "a movie"}, {"went by car", "she bought an automobile"},
		{"Kowalczyk", "Kowalczyk"}, {"北京", "北京"},
	} {
		if got := cosine(t, p[0], p[1]); got < from {
			t.Errorf("%q and %q: %.2f", p[0], p[1], got)
		}
	}
	for _, p := range [][2]string{
		{"Did Mia see a physician?", "Mia painted the fence on Friday"}, {"what is her pay", "her dog is called Rex"},
		{"which instrument does he play", "he cooks soup on Sundays"}, {"北京", "上海"}, {"Kowalczyk", "banana"}, {"", "banana"}, {"the", "of"},
	} {
		if got := cosine(t, p[0], p[1]); got >= from {
			t.Errorf("%q and %q: %.2f", p[0], p[1], got)
		}
	}
}

func FuzzEmbed(f *testing.F) {
	for _, s := range []string{"", "the physician", "北京 and Ghent", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Embedder{}.Embed(t.Context(), []string{s, s})
		if err != nil || len(v) != 2 || len(v[0]) != (Embedder{}).Dimensions() {
			t.Fatal(v, err)
		}
		var length float64
		for i, x := range v[0] {
			length += float64(x) * float64(x)
			if math.Float32bits(x) != math.Float32bits(v[1][i]) {
				t.Fatal("equal texts have different vectors")
			}
		}
		if length != 0 && math.Abs(length-1) > 1e-5 {
			t.Fatalf("length %v", length)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(file[:4096])
	f.Add([]byte("epagent thesaurus 1\n1 64\n"))
	f.Add([]byte("epagent thesaurus 1\n-1 64\n"))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = parse(data) })
}

func BenchmarkEmbed(b *testing.B) {
	text := []string{"On 11 February 2025 Kitefield offered Ilse the post of lead product designer from 1 April, wanting an answer by 28 February."}
	_, _ = Embedder{}.Embed(b.Context(), text)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Embedder{}).Embed(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
}
