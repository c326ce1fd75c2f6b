package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// call is one run of a stage.
type call struct {
	r        *Runner
	name     Name
	schema   *Schema
	language string // of the templates
	form     Form   // of the last request
	use      Usage
	began    time.Time
}

// Call runs a stage: it renders the request, asks in the form that the endpoint is
// known to take, reads and validates the reply, and asks again with what was wrong.
// The error wraps one of ErrRefused, ErrTruncated, ErrInvalid, ErrUnavailable,
// ErrAuth, ErrRejected, or the context's; there is no reply then, not a part of one.
// What a call came to is in [Options.Observe] and [Runner.Usage].
func Call[In, Out any](ctx context.Context, r *Runner, stage Stage[In, Out], in Input[In, Out]) (Out, error) {
	var zero Out
	release, err := r.enter(ctx)
	if err != nil {
		return zero, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, r.opts.Total)
	defer cancel()

	c := &call{r: r, name: stage.name, schema: stage.schema, language: templateLanguage(in.Language), began: time.Now()}
	data, err := dataMessage(in.Data)
	if err != nil {
		return zero, stageError(stage.name, err)
	}
	messages := []*schema.Message{
		schema.SystemMessage(systemMessage(stage.name, in.Language, r.opts.Supplements)), schema.UserMessage(data),
	}
	for attempt := 1; ; attempt++ {
		reply, err := c.ask(ctx, messages)
		if err == nil {
			out, raw, wrong := read(stage.schema, reply, in.Check)
			if attempt == 1 {
				r.formed(c.form, raw != nil)
			}
			if wrong == nil {
				c.ended(ctx, attempt, nil)
				return out, nil
			}
			err = fmt.Errorf("%w: %w", ErrInvalid, wrong)
		}
		if !errors.Is(err, ErrInvalid) || attempt == maxAttempts || ctx.Err() != nil {
			err = c.failed(ctx, attempt, err)
			c.ended(ctx, attempt, err)
			return zero, err
		}
		c.count(Usage{Retries: 1})
		messages = append(messages[:2:2], c.correction(reply, err)...)
	}
}

// failed is the error of a call. What is wrong with a reply is told to the model
// alone.
func (c *call) failed(ctx context.Context, attempts int, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case errors.Is(err, ErrInvalid):
		err = fmt.Errorf("%w in %d attempts", ErrInvalid, attempts)
	}
	return stageError(c.name, err)
}

// read makes the output of a reply. Raw is the reply as JSON that fits the schema,
// nil for one that doesn't.
func read[Out any](s *Schema, reply string, check func(Out) error) (out Out, raw []byte, err error) {
	var zero Out
	object := repair(reply)
	if object == nil {
		return zero, nil, errors.New("it has to hold one complete JSON object, and one alone")
	}
	if raw, err = s.validate(object); err != nil {
		return zero, nil, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return zero, nil, errors.New("it doesn't fit the schema")
	}
	if check != nil {
		if err := check(out); err != nil {
			return zero, raw, err
		}
	}
	return out, raw, nil
}

// correction asks for another reply: the wrong one goes back to whoever wrote it, and
// nowhere else, with what is wrong. No marker of the data can be in it. The schema is
// said in words, since an endpoint that doesn't keep to it may not have shown it.
func (c *call) correction(reply string, wrong error) []*schema.Message {
	what := strings.TrimPrefix(wrong.Error(), ErrInvalid.Error()+": ")
	words := fmt.Sprintf(notes[c.language].wrong, oneLine(what))
	if c.form == FormSchema || c.form == FormTool {
		words += "\n" + notes[c.language].shape + "\n" + string(c.schema.JSON)
	}
	echo := clip(reply)
	if echo == "" {
		echo = "(nothing)" // some endpoints want the roles to take turns
	}
	return []*schema.Message{schema.AssistantMessage(echo, nil), schema.UserMessage(words)}
}

// maxEcho bounds what of a wrong reply is sent back.
const maxEcho = 4000

// clip is a wrong reply as it is sent back.
func clip(reply string) string {
	if runes := []rune(reply); len(runes) > maxEcho {
		reply = string(runes[:maxEcho])
	}
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(strings.TrimSpace(reply))
}
