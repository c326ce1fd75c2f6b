package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// SupplementKey is equal for two supplements of a stage and language that say the same: a
// lesson, or the text of a note.
func SupplementKey(text string, lesson *engine.Lesson) string {
	if lesson != nil {
		return "lesson\x00" + lesson.Key()
	}
	return "note\x00" + strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// SupplementID is the id of a supplement: that of its content.
func SupplementID(stage, language, key string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00", stage, language, key)
	return "s" + hex.EncodeToString(h.Sum(nil))[:11]
}

var errSupplementID = errors.New("its id is not that of its content")

// admitSupplement is the [memory.Admit] of a backup, which anybody may have written
// since: what its id doesn't answer for is refused, and nothing comes into force by it
// but a lesson that can only close under the policy of the home.
func admitSupplement(x memory.StoredSupplement, p *privacy.Policy) (inForce bool, err error) {
	var lesson *engine.Lesson
	if len(x.Lesson) > 0 {
		lesson = new(engine.Lesson)
		if err := json.Unmarshal(x.Lesson, lesson); err != nil {
			return false, fmt.Errorf("supplement %q: its lesson can't be read", x.ID)
		}
		if key := UnknownKey[engine.Lesson](x.Lesson); key != "" {
			return false, fmt.Errorf("supplement %q: its lesson has the key %q, which this release doesn't know", x.ID, key)
		}
	}
	if x.ID != SupplementID(x.Stage, x.Language, SupplementKey(x.Text, lesson)) {
		return false, fmt.Errorf("supplement %q: %w", x.ID, errSupplementID)
	}
	return lesson != nil && x.Text == "" && lesson.Validate() == nil && lesson.OnlyCloses(p) &&
		x.Stage == lesson.Stage() && x.Language == lesson.Language(), nil
}
