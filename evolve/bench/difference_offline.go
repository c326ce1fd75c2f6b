package bench

import (
	"context"
	"strings"
)

// Difference implements [Judge]. A unit is a sentence that says something beyond the
// question; units of which each says most of the other are one, with their amounts
// and days equal. Introductions and deflections are none.
func (j *OfflineJudge) Difference(ctx context.Context, question string, owner []string, answers []Told) (float64, error) {
	given := j.given(question, owner)
	type unit struct {
		telling
		people map[string]bool
	}
	var units []*unit
	for _, a := range answers {
		if a.Deflects {
			continue
		}
		for _, sentence := range sentencesOf(a.Answer) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if strings.HasSuffix(sentence, ":") || strings.HasSuffix(sentence, "：") {
				continue
			}
			t := j.telling(j.read(sentence), given)
			if len(t.parts) == 0 {
				continue
			}
			var same *unit
			for _, u := range units {
				if j.equivalent(t, u.telling) {
					same = u
					break
				}
			}
			if same == nil {
				same = &unit{t, map[string]bool{}}
				units = append(units, same)
			}
			same.people[a.Person] = true
		}
	}
	if len(units) == 0 {
		return 0, nil
	}
	alone := 0
	for _, u := range units {
		if len(u.people) == 1 {
			alone++
		}
	}
	return float64(alone) / float64(len(units)), nil
}

// equivalent reports whether two units say the same.
func (j *OfflineJudge) equivalent(a, b telling) bool {
	ab, ba := j.share(a, b.statement), j.share(b, a.statement)
	return min(ab, ba) >= sameUnit && !turned(a.statement, b.statement) &&
		within(specifics{amounts: a.specific().amounts, days: a.specific().days}, b.statement) &&
		within(specifics{amounts: b.specific().amounts, days: b.specific().days}, a.statement)
}
