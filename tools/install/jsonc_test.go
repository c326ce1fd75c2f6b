package install_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/tools/install"
)

var entry = map[string]string{"command": "e"}

func TestSet(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"no file", "", "{\n  \"m\": {\n    \"e\": {\n      \"command\": \"e\"\n    }\n  }\n}\n"},
		{"other things", "{\n  \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n  \"m\": {\n    \"e\": {\n      \"command\": \"e\"\n    }\n  }\n}\n"},
		{"a server more", "{\n\t\"m\": {\n\t\t// mine\n\t\t\"x\": {\"command\": \"x\"}, // trailing\n\t},\n}",
			"{\n\t\"m\": {\n\t\t// mine\n\t\t\"x\": {\"command\": \"x\"}, // trailing\n\t\t\"e\": {\n\t\t  \"command\": \"e\"\n\t\t},\n\t},\n}"},
		{"replaced", `{"m": {"e": {"old": [1, 2]}, "z": 3}}`, "{\"m\": {\"e\": {\n  \"command\": \"e\"\n}, \"z\": 3}}"},
		{"a server more, no comma", "{\n  \"m\": {\n    \"x\": 1 // one, two\n    // last\n  }\n}", "{\n  \"m\": {\n    \"x\": 1, // one, two\n    \"e\": {\n      \"command\": \"e\"\n    }\n    // last\n  }\n}"},
		{"windows lines", "{\r\n  \"m\": {\r\n    \"x\": 1, /* a\n b */ // c\r\n  }\r\n}", "{\r\n  \"m\": {\r\n    \"x\": 1, /* a\n b */ // c\r\n    \"e\": {\n      \"command\": \"e\"\n    },\r\n  }\r\n}"},
		{"on one line", `{"m": {"z": 3}}`, `{"m": {"z": 3, "e": {"command":"e"}}}`},
		{"empty with a comment", "{\n  \"m\": {\n    // none yet\n  }\n}", "{\n  \"m\": {\n    \"e\": {\n      \"command\": \"e\"\n    }\n    // none yet\n  }\n}"},
		{"a name that looks like an end", `{"a}": "// {", "m": {}}`, "{\"a}\": \"// {\", \"m\": {\n  \"e\": {\n    \"command\": \"e\"\n  }\n}}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := install.Set([]byte(c.in), []string{"m", "e"}, entry, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if removed, there, err := install.Remove(got, []string{"m", "e"}, true); !there || err != nil {
				t.Errorf("remove: %v, %v", there, err)
			} else if c.name == "other things" || c.name == "replaced" || c.name == "no file" || strings.HasPrefix(c.name, "empty") || c.name == "a name that looks like an end" {
				_ = removed // what was made for it stays, or what was there is gone
			} else if diff := cmp.Diff(c.in, string(removed)); diff != "" {
				t.Errorf("removed again, -want +got:\n%s", diff)
			}
			again, err := install.Set(got, []string{"m", "e"}, entry, true)
			if err != nil || string(again) != string(got) {
				t.Errorf("again: %v\n%s", err, again)
			}
			if !equalJSON(t, value(t, string(got))["m"].(map[string]any)["e"], map[string]any{"command": "e"}) {
				t.Errorf("not there: %s", got)
			}
		})
	}
}

// A file that the client would not read is refused with the place.
func TestBroken(t *testing.T) {
	cases := []struct {
		name, in string
		lenient  bool
		want     string
	}{
		{"cut", "{\n \"m\": {", true, "line 2"},
		{"comment", "{\n // no\n}", false, "line 2, column 2: a comment"},
		{"trailing comma", `{"a": 1,}`, false, "line 1, column 8"},
		{"twice", "{\"m\": {},\n\"m\": {}}", true, "line 2, column 1: the name occurs twice"},
		{"no object", `{"m": [1]}`, true, `"m" is no object`},
		{"a list", `[1]`, true, "the whole of it is no object"},
		{"no comma", `{"a": 1 "b": 2}`, true, "a comma is missing"},
		{"more", `{} {}`, true, "something follows"},
		{"word", `{"a": nope}`, true, "no value"},
		{"deep", strings.Repeat("[", 500), true, "too deeply"},
		{"bytes", "{\"\xff\": 1}", true, "UTF-8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := install.Set([]byte(c.in), []string{"m", "e"}, entry, c.lenient)
			if !errors.Is(err, install.ErrBroken) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want ErrBroken with %q", err, c.want)
			}
		})
	}
}

