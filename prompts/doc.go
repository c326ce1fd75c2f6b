// Package prompts holds the key stages that a chat model may run, and the one typed
// call that runs them.
//
// A key stage ([Stage]) has a name, a fixed system template for each language, typed
// input and output, a JSON schema of the output, and room for supplements: short
// texts that evolution learns and that stand below the fixed part. The fixed part is
// sent byte for byte with every call (TestFixedPart), before everything else in the
// system message; nothing that a user, a chat or a supplement says can take anything
// away from it. What a stage works on is data: JSON between two marker lines, in a
// message of its own, in which no marker can occur.
//
// [Call] renders a stage, asks, reads the reply as JSON, validates it against the
// schema and against what the caller knows (ids that exist, passages that occur),
// and asks again a bounded number of times with what was wrong. Whatever doesn't
// hold in the end is an error, never a part of a reply: the stages built on it fail
// closed. Errors and logs hold nothing of a prompt or a reply.
//
// The model is any Eino chat model; [Open] makes one for an OpenAI-compatible
// endpoint, and [Embedder] asks such an endpoint for vectors.
//
// Source: EP-Mem, arXiv 2609.35233, "Key-stage evolution" and the appendix on
// prompts; the wording is our own.
package prompts
