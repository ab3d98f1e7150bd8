package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func listedCommands() []string {
	var ids []string
	for _, c := range extensionCommands {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// registration matches the ways in which the extension registers a command: by a call, or as a
// key in a table of handlers.
var registration = regexp.MustCompile(`(?m)(?:registerCommand\(|^ +)'(aptix\.[\w.]+)'(?:,|:)`)

func TestShellRegistersEveryCommand(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "extension/src/*.ts"))
	if err != nil {
		t.Fatal(err)
	}
	var registered []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range registration.FindAllStringSubmatch(string(source), -1) {
			registered = append(registered, m[1])
		}
	}
	slices.Sort(registered)
	if diff := cmp.Diff(listedCommands(), registered); diff != "" {
		t.Errorf("commands that extension/src registers (-listed +registered):\n%s", diff)
	}
}

// manifest returns the extension's package.json.
func manifest(t *testing.T) []byte {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(root, "extension/package.json"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Menus, key bindings and links of package.json name existing commands.
func TestPackageNamesListedCommands(t *testing.T) {
	raw := manifest(t)
	var manifest struct {
		Contributes struct {
			Menus                                   map[string]json.RawMessage
			Keybindings, ViewsWelcome, Walkthroughs json.RawMessage
		}
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	texts := []json.RawMessage{manifest.Contributes.Keybindings, manifest.Contributes.ViewsWelcome, manifest.Contributes.Walkthroughs}
	for _, menu := range manifest.Contributes.Menus {
		texts = append(texts, menu)
	}
	named := 0
	for _, text := range texts {
		for _, m := range regexp.MustCompile(`"command": *"([^"]+)"|\(command:([^)?]+)`).FindAllStringSubmatch(string(text), -1) {
			named++
			if _, ok := slices.BinarySearch(listedCommands(), m[1]+m[2]); !ok {
				t.Errorf("package.json names the command %s, which is not listed in commands.go", m[1]+m[2])
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d commands were found", named)
	}
}
