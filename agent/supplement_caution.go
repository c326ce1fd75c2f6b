package agent

import (
	"encoding/json"
	"fmt"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/thesaurus"
	"github.com/epagent/epagent/privacy/engine"
)

// cautions are what the owner should look at before a supplement comes in force: a word
// that no dictionary has may be somebody's name, and no list has all names.
func cautions(s memory.StoredSupplement) []string {
	var l engine.Lesson
	if len(s.Lesson) == 0 || json.Unmarshal(s.Lesson, &l) != nil || l.Term == "" || l.Kind == engine.LessonSign || thesaurus.Has(l.Term) {
		return nil
	}
	return []string{fmt.Sprintf("%q is in no dictionary that is here: see that it isn't somebody's name", l.Term)}
}
