package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Units implements [UnitFinder]. The model sees permitted facts only. What it names
// must be among them; that a question asks for a connection, which can only
// restrict, holds if either the model or the offline stage says so. Without a
// candidate nothing is asked.
func (m *Model) Units(ctx context.Context, question string, candidates []Ranked) (Units, error) {
	offline, err := m.off.Units(ctx, question, candidates)
	if err != nil || len(candidates) == 0 {
		return offline, err
	}
	in := UnitsCall{Language: lexical.Language(question), Question: question}
	for i := range candidates {
		r := &candidates[i].Record
		in.Candidates = append(in.Candidates, NamedText{ID: string(r.ID), Text: statement(r, in.Language), When: toldDay(r)})
	}
	reply, err := m.calls.Units(ctx, in)
	if err != nil {
		return offline, m.FallBack(ctx, "query_units", err)
	}
	out := Units{Connect: reply.Connect || offline.Connect}
	for _, id := range reply.Facts {
		if !slices.ContainsFunc(in.Candidates, func(c NamedText) bool { return c.ID == id }) || slices.Contains(out.Facts, privacy.FactID(id)) {
			return offline, m.FallBack(ctx, "query_units", unusable("it names a fact that it wasn't given, or one twice"))
		}
		out.Facts = append(out.Facts, privacy.FactID(id))
	}
	return out, nil
}

// Project implements [Projector]: the offline projection, whose permitted facts the
// model may put into the language of the question and into a storyline. It may drop
// a fact and add none; what it words anew may bring in no number, no day and, within
// one language, no name. Else the facts stay verbatim, as the offline stage gives
// them. Without a fact nothing is asked.
func (m *Model) Project(ctx context.Context, mat Material) (Context, error) {
	out, err := m.off.Project(ctx, mat)
	if err != nil || len(out.Details) == 0 {
		return out, err
	}
	in := ProjectCall{Language: out.Language, Question: mat.Question, Owner: mat.Owner, Details: namedDetails(out.Details)}
	reply, err := m.calls.Project(ctx, in)
	if err != nil {
		return out, m.FallBack(ctx, "project", err)
	}
	worded := make([]Detail, 0, len(reply.Details))
	for _, r := range reply.Details {
		i := slices.IndexFunc(out.Details, func(d Detail) bool { return string(d.Fact) == r.ID })
		if i < 0 || slices.ContainsFunc(worded, func(d Detail) bool { return string(d.Fact) == r.ID }) || strings.TrimSpace(r.Text) == "" {
			return out, m.FallBack(ctx, "project", unusable("it tells a fact that it wasn't given, or one twice"))
		}
		d := out.Details[i]
		if bringsIn(r.Text, mat.Owner+"\n"+dated(d)) {
			return out, m.FallBack(ctx, "project", unusable("it words a fact with more than the fact says"))
		}
		worded = append(worded, Detail{Fact: d.Fact, Text: strings.Join(strings.Fields(r.Text), " "), When: d.When})
	}
	if len(worded) == 0 {
		return out, nil // nothing left to tell is no rewording
	}
	if bringsIn(reply.Storyline, mat.Owner+"\n"+out.Storyline) {
		return out, m.FallBack(ctx, "project", unusable("its storyline says more than the facts"))
	}
	slices.SortStableFunc(worded, func(a, b Detail) int { return order(out.Details, a.Fact) - order(out.Details, b.Fact) })
	out.Details = worded
	if s := strings.TrimSpace(reply.Storyline); s != "" {
		out.Storyline = s
	}
	return out, nil
}

func order(details []Detail, id privacy.FactID) int {
	return slices.IndexFunc(details, func(d Detail) bool { return d.Fact == id })
}

func namedDetails(details []Detail) []NamedText {
	out := make([]NamedText, len(details))
	for i, d := range details {
		out[i] = NamedText{ID: string(d.Fact), Text: d.Text, When: d.When}
	}
	return out
}

// bringsIn reports whether text has a number or a day that source hasn't, or, where
// both are of one script, a name.
func bringsIn(text, source string) bool {
	t, s := detailsOf(text), detailsOf(source)
	if slices.ContainsFunc(t.dates, func(d string) bool {
		return !slices.ContainsFunc(s.dates, func(x string) bool { return sameDay(x, d) })
	}) {
		return true
	}
	folded := foldText(source)
	if slices.ContainsFunc(t.numbers, func(n string) bool { return !strings.Contains(folded, n) }) {
		return true
	}
	if hasCJK(text) != hasCJK(source) {
		return false // names are written otherwise there
	}
	return slices.ContainsFunc(t.names, func(n string) bool { return !strings.Contains(folded, n) })
}

