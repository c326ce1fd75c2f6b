package prompts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// ConfigFile is the name of the configuration in a home folder.
const ConfigFile = "config.yaml"

// Secret is a key. It shows itself to nobody: not printed, logged or encoded.
type Secret string

const hidden = "[hidden]"

// String hides the key.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString hides the key.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the key.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Config says which models run the stages. Without a model everything runs offline.
type Config struct {
	BaseURL string `yaml:"base_url"` // of the OpenAI-compatible API, up to and with "/v1"
	APIKey  Secret `yaml:"api_key"`
	Model   string `yaml:"model"` // a name at the endpoint, or "client": the model of the connected MCP client

	EmbedModel   string `yaml:"embed_model"`    // "" embeds offline
	EmbedBaseURL string `yaml:"embed_base_url"` // default: base_url
	EmbedAPIKey  Secret `yaml:"embed_api_key"`  // default: api_key

	MaxTokens     int           `yaml:"max_tokens"` // of a reply; 0: the endpoint's own
	Seed          int           `yaml:"seed"`
	NoTemperature bool          `yaml:"no_temperature"` // for models that refuse the parameter
	Forms         []Form        `yaml:"forms"`          // ways to ask for JSON: json_schema, tool_call, plain
	Timeout       time.Duration `yaml:"timeout"`        // of one request
	Concurrency   int           `yaml:"concurrency"`
	OnModelError  string        `yaml:"on_model_error"` // offline or fail
}

// ModelClient is the Model that stands for the connected client's own.
const ModelClient = "client"

// Configured reports whether a chat model is named.
func (c Config) Configured() bool { return c.Model != "" }

// LoadConfig reads a configuration file, which may be missing, and then what the
// environment says, which comes first: EPAGENT_BASE_URL, EPAGENT_API_KEY,
// EPAGENT_MODEL, EPAGENT_EMBED_MODEL. A file that holds a key and that others than
// its owner can read is refused. The error wraps ErrConfig and names file, line and
// remedy, never a key.
func LoadConfig(path string, getenv func(string) string) (Config, error) {
	var c Config
	source, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return c, fmt.Errorf("%w: %w", ErrConfig, err)
	default:
		if c, err = parseConfig(path, source); err != nil {
			return Config{}, err
		}
		if err := private(path, c); err != nil {
			return Config{}, err
		}
	}
	set := func(to *string, name string) {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			*to = v
		}
	}
	set(&c.BaseURL, "EPAGENT_BASE_URL")
	set((*string)(&c.APIKey), "EPAGENT_API_KEY")
	set(&c.Model, "EPAGENT_MODEL")
	set(&c.EmbedModel, "EPAGENT_EMBED_MODEL")
	if c.Model == "" && c.EmbedModel == "" {
		return c, nil
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// maxConfig bounds the file: what is longer is something else.
const maxConfig = 64 << 10

func parseConfig(path string, source []byte) (Config, error) {
	var c Config
	if len(source) > maxConfig {
		return c, fmt.Errorf("%w: %s: it is %d bytes long; it must be another file", ErrConfig, path, len(source))
	}
	if len(bytes.TrimSpace(source)) == 0 {
		return c, nil
	}
	err := yaml.UnmarshalWithOptions(source, &c, yaml.Strict())
	if err != nil {
		// The library's text quotes the lines around, and one of them may hold the key.
		var syntax yaml.Error
		line := 0
		what := "it isn't YAML as expected"
		if errors.As(err, &syntax) {
			what = syntax.GetMessage()
			if token := syntax.GetToken(); token != nil {
				line = token.Position.Line
			}
		}
		return Config{}, fmt.Errorf("%w: %s:%d: %s; the keys are base_url, api_key, model, embed_model, embed_base_url, embed_api_key, max_tokens, seed, no_temperature, forms, timeout, concurrency, on_model_error",
			ErrConfig, path, line, oneLine(what))
	}
	return c, nil
}

// private refuses a file with a key that others can read.
func private(path string, c Config) error {
	if c.APIKey == "" && c.EmbedAPIKey == "" || runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%w: %s holds a key and others can read it; run chmod 600 %s, and take another key if it may have been read", ErrConfig, path, path)
	}
	return nil
}

// check says what is missing or wrong.
func (c Config) check() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	for _, address := range []struct{ key, url string }{{"base_url", c.BaseURL}, {"embed_base_url", c.EmbedBaseURL}} {
		if address.url == "" {
			continue
		}
		u, err := url.Parse(address.url)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
			return wrong("%s is no http or https address; it looks like https://api.openai.com/v1", address.key)
		case u.User != nil:
			return wrong("%s holds a password; set the key as EPAGENT_API_KEY", address.key)
		case u.Scheme == "http" && !loopback(u.Hostname()) && c.APIKey != "":
			return wrong("%s sends the key over http to %s; use https", address.key, u.Hostname())
		}
	}
	if c.Model != "" && c.Model != ModelClient && c.BaseURL == "" {
		return wrong("model %q has no endpoint; set EPAGENT_BASE_URL or base_url", c.Model)
	}
	if c.EmbedModel != "" && c.BaseURL == "" && c.EmbedBaseURL == "" {
		return wrong("embed_model %q has no endpoint; set EPAGENT_BASE_URL or embed_base_url", c.EmbedModel)
	}
	for _, f := range c.Forms {
		if !slices.Contains([]Form{FormSchema, FormTool, FormPlain}, f) {
			return wrong("forms names %q; there are json_schema, tool_call and plain", f)
		}
	}
	if c.OnModelError != "" && c.OnModelError != "offline" && c.OnModelError != "fail" {
		return wrong("on_model_error is %q; it is offline or fail", c.OnModelError)
	}
	if c.MaxTokens < 0 || c.Concurrency < 0 || c.Concurrency > 64 || c.Timeout < 0 {
		return wrong("max_tokens, timeout and concurrency (at most 64) are not negative")
	}
	return nil
}

func loopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}
