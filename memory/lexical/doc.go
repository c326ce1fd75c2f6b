// Package lexical turns text into index terms, sentences and a guess at its
// language, without a model. It is the one place that says what counts as a word:
// the lexical view, the hashed vectors and the offline stages all build on it, so
// a question and a fact meet on the same terms whatever stage compares them.
//
//   - [Terms] gives what is indexed: folded, stop words out, stemmed; for scripts
//     without spaces, character bigrams (no dictionary needed).
//   - [Words] gives the same tokens before stop words and stems.
//   - [Sentences] cuts text at ends of sentences, not at "Dr." or "0.2".
//   - [Language] names the language of a text, [FallbackLanguage] if nothing tells.
//
// Stems are English (Porter 2) for every text in Latin letters. A stem that
// depended on a guessed language would keep a German question from finding a name
// in an English fact.
//
// [Version] changes whenever the terms of any text change; stores keep it beside
// what they derived from terms.
package lexical
