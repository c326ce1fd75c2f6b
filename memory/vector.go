package memory

import (
	"encoding/binary"
	"fmt"
	"math"
)

// maxDimensions is the longest vector that a store takes: a place in a sparse
// vector is two bytes.
const maxDimensions = 1 << 16

// The two forms of a stored vector. Hashed vectors of a sentence are nearly
// empty, and sparse they take a tenth of the room.
const (
	denseVector  byte = 'd' // float32 little-endian, one a dimension
	sparseVector byte = 's' // uint16 place, float32 value, for each that isn't zero
)

// encodeVector returns v as stored, nil for a vector of zeros.
func encodeVector(v []float32) []byte {
	filled := 0
	for _, x := range v {
		if x != 0 {
			filled++
		}
	}
	switch {
	case filled == 0:
		return nil
	case 6*filled < 4*len(v):
		out := append(make([]byte, 0, 1+6*filled), sparseVector)
		for i, x := range v {
			if x != 0 {
				out = binary.LittleEndian.AppendUint16(out, uint16(i))
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
			}
		}
		return out
	}
	out := append(make([]byte, 0, 1+4*len(v)), denseVector)
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// decodeVector reads what encodeVector wrote into v, which has the model's
// length. ErrVector if the bytes are of something else.
func decodeVector(b []byte, v []float32) error {
	clear(v)
	if len(b) == 0 {
		return nil
	}
	form, b := b[0], b[1:]
	switch {
	case form == denseVector && len(b) == 4*len(v):
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return nil
	case form == sparseVector && len(b)%6 == 0:
		for ; len(b) > 0; b = b[6:] {
			i := int(binary.LittleEndian.Uint16(b))
			if i >= len(v) {
				return fmt.Errorf("%w: place %d of a vector of %d: run epagent reindex", ErrVector, i, len(v))
			}
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[2:]))
		}
		return nil
	}
	return fmt.Errorf("%w: %d bytes for %d dimensions: run epagent reindex", ErrVector, len(b)+1, len(v))
}

// checkVector reports ErrVector unless v has dim numbers, all finite, not all
// zero: an index would give such a vector a place at random.
func checkVector(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("%w: %d dimensions, want %d", ErrVector, len(v), dim)
	}
	zero := true
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("%w: not finite", ErrVector)
		}
		zero = zero && x == 0
	}
	if zero {
		return fmt.Errorf("%w: zero", ErrVector)
	}
	return nil
}

// padded is the room that a vector of dim numbers takes, a multiple of 16 bytes.
// The assembly of blas32.Dot sums in an order that depends on where its second
// vector starts; vectors that all start on 16 bytes give equal bits wherever they
// lie.
func padded(dim int) int { return (dim + 3) &^ 3 }

// unit returns a copy of v of length one; v itself is left alone. A zero vector
// stays zero.
func unit(v []float32) []float32 {
	out := make([]float32, len(v), padded(len(v)))
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return out
	}
	by := 1 / math.Sqrt(sum)
	for i, x := range v {
		out[i] = float32(float64(x) * by)
	}
	return out
}
