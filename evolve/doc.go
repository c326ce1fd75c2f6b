// Package evolve learns from what the owner says was wrong, and does by itself only what
// can but close.
//
// Feedback is tied to its trace and diagnosed: which key stage is at fault ([Finding]).
// From findings come candidates ([Supplement]): a note for a stage that runs on a
// model, or a lesson for one that runs offline. A [Gate] tries each candidate over the
// kept cases ([Case]) and over every stored fact and person. What makes its target
// better, nothing worse, no audience wider, and by its kind can open nothing that is
// said later, is taken; all else that is of use is shown to the owner as a diff of
// outcomes, and waits for them. The active set
// has numbered versions, and any of them can be brought back.
//
// Words used here: a supplement is what one stage learned; a candidate is one that
// nobody has judged; the active set is what is in force, a numbered version; to widen
// is to let somebody know a fact that they might not know before.
//
// It never changes the fixed part of a prompt or the calculus, never takes a word from
// what a recipient wrote, and never loosens without the owner.
//
// Start reading at [Supplement], then [Gate].
package evolve
