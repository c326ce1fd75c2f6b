package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// ImportOptions say how to read a file or folder. The zero value reads what the
// file itself tells.
type ImportOptions struct {
	Self      string         // the owner's name in the export
	SelfID    string         // the owner's id in the export, or several with commas between
	TZ        *time.Location // for sources without a zone
	DateOrder string         // "dmy", "mdy" or "ymd"
	Encoding  string         // of texts that aren't UTF-8, a name as the web has it
	Name      string         // original file name
	Gap       time.Duration  // silence that ends a session; 0: ingest.DefaultGap
	TopicGap  time.Duration  // silence after which a change of topic ends one; 0: ingest.DefaultTopicGap, negative: never
	Gold      bool           // script folders: facts and marks from facts.jsonl
	Resurrect bool           // bring back what was forgotten
	// WhoAmI is asked, once a file, which of the names that speak in it is the owner's,
	// where neither the options nor anything known says so. "" leaves it open. Nil:
	// nobody is asked.
	WhoAmI func(names []string) string
	// Facts are stored as they are, with their marks, in place of what would be learned
	// from the sessions. Nil: learn.
	Facts []memory.Fact
	// Progress is told after each stored batch; messages counts those of the file.
	Progress func(done, messages int)
}

// ImportReport is what one import did.
type ImportReport struct {
	Path      string   `json:"path"`
	Format    string   `json:"format"`
	Sessions  int      `json:"sessions"`
	Messages  int      `json:"messages"`
	New       int      `json:"new"`
	Duplicate int      `json:"duplicate"`
	Edited    int      `json:"edited,omitempty"`     // known, and given the words that they have now
	TakenBack int      `json:"taken_back,omitempty"` // known, deleted by who said them, and forgotten
	Forgotten int      `json:"forgotten,omitempty"`  // known, forgotten, and not brought back
	Own       int      `json:"own,omitempty"`        // what epagent itself had said: not taken in
	Placed    int      `json:"placed,omitempty"`     // known by the wall clock alone, and given their instant
	Left      int      `json:"left,omitempty"`       // neither stored nor there: the import ended before them
	Skipped   []string `json:"skipped"`
	Warnings  []string `json:"warnings,omitempty"`
	// Chats are the conversations of the file, in its order.
	Chats []ChatReport `json:"conversations,omitempty"`
	// People counts the entries of an address book: they are proposals, see People.
	People int `json:"people,omitempty"`

	// Degraded are the stages that ran offline, for some session at least, although a
	// model was to run them.
	Degraded []string `json:"degraded,omitempty"`

	Facts    int      `json:"-"` // stored new
	Review   int      `json:"-"` // of these, how many wait for the owner
	Self     string   `json:"-"` // whose words were taken as the owner's, "" nobody's
	Unknown  []string `json:"-"` // senders whom the policy doesn't know
	Me       string   `json:"-"` // who was named as the owner, "" nobody
	Restored bool     `json:"-"` // it was an export of epagent
	Adopted  bool     `json:"-"` // the policy that came with it became the home's
	NoPolicy error    `json:"-"` // why facts were marked without the policy in force
}

// ChatReport is what one import did with one conversation.
type ChatReport struct {
	Conversation string   `json:"conversation"`    // what it is known by
	Title        string   `json:"title,omitempty"` // "" unknown
	Kind         string   `json:"kind"`            // "direct", "group", "channel", "self" or "bot"
	Messages     int      `json:"messages"`
	New          int      `json:"new"`
	Duplicate    int      `json:"duplicate"`
	Edited       int      `json:"edited,omitempty"`
	TakenBack    int      `json:"taken_back,omitempty"`
	Forgotten    int      `json:"forgotten,omitempty"`
	Own          int      `json:"own,omitempty"`
	Facts        int      `json:"facts"`
	Review       int      `json:"review"`            // of these, how many wait for the owner
	Unknown      []string `json:"unknown,omitempty"` // who speaks in it and isn't in the policy
	Note         string   `json:"note,omitempty"`    // how it was known again, where that isn't plain
}

// batchMessages is how many messages one transaction stores, at least: enough that
// the cost of a durable commit is small beside the work, few enough that little is
// done twice after an interruption.
const batchMessages = 500

