package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// tool is one tool: what a client reads of it, and what it does. In and Out are
// structs; their tags make the schemas.
type tool[In, Out any] struct {
	name        string
	description string
	hints       hints
	// run does the work. The string is what a person or a model reads beside the
	// structured result. An error goes through the border.
	run func(context.Context, In) (Out, string, error)
}

// hints tell a client what a call may do (MCP, tool annotations). All four are
// always sent: what a client assumes without them differs.
type hints struct {
	readOnly    bool // nothing changes
	destructive bool // something may be lost
	idempotent  bool // the same call again changes nothing more
	openWorld   bool // it reaches beyond the owner's own store
}

// addTool registers t with its schemas, its validation and its border.
func addTool[In, Out any](s *Server, t tool[In, Out]) error {
	input, err := schemaOf[In]()
	if err != nil {
		return fmt.Errorf("tool %s: input schema: %w", t.name, err)
	}
	output, err := schemaOf[Out]()
	if err != nil {
		return fmt.Errorf("tool %s: output schema: %w", t.name, err)
	}
	check, err := newArguments(t.name, input)
	if err != nil {
		return fmt.Errorf("tool %s: %w", t.name, err)
	}
	if input, err = listed(input, listedInput); err != nil {
		return fmt.Errorf("tool %s: %w", t.name, err)
	}
	if output, err = listed(output, listedOutput); err != nil {
		return fmt.Errorf("tool %s: %w", t.name, err)
	}
	// Not by mcp.NewTool: it sets a second input schema, and such a tool can't be
	// written out.
	s.mcp.AddTool(mcp.Tool{
		Name:            t.name,
		Description:     t.description,
		RawInputSchema:  input,
		RawOutputSchema: output,
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint:    &t.hints.readOnly,
			DestructiveHint: &t.hints.destructive,
			IdempotentHint:  &t.hints.idempotent,
			OpenWorldHint:   &t.hints.openWorld,
		},
	}, s.bordered(t.name, func(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		raw, err := check.accept(call)
		if err != nil {
			return nil, err
		}
		var in In
		if err := json.Unmarshal(raw, &in); err != nil {
			return nil, publicf("the arguments can't be read; compare them with the tool's input schema")
		}
		return s.converse(ctx, t.name, raw, call, func(ctx context.Context) (*mcp.CallToolResult, error) {
			out, text, err := t.run(ctx, in)
			if err != nil {
				return nil, err
			}
			// The library answers nothing at all where a result can't be written.
			structured, err := json.Marshal(out)
			if err != nil {
				return nil, fmt.Errorf("write the result: %w", err)
			}
			return mcp.NewToolResultStructured(json.RawMessage(structured), text), nil
		})
	}))
	return nil
}

type handler = func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error)

// bordered wraps a handler so that neither an error nor a panic gets past it: the
// client reads a public text in a tool error, and the log says what kind it was.
func (s *Server) bordered(name string, next handler) handler {
	return func(ctx context.Context, call mcp.CallToolRequest) (result *mcp.CallToolResult, _ error) {
		start := time.Now()
		log := s.log.With(keyTool, name)
		defer func() {
			if p := recover(); p != nil {
				log.ErrorContext(ctx, "a tool panicked", keyKind, fmt.Sprintf("%T", p), keyStack, string(debug.Stack()))
				log.DebugContext(ctx, "the panic", keyDetail, fmt.Sprint(p))
				text, _ := s.border(errPanicked)
				result = toolError(text)
			}
		}()
		result, err := next(ctx, call)
		outcome := "done"
		var lacking *capabilityError
		if errors.As(err, &lacking) {
			return nil, lacking // the border makes a fault of the protocol of it
		}
		if err != nil {
			text, known := s.border(err)
			outcome = "refused"
			if !known {
				outcome = "failed"
				logInternal(ctx, log, err)
			}
			result = toolError(text)
		}
		if s.principal.IsOwner() {
			tellOutcome(ctx, name, outcome)
		}
		log.InfoContext(ctx, "tool call", keyOutcome, outcome, keyTook, time.Since(start))
		return result, nil
	}
}

// errPanicked stands for a panic at the border. It has no public text.
var errPanicked = errors.New("a tool panicked")

// logInternal reports an error that has no public text: what it is made of, and
// only for debugging what it says.
func logInternal(ctx context.Context, log *slog.Logger, err error) {
	log.ErrorContext(ctx, "a tool failed", keyKind, errorKinds(err))
	log.DebugContext(ctx, "the failure", keyDetail, err.Error())
}

func toolError(text string) *mcp.CallToolResult { return mcp.NewToolResultError(text) }
