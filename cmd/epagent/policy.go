package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Check your policy",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent policy --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.policyCheck())
	return cmd
}

type checkResult struct {
	File     string            `json:"file"`
	Errors   []privacy.Problem `json:"errors"`
	Warnings []privacy.Problem `json:"warnings"`
}

func (c *cli) policyCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say what is wrong with a policy file, with line and remedy",
		Long: `Read policy.yaml of the home folder, or the given file, and say what is wrong with it,
with line and remedy. The exit code is 1 on errors, 0 with warnings only.`,
		Example: `  epagent policy check
  epagent policy check new-policy.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := ""
			if len(args) == 1 {
				path = args[0]
			} else {
				home, err := c.homeFolder()
				if err != nil {
					return err
				}
				path = filepath.Join(home, agent.PolicyFile)
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("read the policy: %w; `epagent init` writes one", err)
			}
			result := checkResult{File: path, Errors: []privacy.Problem{}, Warnings: []privacy.Problem{}}
			policy, err := privacy.Parse(filepath.Base(path), source)
			var broken *privacy.PolicyError
			switch {
			case errors.As(err, &broken):
				result.Errors = broken.Problems
			case err != nil:
				return err
			default:
				result.Warnings = append(result.Warnings, policy.Warnings()...)
			}
			err = c.emit(result, func(p *page) {
				for _, problem := range result.Errors {
					p.line("%s %s", p.style(red, "error"), problem)
				}
				for _, problem := range result.Warnings {
					p.line("warning %s", problem)
				}
				if len(result.Errors) == 0 {
					p.line("%s loads, %d warnings", path, len(result.Warnings))
				}
			})
			if err == nil && len(result.Errors) > 0 {
				err = quiet{exitFailed}
			}
			return err
		},
	}
}
