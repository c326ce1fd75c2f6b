package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestInterruptAtPrompt: an interrupt ends the waiting for an answer, is no answer,
// and the exit code says so.
func TestInterruptAtPrompt(t *testing.T) {
	in, typing := io.Pipe() // nobody types
	t.Cleanup(func() { _ = typing.Close() })
	ctx, interrupt := context.WithCancel(t.Context())
	var out bytes.Buffer
	c := newCLI(ctx, in, &out, &out)
	interrupt()
	if c.answer("Agree?") {
		t.Error("an interrupt was taken for a yes")
	}
	if code := c.exit(ctx, errors.New("the change was not agreed to")); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(out.String(), "agreed") {
		t.Errorf("said besides: %q", out.String())
	}
	_, err := c.prompt("Your name", "Me")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("prompt: %v", err)
	}
}

// TestAnswer: yes is yes in whatever pieces it comes; everything else is no.
func TestAnswer(t *testing.T) {
	for text, want := range map[string]bool{"y\n": true, "YES\r\n": true, "是\n": true, "ja": true, "n\n": false, "\n": false, "": false, "yesterday\n": false} {
		c := newCLI(t.Context(), iotest.OneByteReader(strings.NewReader(text)), io.Discard, io.Discard)
		if got := c.answer("Agree?"); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if code := c.exit(t.Context(), nil); code != exitDone {
			t.Errorf("%q: exit code %d", text, code)
		}
	}
}
