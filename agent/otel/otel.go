// Package otel sends the spans of the disclosing graph to an OpenTelemetry
// collector. A span has the name of a node, its duration and whether it failed:
// never a question, a fact, an answer, or a name of anybody.
package otel

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// ErrEndpoint says that an endpoint isn't an http or https URL.
var ErrEndpoint = errors.New("not the URL of a collector")

// Tracer implements agent.Tracer over OTLP by HTTP.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer that sends to a collector, e.g. "http://localhost:4318".
// Nothing is sent before a span has ended, and a collector that isn't there delays
// no answer. Version is that of this program.
func New(ctx context.Context, endpoint, version string) (*Tracer, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("tracing: %w: want http://HOST:4318 or the like", ErrEndpoint)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(u.String()))
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	// The resource says what program this is, and nothing of the machine or its user.
	about := resource.NewSchemaless(attribute.String("service.name", "epagent"), attribute.String("service.version", version))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &Tracer{provider: provider, tracer: provider.Tracer("epagent")}, nil
}

// Start implements agent.Tracer.
func (t *Tracer) Start(ctx context.Context, node string) (context.Context, func(failed bool)) {
	ctx, span := t.tracer.Start(ctx, node)
	return ctx, func(failed bool) {
		if failed {
			span.SetStatus(codes.Error, "failed") // what failed is for the log
		}
		span.End()
	}
}

// Close sends what has not been sent yet.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }
