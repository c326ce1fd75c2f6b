package agent

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
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

// restore reads an export of epagent into this home, all of it or nothing. Where
// the home has no policy, the newest version of the export becomes it. What evolution
// had in force waits for the owner, but for what can only close.
func (a *Agent) restore(ctx context.Context, path string) (*ImportReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	applied, err := a.store.ImportExport(ctx, bufio.NewReader(f), admitSupplement)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	report := &ImportReport{
		Path: path, Format: exportFormat, Skipped: []string{}, Restored: true,
		Sessions: applied.Sessions, Messages: applied.Turns + applied.DuplicateTurns,
		New: applied.Turns, Duplicate: applied.DuplicateTurns, Forgotten: applied.Tombstoned, Facts: applied.Facts,
	}
	versions, err := a.store.PolicyVersions(ctx)
	if err != nil || len(versions) == 0 {
		return report, err
	}
	report.Adopted, err = a.adoptPolicy(versions[len(versions)-1].Source, false)
	return report, err
}
