package tools

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// inRoots returns the real path of a file that the client may have imported: inside
// one of the folders that it declares, wherever links lead. Everything else is
// refused with one text, whether it exists or not.
func (s *Server) inRoots(ctx context.Context, path string) (string, error) {
	if !s.takes(ctx, mcp.MethodListRoots) {
		return "", publicf("this client declares no folders (roots) to import from; import it on the command line: `epagent import FILE`")
	}
	answer, err := s.ask(ctx, mcp.NewRootsInputRequest(), rootsWait)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || answer.Roots == nil {
		return "", publicf("the client did not say which folders (roots) may be imported from; try again")
	}
	var roots []string
	for _, root := range answer.Roots.Roots {
		dir, ok := pathOf(root.URI)
		if !ok {
			continue
		}
		if dir, err := filepath.EvalSymlinks(dir); err == nil {
			roots = append(roots, dir)
		}
	}
	refused := publicf("argument \"path\": no file or folder inside the folders (roots) of this client; copy it there, or import it on the command line")
	if given, ok := pathOf(path); ok {
		path = given
	}
	if !filepath.IsAbs(path) {
		if len(roots) != 1 {
			return "", publicf("argument \"path\": want an absolute path, or a file:// URI")
		}
		path = filepath.Join(roots[0], path)
	}
	found, err := filepath.EvalSymlinks(path)
	if err != nil || !within(roots, found) || !linksStay(roots, found) {
		return "", refused
	}
	return found, nil
}

// pathOf reads a file URI of this machine.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

func within(roots []string, path string) bool {
	for _, root := range roots {
		rel, err := filepath.Rel(root, path)
		if err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// linksStay reports whether no link below a path leads out of the roots.
func linksStay(roots []string, path string) bool {
	stay := true
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type()&os.ModeSymlink == 0 {
			return nil
		}
		to, err := filepath.EvalSymlinks(name)
		if err != nil || !within(roots, to) {
			stay = false
			return fs.SkipAll
		}
		return nil
	})
	return stay && err == nil
}
