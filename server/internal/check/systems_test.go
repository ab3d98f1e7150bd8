package check

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// A folding tree compares names as another system does.
type folding struct {
	fstest.MapFS
	names fspath.Names
}

func (f folding) Names() fspath.Names { return f.names }

// A reply may spell the path of a git file or a protected file in a way that only Windows or macOS understands. No
// spelling writes the file without a question, and none leads out of the folder.
func TestNamesOfOtherSystems(t *testing.T) {
	windows, mac := fspath.Names{Windows: true, IgnoresCase: true}, fspath.Names{IgnoresCase: true, IgnoresForm: true}
	for _, c := range []struct {
		names fspath.Names
		paths []string
	}{
		{windows, []string{"CON", "con.txt", "d/aux", "COM1", "lpt9.log", "nul", "conout$", "PRN.a.b", "a.txt::$DATA", "a.txt:x", ".git::$INDEX_ALLOCATION/config", ".git:x", "a.", "a ", "d./x",
			"GIT~1/config", "git~1\\hooks\\x", ".git\\config", ".GIT/config", ".git./config", ".git /config", "d/.git/config", "C:\\x", "c:x", "C:/x", "\\\\server\\share\\x", "//server/share/x",
			"\\\\?\\C:\\x", "\\\\.\\COM1", "//?/C:/x", "\\x", "/x", "..\\x", "d\\..\\..\\x", "d/..\\../x", ".vscode\\tasks.json", ".VSCODE/tasks.json", ".vscode./tasks.json", ".vscode /tasks.json",
			"VSCODE~1/tasks.json", "file\x00.txt", "a<b", "a|b", "a\"b", "a*b", "tab\tname", ".git\u200c/config", ".g\u0131t/../.git/config", "d/GIT~1", ".GITIGNORE~1\\..\\..\\x"}},
		{mac, []string{".GIT/config", ".Git/hooks/x", ".g\u200cit/config", "\u200d.git/config", ".git\ufeff/config", ".\u200egit/config", "d/.g\u200bit/../.git/x", ".VSCode/tasks.json", ".v\u017fcode/tasks.json",
			".vs\u200dcode/tasks.json", ".GITMODULES", ".ENVRC", ".envr\u200cc", "PACKAGE.JSON\u200c/../../x", "../CAFE\u0301/x", "cafe\u0301/../../x", ".git/\u200c"}},
	} {
		for _, path := range append(c.paths, "fine.txt") {
			body, _ := json.Marshal(map[string]any{"root": ".", "files": []any{map[string]any{"path": path, "operation": "create", "content": "x"}}})
			where := Where{Tree: folding{fstest.MapFS{".git/config": {}, ".vscode/settings.json": {}, "d/x": {}, "caf\u00e9/x": {}}, c.names}, Base: "C:/work"}
			where.Protected = func(_ context.Context, paths []string, _ map[string][]string) (map[string]protect.Protection, error) {
				found := map[string]protect.Protection{}
				for _, p := range paths {
					if why := protect.Reason(p, nil); why != "" {
						found[p] = protect.Protection{Reason: why}
					}
				}
				return found, nil
			}
			where.ProtectedIs = diag.Warning
			r, err := Check(t.Context(), []Document{{Name: "r.md", Text: "```json\n" + string(body) + "\n```\n"}}, where)
			if err != nil {
				t.Fatal(err)
			}
			asks := len(r.Blocks) == 1 && slices.ContainsFunc(r.Blocks[0].Diagnostics, diag.Diagnostic.Asks)
			if unasked := r.Applicable() && !asks; unasked != (path == "fine.txt") {
				t.Errorf("%q is written unasked with %+v: %v: %+v", path, c.names, unasked, r.Blocks)
			}
		}
	}
}
