package engine

// OnlyCloses reports whether the lesson can let nobody know more, whatever is said
// later: by what kinds of lessons do, not by what they did to the facts at hand. A
// statement without a category is for nobody, so whatever may place one can open it; and
// of several categories each closes, so whatever may take one away can open, too.
func (l Lesson) OnlyCloses() bool {
	switch l.Kind {
	case LessonSign:
		return true // it joins what is no looser to what is placed
	case LessonBound:
		switch l.Of {
		case "threshold", "open": // more evidence, or no category
			return l.Step > 0
		case "margin", "equal", "looser": // more categories join
			return l.Step > 0
		case "whole": // fewer questions ask for anything
			return l.Step > 0
		}
	}
	return false
}
