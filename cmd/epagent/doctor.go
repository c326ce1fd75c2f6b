package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/prompts"
)

// finding is one thing that the doctor looked at.
type finding struct {
	What   string `json:"what"` // home, store, host, policy, configuration, model, embeddings
	OK     bool   `json:"ok"`
	Idle   bool   `json:"idle,omitempty"` // it doesn't work, and nothing needs it
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

type diagnosis struct {
	OK       bool           `json:"ok"`
	Home     string         `json:"home"`
	Offline  bool           `json:"offline"` // no model is asked
	Findings []finding      `json:"findings"`
	Endpoint *prompts.Probe `json:"endpoint,omitempty"`
}

func (c *cli) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check home, policy and model, and say what works",
		Long: `Check the home folder, the store, the policy and the configuration of the model. Where a
model is configured, its endpoint is asked, with made-up words, for structured output,
streaming, embeddings and the size of its context. Nothing is changed, nothing of your
memory is sent, and no key is shown. The exit code is 1 if something is wrong.`,
		Example: `  epagent doctor
  EPAGENT_BASE_URL=http://127.0.0.1:11434/v1 EPAGENT_MODEL=qwen3 epagent doctor`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := c.diagnose(cmd.Context())
			if err != nil {
				return err
			}
			if err := c.emit(d, func(p *page) { diagnosisPage(p, d) }); err != nil {
				return err
			}
			if !d.OK {
				return quiet{exitFailed}
			}
			return nil
		},
	}
}

func (c *cli) diagnose(ctx context.Context) (*diagnosis, error) {
	home, err := c.homeFolder()
	if err != nil {
		return nil, err
	}
	d := &diagnosis{OK: true, Home: home, Findings: []finding{}}
	add := func(f finding) {
		d.OK = d.OK && f.OK
		d.Findings = append(d.Findings, f)
	}
	for _, f := range c.examineHome(ctx, home) {
		add(f)
	}
	config, err := prompts.LoadConfig(filepath.Join(home, prompts.ConfigFile), os.Getenv)
	switch {
	case c.offline:
		d.Offline = true
		add(finding{What: "model", OK: true, Detail: "--offline: every stage runs on this machine"})
		return d, nil
	case errors.Is(err, prompts.ErrHostConfig):
		add(finding{What: "configuration", Detail: err.Error(), Remedy: "correct host, host_mcp or overlay in config.yaml"})
		return d, nil
	case err != nil:
		add(finding{What: "configuration", Detail: err.Error(), Remedy: "correct it, or work with --offline"})
		return d, nil
	case config.Model == "" && config.EmbedModel == "":
		d.Offline = true
		add(finding{What: "model", OK: true, Detail: "none is configured: every stage runs on this machine, with the embedded vectors"})
		return d, nil
	case config.Model == prompts.ModelClient:
		add(finding{What: "model", OK: true, Detail: "that of the connected MCP client; it is asked when one connects"})
	}
	if d.Endpoint, err = prompts.Examine(ctx, config); err != nil {
		return nil, err
	}
	for _, f := range probeFindings(config, d.Endpoint) {
		add(f)
	}
	return d, nil
}

// examineHome looks at what is there without making anything.
func (c *cli) examineHome(ctx context.Context, home string) []finding {
	info, err := os.Stat(home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []finding{{What: "home", Detail: home + " is not there", Remedy: "`epagent init` makes it"}}
	case err != nil:
		return []finding{{What: "home", Detail: err.Error(), Remedy: "choose another with --home"}}
	case !info.IsDir():
		return []finding{{What: "home", Detail: home + " is a file", Remedy: "choose another with --home"}}
	}
	out := []finding{{What: "home", OK: true, Detail: home}}
	if info.Mode().Perm()&0o077 != 0 {
		out = append(out, finding{What: "home", Detail: "others can look into it", Remedy: "chmod 700 " + home})
	}
	offline := c.offline
	c.offline = true // opening it asks no endpoint; that comes later
	defer func() { c.offline = offline }()
	err = c.with(ctx, func(a *agent.Agent) error {
		out = append(out, finding{What: "store", OK: true, Detail: "it opens"})
		host := finding{What: "host", OK: true, Detail: a.HostName() + ": it answers"}
		if err := a.CheckHost(ctx); err != nil {
			host = finding{What: "host", Detail: firstLine(err.Error()), Remedy: "correct host_mcp in config.yaml; until then your `epagent recall` ranks without it, and nobody else notices"}
		}
		out = append(out, host)
		problems, err := a.CheckPolicy(ctx)
		if err != nil {
			remedy := "`epagent policy check` says where"
			if errors.Is(err, agent.ErrNoPolicy) {
				remedy = "`epagent init` writes one"
			}
			out = append(out, finding{What: "policy", Detail: "nothing is disclosed: " + firstLine(err.Error()), Remedy: remedy})
			return nil
		}
		out = append(out, finding{What: "policy", OK: true, Detail: plural(len(problems), "remark", "remarks") + " from `epagent policy check`"})
		return nil
	})
	if err != nil {
		out = append(out, finding{What: "store", Detail: firstLine(err.Error()), Remedy: "restore an export, or choose another home"})
	}
	return out
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// probeFindings says what an endpoint does.
func probeFindings(config prompts.Config, p *prompts.Probe) []finding {
	var out []finding
	if len(p.Forms) > 0 {
		var works []string
		f := finding{What: "model", Detail: config.Model + " at " + p.Host}
		for _, form := range p.Forms {
			if form.OK {
				works = append(works, string(form.Form))
			} else if f.Remedy == "" {
				f.Remedy = form.Error
			}
		}
		if f.OK = len(works) > 0; f.OK {
			f.Detail, f.Remedy = f.Detail+": structured output as "+strings.Join(works, ", "), ""
		} else {
			f.Detail += ": no stage can run on it"
		}
		out = append(out, f)
		stream := finding{What: "streaming", OK: true, Detail: "works"}
		if !p.Streaming.OK {
			stream.Idle = true
			stream.Detail = "doesn't work (" + p.Streaming.Error + "); the delegate does without"
		}
		size := finding{What: "context", OK: true, Detail: "the endpoint doesn't tell its size"}
		if p.Context > 0 {
			size.Detail = fmt.Sprintf("%d tokens", p.Context)
			if p.Context < smallContext {
				size.Detail += ": little for long sessions"
			}
		}
		out = append(out, stream, size)
	}
	if e := p.Embedding; e != nil {
		f := finding{What: "embeddings", OK: e.OK, Detail: e.Model}
		if e.OK {
			f.Detail += fmt.Sprintf(": %d dimensions", e.Dimensions)
		} else {
			f.Remedy = e.Error
		}
		out = append(out, f)
	}
	return out
}

// smallContext is how many tokens the stages' requests and replies may come to.
const smallContext = 8192

func diagnosisPage(p *page, d *diagnosis) {
	for _, f := range d.Findings {
		mark := p.verdict(f.OK, f.What)
		if f.Idle {
			mark = "- " + f.What
		}
		p.line("%s: %s", mark, clean(f.Detail))
		if f.Remedy != "" {
			p.line("    %s", clean(f.Remedy))
		}
	}
	if d.OK {
		p.line("Everything that is needed works.")
	}
}
