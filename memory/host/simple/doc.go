// Package simple is the first native host: every message is an entry (F0), and a
// session's summary (F3) is cut from its own words. It needs no model and keeps
// its layers in the sidecar's record, where it also searches them.
package simple
