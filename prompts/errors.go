package prompts

import (
	"context"
	"errors"
	"fmt"
)

// What can become of a call. The errors name the stage and what to do; none holds a
// word of a prompt or a reply.
var (
	// ErrRefused: the model declined to reply, or a content filter stopped it.
	ErrRefused = errors.New("the model refused to reply")
	// ErrTruncated: the reply ended at the length limit.
	ErrTruncated = errors.New("the reply was cut off at its length limit; raise max_tokens or lower the budget")
	// ErrInvalid: no reply within the attempts was valid.
	ErrInvalid = errors.New("the model gave no valid reply")
	// ErrUnavailable: the endpoint can't be reached, is overloaded or failed.
	ErrUnavailable = errors.New("the model's endpoint is not available")
	// ErrAuth: the endpoint didn't accept the key.
	ErrAuth = errors.New("the endpoint refused the key; set EPAGENT_API_KEY or api_key in config.yaml")
	// ErrRejected: the endpoint didn't accept the request in any form: a wrong model
	// name or address, or a prompt longer than its context.
	ErrRejected = errors.New("the endpoint rejected the request; look at the model's name, the address and the context size with `epagent doctor`")
	// ErrConfig: the configuration of the model can't be used.
	ErrConfig = errors.New("the model's configuration can't be used")
	// ErrHostConfig: what the configuration says of the native host can't be used.
	ErrHostConfig = errors.New("the configuration can't be used")
)

// stageError says which stage a call was for.
func stageError(name Name, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("stage %s: %w", name, err)
}
