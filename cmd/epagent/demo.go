package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/examples"
)

func (c *cli) demoCommand() *cobra.Command {
	var question string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See it work on example data",
		Long: `Read the shipped example, about forty chats and notes of an invented person, into a
temporary home, and show one question answered for four people, who may be told what,
and why. Nothing of your own is touched; with --home the example stays there.`,
		Example: `  epagent demo
  epagent --home try demo && epagent --home try recall "summer"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			home := c.home
			if home == "" {
				temp, err := os.MkdirTemp("", "epagent-demo-")
				if err != nil {
					return err
				}
				defer os.RemoveAll(temp)
				home = temp
			}
			return c.demo(cmd.Context(), home, question)
		},
	}
	cmd.Flags().StringVar(&question, "question", "", "ask something else")
	return cmd
}

type demoResult struct {
	Sessions  int                 `json:"sessions"`
	Messages  int                 `json:"messages"`
	Facts     int                 `json:"facts"`
	Question  string              `json:"question"`
	Answers   []*agent.Disclosure `json:"answers"`
	Partition *agent.Partition    `json:"partition"`
	Why       *agent.Disclosure   `json:"why"`
}

func (c *cli) demo(ctx context.Context, home, question string) error {
	example := examples.Mara()
	if question == "" {
		question = example.Question
	}
	source, err := fs.ReadFile(example.Files, agent.PolicyFile)
	if err != nil {
		return fmt.Errorf("the shipped example: %w", err)
	}
	if _, err := agent.WritePolicy(home, source); err != nil {
		return err
	}
	c.home = home
	return c.withNew(ctx, func(a *agent.Agent) error {
		result := demoResult{Question: question}
		if err := importExample(ctx, a, example.Files, &result); err != nil {
			return err
		}
		for i, name := range example.Recipients {
			to, err := a.Readers(ctx, []string{name})
			if err != nil {
				return err
			}
			d, err := a.Disclose(ctx, agent.DiscloseRequest{Question: question, To: to})
			if err != nil {
				return err
			}
			result.Answers = append(result.Answers, d)
			if i == len(example.Recipients)-1 {
				if result.Why, err = a.Disclose(ctx, agent.DiscloseRequest{Question: question, To: to, Preview: true, Explain: true}); err != nil {
					return err
				}
			}
		}
		if result.Partition, err = a.Partition(ctx, agent.PartitionRequest{Topic: question, People: example.Recipients, Limit: 6}); err != nil {
			return err
		}
		return c.emit(result, func(p *page) { demoPage(p, &result) })
	})
}

// importExample writes the embedded files to a temporary folder and imports them
// as a user would.
func importExample(ctx context.Context, a *agent.Agent, files fs.FS, result *demoResult) error {
	dir, err := os.MkdirTemp("", "epagent-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == agent.PolicyFile || path.Base(name) == "README.md" {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, path.Base(name))
		if err := os.WriteFile(file, body, 0o600); err != nil {
			return err
		}
		report, err := a.Import(ctx, file, agent.ImportOptions{})
		if err != nil {
			return fmt.Errorf("the shipped example: %w", err)
		}
		result.Sessions += report.Sessions
		result.Messages += report.New
		result.Facts += report.Facts
		return nil
	})
}

func demoPage(p *page, r *demoResult) {
	p.line("Read %d messages in %d sessions of an invented person, and learned %d facts from them.", r.Messages, r.Sessions, r.Facts)
	p.line("")
	p.line("%s", p.style(bold, "One question, four people: "+r.Question))
	for _, d := range r.Answers {
		p.line("")
		p.line("%s", p.style(bold, "To "+d.To[0]+":"))
		p.paragraphs(d.Answer, "  ")
	}
	p.line("")
	p.line("%s", p.style(bold, "Who may be told what, and why"))
	partitionPage(p, r.Partition)
	p.line("")
	p.line("%s", p.style(bold, "Why "+r.Why.To[0]+" got that answer"))
	var rows [][]string
	for _, f := range r.Why.Considered {
		if len(rows) == 8 {
			break
		}
		rows = append(rows, []string{p.verdict(f.Allow, f.Reason.String()), f.Label.String(), clean(f.Text)})
	}
	p.table([]string{"verdict", "label", "fact"}, rows)
}
