package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// journalFile is the journal in a results folder: a line that names the run, then the
// exchanges of each moment.
const journalFile = "journal.jsonl"

// homesFolder holds the homes of the delegates.
const homesFolder = "homes"

// runKey names what a run depends on.
type runKey struct {
	Version int    `json:"version"`
	Script  string `json:"script"` // hash
	Seed    int64  `json:"seed"`
	Code    string `json:"code"`
	Model   string `json:"model"`
	// EngineOff: see [Options].
	EngineOff bool `json:"engine_off,omitempty"`
}

// Clear removes the simulation that a results folder holds, so that the next one
// begins anew. A folder that holds something else is left alone: ErrFolder.
func Clear(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, journalFile)); err != nil {
		return fmt.Errorf("%s: %w: it has no %s; choose another", folder, ErrFolder, journalFile)
	}
	// The journal goes last: what is cut short can be cleared again.
	for _, name := range []string{homesFolder, ResultFile, TranscriptFile, LedgerFile, MatrixFile, TimelineFile, journalFile} {
		if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

// journal keeps what was played.
type journal struct {
	file *os.File
	done []Exchange // read back
}

// openJournal opens the journal of a folder for a run, or begins one.
func openJournal(folder string, key runKey) (*journal, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, journalFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 {
			return nil, fmt.Errorf("%s: %w: it isn't empty and has no %s; choose another", folder, ErrFolder, journalFile)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f}
	if err := j.read(key); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return j, nil
}

// read reads what is there and stands behind it. The rest of a line that was being
// written when the run stopped is cut off.
func (j *journal) read(key runKey) error {
	data, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if whole == 0 { // nothing was begun
		if err := errors.Join(j.file.Truncate(0), j.seek(0)); err != nil {
			return err
		}
		return j.line(key)
	}
	lines := bufio.NewScanner(bytes.NewReader(data[:whole]))
	lines.Buffer(nil, whole+1)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			var of runKey
			if err := json.Unmarshal(lines.Bytes(), &of); err != nil || of.Version == 0 {
				return fmt.Errorf("line 1: %w", ErrFolder)
			}
			if of != key {
				return ErrOtherRun
			}
			continue
		}
		var moment []Exchange
		if err := json.Unmarshal(lines.Bytes(), &moment); err != nil {
			return fmt.Errorf("line %d: %w; remove the folder to begin anew", n, ErrFolder)
		}
		j.done = append(j.done, moment...)
	}
	return errors.Join(lines.Err(), j.file.Truncate(int64(whole)), j.seek(int64(whole)))
}

func (j *journal) seek(to int64) error {
	_, err := j.file.Seek(to, io.SeekStart)
	return err
}

// keep appends the exchanges of a moment: all of it or nothing counts.
func (j *journal) keep(moment []Exchange) error { return j.line(moment) }

func (j *journal) line(v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	return err
}

func (j *journal) close() error { return j.file.Close() }
