package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ErrTwoPeople is returned for a merge of two whom the policy has as two people.
var ErrTwoPeople = errors.New("they are two people in the policy")

// ErrNobody is returned for a name that neither the policy nor anything imported has.
var ErrNobody = errors.New("nobody of that name was seen")

// SeenPerson is somebody who speaks in what was imported, or is in an address book.
// Names that are certainly one person's are together: the same name, number, address
// or account.
type SeenPerson struct {
	Name          string   `json:"name"`            // the policy's, else the one with most messages
	Known         bool     `json:"known"`           // to the policy
	Owner         bool     `json:"owner,omitempty"` // it is you
	Names         []string `json:"names"`           // all of them, as written
	Handles       []string `json:"handles,omitempty"`
	Messages      int      `json:"messages"`
	Conversations int      `json:"conversations"` // at least; a name counts its own
	First         string   `json:"first,omitempty"`
	Last          string   `json:"last,omitempty"`
	// Missing are names of somebody known that the policy doesn't have: what it says
	// of the person doesn't bind them under these. A merge writes them.
	Missing []string `json:"missing,omitempty"`

	unseen bool // only the policy has them
	nobody bool // nobody was seen, and the policy has nobody either
}

// PeopleProposal is two who may be one person. Nothing is joined by it.
type PeopleProposal struct {
	One   string `json:"one"`
	Other string `json:"other"`
	Why   string `json:"why"`
}

// People lists who speaks and who is in the address books, those with most messages
// first, and whom it takes for likely one.
func (a *Agent) People(ctx context.Context) ([]SeenPerson, []PeopleProposal, error) {
	p, err := a.people(ctx)
	if err != nil {
		return nil, nil, err
	}
	list := p.list()
	proposals := p.propose(list)
	return slices.DeleteFunc(list, func(s SeenPerson) bool { return s.unseen }), proposals, nil
}

// people joins names by what is certain about them.
type people struct {
	policy *privacy.Policy // nil: none
	nodes  []node
	up     []int
	apart  map[[2]string]bool

	renamed map[[2]string]bool // names that said the same messages
}

// node is one name with what it is known by.
type node struct {
	seen   memory.SeenName
	names  []string // more of them: of a card
	keys   []string // what certainly is the same person's
	person privacy.PersonID
	owner  bool
	unseen bool // of the policy
}

func (a *Agent) people(ctx context.Context) (*people, error) {
	var policy *privacy.Policy
	if w, err := a.current(ctx); err == nil {
		policy = w.policy
	}
	return a.peopleBy(ctx, policy)
}

func (a *Agent) peopleBy(ctx context.Context, policy *privacy.Policy) (*people, error) {
	seen, err := a.store.Seen(ctx)
	if err != nil {
		return nil, err
	}
	known, err := a.store.People(ctx)
	if err != nil {
		return nil, err
	}
	p := &people{policy: policy, apart: map[[2]string]bool{}, renamed: map[[2]string]bool{}}
	for _, x := range known.Apart {
		p.apart[[2]string{privacy.NormalizeName(x[0]), privacy.NormalizeName(x[1])}] = true
		p.apart[[2]string{privacy.NormalizeName(x[1]), privacy.NormalizeName(x[0])}] = true
	}
	for _, s := range seen {
		n := node{seen: s, owner: s.Self, keys: []string{"name " + privacy.NormalizeName(s.Name)}}
		if number := phoneKey(s.Name); number != "" {
			n.keys = append(n.keys, number)
		}
		for _, h := range s.Handles {
			n.keys = append(n.keys, handleKeys(h.Format, h.Handle)...)
		}
		p.add(n)
	}
	for _, c := range known.Contacts {
		if c.Format == memory.FormatRenamed {
			for _, alias := range c.Aliases {
				p.renamed[[2]string{privacy.NormalizeName(c.Name), privacy.NormalizeName(alias)}] = true
				p.renamed[[2]string{privacy.NormalizeName(alias), privacy.NormalizeName(c.Name)}] = true
			}
			continue
		}
		if c.Format == memory.FormatMerged {
			continue
		}
		n := node{seen: memory.SeenName{Name: c.Name}, names: c.Aliases, keys: []string{"name " + privacy.NormalizeName(c.Name)}}
		if c.SourceID != "" {
			n.keys = append(n.keys, handleKeys(c.Format, c.SourceID)...)
		}
		for _, s := range slices.Concat(c.Phones, c.Addresses) {
			n.keys = append(n.keys, handleKeys("", s)...)
		}
		p.add(n)
	}
	if p.policy != nil {
		for _, x := range p.policy.People() {
			p.add(node{seen: memory.SeenName{Name: x.Name}, unseen: true})
		}
	}
	p.tellApart()
	p.join()
	return p, nil
}

