package privacy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// The recipients of a test that are no person of the policy.
const (
	anyoneRecipient = "$anyone" // somebody whom the policy doesn't know
	ownerRecipient  = "$owner"  // the owner's own connection
)

var (
	testFileKeys = []string{"tests"}
	testKeys     = []string{"name", "fact", "id", "facts", "together", "told", "to", "expect", "reason"}
	testFactKeys = []string{
		"categories", "label", "whitelist", "blacklist", "reserved", "closed", "event", "truth", "trusted", "about", "mentions",
	}
	toldKeys = []string{"categories", "rules"}
)

// Tests are assertions about a policy, as a file beside it has them.
type Tests struct {
	file  string
	tests []policyTest
}

// policyTest is one assertion.
type policyTest struct {
	name     string
	line     int
	facts    []testFact
	together bool
	told     []CombinationItem
	to       []string
	want     Verdict
	reason   bool // want.Reason is asked for
}

// testFact is a fact of the store by id, or one written down in the test.
type testFact struct {
	id       FactID
	fact     Fact
	about    []string
	mentions []string
}

// TestResult is what became of one assertion. Got and Want are readable words:
// "allow, default".
type TestResult struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
	Pass bool   `json:"pass"`
	Want string `json:"want"`
	Got  string `json:"got"`
	// Detail is a line for each fact and recipient that the verdict rests on, with
	// the reason and label; or what made the test impossible.
	Detail []string `json:"detail,omitempty"`
}

