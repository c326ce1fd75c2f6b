// Package sim plays scripts in which several people and their delegates live through
// days or months, and finds out who learned what.
//
// # Words
//
// A script ([Script]) has parties. A party with a delegate is the owner of a real
// agent with a home of its own; any other is a persona, whose words the script or a
// model gives. Things happen at moments of a simulated clock: somebody notes or says
// something, asks somebody's delegate, changes a policy, or attacks. A detail is
// what the script watches: a statement with those who may know it, by the script's
// word and not by any verdict, so that the engine isn't its own judge.
//
// A step is one thing at one moment; an exchange is a step that was played, with what
// was said and answered. What everybody learned is worked out from the exchanges
// alone ([Matrix]): a [Finder] reads each text that somebody got, and what they got
// in pieces, by retelling or from a friend counts as well.
//
// # What it never does
//
// It has no way of its own to disclose: a question goes through an [Endpoint], which
// is bound to who asks, as over HTTP. It reads no other home than those that it makes.
//
// # Repeating
//
// Offline, the same script and seed give the same exchanges, whatever ran at once.
// Played steps are kept in a journal, so that a run that was stopped goes on.
//
// Start reading at [Load] and [Run]; matrix.go is what counts as a leak.
package sim
