package install

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"time"
)

// ManifestVersion is that of the MCPB manifest specification that bundles follow.
const ManifestVersion = "0.3"

// Bundle describes an .mcpb file: one binary for one system, which a client installs
// by a click and asks its user for the home folder.
type Bundle struct {
	Version string // of epagent
	Binary  string // path of the binary
	OS      string // that it runs on, as in runtime.GOOS
}

type manifest struct {
	ManifestVersion string                `json:"manifest_version"`
	Name            string                `json:"name"`
	DisplayName     string                `json:"display_name"`
	Version         string                `json:"version"`
	Description     string                `json:"description"`
	LongDescription string                `json:"long_description"`
	Author          manifestAuthor        `json:"author"`
	License         string                `json:"license"`
	Keywords        []string              `json:"keywords"`
	Server          manifestServer        `json:"server"`
	Tools           []manifestTool        `json:"tools"`
	ToolsGenerated  bool                  `json:"tools_generated"`
	Compatibility   manifestCompatibility `json:"compatibility"`
	UserConfig      map[string]userConfig `json:"user_config"`
}

type manifestAuthor struct {
	Name string `json:"name"`
}

type manifestServer struct {
	Type       string         `json:"type"`
	EntryPoint string         `json:"entry_point"`
	Config     manifestConfig `json:"mcp_config"`
}

type manifestConfig struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

type manifestTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type manifestCompatibility struct {
	Platforms []string `json:"platforms"`
}

type userConfig struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Default     string `json:"default"`
}

// platforms are the names that the specification has for systems.
var platforms = map[string]string{"darwin": "darwin", "windows": "win32", "linux": "linux"}

// homes are where the program keeps its home by itself on each system, so that a bundle
// finds what the command line made (agent.DefaultHome).
var homes = map[string]string{
	"darwin":  "${HOME}/Library/Application Support/epagent",
	"windows": "${HOME}/AppData/Local/epagent",
	"linux":   "${HOME}/.local/share/epagent",
}

// semver is what the specification wants of a version.
var semver = regexp.MustCompile(`^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$`)

func (b Bundle) manifest() (manifest, error) {
	platform, ok := platforms[b.OS]
	if !ok {
		return manifest{}, fmt.Errorf("bundles are for darwin, linux and windows, not for %q", b.OS)
	}
	entry := "server/epagent"
	if b.OS == "windows" {
		entry += ".exe"
	}
	version := "0.0.0-dev"
	if m := semver.FindStringSubmatch(b.Version); m != nil {
		version = m[1]
	}
	return manifest{
		ManifestVersion: ManifestVersion, Name: "epagent", DisplayName: "epagent", Version: version,
		Description:     "A memory that tells each person only what you let them know",
		LongDescription: "epagent remembers your life from your chats. When somebody else asks, it tells each of them only what your policy lets that person know. It works offline. The connection speaks as you: what would let somebody learn more asks you, or waits until you decide by `epagent review`.",
		Author:          manifestAuthor{Name: "The epagent authors"}, License: "Apache-2.0",
		Keywords: []string{"memory", "privacy", "delegate"},
		Server: manifestServer{
			Type: "binary", EntryPoint: entry,
			Config: manifestConfig{
				Command: "${__dirname}/" + entry, Args: []string{"mcp"},
				Env: map[string]string{"EPAGENT_HOME": "${user_config.home}"},
			},
		},
		Tools: []manifestTool{
			{"remember", "Store a statement and learn facts from it"},
			{"recall", "Search the memory, for the owner's eyes"},
			{"disclose", "Answer somebody from what they may know"},
			{"partition", "Who may know what about a topic"},
			{"policy", "Explain and change who may know what"},
			{"review", "What waits for the owner"},
			{"forget", "Remove something for good"},
			{"ledger", "What was told to whom"},
			{"import", "Read a chat export"},
		},
		Compatibility: manifestCompatibility{Platforms: []string{platform}},
		UserConfig: map[string]userConfig{"home": {
			Type: "directory", Title: "Home folder", Description: "Where epagent keeps its policy and its memory",
			Required: true, Default: homes[b.OS],
		}},
	}, nil
}

// Write writes the bundle. Equal input gives equal bytes.
func (b Bundle) Write(w io.Writer) error {
	m, err := b.manifest()
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	binary, err := os.Open(b.Binary)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	defer binary.Close()
	z := zip.NewWriter(w)
	add := func(name string, mode os.FileMode, from io.Reader) error {
		h := &zip.FileHeader{Name: path.Clean(name), Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(mode)
		out, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.Copy(out, from)
		}
		return err
	}
	if err := add("manifest.json", 0o644, bytes.NewReader(append(body, '\n'))); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if err := add(m.Server.EntryPoint, 0o755, binary); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}
