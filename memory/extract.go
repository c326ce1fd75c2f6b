package memory

import (
	"context"

	"github.com/epagent/epagent/privacy"
)

// Extractor distils a session into event facts (layer F2).
type Extractor interface {
	// Extract returns the facts of s in the order of its turns, without marks:
	// third person, speaker resolved, relative times resolved against when they
	// were said. Evidence names turns of s; ids are unique within s and depend on
	// the evidence alone. It does not change s. An error is ctx's, or says that
	// nothing could be extracted at all; there is no partial result.
	Extract(ctx context.Context, s *Session, o ExtractOptions) ([]privacy.Record, error)
}

// ExtractOptions says how facts call the owner.
type ExtractOptions struct {
	// Owner is how facts call the owner, e.g. "Ines"; "" keeps the source's name.
	Owner string
	// OwnerKnown says that a participant with Owner's name is the owner even
	// where no turn of the session is marked as the owner's. It never makes
	// anybody's words the owner's: only Turn.Self does.
	OwnerKnown bool
	// About is whom the session's statements are about where they name nobody, e.g.
	// "Tomas" for a note of the owner's about Tomas: a "he", "she" or "they" with
	// which a sentence begins stands for About, and so does a subject left out. ""
	// leaves such pronouns as they are.
	About string
}
