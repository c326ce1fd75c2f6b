// Package fakeserver is a local server that speaks the OpenAI-compatible API, for
// tests: it replays shapes of replies that real services give, good and bad. It
// listens on loopback and stops with its Close.
package fakeserver
