package ingest

import "strings"

// quoteOff takes the lines that the message quotes, as chat apps mark them, out of
// its words: "> " begins a quoted line, ">>> " a quotation that goes on to the end.
// They were said before, by somebody whom nothing names.
func (m *Message) quoteOff() {
	if m.Quoted != nil || m.Forwarded || !strings.HasPrefix(m.Text, ">") && !strings.Contains(m.Text, "\n>") {
		return
	}
	var own, quoted []string
	fence, rest := false, false
	for line := range strings.SplitSeq(m.Text, "\n") {
		words, ok := "", false
		switch {
		case rest:
			words, ok = line, true
		case fence || strings.HasPrefix(line, "```"):
			if strings.Count(line, "```")%2 == 1 {
				fence = !fence
			}
		default:
			if words, rest = strings.CutPrefix(line, ">>> "); rest {
				ok = true
			} else if words, ok = strings.CutPrefix(line, "> "); !ok {
				ok = line == ">"
				words = ""
			}
		}
		if ok {
			quoted = append(quoted, words)
		} else {
			own = append(own, line)
		}
	}
	if words := tidy(strings.Join(quoted, "\n")); words != "" {
		m.Quoted, m.Text = &Quoted{Text: words}, tidy(strings.Join(own, "\n"))
	}
}
