package engine

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is remembered of a text is what is read from it, however often, by whomever
// and whatever the readers do with it.
func TestMemoIsTheReading(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 3 * memoTexts / 2 {
				text := fmt.Sprintf("Ines pays %d euros on 3 March for the clinic, number %d.", i%97, (i*7+g)%(2*memoTexts))
				got := detailsOf(text)
				if i%501 == 0 {
					if diff := cmp.Diff(readDetails(text), got, cmp.AllowUnexported(details{})); diff != "" {
						t.Errorf("%q (-read +remembered):\n%s", text, diff)
					}
					if !cmp.Equal(readTerms(text), uniqueTerms(text)) || !cmp.Equal(readThemes(text), themesOf(text)) {
						t.Errorf("%q: terms or themes differ", text)
					}
				}
				got.terms = slices.DeleteFunc(got.terms, func(string) bool { return true })
				if len(got.numbers) > 0 {
					got.numbers[0] = "spoilt"
				}
				themesOf(text)["spoilt"] = true
			}
		})
	}
	wg.Wait()
	if n := len(detailsMemo.now) + len(detailsMemo.old); n > 2*memoTexts {
		t.Errorf("%d texts are kept", n)
	}
}
