package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// How long the client has for an answer: a person for a consent, its model for a
// completion, its program for the rest.
const (
	consentWait = 5 * time.Minute
	sampleWait  = 2 * time.Minute
	rootsWait   = 20 * time.Second
)

// errNotAsked says that the client was not asked: it never said that it can be, it
// gave no answer, or the connection isn't the owner's.
var errNotAsked = errors.New("the client can't be asked")

// capabilities are what the client said of itself: for this request, or when the
// session began. The library sends requests to clients that never said they take
// them, so that every question looks here first.
func capabilities(ctx context.Context) mcp.ClientCapabilities {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		if info.ClientCapabilities == nil {
			return mcp.ClientCapabilities{}
		}
		return *info.ClientCapabilities
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		return session.GetClientCapabilities()
	}
	return mcp.ClientCapabilities{}
}

// takes reports whether the client takes a question of this kind. Only the owner's
// client is asked anything: another's model is another's.
func (s *Server) takes(ctx context.Context, method mcp.MCPMethod) bool {
	who, err := s.speaker(ctx)
	if err != nil || !who.IsOwner() {
		return false
	}
	can := capabilities(ctx)
	switch method {
	case mcp.MethodElicitationCreate:
		// Without a mode a client takes forms.
		return can.Elicitation != nil && (can.Elicitation.Form != nil || can.Elicitation.URL == nil)
	case mcp.MethodSamplingCreateMessage:
		return can.Sampling != nil
	case mcp.MethodListRoots:
		return can.Roots != nil
	}
	return false
}

// ask puts a question to the client, in its era's way. Without an answer in time the
// error is errNotAsked, unless the call itself ended.
func (s *Server) ask(ctx context.Context, request mcp.InputRequest, wait time.Duration) (*mcp.InputResponse, error) {
	if !s.takes(ctx, request.Method) {
		return nil, fmt.Errorf("%s: %w", request.Method, errNotAsked)
	}
	asking, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	answer, err := s.put(asking, request)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || answer == nil:
		return nil, fmt.Errorf("%s: no answer: %w", request.Method, errNotAsked)
	}
	return answer, nil
}

func (s *Server) put(ctx context.Context, request mcp.InputRequest) (*mcp.InputResponse, error) {
	if t := talkOf(ctx); t != nil {
		if s.talks.full() {
			return nil, errTooMany
		}
		return t.put(ctx, request)
	}
	var answer mcp.InputResponse
	var err error
	switch request.Method {
	case mcp.MethodElicitationCreate:
		answer.Elicitation, err = s.mcp.RequestElicitation(ctx, mcp.ElicitationRequest{
			Request: mcp.Request{Method: string(request.Method)}, Params: *request.Elicitation,
		})
	case mcp.MethodSamplingCreateMessage:
		//lint:ignore SA1019 clients of the handshake era lend their models by it
		answer.Sampling, err = s.mcp.RequestSampling(ctx, mcp.CreateMessageRequest{
			Request: mcp.Request{Method: string(request.Method)}, CreateMessageParams: *request.Sampling,
		})
	case mcp.MethodListRoots:
		answer.Roots, err = s.mcp.RequestRoots(ctx, mcp.ListRootsRequest{Request: mcp.Request{Method: string(request.Method)}})
	default:
		err = errNotAsked
	}
	return &answer, err
}
