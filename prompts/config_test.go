package prompts_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/epagent/epagent/prompts"
)

func env(values map[string]string) func(string) string {
	return func(k string) string { return values[k] }
}

// TestConfig: file and environment, and what is refused with which place; a key is
// never shown.
func TestConfig(t *testing.T) {
	tests := map[string]struct {
		file string
		mode os.FileMode
		env  map[string]string
		want string // part of the error, "" for none
	}{
		"nothing":          {"", 0o600, nil, ""},
		"file":             {"base_url: https://a.example/v1\nmodel: m\napi_key: sk-secret\ntimeout: 30s\n", 0o600, nil, ""},
		"environment":      {"", 0o600, map[string]string{"EPAGENT_BASE_URL": "http://127.0.0.1:1/v1", "EPAGENT_MODEL": "m", "EPAGENT_API_KEY": "sk-secret"}, ""},
		"env over file":    {"base_url: https://a.example/v1\nmodel: other\n", 0o644, map[string]string{"EPAGENT_MODEL": "m"}, ""},
		"readable key":     {"base_url: https://a.example/v1\nmodel: m\napi_key: sk-secret\n", 0o644, nil, "chmod 600"},
		"no endpoint":      {"model: m\n", 0o600, nil, "no endpoint"},
		"unknown key":      {"modell: m\n", 0o600, nil, "config.yaml:1"},
		"broken":           {"base_url: [\napi_key: sk-secret\n", 0o600, nil, "config.yaml"},
		"wrong type":       {"api_key: sk-secret\nseed: sk-secret\n", 0o600, nil, "config.yaml:2"},
		"no address":       {"base_url: a.example\nmodel: m\n", 0o600, nil, "base_url is no http"},
		"key in address":   {"base_url: https://u:sk-secret@a.example/v1\nmodel: m\n", 0o600, nil, "holds a password"},
		"key over http":    {"base_url: http://a.example/v1\nmodel: m\napi_key: sk-secret\n", 0o600, nil, "use https"},
		"unknown form":     {"base_url: https://a.example/v1\nmodel: m\nforms: [xml]\n", 0o600, nil, `"xml"`},
		"unknown on error": {"base_url: https://a.example/v1\nmodel: m\non_model_error: ignore\n", 0o600, nil, "on_model_error"},
		"client's model":   {"model: client\n", 0o600, nil, ""},
		"no model":         {"base_url: https://a.example/v1\n", 0o600, nil, "EPAGENT_MODEL"},
		"address in key":   {"base_url: https://a.example/v1?key=sk-secret\nmodel: m\n", 0o600, nil, "would be shown"},
		"nearly this host": {"base_url: http://127.evil.example/v1\nmodel: m\napi_key: sk-secret\n", 0o600, nil, "use https"},
		"embed over http":  {"embed_base_url: http://a.example/v1\nembed_model: m\nembed_api_key: sk-secret\n", 0o600, nil, "use https"},
		"no key over http": {"base_url: http://a.example/v1\nmodel: m\nembed_base_url: https://b.example/v1\nembed_model: e\nembed_api_key: sk-secret\n", 0o600, nil, ""},
		"doubled key":      {"model: m\nmodel: n\n", 0o600, nil, "config.yaml:2: a key is there twice"},
		"key as a key":     {"base_url: https://a.example/v1\nsk-secret: m\n", 0o600, nil, "config.yaml:2: there is no such key"},
		"key alone":        {"sk-secret\n", 0o600, nil, "config.yaml"},
		"too long":         {"# " + strings.Repeat("x", 70_000), 0o600, nil, "another file"},
		"only embeddings":  {"embed_model: e\nembed_base_url: http://localhost:9/v1\n", 0o600, nil, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), prompts.ConfigFile)
			if tt.file != "" {
				if err := os.WriteFile(path, []byte(tt.file), tt.mode); err != nil {
					t.Fatal(err)
				}
			}
			c, err := prompts.LoadConfig(path, env(tt.env))
			if (tt.want == "") != (err == nil) || err != nil && (!errors.Is(err, prompts.ErrConfig) && !errors.Is(err, prompts.ErrHostConfig) || !strings.Contains(err.Error(), tt.want)) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			shown(t, c)
			if strings.Contains(fmt.Sprint(err), "sk-secret") {
				t.Errorf("the key is shown: %v", err)
			}
			if name == "file" && (c.Timeout != 30*time.Second || string(c.APIKey) != "sk-secret" || c.Model != "m") {
				t.Errorf("%+v", c)
			}
			if name == "env over file" && (c.Model != "m" || c.BaseURL != "https://a.example/v1") {
				t.Errorf("%+v", c)
			}
		})
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("base_url: https://a.example/v1\nmodel: m\napi_key: FUZZKEY\n")
	f.Add("a: &a [*a]\n")
	f.Add("forms: {json_schema: 1}\n")
	f.Add("forms: !tag 000")
	f.Fuzz(func(t *testing.T, source string) {
		path := filepath.Join(t.TempDir(), prompts.ConfigFile)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := prompts.LoadConfig(path, env(nil))
		if err != nil && !errors.Is(err, prompts.ErrConfig) && !errors.Is(err, prompts.ErrHostConfig) {
			t.Fatal(err)
		}
		if err == nil && c.APIKey != "" && len(c.APIKey) > 8 && strings.Contains(fmt.Sprintf("%+v", c), string(c.APIKey)) && c.APIKey != "[hidden]" && !strings.Contains(c.Model+c.BaseURL, string(c.APIKey)) {
			t.Fatalf("%+v", c)
		}
	})
}

