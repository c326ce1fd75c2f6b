package fakeserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Service is whose shape a reply has.
type Service string

// The services whose shapes are kept. They differ in what stands beside a message.
const (
	OpenAI   Service = "openai"
	DeepSeek Service = "deepseek"
	Ollama   Service = "ollama"
	VLLM     Service = "vllm"
	LMStudio Service = "lmstudio"
	LlamaCpp Service = "llamacpp"
)

// Services lists them.
func Services() []Service { return []Service{OpenAI, DeepSeek, Ollama, VLLM, LMStudio, LlamaCpp} }

// Chat is a reply with content in the shape of a service.
func Chat(service Service, content string) Response {
	return message(service, map[string]any{"role": "assistant", "content": content}, "stop")
}

// Finish is a reply that ended for another reason: "length", "content_filter".
func Finish(reason, content string) Response {
	return message(OpenAI, map[string]any{"role": "assistant", "content": content}, reason)
}

// Refusal is how OpenAI declines under structured output.
func Refusal() Response {
	return message(OpenAI, map[string]any{"role": "assistant", "content": nil, "refusal": "I'm sorry, I can't help with that."}, "stop")
}

// ToolCall is a reply as a call of the tool.
func ToolCall(name, arguments string) Response {
	return message(OpenAI, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
		"id": "call_1", "type": "function", "function": map[string]any{"name": name, "arguments": arguments},
	}}}, "tool_calls")
}

func message(service Service, m map[string]any, finish string) Response {
	choice := map[string]any{"index": 0, "message": m, "finish_reason": finish}
	reply := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1790000000, "model": "m", "choices": []any{choice},
		"usage": map[string]any{"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
	}
	switch service {
	case OpenAI:
		choice["logprobs"] = nil
		reply["system_fingerprint"] = "fp_1"
		if _, has := m["refusal"]; !has {
			m["refusal"] = nil
		}
	case DeepSeek:
		m["reasoning_content"] = "First I look at the data."
		reply["usage"] = map[string]any{
			"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150,
			"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 56,
		}
	case Ollama:
		reply["system_fingerprint"] = "fp_ollama"
	case VLLM:
		m["tool_calls"], m["reasoning_content"] = []any{}, nil
		choice["stop_reason"] = nil
		reply["prompt_logprobs"] = nil
		if finish == "tool_calls" {
			delete(m, "reasoning_content")
		}
	case LMStudio:
		reply["stats"] = map[string]any{}
		reply["usage"] = map[string]any{"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}
	case LlamaCpp:
		delete(reply, "usage")
		reply["timings"] = map[string]any{"predicted_n": 30, "prompt_n": 120}
	}
	return Response{Body: encode(reply)}
}

// NoChoices is a reply without any.
func NoChoices() Response {
	return Response{Body: encode(map[string]any{"id": "x", "object": "chat.completion", "choices": []any{}})}
}

// Error is an error in the shape of OpenAI's.
func Error(status int, code, text string) Response {
	return Response{Status: status, Body: encode(map[string]any{"error": map[string]any{
		"message": text, "type": "invalid_request_error", "param": nil, "code": code,
	}})}
}

// TooMany is a 429; after is its Retry-After, "" for none.
func TooMany(after string) Response {
	r := Error(http.StatusTooManyRequests, "rate_limit_exceeded", "Rate limit reached.")
	if after != "" {
		r.Header = map[string]string{"Retry-After": after}
	}
	return r
}

// NoFormat is how an endpoint refuses response_format.
func NoFormat() Response {
	return Error(http.StatusBadRequest, "invalid_value", "This response_format type is unavailable now")
}

// Vectors is a reply with embeddings, in the order of the given indexes.
func Vectors(vectors [][]float32, order ...int) Response {
	var data []any
	for i := range vectors {
		at := i
		if i < len(order) {
			at = order[i]
		}
		data = append(data, map[string]any{"object": "embedding", "index": at, "embedding": vectors[at]})
	}
	return Response{Body: encode(map[string]any{"object": "list", "data": data, "model": "e", "usage": map[string]any{"prompt_tokens": 8, "total_tokens": 8}})}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode a reply: %v", err)) // maps of plain values always encode
	}
	return string(b)
}

// Stream is a streamed reply, a chunk a piece.
func Stream(pieces ...string) Response {
	var b strings.Builder
	chunk := func(delta map[string]any, finish any) {
		b.WriteString("data: " + encode(map[string]any{"id": "c", "object": "chat.completion.chunk", "model": "m",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}}) + "\n\n")
	}
	for i, piece := range pieces {
		delta := map[string]any{"content": piece}
		if i == 0 {
			delta["role"] = "assistant"
		}
		chunk(delta, nil)
	}
	chunk(map[string]any{}, "stop")
	b.WriteString("data: [DONE]\n\n")
	return Response{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: b.String()}
}
