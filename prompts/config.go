package prompts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// ConfigFile is the name of the configuration in a home folder.
const ConfigFile = "config.yaml"

// Config says which models run the stages. Without a model everything runs offline.
type Config struct {
	BaseURL string `yaml:"base_url"` // of the OpenAI-compatible API, up to and with "/v1"
	APIKey  Secret `yaml:"api_key"`
	Model   string `yaml:"model"` // a name at the endpoint, or "client": the model of the connected MCP client

	EmbedModel   string `yaml:"embed_model"`    // "" embeds offline
	EmbedBaseURL string `yaml:"embed_base_url"` // default: base_url
	EmbedAPIKey  Secret `yaml:"embed_api_key"`  // default: api_key, at the same endpoint
	// EmbedDimensions is the length of the vectors; 0 asks the endpoint when it is
	// opened.
	EmbedDimensions int `yaml:"embed_dimensions"`

	MaxTokens     int           `yaml:"max_tokens"` // of a reply; 0: the endpoint's own
	Seed          int           `yaml:"seed"`
	NoTemperature bool          `yaml:"no_temperature"` // for models that refuse the parameter
	Forms         []Form        `yaml:"forms"`          // ways to ask for JSON, the best first. Default: all
	Timeout       time.Duration `yaml:"timeout"`        // of one request
	Concurrency   int           `yaml:"concurrency"`
	OnModelError  string        `yaml:"on_model_error"` // offline or fail

	Host    string   `yaml:"host"`     // the native memory: simple, gas or mcp. Default: simple
	HostMCP []string `yaml:"host_mcp"` // the command of the memory server, for mcp
	// HostWriter is who writes the entries of simple and the summaries of gas: model, or
	// offline. Default: the model, where one is configured.
	HostWriter string             `yaml:"host_writer"`
	Overlay    map[string]Overlay `yaml:"overlay"` // by host; what is missing has the host's own weights
}

// Overlay are the weights of a host and of the event facts beside it: α and β, not
// negative, that add up to 1.
type Overlay struct {
	Alpha float64 `yaml:"alpha"`
	Beta  float64 `yaml:"beta"`
}

// The values of Config.Host.
const (
	HostSimple = "simple"
	HostGas    = "gas"
	HostServer = "mcp"
)

// The values of Config.HostWriter.
const (
	WriterModel   = "model"
	WriterOffline = "offline"
)

// hosts are the values of Config.Host.
var hosts = []string{HostSimple, HostGas, HostServer}

func (c Config) checkHost() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrHostConfig, fmt.Sprintf(format, args...))
	}
	if c.Host != "" && !slices.Contains(hosts, c.Host) {
		return wrong("host %q: want one of %s", c.Host, strings.Join(hosts, ", "))
	}
	if c.Host == HostServer && (len(c.HostMCP) == 0 || c.HostMCP[0] == "") {
		return wrong("host mcp needs host_mcp, the command that starts the memory server, as a list: [npx, -y, \"@modelcontextprotocol/server-memory\"]")
	}
	if c.HostWriter != "" && c.HostWriter != WriterModel && c.HostWriter != WriterOffline {
		return wrong("host_writer %q: want %s or %s", c.HostWriter, WriterModel, WriterOffline)
	}
	for name, w := range c.Overlay {
		if !slices.Contains(hosts, name) {
			return wrong("overlay: %q is no host; want one of %s", name, strings.Join(hosts, ", "))
		}
		if !(w.Alpha >= 0 && w.Beta >= 0 && math.Abs(w.Alpha+w.Beta-1) < 1e-9) {
			return wrong("overlay: %s: alpha and beta are two numbers from 0 that add up to 1", name)
		}
	}
	return nil
}

// ModelClient is the Model that stands for the connected client's own.
const ModelClient = "client"

// Configured reports whether a chat model is named.
func (c Config) Configured() bool { return c.Model != "" }

