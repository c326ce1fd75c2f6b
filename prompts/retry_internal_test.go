package prompts

import (
	"errors"
	"fmt"
	"testing"
)

// Why there was no answer is said in fixed words, and a client that lends no model is
// no connection that failed.
func TestUnreachable(t *testing.T) {
	for want, err := range map[string]error{
		"the client lends no model": fmt.Errorf("sampling: %w", ErrNotLent),
		"the connection failed":     errors.New("anything"),
	} {
		if got := unreachable(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}
