package ingest

import "time"

// dayOrder settles in which order the dates of a file are written, "3/4/2024" day or month
// first and "24/3/4" perhaps year first: as the user says, else by numbers that are no month,
// else by the order in which the file's dates go back least and leap least.
type dayOrder struct {
	dates     []day
	ambiguous bool
	dotted    bool      // dates with dots occur too
	since     int       // the year in which the app came; 0: not known
	now       time.Time // the zero time: not known
}

// slashesAlone ends an order that was found by dates with slashes, in a file that has some with
// dots too: those are written day first everywhere.
const slashesAlone = " where slashes stand"

func (o *dayOrder) see(d day) {
	o.dotted = o.dotted || d.dotted && d.ordered
	if d.ordered || d.year == 0 {
		return
	}
	o.ambiguous = true
	if n := len(o.dates); n == 0 || o.dates[n-1] != d {
		o.dates = append(o.dates, d)
	}
}

// settle gives the order; certain is false where nothing tells.
func (o *dayOrder) settle(told string) (order string, certain bool) {
	if told == "dmy" || told == "mdy" || told == "ymd" {
		return told, true
	}
	if !o.ambiguous {
		return "dmy", true
	}
	if order, certain = o.infer(); order != "dmy" && o.dotted {
		order += slashesAlone
	}
	return order, certain
}

// infer weighs the orders against each other. Dots between the numbers exclude the month
// first.
func (o *dayOrder) infer() (order string, certain bool) {
	dots, first := true, true
	for _, d := range o.dates {
		dots, first = dots && d.dotted, first && d.first
	}
	dmy, mdy, ymd := o.weigh("dmy"), o.weigh("mdy"), o.weigh("ymd")
	best, tie := dmy, false
	if !dots {
		if tie = mdy.faults == dmy.faults; mdy.faults < dmy.faults || tie && mdy.daily(dmy) {
			best = mdy
		}
		tie = tie && !mdy.daily(dmy) && !dmy.daily(mdy)
	}
	switch {
	case ymd.faults < best.faults && (ymd.faults == 0 || ymd.faults*10 <= best.faults):
		return ymd.order, true
	case ymd.faults > best.faults:
		return best.order, !tie
	case ymd.span*spanFactor <= best.span && ymd.span != best.span:
		return ymd.order, true
	case best.span*spanFactor <= ymd.span && ymd.span != best.span:
		return best.order, !tie
	case best.last.After(o.tomorrow()) && !ymd.last.After(o.tomorrow()):
		return ymd.order, true
	case ymd.last.After(o.tomorrow()) && !best.last.After(o.tomorrow()):
		return best.order, !tie
	case first:
		return ymd.order, true
	}
	return best.order, !tie && !best.last.Before(ymd.last) // the reading of a newer chat is the likelier
}

// spanFactor is how many times longer a chat must be by one order than by another for its
// length to tell: read day first, neighbours such as 24/03/14 and 24/03/15 are a year apart.
const spanFactor = 4

// tomorrow is the last moment at which a message may have been sent, wherever it was.
func (o *dayOrder) tomorrow() time.Time {
	if o.now.IsZero() {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return o.now.AddDate(0, 0, 2)
}

// orderWeight is what speaks for an order and against it.
type orderWeight struct {
	order  string
	faults int
	span   time.Duration // from the first date to the last
	last   time.Time
	dates  int
	doms   map[int]bool // the days of the month that occur
}

// daily reports whether a file is one of neighbouring days as w reads it, while other has all
// of them on one day of several months.
func (w orderWeight) daily(other orderWeight) bool {
	return w.dates >= 4 && len(other.doms) == 1 && len(w.doms) >= 4 && w.span*spanFactor <= other.span
}

// weigh counts what speaks against an order: dates that don't exist or are of a wrong
// weekday, weighing most, leaps back over a year, a time before the app was there, and
// steps back.
func (o *dayOrder) weigh(order string) orderWeight {
	w := orderWeight{order: order, doms: map[int]bool{}}
	var last, low time.Time
	for _, d := range o.dates {
		t, ok := d.on(order, 0)
		if !ok {
			w.faults += 1_000_000
			continue
		}
		w.dates++
		w.doms[t.Day()] = true
		switch {
		case d.weekday > 0 && int(t.Weekday()) != d.weekday-1: // it was no such day
			w.faults += 10_000
		case t.Before(last.AddDate(-1, 0, 0)):
			w.faults += 100
		case t.Before(last):
			w.faults++
		}
		if t.Year() < o.since {
			w.faults += 50
		}
		if last = t; low.IsZero() || t.Before(low) {
			low = t
		}
		if t.After(w.last) {
			w.last = t
		}
	}
	w.span = w.last.Sub(low)
	return w
}
