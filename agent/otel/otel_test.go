package otel_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/agent/otel"
)

var _ agent.Tracer = (*otel.Tracer)(nil)

// TestSpans: a collector gets the names of the nodes of a request, and nothing of
// what was asked, who asked or what was told.
func TestSpans(t *testing.T) {
	var mu sync.Mutex
	var got bytes.Buffer
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			zipped, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = zipped
		}
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path != "/v1/traces" {
			t.Errorf("sent to %s", r.URL.Path)
		}
		_, _ = io.Copy(&got, body)
	}))
	defer collector.Close()
	tracer, err := otel.New(t.Context(), collector.URL, "test")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	policy := "version: 1\nowner: {name: Ines, language: en}\npeople: [{name: Zacharias, groups: []}]\n"
	if _, err := agent.WritePolicy(home, []byte(policy)); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), home, agent.Options{Tracers: []agent.Tracer{tracer}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "The zorbulator is in the shed."}); err != nil {
		t.Fatal(err)
	}
	to, err := a.Readers(t.Context(), []string{"Zacharias"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: "Where is the zorbulator?", To: to}); err != nil {
		t.Fatal(err)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, node := range []string{"disclose", "identify", "recall", "query_units", "corefer", "judge", "project", "respond", "guard", "record"} {
		if !bytes.Contains(got.Bytes(), []byte(node)) {
			t.Errorf("no span of %s", node)
		}
	}
	for _, secret := range []string{"zorbulator", "zacharias", "ines", "shed"} {
		if strings.Contains(strings.ToLower(got.String()), secret) {
			t.Errorf("%q was sent", secret)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for _, endpoint := range []string{"", "localhost:4318", "file:///x", "http://", "::"} {
		if _, err := otel.New(t.Context(), endpoint, "test"); !errors.Is(err, otel.ErrEndpoint) {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}
