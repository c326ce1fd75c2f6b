package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The scanner finds what decoding the whole message finds, wherever it stands and
// in however many parts it comes.
func TestScannerAgreesWithDecoder(t *testing.T) { rapid.Check(t, propScanner) }

func FuzzScannerAgreesWithDecoder(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propScanner)) }

func propScanner(t *rapid.T) {
	value := rapid.SampledFrom([]string{
		`1`, `-2.5`, `"x"`, `""`, `"\"id\":7"`, `"}"`, `null`, `true`, `[]`, `{}`, `[{"id":9},"]"]`,
		`{"id":8,"method":"m"}`, `{"a":"\\"}`, `"id"`, `"method"`,
	})
	blank := rapid.SampledFrom([]string{"", " ", "\t", "\r\n"})
	order := rapid.Permutation([]string{"jsonrpc", "id", "method", "params", "_meta"}).Draw(t, "order")
	order = order[:rapid.IntRange(0, len(order)).Draw(t, "members")]
	var members []string
	for _, key := range order {
		v := value.Draw(t, key)
		if key == "method" {
			v = `"tools/call"`
		}
		members = append(members, fmt.Sprintf("%s%q%s:%s%s%s", blank.Draw(t, "blank"), key, blank.Draw(t, "blank"),
			blank.Draw(t, "blank"), v, blank.Draw(t, "blank")))
	}
	message := "{" + strings.Join(members, ",") + "}"

	var want envelope
	if err := json.Unmarshal([]byte(message), &want); err != nil {
		t.Fatalf("the test's own message %s: %v", message, err)
	}
	var got envelopeScanner
	for rest := []byte(message); len(rest) > 0; {
		n := rapid.IntRange(1, len(rest)).Draw(t, "part")
		got.take(rest[:n])
		rest = rest[n:]
	}
	if idKey(got.id) != idKey(want.ID) || got.method != (want.Method != "") {
		t.Fatalf("%s: scanner has id %s, method %v; decoder has id %s, method %q", message, got.id, got.method, want.ID, want.Method)
	}
}

func TestIDKey(t *testing.T) {
	same := [][2]string{{`1`, `1.0`}, {`"a"`, `"\u0061"`}, {` 7`, `7`}}
	for _, pair := range same {
		if a, b := idKey(json.RawMessage(pair[0])), idKey(json.RawMessage(pair[1])); a == "" || a != b {
			t.Errorf("%s and %s: keys %q and %q", pair[0], pair[1], a, b)
		}
	}
	if idKey(json.RawMessage(`1`)) == idKey(json.RawMessage(`"1"`)) {
		t.Error("the number 1 and the string 1 have one key")
	}
	for _, none := range []string{``, `null`, `true`, `[]`, `{}`, `x`} {
		if key := idKey(json.RawMessage(none)); key != "" {
			t.Errorf("%s has key %q", none, key)
		}
	}
}
