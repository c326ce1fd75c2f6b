package tools_test

//lint:file-ignore SA1019 clients of the handshake era, and what they lend, are served too

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	mark3 "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/tools"
)

// user is the person before a client: what they are asked, and what they answer.
type user struct {
	mu     sync.Mutex
	asked  []string
	answer string // accept, accept-no, decline, cancel, error, category:ID
}

func (u *user) reply(message string) (action string, content map[string]any, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, message)
	switch u.answer {
	case "accept":
		return "accept", map[string]any{"agree": true}, nil
	case "accept-no":
		return "accept", map[string]any{"agree": false}, nil
	case "accept-empty":
		return "accept", map[string]any{}, nil
	case "error":
		return "", nil, fmt.Errorf("no dialogue here")
	}
	if id, ok := strings.CutPrefix(u.answer, "category:"); ok {
		if strings.Contains(message, "Where does this belong?") {
			return "accept", map[string]any{"category": id}, nil
		}
		return "accept", map[string]any{"agree": true}, nil
	}
	return u.answer, nil, nil
}

func (u *user) questions() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]string{}, u.asked...)
}

// Elicit makes a user the handler of mcp-go's client.
func (u *user) Elicit(_ context.Context, r mark3.ElicitationRequest) (*mark3.ElicitationResult, error) {
	action, content, err := u.reply(r.Params.Message)
	if err != nil {
		return nil, err
	}
	out := &mark3.ElicitationResult{}
	out.Action = mark3.ElicitationResponseAction(action)
	if content != nil {
		out.Content = content
	}
	return out, nil
}

// toolCaller calls a tool over some client.
type toolCaller func(tool string, arguments map[string]any) (structured, text string, isError bool)

// officialClient connects the official Go client, which negotiates the newest era.
func officialClient(t *testing.T, verbs tools.Verbs, opts *mcp.ClientOptions, roots ...string) *mcp.ClientSession {
	t.Helper()
	s := ownerServer(t, verbs)
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	served := make(chan error, 1)
	go func() {
		served <- s.ServeStdio(t.Context(), inR, outW)
		outW.Close()
	}()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	for _, dir := range roots {
		c.AddRoots(&mcp.Root{URI: "file://" + filepath.ToSlash(dir)})
	}
	session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		inW.Close()
		select {
		case <-served:
		case <-time.After(20 * time.Second):
			t.Error("the server doesn't end")
		}
	})
	return session
}

func ownerServer(t *testing.T, verbs tools.Verbs) *tools.Server {
	t.Helper()
	o := tools.Options{Version: "test", Principal: tools.Owner()}
	if a, ok := verbs.(*agent.Agent); ok {
		o.Supplements = evolve.Approvals{Agent: a}
	}
	s, err := tools.New(verbs, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func official(t *testing.T, session *mcp.ClientSession) toolCaller {
	return func(tool string, arguments map[string]any) (string, string, bool) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), result.Content[0].(*mcp.TextContent).Text, result.IsError
	}
}

func officialElicit(u *user) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		action, content, err := u.reply(r.Params.Message)
		if err != nil {
			return nil, err
		}
		return &mcp.ElicitResult{Action: action, Content: content}, nil
	}
}

// legacyClient connects mcp-go's client in process, in the handshake era.
func legacyClient(t *testing.T, verbs tools.Verbs, options ...client.ClientOption) *client.Client {
	t.Helper()
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	s := ownerServer(t, verbs)
	served := make(chan error, 1)
	go func() {
		served <- s.ServeStdio(t.Context(), inR, outW)
		outW.Close()
	}()
	c := client.NewClient(newPipeTransport(outR, inW), append(options, client.WithLegacyProtocolOnly())...)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var request mark3.InitializeRequest
	request.Params.ProtocolVersion = "2025-11-25"
	request.Params.ClientInfo = mark3.Implementation{Name: "test", Version: "1"}
	got, err := c.Initialize(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if got.ProtocolVersion != "2025-11-25" {
		t.Fatalf("protocol %s", got.ProtocolVersion)
	}
	t.Cleanup(func() {
		_ = c.Close()
		inW.Close()
		select {
		case <-served:
		case <-time.After(20 * time.Second):
			t.Error("the server doesn't end")
		}
	})
	return c
}

func legacy(t *testing.T, c *client.Client) toolCaller {
	return func(tool string, arguments map[string]any) (string, string, bool) {
		t.Helper()
		var request mark3.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, arguments
		result, err := c.CallTool(t.Context(), request)
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), result.Content[0].(mark3.TextContent).Text, result.IsError
	}
}

