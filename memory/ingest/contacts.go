package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// contactsReader reads vCard files. Each card is a proposal: nobody's words, and
// nothing that changes the policy by itself.
type contactsReader struct{}

func (contactsReader) name() string { return "contacts" }

func (contactsReader) sniff(src *source, _ Options) bool {
	return !src.whole() && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(string(src.head[:min(len(src.head), 64)]))), "BEGIN:VCARD")
}

func (contactsReader) read(ctx context.Context, src *source, _ Options, b *builder) error {
	var p *ProposedPerson
	structured, line, cards := "", 0, 0
	noPerson := false
	err := properties(ctx, src, func(n int, in property) error {
		switch {
		case in.name == "BEGIN" && strings.EqualFold(strings.TrimSpace(in.value), "VCARD"):
			p, structured, line, noPerson = &ProposedPerson{}, "", n, false
		case p == nil:
		case in.name == "KIND" || in.name == "X-ADDRESSBOOKSERVER-KIND" || in.name == "X-ABSHOWAS":
			switch strings.ToLower(in.text()) {
			case "org", "organization", "group", "location", "application", "device", "company":
				noPerson = true
			}
		case in.name == "END" && noPerson:
			cards++
			b.skip(line, "a card of no person: of a firm, a group or a place")
			p = nil
		case in.name == "END":
			cards++
			if p.Name == "" {
				p.Name = structured
			}
			if p.Name == "" && len(p.Aliases) > 0 {
				p.Name, p.Aliases = p.Aliases[0], p.Aliases[1:]
			}
			if structured != "" && privacy.NormalizeName(structured) != privacy.NormalizeName(p.Name) {
				p.Aliases = append(p.Aliases, structured)
			}
			if privacy.NormalizeName(p.Name) == "" {
				b.skip(line, "a card without a name")
			}
			b.person(*p)
			p = nil
		default:
			structured = card(p, in, structured)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if p != nil {
		b.skip(line, "a card that doesn't end: the file is cut off")
	}
	if cards == 0 && p == nil {
		return fmt.Errorf("%w: no card in it", ErrEmpty)
	}
	return nil
}

// card takes one line of a card; it returns the name put together from its parts.
func card(p *ProposedPerson, in property, structured string) string {
	add := func(list *[]string, s string) {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(*list, s) && len(*list) < 50 {
			*list = append(*list, s)
		}
	}
	switch in.name {
	case "FN":
		if p.Name == "" {
			p.Name = in.text()
		} else {
			add(&p.Aliases, in.text())
		}
	case "N":
		parts := strings.Split(strings.ReplaceAll(in.value, `\;`, "\x01"), ";")
		for len(parts) < 2 {
			parts = append(parts, "")
		}
		clean := func(s string) string { return tidy(propertyEscapes.Replace(strings.ReplaceAll(s, "\x01", ";"))) }
		given, family := clean(parts[1]), clean(parts[0])
		if hasHan(family) || hasHan(given) {
			return family + given
		}
		return strings.TrimSpace(given + " " + family)
	case "NICKNAME":
		for _, s := range strings.Split(in.value, ",") {
			add(&p.Aliases, tidy(propertyEscapes.Replace(s)))
		}
	case "TEL":
		add(&p.Phones, strings.TrimPrefix(in.text(), "tel:"))
	case "EMAIL":
		add(&p.Addresses, strings.ToLower(in.text()))
	case "UID":
		p.SourceID = in.text()
	}
	return structured
}

func hasHan(s string) bool {
	for _, r := range s {
		if r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 {
			return true
		}
	}
	return false
}
