package bench

import "errors"

var (
	// ErrFormat is returned for a file that isn't of the benchmark's format; the
	// error that wraps it names the place.
	ErrFormat = errors.New("not a file of this benchmark")
	// ErrFaults is returned for a script that [Check] finds faults in; the error that
	// wraps it names the first of them.
	ErrFaults = errors.New("the script has faults")
	// ErrOptions is returned for settings that can't be run.
	ErrOptions = errors.New("bad option")
	// ErrNoScripts is returned for a run without a script.
	ErrNoScripts = errors.New("no script to run")
)
