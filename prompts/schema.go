package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is the JSON schema of a stage's reply: flat, closed, with every field
// required, as strict structured output wants it. A reply is held against JSON.
type Schema struct {
	Name string
	JSON []byte

	strict   []byte // without bounds, which not every endpoint takes in a schema
	compiled *validator.Schema
}

// unbound takes the bounds out of a schema: strict structured output refuses some of
// them, and they make a grammar large. The order of the properties stays, since that
// is the order in which a model writes them.
func unbound(s *jsonschema.Schema) {
	s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, s.Minimum, s.Maximum = nil, nil, nil, nil, "", ""
	if s.Items != nil {
		unbound(s.Items)
	}
	if s.Properties == nil {
		return
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		unbound(p.Value)
	}
}

// schemaOf reflects the schema of T. It panics on a type that has none: that is a
// mistake in this package, found by its first test.
func schemaOf[T any](name string) *Schema {
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	s := reflector.Reflect(new(T))
	s.Version = ""
	raw, err := json.Marshal(s)
	var strict []byte
	if err == nil {
		unbound(s)
		strict, err = json.Marshal(s)
	}
	var compiled *validator.Schema
	if err == nil {
		compiled, err = compile(name, raw)
	}
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	return &Schema{Name: name, JSON: raw, strict: strict, compiled: compiled}
}

func compile(name string, raw []byte) (*validator.Schema, error) {
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	compiler := validator.NewCompiler()
	if err := compiler.AddResource(name+".json", doc); err != nil {
		return nil, err
	}
	return compiler.Compile(name + ".json")
}

// validate checks a reply against the schema. The error says where and what in words
// that are fit to send back to the model; it holds no word of the reply, which may be
// an attacker's.
//
// What it returns is the reply as it was validated: where a key is there twice, one of
// the two.
func (s *Schema) validate(reply []byte) ([]byte, error) {
	value, err := validator.UnmarshalJSON(bytes.NewReader(reply))
	if err != nil {
		return nil, errors.New("the reply is no JSON object")
	}
	err = s.compiled.Validate(value)
	var invalid *validator.ValidationError
	switch {
	case err == nil:
		return json.Marshal(value)
	case !errors.As(err, &invalid):
		return nil, err
	}
	var lines []string
	p := message.NewPrinter(language.English)
	var collect func(*validator.ValidationError)
	collect = func(e *validator.ValidationError) {
		if len(e.Causes) == 0 && len(lines) < 5 {
			what := "a field that the schema doesn't have"
			if _, unknown := e.ErrorKind.(*kind.AdditionalProperties); !unknown {
				what = e.ErrorKind.LocalizedString(p)
			}
			lines = append(lines, "at /"+strings.Join(e.InstanceLocation, "/")+": "+what)
		}
		for _, c := range e.Causes {
			collect(c)
		}
	}
	collect(invalid)
	return nil, errors.New(strings.Join(lines, "; "))
}
