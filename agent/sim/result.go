package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epagent/epagent/memory"
)

// The files of a results folder, beside the journal and the homes.
const (
	ResultFile     = "result.json"
	TranscriptFile = "transcript.jsonl"
	LedgerFile     = "ledger.jsonl"
	MatrixFile     = "matrix.json"
	TimelineFile   = "timeline.html"
)

// Result is what came of a run.
type Result struct {
	Simulation string `json:"simulation"`
	Script     string `json:"script"` // its hash
	Seed       int64  `json:"seed"`
	Model      string `json:"model"`
	// Engine is "off" where the privacy engine was switched off, else "on".
	Engine     string    `json:"engine"`
	Finder     string    `json:"finder"`
	Figures    Figures   `json:"figures"`
	Assertions []Outcome `json:"assertions"`
	Holds      bool      `json:"holds"` // all assertions do
	Matrix     *Matrix   `json:"matrix"`

	Exchanges []Exchange    `json:"-"`
	Ledger    []LedgerEntry `json:"-"`

	script *Script
}

// EngineOffWarning says in every output what a result without the engine is worth.
const EngineOffWarning = "PRIVACY ENGINE OFF: every delegate told everybody everything. This shows which leaks are found, and nothing about what the engine lets out."

// Warning is what must be said beside the result, "" for nothing.
func (out *Result) Warning() string {
	if out.Engine == "off" {
		return EngineOffWarning
	}
	return ""
}

// LedgerEntry is an entry of a delegate's ledger.
type LedgerEntry struct {
	Owner string `json:"owner"`
	memory.LedgerEntry
}

// result works out what came of what was played.
func (r *run) result(ctx context.Context) (*Result, error) {
	s := r.script
	out := &Result{Simulation: s.Name, Script: s.hash, Seed: r.seed, Model: r.o.Model, Engine: "on", Finder: r.o.Finder.Name(), Exchanges: r.exchanges, script: s}
	if r.o.EngineOff {
		out.Engine = "off"
	}
	if err := r.ledgers(ctx, out); err != nil {
		return nil, err
	}
	var err error
	if out.Matrix, err = s.matrix(ctx, r.exchanges, r.o.Finder); err != nil {
		return nil, err
	}
	out.Figures = s.figures(r.exchanges, out.Matrix)
	out.Assertions = s.outcomes(out.Matrix, &out.Figures)
	out.Holds = true
	for _, a := range out.Assertions {
		out.Holds = out.Holds && a.Holds
	}
	return out, nil
}

// ledgers joins what the delegates' ledgers say to the exchanges: the n-th answer of a
// delegate is the n-th entry of its ledger.
func (r *run) ledgers(ctx context.Context, out *Result) error {
	for _, name := range r.cast.names {
		entries, err := r.cast.delegates[name].agent.Ledger(ctx, memory.LedgerFilter{})
		if err != nil {
			return err
		}
		n := 0
		for i := range r.exchanges {
			e := &r.exchanges[i]
			if e.Kind != KindAsk || e.Of != name {
				continue
			}
			if n >= len(entries) || entries[n].Answer != e.Answer {
				return fmt.Errorf("exchange %d: the answer doesn't stand in the ledger of %s", e.N, name)
			}
			e.Told, e.Deflected = entries[n].Told, len(entries[n].Told) == 0
			n++
		}
		for _, e := range entries {
			out.Ledger = append(out.Ledger, LedgerEntry{name, e})
		}
	}
	return nil
}

// write writes the result files into a folder, each whole or not at all.
func (out *Result) write(folder string) error {
	page, err := out.HTML()
	if err != nil {
		return err
	}
	result, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	matrix, err := json.MarshalIndent(out.Matrix, "", "  ")
	if err != nil {
		return err
	}
	transcript, err := lines(out.Exchanges)
	if err != nil {
		return err
	}
	ledger, err := lines(out.Ledger)
	if err != nil {
		return err
	}
	return errors.Join(
		replace(filepath.Join(folder, TranscriptFile), transcript), replace(filepath.Join(folder, LedgerFile), ledger),
		replace(filepath.Join(folder, MatrixFile), append(matrix, '\n')), replace(filepath.Join(folder, TimelineFile), page),
		replace(filepath.Join(folder, ResultFile), append(result, '\n')),
	)
}

func lines[T any](list []T) ([]byte, error) {
	var out []byte
	for i := range list {
		line, err := json.Marshal(list[i])
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}

func replace(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) //nolint:errcheck // gone already after the rename
	if _, err := tmp.Write(data); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
