package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// previewImport reads the file and stores nothing. Words that are taken as the
// owner's own are trusted, and may say who may know what: that asks. So does what
// brings marks or a policy of its own. What is all of others' words is held anyway.
func (a *Agent) previewImport(ctx context.Context, p *Proposal) error {
	c := p.Change.Import
	if c == nil || c.Path == "" {
		return fmt.Errorf("import: %w", ErrEmpty)
	}
	tz, err := zone(c.TZ)
	if err != nil {
		return fmt.Errorf("time zone: %w", ErrZone)
	}
	sum, err := contentHash(ctx, c.Path)
	if err != nil {
		return err
	}
	opts := ImportOptions{Self: c.Self, TZ: tz, DateOrder: c.DateOrder}
	name := filepath.Base(c.Path)
	if isExport(c.Path) {
		p.Opens = append(p.Opens, fmt.Sprintf("%q is an export of epagent: its facts come with who may know them", name))
	} else {
		export, err := a.ReadExport(ctx, c.Path, opts)
		if err != nil {
			return err
		}
		defer export.Close()
		p.Notes = append(p.Notes, fmt.Sprintf("%q: %s, %d messages", name, export.Format, export.Count))
		var selves []string
		for _, who := range export.Speakers() {
			if who.Self && !slices.Contains(selves, who.Name) {
				selves = append(selves, who.Name)
				p.Opens = append(p.Opens, fmt.Sprintf("the words of %q in %q count as the owner's own, with what they say about who may know", who.Name, name))
			}
		}
		if export.Script != nil {
			p.Opens = append(p.Opens, fmt.Sprintf("%q brings a policy of its own", name))
		}
	}
	p.content = sum
	p.apply = func(ctx context.Context, progress func(int, int)) error {
		// The owner agreed to this content and no other.
		if now, err := contentHash(ctx, c.Path); err != nil || now != sum {
			return fmt.Errorf("import: the file changed: %w", ErrChanged)
		}
		opts.Progress = progress
		report, err := a.Import(ctx, c.Path, opts)
		p.Report = report
		return err
	}
	return nil
}

// contentHash stands for the content of a file, or of all files of a folder.
func contentHash(ctx context.Context, path string) (string, error) {
	var files []string
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	slices.Sort(files)
	h := sha256.New()
	for _, name := range files {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		info, err := f.Stat()
		if err == nil {
			fmt.Fprintf(h, "%d:%s%d:", len(rel), rel, info.Size())
			_, err = io.Copy(h, f)
		}
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
