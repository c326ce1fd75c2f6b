// Package examples holds the example data that epagent ships: an invented owner's
// life, with a policy, chats and notes. The demo runs on it, and so can anybody
// who wants to try a command before giving it chats of their own. Nothing in it
// is real.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed mara
var mara embed.FS

// Example is one owner's data and what to try with it.
type Example struct {
	// Files is the example's folder, read-only: policy.yaml, README.md, chats/*.txt
	// (plain transcripts, a file a chat) and notes/*.md (the owner's own notes).
	Files fs.FS
	// Question is worth asking on behalf of each of the Recipients: they may know
	// different things about it.
	Question string
	// Recipients are names of people as the policy has them.
	Recipients []string
}

// Mara returns the example in the folder mara: nine months of a water engineer
// with a few things to keep from a few people. Her README.md says who is who and
// what each recipient may learn.
func Mara() Example {
	files, err := fs.Sub(mara, "mara")
	if err != nil {
		panic(err) // the path is a constant, and valid
	}
	return Example{
		Files:    files,
		Question: "Why was Mara away on 12 May?",
		// Her partner, her boss, her best friend and her mother.
		Recipients: []string{"Elias Roth", "Henrik Solberg", "Sofie Brandt", "Mei Kellner"},
	}
}
