package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxScript is the largest script file, in bytes.
const MaxScript = 4 << 20

// Load reads a script file and checks it. The error is a *[ScriptError] where the
// script is at fault.
func Load(path string) (*Script, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxScript {
		return nil, &ScriptError{[]Fault{{File: path, Message: fmt.Sprintf("%d bytes, and the limit is %d", info.Size(), MaxScript), Remedy: "cut it into several scripts"}}}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data, func(name string) ([]byte, error) {
		if !filepath.IsLocal(name) {
			return nil, errors.New("it is not beside the script")
		}
		return os.ReadFile(filepath.Join(filepath.Dir(path), name))
	})
}

// Parse checks a script that stands in a file called name. Read gives the policy files
// that it names; nil: there are none.
func Parse(name string, data []byte, read func(name string) ([]byte, error)) (*Script, error) {
	c := &checking{file: name, script: &Script{}, read: read}
	c.decode(data)
	if len(c.faults) == 0 {
		c.check()
	}
	if len(c.faults) > 0 {
		slices.SortStableFunc(c.faults, func(a, b Fault) int { return a.Line - b.Line })
		return nil, &ScriptError{c.faults}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(data), data)
	for i := range c.script.Parties {
		if d := c.script.Parties[i].Delegate; d != nil {
			fmt.Fprintf(h, "%d:%s", len(d.source), d.source)
		}
	}
	c.script.hash = hex.EncodeToString(h.Sum(nil))[:24]
	return c.script, nil
}

// checking is a script while it is read.
type checking struct {
	file   string
	tree   *ast.File
	script *Script
	read   func(name string) ([]byte, error)
	faults []Fault
}

// decode reads the YAML: known keys alone, each of its type.
func (c *checking) decode(data []byte) {
	tree, err := parser.ParseBytes(data, 0)
	if err == nil && len(tree.Docs) > 1 {
		err = errors.New("a second document")
	}
	if err == nil {
		c.tree = tree
		err = yaml.UnmarshalWithOptions(data, c.script, yaml.Strict())
	}
	if err == nil {
		return
	}
	// The library stops at the first fault of a mapping, so each key is tried by itself.
	if tree != nil && len(tree.Docs) == 1 {
		if m, ok := tree.Docs[0].Body.(*ast.MappingNode); ok {
			for _, v := range m.Values {
				if err := yaml.NodeToValue(v, &Script{}, yaml.Strict()); err != nil {
					c.undecoded(err, v.Key.String())
				}
			}
		}
	}
	if len(c.faults) == 0 {
		c.undecoded(err, "")
	}
}

// undecoded notes what kept the value of a top key from being read; key "" is the file.
func (c *checking) undecoded(err error, key string) {
	fault := Fault{File: c.file, Message: err.Error(), Remedy: "write it as docs/simulate.md describes"}
	var at yaml.Error
	if errors.As(err, &at) {
		fault.Message = at.GetMessage()
		if t := at.GetToken(); t != nil && t.Position != nil {
			fault.Line = t.Position.Line
		}
	}
	fault.Message = strings.TrimSpace(fault.Message)
	if key != "" && !strings.Contains(fault.Message, "unknown field") {
		fault.Message = key + ": " + fault.Message
	}
	c.faults = append(c.faults, fault)
}

// fault notes a fault at a place of the script, a path as "$.parties[0].name".
func (c *checking) fault(place, remedy, format string, args ...any) {
	c.faults = append(c.faults, Fault{File: c.file, Line: c.line(place), Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

// line is where a place stands; of a key that isn't there, where what it belongs to
// does.
func (c *checking) line(place string) int {
	for place != "$" && place != "" {
		if path, err := yaml.PathString(place); err == nil {
			if node, err := path.FilterFile(c.tree); err == nil && node != nil {
				if t := firstToken(node); t > 0 {
					return t
				}
			}
		}
		place = place[:max(strings.LastIndexAny(place, ".["), 0)]
	}
	return 0
}

// firstToken is the line on which a node begins.
func firstToken(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}
