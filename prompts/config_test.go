package prompts_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
			if (tt.want == "") != (err == nil) || err != nil && (!errors.Is(err, prompts.ErrConfig) || !strings.Contains(err.Error(), tt.want)) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if text := fmt.Sprintf("%v %+v %#v %s %v", c, c, c, c.APIKey, err); strings.Contains(text, "sk-secret") {
				t.Errorf("the key is shown: %s", text)
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
	f.Fuzz(func(t *testing.T, source string) {
		path := filepath.Join(t.TempDir(), prompts.ConfigFile)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := prompts.LoadConfig(path, env(nil))
		if err != nil && !errors.Is(err, prompts.ErrConfig) {
			t.Fatal(err)
		}
		if err == nil && c.APIKey != "" && len(c.APIKey) > 8 && strings.Contains(fmt.Sprintf("%+v", c), string(c.APIKey)) && c.APIKey != "[hidden]" && !strings.Contains(c.Model+c.BaseURL, string(c.APIKey)) {
			t.Fatalf("%+v", c)
		}
	})
}
