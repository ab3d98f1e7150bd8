// Package systems tests that every package can be compiled for each system.
package systems

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// TestOtherSystems checks the types of all packages and their tests as Windows and macOS compile them. It
// reads their imports from source, because compiling them for a system takes minutes. `make test-long` does
// that each night, for go vet. `make check` checks only Windows, which shares fewer files with other systems.
func TestOtherSystems(t *testing.T) {
	needs.Program(t, "go")
	const root = "../../.."
	systems := []string{"windows", "darwin"}
	if trials.Few() {
		systems = systems[:1]
	}
	for _, system := range systems {
		found, err := packages.Load(&packages.Config{
			Dir:   root,
			Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes,
			Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			t.Fatal(err)
		}
		packages.Visit(found, nil, func(p *packages.Package) {
			for _, e := range p.Errors {
				t.Errorf("%s: %v", system, e)
			}
		})
		if len(found) < 100 {
			t.Errorf("%s: only %d packages", system, len(found))
		}
	}
	readFolders(t, filepath.Join(root, "server"))
}

// readFolders lets `go test` notice new files: it repeats a cached result until something
// changes that the test itself read.
func readFolders(t *testing.T, top string) {
	t.Helper()
	err := filepath.WalkDir(top, func(_ string, _ fs.DirEntry, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
}
