package main

import (
	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

func (c *cli) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the four verbs over MCP on stdio, for you",
		Long: `Serve remember, recall, disclose and partition to an MCP-capable assistant over
standard input and output. The connection speaks as you, the owner: attach it only to
an assistant of your own. Standard output carries the protocol and nothing else.`,
		Example: `  {"mcpServers": {"epagent": {"command": "epagent", "args": ["mcp"]}}}`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.json {
				return usagef("mcp speaks JSON-RPC on standard output; --json has no meaning here")
			}
			return c.withNew(cmd.Context(), func(a *agent.Agent) error {
				server, err := tools.New(a, tools.Options{Version: version, Logger: c.logger(), Principal: tools.Owner()})
				if err != nil {
					return err
				}
				return server.ServeStdio(cmd.Context(), c.in, c.out)
			})
		},
	}
}