func (p *people) add(n node) {
	if p.policy != nil {
		if x, ok := p.policy.Person(n.seen.Name); ok {
			n.person = x.ID
			n.keys = append(n.keys, "person "+string(x.ID))
		}
		n.owner = n.owner || p.policy.IsOwner(n.seen.Name)
	}
	if n.owner {
		n.keys = append(n.keys, "owner")
	}
	p.nodes = append(p.nodes, n)
	p.up = append(p.up, len(p.up))
}

// handleKeys are what a handle is compared by: an address or a number is the same in
// every app, any other id only in its own.
func handleKeys(format, handle string) []string {
	switch h := strings.ToLower(strings.TrimSpace(handle)); {
	case strings.Contains(h, "@") && !strings.ContainsAny(h, " /"):
		return []string{"mail " + h}
	case phoneKey(h) != "":
		return []string{phoneKey(h)}
	case h != "" && format != "":
		return []string{"id " + format + " " + handle}
	}
	return nil
}

// phoneKey is a number with its country as its digits, "" for anything else: without
// the country it could be two people's.
func phoneKey(s string) string {
	s = strings.TrimSpace(norm.NFKC.String(s))
	rest, ok := strings.CutPrefix(s, "+")
	if !ok {
		if rest, ok = strings.CutPrefix(s, "00"); !ok {
			return ""
		}
	}
	digits := digitsOf(rest)
	if len(digits) < 7 || len(digits) > 15 || strings.ContainsFunc(rest, unicode.IsLetter) {
		return ""
	}
	return "phone " + digits
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// tellApart takes a name that several accounts of one app bear from those who have an
// account: it says nothing about which of them is meant.
func (p *people) tellApart() {
	accounts := map[string]map[string]bool{} // by app and name
	each := func(i int, f func(at, id string)) {
		for _, key := range p.nodes[i].keys {
			if rest, ok := strings.CutPrefix(key, "id "); ok {
				format, _, _ := strings.Cut(rest, " ")
				f(format+" "+privacy.NormalizeName(p.nodes[i].seen.Name), key)
			}
		}
	}
	for i := range p.nodes {
		each(i, func(at, id string) {
			if accounts[at] == nil {
				accounts[at] = map[string]bool{}
			}
			accounts[at][id] = true
		})
	}
	for i := range p.nodes {
		n, shared := &p.nodes[i], false
		each(i, func(at, _ string) { shared = shared || len(accounts[at]) > 1 })
		if !shared || n.owner {
			continue
		}
		if n.seen.Messages == 0 { // an entry of an address book: only its account counts
			n.person = ""
		}
		n.keys = slices.DeleteFunc(n.keys, func(key string) bool {
			return strings.HasPrefix(key, "name ") || n.person == "" && strings.HasPrefix(key, "person ")
		})
	}
}

// twoAccounts reports whether nodes have different accounts of one app.
func twoAccounts(x, y *node) bool {
	for _, a := range x.keys {
		rest, ok := strings.CutPrefix(a, "id ")
		if !ok {
			continue
		}
		app := "id " + firstWord(rest) + " "
		if !slices.Contains(y.keys, a) && slices.ContainsFunc(y.keys, func(b string) bool { return strings.HasPrefix(b, app) }) {
			return true
		}
	}
	return false
}

// join unites nodes that share a key. A number or address that cards of different
// names share is a household's and joins nobody; people whom the policy has as two,
// or the owner said are two, are never joined.
func (p *people) join() {
	byKey := map[string][]int{}
	for i, n := range p.nodes {
		for _, key := range n.keys {
			byKey[key] = append(byKey[key], i)
		}
	}
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { // what the policy and the names say comes first
		rank := func(k string) int {
			return slices.Index([]string{"id", "mail", "phone", "name", "person", "owner"}, firstWord(k))
		}
		return cmp.Or(cmp.Compare(rank(b), rank(a)), strings.Compare(a, b))
	})
	for _, key := range keys {
		at := byKey[key]
		if shared := firstWord(key); (shared == "phone" || shared == "mail") && p.cards(at) > 1 {
			continue
		}
		for _, i := range at[1:] {
			p.unite(at[0], i)
		}
	}
}

