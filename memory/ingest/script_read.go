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
)

// ReadScript reads and checks a benchmark script folder. Facts and tasks may
// be missing (a story alone); policy and sessions may not. Errors wrap ErrFormat, ErrEncoding
// or ErrTooLong and name file, line and id.
func ReadScript(dir string) (*Script, error) {
	s := &Script{Name: filepath.Base(filepath.Clean(dir))}
	policy, err := os.ReadFile(filepath.Join(dir, policyFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", policyFile, unpath(err))
	}
	s.Policy = policy
	err = errors.Join(
		readRows(dir, sessionsFile, true, &s.Sessions),
		readRows(dir, factsFile, false, &s.Facts),
		readRows(dir, t1File, false, &s.T1),
		readRows(dir, t2File, false, &s.T2),
		readRows(dir, t3File, false, &s.T3),
	)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readRows reads a JSON object a line into rows.
func readRows[T any](dir, name string, required bool, rows *[]T) error {
	f, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) && !required {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, unpath(err))
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
			return fmt.Errorf("%s:%d: %w; save it as UTF-8", name, n, ErrEncoding)
		}
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s:%d: %w: %w", name, n, ErrFormat, jsonFault(err))
		}
		*rows = append(*rows, row)
	}
	if err := scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: %w: above %d MiB", name, n+1, ErrTooLong, maxLine>>20)
	} else if err != nil {
		return fmt.Errorf("%s: %w", name, unpath(err))
	}
	return nil
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
