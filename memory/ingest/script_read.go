package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/privacy"
)

// scriptReader reads benchmark script folders.
type scriptReader struct{}

func (scriptReader) name() string { return "script" }

func (scriptReader) sniff(src *source, _ Options) bool {
	if !src.dir {
		return false
	}
	for _, name := range []string{policyFile, sessionsFile} {
		if info, err := os.Stat(filepath.Join(src.path, name)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// read keeps the script's ids of sessions and turns. The owner is the policy's.
func (scriptReader) read(ctx context.Context, src *source, _ Options, b *builder) error {
	s, err := ReadScript(src.path)
	if err != nil {
		return err
	}
	s.Name = src.name
	b.out.Script = s
	labels := map[string]string{}
	for i := range s.Sessions {
		if err := ctx.Err(); err != nil {
			return err
		}
		session := &s.Sessions[i]
		who := slices.Sorted(slices.Values(session.Participants))
		key := digest(append([]string{session.Channel}, who...)...)
		label, ok := labels[key]
		if !ok {
			label = b.conversation(Conversation{Participants: session.Participants, channel: session.Channel})
			labels[key] = label
		}
		b.script(s, session, label)
	}
	return nil
}

func (b *builder) script(s *Script, session *ScriptSession, label string) {
	at := privacy.At(session.Time)
	given := session.Time.Format("2006-01-02T15:04:05Z07:00")
	numbers := make(map[string]int, len(session.Turns))
	for _, t := range session.Turns {
		numbers[t.ID] = b.message(Message{
			ID: t.ID, Conversation: label, When: at, Sender: t.Speaker, Self: t.Speaker == s.Owner,
			Kind: KindMessage, Text: strings.TrimSpace(t.Text), ReplyTo: numbers[t.ReplyTo],
			session: session.ID, given: given,
		})
	}
}

// The files of a script folder.
const (
	policyFile   = "policy.yaml"
	sessionsFile = "sessions.jsonl"
	factsFile    = "facts.jsonl"
	t1File       = "t1.jsonl"
	t2File       = "t2.jsonl"
	t3File       = "t3.jsonl"
	readmeFile   = "README.md"
)

// ReadScript reads and checks a benchmark script folder. Facts and tasks may
// be missing (a story alone); policy and sessions may not. Keys that the format
// doesn't know are passed over. The error is a *ScriptError, which wraps ErrFormat,
// ErrEncoding or ErrTooLong, or what kept a file from being read.
func ReadScript(dir string) (*Script, error) {
	s, faults, err := readScript(dir, false)
	if err == nil && len(faults) > 0 {
		err = &ScriptError{Faults: faults}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// CheckScript reads a folder by the letter of the format: every file of it and every
// key must be there, and nothing else. What is wrong is in the faults, by file and
// line; a script of which a row or a file couldn't be read holds the others, isn't
// [Script.Whole] and is of no use but to be counted. The error says what kept a file
// from being read.
func CheckScript(dir string) (*Script, []*ScriptFault, error) {
	return readScript(dir, true)
}

func readScript(dir string, strict bool) (*Script, []*ScriptFault, error) {
	c := newScriptReading(dir, strict)
	s := c.script
	c.policy()
	readRows(c, sessionsFile, sessionKeys, &s.Sessions)
	readRows(c, factsFile, factKeys, &s.Facts)
	readRows(c, t1File, t1Keys, &s.T1)
	readRows(c, t2File, t2Keys, &s.T2)
	readRows(c, t3File, t3Keys, &s.T3)
	c.readme()
	if c.err != nil {
		return nil, nil, c.err
	}
	if len(c.faults) > 0 && !strict {
		return nil, c.sorted(), nil
	}
	if s.broken = c.broken; !s.broken {
		c.check()
	}
	s.lines = c.lines
	return s, c.sorted(), nil
}

// scriptReading is a script on its way in.
type scriptReading struct {
	dir    string
	strict bool
	script *Script
	lines  map[string][]int // of each row, by file
	faults []*ScriptFault
	broken bool  // a row is missing: references can't be checked
	err    error // a file can't be read
}

func newScriptReading(dir string, strict bool) *scriptReading {
	c := &scriptReading{dir: dir, strict: strict, script: &Script{}, lines: map[string][]int{}}
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole // "." has no name
	}
	c.script.Name = filepath.Base(dir)
	return c
}

func (c *scriptReading) policy() {
	policy, err := os.ReadFile(filepath.Join(c.dir, policyFile))
	if err != nil {
		c.missing(policyFile, true, err)
	}
	c.script.Policy = policy
}

// readme is for people: its absence is a fault of a whole script alone.
func (c *scriptReading) readme() {
	data, err := os.ReadFile(filepath.Join(c.dir, readmeFile))
	switch {
	case !c.strict:
	case err != nil:
		c.missing(readmeFile, true, err)
	case len(bytes.TrimSpace(data)) == 0:
		c.fault(readmeFile, 0, "", "say in five lines what the story is", "it is empty")
	}
}

// missing notes a file that isn't there or can't be read.
func (c *scriptReading) missing(name string, required bool, err error) {
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		c.err = errors.Join(c.err, fmt.Errorf("%s: %w", name, unpath(err)))
	case !required:
	case c.strict:
		c.broken = c.broken || name == policyFile || name == sessionsFile
		c.fault(name, 0, "", "add it; docs/bench.md describes the files", "the file is missing")
	default:
		c.err = errors.Join(c.err, fmt.Errorf("%s: %w", name, unpath(err)))
	}
}

// readRows reads a JSON object a line into rows.
func readRows[T any](c *scriptReading, name string, keys rowKeys, rows *[]T) {
	f, err := os.Open(filepath.Join(c.dir, name))
	if err != nil {
		c.missing(name, c.strict || name == sessionsFile, err)
		return
	}
	defer f.Close()
	scan := bufio.NewScanner(f)
	scan.Buffer(make([]byte, 0, headSize), maxLine)
	n := 0
	for scan.Scan() {
		n++
		line := bytes.TrimSpace(trimBOM(scan.Bytes()))
		if len(line) == 0 {
			continue
		}
		if !utf8.Valid(line) {
			c.unreadable(name, n, ErrEncoding, "save it as UTF-8", "")
			continue
		}
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			c.unreadable(name, n, ErrFormat, "write one whole JSON object a line, as docs/bench.md shows", jsonFault(err).Error())
			continue
		}
		*rows = append(*rows, row)
		c.lines[name] = append(c.lines[name], n)
		if c.strict {
			keys.check(line, "", func(remedy, problem string) { c.fault(name, n, "", remedy, "%s", problem) })
		}
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		c.unreadable(name, n+1, ErrTooLong, "shorten it", fmt.Sprintf("above %d MiB", maxLine>>20))
	} else if err != nil {
		c.err = errors.Join(c.err, fmt.Errorf("%s: %w", name, unpath(err)))
	}
	if c.strict && len(*rows) == 0 && !c.broken {
		c.fault(name, 0, "", "add a line", "it has no rows")
	}
}

// jsonFault says what is wrong with JSON without repeating any of it, since
// what a decoder quotes may be text of a message.
func jsonFault(err error) error {
	if se, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("broken JSON at byte %d", se.Offset)
	}
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("a %s where key %q wants a %s", te.Value, te.Field, te.Type.Kind())
	}
	return errors.New("broken JSON or a time that isn't RFC 3339")
}
