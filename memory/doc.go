// Package memory keeps what a person's chats say: the sessions with their turns
// (layer F5), the native host's entries and summaries (F0, F3), and the
// event-level facts (F2) that carry the privacy marks. It stores and finds; it
// never decides who may know anything. Whoever recalls for a recipient passes
// in which facts that recipient may know, and nothing else has any influence on
// what comes back.
//
// Words:
//
//   - The record is one SQLite file, see [Open]. Everything in memory, indexes
//     above all, is rebuilt from it. It is written first.
//   - A revision counts the writing transactions of the record. Every process
//     that shares the file compares it with its own copy before it answers.
//   - The history is what facts were before they were changed, so that a verdict
//     can be looked at as of an earlier revision, see [Store.JudgedAt]. It is
//     written when a fact is changed, not when it is stored, and is forgotten with it.
//   - A view is the searchable copy of one kind of text in memory: facts, or the
//     entries of a host. It has a lexical side (BM25) and a vector side
//     ([Index]).
//   - A tombstone is a keyed hash of something forgotten. It keeps an import
//     from bringing it back, and tells nothing by itself.
//
// Start reading at [Store.Apply] for the way in, [Recaller.Facts] for the way
// out and [Store.Forget] for the way into nothing.
package memory
