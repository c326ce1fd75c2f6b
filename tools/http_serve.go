package tools

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// mostConnections bounds the connections that are open at once.
const mostConnections = 1024

// Serve serves on a listener until ctx is done; with a configuration of TLS, over
// TLS. Then streams end, calls in flight get Limits.Grace to finish what they
// write, and what runs on is cancelled. It returns nil after an orderly end.
func (h *HTTP) Serve(ctx context.Context, ln net.Listener, secure *tls.Config) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: min(h.limits.Read, 10*time.Second),
		ReadTimeout:       h.limits.Read,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    h.limits.Header,
		ErrorLog:          errorLog(h.log),
		TLSConfig:         secure,
	}
	ln = &limitListener{Listener: ln, free: make(chan struct{}, mostConnections)}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go h.watch(watching)
	ended := make(chan error, 1)
	go func() {
		if secure != nil {
			ended <- srv.ServeTLS(ln, "", "")
			return
		}
		ended <- srv.Serve(ln)
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serve http: %w", err)
	case <-ctx.Done():
	}
	return h.shutdown(srv)
}

func (h *HTTP) shutdown(srv *http.Server) error {
	grace, cancel := context.WithTimeout(context.Background(), h.limits.Grace)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- srv.Shutdown(grace) }()
	// A stream may begin while the others are ended.
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		h.callers.endStreams()
		select {
		case err := <-done:
			if errors.Is(err, context.DeadlineExceeded) {
				h.log.Warn("calls did not end and are cancelled")
				h.callers.endAll()
				err = srv.Close()
			}
			return err
		case <-again.C:
		}
	}
}

// limitListener accepts no more connections at once than it has room for.
type limitListener struct {
	net.Listener
	free chan struct{}
}

// Accept waits for room, then for a connection.
func (l *limitListener) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &limitConn{Conn: conn, free: l.free}, nil
}

type limitConn struct {
	net.Conn
	free chan struct{}
	once sync.Once
}

// Close closes the connection and makes room for another.
func (c *limitConn) Close() error {
	c.once.Do(func() { <-c.free })
	return c.Conn.Close()
}
