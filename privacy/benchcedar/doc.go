// Package benchcedar measures the disclosure calculus beside cedar-go.
package benchcedar
