// Package install attaches epagent to MCP clients: it edits their configuration files
// and makes the bundle that some of them install by a click.
//
// A client's file is its user's: an edit changes one entry and leaves every other
// byte, with comments, order and spacing, as it is ([Set], [Remove]). A file that
// can't be read as the client would read it is refused with the place and is never
// written; what was there before is kept beside it ([Plan.Write]).
package install
