package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/epagent/epagent/memory"
)

// errPolicyMoved says that the file is not the one that was read.
var errPolicyMoved = errors.New("the policy file has changed meanwhile")

// recordPolicyFile records a version that was read from policy.yaml, unless the
// file is another by now: errPolicyMoved. No other process replaces it meanwhile, so
// that the history has the versions in the order in which they were in force.
func (a *Agent) recordPolicyFile(ctx context.Context, version memory.PolicyVersion) error {
	return a.store.PutPolicy(ctx, version, func() error {
		now, err := os.ReadFile(filepath.Join(a.home, PolicyFile))
		if err != nil {
			return err
		}
		if !bytes.Equal(now, version.Source) {
			return errPolicyMoved
		}
		return nil
	})
}

// replacePolicy puts version.Source in the place of policy.yaml and records it,
// unless the file has changed since w was read. No two processes do so at once: one
// of two edits would be lost without a word. What stood there while it was broken
// is nowhere else, so it is kept; the result is where.
func (a *Agent) replacePolicy(ctx context.Context, w *world, version memory.PolicyVersion) (kept string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	written := false
	err = a.store.PutPolicy(ctx, version, func() error {
		path, err := filepath.EvalSymlinks(filepath.Join(a.home, PolicyFile))
		if errors.Is(err, os.ErrNotExist) {
			_, err := WritePolicy(a.home, version.Source)
			written = err == nil
			return err
		}
		if err != nil {
			return fmt.Errorf("find the policy: %w", err)
		}
		now, err := os.ReadFile(path)
		switch {
		case err != nil:
			return fmt.Errorf("read %s: %w", path, err)
		case w.stale == nil && !bytes.Equal(now, w.policy.Source()):
			return fmt.Errorf("%s: %w; nothing was written, do it again", path, errPolicyMoved)
		case w.stale != nil:
			if kept, err = keepBroken(filepath.Join(a.home, PolicyFile), now); err != nil {
				return fmt.Errorf("keep the broken policy: %w", err)
			}
		}
		err = replaceFile(path, version.Source)
		written = err == nil
		return err
	})
	if written {
		a.policy = policyCache{}
	}
	if err != nil && written {
		err = fmt.Errorf("the policy is in force, but its version has no note: %w", err)
	}
	return kept, err
}

// replaceFile writes a file whole or not at all, with the mode that it has.
func replaceFile(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".policy-*.yaml")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(tmp.Name()) // gone already when the rename succeeded
	_, err = tmp.Write(text)
	if info, statErr := os.Stat(path); statErr == nil && err == nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// keepBroken stores text beside the policy, under a name that nothing else has, and
// returns it; "" where there is nothing to keep.
func keepBroken(path string, text []byte) (string, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return "", nil
	}
	for n := 1; ; n++ {
		name := path + ".broken"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			if there, readErr := os.ReadFile(name); readErr == nil && bytes.Equal(there, text) {
				return name, nil
			}
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(text)
		return name, errors.Join(err, f.Close())
	}
}
