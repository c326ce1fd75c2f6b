package sim_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent/sim"
)

// TestTimeline: the page needs nothing beside it, every element is closed, and the
// overview says what its lanes, dots and days are. Names are text wherever they stand.
func TestTimeline(t *testing.T) {
	s := parse(t, strings.ReplaceAll(crowd(1, 3), "Some One", "Some <b>One"))
	page, err := run(t, s, sim.Options{Finder: byWords()}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	html := string(page)
	for _, want := range []string{
		"prefers-color-scheme: dark", `name="viewport"`, "asks a delegate", "a leak", ">1 January 2026</text>", ">27 October 2026</text>",
		"1 delegate,", "Some &lt;b&gt;One", `<th scope="col">Per Holm</th>`, "Per Holm learns flight0",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if bad := regexp.MustCompile(`(?i)https?://|<script|<link|src=|<b>|ZgotmplZ|NaN`).FindString(html); bad != "" {
		t.Errorf("the page holds %q", bad)
	}
	for _, tag := range []string{"div", "table", "tr", "td", "th", "svg", "a", "article", "p", "ul", "li", "dl", "dd", "text"} {
		opened, closed := regexp.MustCompile(`<`+tag+`[ >]`).FindAllString(html, -1), strings.Count(html, "</"+tag+">")
		if len(opened) != closed {
			t.Errorf("%d <%s> and %d </%s>", len(opened), tag, closed, tag)
		}
	}
}
