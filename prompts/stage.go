package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Name names a key stage.
type Name string

// The key stages, in the order in which they come in a life of a memory.
const (
	StageEntries    Name = "entries"     // a window's messages → atomic entries (F0)
	StageSummary    Name = "summary"     // a session's messages → summary and keywords (F3)
	StageExtract    Name = "extract"     // a session's messages → event facts
	StageAnnotate   Name = "annotate"    // facts → categories and the owner's exceptions
	StageCorefer    Name = "corefer"     // facts → events
	StageQueryUnits Name = "query_units" // question → the permitted facts that it asks for
	StageProject    Name = "project"     // permitted facts → storyline and details
	StageRespond    Name = "respond"     // storyline and details → answer
	StageClaims     Name = "claims"      // answer → claims that nothing permitted supports
	StageJudge      Name = "judge_answer"
	StageMatch      Name = "judge_units" // benchmark: do two units ask for the same
	StageDifference Name = "judge_difference"
	StageChoose     Name = "choose"   // benchmark: who may be told, for systems without a judgement
	StagePersona    Name = "persona"  // simulation: what a person asks a delegate next
	StageDiagnose   Name = "diagnose" // feedback → the stage at fault and a supplement
)

// Names lists the key stages.
func Names() []Name {
	return []Name{StageEntries, StageSummary, StageExtract, StageAnnotate, StageCorefer, StageQueryUnits, StageProject, StageRespond, StageClaims, StageJudge, StageMatch, StageDifference, StageChoose, StagePersona, StageDiagnose}
}

// Stage is a key stage with the types of what it is given and what it replies.
type Stage[In, Out any] struct {
	name   Name
	schema *Schema
}

func newStage[In, Out any](name Name) Stage[In, Out] {
	return Stage[In, Out]{name: name, schema: schemaOf[Out](string(name))}
}

// Name is the stage's name.
func (s Stage[In, Out]) Name() Name { return s.name }

// Schema is the JSON schema of the reply.
func (s Stage[In, Out]) Schema() *Schema { return s.schema }

// Version names the fixed part of a stage in every language, and its schema: twelve
// hex digits that change with any byte of them.
func (s Stage[In, Out]) Version() string { return version(s.name, s.schema) }

func version(name Name, schema *Schema) string {
	h := sha256.New()
	for _, l := range Languages() {
		fmt.Fprintf(h, "%s\x00%s\x00", l, Fixed(name, l))
	}
	h.Write(schema.JSON)
	return hex.EncodeToString(h.Sum(nil))[:12]
}

//go:embed templates/*/*.md
var templates embed.FS

// Languages lists the languages that have templates of their own.
func Languages() []string { return []string{"en", "zh"} }

// templateLanguage is the language of the templates for texts in a language: English
// stands in for those without.
func templateLanguage(tag string) string {
	if p := primary(tag); slices.Contains(Languages(), p) {
		return p
	}
	return "en"
}

// replyLanguage is the tag as it is written to a model; "" for what is no tag, since
// it may be anything that somebody wrote.
func replyLanguage(tag string) string {
	t, err := language.Parse(tag)
	if err != nil || t == language.Und {
		return ""
	}
	return t.String()
}

// primary is the language of a tag without script, region and the rest, and English
// for what is no tag.
func primary(tag string) string {
	t, err := language.Parse(tag)
	if err != nil || t == language.Und {
		return "en"
	}
	base, _ := t.Base()
	return base.String()
}

// Fixed is the fixed part of a stage's system message for texts in a language: what
// holds for every stage, then what the stage is to do and its rules. Empty for a name
// that is no stage.
func Fixed(name Name, tag string) string {
	l := templateLanguage(tag)
	rules, err := templates.ReadFile("templates/" + l + "/" + string(name) + ".md")
	if err != nil {
		return ""
	}
	common, err := templates.ReadFile("templates/" + l + "/_common.md")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(common)) + "\n\n" + strings.TrimSpace(string(rules)) + "\n"
}
