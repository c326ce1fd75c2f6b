package bench

import "errors"

// ErrFormat is returned for a file that isn't of the benchmark's format; the
// error that wraps it names the place.
var ErrFormat = errors.New("not a file of this benchmark")
