package disk

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/gittest"
	"github.com/aptix-dev/aptix/server/tools/needs"
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
		gittest.Run(t, dir, "init", "-q")
		gittest.Lay(t, dir, map[string]string{"scripts/msg": "", ".git/modules/logs/HEAD": "", ".git/worktrees/w/HEAD": ""})
		name := filepath.Join(dir, filepath.FromSlash(link))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.RemoveAll(name))
		symlink(t, "scripts/msg", filepath.Join(dir, "way"))
		symlink(t, c.to, name)
		if link == ".git/config" {
			must(t, os.WriteFile(filepath.Join(dir, "gitcfg"), []byte("[core]\n\trepositoryformatversion = 0\n"), 0o644))
		}
		got := protected(t, dir, c.path)[c.path].Reason
		if want := link + " leads to it, and git runs or reads that file"; c.is != (got == want) || !c.is && got != "" {
			t.Errorf("%s -> %s: %s is protected: %q", link, c.to, c.path, got)
		}
	}
}

// The hooks of the repository count even if the root is below the top of the working tree, or
// is an additional working tree.
func TestLinksOfGitElsewhere(t *testing.T) {
	top := t.TempDir()
	gittest.Run(t, top, "init", "-q")
	gittest.Lay(t, top, map[string]string{"sub/x": "x"})
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-qm", "x")
	tree := filepath.Join(t.TempDir(), "tree")
	gittest.Run(t, top, "worktree", "add", "-q", tree)
	link(t, filepath.Join(top, ".git", "hooks"), map[string]string{"pre-commit": "../../sub/hook", "pre-push": filepath.Join(tree, "mine")})
	wantProtected(t, protected(t, filepath.Join(top, "sub"), "hook", "x"), "hook")
	wantProtected(t, protected(t, tree, "mine", "other"), "mine")
}

// If git's folder is too large to search, Aptix asks about every change.
func TestManyNamesOfGit(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	for i := range 100 {
		must(t, os.WriteFile(filepath.Join(dir, ".git", "info", strconv.Itoa(i)), nil, 0o644))
	}
	for most, want := range map[int]string{100: tooManyFiles, 1000: ""} {
		l, err := newLinked(context.Background(), dir, nil, nil, false, most)
		must(t, err)
		if got := l.reason("a.txt"); got != want {
			t.Errorf("with %d: protected: %q", most, got)
		}
	}
}

// spreadHooks are the ways in which a repository names a program, hook or file of another folder.
// Each function gets the top of the working tree, the repository's own folder, and the path of the
// file, both relative to the top and absolute.
var spreadHooks = map[string]func(t *testing.T, top, dir, relative, absolute string){
	"link to a hook": func(t *testing.T, _, dir, _, absolute string) {
		symlink(t, absolute, filepath.Join(dir, "hooks", "pre-commit"))
	},
	"link to a folder of hooks": func(t *testing.T, _, dir, _, absolute string) {
		must(t, os.RemoveAll(filepath.Join(dir, "hooks")))
		symlink(t, filepath.Dir(absolute), filepath.Join(dir, "hooks"))
	},
	"hard link to a hook": func(t *testing.T, _, dir, _, absolute string) {
		must(t, os.Link(absolute, filepath.Join(dir, "hooks", "pre-commit")))
	},
	"core.hooksPath": func(t *testing.T, top, _, relative, _ string) {
		gittest.Run(t, top, "config", "core.hooksPath", path.Dir(relative))
	},
	"absolute core.hooksPath": func(t *testing.T, top, _, _, absolute string) {
		gittest.Run(t, top, "config", "core.hooksPath", filepath.Dir(absolute))
	},
	"filter": func(t *testing.T, top, _, relative, _ string) {
		gittest.Run(t, top, "config", "filter.x.clean", "sh "+relative)
	},
	"file system monitor": func(t *testing.T, top, _, _, absolute string) {
		gittest.Run(t, top, "config", "core.fsmonitor", absolute)
	},
	"command elsewhere": func(t *testing.T, top, _, relative, _ string) {
		gittest.Run(t, top, "config", "alias.x", "!cd "+path.Dir(relative)+" && python3 "+path.Base(relative))
	},
	"include": func(t *testing.T, top, _, _, absolute string) {
		gittest.Run(t, top, "config", "include.path", absolute)
	},
	"include that counts later": func(t *testing.T, top, _, _, absolute string) {
		gittest.Run(t, top, "config", "includeIf.onbranch:later.path", absolute)
	},
	"core.attributesFile": func(t *testing.T, top, _, relative, _ string) {
		gittest.Run(t, top, "config", "core.attributesFile", relative)
	},
}

