// Package tools serves the agent's verbs over the Model Context Protocol (MCP), on
// stdio and over HTTP: the owner's tools, each in the file of its name,
// resources, prompts and completion, and disclose and remember for recipients
// (recipient.go). It decides nothing about privacy. It turns a call into a verb of package
// agent, and what the verb returns into a bounded result.
//
// # Words
//
//   - A principal ([Principal]) is who speaks over a connection: fixed when a stdio
//     server is made, and over HTTP by the token of each request. No argument and
//     no message changes it. The tools that a connection has depend on it
//     (toolset.go).
//
//   - The border (errors.go, border.go) is where errors end: a client reads a text
//     of a short table, never the text of an error or a panic from inside.
//
//   - The gate (gate.go) stands between a client's lines and the protocol library:
//     it refuses lines that are too long and holds the end of input back until
//     every answer is out.
//
//   - A consent (consent.go) is the owner's own word to one change, as it was shown.
//     The model that drives the connection can't give it.
//
//   - A talk (talk.go) is a call that asks its client something in between (ask.go).
//
//   - The watch (watch.go) tells clients what changed, also by another process.
//
// # What it never does
//
// Nothing but JSON-RPC is written to the output of a stdio server. No log line at a
// level above debug holds an argument, a fact or an answer. No argument says who is
// asking: "as" and "to" are an owner's question about somebody else.
//
// Start reading at [New] and [Server.ServeStdio], and at [NewHTTP].
package tools
