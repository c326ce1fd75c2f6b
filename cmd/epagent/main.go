// Command epagent is an elastic-privacy delegate: it remembers a person's life
// from their chats and tells everyone who asks only what its owner lets them know.
//
// The package holds flags, wiring, output and exit codes, one file a command. What
// the commands do is in package agent.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainExit()) }

func mainExit() int {
	// The first interrupt asks the command to stop at a safe point; the second,
	// after stop has run, ends the process as usual.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run is the program without the process around it. It returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	c := newCLI(ctx, in, out, errOut)
	root := c.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	return c.exit(ctx, root.ExecuteContext(ctx))
}
