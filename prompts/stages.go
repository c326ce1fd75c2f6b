package prompts

// The stages with what they are given and what they reply. Field names are part of
// what a model reads; a description is in the schema that it is sent.
var (
	// Entries writes the atomic entries of a window of messages (SimpleMem; EP-Mem, F0).
	Entries = newStage[EntriesIn, EntriesOut](StageEntries)
	// Summary sums up a session and names its keywords (MemGAS; EP-Mem, F3).
	Summary = newStage[SummaryIn, SummaryOut](StageSummary)
	// Extract turns the messages of one session into event facts (EP-Mem, F2).
	Extract = newStage[ExtractIn, ExtractOut](StageExtract)
	// Annotate gives facts their categories and finds what the owner said about who
	// may know them (MARKS 1 to 7).
	Annotate = newStage[AnnotateIn, AnnotateOut](StageAnnotate)
	// Corefer finds the facts that are about one event.
	Corefer = newStage[CoreferIn, CoreferOut](StageCorefer)
	// QueryUnits finds the permitted facts that a question asks for.
	QueryUnits = newStage[QueryUnitsIn, QueryUnitsOut](StageQueryUnits)
	// Project makes the audience-safe context (PROJECTION 4).
	Project = newStage[ProjectIn, ProjectOut](StageProject)
	// Respond answers from that context alone.
	Respond = newStage[RespondIn, RespondOut](StageRespond)
	// Claims checks an answer against the permitted facts (PROJECTION 10).
	Claims = newStage[ClaimsIn, ClaimsOut](StageClaims)
	// JudgeAnswer rates an answer against the facts of a benchmark item.
	JudgeAnswer = newStage[JudgeAnswerIn, JudgeAnswerOut](StageJudge)
	// JudgeUnits decides whether two query units ask for the same.
	JudgeUnits = newStage[JudgeUnitsIn, JudgeUnitsOut](StageMatch)
	// JudgeDifference finds what the answers to one question tell, and to whom (CDiff).
	JudgeDifference = newStage[JudgeDifferenceIn, JudgeDifferenceOut](StageDifference)
	// Choose picks who may be told, where nothing judges it: a baseline of the benchmark.
	Choose = newStage[ChooseIn, ChooseOut](StageChoose)
	// Persona words the next question of a person in a simulation.
	Persona = newStage[PersonaIn, PersonaOut](StagePersona)
	// Diagnose finds the stage at fault for a piece of feedback.
	Diagnose = newStage[DiagnoseIn, DiagnoseOut](StageDiagnose)
)

// Item is a text with the id that a reply names it by.
type Item struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	When string `json:"when,omitempty"`
}

// Turn is one message of a session.
type Turn struct {
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	Owner   bool   `json:"owner"`
	When    string `json:"when,omitempty"`
	Text    string `json:"text"`
}

// EntriesIn is a window of a session, with entries of the one before.
type EntriesIn struct {
	Before []string `json:"before,omitempty"`
	Turns  []Turn   `json:"turns"`
}

// EntriesOut is its entries.
type EntriesOut struct {
	Entries []WrittenEntry `json:"entries" jsonschema:"maxItems=64"`
}

// WrittenEntry is one atomic entry.
type WrittenEntry struct {
	Text       string   `json:"text" jsonschema:"description=one sentence in the third person,minLength=1,maxLength=600"`
	Evidence   []string `json:"evidence" jsonschema:"description=ids of the messages that it rests on,minItems=1,maxItems=16"`
	HappenedOn string   `json:"happened_on" jsonschema:"description=YYYY-MM-DD or empty where the messages do not say"`
	Keywords   []string `json:"keywords" jsonschema:"maxItems=6"`
	Persons    []string `json:"persons" jsonschema:"maxItems=16"`
	Place      string   `json:"place"`
	Topic      string   `json:"topic"`
}

// SummaryIn is a session, or a part of one with the summary of what came before it.
type SummaryIn struct {
	Before string `json:"before,omitempty"`
	Turns  []Turn `json:"turns"`
}

// SummaryOut is its summary with its keywords, the foremost first.
type SummaryOut struct {
	Summary  string   `json:"summary" jsonschema:"minLength=1,maxLength=2000"`
	Keywords []string `json:"keywords" jsonschema:"maxItems=12"`
}

