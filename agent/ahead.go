package agent

import "context"

// ahead runs f for the items 0 to n-1, at most width at once, and hands out the
// results in their order: next returns the result of the next item. What was begun
// ends with ctx. With a width of one nothing runs ahead.
func ahead[T any](ctx context.Context, n, width int, f func(context.Context, int) (T, error)) (next func() (T, error)) {
	type result struct {
		value T
		err   error
	}
	if width <= 1 {
		i := -1
		return func() (T, error) {
			i++
			return f(ctx, i)
		}
	}
	var begun []chan result
	begin := func() {
		i := len(begun)
		done := make(chan result, 1) // it is never blocked, also where nobody asks any more
		begun = append(begun, done)
		go func() {
			value, err := f(ctx, i)
			done <- result{value, err}
		}()
	}
	i := 0
	return func() (T, error) {
		for len(begun) < min(n, i+width) {
			begin()
		}
		r := <-begun[i]
		i++
		return r.value, r.err
	}
}
