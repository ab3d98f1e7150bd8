package casetest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/tools/casefile"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

var (
	update = flag.Bool("update", false, "write what is reported into the cases")
	sample = flag.Int("sample", 1, "run one case of this many, as with the race detector")
)

// Every case runs through the engine, the command line, the language server and the MCP
// server. The reply is applied twice, and the second apply must change nothing; then it is
// reverted. If the reply is refused, the tree is unchanged and the codes are those of the
// case. If all cases run, each of them runs through only one of the two servers, except in the
// nightly run. If APTIX_QUICK is set, only the engine and the command line are tried.
func TestCases(t *testing.T) {
	cases := Load(t, repoDir)
	editor, agent := 0, 0
	for i, c := range cases {
		if usesEditor(c) {
			editor++
		}
		if usesAgent(c) {
			agent++
		}
		if i%*sample == 0 {
			t.Run(c.Name, func(t *testing.T) { runCase(t, c) })
		}
	}
	if n := len(cases); n < 500 || editor < n*2/3 || agent < n*3/4 {
		t.Errorf("of %d cases only %d go through an editor, and %d through an agent", n, editor, agent)
	}
}

// runCase runs one case through every front end, in parallel with other cases.
func runCase(t *testing.T, c *Case) {
	t.Parallel()
	needsOf(t, c.Before)
	needsOf(t, c.After)
	switch c.Names {
	case "":
	case "linux":
		needs.AnyNames(t)
	default:
		t.Run("engine", func(t *testing.T) { throughEngine(t, c) })
		return
	}
	t.Run("cli", func(t *testing.T) { throughCLI(t, c) })
	t.Run("engine", func(t *testing.T) { throughEngine(t, c) })
	if trials.Few() {
		return
	}
	editor, agent := usesEditor(c), usesAgent(c)
	if chosen := strings.Contains(flag.Lookup("test.run").Value.String(), "/"); editor && agent && !chosen && !trials.Many() {
		editor = trials.Picks(c.Name, 2)
		agent = !editor
	}
	if editor {
		t.Run("lsp", func(t *testing.T) { throughLSP(t, c) })
	}
	if agent {
		t.Run("mcp", func(t *testing.T) { throughMCP(t, c) })
	}
}

// needsOf skips a case if this system cannot have its tree.
func needsOf(t *testing.T, tree Tree) {
	seen := map[string]bool{}
	for path, f := range tree {
		switch folded := systems["windows"].Key(path); {
		case f.Mode&fs.ModeSymlink != 0:
			needs.Links(t)
		case f.Mode&0o111 != 0:
			needs.Modes(t)
		case systems["windows"].Refuses(path) != "" || seen[folded]:
			needs.AnyNames(t)
		default:
			seen[folded] = true
		}
	}
}

// usesEditor reports whether a case can run in an editor. Most flags of the command line
// exist there only as settings, and an editor can hold only valid UTF-8.
func usesEditor(c *Case) bool {
	return !c.NoEditor && isUTF8(c) && !slices.ContainsFunc(c.Flags, func(f string) bool { return f != "--strict" && f != "--yes" && f != "--skip-missing" })
}

func isUTF8(c *Case) bool { return utf8.ValidString(c.Text) }

// folderName is the name of the folder that a case runs in, for docPaths.
const folderName = "project"

// setUp creates the tree of a case, and the reply outside the tree.
func setUp(t *testing.T, c *Case) (dir, reply string) {
	t.Helper()
	needsOf(t, c.Before)
	dir = filepath.Join(t.TempDir(), folderName)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := c.Before.Write(dir); err != nil {
		t.Fatal(err)
	}
	reply = filepath.Join(t.TempDir(), c.Reply)
	if err := os.WriteFile(reply, []byte(c.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, reply
}

// stateOf returns the state folder for commands that run in the folder of a case.
func stateOf(dir string) string { return filepath.Join(filepath.Dir(dir), "state") }

// newHistory returns the contents of a history without applies. A copy costs a tenth of
// creating the tables anew, which thousands of runs would do.
var newHistory = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	store, err := history.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, history.FileName))
})

// newState creates a state folder with a history that holds no applies yet.
func newState(t *testing.T, dir string) string {
	t.Helper()
	data, err := newHistory()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, history.FileName), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func same(t *testing.T, when string, want Tree, dir string) {
	t.Helper()
	got, err := casefile.ReadTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tree %s (-want +got):\n%s", when, diff)
	}
}
