package main

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/agent/otel"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/tools"
)

// agentOptions are the options of every command that opens the home: the model that
// is configured there or in the environment, unless --offline forbids it, and where
// traces go. Close is to be called behind the agent's.
func (c *cli) agentOptions(ctx context.Context, home string) (o agent.Options, closing func() error, err error) {
	o = agent.Options{Logger: c.logger()}
	closing = func() error { return nil }
	if collector := os.Getenv("EPAGENT_OTLP"); collector != "" {
		tracer, err := otel.New(ctx, collector, version)
		if err != nil {
			return o, closing, usageError{err}
		}
		o.Tracers = append(o.Tracers, tracer)
		// A collector that isn't there is no fault of the command.
		closing = func() error {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := tracer.Close(ctx); err != nil {
				c.logger().Warn("traces could not be sent", "error", err)
			}
			return nil
		}
	}
	config, err := prompts.LoadConfig(filepath.Join(home, prompts.ConfigFile), os.Getenv)
	switch {
	case err != nil && c.offline:
		c.say("%v; going on offline, with the host of this home and no other setting of that file", err)
		o.Host = hostOfHome(ctx)
		return o, closing, nil
	case err != nil:
		return o, closing, err
	}
	if c.offline {
		return o, closing, withHost(&o, config)
	}
	if config.EmbedModel != "" {
		if o.Embedder, err = prompts.OpenEmbedder(ctx, config, prompts.Options{}); err != nil {
			return o, closing, err
		}
	}
	switch {
	case config.Model == prompts.ModelClient:
		if c.serving {
			o.Model = clientModel(config, c.logger())
		}
	case config.Configured():
		runner, err := prompts.Open(ctx, config, prompts.Options{Log: c.logger()})
		if err != nil {
			return o, closing, err
		}
		traced := closing
		closing = func() error {
			c.logUsage(runner)
			return traced()
		}
		announce := c.announce(config)
		c.diagnoser = &evolve.ModelDiagnoser{Runner: runner, Name: config.Model, Before: announce}
		o.Model = agent.ModelOptions{
			Calls: agent.PromptCalls(runner, announce), Name: config.Model, Version: runner.Version(), With: withNotes(runner, announce),
			OnError: engine.OnModelError(config.OnModelError), Concurrency: config.Concurrency,
		}
	}
	return o, closing, withHost(&o, config) // on the model, where there is one
}

// logUsage tells the log what each stage cost.
func (c *cli) logUsage(runner *prompts.Runner) {
	for _, v := range prompts.Versions() {
		if u, called := runner.Usage()[v.Stage]; called {
			c.logger().Debug("model usage", "stage", v.Stage, "calls", u.Calls, "retries", u.Retries, "prompt_bytes", u.PromptBytes,
				"reply_bytes", u.ReplyBytes, "prompt_tokens", u.PromptTokens, "reply_tokens", u.ReplyTokens, "reported", u.Reported)
		}
	}
}

// clientModel has the stages run on the model of the client whose call it is (MCP
// sampling). That model asks for its user's leave, and knows no response formats; one
// call after the other, since each may be a question to the user.
func clientModel(config prompts.Config, log *slog.Logger) agent.ModelOptions {
	runner := prompts.NewRunner(agent.SamplerModel(tools.ClientModel{}), prompts.Options{
		ID: prompts.ModelClient, Forms: []prompts.Form{prompts.FormPlain}, Concurrency: 1, Timeout: config.Timeout, Retries: -1, Log: log,
	})
	return agent.ModelOptions{
		Calls: agent.PromptCalls(runner, nil), Name: prompts.ModelClient, OnError: engine.OnModelError(config.OnModelError), Concurrency: 1,
		With: func(notes []prompts.Supplement) (agent.ModelCalls, string) {
			calls, _ := withNotes(runner, nil)(notes)
			return calls, "" // which model the client has isn't known: nothing is kept
		},
	}
}

// withNotes has the stages run with what evolution learned.
func withNotes(runner *prompts.Runner, before func()) func([]prompts.Supplement) (agent.ModelCalls, string) {
	return func(notes []prompts.Supplement) (agent.ModelCalls, string) {
		with := runner.With(notes)
		return agent.PromptCalls(with, before), with.Version()
	}
}

// announce returns what says, once and before the first call, that content leaves the
// machine, and where to.
func (c *cli) announce(config prompts.Config) func() {
	host := config.BaseURL
	if u, err := url.Parse(config.BaseURL); err == nil {
		host = u.Host
	}
	return sync.OnceFunc(func() {
		c.say("model %s at %s: what this command works on is sent there (--offline keeps it here)", config.Model, host)
	})
}

// failedModel reports whether an error is the model's or its endpoint's.
func failedModel(err error) bool {
	for _, kind := range []error{prompts.ErrUnavailable, prompts.ErrAuth, prompts.ErrRejected, prompts.ErrRefused, prompts.ErrTruncated, prompts.ErrInvalid} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// offlineByEnvironment reports whether EPAGENT_OFFLINE asks for no model. Anything
// but a clear no does: a word that isn't understood sends nothing away.
func offlineByEnvironment() bool {
	switch strings.ToLower(strings.TrimSpace(os.Getenv("EPAGENT_OFFLINE"))) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}
