package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// line is one message of a made-up session: who says it ("" is the owner) and the
// drafts that were made of it.
type line struct {
	by, text string
	drafts   []string
}

// spokenMarks runs the excepter and returns, for each draft in order, its text and
// marks in short form.
func spokenMarks(t testing.TB, p *privacy.Policy, listener string, lines ...line) []string {
	t.Helper()
	s := engine.Session{ID: "s"}
	for i, l := range lines {
		u := engine.Utterance{ID: fmt.Sprint("u", i), Speaker: l.by, Owner: l.by == "", Listeners: []string{listener}, Text: l.text}
		s.Utterances = append(s.Utterances, u)
		for _, d := range l.drafts {
			id := fmt.Sprint("f", len(s.Drafts))
			s.Drafts = append(s.Drafts, privacy.Record{ID: privacy.FactID(id), Text: d, OwnerSaid: u.Owner, Evidence: []string{u.ID},
				Marks: []privacy.Mark{{Kind: privacy.MarkEvent, Value: "e" + id, By: privacy.ByMachine}}})
		}
	}
	marks, _, err := engine.NewOffline().Exceptions(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range s.Drafts {
		out = append(out, strings.TrimSpace(s.Drafts[i].Text+" "+short(marks[i])))
	}
	return out
}

// TestMatter: a sentence about who may know concerns what was said before it. A
// restriction binds its own utterance as well, a grant does not.
func TestMatter(t *testing.T) {
	en, zh := mustPolicy(t, worldPolicy), mustPolicy(t, shijiePolicy)
	for _, tt := range []struct {
		name   string
		policy *privacy.Policy
		lines  []line
		want   []string
	}{
		{"a grant with an afterthought", en, []line{
			{"", "We won the tender in Malmö.", []string{"Nora won the tender in Malmö."}},
			{"", "You can tell the pod, they worked for it.", []string{"They worked for it."}},
		}, []string{"Nora won the tender in Malmö. +imke +tuan", "They worked for it."}},
		{"the same in one message", en, []line{
			{"", "We won the tender in Malmö. You can tell the pod, they worked for it.", []string{"Nora won the tender in Malmö.", "They worked for it."}},
		}, []string{"Nora won the tender in Malmö. +imke +tuan", "They worked for it."}},
		{"a grant before a reason", en, []line{
			{"", "I sold the boat.", []string{"Nora sold the boat."}},
			{"", "you can tell Imke because she asked about the price", []string{"Imke asked about the price."}},
		}, []string{"Nora sold the boat. +imke", "Imke asked about the price."}},
		{"a grant that says for what", en, []line{
			{"", "I sold the boat.", []string{"Nora sold the boat."}},
			{"", "you can tell Imke that I signed the lease", []string{"Nora signed the lease."}},
		}, []string{"Nora sold the boat. ~imke", "Nora signed the lease. ! +imke"}},
		{"a grant at the end of its sentence", en, []line{
			{"", "I signed the lease and you can tell Imke", []string{"Nora signed the lease."}},
		}, []string{"Nora signed the lease. +imke"}},
		{"a grant for nothing that was said", en, []line{
			{"", "You can tell Imke. The weather is lovely.", []string{"The weather is lovely."}},
		}, []string{"The weather is lovely. ?"}},
		{"a grant between other people's words", en, []line{
			{"", "I sold the boat.", []string{"Nora sold the boat."}},
			{"Kit", "You never liked it.", []string{"Nora never liked the boat."}},
			{"", "You can tell Imke.", nil},
		}, []string{"Nora sold the boat. +imke", "Nora never liked the boat."}},
		{"a denial with a reason", en, []line{
			{"", "I fell off the roof.", []string{"Nora fell off the roof."}},
			{"", "Don't tell Mum, she would worry.", []string{"Gerda would worry."}},
		}, []string{"Nora fell off the roof. -gerda", "Gerda would worry. -gerda"}},
		{"a denial that says of what", en, []line{
			{"", "I sold the boat.", []string{"Nora sold the boat."}},
			{"", "Don't tell Mum I fell off the roof", []string{"Nora fell off the roof."}},
		}, []string{"Nora sold the boat.", "Nora fell off the roof. -gerda"}},
		{"a denial first, the matter after", en, []line{
			{"", "Don't tell Mum. I fell off the roof.", []string{"Nora fell off the roof."}},
		}, []string{"Nora fell off the roof. -gerda"}},
		{"a denial that opens the session", en, []line{
			{"", "Don't tell Mum, she would worry.", []string{"Gerda would worry."}},
			{"", "I fell off the roof.", []string{"Nora fell off the roof."}},
		}, []string{"Gerda would worry. -gerda", "Nora fell off the roof. -gerda"}},
		{"closed with an afterthought", en, []line{
			{"", "I fell off the roof.", []string{"Nora fell off the roof."}},
			{"", "Only you and Imke know, she drove me home.", []string{"Imke drove Nora home."}},
		}, []string{"Nora fell off the roof. ! +imke +kit", "Imke drove Nora home. ! +kit"}},
		{"可以说", zh, []line{
			{"", "我们的方案中标了。", []string{"知夏的方案中标了。"}},
			{"", "你可以告诉许晴，她也熬了好几夜。", []string{"许晴熬了好几夜。"}},
		}, []string{"知夏的方案中标了。 +xu", "许晴熬了好几夜。"}},
		{"别说", zh, []line{
			{"", "我把车撞了。", []string{"知夏把车撞了。"}},
			{"", "别告诉我妈，她血压高。", []string{"周玉兰血压高。"}},
		}, []string{"知夏把车撞了。 -mama", "周玉兰血压高。 -mama"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listener := "Kit"
			if tt.policy == zh {
				listener = "高翔"
			}
			if diff := cmp.Diff(tt.want, spokenMarks(t, tt.policy, listener, tt.lines...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
