package main

import (
	"context"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/tools/oauth"
)

// oauthFile is the file of serve --oauth (docs/server.md).
type oauthFile struct {
	Resource      string   `yaml:"resource"`
	Issuer        string   `yaml:"issuer"`
	Audience      string   `yaml:"audience"`
	Scopes        []string `yaml:"scopes"`
	JWKS          string   `yaml:"jwks_uri"`
	Introspection *struct {
		Endpoint  string `yaml:"endpoint"`
		ClientID  string `yaml:"client_id"`
		SecretEnv string `yaml:"client_secret_env"`
	} `yaml:"introspection"`
	Subjects []struct {
		Claim         string   `yaml:"claim"`
		Value         string   `yaml:"value"`
		Owner         bool     `yaml:"owner"`
		To            []string `yaml:"to"`
		Purpose       string   `yaml:"purpose"`
		Cap           int      `yaml:"cap"`
		KeepWhitelist bool     `yaml:"keep_whitelist"`
	} `yaml:"subjects"`
}

// readOAuth reads the file. Names in it must be in the policy, as those of a token.
func readOAuth(ctx context.Context, a *agent.Agent, path string) (*oauth.Resource, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the settings of OAuth: %w", err)
	}
	var file oauthFile
	if err := yaml.UnmarshalWithOptions(source, &file, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	o := oauth.Options{URL: file.Resource, Issuer: file.Issuer, Audience: file.Audience, Scopes: file.Scopes, KeysURL: file.JWKS}
	if in := file.Introspection; in != nil {
		o.Introspection = &oauth.Introspection{URL: in.Endpoint, ClientID: in.ClientID}
		if in.SecretEnv != "" {
			if o.Introspection.Secret = os.Getenv(in.SecretEnv); o.Introspection.Secret == "" {
				return nil, fmt.Errorf("%s: client_secret_env: the variable %s is not set", path, in.SecretEnv)
			}
		}
	}
	for i, s := range file.Subjects {
		where := fmt.Sprintf("%s: subjects[%d]", path, i)
		bound := boundFlags{to: s.To, cap: s.Cap, keep: s.KeepWhitelist}
		if err := bound.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		if s.Owner == (len(s.To) > 0) {
			return nil, fmt.Errorf("%s: say whom %q stands for: owner: true, or to: [NAME]", where, s.Value)
		}
		b := agent.Binding{Owner: s.Owner, Purpose: s.Purpose, Cap: privacy.Tier(s.Cap), KeepWhitelist: s.KeepWhitelist}
		if len(s.To) > 0 {
			if b.People, err = a.Bind(ctx, s.To, true); err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
		}
		o.Subjects = append(o.Subjects, oauth.Subject{Claim: s.Claim, Value: s.Value, Binding: b})
	}
	resource, err := oauth.New(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return resource, nil
}
