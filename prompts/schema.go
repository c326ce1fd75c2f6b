package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is the JSON schema of a stage's reply: flat, closed, with every field
// required, as strict structured output wants it.
type Schema struct {
	Name string
	JSON []byte

	compiled *validator.Schema
}

// schemaOf reflects the schema of T. It panics on a type that has none: that is a
// mistake in this package, found by its first test.
func schemaOf[T any](name string) *Schema {
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	s := reflector.Reflect(new(T))
	s.Version = ""
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	compiler := validator.NewCompiler()
	if err := compiler.AddResource(name+".json", doc); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	compiled, err := compiler.Compile(name + ".json")
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", name, err))
	}
	return &Schema{Name: name, JSON: raw, compiled: compiled}
}

// validate checks a reply against the schema. The error says where and what in words
// that are fit to send back to the model; it may hold words of the reply, so it goes
// nowhere else.
func (s *Schema) validate(reply []byte) error {
	value, err := validator.UnmarshalJSON(bytes.NewReader(reply))
	if err != nil {
		return errors.New("the reply is no JSON object")
	}
	err = s.compiled.Validate(value)
	var invalid *validator.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var lines []string
	p := message.NewPrinter(language.English)
	var collect func(*validator.ValidationError)
	collect = func(e *validator.ValidationError) {
		if len(e.Causes) == 0 && len(lines) < 5 {
			lines = append(lines, "at /"+strings.Join(e.InstanceLocation, "/")+": "+e.ErrorKind.LocalizedString(p))
		}
		for _, c := range e.Causes {
			collect(c)
		}
	}
	collect(invalid)
	return errors.New(strings.Join(lines, "; "))
}
