package ingest

import (
	"encoding/binary"
	"fmt"
)

// keyBytes are those at the front of a table's record: its key.
const keyBytes = 8

// table numbers 64-bit hashes in the order in which they come, with a record for each.
// A slot holds the front half of a hash and the number behind it; slots are in the
// order of hashes, so that a table that grows is copied from front to back.
type table struct {
	records *spill
	slots   *spill
	bits    int // the table has 1<<bits slots
	pages   int
}

const slotBytes = 8

// newTable makes a table of records of that many bytes, the key's included.
func newTable(record, pages int) *table {
	t := &table{records: newSpill(record, pages), pages: pages}
	t.slots, t.bits = newSpill(slotBytes, 2*pages), 10
	return t
}

func (t *table) close() {
	t.records.close()
	t.slots.close()
}

// fault is why records can't be had, nil if they can.
func (t *table) fault() error {
	if t.records.fault != nil {
		return t.records.fault
	}
	return t.slots.fault
}

// find is the number of a key, -1 for one that isn't there.
func (t *table) find(key uint64) int {
	n, _ := t.look(key)
	return n
}

// add is the number of a key, and whether it is a new one.
func (t *table) add(key uint64) (int, bool) {
	n, slot := t.look(key)
	if n >= 0 {
		return n, false
	}
	n = t.records.add()
	binary.LittleEndian.PutUint64(t.records.at(n, true), key)
	t.fill(slot, uint32(key>>32), n)
	switch {
	case 2*t.records.n <= 1<<t.bits:
	case t.bits < 32: // as much as a slot tells of a hash
		t.grow()
	case t.records.fault == nil:
		t.records.fault = fmt.Errorf("%w: more than %d ids in one source; import it in parts", ErrTooLong, t.records.n)
	}
	return n, true
}

// look finds the number of a key, else -1 and the slot that is free for it.
func (t *table) look(key uint64) (n, slot int) {
	front := uint32(key >> 32)
	mask := 1<<t.bits - 1
	for slot = int(key >> (64 - t.bits)); ; slot = (slot + 1) & mask {
		s := t.slots.at(slot, false)
		number := binary.LittleEndian.Uint32(s[4:])
		if number == 0 {
			return -1, slot
		}
		if binary.LittleEndian.Uint32(s) == front {
			if n := int(number - 1); binary.LittleEndian.Uint64(t.records.at(n, false)) == key {
				return n, slot
			}
		}
	}
}

func (t *table) fill(slot int, front uint32, n int) {
	s := t.slots.at(slot, true)
	binary.LittleEndian.PutUint32(s, front)
	binary.LittleEndian.PutUint32(s[4:], uint32(n+1))
}

func (t *table) grow() {
	old := t.slots
	t.slots = newSpill(slotBytes, 2*t.pages)
	t.bits++
	mask := 1<<t.bits - 1
	for i := range 1 << (t.bits - 1) {
		s := old.at(i, false)
		front, number := binary.LittleEndian.Uint32(s), binary.LittleEndian.Uint32(s[4:])
		if number == 0 {
			continue
		}
		slot := int(front >> (32 - t.bits))
		for binary.LittleEndian.Uint32(t.slots.at(slot, false)[4:]) != 0 {
			slot = (slot + 1) & mask
		}
		t.fill(slot, front, int(number-1))
	}
	if t.slots.fault == nil {
		t.slots.fault = old.fault
	}
	old.close()
}
