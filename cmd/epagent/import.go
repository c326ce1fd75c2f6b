package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
)

func (c *cli) importCommand() *cobra.Command {
	var opts agent.ImportOptions
	var tz string
	var dryRun, noTopics, host bool
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Read chats and notes",
		Long: `Read chats and notes, store them, and learn facts from them.

Read are the exports of WhatsApp, Telegram, Slack, Discord, Signal, iMessage (text, or
chat.db itself), WeChat, LINE, KakaoTalk, Messenger, Instagram, e-mail, ChatGPT and Claude, calendars and contacts, plain transcripts
("Name: text"), Markdown and text notes (your own), LoCoMo JSON, and benchmark script
folders. The format is recognised by content. What is there already is not stored twice; an interrupted import can
simply be run again.

Your own words are those of the speaker named by --me, else of one whom you named before
for that app, else of a speaker whose name is exactly one of the owner's names in your
policy. On a terminal you are asked once where nothing says who you are. Everybody
else's words are untrusted.

A later export of the same chat adds what is new. Edited messages get their new words;
what somebody has deleted there is forgotten here.

chat.db is on a Mac in ~/Library/Messages. Give the terminal Full Disk Access (System
Settings → Privacy & Security), copy it with the files beside it and import the copy:
  cp ~/Library/Messages/chat.db* ~/Desktop/ && epagent import ~/Desktop/chat.db

With --host no file is read but what the native host holds that others put there
(host: mcp in config.yaml): its statements get marks of their own here, and the host
isn't changed.

Times without a zone keep their wall clock, unless you give one by --tz.`,
		Example: `  epagent import "Chat with Greta.txt"
  epagent import --me Ines --tz Europe/Berlin chats/*.txt
  epagent import --dry-run --json chat.txt
  epagent import --gold script-folder/`,
		Args: func(cmd *cobra.Command, args []string) error {
			if host {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if tz != "" {
				zone, err := time.LoadLocation(tz)
				if err != nil || tz == "Local" {
					return usagef("--tz %q: not a time zone; give a name such as Europe/Berlin or UTC", tz)
				}
				opts.TZ = zone
			}
			switch opts.DateOrder {
			case "", "dmy", "mdy", "ymd":
			default:
				return usagef("--date-order %q: want dmy, mdy or ymd", opts.DateOrder)
			}
			if !ingest.KnownEncoding(opts.Encoding) {
				return usagef("--encoding %q: want a name such as gb18030, big5, shift_jis, euc-kr, windows-1251 or iso-8859-2", opts.Encoding)
			}
			if dryRun && len(args) > 1 {
				return usagef("--dry-run reads one file")
			}
			if dryRun && host {
				return usagef("--dry-run reads one file")
			}
			if opts.Gap < 0 || opts.TopicGap < 0 {
				return usagef("--gap and --topic-gap: want a time such as 6h or 90m")
			}
			if noTopics {
				opts.TopicGap = -1
			}
			return c.withNew(cmd.Context(), func(a *agent.Agent) error {
				if host {
					return c.importAll(cmd.Context(), a, []string{"the host"}, opts, func(ctx context.Context, _ string, opts agent.ImportOptions) (*agent.ImportReport, error) {
						return a.ImportHost(ctx, opts)
					})
				}
				if dryRun {
					return c.importDry(cmd.Context(), a, args[0], opts)
				}
				return c.importAll(cmd.Context(), a, args, opts, a.Import)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.Self, "me", "", "your name in the export")
	f.StringVar(&opts.SelfID, "me-id", "", "your id in the export; several with commas between")
	f.StringVar(&tz, "tz", "", "time zone of an export that names none, e.g. Europe/Berlin")
	f.StringVar(&opts.DateOrder, "date-order", "", "order of ambiguous dates: dmy, mdy or ymd")
	f.StringVar(&opts.Encoding, "encoding", "", "encoding of texts that aren't UTF-8, e.g. gb18030, big5, shift_jis, euc-kr")
	f.StringVar(&opts.Name, "name", "", "original file name, where a format takes names from it")
	f.BoolVar(&opts.Gold, "gold", false, "script folders: take facts and marks from facts.jsonl")
	f.BoolVar(&opts.Resurrect, "resurrect", false, "bring back what was forgotten, or taken back by who said it")
	f.DurationVar(&opts.Gap, "gap", 0, "silence that ends a session (default 6h)")
	f.DurationVar(&opts.TopicGap, "topic-gap", 0, "silence after which a change of topic ends one (default 2h)")
	f.BoolVar(&noTopics, "no-topics", false, "cut sessions by silence alone")
	f.BoolVar(&host, "host", false, "take in what the native host holds")
	f.BoolVar(&dryRun, "dry-run", false, "show what would be read, store nothing")
	return cmd
}

func (c *cli) importDry(ctx context.Context, a *agent.Agent, path string, opts agent.ImportOptions) error {
	r, err := a.ReadExport(ctx, path, opts)
	if err != nil {
		return err
	}
	defer r.Close()
	if c.json {
		return r.WriteJSON(ctx, c.out)
	}
	out := bufio.NewWriter(c.out)
	fmt.Fprintf(out, "%s: %s, %d conversations, %d messages\n", clean(path), r.Format, r.Chats, r.Count)
	err = r.Each(ctx, func(m *ingest.Message) error {
		when := strings.Replace(m.When.Local, "T", " ", 1)
		if when == "" {
			when = m.When.Date()
		}
		who := clean(m.Sender)
		if who == "" {
			who = "-"
		}
		_, err := fmt.Fprintf(out, "%7d  %-19s  %s: %s\n", m.N, when, who, clean(m.Text))
		return err
	})
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "skipped, %s: %s\n", clean(s.Place()), clean(s.Reason))
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "note: %s\n", clean(w))
	}
	return errors.Join(err, out.Flush())
}

