package install_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools/install"
)

var moment = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// Every client's file is made where there is none, taken up where there is one, and
// left as it was.
func TestEveryClient(t *testing.T) {
	for _, c := range install.Clients() {
		t.Run(c.ID, func(t *testing.T) {
			for _, system := range []string{"linux", "darwin", "windows"} {
				s := install.System{OS: system, Home: t.TempDir()}
				path := c.Path(s)
				if rel, err := filepath.Rel(s.Home, path); err != nil || !filepath.IsLocal(rel) {
					t.Fatalf("%s: the file is outside of the user's folder: %s", system, path)
				}
				plan, err := c.Install(path, "epagent", install.Server{Command: "/bin/epagent", Args: []string{"mcp"}})
				if err != nil || !plan.Changed {
					t.Fatalf("%+v, %v", plan, err)
				}
				if _, err := os.Stat(path); err == nil {
					t.Fatal("planning wrote the file")
				}
				if backup, err := plan.Write(moment); err != nil || backup != "" {
					t.Fatalf("backup %q, %v", backup, err)
				}
				text, err := os.ReadFile(path)
				if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"/bin/epagent"`) {
					t.Fatalf("%v: %s", err, text)
				}
				again, err := c.Install(path, "epagent", install.Server{Command: "/bin/epagent", Args: []string{"mcp"}})
				if err != nil || again.Changed {
					t.Errorf("again: changed %v, %v", again.Changed, err)
				}
				gone, err := c.Uninstall(path, "epagent")
				if err != nil || !gone.Changed {
					t.Fatalf("uninstall: %v", err)
				}
				backup, err := gone.Write(moment)
				if err != nil {
					t.Fatal(err)
				}
				if kept, err := os.ReadFile(backup); err != nil || !bytes.Equal(kept, text) {
					t.Errorf("the backup: %v: %s", err, kept)
				}
				if now, _ := os.ReadFile(path); strings.Contains(string(now), "epagent") {
					t.Errorf("still there: %s", now)
				}
			}
		})
	}
	if _, err := install.Find("nosuch"); !errors.Is(err, install.ErrClient) {
		t.Errorf("an unknown client: %v", err)
	}
}

// A link stays a link, the file's mode stays, and a file that changed meanwhile is
// left alone.
func TestWriteIsCareful(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.json"), filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(real, []byte("{}\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no links here: ", err)
	}
	c, err := install.Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Install(link, "epagent", install.Server{Command: "e", Args: []string{"mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, []byte(`{"mine": 1}`), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Write(moment); !errors.Is(err, install.ErrRace) {
		t.Fatalf("a file that changed: %v, want ErrRace", err)
	}
	if plan, err = c.Install(link, "epagent", install.Server{Command: "e", Args: []string{"mcp"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Write(moment); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if text, _ := os.ReadFile(real); !strings.Contains(string(text), `"mine": 1`) || !strings.Contains(string(text), `"epagent"`) {
		t.Errorf("%s", text)
	}
}

// The bundle opens, holds what its manifest names, and is the same each time.
func TestBundle(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "epagent")
	if err := os.WriteFile(binary, []byte("not really"), 0o700); err != nil {
		t.Fatal(err)
	}
	for system, platform := range map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"} {
		b := install.Bundle{Version: "v1.2.3", Binary: binary, OS: system}
		var first, second bytes.Buffer
		if err := errors.Join(b.Write(&first), b.Write(&second)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("two bundles differ")
		}
		z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
		if err != nil {
			t.Fatal(err)
		}
		read := func(name string) []byte {
			f, err := z.Open(name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			defer f.Close()
			text, err := io.ReadAll(f)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		var m struct {
			ManifestVersion string `json:"manifest_version"`
			Name            string
			Version         string
			Description     string
			Author          struct{ Name string }
			Server          struct {
				Type       string
				EntryPoint string `json:"entry_point"`
				Config     struct {
					Command string
					Args    []string
					Env     map[string]string
				} `json:"mcp_config"`
			}
			Compatibility struct{ Platforms []string }
			UserConfig    map[string]struct{ Type, Title, Default string } `json:"user_config"`
		}
		if err := json.Unmarshal(read("manifest.json"), &m); err != nil {
			t.Fatal(err)
		}
		if m.ManifestVersion != install.ManifestVersion || m.Name != "epagent" || m.Version != "1.2.3" || m.Description == "" || m.Author.Name == "" || m.Server.Type != "binary" {
			t.Errorf("manifest: %+v", m)
		}
		if string(read(m.Server.EntryPoint)) != "not really" {
			t.Error("the entry point is not the binary")
		}
		for _, f := range z.File {
			if f.Name == m.Server.EntryPoint && f.Mode().Perm()&0o100 == 0 {
				t.Error("the binary can't be run")
			}
		}
		if m.Server.Config.Command != "${__dirname}/"+m.Server.EntryPoint || len(m.Server.Config.Args) != 1 || len(m.Compatibility.Platforms) != 1 || m.Compatibility.Platforms[0] != platform {
			t.Errorf("%s: %+v", system, m)
		}
		for _, value := range m.Server.Config.Env {
			name := strings.TrimSuffix(strings.TrimPrefix(value, "${user_config."), "}")
			if home := m.UserConfig[name].Default; system == runtime.GOOS && os.Getenv("XDG_DATA_HOME")+os.Getenv("EPAGENT_HOME")+os.Getenv("LOCALAPPDATA") == "" {
				user, _ := os.UserHomeDir()
				if own, err := agent.DefaultHome(); err != nil || strings.Replace(home, "${HOME}", filepath.ToSlash(user), 1) != filepath.ToSlash(own) {
					t.Errorf("the home is %q, and the program's own %q (%v)", home, own, err)
				}
			}
			if m.UserConfig[name].Type == "" || m.UserConfig[name].Title == "" {
				t.Errorf("%s is not asked for", value)
			}
		}
	}
	if err := (install.Bundle{Version: "dev", Binary: binary, OS: "plan9"}).Write(io.Discard); err == nil {
		t.Error("a bundle for a system that has none")
	}
}
