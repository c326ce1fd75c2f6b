package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools/install"
)

type installResult struct {
	Client    string `json:"client"`
	Name      string `json:"name"`
	Path      string `json:"path"`
	Changed   bool   `json:"changed"`
	DryRun    bool   `json:"dry_run,omitempty"`
	Removed   bool   `json:"removed,omitempty"`
	Backup    string `json:"backup,omitempty"`
	Old       string `json:"old,omitempty"` // of a dry run
	New       string `json:"new,omitempty"`
	NextSteps string `json:"next,omitempty"`
}

func (c *cli) mcpInstall() *cobra.Command {
	var bound boundFlags
	var name, file, command string
	var dryRun, uninstall, show bool
	var ids []string
	for _, client := range install.Clients() {
		ids = append(ids, client.ID)
	}
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Attach epagent to an assistant by its configuration file",
		Long: `Write epagent into the configuration file of an assistant: ` + strings.Join(ids, ", ") + `.

One entry is written and everything else in the file stays as it is, with comments and
order. What was there before is kept beside the file. A file that can't be read is
refused with the place. The connection speaks as you, unless --to binds it to somebody.`,
		Example: `  epagent mcp install claude-desktop
  epagent mcp install vscode --dry-run
  epagent mcp install zed --print
  epagent mcp install cursor --uninstall
  epagent mcp install claude-code --to "Tomas Falk" --name epagent-tomas`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: ids,
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := install.Find(args[0])
			if err != nil {
				return usageError{err}
			}
			if err := bound.check(); err != nil {
				return err
			}
			if strings.TrimSpace(name) == "" {
				return usagef("--name: it is blank")
			}
			if err := c.knowsBound(cmd.Context(), bound, uninstall); err != nil {
				return err
			}
			server, err := c.mcpServer(command, bound)
			if err != nil {
				return err
			}
			if show {
				snippet, err := client.Snippet(name, server)
				if err != nil {
					return err
				}
				return c.emit(struct {
					Snippet string `json:"snippet"`
				}{snippet}, func(p *page) { p.WriteString(snippet) })
			}
			path := file
			if path != "" {
				if dir := filepath.Dir(path); !isDir(dir) {
					return usagef("--file: no folder %q; make it, or correct the path", dir)
				}
			} else {
				home, err := os.UserHomeDir()
				if err != nil {
					return fmt.Errorf("find your home folder: %w; give the file by --file", err)
				}
				path = client.Path(install.System{
					OS: runtime.GOOS, Home: home, Config: os.Getenv("XDG_CONFIG_HOME"), AppData: os.Getenv("APPDATA"),
				})
			}
			var plan *install.Plan
			if uninstall {
				plan, err = client.Uninstall(path, name)
			} else {
				plan, err = client.Install(path, name, server)
			}
			if err != nil {
				return err
			}
			result := installResult{Client: client.ID, Name: name, Path: plan.Path, Changed: plan.Changed, DryRun: dryRun, Removed: uninstall && plan.Changed}
			if dryRun {
				result.Old, result.New = string(plan.Old), string(plan.New)
			} else if result.Backup, err = plan.Write(time.Now()); err != nil {
				return err
			}
			if plan.Changed && !dryRun {
				result.NextSteps = client.Title + ": " + client.After()
			}
			return c.emit(result, func(p *page) { installPage(p, result) })
		},
	}
	bound.add(cmd, "bind the connection to this person (repeat for a group that reads together)")
	f := cmd.Flags()
	f.StringVar(&name, "name", "epagent", "name of the entry")
	f.StringVar(&file, "file", "", "the assistant's file, where it lies elsewhere")
	f.StringVar(&command, "command", "", "the program that the assistant starts (default: this one)")
	f.BoolVar(&dryRun, "dry-run", false, "show the file as it would be, write nothing")
	f.BoolVar(&uninstall, "uninstall", false, "take the entry out again")
	f.BoolVar(&show, "print", false, "print the entry alone, to paste it in")
	cmd.MarkFlagsMutuallyExclusive("print", "uninstall")
	cmd.MarkFlagsMutuallyExclusive("print", "dry-run")
	return cmd
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// knowsBound refuses names that the policy doesn't have, as for a token: an entry
// stays, and whom it stands for shouldn't hang on a slip. Without a policy nothing is
// told over any connection, and names can't be looked up.
func (c *cli) knowsBound(ctx context.Context, b boundFlags, uninstall bool) error {
	if len(b.to) == 0 || uninstall {
		return nil
	}
	home := c.home
	if home == "" {
		var err error
		if home, err = agent.DefaultHome(); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(home, agent.PolicyFile)); errors.Is(err, fs.ErrNotExist) {
		c.say("no policy is there yet to look names up in; `epagent init` writes one")
		return nil
	}
	return c.with(ctx, func(a *agent.Agent) error {
		people, err := a.Bind(ctx, b.to, false)
		if errors.Is(err, agent.ErrPolicyBroken) {
			c.say("names can't be looked up: %v", err)
			return nil
		}
		if err != nil {
			return err
		}
		for _, p := range people {
			if p.ID == "" {
				return fmt.Errorf("--to: %w: %q; add the person to policy.yaml first", agent.ErrUnknownPerson, p.Name)
			}
		}
		return nil
	})
}

