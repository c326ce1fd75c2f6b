package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/pflag"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// Exit codes (docs/commands.md).
const (
	exitDone        = 0
	exitFailed      = 1   // the command failed or a check found something
	exitUsage       = 2   // wrong usage
	exitRefused     = 3   // refused for privacy
	exitInterrupted = 130 // interrupted
)

// usageError is a mistake in how a command was called.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// flagError says of a flag's value what is wanted, in place of what failed in reading it.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	wanted := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0", "float64": "a number such as 0.5",
		"bool": "true or false", "duration": "a duration such as 90s or 1h30m",
	}[bad.GetFlag().Value.Type()]
	if wanted == "" {
		return err
	}
	return fmt.Errorf("--%s %q: want %s", bad.GetFlag().Name, bad.GetValue(), wanted)
}

// refusal is a refusal for privacy that is no error of another package.
type refusal struct{ error }

// quiet is an outcome that has been told already and only sets the exit code.
type quiet struct{ code int }

func (q quiet) Error() string { return fmt.Sprintf("exit code %d", q.code) }

// exit tells the user what went wrong and returns the exit code.
func (c *cli) exit(ctx context.Context, err error) int {
	var done quiet
	var usage usageError
	switch {
	case c.interrupted:
		c.say("interrupted")
		return exitInterrupted
	case err == nil:
		return exitDone
	case errors.As(err, &done):
		return done.code
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		c.say("interrupted")
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, agent.ErrEmpty), errors.Is(err, agent.ErrUnknownCategory), errors.Is(err, agent.ErrMoment), errors.Is(err, agent.ErrPage), errors.Is(err, privacy.ErrEmptyName),
		errors.Is(err, bench.ErrOptions), errors.Is(err, agent.ErrFeedback), errors.Is(err, evolve.ErrOtherRun):
		c.say("%v", err)
		return exitUsage
	}
	c.say("%v", err)
	if hint := hintFor(err); hint != "" {
		c.say("%s", hint)
	}
	if refused(err) {
		return exitRefused
	}
	return exitFailed
}

func refused(err error) bool {
	var r refusal
	return errors.As(err, &r) || errors.Is(err, privacy.ErrConfusable) || errors.Is(err, privacy.ErrAmbiguous) ||
		errors.Is(err, agent.ErrUnknownPerson) || errors.Is(err, agent.ErrWidens) || errors.Is(err, agent.ErrChanged) || errors.Is(err, agent.ErrConsent)
}

// hintFor adds a remedy that only the command line knows.
func hintFor(err error) string {
	switch {
	case errors.Is(err, prompts.ErrConfig):
		return "correct it, or give --offline to work without a model; `epagent doctor` looks at it"
	case errors.Is(err, prompts.ErrHostConfig):
		return "correct host, host_mcp or overlay in config.yaml"
	case errors.Is(err, agent.ErrWidens):
		return "give --yes to agree to it"
	case failedModel(err):
		return "--offline does without a model; `epagent doctor` looks what is wrong"
	case errors.Is(err, fs.ErrPermission):
		return "check who owns the home folder, or choose another by --home"
	}
	return ""
}