// cards counts the different names of address book entries among nodes.
func (p *people) cards(at []int) int {
	names := map[string]bool{}
	for _, i := range at {
		if p.nodes[i].seen.Messages == 0 && !p.nodes[i].unseen {
			names[privacy.NormalizeName(p.nodes[i].seen.Name)] = true
		}
	}
	return len(names)
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

func (p *people) root(i int) int {
	for p.up[i] != i {
		p.up[i] = p.up[p.up[i]]
		i = p.up[i]
	}
	return i
}

func (p *people) unite(i, j int) {
	a, b := p.root(i), p.root(j)
	if a == b || p.barred(a, b) {
		return
	}
	p.up[max(a, b)] = min(a, b)
}

// barred reports whether two groups of names are certainly two people.
func (p *people) barred(a, b int) bool {
	for i := range p.nodes {
		if p.root(i) != a {
			continue
		}
		for j := range p.nodes {
			if p.root(j) != b {
				continue
			}
			x, y := &p.nodes[i], &p.nodes[j]
			if x.person != "" && y.person != "" && x.person != y.person || x.owner && y.person != "" || y.owner && x.person != "" ||
				(x.person == "" || x.person != y.person) && !(x.owner && y.owner) && twoAccounts(x, y) ||
				p.apart[[2]string{privacy.NormalizeName(x.seen.Name), privacy.NormalizeName(y.seen.Name)}] {
				return true
			}
		}
	}
	return false
}

// list makes the people of the joined names.
func (p *people) list() []SeenPerson {
	byRoot := map[int]*SeenPerson{}
	best := map[int]int{}
	var roots []int
	for i := range p.nodes {
		n, at := &p.nodes[i], p.root(i)
		s := byRoot[at]
		if s == nil {
			s = &SeenPerson{unseen: true}
			byRoot[at] = s
			roots = append(roots, at)
		}
		s.unseen = s.unseen && n.unseen
		names := append([]string{n.seen.Name}, n.names...)
		if n.unseen && n.person != "" {
			x, _ := p.policy.Person(string(n.person))
			names = append(names, x.Aliases...)
		}
		for _, name := range names {
			if name != "" && !slices.Contains(s.Names, name) {
				s.Names = append(s.Names, name)
			}
		}
		for _, key := range n.keys {
			if kind, value, ok := strings.Cut(key, " "); ok && kind != "name" && kind != "person" {
				if kind == "phone" {
					value = "+" + value
				}
				if !slices.Contains(s.Handles, value) {
					s.Handles = append(s.Handles, value)
				}
			}
		}
		s.Messages += n.seen.Messages
		s.Conversations += n.seen.Conversations
		if n.seen.First != "" && (s.First == "" || n.seen.First < s.First) {
			s.First = n.seen.First
		}
		s.Last = max(s.Last, n.seen.Last)
		s.Owner = s.Owner || n.owner
		if n.person != "" && !s.Known {
			x, _ := p.policy.Person(string(n.person))
			s.Name, s.Known = x.Name, true
		}
		if s.Name == "" || !s.Known && n.seen.Messages > best[at] {
			s.Name, best[at] = n.seen.Name, n.seen.Messages
		}
	}
	out := make([]SeenPerson, 0, len(roots))
	for _, at := range roots {
		s := byRoot[at]
		if s.Owner && p.policy != nil {
			s.Name, s.Known = p.policy.Owner().Name, true
		}
		slices.Sort(s.Names)
		slices.Sort(s.Handles)
		if s.Known && !s.Owner {
			for _, name := range s.Names {
				if x, ok := p.policy.Person(name); !ok || x.Name != s.Name {
					s.Missing = append(s.Missing, name)
				}
			}
		}
		out = append(out, *s)
	}
	slices.SortStableFunc(out, func(a, b SeenPerson) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), strings.Compare(a.Name, b.Name))
	})
	return out
}

// maxProposals bounds the list: nobody reads more.
const maxProposals = 200

