package agent_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
)

type samplerFunc func(context.Context, agent.SampleRequest) (agent.SampleReply, error)

func (f samplerFunc) Sample(ctx context.Context, r agent.SampleRequest) (agent.SampleReply, error) {
	return f(ctx, r)
}

func TestSamplerModel(t *testing.T) {
	var got agent.SampleRequest
	reply, failure := agent.SampleReply{Text: "fine"}, error(nil)
	m := agent.SamplerModel(samplerFunc(func(_ context.Context, r agent.SampleRequest) (agent.SampleReply, error) {
		got = r
		return reply, failure
	}))
	input := []*schema.Message{schema.SystemMessage("rules"), schema.UserMessage("one"), schema.AssistantMessage("two", nil), schema.UserMessage("three")}
	out, err := m.Generate(t.Context(), input, model.WithMaxTokens(50), model.WithTemperature(0.5))
	if err != nil || out.Content != "fine" || out.ResponseMeta.FinishReason != "stop" {
		t.Fatalf("%+v, %v", out, err)
	}
	want := agent.SampleRequest{System: "rules", MaxTokens: 50, Temperature: 0.5, Messages: []agent.SampleMessage{{Text: "one"}, {Assistant: true, Text: "two"}, {Text: "three"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	stream, err := m.Stream(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	piece, err := stream.Recv()
	if _, end := stream.Recv(); err != nil || piece.Content != "fine" || !errors.Is(end, io.EOF) {
		t.Errorf("stream %+v, %v, %v", piece, err, end)
	}
	reply.Truncated = true
	if out, err = m.Generate(t.Context(), input); err != nil || out.ResponseMeta.FinishReason != "length" {
		t.Errorf("truncated: %+v, %v", out, err)
	}
	reply = agent.SampleReply{}
	if _, err = m.Generate(t.Context(), input); !errors.Is(err, agent.ErrSample) {
		t.Errorf("empty: %v", err)
	}
	failure = errDown
	if _, err = m.Stream(t.Context(), input); !errors.Is(err, errDown) {
		t.Errorf("failed: %v", err)
	}
	if _, err = m.Generate(t.Context(), []*schema.Message{schema.ToolMessage("x", "y")}); err == nil {
		t.Error("a tool's message was sent")
	}
}
