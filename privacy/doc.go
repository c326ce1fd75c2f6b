// Package privacy decides who may know which fact of a person's life. It is the
// disclosure calculus: values in, verdicts out. It knows no storage, model or
// network, and takes no context, clock, randomness or logger; two calls with the
// same arguments give the same answer.
//
// # Words
//
// The owner is the person whose life it is. A recipient is somebody who asks, or
// to whom something would be told.
//
//   - A group of people stands at a tier, 1 (closest) to 4, and perhaps in a
//     domain of life such as work. A person has one position (tier, domain) for
//     each of their groups. A higher tier means less trust.
//   - A category says what kind of fact something is. It has a level, L0 to L4,
//     and perhaps a domain. A deeper level has the smaller audience: L0 is for
//     nobody by default, and L4 without a domain is for anyone.
//   - A label is a level with a domain. The label of a fact is the meet of the
//     labels of its categories: the privacy ceiling, which lets nobody pass whom
//     one of them would stop. See [Meet].
//   - Marks are what a [Fact] says about itself beyond its categories: a label set
//     by the owner's hand, whitelist and blacklist, the reserved list, closed,
//     event, truth, and whether it is trusted.
//   - The facts of one event lend each other their whitelists, within limits: who
//     was told of the wedding may hear of the wedding dress.
//   - A unit is a set of facts whose connection is asked for. It is judged under
//     the meet of all its labels, for two harmless facts can be telling together.
//   - A rule is an exception that the owner writes into the policy, for the facts
//     that meet its conditions. It becomes marks of those facts.
//   - A combination is a set of categories and rules that together reveal
//     something; a circle is a set of people who talk to each other.
//   - A verdict allows or denies, with a [Reason] of one word.
//
// # What is decided, and in which order
//
// [Judge.Verdict] asks, for one fact and one recipient:
//
//  1. Is it the owner's own connection? Then allow: owner.
//  2. Does the blacklist name them, or are they unknown where there is any
//     blacklist? Then deny: blacklisted.
//  3. Are they known and in the effective whitelist? Then allow: whitelisted.
//  4. Is the fact closed? Then deny: closed.
//  5. Does the reserved list name them? Then deny: reserved.
//  6. Does some position of theirs pass the label's default gate? Allow: default.
//     Else deny: level0 (nobody passes), cross_domain (no position in a domain
//     that fits) or deeper (one fits, its tier is too far).
//
// A blacklist therefore beats a whitelist, and a whitelist beats everything else.
// A connection may be capped at a tier; where the cap is what denies, the word is
// capped. [Judge.Unit] judges a unit, [Judge.Audience] a message that several
// people read, [Judge.Combine] such a message fact by fact, with what its readers
// were told before and the combinations of the policy, and [Judge.Explain] says how
// a verdict came about.
//
// # What an owner asks
//
// [Judge.Who] lists who may know a fact, [Judge.Knows] what somebody may know,
// [Policy.Audience] who gets a category. [Changes] finds the single changes that
// would turn a verdict, with what else they would open. [Plan] is the difference in
// outcomes between two policies or stores. [Policy.Edit] changes the text of a
// policy and nothing else in it. [Policy.Lint] finds what is suspicious, and
// [Tests] are assertions beside the policy.
//
// # Who is who
//
// Names are compared in the form that [NormalizeName] gives, so that one person
// under several spellings is one person. Lists may name people by id, name or
// alias, and groups as group:ID; they are resolved when a store is compiled with
// [NewJudge], never before. Nobody becomes the owner by a name: the owner is a
// kind of connection, [OwnerPrincipal]. A recipient called like the owner is
// unknown. A name that merely looks like somebody's is unknown too, and where the
// owner types it, [Policy.Lookup] refuses and names the likely one.
//
// # How it fails
//
// Closed. The zero [Verdict] denies, the zero [Label] is L0, the zero [Recipient]
// is unknown, the zero [Tier] passes nothing. A category that the policy doesn't
// define is L0. A whitelist entry that names nobody grants nothing; a blacklist or
// reserved entry that names nobody closes its fact, since whom it was to keep out
// can't be told any more. An unknown or ambiguous fact is unjudged. A policy file
// with any fault gives no policy at all but the list of all faults.
//
// # What it never does
//
// It never reads what a fact says: a [Fact] has no text. It never decides what a
// fact is about, who said it or whether it is true; those are marks, and package
// engine makes them. It never changes a verdict by how much is known or by the
// order in which facts are stored; what was told before counts in [Judge.Combine]
// alone, and only to deny. The settings of a
// policy ([Settings]) steer how marks are made and how permitted facts are told,
// not the calculus.
//
// # One edge
//
// Edits that tighten (a deny, reserved, closed, a lower level, a higher tier, a
// forgotten fact) never let anybody in, with one exception that follows from the
// rules: over a link that the engine made and the owner hasn't confirmed, a fact
// lends only if its label is at least as strict as the borrower's, so lowering the
// level of the lender alone can turn lending on (TestEngineLinkEdge). Confirmed
// links lend whatever the labels are.
//
// # Where to start reading
//
// label.go has the lattice, gate.go the default gate, judge.go the order of the
// rules, marks.go labels, lists and lending, recipient.go and names.go who is
// asking, policy.go what a policy is and policy_load.go how a file becomes one,
// combination.go the mosaic, plan.go the difference, edit.go how a file is edited.
//
// Source of the calculus: the EP-Mem paper, arXiv 2609.35233, section "User
// Pre-configured Privacy Policy", §B.1 and §C.2. What the paper leaves open is
// settled here and marked (ours).
package privacy
