// Package thesaurus gives vectors of texts by the relations of words in a
// dictionary: a thesaurus, not a language model. Two texts are near when their words
// are used for the same senses, in the same definitions, or for senses that are
// related: "physician" and "clinic", "salary" and "wage". It knows single English
// words. Names and other languages it knows as such: their vectors say only whether
// the same ones occur.
//
// The vectors are in vectors.bin, which the command in the folder generate makes from
// WordNet 3.0 (by latent semantic analysis: a term's senses, definitions and
// neighbours, positive pointwise mutual information, a truncated singular value
// decomposition). It is derived from WordNet 3.0, Copyright 2006 by Princeton
// University; the licence is in NOTICE, and [Notice] returns it.
//
// A text's vector depends on that text alone. [Model] changes with the file.
package thesaurus
