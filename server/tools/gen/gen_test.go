package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

func TestFilesAreFresh(t *testing.T) {
	needs.Program(t, "go")
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outputs {
		old, fresh, err := o.contents(root)
		if err != nil {
			t.Errorf("%s: %v", o.path, err)
		} else if diff := cmp.Diff(string(old), string(fresh)); diff != "" {
			t.Errorf("%s is stale, run `make gen` (-is +should be):\n%s", o.path, diff)
		}
	}
}

func TestTypeScript(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "protocol/a.go"), `package protocol

// Method is sent
// twice.
const Method = "aptix/x"

// State is a state.
type State string

// The states.
const (
	StateOn  State = "on"
	StateOff State = "off"
)

// Thing is a thing.
type Thing struct {
	// Its name.
	Name  string   `+"`json:\"name\"`"+`
	Block *int     `+"`json:\"block\"`"+`
	Text  *string  `+"`json:\"text,omitempty\"`"+`
	State State    `+"`json:\"state\"`"+`
	Rest  []*Thing `+"`json:\"rest\"`"+`
}
`)
	got, err := renderTypeScript(root, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `// Code generated from protocol/*.go by ` + "`make gen`" + `. DO NOT EDIT.

/**
 * Method is sent
 * twice.
 */
export const Method = "aptix/x";

/** State is a state. */
export type State = "on" | "off";

/** Thing is a thing. */
export interface Thing {
  /** Its name. */
  name: string;
  block: number | null;
  text?: string;
  state: State;
  rest: (Thing | null)[];
}

`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// If TypeScript cannot express a type, the generator fails instead of leaving the type out.
func TestTypeScriptRefuses(t *testing.T) {
	for _, src := range []string{
		"type T map[string]int",
		"type T string",
		"type T struct { A map[string]int `json:\"a\"` }",
		"type T struct { A string }",
		"const A = 1 + 1",
		"var A = 1",
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "protocol/a.go"), "package protocol\n"+src+"\n")
		if got, err := renderTypeScript(root, ""); err == nil {
			t.Errorf("%s: no error, but %q", src, got)
		}
	}
}

func TestConfigurationReplacesNothingElse(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	before := "{\n\t\"a\":  [1,2],\n\t\"configuration\": 1,\n\t\"contributes\": {\n\t\t\"configuration\": "
	after := ",\n\t\t\"b\": {\"configuration\": {}}  }\r\n}"
	got, err := renderConfiguration(root, before+`{"old":[]}`+after)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got, before+"{\n\t\t\t\"title\"") || !strings.HasSuffix(got, "\n\t\t}"+after) {
		t.Errorf("got %s", got)
	}
	if _, err := renderConfiguration(root, `{"contributes":{"commands":[]}}`); err == nil {
		t.Error("no error where there is no place for the settings")
	}
}

func TestSettingsTableNeedsMarkers(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := renderSettingsTable(root, "# Aptix\n"); err == nil {
		t.Error("no error where the markers are missing")
	}
}

func TestExampleFence(t *testing.T) {
	var b strings.Builder
	example(&b, "Before", "a\n````json\n```\n")
	if want := "\nBefore:\n\n`````text\na\n````json\n```\n`````\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMessagesAreSentences(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), `package a

import "not a/message"

var cases = []Example{{"not this text"}}

func f(x string) {
	log.Warn("not for people")
	say("write " + x + " once", "aword", fmt.Sprintf("%s is missing", x), "SELECT a FROM b")
}
`)
	got, err := goMessages(dir)
	if diff := cmp.Diff([]string{"write … once", "%s is missing"}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	write(t, filepath.Join(dir, "package.json"), `{"title": "Apply Again", "name": "a_tool", "other": "not shown"}`)
	write(t, filepath.Join(dir, "src/a.ts"), "// not 'a message'\ninform(`applied to ${n} files`, 'Show it');\n"+
		"inform(`it is done.${why ? ` Because of ${why}.` : ''}`);\n")
	got, err = shellMessages(dir)
	if diff := cmp.Diff([]string{"Apply Again", "applied to ${n} files", "Show it", "it is done.…", " Because of ${why}."}, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
