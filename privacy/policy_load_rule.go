package privacy

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

var (
	ruleKeys = []string{
		"id", "allow", "deny", "category", "about", "mentions", "event", "fact", "until", "note",
	}
	combinationKeys = []string{"id", "of", "level", "domain"}
	circleKeys      = []string{"id", "people"}
)

// ruleConditions are the keys of which a rule needs one.
var ruleConditions = []string{"category", "about", "mentions", "event", "fact"}

func (l *loader) rule(n ast.Node, i int) {
	o, ok := l.object(n, "rule "+strconv.Itoa(i+1), ruleKeys...)
	if !ok {
		return
	}
	faults := len(l.problems)
	id := l.condition(o, "id")
	if id != "" {
		o.place = "rule " + strconv.Quote(id)
	}
	r := Rule{
		ID:    RuleID(id),
		Allow: l.ruleParties(o, "allow"),
		Deny:  l.ruleParties(o, "deny"),
		About: l.condition(o, "about"),
		Event: EventID(l.condition(o, "event")),
		Fact:  FactID(l.condition(o, "fact")),
		Note:  l.str(o, "note"),
	}
	r.Categories = l.ruleCategories(o)
	if name := l.condition(o, "mentions"); name != "" {
		who, known := l.p.Person(name)
		if !known {
			l.fault(o.lineOf("mentions"), l.nameRemedy(name), "%s mentions %q, who isn't there", o.place, name)
		}
		r.Mentions = who.ID
	}
	switch allow, deny := o.has("allow"), o.has("deny"); {
	case allow && deny:
		l.fault(o.line, "write two rules", "%s both allows and denies", o.place)
	case !allow && !deny:
		l.fault(o.line, "add allow: [PERSON] or deny: [PERSON]", "%s neither allows nor denies", o.place)
	}
	if !slices.ContainsFunc(ruleConditions, o.has) {
		l.fault(o.line, "add one of "+strings.Join(ruleConditions, ", "), "%s has no condition: it would hold for everything", o.place)
	}
	r.Until = l.until(o)
	if len(l.problems) > faults {
		return // an id made from half a rule would only add to the noise
	}
	if r.ID == "" {
		r.ID = r.contentID()
	}
	l.addRule(o, r)
}

func (l *loader) addRule(o object, r Rule) {
	if first, twice := l.p.lines[place{"rule", string(r.ID)}]; twice {
		remedy := "give each rule its own id"
		if !o.has("id") {
			remedy = "keep one of them, or give one an id"
		}
		l.fault(o.line, remedy, "rule %q twice: see line %d", r.ID, first)
		return
	}
	l.p.lines[place{"rule", string(r.ID)}] = o.line
	l.p.rules = append(l.p.rules, r)
}

// condition reads a text that need not be there but has something to say if it is.
func (l *loader) condition(o object, key string) string {
	if !o.has(key) {
		return ""
	}
	return l.need(o, key)
}

// ruleParties reads the people and groups of a rule.
func (l *loader) ruleParties(o object, key string) []Party {
	if !o.has(key) {
		return nil
	}
	var out []Party
	words := l.words(o, key)
	if len(words) == 0 {
		l.fault(o.lineOf(key), "name people or groups as group:ID, or remove the rule", "%s of %s names nobody", key, o.place)
	}
	for _, w := range words {
		party := Party(w.text)
		if _, known := l.p.resolve(party); !known {
			l.fault(w.line, l.nameRemedy(w.text), "%s of %s names %q, which isn't there", key, o.place, w.text)
			continue
		}
		out = append(out, party)
	}
	return out
}

// nameRemedy says what to do about a name that is nobody's.
func (l *loader) nameRemedy(name string) string {
	if _, isGroup := Party(name).Group(); isGroup {
		return "use the id of a group of the policy"
	}
	if candidates := l.p.firstNames(name); len(candidates) > 0 {
		return "write the full name: " + quoteAll(candidates)
	}
	return "use a person's name as people has it, or group:ID"
}

// ruleCategories reads one category id or a list of them.
func (l *loader) ruleCategories(o object) []CategoryID {
	if !o.has("category") {
		return nil
	}
	words := []word{}
	if _, isList := o.fields["category"].(*ast.SequenceNode); isList {
		words = l.words(o, "category")
		if len(words) == 0 {
			l.fault(o.lineOf("category"), "name a category, or drop the line", "category of %s is an empty list", o.place)
		}
	} else if s := l.need(o, "category"); s != "" {
		words = append(words, word{s, o.lineOf("category")})
	}
	var out []CategoryID
	for _, w := range words {
		id := CategoryID(w.text)
		if _, there := l.p.categoryAt[id]; !there {
			l.fault(w.line, "use the id of a category of the policy", "%s is for category %q, which isn't there", o.place, id)
			continue
		}
		if slices.Contains(out, id) {
			l.warn(w.line, "keep one of them", "%s names category %q twice", o.place, id)
			continue
		}
		out = append(out, id)
	}
	return out
}

