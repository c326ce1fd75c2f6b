// Package agent is the delegate: the four verbs remember, recall, disclose and
// partition over one home folder, with the owner's acts around them (correct,
// confirm, forget, review, export). The command line, the MCP server, the
// benchmark and the simulations all go through it; there is one way to disclose.
//
// # Who is asking
//
// A [privacy.Recipient] says who asks. It is made from what the channel knows (a
// flag of the process, a token), never from a message. Methods that show more than
// a recipient may know are the owner's, and say so in their comment.
//
// # One verdict, one state
//
// Every request reads the policy file and the store's revision first and works on
// the world that belongs to the two (world.go): a verdict is computed against one
// policy version and one store revision. A policy file that is broken or missing
// stops every disclosure; the owner may still read.
//
// # The way of a question out
//
// [Agent.Disclose] runs one Eino graph of named nodes (graph.go): identify, recall,
// units, corefer, judge, project, respond, guard, record. Up to judge only
// permitted facts are ranked, so that what a recipient may not know shapes nothing
// that they get; after judge only permitted facts exist. The ledger entry is
// written before the answer is returned.
//
// # Errors
//
// Errors of this package name ids, places and remedies, never what a fact says.
// They are the owner's: a server shows a recipient none of them.
package agent
