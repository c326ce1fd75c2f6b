package fakeserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/epagent/epagent/prompts"
)

// Server is a running server.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	requests []Request
	answer   func(Request) Response
}

// Request is one request as it came in.
type Request struct {
	Path   string
	Key    string // of the Authorization header
	Body   []byte
	Model  string
	System string // the first system message
	User   string // the first user message
	Format string // type of response_format, "" without
	Tools  int
	Stream bool
	Input  []string // texts of an embeddings request

	Stage prompts.Name // by the fixed part
	Data  string       // what the stage works on
	N     int          // which request it is, from 0
}

// Response is what the server does with a request.
type Response struct {
	Status int // 0: 200
	Header map[string]string
	Body   string
	// Drop closes the connection after the bytes of Body, which promise more.
	Drop bool
	// Hang waits until the client goes away.
	Hang bool
	// Slow sends the events of a stream one by one and hangs behind the first.
	Slow bool
}

// New starts a server that answers by a function. The caller closes it.
func New(answer func(Request) Response) *Server {
	s := &Server{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Sequence answers the requests one after the other, and with the last for ever.
func Sequence(list ...Response) func(Request) Response {
	return func(r Request) Response { return list[min(r.N, len(list)-1)] }
}

// Base is the address for a configuration: up to and with "/v1".
func (s *Server) Base() string { return s.URL + "/v1" }

// Requests returns what came in so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	request := parse(r, sent)
	s.mu.Lock()
	request.N = len(s.requests)
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	response := s.answer(request)
	if response.Hang {
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "application/json")
	for k, v := range response.Header {
		w.Header().Set(k, v)
	}
	if response.Drop {
		w.Header().Set("Content-Length", "1000000")
	}
	if response.Status != 0 {
		w.WriteHeader(response.Status)
	}
	body := response.Body
	if response.Slow {
		event, _, _ := strings.Cut(body, "\n\n")
		_, _ = io.WriteString(w, event+"\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		return
	}
	_, _ = io.WriteString(w, body) // the client may be gone
	if response.Drop {
		panic(http.ErrAbortHandler) // what closes a connection in the middle
	}
}

func parse(r *http.Request, body []byte) Request {
	var in struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
		Format struct {
			Type string `json:"type"`
		} `json:"response_format"`
		Tools  []json.RawMessage `json:"tools"`
		Stream bool              `json:"stream"`
		Input  []string          `json:"input"`
	}
	_ = json.Unmarshal(body, &in) // what isn't there stays empty
	out := Request{
		Path: r.URL.Path, Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), Body: body,
		Model: in.Model, Format: in.Format.Type, Tools: len(in.Tools), Stream: in.Stream, Input: in.Input,
	}
	for _, m := range in.Messages {
		switch {
		case m.Role == "system" && out.System == "":
			out.System = m.Content
		case m.Role == "user" && out.User == "":
			out.User = m.Content
		}
	}
	out.Stage, out.Data = prompts.Request(out.System, out.User)
	return out
}
