package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/agent"
)

type importIn struct {
	Action    string `json:"action,omitempty" jsonschema:"enum=import,enum=reindex" jsonschema_description:"reindex: anew"`
	Path      string `json:"path,omitempty" jsonschema:"minLength=1,maxLength=4096" jsonschema_description:"Inside the client's roots"`
	Me        string `json:"me,omitempty" jsonschema:"maxLength=200" jsonschema_description:"The owner's name in it"`
	TZ        string `json:"tz,omitempty" jsonschema:"maxLength=64"`
	DateOrder string `json:"date_order,omitempty" jsonschema:"enum=dmy,enum=mdy,enum=ymd"`
}

type importOut struct {
	Format    string `json:"format,omitempty" jsonschema_extras:"minor=true"`
	Messages  int    `json:"messages"`
	New       int    `json:"new"`
	Duplicate int    `json:"duplicate" jsonschema_extras:"minor=true"`
	Forgotten int    `json:"forgotten" jsonschema_extras:"minor=true"`
	Facts     int    `json:"facts"`
	Review    int    `json:"review" jsonschema_extras:"minor=true"`
	changed
}

func importTool(s *Server) tool[importIn, importOut] {
	return tool[importIn, importOut]{
		name:        "import",
		description: "Read a chat export or notes into the memory. Taking words in it as the owner's own needs the owner's consent.",
		hints:       hints{idempotent: true},
		run: func(ctx context.Context, in importIn) (importOut, string, error) {
			if in.Action == "reindex" {
				if err := s.verbs.Reindex(ctx, progress(ctx)); err != nil {
					return importOut{}, "", err
				}
				tell(ctx, mcp.LoggingLevelInfo, "reindex done", nil)
				return importOut{changed: changed{Applied: true}}, "The search index is new.", nil
			}
			if in.Path == "" {
				return importOut{}, "", publicf("argument \"path\" is missing: give it")
			}
			path, err := s.inRoots(ctx, in.Path)
			if err != nil {
				return importOut{}, "", err
			}
			p, done, err := s.change(ctx, agent.Change{Kind: agent.ChangeImport, Import: &agent.ImportChange{
				Path: path, Self: in.Me, TZ: in.TZ, DateOrder: in.DateOrder,
			}})
			if err != nil {
				return importOut{}, "", fileError(err)
			}
			out := importOut{changed: done}
			if r := p.Report; r != nil {
				out.Format, out.Messages, out.New, out.Duplicate = r.Format, r.Messages, r.New, r.Duplicate
				out.Forgotten, out.Facts, out.Review = r.Forgotten, r.Facts, r.Review
				tell(ctx, mcp.LoggingLevelInfo, "import done", map[string]int{"messages": r.Messages, "new": r.New, "facts": r.Facts, "review": r.Review})
			}
			text := fmt.Sprintf("%s: %d messages, %d new, %d there before; %d facts, %d of them to be reviewed.",
				filepath.Base(path), out.Messages, out.New, out.Duplicate, out.Facts, out.Review)
			return out, done.text(text), nil
		},
	}
}

// fileError is the public error of a file that can't be imported: what is in it, and
// what else lies beside it, is for the command line to say.
func fileError(err error) error {
	if _, known := publicText(err); known || errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(publicf("the file can't be imported as it is; `epagent import --dry-run FILE` says why"), err)
}

// reindexVerbs are the verbs of reindexing.
type reindexVerbs interface {
	Reindex(ctx context.Context, progress func(done, total int)) error
}
