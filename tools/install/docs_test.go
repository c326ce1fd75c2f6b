package install_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/tools/install"
)

var jsonBlock = regexp.MustCompile("(?s)```json\n(.*?)\n```")

// The page shows for every client what install writes for it.
func TestDocsShowEveryClient(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range install.Clients() {
		_, section, ok := strings.Cut(string(page), "\n### "+c.Title+"\n")
		if !ok {
			t.Errorf("no section %q", c.Title)
			continue
		}
		section, _, _ = strings.Cut(section, "\n### ")
		if !strings.Contains(section, "`epagent mcp install "+c.ID+"`") {
			t.Errorf("%s: the section doesn't say how it is called", c.ID)
		}
		if name := filepath.Base(c.Path(install.System{OS: "linux", Home: "/home/u"})); !strings.Contains(section, name) {
			t.Errorf("%s: the section doesn't name %s", c.ID, name)
		}
		blocks := jsonBlock.FindAllStringSubmatch(section, -1)
		if len(blocks) == 0 {
			t.Errorf("%s: no configuration", c.ID)
			continue
		}
		snippet, err := c.Snippet("epagent", install.Server{Command: "/usr/local/bin/epagent", Args: []string{"mcp"}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parsed(t, snippet), parsed(t, blocks[0][1])); diff != "" {
			t.Errorf("%s (-written +shown):\n%s", c.ID, diff)
		}
		for _, block := range blocks[1:] {
			parsed(t, block[1])
		}
	}
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}
