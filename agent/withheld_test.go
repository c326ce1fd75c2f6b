package agent_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
)

// What can't be recorded isn't told, and a listener reads of it what they read of
// anything; without a listener it is an error.
func TestUnrecordedIsTheDeflection(t *testing.T) {
	now := time.Now()
	a, dir := tokenHome(t, &now)
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "We went hiking in the Dolomites."}); err != nil {
		t.Fatal(err)
	}
	to, err := a.Listeners(t.Context(), []string{"Wilma Okoro"})
	if err != nil {
		t.Fatal(err)
	}
	ask := agent.DiscloseRequest{Question: "Where did they go hiking?", To: to}
	ask.Question, ask.Listener = "What of the quizzle?", true
	nothing, err := a.Disclose(t.Context(), ask)
	if err != nil || nothing.Ledger == 0 || nothing.Withheld != nil {
		t.Fatalf("%+v, %v", nothing, err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, agent.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'no room'); END"); err != nil {
		t.Fatal(err)
	}
	ask.Question, ask.Listener = "Where did they go hiking?", false
	if _, err := a.Disclose(t.Context(), ask); !errors.Is(err, agent.ErrNotRecorded) {
		t.Errorf("without a listener: %v", err)
	}
	ask.Listener = true
	d, err := a.Disclose(t.Context(), ask)
	if err != nil || !errors.Is(d.Withheld, agent.ErrNotRecorded) || d.Action != agent.Deflected || d.Ledger != 0 || len(d.FactsTold) > 0 || d.Answer != nothing.Answer {
		t.Errorf("%+v, %v; want %q", d, err, nothing.Answer)
	}
	// A preview is the owner's: why is said.
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask.Preview = true
	if _, err := a.Disclose(t.Context(), ask); !errors.Is(err, agent.ErrPolicyBroken) {
		t.Errorf("a preview: %v", err)
	}
}
