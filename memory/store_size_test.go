package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// What is stored is counted, with its words.
func TestSize(t *testing.T) {
	s := openNew(t)
	before, err := s.Size(t.Context())
	if err != nil || before.Facts != 0 || before.BytesPerFact() != 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	var b memory.Batch
	words := 0
	for i := range 200 {
		id := fmt.Sprintf("s%d", i)
		text := fmt.Sprintf("I have asthma, %d. ", i) + strings.Repeat("The inhaler is blue. ", 10)
		words += 2 * len(text)
		next := withLayers(talk(id, "c", text))
		b.Sessions = append(b.Sessions, next.Sessions...)
		b.Facts = append(b.Facts, fact(privacy.FactID(fmt.Sprintf("f%d", i)), text, id, id+"-0"))
	}
	apply(t, s, b)
	after, err := s.Size(t.Context())
	if err != nil || after.Facts != 200 || after.Bytes < before.Bytes+int64(words) || after.BytesPerFact() != after.Bytes/200 {
		t.Errorf("%+v after %+v, with %d bytes of words; %v", after, before, words, err)
	}
}