func value(t interface{ Fatalf(string, ...any) }, text string) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(plain(text)), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// plain takes comments and trailing commas out; the test's texts hold neither in strings
// but where a quote stands before.
func plain(text string) string {
	var b strings.Builder
	inText := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText:
			b.WriteByte(c)
			if c == '\\' {
				i++
				b.WriteByte(text[i])
			} else if c == '"' {
				inText = false
			}
		case c == '"':
			inText = true
			b.WriteByte(c)
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			b.WriteByte('\n')
		case strings.HasPrefix(text[i:], "/*"):
			i += 2 + strings.Index(text[i+2:], "*/") + 1
		case c == ',':
			rest := strings.TrimLeft(plain(text[i+1:]), " \t\r\n")
			if rest != "" && rest[0] != '}' && rest[0] != ']' {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	return cmp.Equal(a, b)
}

// Setting adds what it says and nothing else, keeps every comment, and removing it
// gives what was there.
func TestSetAndRemove(t *testing.T) { rapid.Check(t, propSetAndRemove) }

func FuzzSetAndRemove(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propSetAndRemove)) }

func propSetAndRemove(t *rapid.T) {
	text, comments := object(t, 0, true)
	text += rapid.SampledFrom([]string{"", "\n", "\n// end\n"}).Draw(t, "end")
	before := value(t, text)
	got, err := install.Set([]byte(text), []string{"m", "e"}, entry, true)
	if servers, there := before["m"]; err != nil {
		if _, ok := servers.(map[string]any); there && !ok && errors.Is(err, install.ErrBroken) {
			return
		}
		t.Fatalf("%v: %s", err, text)
	}
	after := value(t, string(got))
	want := value(t, text)
	servers, _ := want["m"].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
		want["m"] = servers
	}
	old, had := servers["e"]
	servers["e"] = map[string]any{"command": "e"}
	if diff := cmp.Diff(want, after); diff != "" {
		t.Fatalf("-want +got:\n%s\n%s\n%s", diff, text, got)
	}
	for i := range comments {
		if mark := fmt.Sprintf("c%d!", i); old == nil && !strings.Contains(string(got), mark) {
			t.Fatalf("the comment %s is gone: %s\n%s", mark, text, got)
		}
	}
	removed, there, err := install.Remove(got, []string{"m", "e"}, true)
	if err != nil || !there {
		t.Fatalf("remove: %v, %v", there, err)
	}
	delete(servers, "e")
	if diff := cmp.Diff(want, value(t, string(removed))); diff != "" {
		t.Fatalf("removed, -want +got:\n%s\n%s\n%s", diff, got, removed)
	}
	_ = had
	if _, there, err := install.Remove(removed, []string{"m", "e"}, true); there || err != nil {
		t.Fatalf("removed twice: %v, %v", there, err)
	}
}

// object draws an object with comments, numbered from 0.
func object(t *rapid.T, depth int, top bool) (text string, comments int) {
	blank := func() string {
		kind := rapid.IntRange(0, 5).Draw(t, "blank")
		switch kind {
		case 0, 1:
			return ""
		case 2:
			return "\n  "
		}
		if !top || depth > 0 {
			return " "
		}
		comments++
		if kind == 3 {
			return fmt.Sprintf(" // c%d! }\n", comments-1)
		}
		return fmt.Sprintf(" /* c%d! , */ ", comments-1)
	}
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "m", "e", "x}", "/*"}), 0, 4, rapid.ID[string]).Draw(t, "keys")
	var b strings.Builder
	b.WriteString("{" + blank())
	for i, key := range keys {
		if i > 0 {
			b.WriteString("," + blank())
		}
		v := rapid.SampledFrom([]string{"1", `"//"`, "null", `[1, {"q": 2}]`, "{}"}).Draw(t, "value")
		if depth < 2 && rapid.Bool().Draw(t, "deep") {
			v, _ = object(t, depth+1, false)
		}
		name, _ := json.Marshal(key)
		b.WriteString(string(name) + ":" + blank() + v + blank())
	}
	if len(keys) > 0 && rapid.Bool().Draw(t, "comma") {
		b.WriteString("," + blank())
	}
	b.WriteString("}")
	return b.String(), comments
}
