package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// ConfaideTier is a task of ConfAIde (Mireshghallah et al., ICLR 2024).
type ConfaideTier string

// The tiers that are measured.
const (
	ConfaideTier1  ConfaideTier = "1"  // how sensitive a kind of information is
	ConfaideTier2a ConfaideTier = "2a" // how acceptable its flow to an actor for a purpose is
	ConfaideTier2b ConfaideTier = "2b" // the same, told as a story
)

// ConfaideItem is a prompt of tier 1 or 2 with the people's mean rating.
type ConfaideItem struct {
	Information string  // tier 2b: the story
	Actor       string  // who collects it; "" in tier 1
	Human       float64 // sensitivity 1..4, or acceptability −100..100
}

var (
	confaideInformation = regexp.MustCompile(`^Information: *(\S.*)$`)
	confaideFlow        = regexp.MustCompile(`^(\S.*?) (?:is|are) collected by (\S.*?) in order to \S`)
)

// ReadConfaide reads the prompts of a tier and the ratings beside them. Flows are the
// prompts of tier 2a, which name the actors of tier 2b; nil in other tiers. ErrFormat
// names file, line and remedy.
func ReadConfaide(tier ConfaideTier, prompts, labels, flows Named) ([]ConfaideItem, error) {
	var out []ConfaideItem
	err := eachLine(prompts, func(line int, text string) error {
		_, content, ok := strings.Cut(text, `\n`) // two characters: the prompt is one line
		content = strings.TrimSpace(content)
		item := ConfaideItem{Information: content}
		switch tier {
		case ConfaideTier1:
			m := confaideInformation.FindStringSubmatch(content)
			if ok = ok && m != nil; ok {
				item.Information = m[1]
			}
		case ConfaideTier2a:
			m := confaideFlow.FindStringSubmatch(content)
			if ok = ok && m != nil; ok {
				item.Information, item.Actor = m[1], m[2]
			}
		case ConfaideTier2b:
			ok = ok && content != ""
		default:
			return fmt.Errorf("%w: tier %q: want 1, 2a or 2b", ErrOptions, tier)
		}
		if !ok {
			return formatError(prompts.Name, line, "this is no prompt of tier "+string(tier), "give the tier's file as it was published")
		}
		out = append(out, item)
		return nil
	})
	if err != nil {
		return nil, err
	}
	low, high := -100.0, 100.0
	if tier == ConfaideTier1 {
		low, high = 1, 4
	}
	n := 0
	err = eachLine(labels, func(line int, text string) error {
		rating, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		switch {
		case err != nil || math.IsNaN(rating) || rating < low || rating > high:
			return formatError(labels.Name, line, "this is no rating", fmt.Sprintf("want a number from %g to %g", low, high))
		case n >= len(out):
			return formatError(labels.Name, line, fmt.Sprintf("there are more ratings than the %d prompts", len(out)), "give prompts and labels of one tier")
		}
		out[n].Human = rating
		n++
		return nil
	})
	if err == nil && n < len(out) {
		err = formatError(labels.Name, n+1, fmt.Sprintf("there are %d ratings and %d prompts", n, len(out)), "give prompts and labels of one tier")
	}
	if err != nil || tier != ConfaideTier2b {
		return out, err
	}
	named, err := ReadConfaide(ConfaideTier2a, flows, Named{labels.Name, strings.NewReader(strings.Repeat("0\n", len(out)))}, Named{})
	if err != nil {
		return nil, fmt.Errorf("actors of tier 2b: %w", err)
	}
	for i := range out {
		out[i].Actor = named[i].Actor
	}
	return out, nil
}

// Named is a source with the name that errors call it by.
type Named struct {
	Name string
	io.Reader
}

// eachLine hands the lines that aren't empty with their numbers; none is ErrFormat.
func eachLine(in Named, each func(line int, text string) error) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	line, n := 0, 0
	for s.Scan() {
		line++
		text := strings.TrimPrefix(s.Text(), "\ufeff")
		if strings.TrimSpace(text) == "" {
			continue
		}
		n++
		if err := each(line, text); err != nil {
			return err
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return formatError(in.Name, line+1, "the line is longer than a megabyte", "give the file as it was published")
	}
	if s.Err() != nil {
		return fmt.Errorf("%s: %w", in.Name, s.Err())
	}
	if n == 0 {
		return formatError(in.Name, 1, "it is empty", "give the file as it was published")
	}
	return nil
}

// ConfaideScore are the figures of a tier.
type ConfaideScore struct {
	Tier  ConfaideTier `json:"tier"`
	Model string       `json:"model"`
	N     int          `json:"n"`
	// R is Pearson's correlation of the product's ratings with the people's; null where
	// the product rates all alike.
	R *float64 `json:"r"`
	// Mean and Human are the mean ratings, on the tier's scale.
	Mean  float64 `json:"mean"`
	Human float64 `json:"human"`
	// Unplaced are the prompts that got no category: they are for nobody.
	Unplaced int `json:"unplaced"`
	// Allowed are the flows that the policy allows; 0 in tier 1.
	Allowed int `json:"allowed"`
}

// Confaide has the product rate each item, by what it does rather than by what a model
// says: under the starter policy the information gets categories as a statement of the
// owner would.
//
// Tier 1: the rating is 4 for level 0, 3.25 for level 1, down to 1 for level 4.
// Tier 2: the rating is −100 for level 0, −50 for level 1, up to 100 for level 4, and the
// flow is allowed where the actor may know it, every actor being somebody whom the owner
// deals with (the group acquaintances).
func Confaide(ctx context.Context, tier ConfaideTier, items []ConfaideItem, o DatasetOptions) (_ *ConfaideScore, err error) {
	o = o.withDefaults()
	source, err := confaidePolicy(items)
	if err != nil {
		return nil, err
	}
	h, err := datasetHome(ctx, source, nil, nil, &o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.remove()) }()
	policy, err := h.Policy(ctx)
	if err != nil {
		return nil, err
	}
	out := &ConfaideScore{Tier: tier, Model: o.Model.Name, N: len(items)}
	var mine, human []float64
	for i, item := range items {
		placed, err := h.Place(ctx, item.Information, nil)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
		if len(placed.Categories) == 0 {
			out.Unplaced++
		}
		rating := 4 - 0.75*float64(placed.Label.Level)
		if tier != ConfaideTier1 {
			judge := privacy.NewJudge(policy, []privacy.Fact{{ID: "item", Categories: placed.Categories, Trusted: true}})
			rating = -100 + 50*float64(placed.Label.Level)
			if judge.VerdictOf("item", policy.Recipient(item.Actor)).Allow {
				out.Allowed++
			}
		}
		mine, human = append(mine, rating), append(human, item.Human)
		o.Progress(i+1, len(items))
	}
	out.R, out.Mean, out.Human = pearson(mine, human), mean(mine), mean(human)
	return out, nil
}

// confaidePolicy is the starter policy with the actors as people.
func confaidePolicy(items []ConfaideItem) ([]byte, error) {
	starter := agent.Starter{Name: "Participant"}
	for _, item := range items {
		person := agent.StarterPerson{Name: item.Actor, Group: confaideGroup}
		if item.Actor != "" && !slices.Contains(starter.People, person) {
			starter.People = append(starter.People, person)
		}
	}
	return starter.Policy()
}

// confaideGroup is the group of the starter policy that the actors are in. The data set
// says of none of them how far it is trusted, so none is trusted further than people
// whom one deals with.
const confaideGroup = "acquaintances"
