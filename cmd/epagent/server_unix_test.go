//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// Standard output of a stdio server is the protocol and nothing else, whatever goes
// wrong inside; what is private is on standard error at debug level alone.
func TestStdoutIsProtocol(t *testing.T) {
	const private = "the spare key is under the third pot"
	for _, c := range []struct {
		name    string
		policy  string // "" for that of init
		prepare func(home string) error
		args    []string
		debug   bool
	}{
		{name: "a new home", prepare: os.RemoveAll},
		{name: "debugging", args: []string{"--debug"}, debug: true},
		{name: "a policy with a warning", policy: "version: 1\nowner: {name: Ines}\ndomains: [work]\ngroups: []\ncategories:\n  - {id: unused, name: Unused, level: 3}\n"},
		{name: "a broken policy", policy: "rubbish: ["},
		{name: "no policy", prepare: func(home string) error { return os.Remove(filepath.Join(home, "policy.yaml")) }},
		{name: "a recipient", args: []string{"--to", "Tomas Falk"}},
		{name: "a recipient, a broken policy", policy: "rubbish: [", args: []string{"--to", "Tomas Falk"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			epagent(t, home, "init", "--yes", "--name", "Ines", "--person", "Tomas Falk=partner")
			if c.policy != "" {
				if err := os.WriteFile(filepath.Join(home, "policy.yaml"), []byte(c.policy), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.prepare != nil {
				if err := c.prepare(home); err != nil {
					t.Fatal(err)
				}
			}
			body, _ := json.Marshal(map[string]string{"text": private + ".\n{\"jsonrpc\":\"2.0\",\"id\":1}"})
			lines := []string{
				hello, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				toolCall(1, "remember", string(body)), toolCall(2, "recall", `{"query":"spare key"}`), toolCall(3, "disclose", `{"question":"where is the spare key?","to":["Tomas Falk"]}`),
				toolCall(4, "disclose", `{"question":"where is the spare key?"}`), toolCall(5, "no_such_tool", "{}"), toolCall(6, "partition", `{"topic":7}`),
				`{"jsonrpc":"2.0","id":7,"method":"no/such/method"}`, "not JSON", "[]", "",
			}
			cmd := command(home, append([]string{"mcp"}, c.args...)...)
			cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
			var out, log bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &log
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			answers := map[string]int{}
			for line := range strings.Lines(out.String()) {
				var m struct {
					Version string          `json:"jsonrpc"`
					ID      json.RawMessage `json:"id"`
				}
				if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
					t.Errorf("stdout: %q", line)
				}
				answers[string(m.ID)]++
			}
			for _, id := range []string{`"init"`, "1", "2", "3", "4", "5", "6", "7"} {
				if answers[id] != 1 {
					t.Errorf("%d answers to %s", answers[id], id)
				}
			}
			if !c.debug && strings.Contains(log.String(), private) {
				t.Errorf("stderr tells what is private: %s", log.String())
			}
		})
	}
}

// What is being written when the server is told to stop is written, and answered.
func TestStopFinishesWrites(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	epagent(t, home, "init", "--yes", "--name", "Ines")
	cmd := command(home, "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() //nolint:errcheck // it has ended, if all is well
	read := bufio.NewReader(out)
	fmt.Fprintln(in, hello)
	if _, err := read.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	const notes = 20
	var lines strings.Builder
	for k := range notes {
		fmt.Fprintln(&lines, toolCall(k, "remember", fmt.Sprintf(`{"text":"The locker in room %d has a blue door."}`, k)))
	}
	if _, err := io.WriteString(in, lines.String()); err != nil {
		t.Fatal(err)
	}
	first, err := read.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	answered := strings.Count(first+string(rest), `"structuredContent"`)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("exit code %d", cmd.ProcessState.ExitCode())
	}
	if got := len(stored(t, home).facts); got < answered {
		t.Errorf("%d notes are answered and %d stored", answered, got)
	}
}

// A server whose parent is gone ends, also where its input stays open.
func TestServerEndsWithItsParent(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	epagent(t, home, "init", "--yes", "--name", "Ines")
	// Our own end of the pipe stays open when the shell between us ends.
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	defer read.Close()
	if _, err := write.WriteString(hello + "\n"); err != nil {
		t.Fatal(err)
	}
	// The shell ends when the server has answered: it knows its parent by then.
	answer := filepath.Join(t.TempDir(), "answer")
	shell := exec.Command("sh", "-c", `"$0" mcp <&3 >"$1" 2>/dev/null & echo $!; until [ -s "$1" ] || ! kill -0 $!; do sleep 0.1; done`, os.Args[0], answer)
	shell.Env = command(home).Env
	shell.ExtraFiles = []*os.File{read}
	said, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(said), &pid); err != nil {
		t.Fatal(err)
	}
	gone := func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) }
	// However slow the machine is: the test's own deadline is the only bound.
	end, bound := t.Deadline()
	for !bound || time.Until(end) > 5*time.Second {
		if gone() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the server outlives its parent")
}