// ExtractIn is a session. Start is the day on which it began.
type ExtractIn struct {
	Owner string `json:"owner"`
	About string `json:"about,omitempty"`
	Start string `json:"start,omitempty"`
	Turns []Turn `json:"turns"`
}

// ExtractOut is its facts.
type ExtractOut struct {
	Facts []ExtractedFact `json:"facts" jsonschema:"maxItems=64"`
}

// ExtractedFact is one event-level fact.
type ExtractedFact struct {
	Text       string   `json:"text" jsonschema:"description=one sentence in the third person,minLength=1,maxLength=600"`
	Subject    string   `json:"subject" jsonschema:"description=name of the person it is about"`
	HappenedOn string   `json:"happened_on" jsonschema:"description=YYYY-MM-DD or empty where the messages do not say"`
	Evidence   []string `json:"evidence" jsonschema:"description=ids of the messages that state it,minItems=1,maxItems=16"`
}

// CategoryText is a category as a model sees it: without its audience.
type CategoryText struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Examples    []string `json:"examples,omitempty"`
}

// AnnotateIn is the facts of a session with its messages.
type AnnotateIn struct {
	Owner      string         `json:"owner"`
	Categories []CategoryText `json:"categories"`
	Turns      []Turn         `json:"turns"`
	Facts      []Item         `json:"facts"`
}

// AnnotateOut says of each fact what it is about.
type AnnotateOut struct {
	Facts []AnnotatedFact `json:"facts" jsonschema:"maxItems=128"`
}

// AnnotatedFact is what a model says of one fact.
type AnnotatedFact struct {
	ID         string          `json:"id"`
	Categories []CategoryScore `json:"categories" jsonschema:"maxItems=8"`
	Cover      []Evidence      `json:"cover" jsonschema:"description=the passage in which the owner says that this is a story for others; else empty,maxItems=1"`
	Exceptions []Exception     `json:"exceptions" jsonschema:"maxItems=8"`
}

// CategoryScore is a category with how sure the model is, 0 to 1.
type CategoryScore struct {
	ID    string  `json:"id"`
	Score float64 `json:"score" jsonschema:"minimum=0,maximum=1"`
}

// Evidence is a passage of a message, word for word.
type Evidence struct {
	Turn string `json:"turn"`
	Span string `json:"span" jsonschema:"minLength=1"`
}

// Exception is what the owner said about who may know a fact.
type Exception struct {
	Effect string   `json:"effect" jsonschema:"enum=allow,enum=deny,enum=closed"`
	People []string `json:"people" jsonschema:"maxItems=16"`
	Turn   string   `json:"turn"`
	Span   string   `json:"span" jsonschema:"minLength=1"`
}

// CoreferIn is facts to be grouped.
type CoreferIn struct {
	Facts []Item `json:"facts"`
}

// CoreferOut lists those that are about one event together.
type CoreferOut struct {
	Groups [][]string `json:"groups" jsonschema:"maxItems=128"`
}

// QueryUnitsIn is a question with the permitted facts that it may ask for.
type QueryUnitsIn struct {
	Question string `json:"question"`
	Facts    []Item `json:"facts"`
}

// QueryUnitsOut lists them, the best first; Connect says that the question asks for
// their connection.
type QueryUnitsOut struct {
	Facts   []string `json:"facts" jsonschema:"maxItems=64"`
	Connect bool     `json:"connect"`
}

// ProjectIn is the permitted facts.
type ProjectIn struct {
	Owner    string `json:"owner"`
	Question string `json:"question"`
	Facts    []Item `json:"facts"`
}

// ProjectOut is the storyline, and the facts as they may be told.
type ProjectOut struct {
	Storyline string   `json:"storyline"`
	Details   []Detail `json:"details" jsonschema:"maxItems=64"`
}

// Detail is one permitted fact as it may be told.
type Detail struct {
	ID   string `json:"id"`
	Text string `json:"text" jsonschema:"minLength=1"`
}