// shown fails where a configuration or a part of it shows a key in any way of
// printing, logging or encoding it.
func shown(t *testing.T, c prompts.Config) {
	t.Helper()
	var b strings.Builder
	for _, v := range []any{c, &c, []prompts.Config{c}, c.APIKey, &c.APIKey, []prompts.Secret{c.APIKey}, map[string]any{"k": c.EmbedAPIKey}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%U"} {
			fmt.Fprintf(&b, verb, v)
		}
		j, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		y, err := yaml.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(j)
		b.Write(y)
		for _, h := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
			slog.New(h).Info("config", "value", v)
		}
	}
	for _, secret := range []string{"sk-secret", fmt.Sprintf("%x", "sk-secret"), fmt.Sprintf("%X", "sk-secret"), fmt.Sprint([]byte("sk-secret"))} {
		if strings.Contains(b.String(), secret) {
			t.Errorf("the key is shown as %s", secret)
		}
	}
}

// TestKeyBelongsToItsEndpoint: a key of the file stays with the file's endpoint.
func TestKeyBelongsToItsEndpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), prompts.ConfigFile)
	file := "base_url: https://a.example/v1\nmodel: m\napi_key: sk-file\nembed_model: e\nembed_api_key: sk-embed\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		env        map[string]string
		key, embed string
	}{
		"nothing else":     {nil, "sk-file", "sk-embed"},
		"the same host":    {map[string]string{"EPAGENT_BASE_URL": "https://A.example/v2"}, "sk-file", "sk-embed"},
		"another endpoint": {map[string]string{"EPAGENT_BASE_URL": "https://b.example/v1"}, "", ""},
		"with its key":     {map[string]string{"EPAGENT_BASE_URL": "https://b.example/v1", "EPAGENT_API_KEY": "sk-env"}, "sk-env", ""},
		"another port":     {map[string]string{"EPAGENT_BASE_URL": "https://a.example:444/v1"}, "", ""},
	} {
		c, err := prompts.LoadConfig(path, env(tt.env))
		if err != nil || string(c.APIKey) != tt.key || string(c.EmbedAPIKey) != tt.embed {
			t.Errorf("%s: %q, %q, %v", name, string(c.APIKey), string(c.EmbedAPIKey), err)
		}
	}
}
