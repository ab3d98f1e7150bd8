package protect

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReason(t *testing.T) {
	more := []string{"deploy.sh", "*.ps1", "tools/Hooks/"}
	for p, want := range map[string]bool{
		".vscode/settings.json": true, ".aptix/x": true, "a/.vscode/x": true, ".aptix": true, "x.code-workspace": true, "a/b/X.CODE-WORKSPACE": true,
		".github/workflows/ci.yml": true, "sub/.github/workflows": true, ".github/ISSUE_TEMPLATE/bug.md": false, "workflows/ci.yml": false,
		".gitlab-ci.yml": true, ".circleci/config.yml": true, "Jenkinsfile": true, ".devcontainer/devcontainer.json": true, ".idea/workspace.xml": true,
		".mcp.json": true, ".cursor/mcp.json": true, ".claude/settings.json": true, ".codex/config.toml": true, ".envrc": true, ".husky/pre-commit": true,
		".gitattributes": true, "a/.gitattributes": true, ".gitmodules": true, ".npmrc": true, ".yarnrc.yml": true, ".cargo/config.toml": true,
		".pre-commit-config.yaml": true, ".env": true, ".env.local": true, ".env.example": false,
		"deploy.sh": true, "x/deploy.sh/y": true, "a.ps1": true, "tools/hooks/x": true, "x/tools/HOOKS": true, "hooks/x": false,
		"vscode/x": false, ".vscodex": false, "a.vscode": false, "x.aptix.json": false, "": false, "Makefile": false, "package.json": false, ".gitignore": false,
		"README.md": false, ".github/dependabot.yml": false, "src/main.go": false, "CLAUDE.md": true, "sub/agents.md": true, ".github/instructions/go.instructions.md": true, ".tool-versions": true, "pnpm-workspace.yaml": true, "venv/lib/python3.12/site-packages/x.pth": true, "x.pth": false,
		"_vimrc": true, ".zuul.yaml": true, "conftest.py": false, "build.rs": false, "Vagrantfile": false, "eslint.config.js": false, "Dockerfile": false, ".nvmrc": false, "tools/x": false, "tools/bazel": true, ".github/lsp.json": true, ".corepack.env": true, "flake.nix": true, "ci.bazelrc": true, ".envrc.private": true, "global.json": true, ".pi/extensions/x.ts": true, ".bazelversion": true, "envrc.private": false, "docs/lefthook.md": false,
	} {
		if got := Reason(p, more); (got != "") != want {
			t.Errorf("Reason(%q) = %q", p, got)
		}
	}
}

// A file system may fold each of these names to a protected one.
func TestFoldedNames(t *testing.T) {
	for _, p := range []string{".VSCode/x", ".vscode./x", ".vscode /x", ".vscode. ./x", ".vscode::$INDEX_ALLOCATION/x", ".vscode:stream", ".vs\u200ccode/x", "\u202e.vscode/x",
		".\ufeffvscode/x", ".v\u017fcode/x", "VSCODE~1/x", "vscode~2/tasks.json", "GITLAB~1.YML", ".hus\u212ay/pre-commit", ".vs\u00adcode/x", ".\uff56scode/x", ".GITHUB/Work\ufb02ows/x",
		".\u00dfh/config", ".vs\u034fcode/x", ".vscode\u3164/x", "NPMRC~1", "ENVRC~3"} {
		if Reason(p, nil) == "" {
			t.Errorf("%q is not protected", p)
		}
	}
	for _, p := range []string{"vscode~1x/x", "~1", "a~1", "vscod~1/x", "x~", ".vsc\u00f6de/x"} {
		if got := Reason(p, nil); got != "" {
			t.Errorf("Reason(%q) = %q", p, got)
		}
	}
}

// The names that a person protects are recognised in any spelling, too.
func TestChosenNamesAreFolded(t *testing.T) {
	for p, more := range map[string]string{"caf\u00e9.sh": "caf\u00e9.sh", "cafe\u0301.sh": "caf\u00e9.sh", "x/CAF\u00c9/y": "cafe\u0301", "Stra\u00dfe/x": "strasse", "STRASSE": "Stra\u00dfe",
		"\ufb01le": "File", "a.sh": "A.sh.", "tools/\u00dcber.ps1": "tools/\u00fcber.*"} {
		if Reason(p, []string{more}) == "" {
			t.Errorf("%q does not protect %q", more, p)
		}
	}
	for p, more := range map[string]string{"a": "", "cafe.sh": "caf\u00e9.sh", "b/c": "/"} {
		if got := Reason(p, []string{more}); got != "" {
			t.Errorf("%q protects %q: %s", more, p, got)
		}
	}
}

// Each entry has a reason, and protects the paths that it names at any depth, with everything
// below them.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Groups {
		for _, e := range g.Entries {
			if e.Reason == "" || strings.HasSuffix(e.Reason, ".") {
				t.Errorf("%v: the reason is %q", e.Names, e.Reason)
			}
			for _, name := range e.Names {
				if seen[name] {
					t.Errorf("%s comes twice", name)
				}
				seen[name] = true
				if name != strings.ToLower(name) {
					t.Errorf("%s is not in lower case", name)
				}
				real := strings.NewReplacer("*", "x").Replace(name)
				rapid.Check(t, func(t *rapid.T) {
					p := path.Join(rapid.SampledFrom([]string{"", "a", "a/b", ".github"}).Draw(t, "above"), real, rapid.SampledFrom([]string{"", "x", "x/y"}).Draw(t, "below"))
					if Reason(p, nil) == "" {
						t.Fatalf("%s is not protected", p)
					}
				})
			}
		}
	}
}

func TestLeads(t *testing.T) {
	for p, want := range map[string]bool{".github": true, "a/.GitHub": true, ".config": true, ".github/workflows": false, "github": false, ".vscode": false} {
		if Leads(p) != want {
			t.Errorf("Leads(%q) = %v", p, !want)
		}
	}
}
