package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
)

// lensObservation is where what the agent came upon begins; it goes on to the next
// action.
var (
	lensObservation = regexp.MustCompile(`(?m)^Observation:`)
	lensAction      = regexp.MustCompile(`(?m)^Action:`)
)

// lensWords is from how many words on a text is more than a title or a name.
const lensWords = 4

// lensFound are the sentences of the observations of a trajectory, each once, in order:
// the texts of their JSON with four words or more. Ids, addresses and times say nothing
// by themselves. An observation that is no JSON is text.
func lensFound(executed string) []string {
	var out []string
	starts := lensObservation.FindAllStringIndex(executed, -1)
	for i, at := range starts {
		end := len(executed)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		body := executed[at[1]:end]
		if next := lensAction.FindStringIndex(body); next != nil {
			body = body[:next[0]]
		}
		for _, text := range lensTexts(body) {
			for _, sentence := range lexical.Sentences(text) {
				sentence = strings.Join(strings.Fields(sentence), " ")
				if len(strings.Fields(sentence)) >= lensWords && !slices.Contains(out, sentence) {
					out = append(out, sentence)
				}
			}
		}
	}
	return out
}

// lensTexts are the texts of a JSON value in the order in which they stand, without the
// names of its fields; of anything else, the whole.
func lensTexts(body string) []string {
	var out []string
	d := json.NewDecoder(bytes.NewReader([]byte(body)))
	type frame struct{ object, key bool }
	var open []frame
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			return []string{body}
		}
		if delim, ok := token.(json.Delim); ok {
			switch delim {
			case '{', '[':
				open = append(open, frame{object: delim == '{', key: delim == '{'})
				continue
			}
			open = open[:len(open)-1]
		} else if n := len(open); n > 0 && open[n-1].object && open[n-1].key {
			open[n-1].key = false // the name of a field
			continue
		} else if text, ok := token.(string); ok {
			out = append(out, text)
		}
		if n := len(open); n > 0 && open[n-1].object {
			open[n-1].key = true
		}
	}
}
