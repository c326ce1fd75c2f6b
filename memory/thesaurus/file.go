package thesaurus

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
)

//go:embed vectors.bin
var file []byte

//go:embed NOTICE
var notice string

// Notice returns the notice and licence of the dictionary that the vectors are
// derived from.
func Notice() string { return notice }

// table is the file as it is used. Rows point into the embedded bytes.
type table struct {
	words  map[string]int32
	rarity []uint8  // 8 times −log2 of a word's share of all uses
	rows   [][]byte // int8 numbers
	scale  []float32
}

var errFile = errors.New("vectors.bin is damaged")

// load reads the embedded file at the first use.
var load = sync.OnceValue(func() *table {
	t, err := parse(file)
	if err != nil {
		panic(err) // the build is broken: TestFile
	}
	return t
})

// parse reads what generate writes: a heading, the number of words and dimensions;
// for each word how much of the last one it keeps, what it adds, its rarity and its
// row; then irregular forms with the word that each stands for.
func parse(data []byte) (*table, error) {
	head, rest, _ := strings.Cut(string(data[:min(len(data), 64)]), "\n")
	sizes, _, ok := strings.Cut(rest, "\n")
	var n, dim int
	if _, err := fmt.Sscanf(sizes, "%d %d", &n, &dim); err != nil || !ok || head != "epagent thesaurus 1" || dim != dimensions || n < 0 || n > len(data) {
		return nil, errFile
	}
	data = data[len(head)+len(sizes)+2:]
	take := func(n int) []byte {
		if n > len(data) {
			data = nil
			return nil
		}
		out := data[:n]
		data = data[n:]
		return out
	}
	t := &table{words: make(map[string]int32, n), rarity: make([]uint8, 0, n), rows: make([][]byte, 0, n), scale: make([]float32, 0, n)}
	previous := ""
	for i := range n {
		sizes := take(2)
		if len(sizes) < 2 || int(sizes[0]) > len(previous) {
			return nil, errFile
		}
		word := previous[:sizes[0]] + string(take(int(sizes[1])))
		rarity, row := take(1), take(dim)
		if len(row) < dim {
			return nil, errFile
		}
		previous = word
		t.words[word] = int32(i)
		t.rarity = append(t.rarity, rarity[0])
		t.rows = append(t.rows, row)
		t.scale = append(t.scale, unitScale(row))
	}
	count := take(4)
	if len(count) < 4 {
		return nil, errFile
	}
	for range binary.LittleEndian.Uint32(count) {
		size := take(1)
		if len(size) < 1 {
			return nil, errFile
		}
		form, at := string(take(int(size[0]))), take(4)
		if len(at) < 4 || binary.LittleEndian.Uint32(at) >= uint32(n) {
			return nil, errFile
		}
		t.words[form] = int32(binary.LittleEndian.Uint32(at))
	}
	return t, nil
}

// unitScale brings a row to length one.
func unitScale(row []byte) float32 {
	var sum int
	for _, b := range row {
		x := int(int8(b))
		sum += x * x
	}
	if sum == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(sum)))
}