// String returns one line for a test that holds, and a readable difference for one
// that doesn't.
func (r TestResult) String() string {
	if r.Pass {
		return fmt.Sprintf("ok    %s", r.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FAIL  %s\n      %s:%d\n      - %s\n      + %s", r.Name, r.File, r.Line, r.Want, r.Got)
	for _, line := range r.Detail {
		b.WriteString("\n        " + line)
	}
	return b.String()
}

// testLoader reads a file of tests.
type testLoader struct{ *reader }

// ParseTests loads assertions from YAML; name is how problems call the file. The
// error is a *PolicyError with every fault. Whether names, categories and facts
// exist shows when the tests run, since that depends on the policy.
func ParseTests(name string, src []byte) (*Tests, error) {
	l := &testLoader{&reader{file: name, atLeast: "add tests: [{fact: {categories: [ID]}, to: NAME, expect: allow}]"}}
	t := &Tests{file: name}
	if top := l.parse(src); top != nil {
		if o, ok := l.object(top, "the test file", testFileKeys...); ok {
			nodes := l.list(o, "tests")
			if len(nodes) == 0 {
				l.fault(o.line, "add tests: [{fact: {categories: [ID]}, to: NAME, expect: allow}]", "the file has no tests")
			}
			for i, n := range nodes {
				t.tests = append(t.tests, l.test(n, i))
			}
		}
	}
	if len(l.problems) > 0 {
		slices.SortStableFunc(l.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return nil, &PolicyError{Problems: l.problems}
	}
	return t, nil
}

// Len is the number of tests.
func (t *Tests) Len() int { return len(t.tests) }

func (l *testLoader) test(n ast.Node, i int) policyTest {
	o, ok := l.object(n, "test "+strconv.Itoa(i+1), testKeys...)
	if !ok {
		return policyTest{}
	}
	t := policyTest{name: cmp.Or(l.str(o, "name"), o.place), line: o.line, together: l.flag(o, "together")}
	subjects := 0
	if o.has("id") {
		subjects++
		t.facts = append(t.facts, testFact{id: FactID(l.need(o, "id"))})
	}
	if o.has("fact") {
		subjects++
		t.facts = append(t.facts, l.fact(o.fields["fact"], "the fact of "+o.place))
	}
	if o.has("facts") {
		subjects++
		for k, n := range l.list(o, "facts") {
			t.facts = append(t.facts, l.fact(n, "fact "+strconv.Itoa(k+1)+" of "+o.place))
		}
	}
	if subjects != 1 || len(t.facts) == 0 {
		l.fault(o.line, "give one of fact: {categories: [ID]}, id: FACT and facts: [...]", "%s has not exactly one thing to judge", o.place)
	}
	if t.together && !o.has("facts") {
		l.fault(o.lineOf("together"), "write facts: [...] or drop it", "%s has nothing to join", o.place)
	}
	for k, n := range l.list(o, "told") {
		t.told = append(t.told, l.told(n, "told "+strconv.Itoa(k+1)+" of "+o.place))
	}
	if t.together && len(t.told) > 0 {
		l.fault(o.lineOf("told"), "drop together: combinations judge fact by fact", "%s asks for a unit and for a combination", o.place)
	}
	t.to = l.oneOrMore(o, "to")
	if len(t.to) == 0 {
		l.fault(o.lineOf("to"), "add to: NAME, to: $anyone or a list of those who read the message", "%s has no recipient", o.place)
	}
	switch expect := l.need(o, "expect"); expect {
	case "allow", "deny":
		t.want.Allow = expect == "allow"
	case "":
	default:
		l.fault(o.lineOf("expect"), "write allow or deny", "expect of %s is %q", o.place, expect)
	}
	l.reason(o, &t)
	return t
}

func (l *testLoader) reason(o object, t *policyTest) {
	if !o.has("reason") {
		return
	}
	t.reason = true
	word := l.need(o, "reason")
	if word == "" {
		return
	}
	if err := t.want.Reason.UnmarshalText([]byte(word)); err != nil {
		l.fault(o.lineOf("reason"), "use one of "+quoteAll(reasonWords[:]), "reason of %s is %q", o.place, word)
	} else if t.want.Reason.Allows() != t.want.Allow {
		l.fault(o.lineOf("reason"), "correct one of the two", "%s is never a reason for what %s expects", word, o.place)
	}
}

// oneOrMore reads a text or a list of them.
func (l *testLoader) oneOrMore(o object, key string) []string {
	if isNull(o.fields[key]) {
		return nil
	}
	if _, ok := o.fields[key].(*ast.SequenceNode); !ok {
		return []string{l.need(o, key)}
	}
	var out []string
	for _, w := range l.words(o, key) {
		out = append(out, w.text)
	}
	return out
}

// fact reads a fact written down, or the id of a stored one.
func (l *testLoader) fact(n ast.Node, place string) testFact {
	if id, ok := n.(*ast.StringNode); ok {
		return testFact{id: FactID(id.Value)}
	}
	o, ok := l.object(n, place, testFactKeys...)
	if !ok {
		return testFact{}
	}
	f := Fact{
		Event:     EventID(l.str(o, "event")),
		Link:      LinkConfirmed,
		Truth:     Real,
		Trusted:   !o.has("trusted") || l.flag(o, "trusted"),
		Closed:    l.flag(o, "closed"),
		Whitelist: l.parties(o, "whitelist"), Blacklist: l.parties(o, "blacklist"), Reserved: l.parties(o, "reserved"),
	}
	for _, s := range l.oneOrMore(o, "categories") {
		f.Categories = append(f.Categories, CategoryID(s))
	}
	if choice(l.reader, o, "truth", "real", "cover") == "cover" {
		f.Truth = Cover
	}
	if o.has("label") {
		label, ok := parseLabel(l.need(o, "label"))
		if !ok {
			l.fault(o.lineOf("label"), "write it as L2 or L2/work", "label of %s is no label", place)
		}
		f.Label = &label
	}
	if len(f.Categories) == 0 && f.Label == nil {
		l.fault(o.line, "add categories: [ID] or a label", "%s has neither category nor label", place)
	}
	return testFact{fact: f, about: l.oneOrMore(o, "about"), mentions: l.oneOrMore(o, "mentions")}
}

// parties reads a list of exceptions.
func (l *testLoader) parties(o object, key string) []Party {
	var out []Party
	for _, s := range l.oneOrMore(o, key) {
		out = append(out, Party(s))
	}
	return out
}

// told reads what somebody was told before: categories and rules.
func (l *testLoader) told(n ast.Node, place string) CombinationItem {
	o, ok := l.object(n, place, toldKeys...)
	if !ok {
		return CombinationItem{}
	}
	var x CombinationItem
	for _, s := range l.oneOrMore(o, "categories") {
		x.Categories = append(x.Categories, CategoryID(s))
	}
	for _, s := range l.oneOrMore(o, "rules") {
		x.Rules = append(x.Rules, RuleID(s))
	}
	return x
}

// parseLabel reads what Label.String writes.
func parseLabel(s string) (Label, bool) {
	level, domain, bound := strings.Cut(s, "/")
	if len(level) != 2 || level[0] != 'L' || level[1] < '0' || level[1] > '4' || bound && domain == "" {
		return Label{}, false
	}
	return normalLabel(Label{Level(level[1] - '0'), Domain(domain)}), true
}

// Run holds the tests against a policy and a store, in the order of the file. The
// facts are judged as they stand in facts. One that is written down in a test gets
// the rules of the policy that its categories, event, mentions and about meet and
// that have not ended at now; it is real, trusted and linked by the owner unless
// it says otherwise. A name, category or fact that isn't there fails the test.
func (t *Tests) Run(p *Policy, facts []Fact, now time.Time) []TestResult {
	out := make([]TestResult, len(t.tests))
	store := make(map[FactID]int, len(facts))
	for i, f := range facts {
		store[f.ID] = i
	}
	j := NewJudge(p, facts)
	for i := range t.tests {
		c := &testCase{policyTest: &t.tests[i], p: p, facts: facts, store: store, j: j, now: now}
		out[i] = c.run()
		out[i].File = t.file
	}
	return out
}

// testCase is one test while it runs.
type testCase struct {
	*policyTest
	p     *Policy
	facts []Fact
	store map[FactID]int
	j     *Judge // of the store, and of the facts written down where there are any
	now   time.Time
}

func (c *testCase) run() TestResult {
	r := TestResult{Name: c.name, Line: c.line, Want: outcome(c.want, c.reason)}
	listeners, fault := c.listeners()
	if fault == "" {
		fault = c.check()
	}
	if fault != "" {
		r.Got, r.Detail = "the test can't be run", []string{fault}
		return r
	}
	ids := c.compile()
	verdicts, got := c.judge(ids, listeners)
	r.Pass = got.Allow == c.want.Allow && (!c.reason || got.Reason == c.want.Reason)
	r.Got = outcome(got, true)
	for k, id := range ids {
		i, _ := c.j.Index(id)
		name := fmt.Sprintf("fact %d", k+1)
		if c.policyTest.facts[k].id != "" {
			name = fmt.Sprintf("fact %q", id)
		}
		r.Detail = append(r.Detail, fmt.Sprintf("%s, label %s: %s", name, c.j.Label(i), outcome(verdicts[k], true)))
		if len(c.to) > 1 {
			for n, l := range listeners {
				r.Detail = append(r.Detail, fmt.Sprintf("  for %s alone: %s", c.to[n], outcome(c.j.Verdict(i, l.Recipient), true)))
			}
		}
	}
	return r
}

// judge returns the verdict on each fact and that of the test: for facts together
// that of the unit, else the first denial, or the weakest reason to allow.
func (c *testCase) judge(ids []FactID, listeners []Listener) (each []Verdict, all Verdict) {
	if !c.together {
		for _, v := range c.j.Combine(ids, listeners...) {
			each = append(each, v.Verdict)
		}
		return each, combine(each)
	}
	each = make([]Verdict, len(ids))
	var units []Verdict
	for n, l := range listeners {
		u := c.j.Unit(ids, l.Recipient)
		units = append(units, Verdict{u.Allow, u.Reason})
		for k, v := range u.Verdicts {
			if n == 0 || each[k].Allow {
				each[k] = v
			}
		}
	}
	return each, combine(units)
}

// listeners returns who reads the message. A name that the policy doesn't know is
// a fault of the test: a slip would otherwise test a stranger.
func (c *testCase) listeners() (out []Listener, fault string) {
	for _, name := range c.to {
		r := Recipient{}
		switch name {
		case anyoneRecipient:
		case ownerRecipient:
			r = OwnerPrincipal()
		default:
			var err error
			if r, err = c.p.Lookup(name); err != nil {
				return nil, err.Error()
			}
			if !r.Known() {
				return nil, c.stranger(name)
			}
		}
		out = append(out, Listener{Recipient: r, Told: c.told})
	}
	return out, ""
}

// stranger says what to write in place of a name that is nobody's.
func (c *testCase) stranger(name string) string {
	key := NormalizeName(name)
	same := func(s string) bool { return NormalizeName(s) == key }
	switch {
	case c.p.ownerNames[key]:
		return fmt.Sprintf("%q is you: write $owner for your own connection, $anyone for somebody else of that name", name)
	case slices.ContainsFunc(c.p.removed, func(x RemovedPerson) bool { return same(x.Name) || slices.ContainsFunc(x.Aliases, same) }):
		return fmt.Sprintf("%q was removed: write $anyone, since they get what a stranger gets", name)
	}
	if _, isGroup := Party(name).Group(); isGroup {
		return fmt.Sprintf("%q is no person: name those who read the message", name)
	}
	return fmt.Sprintf("%q is nobody in the policy: correct the name, or write $anyone for a stranger", name)
}

// check says what the test refers to that isn't there.
func (c *testCase) check() string {
	categories := func(ids []CategoryID) string {
		for _, id := range ids {
			if _, ok := c.p.categoryAt[id]; !ok {
				return fmt.Sprintf("category %q isn't in the policy: use one of %s", id, c.p.categoryIDs())
			}
		}
		return ""
	}
	for _, x := range c.told {
		if fault := categories(x.Categories); fault != "" {
			return fault
		}
		for _, id := range x.Rules {
			if _, ok := c.p.Rule(id); !ok {
				return fmt.Sprintf("rule %q isn't in the policy: correct the id", id)
			}
		}
	}
	for _, x := range c.policyTest.facts {
		if x.id != "" {
			if _, ok := c.store[x.id]; !ok {
				return fmt.Sprintf("fact %q isn't stored: correct the id, or write the fact down", x.id)
			}
			continue
		}
		if fault := categories(x.fact.Categories); fault != "" {
			return fault
		}
		for _, entry := range slices.Concat(x.fact.Whitelist, x.fact.Blacklist, x.fact.Reserved) {
			if _, ok := c.p.resolve(entry); !ok {
				return fmt.Sprintf("%q in a list isn't in the policy: correct the name", entry)
			}
		}
		for _, name := range x.mentions {
			if c.p.number(name) == 0 {
				return fmt.Sprintf("%q in mentions is nobody in the policy: correct the name", name)
			}
		}
	}
	return ""
}

// compile gives the facts that are written down an id and a place in a judge of
// their own, beside the facts of the store, and returns the ids of all.
func (c *testCase) compile() []FactID {
	var ids []FactID
	var written []Fact
	for k, x := range c.policyTest.facts {
		if x.id != "" {
			ids = append(ids, x.id)
			continue
		}
		f := x.fact.clone()
		for n := k; ; n++ { // an id that no stored fact has
			f.ID = FactID("$test-" + strconv.Itoa(n))
			if _, taken := c.store[f.ID]; !taken && !slices.Contains(ids, f.ID) {
				break
			}
		}
		target := RuleTarget{Fact: f.ID, Categories: f.Categories, Event: f.Event}
		for _, name := range x.mentions {
			target.Mentions = append(target.Mentions, c.p.people[c.p.number(name)-1].ID)
		}
		target.Terms = func(about string) bool {
			return slices.ContainsFunc(x.about, func(s string) bool { return NormalizeName(s) == NormalizeName(about) })
		}
		written = append(written, c.p.ApplyRules(f, target, c.now))
		ids = append(ids, f.ID)
	}
	if len(written) > 0 {
		c.j = NewJudge(c.p, append(written, c.beside(written, ids)...))
	}
	return ids
}

// beside returns the stored facts that a test asks for or that share an event with
// one of its facts: no others can bear on its verdicts.
func (c *testCase) beside(written []Fact, ids []FactID) (out []Fact) {
	events := make(map[EventID]bool)
	for _, f := range written {
		events[f.Event] = true
	}
	for _, id := range ids {
		if i, ok := c.store[id]; ok {
			events[c.facts[i].Event] = true
		}
	}
	for _, f := range c.facts {
		if f.Event != "" && events[f.Event] || slices.Contains(ids, f.ID) {
			out = append(out, f)
		}
	}
	return out
}

// outcome writes a verdict for people: "allow, default".
func outcome(v Verdict, reason bool) string {
	word := "deny"
	if v.Allow {
		word = "allow"
	}
	if reason {
		word += ", " + v.Reason.String()
	}
	return word
}
