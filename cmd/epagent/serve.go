package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/tools"
)

// serveFlags are the settings of the HTTP server.
type serveFlags struct {
	listen    string
	cert, key string
	plain     bool
	hosts     []string
	origins   []string
	oauth     string
	rate      float64
}

func (c *cli) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve over MCP on HTTP, for the bearers of tokens",
		Long: `Serve MCP over streamable HTTP at /mcp. Everybody needs a token (epagent token create),
which says who speaks; you and other people may be served at once.

It listens on this machine alone. To be reached from elsewhere it needs --listen with
another address, and a certificate, or --insecure-plain-http where something before it
(a proxy, a tunnel) sees to secrecy. --host names what it is then called: a request for
any other name is refused.

With --oauth assistants may come in by tokens of an authorization server of yours.
docs/server.md shows the whole.`,
		Example: `  epagent serve
  epagent serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --host memory.example.org
  epagent serve --oauth oauth.yaml --host memory.example.org`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.json {
				return usagef("serve speaks over HTTP; --json has no meaning here")
			}
			c.serving = true
			return c.with(cmd.Context(), func(a *agent.Agent) error { return c.serve(cmd.Context(), a, f) })
		},
	}
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8390", "address and port; port 0 is any free one")
	cmd.Flags().StringVar(&f.cert, "tls-cert", "", "file of the certificate (PEM)")
	cmd.Flags().StringVar(&f.key, "tls-key", "", "file of its key (PEM)")
	cmd.Flags().BoolVar(&f.plain, "insecure-plain-http", false, "listen on other addresses than this machine's own without TLS")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "name by which it is reached (repeat for several)")
	cmd.Flags().StringArrayVar(&f.origins, "allow-origin", nil, "web page whose scripts may ask, as in https://app.example.org (repeat for several)")
	cmd.Flags().StringVar(&f.oauth, "oauth", "", "file that says which authorization server's tokens open what")
	cmd.Flags().Float64Var(&f.rate, "rate", 0, "requests a second of one token (default: 500)")
	return cmd
}

func (c *cli) serve(ctx context.Context, a *agent.Agent, f serveFlags) error {
	if (f.cert == "") != (f.key == "") {
		return usagef("--tls-cert and --tls-key go together")
	}
	if f.rate < 0 {
		return usagef("--rate %v: want a number above 0", f.rate)
	}
	for _, origin := range f.origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			return usagef("--allow-origin %q: want a scheme and a host, as in https://app.example.org", origin)
		}
	}
	o := tools.HTTPOptions{
		Version: version, Logger: c.accessLogger(), Tokens: a, Hosts: f.hosts, Origins: f.origins,
		Limits: tools.Limits{Rate: f.rate, Burst: int(2 * f.rate)}, Supplements: evolve.Approvals{Agent: a},
	}
	if f.oauth != "" {
		resource, err := readOAuth(ctx, a, f.oauth)
		if err != nil {
			return err
		}
		o.OAuth = resource
		o.Hosts = append(o.Hosts, resource.Host())
	}
	secure, err := certificate(f)
	if err != nil {
		return err
	}
	if secure != nil {
		o.Hosts = append(o.Hosts, secure.Certificates[0].Leaf.DNSNames...)
	}
	server, err := tools.NewHTTP(a, o)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("listen: %w; give another address by --listen", err)
	}
	if secure == nil && !f.plain && !loopback(ln.Addr()) {
		return errors.Join(usagef("%s is reached from other machines: give --tls-cert and --tls-key, or say --insecure-plain-http", f.listen), ln.Close())
	}
	scheme := "http"
	if secure != nil {
		scheme = "https"
	}
	c.say("serving %s://%s%s", scheme, ln.Addr(), tools.PathMCP)
	c.warnTokens(ctx, a)
	return server.Serve(ctx, ln, secure)
}

// warnTokens says so if nobody can come in.
func (c *cli) warnTokens(ctx context.Context, a *agent.Agent) {
	tokens, err := a.Tokens(ctx)
	if err != nil {
		return // the first request says what is wrong
	}
	for _, t := range tokens {
		if t.State == agent.TokenActive {
			return
		}
	}
	c.say("there is no token yet; `epagent token create` makes one")
}

// accessLogger logs requests to stderr, without content; with --debug everything.
func (c *cli) accessLogger() *slog.Logger {
	level := slog.LevelInfo
	if c.debug {
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(c.err, &tint.Options{Level: level, NoColor: !colour(c.err)}))
}

func certificate(f serveFlags) (*tls.Config, error) {
	if f.cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
}

// loopback reports whether an address is reached from this machine alone.
func loopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