// LoadConfig reads a configuration file, which may be missing, and then what the
// environment says, which comes first: EPAGENT_BASE_URL, EPAGENT_API_KEY,
// EPAGENT_MODEL, EPAGENT_EMBED_MODEL. A file that holds a key and that others than
// its owner can read is refused, and a key of the file isn't sent to an endpoint that
// the environment puts in place of the file's. The error wraps ErrConfig, or ErrHostConfig, and names
// file, line and remedy, never a key.
func LoadConfig(path string, getenv func(string) string) (Config, error) {
	c, err := readConfig(path)
	if err != nil {
		return Config{}, err
	}
	inFile := c.BaseURL
	set := func(to *string, name string) {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			*to = v
		}
	}
	set(&c.BaseURL, "EPAGENT_BASE_URL")
	set((*string)(&c.APIKey), "EPAGENT_API_KEY")
	set(&c.Model, "EPAGENT_MODEL")
	set(&c.EmbedModel, "EPAGENT_EMBED_MODEL")
	if inFile != "" && origin(inFile) != origin(c.BaseURL) {
		if strings.TrimSpace(getenv("EPAGENT_API_KEY")) == "" {
			c.APIKey = ""
		}
		if c.EmbedBaseURL == "" {
			c.EmbedAPIKey = ""
		}
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// origin is the scheme and host that a key is for.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// readConfig reads the file; one that isn't there is the zero configuration.
func readConfig(path string) (Config, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	source, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return Config{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	c, err := parseConfig(path, source)
	if err != nil {
		return Config{}, err
	}
	return c, private(file, c)
}

// maxConfig bounds the file: what is longer is something else.
const maxConfig = 64 << 10

func parseConfig(path string, source []byte) (Config, error) {
	var c Config
	if len(source) > maxConfig {
		return c, fmt.Errorf("%w: %s is longer than %d bytes; it must be another file", ErrConfig, path, maxConfig)
	}
	if len(bytes.TrimSpace(source)) == 0 {
		return c, nil
	}
	err := decode(source, &c)
	if err == nil {
		return c, nil
	}
	// The library's own text quotes the file, and what it quotes may be the key.
	where, what := path, "it isn't YAML"
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		if token := syntax.GetToken(); token != nil {
			where = fmt.Sprintf("%s:%d", path, token.Position.Line)
		}
		var kind *yaml.TypeError
		var unknown *yaml.UnknownFieldError
		var doubled *yaml.DuplicateKeyError
		twice := errors.As(err, &doubled) || strings.Contains(syntax.GetMessage(), "already defined")
		switch {
		case errors.As(err, &kind):
			what = "the value is of another kind than its key takes (a time is like 30s)"
		case errors.As(err, &unknown):
			what = "there is no such key"
		case twice:
			what = "a key is there twice"
		}
	}
	return Config{}, fmt.Errorf("%w: %s: %s; the keys are %s", ErrConfig, where, what, strings.Join(configKeys(), ", "))
}

// decode reads YAML. The library panics on some tags (a scalar with one where a list
// is wanted); a file is no reason to.
func decode(source []byte, c *Config) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the decoder gave up")
		}
	}()
	return yaml.UnmarshalWithOptions(source, c, yaml.Strict())
}

// configKeys lists the keys of a configuration file.
func configKeys() []string {
	var keys []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		keys = append(keys, field.Tag.Get("yaml"))
	}
	return keys
}

// private refuses a file with a key that others can read.
func private(file *os.File, c Config) error {
	if c.APIKey == "" && c.EmbedAPIKey == "" || runtime.GOOS == "windows" {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%w: %s holds a key and others can read it; run chmod 600 %s, and take another key if it may have been read", ErrConfig, file.Name(), file.Name())
	}
	return nil
}

// check says what is missing or wrong.
func (c Config) check() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
	}
	type address struct {
		key, url string
		secret   Secret
	}
	addresses := []address{{"base_url", c.BaseURL, c.APIKey}, {"embed_base_url", c.EmbedBaseURL, c.EmbedAPIKey}}
	if c.EmbedBaseURL == "" {
		addresses[1] = address{"base_url", c.BaseURL, c.EmbedAPIKey}
	}
	for _, address := range addresses {
		if address.url == "" {
			continue
		}
		u, err := url.Parse(address.url)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
			return wrong("%s is no http or https address; it looks like https://api.openai.com/v1", address.key)
		case u.User != nil:
			return wrong("%s holds a password; set the key as EPAGENT_API_KEY", address.key)
		case u.RawQuery != "" || u.Fragment != "":
			return wrong("%s goes on after its path; a key in it would be shown, set it as EPAGENT_API_KEY", address.key)
		case u.Scheme == "http" && !loopback(u.Hostname()) && address.secret != "":
			return wrong("%s sends the key over http to %s; use https", address.key, u.Hostname())
		}
	}
	if err := c.checkHost(); err != nil {
		return err
	}
	if c.BaseURL != "" && c.Model == "" && c.EmbedModel == "" {
		return wrong("base_url is set and no model; set EPAGENT_MODEL or model to the name of one at that endpoint")
	}
	if c.Model != "" && c.Model != ModelClient && c.BaseURL == "" {
		return wrong("model %q has no endpoint; set EPAGENT_BASE_URL or base_url", c.Model)
	}
	if c.EmbedModel != "" && c.BaseURL == "" && c.EmbedBaseURL == "" {
		return wrong("embed_model %q has no endpoint; set EPAGENT_BASE_URL or embed_base_url", c.EmbedModel)
	}
	for _, f := range c.Forms {
		if !slices.Contains(Forms(), f) {
			return wrong("forms names %q; there are %v", f, Forms())
		}
	}
	if c.OnModelError != "" && c.OnModelError != "offline" && c.OnModelError != "fail" {
		return wrong("on_model_error is %q; it is offline or fail", c.OnModelError)
	}
	for _, n := range []struct {
		key       string
		is, above int
	}{{"max_tokens", c.MaxTokens, math.MaxInt}, {"concurrency", c.Concurrency, 64}, {"embed_dimensions", c.EmbedDimensions, math.MaxInt}} {
		if n.is < 0 || n.is > n.above {
			return wrong("%s is %d; it is 0 for its default, and at most %d", n.key, n.is, n.above)
		}
	}
	if c.Timeout < 0 {
		return wrong("timeout is %s; it is a time like 30s", c.Timeout)
	}
	return nil
}

// loopback reports whether a host is this machine. A name that merely begins like
// its address isn't.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