type importResult struct {
	Files   []*agent.ImportReport `json:"files"`
	Facts   int                   `json:"facts"`
	Review  int                   `json:"review"`
	Unknown []string              `json:"unknown,omitempty"` // senders whom the policy doesn't know
	Store   *memory.Size          `json:"store,omitempty"`   // of the home, after it

	likely bool // `people propose` has something about one of them
}

// importAll imports one file after the other. A file that can't be read doesn't
// keep the others from being imported; the command then fails at the end.
func (c *cli) importAll(ctx context.Context, a *agent.Agent, paths []string, opts agent.ImportOptions,
	read func(context.Context, string, agent.ImportOptions) (*agent.ImportReport, error)) error {
	result := importResult{Files: []*agent.ImportReport{}}
	seen := map[string]bool{}
	var failed error
	for _, path := range paths {
		opts.Progress = c.progress(path)
		opts.WhoAmI = c.whoAmI(path)
		report, err := read(ctx, path, opts)
		c.progressDone()
		if report != nil {
			c.sayDegraded(report.Degraded)
			result.Files = append(result.Files, report)
			result.Facts += report.Facts
			result.Review += report.Review
			for _, name := range report.Unknown {
				if !seen[name] {
					seen[name] = true
					result.Unknown = append(result.Unknown, name)
				}
			}
		}
		if errors.Is(err, context.Canceled) {
			c.say("stopped in %s; what was reported is stored, run it again to go on", path)
			failed = err
			break
		}
		if err != nil {
			c.say("%v", err)
			failed = quiet{exitFailed}
		}
	}
	if size, err := a.StoreSize(ctx); err == nil { // it is no reason for an import to fail
		result.Store = &size
	}
	if len(result.Unknown) > 0 && ctx.Err() == nil {
		proposals, err := proposed(ctx, a)
		if err != nil {
			failed = errors.Join(failed, err)
		}
		result.likely = slices.ContainsFunc(proposals, func(x agent.PeopleProposal) bool {
			return slices.Contains(result.Unknown, x.One) || slices.Contains(result.Unknown, x.Other)
		})
	}
	return errors.Join(c.emit(result, func(p *page) { importPage(p, &result) }), failed)
}

