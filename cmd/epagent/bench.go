package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
)

func (c *cli) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure on benchmark data",
		Long:  "Measure on benchmark data. Stores that this needs are temporary; your home is not touched.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.benchRunCommand(), c.benchCheckCommand(), c.benchLocomoCommand(),
		c.benchConfaideCommand(), c.benchCIMemoriesCommand(), c.benchGateMemCommand(), c.benchPrivacyLensCommand())
	return cmd
}

func (c *cli) benchLocomoCommand() *cobra.Command {
	var only []string
	var sweep bool
	cmd := &cobra.Command{
		Use:   "locomo FILE",
		Short: "Measure recall on a file of the LoCoMo format",
		Long: `Measure which share of a question's evidence stands among the first 1, 3, 5 and 10
turns and sessions of its conversation, averaged over questions. A question without
evidence is left out.

Systems: "bm25", a plain baseline inside the tool; the native hosts; and each with the
event facts laid over it ("+overlay"). With an embedding model configured the hosts are
measured with it as well ("simple@MODEL"); --offline leaves that out.

Figures come by part, level and category; "no5" leaves out category 5, whose questions
have no answer. Part 1-5 is what settings were tuned on, 6-10 what they were not.`,
		Example: `  epagent bench locomo locomo10.json
  epagent bench locomo --system bm25 --system simple --json locomo10.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			systems, closing, err := c.locomoSystems(cmd.Context(), only, sweep)
			if err != nil {
				return err
			}
			defer func() { _ = closing() }()
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			conversations, notes, err := bench.ReadLocomo(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			for _, note := range notes {
				c.say("%s: %s", args[0], clean(note))
			}
			rows, err := bench.Locomo(cmd.Context(), conversations, systems, func(system string, done, total int) {
				if terminal(c.err) && !c.json {
					fmt.Fprintf(c.err, "\r\x1b[K%s: %d of %d conversations", system, done, total)
				}
			})
			c.progressDone()
			if err != nil {
				return err
			}
			result := struct {
				Rows []bench.Row `json:"rows"`
			}{rows}
			return c.emit(result, func(p *page) { locomoPage(p, rows) })
		},
	}
	cmd.Flags().BoolVar(&sweep, "sweep", false, "measure the overlay at several weights: simple+overlay:0.15 has β = 0.15")
	cmd.Flags().StringArrayVar(&only, "system", nil, "measure this system alone (repeat: several)")
	return cmd
}

// sweptBetas are the weights of the event facts that --sweep measures, from none to
// nothing else.
var sweptBetas = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1}

// locomoSystems are the systems to measure: those of only, or all.
func (c *cli) locomoSystems(ctx context.Context, only []string, sweep bool) ([]bench.System, func() error, error) {
	home, err := c.homeFolder()
	if err != nil {
		return nil, nil, err
	}
	options, closing, err := c.agentOptions(ctx, home)
	if err != nil {
		return nil, nil, err
	}
	hosts := []struct {
		name string
		open func(*memory.Store) memory.Host
	}{
		{"simple", func(s *memory.Store) memory.Host { return simple.New(s) }},
		{"gas", func(s *memory.Store) memory.Host { return gas.New(s, gas.Options{}) }},
	}
	all := []bench.System{bench.BM25()}
	embedders := []memory.Embedder{nil}
	if options.Embedder != nil {
		embedders = append(embedders, options.Embedder)
	}
	for _, embedder := range embedders {
		for _, h := range hosts {
			name := h.name
			overlaid := name + "+overlay"
			if embedder != nil {
				name, overlaid = name+"@"+embedder.Model(), overlaid+"@"+embedder.Model()
			}
			all = append(all,
				bench.Hosted{Name: name, Open: h.open, Embedder: embedder}.System(),
				bench.Hosted{Name: overlaid, Open: h.open, Embedder: embedder, Overlay: overlays[h.name]}.System())
			for _, beta := range sweptBetas {
				if sweep {
					all = append(all, bench.Hosted{Name: fmt.Sprintf("%s:%g", overlaid, beta), Open: h.open, Embedder: embedder,
						Overlay: memory.Weights{Alpha: 1 - beta, Beta: beta}}.System())
				}
			}
		}
	}
	if len(only) == 0 {
		return all, closing, nil
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	var out []bench.System
	for _, name := range only {
		i := slices.Index(names, name)
		if i < 0 {
			_ = closing()
			return nil, nil, usagef("--system %q: want one of %s", name, strings.Join(names, ", "))
		}
		out = append(out, all[i])
	}
	return out, closing, nil
}

func locomoPage(p *page, rows []bench.Row) {
	head := []string{"system", "part", "level", "category", "n"}
	for _, k := range bench.Ks {
		head = append(head, "R@"+strconv.Itoa(k))
	}
	var table [][]string
	for _, r := range rows {
		line := []string{r.System, r.Part, r.Level, r.Category, strconv.Itoa(r.N)}
		for _, k := range bench.Ks {
			line = append(line, fmt.Sprintf("%.1f", 100*r.Recall[k]))
		}
		table = append(table, line)
	}
	if len(table) == 0 {
		p.line("The file has no question with evidence.")
		return
	}
	p.table(head, table)
}
