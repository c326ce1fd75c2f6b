// Command generate makes the vectors of package thesaurus from the database files
// of WordNet 3.0 (data.*, cntlist.rev, *.exc), for instance those of Debian's
// package wordnet-base:
//
//	go run ./memory/thesaurus/generate -dict /usr/share/wordnet -out memory/thesaurus/vectors.bin
//
// The same input gives the same bytes on every machine: no product is fused with a
// sum, and every sum has a fixed order.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dict := flag.String("dict", "/usr/share/wordnet", "folder of the database files")
	out := flag.String("out", "vectors.bin", "file to write")
	flag.Parse()
	data, err := Generate(*dict)
	if err == nil {
		err = os.WriteFile(*out, data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}
