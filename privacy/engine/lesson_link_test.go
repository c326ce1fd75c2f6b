package engine_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

func linkBy(step float64, language string) engine.Lesson {
	return engine.Lesson{Kind: engine.LessonBound, Lang: language, Of: "link", Step: step}
}

// TestLink: a lesson moves the bound by which a statement joins an event, for texts of its
// language alone.
func TestLink(t *testing.T) {
	known := engine.NewEvents()
	filler(known, 60)
	known.Add(draft("gallery", "Nora booked the harbour gallery for the lantern exhibition."))
	known.Add(draft("lease", "Nora signed the lease of the bakery on Elm Street."))
	for i := range 60 {
		known.Add(draft(fmt.Sprint("y", i), fmt.Sprintf("知夏第%d天晚上出门散步，买了些水果回家。", 100+i)))
	}
	known.Add(draft("mianshi", "知夏2026年3月5日去澜城设计院参加面试。"))
	for _, c := range []struct {
		name, text string
		lesson     engine.Lesson
		want       string
	}{
		{"left apart", "Nora bought lantern oil at the harbour shop.", engine.Lesson{}, "enew"},
		{"readier", "Nora bought lantern oil at the harbour shop.", linkBy(-0.12, "en"), "egallery"},
		{"readier in another language", "Nora bought lantern oil at the harbour shop.", linkBy(-0.12, "zh"), "enew"},
		{"joined", "A lorry skidded on Elm Street and shattered the window of the bakery.", engine.Lesson{}, "elease"},
		{"stricter", "A lorry skidded on Elm Street and shattered the window of the bakery.", linkBy(0.28, "en"), "enew"},
		{"stricter in another language", "A lorry skidded on Elm Street and shattered the window of the bakery.", linkBy(0.28, "zh"), "elease"},
		{"what is repeated stays together", "Nora signed the lease of the bakery on Elm Street.", linkBy(0.28, "en"), "elease"},
		{"a correction stays with what it corrects", "Actually Nora didn't sign the lease of the bakery.", linkBy(0.28, "en"), "elease"},
		{"joined in Chinese", "澜城设计院3月5日的面试，知夏觉得没发挥好。", linkBy(0.28, "en"), "emianshi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			marks, err := engine.NewOffline(c.lesson).Corefer(t.Context(), []privacy.Record{draft("new", c.text)}, known)
			if err != nil || marks[0].Value != c.want {
				t.Errorf("%+v, %v; want %s", marks, err, c.want)
			}
		})
	}
}

// TestLinkIsMonotone: what joins an event joins the same one where less is asked for, and
// what joins none joins none where more is.
func TestLinkIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Z][a-z]{2,5} (met|left|sold) (a|the) (boat|barn|lamp|coat) (in|by|with) [A-Z][a-z]{2,5} on [1-9] May`)
		known := engine.NewEvents()
		for i, s := range rapid.SliceOfN(text, 0, 16).Draw(t, "known") {
			known.Add(draft(fmt.Sprint("k", i), s))
		}
		least, most, now := engine.Reach("link")
		steps := rapid.SliceOfN(rapid.Float64Range(least-now, most-now), 2, 2).Draw(t, "steps")
		less, more := min(steps[0], steps[1]), max(steps[0], steps[1])
		d := []privacy.Record{draft("new", text.Draw(t, "draft"))}
		readier, errA := engine.NewOffline(linkBy(less, "en")).Corefer(t.Context(), d, known)
		stricter, errB := engine.NewOffline(linkBy(more, "en")).Corefer(t.Context(), d, known)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if stricter[0].Value != "enew" && readier[0].Value != stricter[0].Value {
			t.Fatalf("by %+.2f it joins %s, by %+.2f %s", more, stricter[0].Value, less, readier[0].Value)
		}
	})
}

// TestLinkOpensEitherWay: joining an event lets in whom it lends, and what is apart from it
// isn't bound by what the owner said of it; so neither way can only close.
func TestLinkOpensEitherWay(t *testing.T) {
	p, err := privacy.Parse("policy.yaml", []byte(lessonPolicy))
	if err != nil {
		t.Fatal(err)
	}
	first := draft("first", "Nora booked the harbour gallery for the lantern exhibition.")
	later := draft("later", "Nora bought lantern oil at the harbour shop.")
	allows := func(step float64, who string, extra []privacy.Mark, rules ...privacy.EventRule) bool {
		t.Helper()
		var out []privacy.Record
		known := engine.NewEvents()
		filler(known, 60)
		o := engine.NewOffline(linkBy(step, "en"))
		for i, r := range []privacy.Record{first, later} {
			marks, err := o.Corefer(t.Context(), []privacy.Record{r}, known)
			if err != nil {
				t.Fatal(err)
			}
			r.Marks = append(marks,
				privacy.Mark{Kind: privacy.MarkCategory, Value: "quay", By: privacy.ByMachine}, privacy.Mark{Kind: privacy.MarkTruth, Value: privacy.Real.String(), By: privacy.ByMachine},
				privacy.Mark{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByMachine})
			if i == 0 {
				r.Marks = append(r.Marks, extra...)
			}
			known.Add(r)
			out = append(out, r)
		}
		j := privacy.NewJudge(p, engine.ApplyRules(p, out, engine.Effective(p, out, rules), time.Time{}))
		return j.VerdictOf("later", p.Recipient(who)).Allow
	}
	grant := []privacy.Mark{{Kind: privacy.MarkWhitelist, Value: "Bo Marsh", By: privacy.BySpoken}}
	if allows(0.1, "Bo Marsh", grant) || !allows(-0.12, "Bo Marsh", grant) {
		t.Error("joining its event lets nobody in")
	}
	deny := privacy.EventRule{ID: "r", Event: "efirst", Kind: privacy.MarkBlacklist, Value: "Cy Tarn", By: privacy.BySpoken}
	if allows(-0.12, "Cy Tarn", nil, deny) || !allows(0.1, "Cy Tarn", nil, deny) {
		t.Error("apart from its event it is as closed as with it")
	}
	for _, step := range []float64{-0.12, 0.1} {
		if l := linkBy(step, "en"); l.OnlyCloses(p) {
			t.Errorf("%s is taken to close alone", l.Text())
		}
	}
}
