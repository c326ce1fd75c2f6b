package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Resources are for the owner's client to read: what there is, without a question.
const (
	uriPolicy   = "epagent://policy"
	uriPeople   = "epagent://people"
	uriLedger   = "epagent://ledger"
	uriSession  = "epagent://session/"
	uriFact     = "epagent://fact/"
	uriPerson   = "epagent://person/"
	uriGroup    = "epagent://group/"
	uriCategory = "epagent://category/"
)

// resourceVerbs are the verbs of resources, prompts and completion.
type resourceVerbs interface {
	Fact(ctx context.Context, id privacy.FactID) (*agent.FactView, error)
	Session(ctx context.Context, id string) (*memory.Session, string, error)
	Sessions(ctx context.Context) ([]memory.SessionInfo, error)
	NewFacts(ctx context.Context, since time.Time) ([]agent.NewFact, error)
	State(ctx context.Context) (agent.State, error)
}

const (
	mimeJSON = "application/json"
	mimeYAML = "application/yaml"
)

// reader makes the text of a resource; what the URI has behind its prefix is the
// argument.
type reader func(ctx context.Context, name string) (string, error)

func (s *Server) addResources() {
	s.readers = map[string]reader{}
	one := func(uri, name, description, mime string, read reader) {
		s.readers[uri] = read
		s.mcp.AddResource(mcp.Resource{URI: uri, Name: name, Description: description, MIMEType: mime},
			s.resource(uri, mime, read))
	}
	many := func(prefix, variable, name, description string, read reader) {
		s.readers[prefix] = read
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(prefix+"{"+variable+"}", name,
			mcp.WithTemplateDescription(description), mcp.WithTemplateMIMEType(mimeJSON)),
			server.ResourceTemplateHandlerFunc(s.resource(prefix, mimeJSON, read)))
	}
	one(uriPolicy, "policy", "The policy in force", mimeYAML, s.readPolicy)
	one(uriPeople, "people", "People and groups of the policy", mimeJSON, s.readPeople)
	one(uriLedger, "ledger", "What was told to whom, newest first", mimeJSON, s.readLedger)
	many(uriLedger+"/", "page", "ledger page", "A further page of the ledger, from 2", s.readLedger)
	many(uriSession, "id", "session", "A conversation with its words", s.readSession)
	many(uriFact, "id", "fact", "A fact with its marks and where they come from", s.readFact)
	many(uriPerson, "name", "person", "What a person may know", s.readPerson)
	many(uriGroup, "id", "group", "Who is in a group", s.readGroup)
	many(uriCategory, "id", "category", "A category and who gets it by its label", s.readCategory)
}

// resource wraps a reader with the border: an error is a public text, and what isn't
// there is said in one way.
func (s *Server) resource(prefix, mime string, read reader) server.ResourceHandlerFunc {
	return func(ctx context.Context, request mcp.ReadResourceRequest) (contents []mcp.ResourceContents, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.ErrorContext(ctx, "a resource panicked", keyKind, fmt.Sprintf("%T", p))
				contents, err = nil, errors.New(publicMark+internalText)
			}
		}()
		who, err := s.speaker(ctx)
		if err != nil || !who.IsOwner() {
			return nil, errors.New(publicMark + internalText)
		}
		text, err := s.readURI(ctx, prefix, request.Params.URI, read)
		if err != nil {
			return nil, err
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: request.Params.URI, MIMEType: mime, Text: text}}, nil
	}
}

// readURI reads a resource; its error is for the client.
func (s *Server) readURI(ctx context.Context, prefix, uri string, read reader) (string, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(uri, prefix))
	if err != nil || strings.ContainsRune(name, 0) || len(name) > 500 {
		return "", errors.New(mistakeMark + "the URI names nothing that can be read")
	}
	text, err := read(ctx, name)
	if err != nil {
		public, known := publicText(err)
		if !known {
			logInternal(ctx, s.log, err)
		}
		return "", callerFault(err, public, true)
	}
	return text, nil
}

// escapeURI writes what a URI may not hold as it is, such as the letters of a name, in
// the form that the library matches.
func escapeURI(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// refuseSubscription refuses to watch what isn't there: its client would wait for ever.
// What the server reads of the request is all that it looks at.
func (s *Server) refuseSubscription(ctx context.Context, _ any, message any) (err error) {
	raw, ok := message.(json.RawMessage)
	var m struct {
		Method string `json:"method"`
		Params struct {
			URI string `json:"uri"`
		} `json:"params"`
	}
	if !ok || json.Unmarshal(raw, &m) != nil || m.Method != string(mcp.MethodResourcesSubscribe) || m.Params.URI == "" {
		return nil // another request, or one that the library refuses
	}
	defer func() {
		if p := recover(); p != nil {
			s.log.ErrorContext(ctx, "a resource panicked", keyKind, fmt.Sprintf("%T", p))
			err = errors.New(publicMark + internalText)
		}
	}()
	if _, there := s.mcp.ListResources()[m.Params.URI]; there {
		return nil
	}
	cut := strings.LastIndexByte(m.Params.URI, '/') + 1
	if read := s.readers[m.Params.URI[:cut]]; read != nil && cut < len(m.Params.URI) {
		_, err := s.readURI(ctx, m.Params.URI[:cut], m.Params.URI, read)
		return err
	}
	return errors.New(missingMark + protocolTexts[mcp.RESOURCE_NOT_FOUND])
}

// asJSON writes a resource; one that is too large is refused whole, since half of
// it is no JSON.
func asJSON(value any) (string, error) {
	b, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("write the resource: %w", err)
	}
	if len(b) > maxResource {
		return "", publicf("it takes %d bytes, and the limit is %d; ask for part of it with a tool", len(b), maxResource)
	}
	return string(b), nil
}

