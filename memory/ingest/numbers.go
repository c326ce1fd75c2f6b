package ingest

import "hash/maphash"

// nearMessages is how far back an answer is looked for without more ado. Answers
// to what is older are found out in the first pass over a source and looked up by
// name in the second, so that memory doesn't grow with the source.
const nearMessages = 1 << 16

// numbers finds the number of a message by the source's own id, within one
// conversation. It holds the last nearMessages ids (up to twice as many) and those
// that the first pass found to be answered from afar.
type numbers struct {
	all    bool // keep everything: the messages are kept, too
	seed   maphash.Seed
	recent [2]map[uint64]int
	far    map[uint64]bool // ids that a first pass has looked for in vain
	pinned map[uint64]int  // their numbers, in the second
	pins   map[int]bool    // numbers that are answered from afar
}

func newNumbers(seed maphash.Seed) *numbers {
	return &numbers{
		seed: seed, recent: [2]map[uint64]int{{}, {}}, far: map[uint64]bool{}, pinned: map[uint64]int{}, pins: map[int]bool{},
	}
}

// second is the numbers of a second pass over what n has seen.
func (n *numbers) second() *numbers {
	next := newNumbers(n.seed)
	next.far, next.pins = n.far, n.pins
	return next
}

func (n *numbers) key(conversation, id string) uint64 {
	var h maphash.Hash
	h.SetSeed(n.seed)
	_, _ = h.WriteString(conversation)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(id)
	return h.Sum64()
}

// set says which number the message of an id has got.
func (n *numbers) set(conversation, id string, number int) {
	key := n.key(conversation, id)
	if n.far[key] {
		n.pinned[key] = number
		n.pins[number] = true
	}
	if len(n.recent[0]) >= nearMessages && !n.all {
		n.recent[0], n.recent[1] = make(map[uint64]int, nearMessages), n.recent[0]
	}
	n.recent[0][key] = number
}

// near is the number of one of the last messages, 0 for none.
func (n *numbers) near(conversation, id string) int {
	key := n.key(conversation, id)
	if number, ok := n.recent[0][key]; ok {
		return number
	}
	return n.recent[1][key]
}

// get is the number of a message, 0 for one that hasn't come.
func (n *numbers) get(conversation, id string) int {
	if number := n.near(conversation, id); number != 0 {
		return number
	}
	key := n.key(conversation, id)
	if number, ok := n.pinned[key]; ok {
		return number
	}
	if !n.all {
		n.far[key] = true
	}
	return 0
}

// pin keeps what later messages need of message number.
func (n *numbers) pin(number int) { n.pins[number] = true }

// isASCII reports whether a text has no letters but those of ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