// propose finds pairs that are likely one person.
func (p *people) propose(list []SeenPerson) []PeopleProposal {
	var out []PeopleProposal
	said := map[[2]string]bool{}
	names := plainNames{}
	for i := range list {
		for j := i + 1; j < len(list) && len(out) < maxProposals; j++ {
			a, b := &list[i], &list[j]
			if a.Owner || b.Owner || a.Known && b.Known || p.split(a, b) {
				continue
			}
			why := p.sameMessages(a, b)
			if why == "" {
				why = names.alike(a, b)
			}
			if why != "" {
				if b.Known {
					a, b = b, a
				}
				pair := [2]string{privacy.NormalizeName(a.Name), privacy.NormalizeName(b.Name)}
				if pair[0] == pair[1] || said[pair] { // names that the command couldn't tell apart
					continue
				}
				said[pair], said[[2]string{pair[1], pair[0]}] = true, true
				out = append(out, PeopleProposal{One: a.Name, Other: b.Name, Why: why})
			}
		}
	}
	// What fits two is a guess about neither: it stays proposed, but says so.
	count := map[string]int{}
	for _, x := range out {
		count[x.Other]++
	}
	for i := range out {
		if count[out[i].Other] > 1 {
			out[i].Why += "; it may be another one, too"
		}
	}
	return out
}

func (p *people) split(a, b *SeenPerson) bool {
	for _, x := range a.Names {
		for _, y := range b.Names {
			if p.apart[[2]string{privacy.NormalizeName(x), privacy.NormalizeName(y)}] {
				return true
			}
		}
	}
	return false
}

// sameMessages says why two are one whose names said the same messages.
func (p *people) sameMessages(a, b *SeenPerson) string {
	for _, x := range a.Names {
		for _, y := range b.Names {
			if p.renamed[[2]string{privacy.NormalizeName(x), privacy.NormalizeName(y)}] {
				return fmt.Sprintf("%q and %q said the same messages at the same times in two exports of one chat", x, y)
			}
		}
	}
	return ""
}

// alike says why two may be one, "" where nothing does.
func (p plainNames) alike(a, b *SeenPerson) string {
	for _, x := range a.Names {
		for _, y := range b.Names {
			kx, ky := p.of(x), p.of(y)
			switch {
			case kx == "" || ky == "":
			case kx == ky:
				return fmt.Sprintf("%q and %q differ in accents or marks", x, y)
			case strings.HasPrefix(kx, ky+" ") || strings.HasPrefix(ky, kx+" "):
				return fmt.Sprintf("%q is how %q begins", shorter(x, y), longer(x, y))
			case len(kx) == len(ky) && sameWords(kx, ky):
				return fmt.Sprintf("%q and %q are the same words", x, y)
			}
			if s := tailKey(x); s != "" && s == tailKey(y) {
				return fmt.Sprintf("the numbers %s and %s end alike", x, y)
			}
		}
	}
	for _, pair := range [2][2]*SeenPerson{{a, b}, {b, a}} {
		for _, h := range pair[0].Handles {
			key := p.ofAddress(h)
			for _, y := range pair[1].Names {
				if key != "" && key == p.of(y) {
					return fmt.Sprintf("the address %s reads as %q", h, y)
				}
			}
		}
	}
	return ""
}

func shorter(a, b string) string {
	if len(a) <= len(b) {
		return a
	}
	return b
}

func longer(a, b string) string {
	if len(a) <= len(b) {
		return b
	}
	return a
}

// plainNames remembers plainName: pairs of many are compared.
type plainNames map[string]string

func (p plainNames) of(name string) string {
	key, ok := p[name]
	if !ok {
		key = plainName(name)
		p[name] = key
	}
	return key
}

// ofAddress reads what stands before the @ of an address as a name, "" where it is no
// address, or a name of one word.
func (p plainNames) ofAddress(handle string) string {
	local, _, ok := strings.Cut(handle, "@")
	if !ok {
		return ""
	}
	key := p.of(addressMarks.Replace(local))
	if !strings.Contains(key, " ") {
		return ""
	}
	return key
}

var addressMarks = strings.NewReplacer(".", " ", "_", " ", "-", " ")

// plainName is a normalised name without accents, marks and pictures, ä as ae; "" for
// one without a letter. Numbers count: "Speaker 1" isn't "Speaker 2".
func plainName(s string) string {
	s = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "ø", "o", "ł", "l").Replace(privacy.NormalizeName(s))
	if !strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return len(x) > 1 && slices.Equal(x, y)
}

// tailKey is the end of a telephone number, however its beginning is written.
func tailKey(s string) string {
	digits := digitsOf(s)
	if len(digits) < 9 || strings.ContainsFunc(s, unicode.IsLetter) {
		return ""
	}
	return digits[len(digits)-8:]
}