func importPage(p *page, result *importResult) {
	for _, f := range result.Files {
		p.line("%s: %s, %d sessions, %d messages: %d new, %d already there, %d skipped",
			clean(f.Path), f.Format, f.Sessions, f.Messages, f.New, f.Duplicate, len(f.Skipped))
		if f.Left > 0 {
			p.line("  %d are left for the next run", f.Left)
		}
		chatLines(p, f)
		skipLines(p, f.Skipped)
		if f.Edited > 0 {
			p.line("  %d were edited since and have their new words", f.Edited)
		}
		if f.TakenBack > 0 {
			p.line("  %d were deleted by who said them and are forgotten here, too", f.TakenBack)
		}
		if f.Forgotten > 0 {
			p.line("  %d were forgotten before and stay so; --resurrect brings them back", f.Forgotten)
		}
		if f.Placed > 0 {
			p.line("  %d were known without a zone and have their time now", f.Placed)
		}
		if f.Own > 0 {
			p.line("  %d repeat what epagent said itself; that was left out", f.Own)
		}
		if f.People > 0 {
			p.line("  %d people of an address book; `epagent people` shows them, your policy is as it was", f.People)
		}
		for _, w := range f.Warnings {
			p.line("  note: %s", clean(w))
		}
		switch {
		case f.Adopted:
			p.line("  the policy that came with it is now the policy of this home")
		case f.NoPolicy != nil:
			p.line("  %v", f.NoPolicy)
		}
		switch {
		case f.Restored:
		case f.Self != "":
			p.line("  your own words: those of %s", clean(f.Self))
		case f.New > 0 || f.Me != "":
			p.line("  nobody's words were taken as yours, so all of it is untrusted; --me NAME says who you are")
		}
	}
	if slices.ContainsFunc(result.Files, func(f *agent.ImportReport) bool { return f.Restored && f.NoPolicy != nil }) {
		p.line("%d facts learned; what of them waits for review shows with a policy that can be read", result.Facts)
	} else {
		p.line("%d facts learned, %d of them wait for review (epagent review)", result.Facts, result.Review)
	}
	if size := result.Store; size != nil && size.Facts >= manyFacts {
		p.line("The home holds %d facts in %.1f MB, %d bytes a fact with its message, index and vector.", size.Facts, float64(size.Bytes)/1e6, size.BytesPerFact())
	}
	if len(result.Unknown) > 0 {
		p.line("")
		p.line("Your policy doesn't know these senders. Lines to add under `people:`")
		for _, name := range result.Unknown {
			p.line("  - {name: %s, groups: []}", strconv.Quote(clean(name)))
		}
		if result.likely {
			p.line("One of them may be somebody that it knows under another name: `epagent people propose`.")
		}
	}
}

// manyFacts is from how many facts the bytes of one say something: an empty database has
// some, too.
const manyFacts = 1000

// What a report shows of long lists; --json has all.
const (
	shownChats = 40
	shownSkips = 20
)

// chatLines tells what came in of each conversation, where there are several.
func chatLines(p *page, f *agent.ImportReport) {
	if len(f.Chats) < 2 {
		return
	}
	var rows [][]string
	for i, chat := range f.Chats {
		if i == shownChats {
			break
		}
		title := clean(chat.Title)
		if title == "" {
			title = chat.Kind
		}
		rows = append(rows, []string{
			"  " + title, chat.Kind, strconv.Itoa(chat.Messages), strconv.Itoa(chat.New), strconv.Itoa(chat.Facts), strconv.Itoa(chat.Review),
			clean(strings.Join(chat.Unknown, ", ")),
		})
	}
	p.table([]string{"  chat", "kind", "messages", "new", "facts", "review", "unknown to the policy"}, rows)
	if more := len(f.Chats) - shownChats; more > 0 {
		p.line("  and %d more chats (--json lists them)", more)
	}
}

func skipLines(p *page, skipped []string) {
	for i, s := range skipped {
		if i == shownSkips {
			p.line("  and %d more were skipped (--json lists them)", len(skipped)-shownSkips)
			return
		}
		p.line("  skipped, %s", clean(s))
	}
}

// whoAmI asks on a terminal which of the names is the owner's.
func (c *cli) whoAmI(path string) func([]string) string {
	if !terminal(c.in) || c.json {
		return nil
	}
	return func(names []string) string {
		const most = 20
		fmt.Fprintf(c.err, "Who are you in %s?\n", clean(path))
		for i, name := range names[:min(len(names), most)] {
			fmt.Fprintf(c.err, "  %d  %s\n", i+1, clean(name))
		}
		answer, err := c.prompt("A number or a name; nothing if you are none of them", "")
		if err != nil || answer == "" {
			return ""
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= min(len(names), most) {
			return names[n-1]
		}
		return answer
	}
}

// progress returns a function that shows how far an import is, on a terminal.
func (c *cli) progress(path string) func(done, messages int) {
	if !terminal(c.err) || c.json {
		return nil
	}
	start := time.Now()
	var last time.Time
	return func(done, messages int) {
		if time.Since(last) < 100*time.Millisecond && done < messages {
			return
		}
		last = time.Now()
		rate := float64(done) / max(time.Since(start).Seconds(), 0.001)
		left := ""
		if messages > done && rate > 0 {
			left = fmt.Sprintf(", %s left", time.Duration(float64(messages-done)/rate*float64(time.Second)).Round(time.Second))
		}
		fmt.Fprintf(c.err, "\r\x1b[K%s: %d of %d messages, %.0f/s%s", clean(path), done, messages, rate, left)
	}
}

func (c *cli) progressDone() {
	if terminal(c.err) && !c.json {
		fmt.Fprint(c.err, "\r\x1b[K")
	}
}
