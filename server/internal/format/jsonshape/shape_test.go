package jsonshape

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/format"
)

func TestOf(t *testing.T) {
	tests := []struct {
		name, body string
		want       Family
		certain    bool // the family is certain, even if no info string confirms it
	}{
		{"bundle", `{"root": ".", "files": [{"path": "a.txt", "content": "x"}]}`, Bundle, true},
		{"bundle without root", `{"files": [{"path": "a.txt", "operation": "delete"}]}`, Bundle, true},
		{"path alone", `{"files": [{"path": "a.txt"}]}`, Bundle, false},
		{"second entry only", `{"files": [{}, {"path": "a.txt", "content": "x"}]}`, Bundle, true},
		{"no path", `{"root": ".", "files": [{"content": "x"}]}`, Bundle, false},
		{"another name for path", `{"files": [{"file": "a.txt", "content": "x"}]}`, Bundle, false},
		{"entry without array", `{"files": {"path": "a.txt", "content": "x"}}`, Bundle, false},
		{"map of files under a root", `{"root": ".", "files": {"a.txt": "x"}}`, Bundle, false},
		{"no files under a root", `{"root": ".", "files": []}`, Bundle, false},
		{"flat patch", `{"root": ".", "patches": [{"path": "a.txt", "find": "a", "replace": "b"}]}`, Structured, true},
		{"patch with replacements", `{"patches": [{"path": "a.txt", "replacements": []}]}`, Structured, true},
		{"patch that deletes", `{"patches": [{"path": "a.txt", "operation": "delete"}]}`, Structured, false},
		{"patches at the top, no path", `{"patches": [{"find": "a", "replace": "b"}]}`, Structured, false},
		{"both", `{"patches": [{"path": "a.txt", "find": "a", "replace": "b"}], "files": []}`, Bundle, true},
		{"both, files first", `{"files": [{"path": "a.txt", "content": ""}], "patches": []}`, Bundle, true},
		{"escaped names", `{"f\u0069les": [{"path": "a.txt", "content": "x"}]}`, Bundle, true},

		{"tsconfig", `{"files": ["a.ts"], "compilerOptions": {"plugins": [{"path": "x"}]}}`, Other, false},
		{"tsconfig with comments", "{\n// content of the project\n\"files\": [\"a.ts\",], \"references\": [{\"path\": \"../x\"}]}", Other, false},
		{"package.json", `{"name": "x", "files": ["dist"]}`, Other, false},
		{"empty list", `{"files": []}`, Other, false},
		{"empty list of patches", `{"patches": []}`, Other, false},
		{"a listing", `{"files": [{"path": "a.txt", "size": 3}]}`, Other, false},
		{"sandbox", `{"files": {"a.txt": {"content": "x"}}}`, Other, false},
		{"eslint", `{"root": true, "overrides": [{"files": ["*.ts"]}]}`, Other, false},
		{"kustomization", `{"patches": [{"path": "patch.yaml", "target": {"kind": "Deployment"}}]}`, Other, false},
		{"JSON patch", `{"patches": [{"op": "replace", "path": "/a", "value": 1}]}`, Other, false},
		{"listing of active files", `{"files": [{"docPath": "a/b.txt", "displayPath": "b.txt", "isDirty": true}]}`, Other, false},
		{"what a read answers", `{"docPath": "a/b.txt", "content": "files", "sha256": "x"}`, Other, false},
		{"docPath in a bundle", `{"root": ".", "files": [{"docPath": "a.txt", "content": "x"}]}`, Bundle, false},
		{"bundle that tells of line patches", `{"files": [{"path": "a.md", "content": "{\"files\": [{\"docPath\": 1, \"changes\": []"}]}`, Bundle, true},
		{"broken bundle that tells of line patches", `{\"files\": [{\"path\": \"a.md\", \"content\": \"docPath: 1\"}]}`, Bundle, false},
		{"line patch", `{"files": [{"docPath": "a/b.txt", "originalSha256": "", "changes": []}]}`, Lines, true},
		{"line patch with a root", `{"root": ".", "files": [{"docPath": "a/b.txt", "originalSha256": "", "changes": []}]}`, Lines, true},
		{"line patch in patches", `{"patches": [{"docPath": "a/b.txt", "originalSha256": "", "changes": []}]}`, Lines, true},
		{"line patch without object", `[{"docPath": "a/b.txt", "originalSha256": "", "changes": []}]`, Lines, false},
		{"line patch of one file", `{"docPath": "a/b.txt", "originalSha256": "", "changes": []}`, Lines, true},
		{"line patch by path", `{"files": [{"path": "a/b.txt", "originalSha256": "", "changes": []}]}`, Lines, false},
		{"line patch without a hash", `{"files": [{"path": "a/b.txt", "changes": [{"afterLine": 1, "newLines": []}]}]}`, Lines, false},
		{"line patch without changes", `{"files": [{"docPath": "a/b.txt", "originalSha256": ""}]}`, Lines, false},
		{"broken line patch", `{"files": [{"docPath": "a/b.txt", "originalSha256": "x, "changes": [{"newLines": ["say "x""]}]}`, Lines, false},
		{"cut off line patch", `{"batchLabel": "x", "files": [{"docPath": "a/b`, Lines, false},
		{"line patch in escaped quotes", `{\"files\": [{\"docPath\": \"a/b.txt\", \"changes\": []}]}`, Lines, false},
		{"changes that somebody counts", `{"files": [{"path": "a.txt", "changes": [{"startLine": 1, "newLines": 2}]}]}`, Other, false},
		{"changes of somebody else", `{"files": [{"path": "a.txt", "changes": 3}]}`, Other, false},
		{"list of paths", `[{"path": "a.txt"}]`, Other, false},
		{"list with foreign members", `[{"path": "a.txt", "content": "x", "size": 1}]`, Other, false},
		{"list with foreign entries", `[{"path": "a.txt", "content": "x"}, {"name": "y"}]`, Other, false},
		{"list of requests", `[{"path": "/users", "operation": "GET"}]`, Other, false},
		{"list of JSON patches", `[{"op": "replace", "path": "/a", "value": 1}]`, Other, false},
		{"list of other contents", `[{"path": "a.txt", "content": {"x": 1}}]`, Other, false},
		{"other JSON", `{"path": "a.txt", "content": "files"}`, Other, false},
		{"broken, other names", `{"files": ["a.ts" "b.ts"]}`, Other, false},
		{"broken, placeholder", `{"root": ".", "files": [ ... ]}`, Other, false},
		{"broken, words in text", `{"a": "the files and their path: none"`, Other, false},
		{"broken, longer names", `{"profiles": [{"filepath": 1, "contents": 2}`, Other, false},

		{"bundle without object", `[{"path": "a.txt", "content": "x"}, {"path": "b.txt", "operation": "delete"}]`, Bundle, false},
		{"patch without object", `[{"path": "a.txt", "find": "x", "replace": "y"}]`, Structured, false},
		{"broken bundle without object", "[{\"path\": \"a.txt\", \"content\": \"x\ny\"},]", Bundle, false},

		{"broken bundle", `{"root": ".", "files": [{"path": "a.txt", "content": "x}]}`, Bundle, true},
		{"cut off", `{"root": ".", "files": [{"path": "a.t`, Bundle, false},
		{"single quotes", `{'root': '.', 'files': [{'path': 'a.txt', 'content': 'x'}]}`, Bundle, true},
		{"typographic quotes", `{“root”: “.”, “files”: [{“path”: “a.txt”, “content”: “x”}]}`, Bundle, true},
		{"no quotes", `{root: ".", files: [{path: "a.txt", content: "x"}]}`, Bundle, true},
		{"escaped quotes", `{\"root\": \".\", \"files\": [{\"path\": \"a.txt\", \"content\": \"x\"}]}`, Bundle, false},
		{"HTML", `{&quot;files&quot;: [{&quot;path&quot;: &quot;a.txt&quot;}]}`, Bundle, false},
		{"no braces", `"files": [{"path": "a.txt", "content": "x"}]`, Bundle, false},
		{"broken patch", `{"root": ".", "patches": [{"path": "a.txt", "find": "a" "replace": b}]`, Structured, true},
		{"broken patch about files", `{\"patches\": [{\"path\": \"a.txt\", \"find\": \"files: x\"}]}`, Structured, false},
		{"broken bundle with patches", `{\"files\": [{\"path\": \"a.txt\", \"patches\": []}]}`, Bundle, false},
		{"equals signs", `{"root" = ".", "files" = [{"path" = "a.txt", "content" = "x"}]}`, Bundle, true},
		{"one equals sign", `{"root" = ".", "files": [{"path": "a.txt", "content": "x"}]}`, Bundle, true},
		{"arrows", `{"root" => ".", "patches" => [{"path" => "a.txt", "find" => "a", "replace" => "b"}]}`, Structured, true},
		{"equals signs and broken quotes", `{"root" = ".", "files" = [{"path" = "a.txt, "content" = "x"}]}`, Bundle, false},
		{"bare names and equals signs", `{files = [{path = "a.txt", content = "x"}]}`, Bundle, false},
		{"Nix", `{ files = [ { path = "a.txt"; content = "x"; } ]; }`, Other, false},
		{"code", `files = read(path); content = f(files)`, Other, false},
		{"prose before", "Here:\n{\"root\": \".\", \"files\": [{\"path\": \"a.txt\", \"content\": \"x\"}]}", Bundle, false},
	}
	for _, tt := range tests {
		if got := Of(format.Whole(tt.body)); got != tt.want {
			t.Errorf("%s: family %d, want %d", tt.name, got, tt.want)
		}
		want := Other
		if tt.certain {
			want = tt.want
		}
		if got := unmistakable(format.Whole(tt.body)); got != want {
			t.Errorf("%s: unmistakably %d, want %d", tt.name, got, want)
		}
	}
}

// The text repeats a name almost everywhere, each time with quotes and white space after it, so
// that a slow search would take quadratic time.
func TestOfHostile(t *testing.T) {
	for _, s := range []string{"files", "files\\", "\"files\" ", "files:", "patches", "find"} {
		Of(format.Whole(strings.Repeat(s, 200_000)))
	}
}

func TestNearest(t *testing.T) {
	for s, want := range map[string]string{
		"create": "create", "Create": "create", "CREATE ": "create", "git_patch": "gitPatch", "git-patch": "gitPatch", "gitpatch": "gitPatch",
		"crate": "create", "repalce": "replace", "update": "replace", "remove": "delete", "rm": "delete", "add": "create",
		"move": "", "rename": "", "": "", "x": "", "pat": "", strings.Repeat("create", 1000): "",
	} {
		if got := nearest(s, Operations(), edits.operationWords); got != want {
			t.Errorf("%.20q: %q, want %q", s, got, want)
		}
	}
}