// eras run a test with a client of each era.
func eras(t *testing.T, run func(t *testing.T, a *agent.Agent, call toolCaller, u *user)) {
	t.Run("2026-07-28", func(t *testing.T) {
		a, _ := home(t)
		u := &user{}
		session := officialClient(t, a, &mcp.ClientOptions{ElicitationHandler: officialElicit(u)})
		if v := session.InitializeResult().ProtocolVersion; v != "2026-07-28" {
			t.Fatalf("the client negotiated %s", v)
		}
		run(t, a, official(t, session), u)
	})
	t.Run("2025-11-25", func(t *testing.T) {
		a, _ := home(t)
		u := &user{}
		run(t, a, legacy(t, legacyClient(t, a, client.WithElicitationHandler(u))), u)
	})
}

// What opens is shown to the owner by name and done by a yes alone.
func TestConsentInBothEras(t *testing.T) {
	eras(t, func(t *testing.T, a *agent.Agent, call toolCaller, u *user) {
		raw, text, _ := call("remember", map[string]any{"text": "I am pregnant, due on 9 November.", "speaker": "owner"})
		var stored struct {
			Facts []struct {
				ID string `json:"id"`
			} `json:"facts"`
		}
		if err := json.Unmarshal([]byte(raw), &stored); err != nil || len(stored.Facts) == 0 {
			t.Fatalf("remember: %s", text)
		}
		allow := func() (string, string, bool) {
			return call("policy", map[string]any{"action": "allow", "people": []string{"Raj"}, "fact": stored.Facts[0].ID})
		}
		u.answer = "accept"
		for _, no := range []string{"cancel", "cancel", "accept-no"} {
			u.answer = no
			// Each asks anew what was not decided; a yes without the yes is a no.
			raw, text, _ := allow()
			if strings.Contains(raw, `"applied":true`) {
				t.Fatalf("%s: done: %s", no, text)
			}
		}
		questions := u.questions()
		if len(questions) != 3 {
			t.Fatalf("%d questions: %q", len(questions), questions)
		}
		for _, want := range []string{"Raj Pillai", stored.Facts[0].ID, "pregnant", "somebody else wrote"} {
			if !strings.Contains(questions[0], want) {
				t.Errorf("the question doesn't name %q: %s", want, questions[0])
			}
		}
		// The last answer was a no: the same is not asked again.
		u.answer = "accept"
		if raw, text, _ := allow(); strings.Contains(raw, `"applied":true`) || len(u.questions()) != 3 {
			t.Errorf("after a no: %s (%d questions)", text, len(u.questions()))
		}
		// Something else is.
		raw, text, isError := call("policy", map[string]any{"action": "allow", "people": []string{"group:team"}, "fact": stored.Facts[0].ID})
		if isError || !strings.Contains(raw, `"applied":true`) || len(u.questions()) != 4 {
			t.Fatalf("after a yes: %s (%d questions)", text, len(u.questions()))
		}
		if got := audience(t, a, "Raj Pillai"); !strings.Contains(got, stored.Facts[0].ID) {
			t.Errorf("what the owner agreed to was not done: %q", got)
		}
		u.answer = "decline"
		if raw, text, _ := call("remember", map[string]any{"text": "I was at the dentist, the doctor found a lump. Raj may know it.", "speaker": "owner", "to": []string{"Raj"}}); strings.Contains(raw, `"applied":true`) {
			t.Errorf("a grant in the words: %s", text)
		}
		waiting, err := a.Waiting(t.Context())
		if err != nil || len(waiting) != 1 {
			t.Errorf("%+v wait, %v; want the one that was not decided", waiting, err)
		}
	})
}

