// Package bench measures: how much of what a question needs a retriever finds
// ([Locomo]).
//
// A measure is made of three parts that don't know each other. A file is read
// into conversations and questions ([ReadLocomo]). A [System] is filled with a
// conversation and ranks its turns and sessions for a question; it never sees the
// evidence. A scorer compares rankings with the evidence and gives rows of
// figures, which a command prints.
//
// Nothing here decides who may know what: systems rank in the owner's view.
package bench
