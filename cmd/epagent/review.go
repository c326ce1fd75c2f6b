package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) reviewCommand() *cobra.Command {
	var limit int
	var why []string
	var list bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Show what waits for your decision, and decide",
		Long: `Go through the facts that wait for you: those of your own words of which the annotator
isn't sure, those that may belong to a new category, those without a category, which
are for nobody until you decide, and those that others said, which are held until you
confirm them. In each group the riskiest come first, then the most repeated.

On a terminal it shows one fact after the other and asks for a key. Elsewhere, and with
--list, it prints a table. Each decision also teaches the annotator: "review taught"
lists what it learned, "review auto" the facts that it decided by that.`,
		Example: `  epagent review
  epagent review --why uncategorised --list
  epagent review set fq3k7d2ma --category health --also-alike
  epagent review set fq3k7d2ma --not-a-fact
  epagent review taught`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent review --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			query, err := reviewQuery(why, limit)
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				walk := !c.json && !list && terminal(c.in) && terminal(c.out)
				if walk && !cmd.Flags().Changed("limit") {
					query.Limit = 0
				}
				if walk {
					if err := c.walkWaiting(cmd.Context(), a); err != nil {
						return err
					}
				}
				queue, err := a.Review(cmd.Context(), query)
				if err != nil {
					return err
				}
				asks := []agent.Asked{}
				if len(why) == 0 {
					if asks, err = a.Asks(cmd.Context()); err != nil {
						return err
					}
				}
				if walk && queue.Total+len(asks) > 0 {
					return c.walkReview(cmd.Context(), a, queue, asks)
				}
				changes, err := a.Waiting(cmd.Context())
				if err != nil {
					return err
				}
				learned, err := evolve.List(cmd.Context(), a)
				if err != nil {
					return err
				}
				return c.emit(reviewed{queue, asks}, func(p *page) {
					asksPage(p, asks)
					reviewPage(p, queue)
					if n := len(changes); n > 0 && !walk {
						p.line("%s that an assistant asked for: `epagent review waiting`.", plural(n, "change waits", "changes wait"))
					}
					if n := count(learned, evolve.Proposed); n > 0 {
						p.line("%s from your feedback: `epagent evolve list --status proposed`.", plural(n, "proposal waits", "proposals wait"))
					}
				})
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most so many (0: all)")
	cmd.Flags().StringArrayVar(&why, "why", nil, "only this group: unsure, new-category, uncategorised or untrusted (repeatable)")
	cmd.Flags().BoolVar(&list, "list", false, "print the table, on a terminal too")
	cmd.AddCommand(c.reviewSet(), c.reviewAnswer(), c.reviewTaught(), c.reviewUntaught(), c.reviewAuto(),
		c.reviewWaiting(), c.reviewSettle("agree", "Do changes that wait for you", true), c.reviewSettle("decline", "Drop changes that wait for you", false))
	return cmd
}

// reviewQuery reads --why and --limit.
func reviewQuery(why []string, limit int) (agent.ReviewQuery, error) {
	query := agent.ReviewQuery{Limit: limit}
	if limit < 0 {
		return query, usagef("--limit %d: want 0 or more", limit)
	}
	for _, word := range why {
		known := false
		var words []string
		for _, g := range agent.ReviewGroups() {
			words = append(words, string(g))
			if word == string(g) {
				known = true
				query.Groups = append(query.Groups, g)
			}
		}
		if !known {
			return query, usagef("--why %q: want one of %s", word, strings.Join(words, ", "))
		}
	}
	return query, nil
}

// The groups in words.
var groupTitles = map[agent.ReviewGroup]string{
	agent.ReviewUnsure:        "In doubt",
	agent.ReviewNewCategory:   "Perhaps of a new category",
	agent.ReviewUncategorised: "Without a category: for nobody yet",
	agent.ReviewUntrusted:     "Others said so: held until you confirm",
}

func reviewPage(p *page, queue *agent.ReviewQueue) {
	if queue.Total == 0 {
		p.line("Nothing waits for review.")
		return
	}
	for _, n := range queue.Groups {
		var rows [][]string
		for i := range queue.Items {
			if item := &queue.Items[i]; item.Group == n.Group {
				rows = append(rows, []string{
					string(item.ID), day(item.SaidAt), guessWords(item), nameWords(item.Opens, item.Strangers), clean(item.Text) + reasonWords(item),
				})
			}
		}
		if len(rows) == 0 {
			continue
		}
		p.line("%s (%s)", p.style(bold, groupTitles[n.Group]), plural(n.Facts, "fact", "facts"))
		p.table([]string{"fact", "said", "guess", "opens to", "text"}, rows)
		p.line("")
	}
	p.line("%d of %d shown. Decide with `epagent review set ID --category …`.", len(queue.Items), queue.Total)
}

// reasonWords adds the reason where the group's title doesn't say it all, and how
// many others are alike.
func reasonWords(item *agent.ReviewItem) string {
	words := ""
	if item.Group == agent.ReviewUnsure {
		words = " (" + clean(item.Why) + ")"
	}
	if n := len(item.Alike); n > 0 {
		words += fmt.Sprintf(" (+%d alike)", n)
	}
	if len(item.Ends) > 0 {
		words += " (still told while it waits: " + strings.Join(endedIDs(item), ", ") + ")"
	}
	return words
}

func endedIDs(item *agent.ReviewItem) []string {
	out := make([]string, len(item.Ends))
	for i, id := range item.Ends {
		out[i] = string(id)
	}
	return out
}

func guessWords(item *agent.ReviewItem) string {
	if len(item.Guess) == 0 {
		return "-"
	}
	words := categoryWords(item.Guess)
	if item.GuessedBy != agent.GuessedByAnnotator {
		words += "?"
	}
	return words
}

func categoryWords(ids []privacy.CategoryID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, "+")
}

// nameWords names people for a table: the first few, and how many more.
func nameWords(names []string, strangers bool) string {
	const shown = 2
	if strangers {
		return "anybody"
	}
	if len(names) == 0 {
		return "nobody"
	}
	more := ""
	if len(names) > shown {
		more = fmt.Sprintf(" and %d more", len(names)-shown)
		names = names[:shown]
	}
	return clean(strings.Join(names, ", ")) + more
}
