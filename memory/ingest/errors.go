package ingest

import "errors"

// Sentinels. Each is wrapped with the input, the place in it and the remedy;
// none carries text of a message.
var (
	// ErrEmpty is returned for a file without any content.
	ErrEmpty = errors.New("nothing in it")
	// ErrEncoding is returned for text that isn't UTF-8 or holds NUL bytes.
	ErrEncoding = errors.New("not UTF-8 text")
	// ErrTooLong is returned for a line or a message above maxLine bytes.
	ErrTooLong = errors.New("line too long")
	// ErrFormat is returned for input that no reader knows, or that breaks the
	// rules of the format it is in.
	ErrFormat = errors.New("not readable")
	// ErrHostile is returned for input built to harm: a zip bomb, a path that
	// leads outside, nesting beyond maxDepth.
	ErrHostile = errors.New("refused")
	// ErrOptions is returned for options that contradict themselves.
	ErrOptions = errors.New("bad option")
)

var errTooDeep = errors.Join(ErrHostile, errors.New("nested too deeply"))
