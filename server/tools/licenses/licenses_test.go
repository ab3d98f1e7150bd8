package licenses

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

func TestAll(t *testing.T) {
	needs.Program(t, "go")
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	all, err := All(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ name, license string }{
		{"go.uber.org/zap", "MIT"},
		{"github.com/spf13/cobra", "Apache-2.0"},
		{"github.com/inconshreveable/mousetrap", "Apache-2.0"}, // only on Windows
		{"golang.org/x/text", "BSD-3-Clause"},
		{"vscode-languageclient", "MIT"},
		{"vscode-jsonrpc", "MIT"}, // a dependency of the former
	} {
		i := slices.IndexFunc(all, func(d Dependency) bool { return d.Name == want.name })
		if i < 0 {
			t.Errorf("%s is not listed", want.name)
		} else if all[i].License != want.license {
			t.Errorf("%s: got %s, want %s", want.name, all[i].License, want.license)
		}
	}
}

func TestUnknownLicense(t *testing.T) {
	if got := ofText("You may look at it, but not touch it."); got != "" {
		t.Errorf("got %s", got)
	}
	if _, err := inFolder(t.TempDir()); err == nil {
		t.Error("a module without a license passes")
	}
}
