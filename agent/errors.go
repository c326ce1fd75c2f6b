package agent

import "errors"

var (
	// ErrNoPolicy: the home has no policy.yaml, so nobody may be told anything.
	ErrNoPolicy = errors.New("no policy.yaml in the home folder; run `epagent init` to write one")
	// ErrPolicyBroken: policy.yaml does not load. Nothing is disclosed until it
	// does; the error wraps the *privacy.PolicyError with places and remedies.
	ErrPolicyBroken = errors.New("policy.yaml is broken, so nothing is disclosed until it is mended")
	// ErrNotRecorded: the ledger entry could not be written, so the answer was
	// not given.
	ErrNotRecorded = errors.New("the answer could not be recorded in the ledger, so it was not given")
	// ErrUnknownFact: no fact has this id.
	ErrUnknownFact = errors.New("no such fact")
	// ErrUnknownPerson: a name that must be in the policy is not.
	ErrUnknownPerson = errors.New("not a person of the policy")
	// ErrUnknownCategory: a category that must be in the policy is not.
	ErrUnknownCategory = errors.New("not a category of the policy")
	// ErrTooLarge: a statement is larger than MaxStatement.
	ErrTooLarge = errors.New("statement too large")
	// ErrEmpty: a statement, question or change says nothing.
	ErrEmpty = errors.New("nothing given")
	// ErrPage says that a list has fewer pages.
	ErrPage = errors.New("there is no such page")
	// ErrPolicyDiffers: a script's own policy is not the one of the home.
	ErrPolicyDiffers = errors.New("the script folder has a policy of its own and the home has another")
	// ErrWidens: the change would let somebody learn more and was not agreed to.
	ErrWidens = errors.New("this change lets somebody learn more")
	// ErrZone: no time zone has this name.
	ErrZone = errors.New("no such time zone; give an IANA name such as Europe/Berlin")
)
