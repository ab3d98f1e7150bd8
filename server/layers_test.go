// Package server_test holds what is true of the server as a whole.
package server_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/aptix-dev/aptix/"

// layers lists every package from the ground up. A package imports only packages
// of the rows above its own; those of one row do not know each other.
var layers = [][]string{
	{"protocol", "server/internal/text"},
	{"server/internal/fspath", "server/internal/diag", "server/internal/diff", "server/internal/merge", "server/internal/mdblock", "server/internal/settings", "server/internal/sqlitefile"},
	{"server/internal/docpath", "server/internal/lenientjson", "server/internal/intent", "server/internal/locate"},
	{"server/internal/findreplace", "server/internal/hunk", "server/internal/format"},
	{"server/internal/format/jsonshape", "server/internal/gitdiff"},
	{"server/internal/format/bundle", "server/internal/format/structured", "server/internal/format/git", "server/internal/format/ap", "server/internal/format/lines", "server/internal/schema"},
	{"server/internal/plan", "server/internal/lint"},
	{"server/internal/disk"},
	{"server/internal/history", "server/internal/fileset"},
	{"server/internal/check"},
	{"server/internal/apply"},
	{"server/internal/convert", "server/internal/lspconv", "server/internal/rpc"},
	{"server/internal/agenttools"},
	{"server/internal/link"},
	{"server/internal/lspserver", "server/internal/cli", "server/internal/mcp", "server/internal/gen"},
	{"server/cmd/aptix"},
}

// wire is what only the front ends may know.
var wire = []string{"go.lsp.dev/", "go.uber.org/zap", "github.com/spf13/cobra", "github.com/modelcontextprotocol/"}

func TestImportsGoDown(t *testing.T) {
	for dir, imports := range packages(t) {
		own := row(dir)
		if own < 0 {
			t.Errorf("%s is in no layer; give it its place in this test and in ARCHITECTURE.md", dir)
			continue
		}
		for _, imported := range imports {
			if below, ours := strings.CutPrefix(imported, module); ours && row(below) >= own {
				t.Errorf("%s imports %s, which is not below it", dir, below)
			}
			if own <= row("server/internal/apply") && slices.ContainsFunc(wire, func(w string) bool { return strings.HasPrefix(imported, w) }) {
				t.Errorf("%s imports %s, which is for front ends", dir, imported)
			}
		}
	}
}

func row(dir string) int {
	return slices.IndexFunc(layers, func(row []string) bool { return slices.Contains(row, dir) })
}

// packages are the imports of all packages of the module, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, root := range []string{"protocol", "server"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			dir := path.Dir(strings.TrimPrefix(filepath.ToSlash(file), "../"))
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			if !strings.HasSuffix(parsed.Name.Name, "test") { // fixtures that only tests import
				found[dir] = append(found[dir], importsOf(t, parsed.Imports)...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 10 {
		t.Fatalf("only %d packages were found", len(found))
	}
	return found
}

func importsOf(t *testing.T, specs []*ast.ImportSpec) []string {
	t.Helper()
	var paths []string
	for _, spec := range specs {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}
