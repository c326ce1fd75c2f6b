package ingest

import "testing"

// What begins like a message at a time is no note, however the time is written.
func TestStampOpens(t *testing.T) {
	tests := []struct {
		line string
		want bool
	}{
		{"2024-03-14 19 h 02 - Marie Tremblay: Salut", true},
		{"[2024-03-14 19 h 02 min 11 s] Marie: Salut", true},
		{"2024-03-14 kl. 19,02 - Ana: hej", true},
		{"14/03/24 @ 7pm | Bo: yes", true},
		{"14.03. 19'02 Ana: hi", true},
		{"Do, 14.3.2024 19 Uhr 02, Ana: hallo", true},
		{"٢٠٢٤/٠٣/١٤ ١٩ ٠٢ - Ana: hi", true},
		{"2024-03-14 19 h 02 - +49 170 1234567: hi", true},
		{"14 03 2024 19 02 – 小明：你好", true},

		{"2024-03-14 19 h 02 - bob: hi", true},

		{"2024-03-14: signed the lease", false},
		{"2024-03-14 - Bought: three apples", false},
		{"2024-03-14 19:02 felt better: slept at last", false},
		{"192.168.0.1 - Router: in the living room", false},
		{"0170 123 45 67 - Plumber: Bob", false},
		{"030/123 45 67 - Surgery: Dr. Falk", false},
		{"1. 2. 3. Test: fine", false},
		{"3 eggs, 2 cups of flour, 1 lemon, 200 g sugar - Method: stir", false},
		{"Remember: the code is 4417", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := stampOpens(tt.line); got != tt.want {
			t.Errorf("stampOpens(%q) = %v", tt.line, got)
		}
	}
}
