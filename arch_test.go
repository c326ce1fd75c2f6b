package epagent_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/epagent/epagent"

// floors is the house of ARCHITECTURE.md: an import points down only, never
// sideways within a floor. A package that is missing here fails the test.
var floors = map[string]int{
	"examples":                  0,
	"memory/lexical":            1,
	"memory/thesaurus":          2,
	"memory/thesaurus/generate": 3,
	"prompts":                   1,
	"prompts/fakeserver":        2,
	"privacy":                   1,
	"privacy/engine":            2,
	"memory":                    2,
	"memory/ingest":             3,
	"evolve/bench":              5,
	"evolve/bench/halves":       7,
	"memory/host/simple":        3,
	"memory/host/gas":           3,
	"memory/host/mcp":           3,
	"agent":                     4,
	"agent/otel":                5,
	"agent/sim":                 5,
	"agent/sim/finder":          6,
	"tools/oauth":               6,
	"tools/install":             6,
	"evolve":                    6,
	"tools":                     7,
	"cmd/epagent":               8,
}

// owners are the libraries that one place alone may know.
var owners = map[string][]string{
	"modernc.org/sqlite":                 {"memory"},
	"github.com/philippgille/chromem-go": {"memory"},
	"gonum.org/v1/gonum":                 {"memory"},
	"github.com/cloudwego/eino":          {"agent", "prompts"},
	"github.com/cloudwego/eino-ext":      {"prompts"},
	"github.com/mark3labs/mcp-go":        {"tools", "memory/host/mcp"},
	"go.opentelemetry.io":                {"agent/otel"},
	"github.com/spf13/cobra":             {"cmd/epagent"},
	"github.com/lmittmann/tint":          {"cmd/epagent"},
	"github.com/goccy/go-yaml":           {"agent/sim", "privacy", "memory/ingest", "prompts", "cmd/epagent"},
	"github.com/go-jose/go-jose":         {"tools/oauth"},
}

// pure are imports that the calculus may not have: it judges without clock,
// context, randomness, log, file or network (CALCULUS.md).
var pure = []string{"context", "log", "log/slog", "os", "io/fs", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand", "database/sql"}

func TestImportDirection(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if file != "." && (strings.HasPrefix(name, ".") || name == "testdata" || hasModule(file)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		if pkg == "." {
			return nil
		}
		if _, ok := floors[pkg]; !ok {
			t.Errorf("package %s is on no floor: add it to the table, and to ARCHITECTURE.md", pkg)
			return nil
		}
		checked++
		checkFile(t, pkg, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Fatal("no file was checked")
	}
}

func hasModule(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}

func checkFile(t *testing.T, pkg, file string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range parsed.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if below, ours := strings.CutPrefix(imp, modulePath+"/"); ours && floors[below] >= floors[pkg] {
			t.Errorf("%s imports %s, which is not below %s", file, below, pkg)
		}
		for library, allowed := range owners {
			if imp != library && !strings.HasPrefix(imp, library+"/") {
				continue
			}
			ok := false
			for _, a := range allowed {
				ok = ok || a == pkg
			}
			if !ok {
				t.Errorf("%s imports %s, which only %s may know", file, imp, strings.Join(allowed, " and "))
			}
		}
		if pkg == "privacy" {
			for _, p := range pure {
				if imp == p {
					t.Errorf("%s imports %s: the calculus has no clock, I/O, log or randomness", file, imp)
				}
			}
		}
	}
}

// Only simulations may open a store that doesn't wait for the disk.
func TestRelaxedStores(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			sets := false
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					field, ok := left.(*ast.SelectorExpr)
					sets = sets || ok && field.Sel.Name == "Relaxed"
				}
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				sets = ok && key.Name == "Relaxed"
			}
			if sets {
				found++
				// agent hands on what it was given.
				if pkg := path.Dir(filepath.ToSlash(file)); pkg != "agent/sim" && filepath.ToSlash(file) != "agent/agent.go" {
					t.Errorf("%s opens a relaxed store", file)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 2 {
		t.Errorf("%d places set Relaxed: the test looks for the wrong name", found)
	}
}