// until reads the end of a grant and returns the first instant after it: a date
// counts to the end of that day in UTC.
func (l *loader) until(o object) time.Time {
	if !o.has("until") {
		return time.Time{}
	}
	s := l.need(o, "until")
	if o.has("deny") {
		l.fault(o.lineOf("until"), "remove until: a deny ends when you remove it", "%s denies and has an end", o.place)
		return time.Time{}
	}
	t, err := parseUntil(s)
	if s != "" && err != nil {
		l.fault(o.lineOf("until"), "write a day as 2027-01-31 or a time as 2027-01-31T18:00:00+01:00",
			"until of %s is no day or time", o.place)
	}
	return t.UTC()
}

// parseUntil reads a day or an RFC 3339 time.
func parseUntil(s string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	return time.Parse(time.RFC3339, s)
}

// formatUntil writes what parseUntil reads.
func formatUntil(t time.Time) string {
	t = t.UTC()
	if day := t.Truncate(24 * time.Hour); day.Equal(t) {
		return t.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

func (l *loader) combination(n ast.Node, i int) {
	o, ok := l.object(n, "combination "+strconv.Itoa(i+1), combinationKeys...)
	if !ok {
		return
	}
	faults := len(l.problems)
	c := Combination{ID: l.condition(o, "id")}
	if c.ID != "" {
		o.place = "combination " + strconv.Quote(c.ID)
	}
	words := l.words(o, "of")
	for _, w := range words {
		l.part(o, &c, w)
	}
	if len(words) < 2 {
		l.fault(o.lineOf("of"), "name two or more categories or rules: of: [a, b]", "%s is of fewer than two parts", o.place)
	}
	level, _ := l.integer(o, "level", int(L0), int(L4))
	c.Ceiling = normalLabel(Label{Level(level), l.domain(o)})
	if len(l.problems) > faults {
		return
	}
	if c.ID == "" {
		c.ID = c.contentID()
	}
	if first, twice := l.p.lines[place{"combination", c.ID}]; twice {
		l.fault(o.line, "give each combination its own id", "combination %q twice: see line %d", c.ID, first)
		return
	}
	l.p.lines[place{"combination", c.ID}] = o.line
	l.p.combinations = append(l.p.combinations, c)
}

// part adds one part of a combination, a category or a rule by id.
func (l *loader) part(o object, c *Combination, w word) {
	_, category := l.p.categoryAt[CategoryID(w.text)]
	_, rule := l.p.lines[place{"rule", w.text}]
	switch {
	case category && rule:
		l.fault(w.line, "rename the rule", "%s is of %q, which is a category and a rule", o.place, w.text)
	case !category && !rule:
		l.fault(w.line, "use the id of a category or a rule", "%s is of %q, which isn't there", o.place, w.text)
	case slices.Contains(c.Categories, CategoryID(w.text)) || slices.Contains(c.Rules, RuleID(w.text)):
		l.fault(w.line, "keep one of them", "%s names %q twice", o.place, w.text)
	case category:
		c.Categories = append(c.Categories, CategoryID(w.text))
	default:
		c.Rules = append(c.Rules, RuleID(w.text))
	}
}

func (l *loader) circle(n ast.Node, i int) {
	o, ok := l.object(n, "circle "+strconv.Itoa(i+1), circleKeys...)
	if !ok {
		return
	}
	c := Circle{ID: l.need(o, "id")}
	if c.ID != "" {
		o.place = "circle " + strconv.Quote(c.ID)
	}
	for _, w := range l.words(o, "people") {
		who, known := l.p.Person(w.text)
		switch {
		case !known:
			l.fault(w.line, l.nameRemedy(w.text), "%s names %q, who isn't there", o.place, w.text)
		case slices.Contains(c.People, who.ID):
			l.warn(w.line, "keep one of them", "%s names %q twice", o.place, who.Name)
		default:
			c.People = append(c.People, who.ID)
		}
	}
	if len(l.words(o, "people")) < 2 {
		l.fault(o.lineOf("people"), "name two or more people, or remove the circle", "%s has fewer than two people", o.place)
	}
	if first, twice := l.p.lines[place{"circle", c.ID}]; twice {
		l.fault(o.line, "give each circle its own id", "%s twice: see line %d", o.place, first)
		return
	}
	l.p.lines[place{"circle", c.ID}] = o.line
	l.p.circles = append(l.p.circles, c)
}
