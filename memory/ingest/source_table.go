package ingest

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// rows calls f with each row of a table of comma-separated values, numbered from 1,
// and the line at which it begins. The slice is valid until f returns. It stops at f's
// first error. A field that isn't UTF-8, a NUL, a row above maxMessage, and a quotation
// mark too few or too many are errors that name the place.
func (s *source) rows(ctx context.Context, f func(n, line int, row []string) error) error {
	file, err := s.openText()
	if err != nil {
		return err
	}
	defer file.Close()
	g := &guard{r: file, left: maxMessage}
	r := csv.NewReader(g)
	r.FieldsPerRecord, r.ReuseRecord = -1, true // a row of another length is f's to judge
	for n := 1; ; n++ {
		if n%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		g.left = maxMessage
		row, err := r.Read()
		switch pe, parsed := errors.AsType[*csv.ParseError](err); {
		case errors.Is(err, io.EOF):
			return nil
		case parsed:
			return fmt.Errorf("line %d: %w: a quotation mark is missing or doubled; the file is damaged, export it again", pe.StartLine, ErrFormat)
		case err != nil:
			return fmt.Errorf("row %d: %w", n, err)
		}
		line, _ := r.FieldPos(0)
		for i, field := range row {
			if err := isText([]byte(field)); err != nil {
				line, _ := r.FieldPos(i)
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
		if err := f(n, line, row); err != nil {
			return err
		}
	}
}