// What the owner says and no category is sure of is placed by the owner in place: by
// a choice, and by a yes to whom that lets in. Nobody else's words are asked about.
func TestCategoryInPlace(t *testing.T) {
	eras(t, func(t *testing.T, a *agent.Agent, call toolCaller, u *user) {
		unsure := func(n int, speaker string) (id, raw, text string) {
			t.Helper()
			raw, text, isError := call("remember", map[string]any{"text": fmt.Sprintf("The quux number %d is flarbed.", n), "speaker": speaker})
			var stored struct {
				Facts []struct{ ID string }
			}
			if err := json.Unmarshal([]byte(raw), &stored); err != nil || isError || len(stored.Facts) != 1 {
				t.Fatalf("remember: %s", text)
			}
			return stored.Facts[0].ID, raw, text
		}
		u.answer = "category:leisure"
		unsure(2, "Wilma")
		if n := len(u.questions()); n != 0 {
			t.Errorf("%d questions: somebody else's words are asked about", n)
		}
		id, raw, text := unsure(3, "owner")
		if !strings.Contains(raw, `"applied":true`) || !strings.Contains(raw, `"label":"L4"`) || !strings.Contains(text, "placed") {
			t.Errorf("placed: %s %s", raw, text)
		}
		q := u.questions()
		if len(q) != 2 || !strings.Contains(q[0], "quux number 3") || !strings.Contains(q[0], "leisure") || !strings.Contains(q[1], "Raj Pillai") {
			t.Errorf("whom it lets in was not asked for: %q", q)
		}
		if got := audience(t, a, "Raj Pillai"); !strings.Contains(got, id) {
			t.Errorf("not placed: %q", got)
		}
		u.answer = "cancel"
		unsure(4, "owner")
		u.answer = "category:leisure"
		if id, _, _ := unsure(5, "owner"); strings.Contains(audience(t, a, "Raj Pillai"), id) || len(u.questions()) != 3 {
			t.Errorf("asked again after the question was closed: %q", u.questions())
		}
	})
}

// A client need not check what its user fills in.
func TestUnknownCategoryPlacesNothing(t *testing.T) {
	a, _ := home(t)
	u := &user{answer: "category:nosuch"}
	call := legacy(t, legacyClient(t, a, client.WithElicitationHandler(u)))
	raw, text, isError := call("remember", map[string]any{"text": "The quux is flarbed.", "speaker": "owner"})
	if isError || !strings.Contains(raw, `"label":"L0"`) || strings.Contains(raw, "applied") || len(u.questions()) != 1 {
		t.Errorf("%s %s", raw, text)
	}
}

// Only a client that says so is asked; the others' changes wait.
func TestNobodyIsAskedWhoCantBe(t *testing.T) {
	a, _ := home(t)
	call := official(t, officialClient(t, a, nil))
	if raw, text, isError := call("policy", map[string]any{"action": "allow", "people": []string{"Raj"}, "categories": []string{"health"}}); isError || !strings.Contains(raw, `"waits":1`) {
		t.Errorf("%s %s", raw, text)
	}
}