func zombie(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(state, []byte(") Z "))
}

// Four servers of four clients write to one home at once: nothing is lost.
func TestFourServers(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	epagent(t, home, "init", "--yes", "--name", "Ines")
	const servers = 4
	each := 100 // .ci/mcp writes a thousand each, beside another server
	if testing.Short() {
		each = 8
	}
	done := make(chan error, servers)
	for p := range servers {
		go func() {
			lines := []string{hello, `{"jsonrpc":"2.0","method":"notifications/initialized"}`}
			for k := range each {
				lines = append(lines, toolCall(k, "remember", fmt.Sprintf(`{"text":"The locker in room %d of house %d has a blue door."}`, k, p)))
			}
			cmd := command(home, "mcp")
			cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
			out, err := cmd.Output()
			if n := bytes.Count(out, []byte(`"structuredContent"`)); err == nil && (n != each || bytes.Contains(out, []byte(`"isError":true`))) {
				err = fmt.Errorf("%d of %d are answered: %s", n, each, out)
			}
			done <- err
		}()
	}
	for range servers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := len(stored(t, home).facts); got != servers*each {
		t.Errorf("%d facts, want %d", got, servers*each)
	}
}

// A token is made, used over HTTP and revoked by commands; the server ends in order.
func TestServe(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	epagent(t, home, "init", "--yes", "--name", "Ines", "--person", "Tomas Falk=partner")
	epagent(t, home, "remember", "I play tennis on Mondays.")
	made, err := command(home, "token", "create", "--to", "Tomas Falk").Output()
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(made))
	cmd := command(home, "serve", "--listen", "127.0.0.1:0")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() //nolint:errcheck // it has ended, if all is well
	lines := bufio.NewReader(log)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := regexp.MustCompile(`http://\S+/mcp`).FindString(first)
	if url == "" {
		t.Fatalf("serve says %q", first)
	}
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(lines)
		rest <- string(text)
	}()
	ask := func() (int, string) {
		t.Helper()
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"disclose","arguments":{"question":"Does Ines play tennis?"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		req, err := http.NewRequest("POST", url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "disclose"} {
			req.Header.Set(k, v)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	if status, text := ask(); status != 200 || !strings.Contains(text, "tennis on Mondays") {
		t.Errorf("asked: %d %s", status, text)
	}
	epagent(t, home, "token", "revoke", token)
	if status, _ := ask(); status != http.StatusUnauthorized {
		t.Errorf("asked with a revoked token: %d", status)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	said := <-rest
	if err := cmd.Wait(); err != nil {
		t.Errorf("serve ends with %v: %s", err, said)
	}
	if strings.Contains(said, token) || strings.Contains(said, "tennis") {
		t.Errorf("the log holds the token or what was said: %s", said)
	}
}
