package prompts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
)

// Bounds of waiting between two requests.
const (
	firstWait = 500 * time.Millisecond
	maxWait   = 30 * time.Second
)

// statusError is what an endpoint answered instead of a reply, without its words.
type statusError struct {
	kind  error
	code  int
	after time.Duration // as the endpoint asked, 0 for nothing
}

func (e *statusError) Error() string { return fmt.Sprintf("%v (status %d)", e.kind, e.code) }
func (e *statusError) Unwrap() error { return e.kind }

// again says whether a failed request is sent again and after how long: doubling
// from half a second, or as long as the endpoint asks, at most half a minute.
func (r *Runner) again(err error, retry int) (time.Duration, bool) {
	if !errors.Is(err, ErrUnavailable) || retry >= r.opts.Retries {
		return 0, false
	}
	wait := firstWait << retry
	var status *statusError
	if errors.As(err, &status) && status.after > 0 {
		wait = status.after
	}
	return min(wait, maxWait), true
}

// sorted makes one of the package's errors of what a client returned. The client's
// own text may quote the request, so it isn't kept.
func sorted(ctx context.Context, err error, seen *exchange) error {
	var api *openai.APIError
	code := seen.status()
	if errors.As(err, &api) && api.HTTPStatusCode != 0 {
		code = api.HTTPStatusCode
	}
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return context.Canceled
	case seen.refused():
		return ErrRefused
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return &statusError{kind: ErrAuth, code: code}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code == http.StatusConflict, code >= 500:
		return &statusError{kind: ErrUnavailable, code: code, after: seen.retryAfter()}
	case code >= 400:
		return &statusError{kind: ErrRejected, code: code}
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: no reply in time", ErrUnavailable)
	case code >= 200 && code < 300 && seen.whole():
		return fmt.Errorf("%w: it holds no message", ErrInvalid)
	default:
		return fmt.Errorf("%w: the connection failed", ErrUnavailable)
	}
}

// exchange is what a transport saw of one request's answer, beside what the client
// makes of it: clients drop the Retry-After header and the refusal of a message.
type exchange struct {
	mu      sync.Mutex
	code    int
	after   time.Duration
	refusal bool
	read    bool
}

type exchangeKey struct{}

func withExchange(ctx context.Context) (context.Context, *exchange) {
	e := &exchange{}
	return context.WithValue(ctx, exchangeKey{}, e), e
}

func (e *exchange) status() int               { e.mu.Lock(); defer e.mu.Unlock(); return e.code }
func (e *exchange) retryAfter() time.Duration { e.mu.Lock(); defer e.mu.Unlock(); return e.after }
func (e *exchange) refused() bool             { e.mu.Lock(); defer e.mu.Unlock(); return e.refusal }
func (e *exchange) whole() bool               { e.mu.Lock(); defer e.mu.Unlock(); return e.read }

// maxReply bounds the bytes of an answer that are held.
const maxReply = 16 << 20

// watching is a transport that notes what clients drop.
type watching struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (w watching) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(request)
	e, _ := request.Context().Value(exchangeKey{}).(*exchange)
	if err != nil || e == nil {
		return response, err
	}
	e.mu.Lock()
	e.code, e.after = response.StatusCode, parseRetryAfter(response.Header, time.Now())
	e.mu.Unlock()
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return response, nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxReply+1))
	_ = response.Body.Close() // read to its end, or failed
	if err == nil && len(body) > maxReply {
		err = errors.New("the answer is too long")
	}
	if err != nil {
		return nil, err
	}
	var reply struct {
		Choices []struct {
			Message struct {
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
	}
	refusal := json.Unmarshal(body, &reply) == nil && len(reply.Choices) > 0 && reply.Choices[0].Message.Refusal != ""
	e.mu.Lock()
	e.refusal, e.read = refusal, true
	e.mu.Unlock()
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// parseRetryAfter reads how long to wait: seconds or a date; 0 for nothing sensible.
func parseRetryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	if t, err := http.ParseTime(text); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}
