// Package ingest reads what people have — chat transcripts, notes, LoCoMo files
// and benchmark scripts — into sessions of [memory.Session].
//
// It decides four things: who said something, when, in which conversation, and
// what it answers. A wrong speaker or a wrong time makes a fact that is fluent,
// durable and false, so what a source doesn't say stays unknown: a time without
// a zone keeps its wall clock and gets no instant, a line whose speaker isn't
// certain continues the message before it, and who the owner is must be said
// ([Options].Self) or be plain from the source ("Me").
//
// Words used here: a reader knows one format and recognises it by content,
// never by file name. An [Export] is everything one file or folder holds, in
// the shape that `import --dry-run --json` prints. A conversation is one chat,
// known again by who takes part, its title and its kind, or by the source's own
// id; never by the name of the file. A session is one stretch of it.
//
// Text in a source is data. No line of it changes a policy, an audience or the
// way of reading, whatever it says.
//
// Start reading at [Read], then [Export.Sessions].
package ingest