// What the client carries back fits the call that it was made for and no other, once.
func TestRequestStateIsSigned(t *testing.T) {
	a, _ := home(t)
	p := dial(t, a)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	call := func(id int, arguments, more string) message {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"policy","arguments":%s,%s%s}}`, id, arguments, meta, more))
		return p.receive()
	}
	mine := `{"action":"allow","people":["Raj"],"categories":["health"]}`
	var asked struct {
		Type     string                     `json:"resultType"`
		Requests map[string]json.RawMessage `json:"inputRequests"`
		State    string                     `json:"requestState"`
	}
	m := call(1, mine, "")
	if err := json.Unmarshal(m.Result, &asked); err != nil || asked.Type != "input_required" || len(asked.Requests) != 1 || asked.State == "" {
		t.Fatalf("%s", m.Result)
	}
	var id string
	for id = range asked.Requests {
	}
	yes := func(state string) string {
		return fmt.Sprintf(`,"requestState":%q,"inputResponses":{%q:{"action":"accept","content":{"agree":true}}}`, state, id)
	}
	for name, more := range map[string]string{
		"made up": yes("0123456789abcdef.aaaa"), "altered": yes(other(asked.State[0]) + asked.State[1:]), "cut": yes(asked.State[:10]),
	} {
		if r := parseResult(t, call(2, mine, more)); !r.IsError {
			t.Errorf("a state that is %s: %s", name, r.text())
		}
	}
	if r := parseResult(t, call(3, strings.Replace(mine, "Raj", "group:team", 1), yes(asked.State))); !r.IsError {
		t.Errorf("the state of another call: %s", r.text())
	}
	// An answer without a state is an answer to nothing: it is asked again.
	if m := call(4, mine, fmt.Sprintf(`,"inputResponses":{%q:{"action":"accept","content":{"agree":true}}}`, id)); !strings.Contains(string(m.Result), "input_required") {
		t.Errorf("a consent that nobody was asked for: %s", m.Result)
	}
	if r := parseResult(t, call(5, mine, yes(asked.State))); r.IsError || !strings.Contains(string(r.Structured), `"applied":true`) {
		t.Errorf("the right one: %s", r.text())
	}
	if r := parseResult(t, call(6, mine, yes(asked.State))); !r.IsError {
		t.Errorf("the right one again: %s", r.text())
	}
}

const chat = `[01.03.26, 09:30:00] Ines: I am pregnant, due on 9 November.
[01.03.26, 09:31:00] Raj: Congratulations!
[01.03.26, 09:32:00] Ines: You can tell the team.
`

// Files come from the client's folders alone, wherever links lead, and words are the
// owner's by the owner's consent.
func TestImportIsWithinRoots(t *testing.T) {
	a, _ := home(t)
	root, outside := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, outside} {
		if err := os.WriteFile(filepath.Join(dir, "WhatsApp Chat with Raj.txt"), []byte(chat), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "WhatsApp Chat with Raj.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Skip("no links here: ", err)
	}
	folder := filepath.Join(root, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "away")); err != nil {
		t.Fatal(err)
	}
	u := &user{answer: "accept"}
	steps := make(chan float64, 100)
	session := officialClient(t, a, &mcp.ClientOptions{
		ElicitationHandler: officialElicit(u),
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			steps <- r.Params.Progress
		},
	}, root)
	call := official(t, session)
	var refusal string
	for _, path := range []string{
		filepath.Join(outside, "WhatsApp Chat with Raj.txt"), filepath.Join(root, "..", filepath.Base(outside), "WhatsApp Chat with Raj.txt"),
		filepath.Join(root, "link.txt"), folder, filepath.Join(root, "nosuch.txt"), "/etc/passwd", "file:///etc/passwd",
		"../" + filepath.Base(outside) + "/WhatsApp Chat with Raj.txt",
	} {
		_, text, isError := call("import", map[string]any{"path": path})
		if !isError {
			t.Errorf("%s is imported: %s", path, text)
		}
		if refusal == "" {
			refusal = text
		}
		if text != refusal {
			t.Errorf("%s: %q, and others %q", path, text, refusal)
		}
	}
	if len(u.questions()) != 0 {
		t.Errorf("asked for a file outside: %q", u.questions())
	}
	params := &mcp.CallToolParams{Name: "import", Arguments: map[string]any{"path": filepath.Join(root, "WhatsApp Chat with Raj.txt"), "me": "Ines"}}
	params.SetProgressToken("p")
	result, err := session.CallTool(t.Context(), params)
	if err != nil || result.IsError {
		t.Fatalf("%v %+v", err, result)
	}
	questions := u.questions()
	if len(questions) != 1 || !strings.Contains(questions[0], `"Ines"`) || !strings.Contains(questions[0], "WhatsApp Chat with Raj.txt") {
		t.Errorf("questions: %q", questions)
	}
	if raw, _ := json.Marshal(result.StructuredContent); !strings.Contains(string(raw), `"new":3`) {
		t.Errorf("%s", raw)
	}
	select {
	case <-steps:
	case <-time.After(20 * time.Second): // the client hands it on in its own time
		t.Error("no progress was told")
	}
}

// The owner sees whose words come in, how many, and whom they let in by which statement;
// a yes is to that content, and where it was exchanged the next question says so.
func TestImportShowsWhatItHolds(t *testing.T) {
	a, _ := home(t)
	root := t.TempDir()
	path := filepath.Join(root, "WhatsApp Chat with Raj.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	t.Run("asked", func(t *testing.T) {
		write(strings.Replace(chat, "the team", "Wilma", 1))
		var questions []string
		session := officialClient(t, a, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			questions = append(questions, r.Params.Message)
			if len(questions) == 1 {
				write(chat)
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"agree": true}}, nil
		}}, root)
		raw, text, isError := official(t, session)("import", map[string]any{"path": path, "me": "Ines"})
		if isError || !strings.Contains(raw, `"applied":true`) || len(questions) != 2 {
			t.Fatalf("%s %s (%d questions)", raw, text, len(questions))
		}
		for i, wants := range [][]string{
			{`"Ines"`, "(2 messages) count as the owner's own", `1 by "Raj"`, `it lets in "Wilma Okoro"`, "You can tell Wilma.", "sha256 "},
			{"The file has changed since you agreed", `it lets in "Raj Pillai"`, "You can tell the team."},
		} {
			for _, want := range wants {
				if !strings.Contains(questions[i], want) {
					t.Errorf("question %d doesn't say %q:\n%s", i+1, want, questions[i])
				}
			}
		}
		if strings.Contains(questions[0], "has changed") {
			t.Errorf("the first question speaks of a change: %s", questions[0])
		}
	})
	// A file that is exchanged while its import waits is another import.
	t.Run("waiting", func(t *testing.T) {
		write(chat)
		call := official(t, officialClient(t, a, nil, root))
		if raw, text, _ := call("import", map[string]any{"path": path, "me": "Ines"}); !strings.Contains(raw, `"waits":1`) {
			t.Fatalf("%s %s", raw, text)
		}
		write(strings.Replace(chat, "the team", "everybody", 1))
		waiting, err := a.Waiting(t.Context())
		if err != nil || len(waiting) != 1 || !waiting[0].Changed {
			t.Errorf("%+v, %v", waiting, err)
		}
	})
}

// A stage may run on the owner's client's model, in both eras; on nobody else's.
func TestClientModel(t *testing.T) {
	sample := func() *fakeVerbs {
		return &fakeVerbs{recall: func(ctx context.Context, r agent.RecallRequest) (*agent.Recalled, error) {
			var reply string
			for _, q := range []string{"first", "second"} { // several in one call
				got, err := tools.ClientModel{}.Sample(ctx, agent.SampleRequest{
					System: "be brief", Messages: []agent.SampleMessage{{Text: q}}, MaxTokens: 100,
				})
				if err != nil {
					return nil, err
				}
				reply += got.Text + ";"
			}
			return &agent.Recalled{Query: r.Query, Facts: []agent.RecalledFact{{ID: "f1", Text: reply}}}, nil
		}}
	}
	t.Run("2026-07-28", func(t *testing.T) {
		s := ownerServer(t, sample())
		session := connect(t, s, &mcp.ClientOptions{CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: r.Params.SystemPrompt + " " + r.Params.Messages[0].Content.(*mcp.TextContent).Text}}, nil
		}})
		raw, text, _ := official(t, session)("recall", map[string]any{"query": "a"})
		if !strings.Contains(raw, "be brief first;be brief second;") {
			t.Errorf("%s %s", raw, text)
		}
	})
	t.Run("2025-11-25", func(t *testing.T) {
		c := legacyClient(t, sample(), client.WithSamplingHandler(sampler{}))
		raw, text, _ := legacy(t, c)("recall", map[string]any{"query": "a"})
		if !strings.Contains(raw, "be brief first;be brief second;") {
			t.Errorf("%s %s", raw, text)
		}
	})
	t.Run("a recipient's", func(t *testing.T) {
		asked := false
		h := serve(t, &fakeVerbs{disclose: func(ctx context.Context, r agent.DiscloseRequest) (*agent.Disclosure, error) {
			_, err := tools.ClientModel{}.Sample(ctx, agent.SampleRequest{Messages: []agent.SampleMessage{{Text: "secret"}}})
			if !errors.Is(err, tools.ErrNoClientModel) {
				t.Errorf("%v, want ErrNoClientModel", err)
			}
			return &agent.Disclosure{Answer: "no", Ledger: 1}, nil
		}}, tools.HTTPOptions{Tokens: threeTokens()})
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
				asked = true
				return nil, errors.New("not me")
			},
		}).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.base + "/mcp", HTTPClient: &http.Client{Transport: bearerTransport("bo")}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		if _, text, isError := official(t, session)("disclose", map[string]any{"question": "a"}); isError || asked {
			t.Errorf("asked %v: %s", asked, text)
		}
	})
	t.Run("outside of a call", func(t *testing.T) {
		if _, err := (tools.ClientModel{}).Sample(t.Context(), agent.SampleRequest{}); !errors.Is(err, tools.ErrNoClientModel) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no model", func(t *testing.T) {
		s := ownerServer(t, sample())
		if _, text, isError := official(t, connect(t, s, nil))("recall", map[string]any{"query": "a"}); !isError {
			t.Errorf("a client without a model was asked: %s", text)
		}
	})
}

// sampler is a model that repeats what it is told.
type sampler struct{}

func (sampler) CreateMessage(_ context.Context, r mark3.CreateMessageRequest) (*mark3.CreateMessageResult, error) {
	text, err := mark3.ParseSamplingContent(r.Messages[0].Content)
	if err != nil {
		return nil, err
	}
	out := &mark3.CreateMessageResult{Model: "m"}
	out.Role, out.Content = mark3.RoleAssistant, mark3.NewTextContent(r.SystemPrompt+" "+text.(mark3.TextContent).Text)
	return out, nil
}

// other is another hexadecimal digit.
func other(digit byte) string {
	if digit == '0' {
		return "1"
	}
	return "0"
}