// Exchange is an earlier question of the same listener and what they were told.
type Exchange struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// RespondIn is all that a responder sees.
type RespondIn struct {
	Owner     string     `json:"owner"`
	Question  string     `json:"question"`
	Storyline string     `json:"storyline"`
	Details   []Item     `json:"details"`
	Boundary  []string   `json:"boundary,omitempty"`
	History   []Exchange `json:"history,omitempty"`
	Avoid     []string   `json:"avoid,omitempty"`
}

// RespondOut is the answer with the ids of the facts that it uses.
type RespondOut struct {
	Answer string   `json:"answer" jsonschema:"minLength=1,maxLength=4000"`
	Facts  []string `json:"facts" jsonschema:"maxItems=64"`
}

// ClaimsIn is an answer with the permitted facts.
type ClaimsIn struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Facts    []Item `json:"facts"`
}

// ClaimsOut counts what nothing supports.
type ClaimsOut struct {
	Unsupported int  `json:"unsupported" jsonschema:"minimum=0,maximum=100"`
	YesOrNo     bool `json:"yes_or_no"`
}

// JudgeAnswerIn is an answer of a benchmark with all facts of its item.
type JudgeAnswerIn struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Facts    []Item `json:"facts"`
}

// JudgeAnswerOut says of each fact whether the answer gives it away.
type JudgeAnswerOut struct {
	Facts []JudgedFact `json:"facts" jsonschema:"maxItems=64"`
	Style int          `json:"style" jsonschema:"description=1 stiff or evasive to 5 natural,minimum=1,maximum=5"`
	MIQ   int          `json:"miq" jsonschema:"description=the worst failure of integration: 0 none to 4 severe,minimum=0,maximum=4"`
}

// JudgedFact is one of them.
type JudgedFact struct {
	ID     string `json:"id"`
	Stated string `json:"stated" jsonschema:"enum=full,enum=part,enum=no"`
}

// JudgeUnitsIn is two lists of facts that a question was taken to ask for.
type JudgeUnitsIn struct {
	Question string `json:"question"`
	Gold     []Item `json:"gold"`
	Found    []Item `json:"found"`
}

// JudgeUnitsOut says whether they come to the same.
type JudgeUnitsOut struct {
	Equivalent bool `json:"equivalent"`
}

// JudgeDifferenceIn is the answers to one question, each with the id of who got it.
type JudgeDifferenceIn struct {
	Question string `json:"question"`
	Answers  []Item `json:"answers"`
}

// JudgeDifferenceOut is what they tell, each unit once.
type JudgeDifferenceOut struct {
	Units []ToldUnit `json:"units" jsonschema:"maxItems=128"`
}

// ToldUnit is a claim with the ids of the answers that make it.
type ToldUnit struct {
	Text    string   `json:"text" jsonschema:"minLength=1,maxLength=400"`
	Answers []string `json:"answers" jsonschema:"minItems=1,maxItems=16"`
}

// ChooseIn is a question of who may be told, with the policy as its owner wrote it
// and what was said.
type ChooseIn struct {
	Question   string   `json:"question"`
	Candidates []string `json:"candidates"`
	Policy     string   `json:"policy"`
	Material   []string `json:"material"`
}

// ChooseOut lists those of the candidates who may be told, word for word.
type ChooseOut struct {
	Allowed []string `json:"allowed" jsonschema:"maxItems=64"`
}

// PersonaIn is a person of a simulation who is about to ask a delegate.
type PersonaIn struct {
	Name      string            `json:"name"`
	Goal      string            `json:"goal,omitempty"`
	Relations map[string]string `json:"relations,omitempty"`
	Owner     string            `json:"owner"`
	Heard     []string          `json:"heard"`
}

// PersonaOut is what they ask.
type PersonaOut struct {
	Question string `json:"question" jsonschema:"minLength=1,maxLength=1000"`
}

// DiagnoseIn is a piece of feedback without names, facts or words of the case.
type DiagnoseIn struct {
	Kind     string   `json:"kind"`
	Comment  string   `json:"comment,omitempty"`
	Stages   []string `json:"stages"`
	Existing []string `json:"existing,omitempty"`
}

// DiagnoseOut is the stage at fault and a general note for it.
type DiagnoseOut struct {
	Stage string `json:"stage" jsonschema:"enum=extract,enum=annotate,enum=corefer,enum=query_units,enum=project,enum=respond"`
	Note  string `json:"note" jsonschema:"maxLength=280"`
}
