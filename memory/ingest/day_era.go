package ingest

// A year counts from somewhere: phones in Thailand write 2567 for 2024, some with a word
// for it ("2567 BE"), some with two digits ("14/3/67").

const (
	// buddhist is how many years the Buddhist calendar is ahead.
	buddhist = 543
	// noChat is the first year in which no message can have been sent yet, for years that
	// are written with two digits. What is later is of another calendar, or wrong.
	noChat = 2050
)

// yearEras are words behind a date, by dayPartKey: true says the Buddhist calendar, false
// the common one. otherEras are those of calendars whose days aren't known here.
var (
	yearEras  = map[string]bool{"be": true, "พศ": true, "ພສ": true, "พุทธศักราช": true, "ad": false, "ce": false, "คศ": false, "ຄສ": false}
	otherEras = wordSet("ah ap هـ ه هجري هجرية هش ھ saka")
)

// gregorian turns a year of four digits that can only be Buddhist into the common one.
func gregorian(year int) int {
	if year >= 2400 && year < 2700 {
		return year - buddhist
	}
	return year
}

// ofEra reads the year of d as the word for its era says; of a calendar that isn't known
// d becomes no date.
func (d day) ofEra(word string) day {
	switch be, known := yearEras[word]; {
	case !known:
		return day{first: d.first, a: 99, b: 99, year: d.year, ordered: true}
	case be && d.short:
		d.year, d.short = 2500+d.year%100-buddhist, false
	}
	return d
}

// twoDigitBuddhist reads a year of two digits that can't have come yet in the Buddhist
// calendar.
func (d day) twoDigitBuddhist() day {
	if d.short && d.year >= noChat {
		d.year, d.short = 2500+d.year%100-buddhist, false
	}
	return d
}
