// Package engine holds the stages around the calculus of package privacy: what
// turns a person's chats into marks, and verdicts into an answer.
//
// On the way in, an [Annotator] gives draft facts their categories, truth and
// trust, a [Coreferrer] says which of them are about one event, and an
// [Excepter] finds what the owner said about who may know. What they find are
// marks with provenance. [Effective] derives from the stored marks, the event
// rules and the policy's settings the facts that the calculus judges; it is pure
// and holds the rules of MARKS in one place. [Why] tells the same derivation
// mark by mark.
//
// On the way out, a [UnitFinder] matches a question to permitted facts, a
// [Projector] lays out what this listener gets, a [Responder] words it, and a
// [Guard] checks the words against what was denied.
//
// Words used here: a draft is a fact without marks; an utterance is one message
// of a session; a party is a person or group in a list of a fact; a theme is a
// built-in list of everyday words around one part of life, which may widen a
// category's own description.
//
// [Offline] implements every stage with neither network nor model. No stage
// decides who may know something: verdicts are package privacy's alone. Every
// stage fails closed: what it cannot read, resolve or verify ends as no
// category, a closed mark, or a deflection, never as a wider audience.
//
// Start reading at [Effective], then at stages.go for the contracts.
package engine
