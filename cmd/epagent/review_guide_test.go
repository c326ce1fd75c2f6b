package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
)

// TestGuide does what docs/guide.md tells a new user to do, and holds that it looks
// as the page shows. Blocks of the page are of these kinds, by their info string:
//
//	text file=NAME              a file that the reader has
//	console                     commands after "$ ", each with what it prints
//	console walk                "epagent review" on a terminal, with what is typed at its prompts
//	diff file=NAME from=NAME    a file made from another: the line after "-" becomes the one after "+"
//
// With -update what the commands print is written into the page.
func TestGuide(t *testing.T) {
	page, err := filepath.Abs("../../docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("EPAGENT_HOME", filepath.Join(dir, "home"))
	blocks := regexp.MustCompile("(?ms)^```([^\n]+)\n(.*?)^```$")
	commands := 0
	got := blocks.ReplaceAllStringFunc(string(source), func(block string) string {
		m := blocks.FindStringSubmatch(block)
		info, body := strings.Fields(m[1]), m[2]
		options := map[string]string{}
		for _, word := range info[1:] {
			key, value, _ := strings.Cut(word, "=")
			options[key] = value
		}
		switch {
		case m[1] == "console walk":
			return "```console walk\n" + strings.ReplaceAll(walkInGuide(t, body), dir, "~") + "```"
		case info[0] == "console":
			var out strings.Builder
			for _, command := range consoleCommands(body) {
				commands++
				out.WriteString("$ " + command + "\n" + strings.ReplaceAll(inGuide(t, command), dir, "~"))
			}
			return "```console\n" + out.String() + "```"
		case options["from"] != "":
			writeGuideFile(t, options["file"], edited(t, options["from"], body))
		case options["file"] != "":
			writeGuideFile(t, options["file"], body)
		}
		return block
	})
	if commands < 15 {
		t.Errorf("the guide runs only %d commands", commands)
	}
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(timeless(string(source)), timeless(got)); diff != "" {
		t.Errorf("docs/guide.md (-page +what happens)\n%s", diff)
	}
}

// timeless takes out what depends on the day.
func timeless(s string) string {
	return regexp.MustCompile(`20\d\d-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?`).ReplaceAllString(s, "DAY")
}

// consoleCommands returns the commands of a block; one ends with its line.
func consoleCommands(body string) []string {
	var out []string
	for line := range strings.Lines(body) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, strings.TrimSpace(command))
		}
	}
	return out
}

// inGuide runs one command and returns all that it prints; trailing blanks, which a
// reader doesn't see, are cut.
func inGuide(t *testing.T, command string) string {
	t.Helper()
	args := guideArgs(command)
	if len(args) == 0 || args[0] != "epagent" {
		t.Fatalf("not a command of the guide: %q", command)
	}
	var out bytes.Buffer
	run(t.Context(), args[1:], strings.NewReader(""), &out, &out)
	return regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(out.String(), "")
}

// walkInGuide goes through the review with what the block types after its prompts.
func walkInGuide(t *testing.T, body string) string {
	t.Helper()
	var typed typist
	for line := range strings.Lines(body) {
		if _, answer, ok := strings.Cut(line, "[y/N]"); ok {
			typed.lines = append(typed.lines, strings.TrimSpace(answer))
		} else if answer, ok := strings.CutPrefix(line, ">"); ok {
			typed.lines = append(typed.lines, strings.TrimSpace(answer))
		}
	}
	c := newCLI(t.Context(), &typed, &typed.shown, &typed.shown)
	err := c.with(t.Context(), func(a *agent.Agent) error {
		queue, err := a.Review(t.Context(), agent.ReviewQuery{})
		if err != nil {
			return err
		}
		return c.walkReview(t.Context(), a, queue, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return "$ epagent review\n" + regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(typed.shown.String(), "")
}

// typist types a line when one is asked for; it shows as on a terminal.
type typist struct {
	lines []string
	shown bytes.Buffer
}

func (x *typist) Read(p []byte) (int, error) {
	if len(x.lines) == 0 {
		return 0, io.EOF
	}
	line := x.lines[0] + "\n"
	x.lines = x.lines[1:]
	x.shown.WriteString(line)
	return copy(p, line), nil
}

// guideArgs splits a command as a shell does that knows nothing but quotes.
func guideArgs(command string) []string {
	var args []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range command {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case r == quote:
			quote = 0
		case quote == 0 && r == ' ':
			if open {
				args = append(args, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		args = append(args, word.String())
	}
	return args
}

// edited replaces each line of a file that the diff takes out by the one that it
// puts in; lines without one before them are appended.
func edited(t *testing.T, file, diff string) string {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, old := string(body), ""
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "-"):
			if old = line[1:]; !strings.Contains(text, old) {
				t.Fatalf("%s has no line %q", file, old)
			}
		case strings.HasPrefix(line, "+") && old != "":
			text, old = strings.Replace(text, old, line[1:], 1), ""
		case strings.HasPrefix(line, "+"):
			text += line[1:]
		}
	}
	return text
}

func writeGuideFile(t *testing.T, name, body string) {
	t.Helper()
	if err := os.WriteFile(filepath.Clean(name), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}
