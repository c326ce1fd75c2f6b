package privacy

import (
	"fmt"
	"strconv"
)

// SetSetting gives a key of the settings a value, as it is written in the file.
type SetSetting struct{ Key, Value string }

// SettingKeys returns the keys of the settings in the order of the documentation.
func SettingKeys() []string { return append([]string{}, settingKeys...) }

func (a SetSetting) intend(m *model) *Problem {
	s := &m.Settings
	switch a.Key {
	case "told_by_owner":
		s.ToldByOwner = ToldByOwner(a.Value)
	case "cover_audience":
		s.CoverAudience = CoverAudience(a.Value)
	case "cover_stories":
		s.CoverStories = CoverStories(a.Value)
	case "untrusted":
		s.Untrusted = Untrusted(a.Value)
	case "ask":
		s.Ask = Ask(a.Value)
	case "label_threshold", "label_margin":
		share, ok := shareOf(a.Value)
		if !ok {
			return &Problem{Message: fmt.Sprintf("%s is %q", a.Key, a.Value), Remedy: "write a number from 0 to 1, e.g. 0.25"}
		}
		if a.Key == "label_margin" {
			s.LabelMargin = share
		} else {
			s.LabelThreshold = share
		}
	default:
		return &Problem{Message: fmt.Sprintf("there is no setting %q", a.Key), Remedy: oneOf(settingKeys)}
	}
	return nil
}

func (a SetSetting) splice(e *editor, _ *model) error {
	value := e.word(a.Value)
	if share, ok := shareOf(a.Value); ok && (a.Key == "label_threshold" || a.Key == "label_margin") {
		value = strconv.FormatFloat(share, 'f', -1, 64)
	}
	settings := pair(e.top, "settings")
	if settings == nil || isNull(settings.Value) {
		return e.setPair(e.top, "settings", e.mapping(a.Key, value))
	}
	return e.setPair(settings.Value, a.Key, value)
}

func shareOf(s string) (float64, bool) {
	share, err := strconv.ParseFloat(s, 64)
	return share, err == nil && share >= 0 && share <= 1
}
