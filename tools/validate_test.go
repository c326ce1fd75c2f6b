package tools_test

import (
	"context"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
)

// Wrong arguments give a tool error that names the argument, and no verb is called.
func TestArgumentsAreStrict(t *testing.T) {
	p := dial(t, &fakeVerbs{})
	long := strings.Repeat("x", 300)
	many := toJSON(make([]string, 51))
	cases := []struct {
		name, tool, arguments string
		want                  []string
	}{
		{"no arguments", "remember", "", []string{`"text" is missing`}},
		{"null arguments", "recall", "null", []string{`"query" is missing`}},
		{"empty object", "disclose", "{}", []string{`"question" is missing`, `"to" is missing`}},
		{"neither", "partition", "", []string{`"topic"`, `"facts"`}},
		{"both", "partition", `{"topic":"a","facts":["f1"]}`, []string{`"topic"`, `"facts"`}},
		{"an array for the arguments", "recall", `["a"]`, []string{"arguments: want an object, got an array"}},
		{"a string for the arguments", "recall", `"a"`, []string{"arguments: want an object, got a string"}},
		{"number as string", "recall", `{"query":"a","limit":"10"}`, []string{`"limit": want an integer, got a string`}},
		{"string as number", "remember", `{"text":7}`, []string{`"text": want a string, got a number`}},
		{"fraction", "recall", `{"query":"a","limit":1.5}`, []string{`"limit": want an integer, got a number`}},
		{"limit too high", "recall", `{"query":"a","limit":51}`, []string{`"limit": want a number of at most 50`}},
		{"limit zero", "recall", `{"query":"a","limit":0}`, []string{`"limit": want a number of at least 1`}},
		{"huge number", "recall", `{"query":"a","limit":1e300}`, []string{`"limit": want a number of at most 50`}},
		{"unknown key", "recall", `{"query":"a","level":4}`, []string{`"level" is unknown`, "as, limit, query"}},
		{"key in another case", "recall", `{"Query":"a"}`, []string{`"Query" is unknown`, `"query" is missing`}},
		{"long unknown key", "recall", `{"query":"a","` + long + `":1}`, []string{"is unknown"}},
		{"array for a string", "disclose", `{"question":["a"],"to":["Bo"]}`, []string{`"question": want a string, got an array`}},
		{"string for an array", "disclose", `{"question":"a","to":"Bo"}`, []string{`"to": want an array, got a string`}},
		{"null for an array", "recall", `{"query":"a","as":null}`, []string{`"as": want an array, got null`}},
		{"nobody to tell", "disclose", `{"question":"a","to":[]}`, []string{`"to": must not be an empty list`}},
		{"as nobody is not the owner", "recall", `{"query":"a","as":[]}`, []string{`"as": must not be an empty list`}},
		{"too many", "disclose", `{"question":"a","to":` + many + `}`, []string{`"to": want at most 50 items, got 51`}},
		{"number in a list", "disclose", `{"question":"a","to":["Bo",7]}`, []string{`"to", item 2: want a string, got a number`}},
		{"string for a boolean", "disclose", `{"question":"a","to":["Bo"],"preview":"false"}`, []string{`"preview": want a boolean, got a string`}},
		{"empty text", "remember", `{"text":""}`, []string{`"text": must not be empty`}},
		{"NUL in a text", "remember", `{"text":"a\u0000b"}`, []string{`"text": holds a NUL`}},
		{"NUL in a name", "disclose", `{"question":"a","to":["Bo\u0000"]}`, []string{`"to", item 1: holds a NUL`}},
		{"time without a zone", "remember", `{"text":"a","time":"2026-03-01T09:30:00"}`, []string{`"time"`, "RFC 3339"}},
		{"two faults", "remember", `{"speaker":1,"zeal":2}`, []string{`"speaker": want a string`, `"text" is missing`, `"zeal" is unknown`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if len(c.want) == 0 {
				t.Fatal("the case expects nothing")
			}
			got := p.call(c.tool, c.arguments)
			if !got.IsError {
				t.Fatalf("accepted: %s", got.text())
			}
			for _, want := range c.want {
				if !strings.Contains(got.text(), want) {
					t.Errorf("%q does not say %q", got.text(), want)
				}
			}
			if len(got.text()) > 600 {
				t.Errorf("an error of %d bytes", len(got.text()))
			}
		})
	}
}

// No value is repeated in an error: it may be private.
func TestArgumentErrorsRepeatNoValue(t *testing.T) {
	p := dial(t, &fakeVerbs{})
	for _, arguments := range []string{
		`{"text":["canary-4417"]}`, `{"text":{"a":"canary-4417"}}`, `{"text":"a","time":"canary-4417"}`,
		`{"text":"canary-4417\u0000"}`, `{"text":"canary-4417","limit":1}`,
	} {
		got := p.call("remember", arguments)
		if !got.IsError || strings.Contains(got.text(), "canary") {
			t.Errorf("%s: isError %v: %s", arguments, got.IsError, got.text())
		}
	}
}

func TestArgumentsReachTheVerb(t *testing.T) {
	var asked agent.RememberRequest
	p := dial(t, &fakeVerbs{remember: func(_ context.Context, r agent.RememberRequest) (*agent.Remembered, error) {
		asked = r
		return &agent.Remembered{Session: "r1", New: true}, nil
	}})
	got := p.call("remember", `{"text":"Tea at nine.\n{\"jsonrpc\":\"2.0\"}","speaker":"Raj","to":["Ines"],"about":"Mara","time":"2026-03-01T09:30:00+01:00"}`)
	if got.IsError {
		t.Fatal(got.text())
	}
	if asked.Text != "Tea at nine.\n{\"jsonrpc\":\"2.0\"}" || asked.From != "Raj" || asked.About != "Mara" ||
		len(asked.To) != 1 || asked.To[0] != "Ines" || asked.Time.Local != "2026-03-01T09:30:00" {
		t.Errorf("the verb was asked %+v", asked)
	}
}
