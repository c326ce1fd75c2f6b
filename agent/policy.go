package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// policyCache is the policy file as last read. The bytes are compared at each
// request, so a change by hand takes effect at once.
type policyCache struct {
	source []byte
	policy *privacy.Policy
	err    error
}

// noPolicy is what the owner reads with while the home has no policy.yaml: it
// knows nobody and no category, so every fact is for nobody.
const noPolicy = `version: 1
owner: {name: Owner, language: en}
domains: [work, life]
`

// Policy returns the policy in force. The error wraps ErrNoPolicy or
// ErrPolicyBroken; nothing may be disclosed then.
func (a *Agent) Policy(ctx context.Context) (*privacy.Policy, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.policyLocked(ctx)
}

func (a *Agent) policyLocked(ctx context.Context) (*privacy.Policy, error) {
	source, err := os.ReadFile(filepath.Join(a.home, PolicyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoPolicy
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolicyBroken, err)
	}
	if a.policy.policy != nil && bytes.Equal(source, a.policy.source) {
		return a.policy.policy, nil
	}
	if a.policy.err != nil && bytes.Equal(source, a.policy.source) {
		return nil, a.policy.err
	}
	policy, err := privacy.Parse(PolicyFile, source)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrPolicyBroken, err)
		a.policy = policyCache{source: source, err: err}
		return nil, err
	}
	// A valid change becomes a recorded version before anything is judged by it,
	// so that every ledger entry names a version that can be looked up.
	if a.readOnly {
		a.policy = policyCache{source: source, policy: policy}
		return policy, nil
	}
	err = a.recordPolicyFile(ctx, memory.PolicyVersion{Hash: policy.Hash(), Source: source, At: a.opts.Now(), Author: "file"})
	if errors.Is(err, errPolicyMoved) || errors.Is(err, fs.ErrNotExist) {
		return a.policyLocked(ctx) // another process or an editor was faster
	}
	if err != nil {
		return nil, fmt.Errorf("record the policy version: %w", err)
	}
	a.policy = policyCache{source: source, policy: policy}
	return policy, nil
}

// readingPolicy returns the policy to read with as the owner: the one in force,
// else, while the file is broken or missing, the newest recorded version, else
// one that knows nobody. The second result says why it is not the one in force.
func (a *Agent) readingPolicy(ctx context.Context) (*privacy.Policy, error, error) {
	policy, why := a.policyLocked(ctx)
	if why == nil {
		return policy, nil, nil
	}
	if !errors.Is(why, ErrNoPolicy) && !errors.Is(why, ErrPolicyBroken) {
		return nil, nil, why
	}
	versions, err := a.store.PolicyVersions(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := len(versions) - 1; i >= 0; i-- {
		if policy, err := privacy.Parse(PolicyFile, versions[i].Source); err == nil {
			return policy, why, nil
		}
	}
	policy, err = privacy.Parse("built-in policy", []byte(noPolicy))
	return policy, why, err
}