// Respond implements [Responder]. The call holds the projected context and nothing
// else. Without a detail there is nothing to word: the fixed deflection is the
// answer, and no model is asked, so that denied, forgotten and never known take one
// way. A reply without facts is that deflection too.
func (m *Model) Respond(ctx context.Context, c Context) (Answer, error) {
	offline, err := m.off.Respond(ctx, c)
	if err != nil || len(c.Details) == 0 {
		return offline, err
	}
	in := RespondCall{
		Language: c.Language, Question: c.Question, Owner: c.Owner, Storyline: c.Storyline,
		Details: namedDetails(c.Details), Boundary: c.Boundary, History: c.History,
	}
	for _, kind := range c.Avoid {
		in.Avoid = append(in.Avoid, avoided[kind])
	}
	reply, err := m.calls.Respond(ctx, in)
	if err != nil {
		return offline, m.FallBack(ctx, "respond", err)
	}
	a := Answer{Text: strings.TrimSpace(reply.Answer)}
	for _, id := range reply.Facts {
		if order(c.Details, privacy.FactID(id)) < 0 || slices.Contains(a.Facts, privacy.FactID(id)) {
			return offline, m.FallBack(ctx, "respond", unusable("it names a fact that it wasn't given, or one twice"))
		}
		a.Facts = append(a.Facts, privacy.FactID(id))
	}
	if a.Text == "" || len(a.Facts) == 0 {
		return m.off.Respond(ctx, Context{Language: c.Language, Owner: c.Owner})
	}
	return a, nil
}

// avoided words the kinds of leaks for a responder, which learns no more than the
// kind.
var avoided = map[LeakKind]string{
	LeakDate:     "any date that the details do not give",
	LeakNumber:   "any number that the details do not give",
	LeakName:     "any name that the details do not give",
	LeakWord:     "anything that is worded otherwise than in the details",
	LeakYesNo:    "any yes or no",
	LeakClaim:    "any claim that the details do not state",
	LeakUnjudged: "any claim that the details do not state",
}

// courtesies are what an answer may say beside the facts without saying anything.
const courtesies = `Thanks for asking. Sorry, I can't share more about that, please ask directly. I'm happy to pass on what I know.
Hi, hello, sure, of course. As far as I know, there is nothing else that I can tell you here. I hope this helps, let me know. You're welcome.
谢谢你的关心，不好意思，这个我不方便多说，请直接问本人吧。据我所知，我能告诉你的就是这些。你好，没问题，希望能帮到你。
Danke der Nachfrage. Leider kann ich dazu nicht mehr sagen, bitte direkt fragen. Gern gebe ich weiter, was ich weiß.`

// Check implements [Guard]: the offline check against the denied facts, which no
// model sees, with words of courtesy for nothing said; then, where that found
// nothing and the answer says more than the permitted facts verbatim, the model's:
// does the answer claim what no permitted fact supports? That judge gets the
// permitted facts alone, so it is the same call whether or not anything is denied. An
// answer that it can't judge is unsupported.
func (m *Model) Check(ctx context.Context, out Outgoing) ([]Leak, error) {
	off := out
	off.Question += "\n" + courtesies
	leaks, err := m.off.Check(ctx, off)
	if err != nil || len(leaks) > 0 {
		return leaks, err
	}
	if _, more := remainder(out); !more {
		return nil, nil
	}
	in := ClaimsCall{Language: lexical.Language(out.Question), Question: out.Question, Answer: out.Answer}
	for i := range out.Allowed {
		r := &out.Allowed[i]
		in.Details = append(in.Details, NamedText{ID: string(r.ID), Text: statement(r, in.Language), When: toldDay(r)})
	}
	reply, err := m.calls.Claims(ctx, in)
	if err != nil {
		if err := m.FallBack(ctx, "guard", err); err != nil {
			return nil, err
		}
		return []Leak{{Kind: LeakUnjudged}}, nil
	}
	switch {
	case reply.YesOrNo:
		leaks = append(leaks, Leak{Kind: LeakYesNo, Detail: "a yes or no that no fact supports"})
	case reply.Unsupported > 0:
		leaks = append(leaks, Leak{Kind: LeakClaim, Detail: "a claim that no fact supports"})
	}
	return leaks, nil
}

// CheckOffline is Check without the model: for a fact's own words.
func (m *Model) CheckOffline(ctx context.Context, out Outgoing) ([]Leak, error) {
	return m.off.Check(ctx, out)
}