// A repository around the root may name a file. So may a repository below the root that does not contain the file.
func TestOtherRepositoriesNameFiles(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for name, spread := range spreadHooks {
		for place, lay1 := range map[string]func(t *testing.T, base string) (root, top, dir string){
			"around the root": func(t *testing.T, base string) (string, string, string) {
				root := filepath.Join(base, "in", "root")
				gittest.Lay(t, root, map[string]string{"README": ""})
				gittest.Run(t, base, "init", "-q")
				gittest.Run(t, root, "init", "-q")
				return root, base, filepath.Join(base, ".git")
			},
			"below the root": func(t *testing.T, base string) (string, string, string) {
				gittest.Lay(t, base, map[string]string{"lib/deep/README": ""})
				top := filepath.Join(base, "lib", "deep")
				gittest.Run(t, base, "init", "-q")
				gittest.Run(t, top, "init", "-q")
				return base, top, filepath.Join(top, ".git")
			},
			"below a root without git": func(t *testing.T, base string) (string, string, string) {
				gittest.Lay(t, base, map[string]string{"lib/README": ""})
				top := filepath.Join(base, "lib")
				gittest.Run(t, top, "init", "-q")
				return base, top, filepath.Join(top, ".git")
			},
			"bare below the root": func(t *testing.T, base string) (string, string, string) {
				top := filepath.Join(base, "store.git")
				gittest.Run(t, base, "init", "-q")
				gittest.Run(t, base, "init", "-q", "--bare", top)
				return base, top, top
			},
			"submodule": func(t *testing.T, base string) (string, string, string) {
				other := filepath.Join(t.TempDir(), "other")
				gittest.Lay(t, other, map[string]string{"README": ""})
				for _, dir := range []string{base, other} {
					gittest.Run(t, dir, "init", "-q")
					gittest.Run(t, dir, "add", ".")
					gittest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
				}
				gittest.Run(t, base, "submodule", "--quiet", "add", other, "sub")
				return base, filepath.Join(base, "sub"), filepath.Join(base, ".git", "modules", "sub")
			},
			"working tree of a repository elsewhere": func(t *testing.T, base string) (string, string, string) {
				other, top := filepath.Join(t.TempDir(), "other"), filepath.Join(base, "tree")
				gittest.Lay(t, other, map[string]string{"README": ""})
				gittest.Run(t, other, "init", "-q")
				gittest.Run(t, other, "commit", "-q", "--allow-empty", "-m", "x")
				gittest.Run(t, other, "worktree", "add", "-q", top)
				return base, top, filepath.Join(other, ".git")
			},
			"other working tree": func(t *testing.T, base string) (string, string, string) {
				top := filepath.Join(t.TempDir(), "tree")
				gittest.Run(t, base, "init", "-q")
				gittest.Run(t, base, "commit", "-q", "--allow-empty", "-m", "x")
				gittest.Run(t, base, "worktree", "add", "-q", top)
				return base, top, filepath.Join(base, ".git")
			},
			"with a link as .git": func(t *testing.T, base string) (string, string, string) {
				gittest.Lay(t, base, map[string]string{"lib/README": ""})
				top, dir := filepath.Join(base, "lib"), filepath.Join(t.TempDir(), "store")
				gittest.Run(t, top, "init", "-q")
				must(t, os.Rename(filepath.Join(top, ".git"), dir))
				symlink(t, dir, filepath.Join(top, ".git"))
				return base, top, dir
			},
			"in a protected folder": func(t *testing.T, base string) (string, string, string) {
				gittest.Lay(t, base, map[string]string{".claude/worktrees/x/README": ""})
				top := filepath.Join(base, ".claude", "worktrees", "x")
				gittest.Run(t, base, "init", "-q")
				gittest.Run(t, top, "init", "-q")
				return base, top, filepath.Join(top, ".git")
			},
		} {
			t.Run(name+"/"+place, func(t *testing.T) {
				base, err := filepath.EvalSymlinks(t.TempDir())
				must(t, err)
				root, top, dir := lay1(t, base)
				gittest.Lay(t, root, map[string]string{"scripts/pre-commit": "", "other/pre-push": ""})
				file := filepath.Join(root, "scripts", "pre-commit")
				relative, err := filepath.Rel(top, file)
				must(t, err)
				must(t, os.MkdirAll(filepath.Join(dir, "hooks"), 0o755))
				spread(t, top, dir, filepath.ToSlash(relative), file)
				wantProtected(t, protected(t, root, "scripts/pre-commit", "other/pre-push", "a.txt"), "scripts/pre-commit")
			})
		}
	}
}

