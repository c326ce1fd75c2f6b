package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Client is an MCP client by its configuration file.
type Client struct {
	ID       string
	Title    string
	key      string // the object of the file that holds the servers
	comments bool   // the client takes comments and trailing commas
	typed    bool   // an entry says "type": "stdio"
	after    string // what the user has to do then
	path     func(s System) string
}

// System is where files of a user lie.
type System struct {
	OS      string // as in runtime.GOOS
	Home    string
	Config  string // XDG_CONFIG_HOME, "" for the default
	AppData string // APPDATA of Windows, "" for the default
}

// config is the folder of a user's settings.
func (s System) config(parts ...string) string {
	base := s.Config
	switch {
	case s.OS == "darwin":
		base = filepath.Join(s.Home, "Library", "Application Support")
	case s.OS == "windows":
		if base = s.AppData; base == "" {
			base = filepath.Join(s.Home, "AppData", "Roaming")
		}
	case base == "":
		base = filepath.Join(s.Home, ".config")
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

func (s System) home(parts ...string) string {
	return filepath.Join(append([]string{s.Home}, parts...)...)
}

// Clients lists the clients whose files are known, by their ids.
func Clients() []Client {
	return []Client{
		{ID: "claude-code", Title: "Claude Code", key: "mcpServers", typed: true, after: "start it anew",
			path: func(s System) string { return s.home(".claude.json") }},
		{ID: "claude-desktop", Title: "Claude Desktop", key: "mcpServers", after: "quit it and start it anew",
			path: func(s System) string { return s.config("Claude", "claude_desktop_config.json") }},
		{ID: "cline", Title: "Cline", key: "mcpServers", after: "open its list of MCP servers",
			path: func(s System) string {
				return s.config("Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")
			}},
		{ID: "cursor", Title: "Cursor", key: "mcpServers", comments: true, after: "open its MCP settings and switch it on",
			path: func(s System) string { return s.home(".cursor", "mcp.json") }},
		{ID: "gemini-cli", Title: "Gemini CLI", key: "mcpServers", comments: true, after: "start it anew",
			path: func(s System) string { return s.home(".gemini", "settings.json") }},
		{ID: "lm-studio", Title: "LM Studio", key: "mcpServers", after: "open its list of integrations",
			path: func(s System) string { return s.home(".lmstudio", "mcp.json") }},
		{ID: "vscode", Title: "VS Code", key: "servers", comments: true, typed: true, after: "run \"MCP: List Servers\" and start it",
			path: func(s System) string { return s.config("Code", "User", "mcp.json") }},
		{ID: "windsurf", Title: "Windsurf", key: "mcpServers", after: "refresh its list of MCP servers",
			path: func(s System) string { return s.home(".codeium", "windsurf", "mcp_config.json") }},
		{ID: "zed", Title: "Zed", key: "context_servers", comments: true, after: "it takes it up at once",
			path: func(s System) string {
				if s.OS == "windows" {
					return s.config("Zed", "settings.json")
				}
				if s.Config != "" {
					return filepath.Join(s.Config, "zed", "settings.json")
				}
				return s.home(".config", "zed", "settings.json")
			}},
	}
}

// ErrClient says that no client of this name is known.
var ErrClient = errors.New("no such client")

// Find returns a client by its id.
func Find(id string) (Client, error) {
	var ids []string
	for _, c := range Clients() {
		if c.ID == id {
			return c, nil
		}
		ids = append(ids, c.ID)
	}
	return Client{}, fmt.Errorf("%w: %q; one of %s; `epagent mcp install cursor --print` shows an entry to paste anywhere else", ErrClient, id, strings.Join(ids, ", "))
}

// Path is where the client's file lies.
func (c Client) Path(s System) string { return c.path(s) }

// After is what the user has to do once the file is changed.
func (c Client) After() string { return c.after }

// Server is how the client starts the server.
type Server struct {
	Command string
	Args    []string
}

// entry is the value of a server in the client's file.
func (c Client) entry(s Server) any {
	if c.typed {
		return struct {
			Type    string   `json:"type"`
			Command string   `json:"command"`
			Args    []string `json:"args"`
		}{"stdio", s.Command, s.Args}
	}
	return struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{s.Command, s.Args}
}

// Snippet is a file of the client that has this server alone.
func (c Client) Snippet(name string, s Server) (string, error) {
	b, err := Set(nil, []string{c.key, name}, c.entry(s), c.comments)
	return string(b), err
}
