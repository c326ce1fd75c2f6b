package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

// cli is what the commands share: the streams, the global flags, and how results
// are shown.
type cli struct {
	in       io.Reader
	lines    *bufio.Reader
	out, err io.Writer

	interrupted bool // while an answer was waited for

	serving bool // clients are served, whose model may be used

	diagnoser *evolve.ModelDiagnoser // of the configured model; nil for none

	home    string
	json    bool
	debug   bool
	offline bool
}

func newCLI(ctx context.Context, in io.Reader, out, err io.Writer) *cli {
	return &cli{in: in, lines: bufio.NewReader(newStoppable(ctx, in)), out: out, err: err}
}

// version is set by the linker in a release build.
var version = "dev"

func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "epagent",
		Short: "A delegate that tells each person only what you let them know",
		Long: `epagent remembers your life from your chats. When someone else asks, it tells
each of them only what you let that person know, by a policy that you write.

It works offline and without a key. Everything lives in one home folder.`,
		Example: `  epagent demo                                 # see it work, on example data
  epagent init                                 # write your own policy
  epagent import chat.txt                      # read a chat
  epagent recall "when is the operation"       # your own view
  epagent disclose --to Tomas "how is she?"    # what Tomas is told`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			msg := fmt.Sprintf("unknown command %q", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				msg += fmt.Sprintf("; did you mean %q?", near[0])
			}
			return usagef("%s; `epagent help` lists the commands", msg)
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors:              true,
		SilenceUsage:               true,
		Version:                    version,
		SuggestionsMinimumDistance: 2,
	}
	root.PersistentFlags().StringVar(&c.home, "home", "", "home folder (default: EPAGENT_HOME, else the OS's data folder)")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "print one JSON object")
	root.PersistentFlags().BoolVar(&c.debug, "debug", os.Getenv("EPAGENT_DEBUG") == "1", "log at debug level, with private content, to stderr")
	root.PersistentFlags().BoolVar(&c.offline, "offline", offlineByEnvironment(), "use no model, whatever is configured: nothing leaves the machine")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see `%s --help`", flagError(err), cmd.CommandPath())
	})
	root.AddGroup(
		&cobra.Group{ID: "main", Title: "Remember and tell:"},
		&cobra.Group{ID: "owner", Title: "Correct and control:"},
		&cobra.Group{ID: "other", Title: "Set up and run:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, cmd := range commands {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	add("main", c.importCommand(), c.rememberCommand(), c.recallCommand(), c.discloseCommand(), c.chatCommand(), c.partitionCommand(), c.ledgerCommand())
	add("owner", c.factCommand(), c.reviewCommand(), c.forgetCommand(), c.feedbackCommand(), c.evolveCommand(), c.policyCommand(), c.whyCommand(), c.whoCommand(), c.knowsCommand(), c.peopleCommand())
	add("other", c.demoCommand(), c.initCommand(), c.exportCommand(), c.reindexCommand(), c.benchCommand(), c.simulateCommand(), c.doctorCommand(), c.mcpCommand(), c.serveCommand(), c.tokenCommand(), c.licensesCommand())
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	wrapArgs(root)
	return root
}

// wrapArgs makes a wrong number of arguments a usage error everywhere.
func wrapArgs(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var usage usageError
			if err == nil || errors.As(err, &usage) {
				return err
			}
			return usagef("%w; see `%s --help`", err, cmd.CommandPath())
		}
	}
	for _, sub := range cmd.Commands() {
		wrapArgs(sub)
	}
}

func (c *cli) homeFolder() (string, error) {
	if c.home != "" {
		return c.home, nil
	}
	return agent.DefaultHome()
}

// with runs f on an agent over a home that is there, and closes it. A mistyped
// --home is no reason to make one.
func (c *cli) with(ctx context.Context, f func(*agent.Agent) error) error {
	home, err := c.homeFolder()
	if err != nil {
		return err
	}
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no home folder %s; `epagent init` makes one, --home names another", home)
	}
	return c.withNew(ctx, f)
}

// withNew is with for what may begin a home: it makes the folder where it is
// missing.
func (c *cli) withNew(ctx context.Context, f func(*agent.Agent) error) error {
	home, err := c.homeFolder()
	if err != nil {
		return err
	}
	options, closing, err := c.agentOptions(ctx, home)
	if err != nil {
		return err
	}
	a, err := agent.Open(ctx, home, options)
	if err != nil {
		return errors.Join(err, closing())
	}
	return errors.Join(f(a), a.Close(), closing())
}

// logger logs to stderr: warnings, or everything with --debug.
func (c *cli) logger() *slog.Logger {
	level := slog.LevelWarn
	if c.debug {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(c.err, &tint.Options{Level: level, NoColor: !colour(c.err)}))
}

// say writes one line for the user to stderr.
func (c *cli) say(format string, args ...any) {
	fmt.Fprintf(c.err, "epagent: "+format+"\n", args...)
}

// emit prints a result: the JSON object of CLI version 1 with --json, else what
// human writes.
func (c *cli) emit(value any, human func(*page)) error {
	if c.json {
		return c.writeJSON(value)
	}
	p := &page{colour: colour(c.out), width: width(c.out)}
	human(p)
	_, err := io.WriteString(c.out, p.String())
	return err
}

// writeJSON writes value, which must encode to an object, with "version": 1 first.
func (c *cli) writeJSON(value any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	body := strings.TrimSpace(buf.String())
	head := `{"version":1`
	switch {
	case strings.HasPrefix(body, head+","): // it brings its own
		head = "{"
	case body != "{}":
		head += ","
	}
	_, err := fmt.Fprintln(c.out, head+strings.TrimPrefix(body, "{"))
	return err
}

// ask asks a yes-or-no question on a terminal; elsewhere the answer is no.
func (c *cli) ask(question string) bool {
	return terminal(c.in) && c.answer(question)
}

// answer asks and reads the answer; an interrupt is none.
func (c *cli) answer(question string) bool {
	fmt.Fprintf(c.err, "%s [y/N] ", question)
	line, err := c.lines.ReadString('\n')
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.err)
		c.interrupted = true
		return false
	}
	return isYes(line)
}

// prompt asks for a line on a terminal; an empty answer is the default.
func (c *cli) prompt(question, byDefault string) (string, error) {
	if byDefault != "" {
		question += " [" + byDefault + "]"
	}
	fmt.Fprintf(c.err, "%s: ", question)
	line, err := c.lines.ReadString('\n')
	if err != nil && line == "" {
		return "", fmt.Errorf("no answer: %w", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		line = byDefault
	}
	return line, nil
}

func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour reports whether a stream is shown in colour: a terminal, unless NO_COLOR
// is set or TERM is dumb.
func colour(stream any) bool {
	return terminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func width(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w >= 40 {
			return w
		}
	}
	return 100
}
