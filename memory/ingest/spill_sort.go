package ingest

import "slices"

// sortAtOnce is how many records are sorted in memory.
const sortAtOnce = 1 << 15

// sorted returns the records in order, in a new spill, and closes the old one: equal
// ones stay in the order in which they came. They are sorted in runs, and these
// merged.
func (s *spill) sorted(compare func(a, b []byte) int) *spill {
	var runs []*run
	buffer := make([]byte, 0, min(s.n, sortAtOnce)*s.record)
	order := make([][]byte, 0, min(s.n, sortAtOnce))
	sorted := newSpill(s.record, len(s.slots))
	for from := 0; from < s.n; from += sortAtOnce {
		to := min(from+sortAtOnce, s.n)
		buffer, order = buffer[:0], order[:0]
		for i := from; i < to; i++ {
			buffer = append(buffer, s.at(i, false)...)
			order = append(order, buffer[len(buffer)-s.record:])
		}
		slices.SortStableFunc(order, compare)
		for _, record := range order {
			copy(sorted.at(sorted.add(), true), record)
		}
		runs = append(runs, &run{from: sorted, next: from, end: to})
	}
	s.close()
	if sorted.fault == nil {
		sorted.fault = s.fault
	}
	if len(runs) < 2 {
		return sorted
	}
	merged := newSpill(s.record, len(s.slots))
	for {
		var first *run
		for _, r := range runs {
			if r.fill() && (first == nil || compare(r.ahead[0], first.ahead[0]) < 0) {
				first = r
			}
		}
		if first == nil {
			break
		}
		copy(merged.at(merged.add(), true), first.ahead[0])
		first.ahead = first.ahead[1:]
	}
	sorted.close()
	if merged.fault == nil {
		merged.fault = sorted.fault
	}
	return merged
}

// run is a stretch of a spill that is in order; a part of it is read ahead.
type run struct {
	from      *spill
	next, end int
	buffer    []byte
	ahead     [][]byte
}

const readAhead = 128 // records

// fill makes the next record be there, and reports whether there is any.
func (r *run) fill() bool {
	if len(r.ahead) > 0 {
		return true
	}
	r.buffer, r.ahead = r.buffer[:0], r.ahead[:0]
	if r.buffer == nil {
		r.buffer = make([]byte, 0, readAhead*r.from.record)
	}
	for ; r.next < r.end && len(r.ahead) < readAhead; r.next++ {
		r.buffer = append(r.buffer, r.from.at(r.next, false)...)
		r.ahead = append(r.ahead, r.buffer[len(r.buffer)-r.from.record:])
	}
	return len(r.ahead) > 0
}
