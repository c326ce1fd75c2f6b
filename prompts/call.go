package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cloudwego/eino/schema"
)

// Input is one run of a stage.
type Input[In, Out any] struct {
	Data     In
	Language string // of the texts, a BCP 47 tag; the reply is in it. "" leaves it to the model
	// Check holds the reply against what the caller knows: ids that exist, passages
	// that occur. Its error is sent back to the model, so it names ids and fields; nil
	// accepts whatever the schema does.
	Check func(Out) error
}

// maxAttempts is how often a model is asked for a valid reply.
const maxAttempts = 3

// Call runs a stage: it renders the request, asks in the form that the endpoint is
// known to take, reads and validates the reply, and asks again with what was wrong.
// The error wraps one of ErrRefused, ErrTruncated, ErrInvalid, ErrUnavailable,
// ErrAuth, ErrRejected, or the context's; there is no reply then, not a part of one.
func Call[In, Out any](ctx context.Context, r *Runner, stage Stage[In, Out], in Input[In, Out]) (Out, error) {
	var zero Out
	release, err := r.enter(ctx)
	if err != nil {
		return zero, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, r.opts.Total)
	defer cancel()

	data, err := dataMessage(in.Data)
	if err != nil {
		return zero, stageError(stage.name, err)
	}
	system := systemMessage(stage.name, in.Language, r.opts.Supplements)
	messages := []*schema.Message{schema.SystemMessage(system), schema.UserMessage(data)}
	began := time.Now()
	for attempt := 1; ; attempt++ {
		reply, err := r.ask(ctx, stage.name, stage.schema, messages)
		var wrong error
		if err == nil {
			var out Out
			if out, wrong = read(stage.schema, reply, in.Check); wrong == nil {
				r.traced(ctx, stage.name, attempt, time.Since(began), nil)
				return out, nil
			}
			err = fmt.Errorf("%w in %d attempts", ErrInvalid, attempt)
		}
		if wrong == nil || attempt == maxAttempts || ctx.Err() != nil {
			if wrong != nil && ctx.Err() != nil {
				err = ctx.Err()
			}
			err = stageError(stage.name, err)
			r.traced(ctx, stage.name, attempt, time.Since(began), err)
			return zero, err
		}
		r.counts.retried(stage.name)
		// The wrong reply and what is wrong with it go back to whoever wrote it, and
		// nowhere else. What was said before them stays as it was.
		messages = append(messages[:2:2], schema.AssistantMessage(clip(reply), nil), schema.UserMessage(correction(in.Language, wrong)))
	}
}

// read makes the output of a reply.
func read[Out any](s *Schema, reply string, check func(Out) error) (Out, error) {
	var out Out
	raw := repair(reply)
	if raw == nil {
		return out, errors.New("the reply has no complete JSON object")
	}
	if err := s.validate(raw); err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, errors.New("the reply doesn't fit the schema")
	}
	if check != nil {
		if err := check(out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// correction asks for another reply.
func correction(language string, wrong error) string {
	format := "That reply can't be used: %s. Reply again with one JSON object that fits the schema, and nothing else."
	if templateLanguage(language) == "zh" {
		format = "这个回复不能使用：%s。请重新回复一个符合模式的 JSON 对象，不要有其他内容。"
	}
	return fmt.Sprintf(format, oneLine(wrong.Error()))
}

// maxEcho bounds what of a wrong reply is sent back.
const maxEcho = 4000

func clip(reply string) string {
	if runes := []rune(reply); len(runes) > maxEcho {
		return string(runes[:maxEcho])
	}
	return reply
}
