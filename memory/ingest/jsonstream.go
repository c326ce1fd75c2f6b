package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxDepth   = 200     // nesting of JSON that is walked; exports have less than ten
	maxMessage = maxLine // bytes of one JSON value that is decoded whole
	shapeBytes = 8 << 20 // how far the shape of a JSON file is looked for
	shapeNodes = 4000    // and over how many tokens
	shapeDepth = 24      // and how deep
)

// jsonStream walks a JSON file token by token; only one message at a time is in
// memory. Its errors name the byte.
type jsonStream struct {
	ctx   context.Context
	dec   *json.Decoder
	file  io.ReadCloser
	guard *guard
	depth int
}

// guard bounds what the decoder reads without handing over a value.
type guard struct {
	r    io.Reader
	left int64
}

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, fmt.Errorf("%w: one value above the limit of %d MiB", ErrTooLong, maxMessage>>20)
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	return n, err
}

func openJSON(ctx context.Context, src *source) (*jsonStream, error) {
	f, err := src.open()
	if err != nil {
		return nil, err
	}
	g := &guard{r: f, left: maxMessage}
	return &jsonStream{ctx: ctx, dec: json.NewDecoder(g), file: f, guard: g}, nil
}

func (j *jsonStream) close() { _ = j.file.Close() }

// fault places an error.
func (j *jsonStream) fault(err error) error {
	switch {
	case errors.Is(err, ErrTooLong), errors.Is(err, ErrHostile), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("byte %d: %w", j.dec.InputOffset(), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("byte %d: %w: the file is cut off; export it again", j.dec.InputOffset(), ErrFormat)
	case errors.Is(err, ErrFormat):
		return err
	}
	if se, ok := errors.AsType[*json.SyntaxError](err); ok && strings.Contains(se.Error(), "max depth") {
		return fmt.Errorf("byte %d: %w", j.dec.InputOffset(), errTooDeep)
	}
	return fmt.Errorf("byte %d: %w: %w", j.dec.InputOffset(), ErrFormat, jsonFault(err))
}

func (j *jsonStream) token() (json.Token, error) {
	j.guard.left = maxMessage
	t, err := j.dec.Token()
	if err != nil {
		return nil, j.fault(err)
	}
	return t, nil
}

// object walks an object; f takes the value of each key, with decode, object,
// list or skip. Anything but an object is passed over: false.
func (j *jsonStream) object(f func(key string) error) error {
	return j.walk('{', func() error {
		t, err := j.token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return j.fault(errors.New("a key is no string"))
		}
		return f(key)
	})
}

// list walks a list; f takes each element.
func (j *jsonStream) list(f func() error) error {
	n := 0
	return j.walk('[', func() error {
		if n++; n%256 == 0 {
			if err := j.ctx.Err(); err != nil {
				return err
			}
		}
		return f()
	})
}

func (j *jsonStream) walk(open json.Delim, f func() error) error {
	t, err := j.token()
	if err != nil {
		return err
	}
	d, ok := t.(json.Delim)
	if !ok {
		return nil // null, or a plain value where a newer export has none
	}
	if d != open {
		return j.rest(1)
	}
	if j.depth++; j.depth > maxDepth {
		return j.fault(errTooDeep)
	}
	for j.dec.More() {
		if err := f(); err != nil {
			return err
		}
	}
	j.depth--
	_, err = j.token()
	return err
}

// skip passes over a value.
func (j *jsonStream) skip() error { return j.rest(0) }

func (j *jsonStream) rest(depth int) error {
	for {
		t, err := j.token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth <= 0 {
			return nil
		}
		if depth > maxDepth {
			return j.fault(errTooDeep)
		}
	}
}

// decode reads one value into v. A value of another type than v's leaves what
// doesn't fit empty: exports of other versions are read as far as they agree.
func (j *jsonStream) decode(v any) error {
	j.guard.left = maxMessage
	err := j.dec.Decode(v)
	if _, other := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !other {
		return j.fault(err)
	}
	return nil
}

// end reports what follows the value of the file.
func (j *jsonStream) end() error {
	j.guard.left = maxMessage
	if _, err := j.dec.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			return fmt.Errorf("byte %d: %w: something follows the export", j.dec.InputOffset(), ErrFormat)
		}
		return j.fault(err)
	}
	return nil
}

// shape is which keys a JSON file has, to know its format by: paths such as
// "chats.list" and "[].mapping", of the first elements of lists only.
type shape struct {
	paths map[string]bool
	text  map[string]string // short strings among them
	deep  bool              // it nests deeper than is looked
}

func (s *shape) has(paths ...string) bool {
	for _, p := range paths {
		if !s.paths[p] {
			return false
		}
	}
	return true
}

// jsonShape looks at the beginning of a JSON file. A file that isn't JSON has an
// empty shape.
func (s *source) jsonShape() *shape {
	if s.shape != nil {
		return s.shape
	}
	s.shape = &shape{paths: map[string]bool{}, text: map[string]string{}}
	if s.whole() || !strings.ContainsRune("[{", firstByte(s.head)) {
		return s.shape
	}
	f, err := s.open()
	if err != nil {
		return s.shape
	}
	defer f.Close()
	w := &shapeWalk{shape: s.shape, dec: json.NewDecoder(io.LimitReader(f, shapeBytes))}
	w.value("", 0)
	return s.shape
}

type shapeWalk struct {
	shape *shape
	dec   *json.Decoder
	nodes int
}

// value walks one value; it reports whether to go on.
func (w *shapeWalk) value(at string, depth int) bool {
	t, err := w.dec.Token()
	if w.nodes++; err != nil || w.nodes > shapeNodes || depth > shapeDepth {
		w.shape.deep = w.shape.deep || err == nil && depth > shapeDepth
		return false
	}
	switch t := t.(type) {
	case string:
		if len(t) <= 80 && w.shape.text[at] == "" {
			w.shape.text[at] = t
		}
	case json.Delim:
		for w.dec.More() {
			next := at + "[]"
			if t == '{' {
				key, err := w.dec.Token()
				name, ok := key.(string)
				if err != nil || !ok {
					return false
				}
				next = name
				if at != "" {
					next = at + "." + name
				}
			}
			w.shape.paths[next] = true
			if !w.value(next, depth+1) {
				return false
			}
		}
		_, err := w.dec.Token()
		return err == nil
	}
	return true
}

// looseString is a string, a number, true, false or null, as a string: apps
// change their mind between versions.
type looseString string

func (s *looseString) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) == 0 || string(b) == "null":
		*s = ""
	case plainString(b):
		*s = looseString(b[1 : len(b)-1])
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(s))
	case b[0] == '{' || b[0] == '[':
		*s = ""
	default:
		*s = looseString(b)
	}
	return nil
}

// plainString reports whether a JSON string stands for what is written between its
// quotes. Most do.
func plainString(b []byte) bool {
	return len(b) >= 2 && b[0] == '"' && b[len(b)-1] == '"' && bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b)
}
