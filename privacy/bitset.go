package privacy

// bitset is a set of people by number. In the lists of facts bit 0 stays clear:
// number 0 is unknown, and no list names strangers.
type bitset []uint64

func (b bitset) add(n int32) { b[n>>6] |= 1 << (n & 63) }

// has reports whether n is in b; a nil set has nobody.
func (b bitset) has(n int32) bool {
	return int(n>>6) < len(b) && b[n>>6]&(1<<(n&63)) != 0
}

// union adds the members of c, a set of the same size.
func (b bitset) union(c bitset) {
	for i := range b {
		b[i] |= c[i]
	}
}

// subtract removes the members of c, a set of the same size.
func (b bitset) subtract(c bitset) {
	for i := range b {
		b[i] &^= c[i]
	}
}

func (b bitset) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}
