package main

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// page collects a result for people: lines, and tables whose columns line up for
// wide characters too.
type page struct {
	strings.Builder
	colour bool
	width  int
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// The styles.
const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
)

func (p *page) style(code, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// verdict writes an allow or a deny with its reason.
func (p *page) verdict(allow bool, reason string) string {
	if allow {
		return p.style(green, "✓ "+reason)
	}
	return p.style(red, "✗ "+reason)
}

// paragraphs writes a text of several lines, each wrapped and indented.
func (p *page) paragraphs(text, indent string) {
	for line := range strings.SplitSeq(text, "\n") {
		for i, part := range wrap(clean(line), p.width-len(indent)-2) {
			if i > 0 {
				part = "  " + part
			}
			p.line("%s%s", indent, part)
		}
	}
}

// table writes rows under a head. The last column is wrapped to the width of the
// terminal, hanging under itself.
func (p *page) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(head))
	for i, h := range head {
		widths[i] = cells(h)
	}
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			widths[i] = max(widths[i], cells(cell))
		}
	}
	indent := 0
	for _, w := range widths[:len(widths)-1] {
		indent += w + 2
	}
	room := max(p.width-indent, 30)
	write := func(row []string, code string) {
		for i, cell := range row {
			if i < len(row)-1 {
				pad := strings.Repeat(" ", widths[i]-cells(cell)+2)
				if code != "" {
					cell = p.style(code, cell)
				}
				p.WriteString(cell + pad)
				continue
			}
			for j, part := range wrap(cell, room) {
				if j > 0 {
					p.WriteString(strings.Repeat(" ", indent))
				}
				if code != "" {
					part = p.style(code, part)
				}
				p.WriteString(part + "\n")
			}
		}
	}
	write(head, bold)
	for _, row := range rows {
		write(row, "")
	}
}

// cells is how many cells of a terminal a text takes; colour takes none.
func cells(s string) int {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return uniseg.StringWidth(s)
		}
		j := strings.IndexByte(s[i:], 'm')
		if j < 0 {
			return uniseg.StringWidth(s)
		}
		s = s[:i] + s[i+j+1:]
	}
}

// wrap breaks a text into lines of at most room cells: at white space, and between
// characters where a word alone is wider.
func wrap(s string, room int) []string {
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	for _, word := range strings.Fields(s) {
		w := cells(word)
		if used > 0 && used+1+w <= room {
			line, used = line+" "+word, used+1+w
			continue
		}
		if used > 0 {
			flush()
		}
		for cells(word) > room {
			head, taken := "", 0
			g := uniseg.NewGraphemes(word)
			for g.Next() && taken+g.Width() <= room {
				head, taken = head+g.Str(), taken+g.Width()
			}
			if head == "" {
				break
			}
			lines = append(lines, head)
			word = word[len(head):]
		}
		line, used = word, cells(word)
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// clean takes control characters out of what came from others before it reaches a
// terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
			return -1
		}
		return r
	}, s)
}

// plural counts something in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
