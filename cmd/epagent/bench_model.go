package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// benchModels opens the models that the stages and the judge are to run on, at the
// endpoint that is configured. A stage whose model fails ends the run: falling back
// would mix two systems in one figure.
func (c *cli) benchModels(ctx context.Context, f *benchRunFlags, o *bench.Options) error {
	if f.model == bench.Offline && f.judge == bench.Offline {
		return nil
	}
	if c.offline {
		return usagef("--offline, and a model is named: leave one of them out")
	}
	if f.model != bench.Offline {
		runner, announce, err := c.benchRunner(ctx, f.model)
		if err != nil {
			return err
		}
		o.Model = bench.Model{
			Name: f.model, Choose: bench.NewChooser(runner, announce),
			Options: agent.ModelOptions{Calls: agent.PromptCalls(runner, announce), Version: runner.Version(), OnError: engine.ErrorFail},
		}
	}
	if f.judge != bench.Offline {
		runner, announce, err := c.benchRunner(ctx, f.judge)
		if err != nil {
			return err
		}
		o.Judge, o.Beside = bench.NewModelJudge(runner, f.judge, announce), bench.NewOfflineJudge()
	}
	return nil
}

// benchRunner opens a model by name.
func (c *cli) benchRunner(ctx context.Context, model string) (*prompts.Runner, func(), error) {
	home, err := c.homeFolder()
	if err != nil {
		return nil, nil, err
	}
	config, err := prompts.LoadConfig(filepath.Join(home, prompts.ConfigFile), os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	if config.BaseURL == "" {
		return nil, nil, fmt.Errorf("model %q: %w: no endpoint is configured; set EPAGENT_BASE_URL (docs/models.md)", model, prompts.ErrConfig)
	}
	config.Model = model
	runner, err := prompts.Open(ctx, config, prompts.Options{Log: c.logger()})
	if err != nil {
		return nil, nil, err
	}
	return runner, c.announce(config), nil
}
