package engine

import (
	"regexp"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// What the owner passes on of somebody's confidence stays one (MARKS 9).

var (
	confidedToMe = rule{w("confid told trusted swor made asked begged wants let secret secrecy promise"), regexp.MustCompile(`\b(?:he|she|they|who|[\p{L}'-]+)(?:'s|'d| has| have| had)?(?: (?:only|just|even|actually|also|privately|secretly|quietly))* (?:told me|told us|let me know|let me in on|admitted to me|said to me|mentioned to me)\b[^.]{0,60}?\b(?:in (?:strict |strictest |complete |total |deepest )?confidence|confidentially|in secret|in private|privately|as a secret|between us|off the record|under the seal)\b|\b(?:confided|has confided|entrusted)\b[^.]{0,40}?\b(?:in me|to me|me with)\b|\b(?:secretly|privately|confidentially) told me\b|\b(?:swore|sworn) (?:me|us) to secrecy\b|\bmade (?:me|us) (?:promise|swear)(?: that i (?:won't|wouldn't)| not)\b[^.]{0,20}?\b(?:tell|say|talk|repeat|breathe|mention)\b|\b(?:asked|begged|wants|wanted|told|implored) (?:me|us) (?:not to|never to|to not) (?:tell|say|mention|repeat|share|talk|breathe|pass)\b|\b(?:asked|begged|wants|wanted|told) (?:me|us) to (?:keep (?:it|this|that|quiet|mum)|stay quiet|be discreet)\b|\b(?:i|we) promised (?:(?:him|her|them|[\p{L}'-]+) )?(?:not to (?:tell|say|share|repeat|mention)|(?:i|we)(?:'d| would) (?:keep it|not tell|never tell|stay quiet)|i wouldn't (?:tell|say|share|repeat|mention))|\b(?:it's|this is|that's|it is) (?:(?:his|her|their)|[\p{L}-]+'s) secret\b|\btold me (?:it|this|that) (?:as a secret|is a secret|was a secret)\b`)}
	zhConfided   = rule{w("告诉我 跟我说 和我说 让我 叫我 求我 嘱咐我 不让我 答应 托我 对我说 秘密"), regexp.MustCompile(`(?:偷偷|私下|私底下|悄悄|秘密|暗地里|只)(?:地)?(?:告诉|跟|和|对)我|(?:让|叫|求|嘱咐|要|请|拜托|叮嘱|托)我(?:一定|千万|先|帮[他她]|替[他她]|给[他她])*(?:保密|别|不要|不能|不许|瞒)|不(?:让|许|准)我(?:说|讲|告诉|提|往外|外传)|我(?:答应|保证)(?:了|过)?[^，,。]{0,8}(?:不说|保密|不告诉|不讲|不外传|谁也不)|(?:他|她|人家)的秘密|告诉我(?:的)?(?:秘密|时[^，,。]{0,6}保密)`)}
)

// passedOn reports whether the owner's draft r hands on what somebody else told in
// confidence, with the turn that says so and who told it, "" where that isn't sure.
func (t *talk) passedOn(a *audience, r *privacy.Record) (teller, turn string, ok bool) {
	if !r.OwnerSaid {
		return "", "", false
	}
	for _, id := range r.Evidence {
		i, known := t.at[id]
		if !known || !t.s.Utterances[i].Owner {
			continue
		}
		at := i
		c := t.confidence(a, i)
		if !c.found {
			// "Anna is ill." – "She told me in confidence."
			next := t.ownersNext(i)
			if next < 0 || len(t.owners(next)) > 0 && !goesOn.MatchString(t.turn(next).folded) {
				continue
			}
			if c, at = t.confidence(a, next), next; !c.found {
				continue
			}
		}
		who := c.who
		if len(who) == 0 && at != i {
			who = t.named(a, i)
		}
		turn = t.s.Utterances[at].ID
		switch {
		case len(who) == 1:
			return string(who[0]), turn, true
		case r.Subject != "" && !a.p.IsOwner(r.Subject):
			return partyName(a.p, r.Subject), turn, true
		}
		return "", turn, true
	}
	return "", "", false
}

// goesOn begins a message that is about whoever was spoken of before.
var goesOn = regexp.MustCompile(`^\s*(?:(?:and|but|so|well)[ ,]+)?(?:he|she|they|it's|it is|that's)\b|^\s*(?:他|她|这是)`)

// entrusted is what an utterance says of a confidence that it passes on.
type entrusted struct {
	found, read bool
	who         []privacy.PersonID // named where it says so, or before
}

// confidence returns what utterance i says of a confidence, found once.
func (t *talk) confidence(a *audience, i int) entrusted {
	u := t.turn(i)
	if !u.entrusted.read {
		u.entrusted.read = true
		if loc := confidedIn(u.folded); loc != nil {
			u.entrusted.found = true
			u.entrusted.who = a.lastNamed(u.folded[:min(len(u.folded), loc[0]+wordEnd(u.folded[loc[0]:]))])
		}
	}
	return u.entrusted
}

func confidedIn(folded string) []int {
	if loc := confidedToMe.find(folded); loc != nil {
		return loc
	}
	return zhConfided.find(folded)
}

// wordEnd returns where the first word of s ends.
func wordEnd(s string) int {
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return i
	}
	return len(s)
}
