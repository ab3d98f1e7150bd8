package server_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/layers"
)

const module = "github.com/aptix-dev/aptix/"

// wire lists the imports that only front ends may have.
var wire = []string{"go.lsp.dev/", "go.uber.org/zap", "github.com/spf13/cobra", "github.com/modelcontextprotocol/"}

func TestImportsGoDown(t *testing.T) {
	checked := 0
	for dir, imports := range packages(t) {
		if slices.ContainsFunc(layers.Tools, func(p layers.Package) bool { return p.Path == dir }) {
			continue
		}
		own := layer(dir)
		if own < 0 {
			t.Errorf("%s is in no layer: add it to server/tools/layers", dir)
			continue
		}
		checked++
		for imported := range imports {
			checkImport(t, dir, own, imported)
		}
	}
	if listed := len(slices.Concat(layers.Layers...)); checked != listed {
		t.Errorf("checked %d packages, but the layers list %d", checked, listed)
	}
}

func checkImport(t *testing.T, dir string, own int, imported string) {
	t.Helper()
	if below, ours := strings.CutPrefix(imported, module); ours && (layer(below) < 0 || layer(below) >= own) {
		t.Errorf("%s imports %s, which is not in a layer below it", dir, below)
	}
	if own <= layer("server/internal/apply") && slices.ContainsFunc(wire, func(w string) bool { return strings.HasPrefix(imported, w) }) {
		t.Errorf("%s imports %s, which is for front ends", dir, imported)
	}
}

// layer returns the index of the layer that has dir, or -1.
func layer(dir string) int {
	return slices.IndexFunc(layers.Layers, func(row []layers.Package) bool {
		return slices.ContainsFunc(row, func(p layers.Package) bool { return p.Path == dir })
	})
}

// packages maps every folder with Go files to its imports, without the imports of tests.
func packages(t *testing.T) map[string]map[string]bool {
	t.Helper()
	found := map[string]map[string]bool{}
	for _, root := range []string{"protocol", "extension/chat", "server"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") {
				return err
			}
			dir := path.Dir(strings.TrimPrefix(filepath.ToSlash(file), "../"))
			if found[dir] == nil {
				found[dir] = map[string]bool{}
			}
			if strings.HasSuffix(file, "_test.go") {
				return nil
			}
			return addImports(found[dir], file)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func addImports(imports map[string]bool, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		imports[imported] = true
	}
	return nil
}

func TestPackagesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	there := packages(t)
	for _, p := range slices.Concat(slices.Concat(layers.Layers...), layers.Tools) {
		if seen[p.Path] {
			t.Errorf("%s is listed twice", p.Path)
		}
		if _, ok := there[p.Path]; !ok {
			t.Errorf("%s is listed, but has no Go file", p.Path)
		}
		seen[p.Path] = true
	}
}

// aside lists the packages below check that never see the text of a reply.
var aside = []string{"protocol", "server/internal/disk", "server/internal/edittools", "server/internal/escape", "server/internal/fspath", "server/internal/git",
	"server/internal/history", "server/internal/lazyregexp", "server/internal/meter", "server/internal/parallel", "server/internal/protect",
	"server/internal/schema", "server/internal/sqlitefile"}

// A reader who follows the text of a reply from check.Check on has to know each package that it passes.
func TestPackagesThatAReplyPasses(t *testing.T) {
	const most = 32
	passed := needed(packages(t), "server/internal/check")
	for _, dir := range aside {
		if !passed[dir] {
			t.Errorf("check does not need %s", dir)
		}
		delete(passed, dir)
	}
	if len(passed) > most {
		t.Errorf("a reply passes %d packages, more than %d: %s", len(passed), most, strings.Join(slices.Sorted(maps.Keys(passed)), ", "))
	}
}

// needed returns a package and all that it imports, directly or not.
func needed(there map[string]map[string]bool, dir string) map[string]bool {
	found := map[string]bool{}
	var add func(dir string)
	add = func(dir string) {
		if found[dir] {
			return
		}
		found[dir] = true
		for imported := range there[dir] {
			if below, ours := strings.CutPrefix(imported, module); ours {
				add(below)
			}
		}
	}
	add(dir)
	return found
}

// Only what the program needs is in the layers, and nothing in server/tools is.
func TestLayersShip(t *testing.T) {
	ships := needed(packages(t), "server/cmd/aptix")
	for _, p := range slices.Concat(layers.Layers...) {
		if !ships[p.Path] {
			t.Errorf("%s is in a layer, but the program does not import it", p.Path)
		}
	}
}
