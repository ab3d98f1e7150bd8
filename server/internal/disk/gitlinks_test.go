package disk

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The targets of links in git's own folder are as sensitive as files there.
func TestLinksOfGitAreProtected(t *testing.T) {
	for link, c := range map[string]struct {
		to, path string
		is       bool
	}{
		".git/hooks/pre-commit":                 {"../../scripts/pre-commit", "scripts/pre-commit", true},
		".git/hooks/post-checkout":              {"../../scripts/missing/yet", "scripts/missing/yet", true},
		".git/hooks":                            {"../hooks.d", "hooks.d/pre-push", true},
		".git/config":                           {"../gitcfg", "gitcfg", true},
		".git/info/attributes":                  {"../../attrs", "attrs", true},
		".git/hooks/commit-msg":                 {"../../way", "scripts/msg", true}, // way -> scripts/msg
		".git/hooks/pre-push":                   {"../../way", "way", true},
		".git/hooks/pre-rebase":                 {"../../scripts/pre-rebase", "scripts/other", false},
		".git/modules/logs/hooks/pre-commit":    {"../../../../scripts/x", "scripts/x", true},
		".git/worktrees/w/config.worktree":      {"../../../cfg/w", "cfg/w", true},
		".git/objects/pack/pack-1.pack":         {"../../../p", "p", false},
		".git/hooks/applypatch-msg":             {"/elsewhere/hook", "elsewhere/hook", false},
		"scripts/not-git":                       {"a.txt", "scripts/a.txt", false},
		".git/hooks/reference-transaction":      {"../../top/dir/hook", "top", true}, // a link there could lead elsewhere
		".git/hooks/sendemail-validate/deep/in": {"../../../../x", "x", true},
	} {
		dir := t.TempDir()
		git(t, dir, "init", "-q")
		lay(t, dir, map[string]string{"scripts/msg": "", ".git/modules/logs/HEAD": "", ".git/worktrees/w/HEAD": ""})
		name := filepath.Join(dir, filepath.FromSlash(link))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.RemoveAll(name))
		if os.Symlink("scripts/msg", filepath.Join(dir, "way")) != nil || os.Symlink(c.to, name) != nil {
			t.Skip("no links here")
		}
		if link == ".git/config" {
			must(t, os.WriteFile(filepath.Join(dir, "gitcfg"), []byte("[core]\n\trepositoryformatversion = 0\n"), 0o644))
		}
		got := protected(t, dir, c.path)[c.path].Reason
		if want := link + " leads to it, and git runs or obeys what is there"; c.is != (got == want) || !c.is && got != "" {
			t.Errorf("%s -> %s: %s is protected: %q", link, c.to, c.path, got)
		}
	}
}

// The hooks of the repository count even if the root is below the top of the working tree, or
// is an additional working tree.
func TestLinksOfGitElsewhere(t *testing.T) {
	top := t.TempDir()
	git(t, top, "init", "-q")
	lay(t, top, map[string]string{"sub/x": "x"})
	git(t, top, "add", ".")
	git(t, top, "commit", "-qm", "x")
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, top, "worktree", "add", "-q", tree)
	if os.Symlink("../../sub/hook", filepath.Join(top, ".git", "hooks", "pre-commit")) != nil || os.Symlink(filepath.Join(tree, "mine"), filepath.Join(top, ".git", "hooks", "pre-push")) != nil {
		t.Skip("no links here")
	}
	wantProtected(t, protected(t, filepath.Join(top, "sub"), "hook", "x"), "hook")
	wantProtected(t, protected(t, tree, "mine", "other"), "mine")
}

// If git's folder is too large to search, every change asks.
func TestManyNamesOfGit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for i := range mostGitNames + 1 {
		must(t, os.WriteFile(filepath.Join(dir, ".git", "info", strconv.Itoa(i)), nil, 0o644))
	}
	if got := protected(t, dir, "a.txt")["a.txt"].Reason; !strings.Contains(got, errManyGitNames.Error()) {
		t.Errorf("protected: %q", got)
	}
}