// maxResource is how large a resource may be, in bytes.
const maxResource = 1 << 20

func (s *Server) readPolicy(ctx context.Context, _ string) (string, error) {
	policy, err := s.verbs.Policy(ctx)
	if err != nil {
		return "", err
	}
	if len(policy.Source()) > maxResource {
		return "", publicf("the policy takes %d bytes, and the limit is %d; read the file itself", len(policy.Source()), maxResource)
	}
	return string(policy.Source()), nil
}

func (s *Server) readPeople(ctx context.Context, _ string) (string, error) {
	policy, err := s.verbs.Policy(ctx)
	if err != nil {
		return "", err
	}
	type person struct {
		Name    string   `json:"name"`
		Aliases []string `json:"aliases"`
		Groups  []string `json:"groups"`
		Note    string   `json:"note,omitempty"`
	}
	type group struct {
		ID          string `json:"id"`
		Tier        int    `json:"tier"`
		Domain      string `json:"domain,omitempty"`
		Description string `json:"description,omitempty"`
	}
	out := struct {
		Owner  string   `json:"owner"`
		People []person `json:"people"`
		Groups []group  `json:"groups"`
	}{Owner: policy.Owner().Name, People: []person{}, Groups: []group{}}
	for _, p := range policy.People() {
		out.People = append(out.People, person{p.Name, append([]string{}, p.Aliases...), words(p.Groups), p.Note})
	}
	for _, g := range policy.Groups() {
		out.Groups = append(out.Groups, group{string(g.ID), int(g.Tier), string(g.Domain), g.Description})
	}
	return asJSON(out)
}

func (s *Server) readLedger(ctx context.Context, name string) (string, error) {
	n := 1
	if name != "" && name != uriLedger {
		var err error
		if n, err = strconv.Atoi(name); err != nil || n < 1 {
			return "", publicf("want the number of a page, from 1")
		}
	}
	out, err := s.ledgerPage(ctx, memory.LedgerFilter{}, n)
	if err != nil {
		return "", err
	}
	return asJSON(out)
}

func (s *Server) readSession(ctx context.Context, id string) (string, error) {
	session, summary, err := s.verbs.Session(ctx, id)
	if err != nil {
		return "", err
	}
	return asJSON(struct {
		Session *memory.Session `json:"session"`
		Summary string          `json:"summary"`
	}{session, summary})
}

func (s *Server) readFact(ctx context.Context, id string) (string, error) {
	view, err := s.verbs.Fact(ctx, privacy.FactID(id))
	if err != nil {
		return "", err
	}
	return asJSON(view)
}

func (s *Server) readPerson(ctx context.Context, name string) (string, error) {
	knows, err := s.verbs.Knows(ctx, name, 1, maxItems, agent.AsOf{})
	if err != nil {
		return "", err
	}
	return asJSON(knows)
}

func (s *Server) readGroup(ctx context.Context, id string) (string, error) {
	policy, err := s.verbs.Policy(ctx)
	if err != nil {
		return "", err
	}
	group, ok := policy.Group(privacy.GroupID(id))
	if !ok {
		return "", fmt.Errorf("group of the policy: %w", memory.ErrNotFound)
	}
	out := struct {
		ID      string   `json:"id"`
		Tier    int      `json:"tier"`
		Domain  string   `json:"domain,omitempty"`
		Members []string `json:"members"`
	}{string(group.ID), int(group.Tier), string(group.Domain), []string{}}
	for _, member := range policy.Members(group.ID) {
		if p, ok := policy.Person(string(member)); ok {
			out.Members = append(out.Members, p.Name)
		}
	}
	return asJSON(out)
}

func (s *Server) readCategory(ctx context.Context, id string) (string, error) {
	policy, err := s.verbs.Policy(ctx)
	if err != nil {
		return "", err
	}
	category, ok := policy.Category(privacy.CategoryID(id))
	if !ok {
		return "", agent.ErrUnknownCategory
	}
	out := struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Label       string   `json:"label"`
		Description string   `json:"description,omitempty"`
		People      []string `json:"people"`
	}{string(category.ID), category.Name, category.Label().String(), category.Description, []string{}}
	for _, p := range policy.Audience(category.ID) {
		out.People = append(out.People, p.Name)
	}
	return asJSON(out)
}
