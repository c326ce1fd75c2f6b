package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if os.Getenv("EPAGENT_TEST_MAIN") == "1" { // a process of TestImportKilled
		os.Exit(mainExit())
	}
	testscript.Main(m, map[string]func(){
		"epagent": func() { os.Exit(mainExit()) },
	})
}

// TestScript runs the command line as a user does: testdata/script/*.txtar, each
// with a home folder of its own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EPAGENT_HOME", env.WorkDir+"/home")
			env.Setenv("NO_COLOR", "1")
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"endpoint": endpointCommand},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
	})
}
