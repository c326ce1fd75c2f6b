package privacy_test

import (
	"encoding/json"
	"testing"

	"github.com/epagent/epagent/privacy"
)

func TestLabelJSON(t *testing.T) {
	for label, want := range map[privacy.Label]string{
		{}:                         `{"level":0,"domain":null}`,
		{Level: 2, Domain: "work"}: `{"level":2,"domain":"work"}`,
		{Level: 4}:                 `{"level":4,"domain":null}`,
	} {
		b, err := json.Marshal(label)
		if err != nil || string(b) != want {
			t.Errorf("%s: %s, %v", label, b, err)
		}
		var back privacy.Label
		if err := json.Unmarshal(b, &back); err != nil || back != label {
			t.Errorf("%s reads back as %s, %v", label, back, err)
		}
	}
	for _, bad := range []string{`{"level":5}`, `{"level":-1}`, `{"level":"L1"}`, `[]`} {
		label := privacy.Label{Level: privacy.L1}
		if err := json.Unmarshal([]byte(bad), &label); err == nil {
			t.Errorf("%s reads as %s", bad, label)
		}
	}
}

// TestBadHandLabel: a hand label that is none is L0, whatever its domain.
func TestBadHandLabel(t *testing.T) {
	p := mustParse(t, smallPolicy)
	for _, bad := range []privacy.Label{{Level: 5}, {Level: 255, Domain: "work"}, {Level: 0, Domain: "life"}} {
		f := open("f")
		f.Label = &bad
		j := privacy.NewJudge(p, []privacy.Fact{f})
		if j.Label(0) != (privacy.Label{}) {
			t.Errorf("%v: %s", bad, j.Label(0))
		}
		if v := j.Verdict(0, p.Recipient("Ann")); v.Reason != privacy.ReasonLevel0 {
			t.Errorf("%v: %+v", bad, v)
		}
	}
}
