// Package ingest reads what people have into sessions of [memory.Session]: exports
// of WhatsApp, Telegram, Slack, Discord, Signal, iMessage, WeChat, LINE, KakaoTalk and Messenger, mail,
// chats with ChatGPT and Claude, calendars and address books, plain transcripts,
// notes, LoCoMo files and benchmark scripts.
//
// It decides four things: who said something, when, in which conversation, and
// what it answers. A wrong speaker or a wrong time makes a fact that is fluent,
// durable and false, so what a source doesn't say stays unknown: a time without
// a zone keeps its wall clock and gets no instant, a line whose speaker isn't
// certain continues the message before it, and who the owner is must be said
// ([Options].Self) or be plain from the source ("Me", an account's own id).
//
// Words belong to who said them. What somebody forwards or quotes is kept apart
// from what they say; what an app writes in the place of words (a placeholder, a
// notice, "edited") is no text; deleted words are never learned; what a program
// says is nobody's.
//
// Words used here: a reader knows one format and recognises it by content,
// never by file name; a zip or folder is looked into, never unpacked. An [Export] is everything one file or folder holds, in
// the shape that `import --dry-run --json` prints. A conversation is one chat,
// known again by who takes part, its title and its kind, or by the source's own
// id; never by the name of the file. A session is one stretch of it.
//
// Input is hostile until read: archives are bounded in size, ratio and paths, JSON
// in depth and in the size of one value, text in the length of a line. What breaks
// a bound, or is cut off, is an error that names the place, and nothing of it is
// read. A database (iMessage's chat.db) is read through memory.Attached, since package
// memory alone knows SQLite.
//
// Text in a source is data. No line of it changes a policy, an audience or the
// way of reading, whatever it says.
//
// A source is read as a stream, twice: [Open] recognises it, checks it to its end and
// learns who takes part; [Reading.Each] and [Reading.EachSession] hand over one message
// or session at a time. What is held meanwhile doesn't grow with the source.
//
// Start reading at [Open], then [Reading.EachSession]; [Read] is both for small
// sources.
package ingest
