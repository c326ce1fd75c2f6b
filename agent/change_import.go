package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy/engine"
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
		p.Notes = append(p.Notes, fmt.Sprintf("%q: %s, %d messages; %s", name, export.Format, export.Count, speakerList(export)))
		selves := counted(export, true)
		for _, who := range selves {
			p.Opens = append(p.Opens, fmt.Sprintf("the words of %q in %q (%d messages) count as the owner's own, with what they say about who may know", who.Name, name, who.Messages))
		}
		if export.Script != nil {
			p.Opens = append(p.Opens, fmt.Sprintf("%q brings a policy of its own", name))
		}
		if len(selves) > 0 {
			if err := a.importGrants(ctx, p, export); err != nil {
				return err
			}
		}
	}
	p.content = sum
	if len(p.Opens) > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%q is meant as it is now (sha256 %.12s), and not if it changes", name, sum))
	}
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

// counted are the speakers of an export, each once with all that they say in it, the
// most first: the owner's selves or the others.
func counted(export *ingest.Reading, self bool) []ingest.Speaker {
	var out []ingest.Speaker
	for _, who := range export.Speakers() {
		if who.Self != self {
			continue
		}
		k := slices.IndexFunc(out, func(o ingest.Speaker) bool { return o.Name == who.Name })
		if k < 0 {
			k = len(out)
			out = append(out, ingest.Speaker{Name: who.Name, Self: self})
		}
		out[k].Messages += who.Messages
	}
	slices.SortFunc(out, func(x, y ingest.Speaker) int {
		return cmp.Or(cmp.Compare(y.Messages, x.Messages), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// speakerList says how much each speaker says in an export.
func speakerList(export *ingest.Reading) string {
	const most = 8
	var words []string
	all := append(counted(export, true), counted(export, false)...)
	for i, who := range all {
		if i == most {
			words = append(words, fmt.Sprintf("and %d more", len(all)-most))
			break
		}
		words = append(words, fmt.Sprintf("%d by %q", who.Messages, who.Name))
	}
	if len(words) == 0 {
		return "nobody is named in it"
	}
	return strings.Join(words, ", ")
}

// importGrants says whom the words that would count as the owner's let in, and by
// which statement. It reads them by rules alone, without a model, and errs on the
// side of showing: whether a fact is found that a permission is for isn't looked at.
func (a *Agent) importGrants(ctx context.Context, p *Proposal, export *ingest.Reading) error {
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	off := engine.NewOffline()
	more := 0
	err = export.EachSession(ctx, func(s *memory.Session) error {
		said := utterances(s)
		permits, err := off.Permits(ctx, w.policy, engine.Session{ID: s.ID, Utterances: said})
		if err != nil {
			return err
		}
		for _, permit := range permits {
			var names []string
			for _, id := range permit.People {
				name := string(id)
				if person, ok := w.policy.Person(name); ok {
					name = person.Name
				}
				names = append(names, strconv.Quote(name))
				p.People = append(p.People, name)
			}
			for _, id := range permit.Groups {
				names = append(names, "group "+strconv.Quote(string(id)))
			}
			if len(p.Opens) == maxGrantLines {
				more++
				continue
			}
			p.Opens = append(p.Opens, fmt.Sprintf("it lets in %s: %s", strings.Join(names, ", "), quoteShort(said[permit.Utterance].Text)))
		}
		return nil
	})
	if more > 0 {
		p.Opens = append(p.Opens, fmt.Sprintf("and %d more statements that let somebody in: `epagent import --dry-run` shows the file", more))
	}
	return err
}

// maxGrantLines is how many lines a proposal of an import has at most.
const maxGrantLines = 15

// quoteShort quotes the beginning of a text.
func quoteShort(text string) string {
	const most = 160
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strconv.Quote(text)
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
