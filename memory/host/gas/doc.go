// Package gas is a native host in the manner of MemGAS, written
// from the paper's description: it looks at a session at four grains, ties sessions
// that are alike at any of them, and lets a question walk along the ties.
//
//   - Grains ([Grain]): the whole session, its turns, its summary, its keywords. Each is
//     a node of one graph.
//   - Association, when a session is added: a node's likeness to all nodes of earlier
//     sessions; the best of these are split by a mixture of two Gaussians ([accepted]),
//     and the node is tied to the upper group.
//   - Router, for a question: the surer a grain is about which session is meant, the
//     more it counts ([route]).
//   - Walk: personalised PageRank from the best nodes ([walk]). A session's score is
//     what its four nodes hold.
//
// Event facts are a fifth channel ([Host.EventSessions]), a second walk beside the
// native one: with β = 0 nothing of it is computed.
//
// All of this is over everything that is stored, so it is the owner's view. A
// recipient's ranking is that of the event facts alone, see memory.Recaller.
package gas
