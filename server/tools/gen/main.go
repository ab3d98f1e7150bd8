// Command gen writes the files that are generated from Go:
//
//   - extension/src/protocol.gen.ts from package protocol
//   - contributes.configuration of extension/package.json, and the table of
//     settings in docs/vscode.md, from package settings
//   - contributes.languageModelTools of extension/package.json, and the table of
//     tools in docs/agents.md, from package agenttools
//   - contributes.commands and the Command Palette of extension/package.json, and the
//     table of commands in docs/vscode.md, from the list in commands.go
//   - contributes.keybindings of extension/package.json, and the table of keys in
//     docs/vscode.md, from the list in keys.go
//   - the tables of extension/README.md, which are those of docs/vscode.md
//   - the table of tools in docs/formats/tool-call.md from package edittools
//   - docs/diagnostics.md from package codes
//   - docs/licenses.md from package licenses
//   - docs/matching.md from package artifacts
//   - docs/protected.md from package protect
//   - docs/messages.md from all packages and the extension
//   - the code map of ARCHITECTURE.md from package server
//   - extension/schemas from package schema
//
// `make gen` runs it. A test fails when a file is stale.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/schema"
)

// An output is a file that is completely or partly generated.
type output struct {
	path   string // the path relative to the root of the module
	whole  bool   // the whole file is generated; otherwise the file must exist already
	render func(root, old string) (string, error)
}

var outputs = append(schemas(), []output{
	{"extension/src/protocol.gen.ts", true, renderTypeScript},
	{"extension/package.json", false, renderConfiguration},
	{"extension/package.json", false, renderLanguageModelTools},
	{"extension/package.json", false, renderCommands},
	{"extension/package.json", false, renderPalette},
	{"extension/package.json", false, renderKeys},
	{"docs/vscode.md", false, renderSettingsTable},
	{"docs/vscode.md", false, renderCommandsTable},
	{"docs/vscode.md", false, renderKeysTable},
	{"extension/README.md", false, renderSettingsTable},
	{"extension/README.md", false, renderCommandsTable},
	{"extension/README.md", false, renderKeysTable},
	{"docs/agents.md", false, renderToolsTable},
	{"docs/formats/tool-call.md", false, renderEditTools},
	{"docs/diagnostics.md", true, renderDiagnostics},
	{"docs/licenses.md", true, renderLicenses},
	{"docs/matching.md", true, renderMatching},
	{"docs/protected.md", true, renderProtected},
	{"docs/messages.md", true, renderMessages},
	{"ARCHITECTURE.md", false, renderCodeMap},
}...)

// schemas returns an output for the JSON Schema of each format that has one, and for the common
// schema of all of these formats.
func schemas() []output {
	found := []output{{"extension/schemas/aptix.schema.json", true, renderSchema(schema.Any)}}
	for _, f := range check.Formats {
		if f.Schema != nil {
			found = append(found, output{"extension/schemas/aptix-" + f.Name + ".schema.json", true, renderSchema(f.Schema)})
		}
	}
	return found
}

func renderSchema(made func() *jsonschema.Schema) func(root, old string) (string, error) {
	return func(_, _ string) (string, error) { return schema.Text(made()) }
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if err := o.write(root); err != nil {
			return fmt.Errorf("%s: %w", o.path, err)
		}
	}
	return nil
}

// write updates the file if it is stale.
func (o output) write(root string) error {
	old, fresh, err := o.contents(root)
	if err != nil || bytes.Equal(old, fresh) {
		return err
	}
	path := filepath.Join(root, o.path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, fresh, 0o644)
}

// contents returns the current text of the file and the text that it should have.
func (o output) contents(root string) (old, fresh []byte, err error) {
	old, err = os.ReadFile(filepath.Join(root, o.path))
	if err != nil && !(o.whole && errors.Is(err, os.ErrNotExist)) {
		return nil, nil, err
	}
	text, err := o.render(root, string(old))
	return old, []byte(text), err
}

// moduleRoot returns the nearest folder with a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = parent
	}
}