// A submodule may get its working tree later.
func TestSubmoduleWithoutAWorkingTree(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Run(t, dir, "init", "-q", "--bare", ".git/modules/sub")
	gittest.Lay(t, dir, map[string]string{".git/modules/sub/config": "[core]\n\tbare = false\n\tworktree = ../../../sub\n\thooksPath = ../scripts\n", "x": ""})
	wantProtected(t, protected(t, dir, "scripts/pre-commit", "x"), "scripts/pre-commit")
}

// If git cannot read the configuration of a repository below the root, it runs nothing there. A file that this
// configuration includes is protected nevertheless.
func TestOtherRepositoryIsBroken(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{"lib/README": "", "cfg": "[core"})
	gittest.Run(t, filepath.Join(dir, "lib"), "init", "-q")
	gittest.Run(t, filepath.Join(dir, "lib"), "config", "include.path", "../../cfg")
	wantProtected(t, protected(t, dir, "a.txt", "cfg"), "cfg")
	gittest.Lay(t, dir, map[string]string{"lib/.git/config": "[core"})
	wantProtected(t, protected(t, dir, "a.txt", "cfg"))
	needs.Program(t, "mkfifo")
	must(t, exec.Command("mkfifo", filepath.Join(dir, "lib", ".git", "config.worktree")).Run())
	wantProtected(t, protected(t, dir, "a.txt"), "a.txt")
}

// Environment variables and the system's configuration also name programs.
func TestVariablesOfGit(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{"system": "[core]\n\tpager = tools/pager\n[include]\n\tpath = more\n"})
	t.Setenv("GIT_EXTERNAL_DIFF", "tools/diff")
	t.Setenv("GIT_SSH_COMMAND", "sh ./tools/ssh -x")
	t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(dir, "system"))
	t.Setenv("GIT_CONFIG_COUNT", "2")
	t.Setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
	t.Setenv("GIT_CONFIG_VALUE_0", "team")
	t.Setenv("GIT_CONFIG_KEY_1", "url.ext::sh tools/remote.insteadOf")
	t.Setenv("GIT_CONFIG_VALUE_1", "team:")
	names := []string{"tools/diff", "tools/ssh", "tools/pager", "tools/remote", "team/pre-commit", "system", "more"}
	wantProtected(t, protected(t, dir, append(names, "a.txt")...), names...)
}

// If a protected file has a second name (a hard link), an editor that saves the other name in place changes the
// protected file, too.
func TestTwinsOfProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{".vscode/tasks.json": "{}", "a.json": "{}", "deploy.sh": ""})
	must(t, os.Link(filepath.Join(dir, ".vscode", "tasks.json"), filepath.Join(dir, "b.json")))
	must(t, os.Link(filepath.Join(dir, "a.json"), filepath.Join(dir, "c.json")))
	must(t, os.Link(filepath.Join(dir, "deploy.sh"), filepath.Join(dir, "d.sh")))
	wantProtected(t, protected(t, dir, "a.json", "b.json", "c.json", "d.sh"), "b.json", "d.sh")
}
