package bench

import (
	"fmt"
	"strings"
	"testing"
)

// TestGateForgotten: whose orders are carried out on which turns. Turns are "a: text",
// the first speaker being the opener.
func TestGateForgotten(t *testing.T) {
	for _, tt := range []struct{ name, turns, want string }{
		{"an earlier number", "a: The code is 4471.|b: Fine.|a: Please delete the code 4471.", "0 2"},
		{"behind another sentence and a word", "a: The code is 4471.|a: No. Also, remove the code 4471 now.", "0 1"},
		{"three words in a row", "a: The spare brass key hangs outside.|a: Forget the spare brass key.", "0 1"},
		{"repeated later", "a: The code is 4471.|a: Delete 4471.|b: Noted, 4471 is gone.|b: The new one is 8820.", "0 1 2"},
		{"words alone come back", "a: The spare brass key hangs outside.|a: Forget the spare brass key.|a: The spare brass key is back.", "0 1"},
		{"what another sentence names stays", "a: The code is 8820.|a: Delete 4471. The current code is 8820.", "1"},
		{"a bystander's order is about their own", "a: The code is 4471.|b: My code is 4471.|b: Delete 4471.", "1 2"},
		{"no order", "a: The code is 4471.|b: Why delete 4471?|a: Nobody should delete 4471.", ""},
	} {
		var turns []GateTurn
		for i, line := range strings.Split(tt.turns, "|") {
			who, text, _ := strings.Cut(line, ": ")
			turn := GateTurn{ID: fmt.Sprint(i), Text: text}
			turn.Speaker.ID = who
			turns = append(turns, turn)
		}
		var got []string
		for _, id := range gateForgotten(turns) {
			got = append(got, string(id))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}