// mcpServer is how an assistant starts this program. Paths are whole: an assistant
// starts it from a folder of its own.
func (c *cli) mcpServer(command string, b boundFlags) (install.Server, error) {
	if command == "" {
		self, err := os.Executable()
		if err != nil {
			return install.Server{}, fmt.Errorf("find this program: %w; name it by --command", err)
		}
		command = self
	}
	s := install.Server{Command: command, Args: []string{"mcp"}}
	home := c.home
	if home == "" && (os.Getenv("EPAGENT_HOME") != "" || filepath.IsAbs(os.Getenv("XDG_DATA_HOME"))) {
		var err error
		if home, err = agent.DefaultHome(); err != nil { // the assistant's environment is another
			return s, err
		}
	}
	if home != "" {
		home, err := filepath.Abs(home)
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, "--home", home)
	}
	for _, to := range b.to {
		s.Args = append(s.Args, "--to", to)
	}
	if b.cap > 0 {
		s.Args = append(s.Args, "--cap", fmt.Sprint(b.cap))
	}
	if b.keep {
		s.Args = append(s.Args, "--keep-whitelist")
	}
	return s, nil
}

func installPage(p *page, r installResult) {
	switch {
	case r.DryRun && r.Changed:
		p.line("%s would be:", clean(r.Path))
		p.WriteString(r.New)
		p.line("")
		p.line("Nothing was written.")
	case !r.Changed:
		p.line("%s needs no change.", clean(r.Path))
	case r.Removed:
		p.line("%s is out of %s.", clean(r.Name), clean(r.Path))
	default:
		p.line("%s is in %s.", clean(r.Name), clean(r.Path))
	}
	if r.Backup != "" {
		p.line("What was there is kept as %s.", clean(filepath.Base(r.Backup)))
	}
	if r.NextSteps != "" {
		p.line("%s.", r.NextSteps)
	}
}

func (c *cli) mcpBundle() *cobra.Command {
	var out, binary, system string
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Make an .mcpb bundle, which some assistants install by a click",
		Long: `Make a bundle of this program, or of another build of it, for assistants that install
.mcpb files by a click, such as Claude Desktop. It asks for the home folder there.`,
		Example: `  epagent mcp bundle -o epagent.mcpb
  epagent mcp bundle --binary dist/epagent.exe --os windows -o epagent-windows.mcpb`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if binary == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("find this program: %w; name it by --binary", err)
				}
				binary = self
			}
			tmp, err := os.CreateTemp(filepath.Dir(out), ".epagent-*")
			if err != nil {
				return err
			}
			defer os.Remove(tmp.Name()) // gone already when the rename succeeded
			err = install.Bundle{Version: version, Binary: binary, OS: system}.Write(tmp)
			if err == nil {
				err = tmp.Chmod(0o644)
			}
			if err := errors.Join(err, tmp.Close()); err != nil {
				return err
			}
			if err := os.Rename(tmp.Name(), out); err != nil {
				return err
			}
			return c.emit(struct {
				Path string `json:"path"`
				OS   string `json:"os"`
			}{out, system}, func(p *page) { p.line("%s is made, for %s.", clean(out), system) })
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "epagent.mcpb", "the file to write")
	cmd.Flags().StringVar(&binary, "binary", "", "the program to put in (default: this one)")
	cmd.Flags().StringVar(&system, "os", runtime.GOOS, "the system that it runs on: darwin, linux or windows")
	return cmd
}
