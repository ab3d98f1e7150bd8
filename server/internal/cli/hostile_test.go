package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/fileset"
)

// The names of files in a set, and of its users, are escaped, because other users choose these names.
func TestNamesInASetAreEscaped(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	set, err := fileset.Open(t.Context(), fileset.Where("", filepath.Join(state, "aptix")))
	if err != nil {
		t.Fatal(err)
	}
	const hostile = "demo/\x1b[2j\u202ea\u009b.txt"
	if _, err := set.Put(t.Context(), "me\x1b[2J\u2028", []fileset.Upload{{DocPath: hostile, Content: "x"}}); err != nil {
		t.Fatal(err)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"files", "list", "--all"}, {"files", "list", "--all", "--json"}, {"files", "get", hostile + "\x1b"}, {"files", "get", "--write", hostile}} {
		var out, errs bytes.Buffer
		Run(t.Context(), args, IO{In: strings.NewReader(""), Out: &out, Err: &errs}, "test")
		if said := out.String() + errs.String(); escape.Text(said) != said || !strings.Contains(said, `\u202e`) {
			t.Errorf("aptix %q prints %q", args, said)
		}
	}
}
