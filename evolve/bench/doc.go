// Package bench measures: what each system gives away and tells on benchmark scripts
// ([Run]), and how much of what a question needs a retriever finds ([Locomo]).
//
// # Scripts
//
// A script is an invented life with gold facts and questions. [Check] holds a folder
// against its format and its gold against the calculus. [Run] opens temporary homes for
// the [Contestant]s, asks them through the agent's own verbs, has a [Judge] say which
// facts each answer uses, keeps every item as a [Record] in [Results], and makes
// [Scores] of the records: figures of nothing but what was kept.
//
// A contestant is a configuration of the one pipeline, never a switch in it: w/o Disc is
// the product over facts that everybody may know, NoEngine the product over turns,
// RoleHist over turns that those may know who were there; what projection and guard do
// is taken away by the stages that the agent's options replace. So nothing here can be
// turned on in the product, and what the product does can't drift from what is measured.
//
// Words used here: an item is a line of a task; an answer is one audience's; a unit is
// the facts that a question asks for; a fact is used by an answer that states an
// attributable detail of it. Two judges never see which of them is right: gold decides
// what is allowed, a judge only what is said.
//
// # Conversations
//
// A file is read into conversations and questions ([ReadLocomo]). A [System] is filled
// with a conversation and ranks its turns and sessions for a question; it never sees the
// evidence. A scorer compares rankings with the evidence and gives rows of figures.
//
// Nothing here decides who may know what.
package bench
