package prompts

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
	final bool          // the same again, in whatever form, will not do
}

func (e *statusError) Error() string { return fmt.Sprintf("%v (status %d)", e.kind, e.code) }
func (e *statusError) Unwrap() error { return e.kind }

// again says whether a failed request is sent again and after how long: doubling
// from half a second, or as long as the endpoint asks, at most half a minute.
func (r *Runner) again(err error, retry int) (time.Duration, bool) {
	var status *statusError
	answered := errors.As(err, &status)
	if errors.Is(err, context.DeadlineExceeded) && retry > 0 {
		return 0, false // what hangs twice hangs: the whole wait would be minutes
	}
	if !errors.Is(err, ErrUnavailable) || retry >= r.opts.Retries || answered && status.final {
		return 0, false
	}
	wait := firstWait << min(retry, 8)
	if answered && status.after > 0 {
		wait = status.after
	}
	return min(wait, maxWait), true
}

// pause waits before a request is sent again, unless the time of the call would be
// over by then. It reports whether to go on.
func (r *Runner) pause(ctx context.Context, wait time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
		return false
	}
	return r.opts.Sleep(ctx, wait) == nil
}

// unsupported reports whether an endpoint may take the same request in another form.
func unsupported(err error) bool {
	var status *statusError
	if !errors.As(err, &status) || status.final {
		return false
	}
	switch status.code {
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}

// sorted makes one of the package's errors of what a client returned. The client's
// own text may quote the request, so it isn't kept.
func sorted(ctx context.Context, err error, seen *exchange) error {
	var api *openai.APIError
	code, final := seen.status(), seen.final()
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
	case code == http.StatusNotImplemented:
		return &statusError{kind: ErrRejected, code: code}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code == http.StatusConflict, code >= 500:
		return &statusError{kind: ErrUnavailable, code: code, after: seen.retryAfter(), final: final}
	case code >= 300:
		return &statusError{kind: ErrRejected, code: code, final: final}
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: no reply in time: %w", ErrUnavailable, context.DeadlineExceeded)
	case code >= 200 && seen.whole():
		return fmt.Errorf("%w: it holds no message", ErrInvalid)
	default:
		return fmt.Errorf("%w: %s", ErrUnavailable, unreachable(err))
	}
}

// ErrNotLent says that the model of a connected client was to be used, and the client
// lends none.
var ErrNotLent = errors.New("the client lends no model")

// unreachable says in fixed words why there was no answer.
func unreachable(err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrNotLent):
		return ErrNotLent.Error()
	case errors.As(err, &name):
		return "its name isn't known"
	case errors.As(err, &certificate):
		return "its certificate isn't trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at its address"
	}
	return "the connection failed"
}

// exchange is what a transport saw of one request's answer, beside what the client
// makes of it: clients drop the Retry-After header and the refusal of a message.
type exchange struct {
	mu      sync.Mutex
	code    int
	after   time.Duration
	refusal bool
	read    bool
	cause   string // the type and code of an error, as the endpoint names them
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

// finalCauses are the names of errors that neither waiting nor another form mends.
var finalCauses = []string{"context_length", "context_size", "insufficient_quota"}

func (e *exchange) final() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(finalCauses, func(name string) bool { return strings.Contains(e.cause, name) })
}

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
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
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
	status, cause := causeOf(body)
	e.mu.Lock()
	e.refusal, e.read, e.cause = refusal, true, cause
	if e.code == http.StatusOK && status >= 300 {
		e.code = status // an error that came as a reply
	}
	e.mu.Unlock()
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// causeOf reads what an endpoint names as the cause of an error: its status where it
// stands in the body too, and its type and code. Services differ in the shape.
func causeOf(body []byte) (status int, cause string) {
	var reply struct {
		Error struct {
			Type string `json:"type"`
			Code any    `json:"code"` // a number or a word
		} `json:"error"`
	}
	if json.Unmarshal(body, &reply) != nil {
		return 0, ""
	}
	if n, ok := reply.Error.Code.(float64); ok && n >= 300 && n < 600 {
		status = int(n)
	}
	return status, fmt.Sprintf("%s %v", reply.Error.Type, reply.Error.Code)
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
