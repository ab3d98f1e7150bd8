package fspath_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

func TestWindowsRefuses(t *testing.T) {
	windows := fspath.Names{Windows: true}
	for _, name := range []string{"con", "NUL", "aux.txt", "d/Com1.tar.gz", "lpt¹", "com0", "nul .txt", "CONIN$", "a:b", ".vscode::$INDEX_ALLOCATION/tasks.json",
		"a.", "d /x", "dots..", "a<b", "a?", "tab\t", `a\b`, strings.Repeat("x", 256), strings.Repeat("\U0001f600", 128)} {
		if windows.Refuses(name) == "" {
			t.Errorf("%q is not refused", name)
		}
		if why := (fspath.Names{IgnoresCase: true, IgnoresForm: true}).Refuses(name); why != "" {
			t.Errorf("%q is refused elsewhere: %s", name, why)
		}
	}
	for _, name := range []string{"console", "nul-character.txt", "com10", "a.b.c", ".env", " x", "d/..x", strings.Repeat("x", 255), strings.Repeat("\u304c", 255)} {
		if why := windows.Refuses(name); why != "" {
			t.Errorf("%q: %s", name, why)
		}
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct {
		names fspath.Names
		a, b  string
		same  bool
	}{
		{fspath.Names{}, "a.txt", "A.txt", false},
		{fspath.Names{}, "caf\u00e9", "cafe\u0301", false},
		{fspath.Names{IgnoresCase: true}, "Src/A.txt", "src/a.TXT", true},
		{fspath.Names{IgnoresCase: true}, "\u00c9", "\u00e9", true},
		{fspath.Names{IgnoresCase: true}, "caf\u00e9", "cafe\u0301", false},
		{fspath.Names{IgnoresCase: true}, "\u017f", "s", true},
		{fspath.Names{IgnoresForm: true}, "caf\u00e9", "cafe\u0301", true},
		{fspath.Names{IgnoresForm: true}, "a", "A", false},
		{fspath.Names{IgnoresCase: true, IgnoresForm: true}, "CAF\u00c9", "cafe\u0301", true},
	} {
		if same := c.names.Key(c.a) == c.names.Key(c.b); same != c.same {
			t.Errorf("%+v: %q and %q are one name: %v", c.names, c.a, c.b, same)
		}
	}
}

func TestIgnoresCase(t *testing.T) {
	dir := t.TempDir()
	if ignores, known := fspath.IgnoresCase(os.DirFS(dir)); ignores || known {
		t.Errorf("an empty folder: %v, %v", ignores, known)
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat(filepath.Join(dir, "A"))
	if ignores, known := fspath.IgnoresCase(os.DirFS(dir)); ignores != (err == nil) || !known {
		t.Errorf("the system says %v of A, and it is %v, %v", err, ignores, known)
	}
	if runtime.GOOS == "linux" && os.WriteFile(filepath.Join(dir, "A"), nil, 0o600) == nil {
		if ignores, _ := fspath.IgnoresCase(os.DirFS(dir)); ignores {
			t.Error("two files are one")
		}
	}
}
