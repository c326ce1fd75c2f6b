// Package simple is a native host in the manner of SimpleMem, written
// from the paper's description: a session is kept as atomic entries (F0) with keywords,
// time, persons, place and topic, and a summary (F3). Offline every message is an
// entry; a [Writer] writes them by windows. Entries are found in three views at once,
// see memory.EntryView: by meaning (the vectors), by words (with neighbours and
// sessions), and by what they are marked with (persons and times). The paper leaves the
// final ranking open; here it is one sum, the same for the same store and question.
package simple
