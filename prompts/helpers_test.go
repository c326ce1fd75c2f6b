package prompts_test

import (
	"context"
	"strings"

	"github.com/epagent/epagent/prompts"
)

var contextOf = context.Background()

func run[In, Out any](ctx context.Context, r *prompts.Runner, stage prompts.Stage[In, Out], language string, in In) error {
	_, err := prompts.Call(ctx, r, stage, prompts.Input[In, Out]{Data: in, Language: language})
	return err
}

func containsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
