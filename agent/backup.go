package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Export writes everything that the home holds as lines of JSON, in the order in
// which Import reads them back: sessions, facts with their marks, rules, what the
// annotator was taught, the ledger, policy versions, and the tombstones of what was
// forgotten. All is of one moment, and in the clear.
func (a *Agent) Export(ctx context.Context, w io.Writer) error {
	return a.store.ExportTo(ctx, w)
}

// exportFormat is what an import report calls an export of epagent itself.
const exportFormat = "epagent"

// isExport reports whether a file begins as Export begins.
func isExport(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	return strings.HasPrefix(strings.ReplaceAll(string(head[:n]), " ", ""), `{"kind":"epagent"`)
}

// backupPolicy is the newest policy in an export, nil where none can be read: what is
// wrong with the file is for the import to say.
func backupPolicy(r io.Reader) *privacy.Policy {
	var newest memory.PolicyVersion
	dec := json.NewDecoder(bufio.NewReader(r))
	for {
		var line struct {
			Kind  string          `json:"kind"`
			Value json.RawMessage `json:"value"`
		}
		if err := dec.Decode(&line); err != nil {
			break
		}
		var v memory.PolicyVersion
		if line.Kind == memory.ExportPolicy && json.Unmarshal(line.Value, &v) == nil && v.Seq >= newest.Seq {
			newest = v
		}
	}
	p, err := privacy.Parse(PolicyFile, newest.Source)
	if err != nil {
		return nil
	}
	return p
}

// restore reads an export of epagent into this home, all of it or nothing. Where
// the home has no policy, the newest version of the export becomes it. What evolution
// had in force waits for the owner, but for what can only close.
func (a *Agent) restore(ctx context.Context, path string) (*ImportReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	policy, err := a.Policy(ctx)
	if errors.Is(err, ErrNoPolicy) {
		policy = backupPolicy(f)
	} else if err != nil {
		policy = nil // broken: whatever depends on it waits
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	before, _, err := a.store.Facts(ctx)
	if err != nil {
		return nil, err
	}
	applied, err := a.store.ImportExport(ctx, bufio.NewReader(f), func(x memory.StoredSupplement) (bool, error) {
		return admitSupplement(x, policy)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	report := &ImportReport{
		Path: path, Format: exportFormat, Skipped: []string{}, Restored: true,
		Sessions: applied.Sessions, Messages: applied.Turns + applied.DuplicateTurns,
		New: applied.Turns, Duplicate: applied.DuplicateTurns, Forgotten: applied.Tombstoned, Facts: applied.Facts,
	}
	versions, err := a.store.PolicyVersions(ctx)
	if err == nil && len(versions) > 0 {
		report.Adopted, err = a.adoptPolicy(versions[len(versions)-1].Source, false)
	}
	if err != nil {
		return report, err
	}
	report.Review, report.NoPolicy = a.waitingBeside(ctx, before)
	return report, ctx.Err()
}

// waitingBeside counts the facts that wait for the owner beside those of a list, which were
// there before. What waits depends on the policy: an error says that it can't be read.
func (a *Agent) waitingBeside(ctx context.Context, before []memory.Fact) (int, error) {
	w, err := a.current(ctx)
	if err != nil {
		return 0, err
	}
	there := make(map[privacy.FactID]bool, len(before))
	for i := range before {
		there[before[i].ID] = true
	}
	n := 0
	for _, x := range w.queue() {
		if !there[w.facts[x.index].ID] {
			n++
		}
	}
	return n, nil
}
