package gas

// EncodeTies writes ties as they are stored, for stores that benchmarks make up.
func EncodeTies(ties [4][]int) []byte { return encode(ties) }
