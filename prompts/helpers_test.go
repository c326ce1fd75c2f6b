package prompts_test

import (
	"context"

	"github.com/epagent/epagent/prompts"
)

var contextOf = context.Background()

func run[In, Out any](ctx context.Context, r *prompts.Runner, stage prompts.Stage[In, Out], language string, in In) error {
	_, err := prompts.Call(ctx, r, stage, prompts.Input[In, Out]{Data: in, Language: language})
	return err
}