// ReadExport opens a file or folder and stores nothing; the caller closes it.
// Without Self and SelfID the owner is a sender who bears one of the owner's names in
// the policy: the report of an import says whose words were taken, so it is never
// silent.
func (a *Agent) ReadExport(ctx context.Context, path string, opts ImportOptions) (*ingest.Reading, error) {
	in := ingest.Options{
		Self: opts.Self, SelfID: opts.SelfID, TZ: opts.TZ, DateOrder: opts.DateOrder, Encoding: opts.Encoding, Name: opts.Name, Gold: opts.Gold,
		Gap: opts.Gap, TopicGap: opts.TopicGap,
	}
	policy, err := a.Policy(ctx)
	switch {
	case err == nil:
		owner := policy.Owner()
		in.Owner = append([]string{owner.Name}, owner.Aliases...)
		for _, p := range policy.People() {
			in.People = append(append(in.People, p.Name), p.Aliases...)
		}
	case !errors.Is(err, ErrNoPolicy) && !errors.Is(err, ErrPolicyBroken):
		return nil, err
	}
	known, err := a.store.People(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range known.Owner {
		in.Known = append(in.Known, ingest.OwnerName{Format: o.Format, Name: o.Name, ID: o.ID})
	}
	for _, h := range known.Handles {
		in.Accounts = append(in.Accounts, ingest.Account{Format: h.Format, Name: h.Name, ID: h.Handle})
	}
	return ingest.Open(ctx, path, in)
}

// Import reads a file or folder, stores its sessions and learns facts from them, in
// memory that grows with what is learned, not with the file. It is idempotent: what
// is there already is counted and left alone. Each batch is durable when Progress is
// told of it; a cancelled import ends between batches with the context's error and a
// report of what was stored, and can simply be run again.
func (a *Agent) Import(ctx context.Context, path string, opts ImportOptions) (*ImportReport, error) {
	if isExport(path) {
		return a.restore(ctx, path)
	}
	r, err := a.openSource(ctx, path, &opts)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	report := &ImportReport{
		Path: path, Format: r.Format, Messages: r.Count, Skipped: []string{}, Warnings: r.Warnings, Me: opts.Self, People: len(r.People),
	}
	for _, s := range r.Skipped {
		report.Skipped = append(report.Skipped, s.Place()+": "+s.Reason)
	}
	if r.Script != nil {
		if report.Adopted, err = a.adoptPolicy(r.Script.Policy, opts.Gold); err != nil {
			return report, err
		}
	}
	l, err := a.newLearner(ctx)
	if err != nil {
		return report, err
	}
	if _, err := a.Policy(ctx); err != nil {
		report.NoPolicy = err
	}
	im := &importer{a: a, l: l, r: r, from: r, opts: opts, report: report, renamed: map[string]string{}}
	im.gold = slices.Clone(opts.Facts)
	if opts.Gold && im.gold == nil {
		if r.Script == nil {
			return report, fmt.Errorf("%s: --gold needs a benchmark script folder, and this is %s", path, r.Format)
		}
		im.gold = r.Script.GoldFacts()
	}
	err = im.run(ctx)
	return report, err
}

// openSource is ReadExport that asks who the owner is where nothing says so.
func (a *Agent) openSource(ctx context.Context, path string, opts *ImportOptions) (*ingest.Reading, error) {
	r, err := a.ReadExport(ctx, path, *opts)
	if err != nil || opts.WhoAmI == nil || opts.Self != "" || opts.SelfID != "" || r.Script != nil {
		return r, err
	}
	var names []string
	ids := map[string]string{} // of those whose name alone doesn't tell
	for _, p := range r.Speakers() {
		if p.Self {
			return r, nil
		}
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
		ids[p.Name] = p.ID
	}
	if len(names) == 0 {
		return r, nil
	}
	if opts.Self = opts.WhoAmI(names); opts.Self == "" {
		return r, nil
	}
	opts.SelfID = ids[opts.Self]
	_ = r.Close()
	return a.ReadExport(ctx, path, *opts)
}

// importer carries one import.
type importer struct {
	a      *Agent
	l      *learner
	r      *ingest.Reading // nil: what comes is from no file
	from   sessionSource
	opts   ImportOptions
	report *ImportReport
	gold   []memory.Fact

	chats   map[string]*ChatReport // by conversation id
	renamed map[string]string      // ids of turns that are stored under another
	rests   *restingFacts          // once a message was edited
	own     *ownWords
	gaps    map[string]bool // notices of messages that were taken back

	newChats map[string]bool    // conversations of which the record held nothing
	shared   map[string]bool    // conversations that several chats of the source are
	unplaced []memory.TurnPlace // stored messages that are to get their instants
	aliases  []memory.Contact   // two names of one account
}

// sessionSource is where an import comes from.
type sessionSource interface {
	// EachSession calls f with each session, always in the same order.
	EachSession(ctx context.Context, f func(*memory.Session) error) error
}

// run stores and learns. What somebody has taken back goes first: once the notice of
// it is stored, a repetition would not look for the words any more.
func (im *importer) run(ctx context.Context) error {
	var err error
	if err = im.identify(ctx); err != nil {
		return err
	}
	if err = im.listChats(); err != nil {
		return err
	}
	if err = im.notePeople(ctx); err != nil {
		return err
	}
	if im.own, err = im.a.ownWords(ctx); err != nil {
		return err
	}
	if im.r.Script == nil {
		if err := im.takeBack(ctx); err != nil {
			return err
		}
	}
	err = im.learn(ctx)
	for i := range im.report.Chats {
		im.report.Own += im.report.Chats[i].Own
	}
	return err
}

// listChats begins the report of each conversation.
func (im *importer) listChats() error {
	im.chats = make(map[string]*ChatReport, im.r.Chats)
	list := make([]ChatReport, 0, im.r.Chats)
	byLabel := map[string]int{}
	err := im.r.EachConversation(func(c *ingest.Conversation) error {
		one := ChatReport{Conversation: im.r.ConversationID(c.ID), Kind: string(c.Kind)}
		if c.Title != nil {
			one.Title = *c.Title
		}
		byLabel[c.ID] = len(list)
		list = append(list, one)
		return nil
	})
	if err != nil {
		return err
	}
	im.newChats, im.shared = map[string]bool{}, map[string]bool{}
	for i := range list {
		if im.chats[list[i].Conversation] == nil {
			im.chats[list[i].Conversation] = &list[i]
		} else {
			im.shared[list[i].Conversation] = true
		}
	}
	seen := map[string]bool{}
	for _, p := range im.r.Speakers() {
		switch _, known := im.l.policy.Person(p.Name); {
		case p.Self:
			im.report.Self = p.Name
		case !known && !im.l.policy.IsOwner(p.Name):
			if !seen[p.Name] {
				seen[p.Name] = true
				im.report.Unknown = append(im.report.Unknown, p.Name)
			}
			if i, ok := byLabel[p.Conversation]; ok && !slices.Contains(list[i].Unknown, p.Name) {
				list[i].Unknown = append(list[i].Unknown, p.Name)
			}
		}
	}
	im.report.Chats = list
	return nil
}

// chat is the report of a conversation.
func (im *importer) chat(conversation string) *ChatReport {
	if c := im.chats[conversation]; c != nil {
		return c
	}
	return &ChatReport{} // a second sample of one name
}

// adoptPolicy makes a script's policy the home's where the home has none. With
// gold marks another policy is refused: marks and policy belong together.
func (a *Agent) adoptPolicy(source []byte, gold bool) (adopted bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err = a.policyLocked(context.Background())
	switch {
	case errors.Is(err, ErrNoPolicy):
		if _, err := privacy.Parse(PolicyFile, source); err != nil {
			return false, fmt.Errorf("the script's own policy: %w", err)
		}
		_, err := WritePolicy(a.home, source)
		return err == nil, err
	case err != nil:
		return false, err
	case gold && !bytes.Equal(bytes.TrimSpace(a.policy.source), bytes.TrimSpace(source)):
		return false, fmt.Errorf("%w; import it into an empty home (--home)", ErrPolicyDiffers)
	}
	return false, nil
}
