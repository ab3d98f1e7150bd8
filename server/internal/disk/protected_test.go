package disk

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// protected returns the protected paths among some paths in a folder, with the reasons.
func protected(t *testing.T, dir string, paths ...string) map[string]protect.Protection {
	t.Helper()
	root, err := Open(dir)
	must(t, err)
	defer root.Close()
	got, err := root.Protected(context.Background(), paths, nil, []string{"deploy.sh"})
	must(t, err)
	return got
}

func wantProtected(t *testing.T, got map[string]protect.Protection, want ...string) {
	t.Helper()
	slices.Sort(want)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("protected %q\nwant      %q\n%v", names, want, got)
	}
}

func TestProtected(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.log\n"})
	got := protected(t, dir, "a.log", "a.txt", ".vscode/x", ".vscode/y.log", "x/deploy.sh", ".ENVRC", ".github/x.md")
	wantProtected(t, got, ".vscode/x", ".vscode/y.log", "a.log", "x/deploy.sh", ".ENVRC")
	if p := got[".vscode/y.log"]; !p.Ignored || strings.Contains(p.Reason, "ignore") {
		t.Errorf(".vscode/y.log: %+v", p)
	}
	if p := got["a.txt"]; p.Ignored {
		t.Errorf("a.txt: %+v", p)
	}
}

// The root may itself be in a protected folder of its working tree: the root of an .ap file
// is the file's folder. Folders above the working tree do not count.
func TestRootInProtectedFolder(t *testing.T) {
	top := filepath.Join(t.TempDir(), ".claude", "project")
	must(t, os.MkdirAll(filepath.Join(top, ".github", "workflows"), 0o755))
	gittest.Run(t, top, "init", "-q")
	wantProtected(t, protected(t, top, "x.yml", "workflows/x.yml"))
	wantProtected(t, protected(t, filepath.Join(top, ".github"), "x.yml", "workflows/x.yml"), "workflows/x.yml")
	wantProtected(t, protected(t, filepath.Join(top, ".github", "workflows"), "x.yml"), "x.yml")
}

// Without git, nothing shows at which folder the project begins.
func TestRootInProtectedFolderWithoutGit(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, ".github", "workflows"), 0o755))
	must(t, os.MkdirAll(filepath.Join(dir, ".vscode", "x"), 0o755))
	wantProtected(t, protected(t, dir, "tasks.json"))
	wantProtected(t, protected(t, filepath.Join(dir, ".vscode"), "tasks.json"), "tasks.json")
	wantProtected(t, protected(t, filepath.Join(dir, ".vscode", "x"), "y"), "y")
	wantProtected(t, protected(t, filepath.Join(dir, ".github"), "a.md", "workflows/a.yml"), "workflows/a.yml")
}

// If git ignores a folder with everything in it, the reason names that folder, whether it
// exists or not.
func TestIgnoredFolder(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.log\nbuild/\n", "in/x.txt": "", "build/a/x.txt": ""})
	for path, want := range map[string]string{"a.log": "", "in/b.log": "", "build/a/x.txt": "build", "in/build/new/y.txt": "in/build", "build/z.log": "build"} {
		if got := protected(t, dir, path)[path]; !got.Ignored || got.Folder != want {
			t.Errorf("%s: %+v, want the folder %q", path, got, want)
		}
	}
	if got := protected(t, filepath.Join(dir, "build", "a"), "x.txt", "sub/y.txt"); got["x.txt"].Folder != "." || got["sub/y.txt"].Folder != "." {
		t.Errorf("in an ignored folder: %+v", got)
	}
}

// A reply that changes ignore rules must not make it possible for the next reply to change
// the ignored files.
func TestRulesOfHeadCount(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.key\nbuild/\n", "d/.gitignore": "local\n", "d/e/f": "", "tracked.key": ""})
	gittest.Run(t, dir, "add", "-f", ".")
	gittest.Run(t, dir, "commit", "-qm", "x")
	paths := []string{"a.key", "build/x", "d/local", "d/e/local", "tracked.key", "a.txt", "new/a.key"}
	want := []string{"a.key", "build/x", "d/local", "d/e/local", "new/a.key"}
	wantProtected(t, protected(t, dir, paths...), want...)

	gittest.Lay(t, dir, map[string]string{".gitignore": "", "d/e/.gitignore": "!local\n", "build/.gitignore": "!*\n"})
	must(t, os.Remove(filepath.Join(dir, "d", ".gitignore")))
	got := protected(t, dir, paths...)
	wantProtected(t, got, want...)
	if p := got["a.key"]; !p.Ignored || !strings.Contains(p.Reason, "last commit") {
		t.Errorf("a.key: %+v", p)
	}
	sub := protected(t, filepath.Join(dir, "d"), "local", "e/local", "e/f", "x.key", "x.txt")
	wantProtected(t, sub, "local", "e/local", "x.key")
}

// If a reply changes rules that are in no commit, the old rules are lost, so Aptix asks.
func TestUncommittedRulesAsk(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.key\n", "d/.gitignore": "x\n", "e/f": ""})
	wantProtected(t, protected(t, dir, ".gitignore", "d/.gitignore", "e/.gitIgnore", "e/a.txt"), ".gitignore", "d/.gitignore", "e/.gitIgnore")
	wantProtected(t, protected(t, filepath.Join(dir, "e"), ".gitignore"), ".gitignore")
	gittest.Run(t, dir, "add", "-f", ".")
	wantProtected(t, protected(t, dir, ".gitignore"), ".gitignore")
	gittest.Run(t, dir, "commit", "-qm", "x")
	wantProtected(t, protected(t, dir, ".gitignore", "d/.gitignore", "e/.gitignore"))
	gittest.Lay(t, dir, map[string]string{"d/.gitignore": "x\nlocal\n"})
	wantProtected(t, protected(t, dir, ".gitignore", "d/.gitignore", "d/sub/.gitignore", "e/.gitignore", "d/local", "d/local2"), "d/.gitignore", "d/sub/.gitignore", "d/local")
	must(t, os.Remove(filepath.Join(dir, "d", ".gitignore")))
	wantProtected(t, protected(t, dir, "d/.gitignore", "d/local", "d/x"), "d/x")
}

// If there is a .git but git cannot answer, every file counts as ignored.
func TestGitCannotTell(t *testing.T) {
	elsewhere := t.TempDir()
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"bare":            func(t *testing.T, dir string) { gittest.Run(t, dir, "config", "core.bare", "true") },
		"foreign":         func(t *testing.T, dir string) { gittest.Run(t, dir, "config", "core.worktree", elsewhere) },
		"above":           func(t *testing.T, dir string) { gittest.Run(t, dir, "config", "core.worktree", filepath.Dir(dir)) },
		"broken config":   func(t *testing.T, dir string) { gittest.Lay(t, dir, map[string]string{".git/config": "[core"}) },
		"broken index":    func(t *testing.T, dir string) { gittest.Lay(t, dir, map[string]string{".git/index": "no index"}) },
		"no HEAD":         func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, ".git/HEAD"))) },
		"unknown version": func(t *testing.T, dir string) { gittest.Run(t, dir, "config", "core.repositoryformatversion", "99") },
		"leads nowhere": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			gittest.Lay(t, dir, map[string]string{".git": "gitdir: /nowhere\n"})
		},
		"a link to nowhere": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(filepath.Join(dir, ".git")))
			symlink(t, "nowhere", filepath.Join(dir, ".git"))
		},
		"no git": func(t *testing.T, dir string) { t.Setenv("PATH", t.TempDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			gittest.Run(t, dir, "init", "-q")
			spoil(t, dir)
			gittest.Lay(t, dir, map[string]string{"d/x": ""})
			got := protected(t, dir, "a", "d/b")
			wantProtected(t, got, "a", "d/b")
			if p := got["a"]; p.Ignored || !strings.HasPrefix(p.Reason, "git could not say whether it ignores the file: ") {
				t.Errorf("a: %+v", p)
			}
			wantProtected(t, protected(t, filepath.Join(dir, "d"), "c"), "c")
		})
	}
}

func TestWorktreesAndSubmodulesAreNotForeign(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for _, d := range []string{dir, other} {
		gittest.Run(t, d, "init", "-q")
		gittest.Lay(t, d, map[string]string{".gitignore": "*.log\n"})
		gittest.Run(t, d, "add", ".")
		gittest.Run(t, d, "commit", "-qm", "x")
	}
	gittest.Run(t, dir, "submodule", "--quiet", "add", other, "sub")
	gittest.Run(t, dir, "worktree", "add", "-q", "wt")
	wantProtected(t, protected(t, dir, "sub/a", "sub/a.log", "wt/b", "wt/b.log", "c"), "sub/a.log", "wt/b.log")
	wantProtected(t, protected(t, filepath.Join(dir, "wt"), "b", "b.log"), "b.log")
	wantProtected(t, protected(t, filepath.Join(dir, "sub"), "b", "b.log"), "b.log")
}

// Git runs the files that its configuration names, or reads them as part of the
// configuration.
func TestConfiguredFilesAreProtected(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{"shared.cfg": "[core]\n\teditor = tools/edit --wait\n", "d/x": "", "ci/x": ""})
	for _, kv := range [][2]string{{"core.hooksPath", "ci/hooks"}, {"include.path", "../shared.cfg"}, {"filter.x.clean", "bin/clean.sh %f"},
		{"alias.st", "!./scripts/st"}, {"core.fsmonitor", dir + "/watch.sh"}} {
		gittest.Run(t, dir, "config", kv[0], kv[1])
	}
	want := []string{"ci/hooks/pre-commit", "ci/hooks/lib.sh", "shared.cfg", "bin/clean.sh", "scripts/st", "watch.sh", "tools/edit"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "ci/x", "bin/other", "d/hooks/x", "clean.sh")...), want...)
	wantProtected(t, protected(t, filepath.Join(dir, "ci"), "hooks/x", "y"), "hooks/x")
	gittest.Run(t, dir, "config", "core.hooksPath", ".")
	wantProtected(t, protected(t, dir, "pre-commit", "a.txt"), "pre-commit")
	gittest.Run(t, dir, "config", "core.hooksPath", "Caf\u00e9/Hooks") // a file system may fold this name
	gittest.Run(t, dir, "config", "core.attributesFile", "Cfg/Attributes")
	gittest.Run(t, dir, "config", "core.excludesFile", "Cfg/Ignore")
	wantProtected(t, protected(t, dir, "cafe\u0301/hooks/x", "cfg/attributes", "cfg/ignore", "cfg/x"), "cafe\u0301/hooks/x", "cfg/attributes", "cfg/ignore")
}

// If a word of a command is the name of a file in the tree, that file is protected, however
// the word is written.
func TestProgramsOfGit(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	top := filepath.Join(t.TempDir(), "a b")
	for _, c := range []struct{ key, value, file string }{
		{"filter.x.clean", "python3 clean.py %f", "clean.py"},
		{"filter.x.smudge", "python3 Clean.PY", "clean.py"},
		{"filter.x.process", "'my tools/clean it.sh' %f", "my tools/clean it.sh"},
		{"filter.x.process", `my\ tools/clean\ it.sh %f`, "my tools/clean it.sh"},
		{"filter.x.clean", `"my tools"/clean.sh`, "my tools/clean.sh"},
		{"filter.x.clean", "$PWD/tools/x", "tools/x"},
		{"filter.x.clean", `"$(git rev-parse --show-toplevel)"/tools/x.sh`, "tools/x.sh"},
		{"filter.x.clean", `"$(dirname "$(pwd)/y")/tools/x.sh"`, "tools/x.sh"},
		{"filter.x.clean", "`pwd`/tools/x", "tools/x"},
		{"filter.x.clean", "$TOOLS/x.sh", "some/where/x.sh"},
		{"filter.x.clean", "cd tools && ./x.sh", "tools/x.sh"},
		{"filter.x.clean", "(cd tools/in; python3 x.py)", "tools/in/x.py"},
		{"filter.x.clean", "make -C tools", "tools/Makefile"},
		{"filter.x.clean", "node tools/clean", "tools/clean.js"},
		{"filter.x.clean", "python3 -m tools.clean", "tools/clean.py"},
		{"filter.x.clean", "python3 tools", "tools/__main__.py"},
		{"filter.x.clean", "sh -c 'exec python3 x.py --in=y'", "x.py"},
		{"filter.x.clean", "run --with=tools/x.cfg", "tools/x.cfg"},
		{"filter.x.clean", top + "/x.sh", "x.sh"},
		{"filter.x.clean", "'" + top + "/x.sh'", "x.sh"},
		{"filter.x.clean", "through/x.sh", "tools/x.sh"}, // a link
		{"core.pager", "../../a b/tools/x", "tools/x"},   // in a folder of the tree
		{"core.pager", "./tools/$NAME", "tools/x"},
		{"core.pager", "./tools/*.sh", "tools/x.sh"},
		{"core.pager", "sh ./tool?/x.sh", "tools/x.sh"},
		{"core.pager", "sh ./{tools,bin}/x.sh", "tools/x.sh"},
		{"core.pager", "sh ~+/tools/x.sh", "tools/x.sh"},
		{"core.hooksPath", ":(optional)tools/hooks", "tools/hooks/pre-commit"},
		{"alias.st", "!f() { cd tools && ./x; }; f", "tools/x"},
		{"alias.st", "!python3 st.py", "st.py"},
		{"alias.st", "-c core.pager=./p.sh log", "p.sh"},
		{"core.attributesFile", "cfg/attributes", "cfg/attributes"},
		{"core.excludesFile", "cfg/ignore", "cfg/ignore"},
		{"init.templateDir", "cfg/template", "cfg/template/hooks/pre-commit"},
		{"remote.origin.url", "ext::sh -c './tools/x %S'", "tools/x"},
		{"remote.origin.url", "ext::python3 x.py", "x.py"},
		{"url.ext::./x.sh .insteadOf", "https://x/", "x.sh"},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			must(t, os.RemoveAll(top))
			gittest.Lay(t, top, map[string]string{"tools/y": ""})
			symlink(t, "tools", filepath.Join(top, "through"))
			gittest.Run(t, top, "init", "-q")
			gittest.Run(t, top, "config", c.key, c.value)
			wantProtected(t, protected(t, top, c.file, "src/main.go", "main.go", "README.md"), c.file)
		})
	}
}

// The person's own configuration, and folders of PATH, count without a repository as well.
func TestProgramsWithoutRepository(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	gittest.Lay(t, home, map[string]string{".gitconfig": "[core]\n\thooksPath = " + filepath.ToSlash(dir) + "/hk\n"})
	gittest.Lay(t, dir, map[string]string{"tools/y": ""})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("LESSOPEN", "|-./open/less.sh %s")
	t.Setenv("PATH", strings.Join([]string{os.Getenv("PATH"), filepath.Join(dir, "tools"), dir, ""}, string(filepath.ListSeparator)))
	want := []string{"hk/pre-commit", "tools/ls", "open/less.sh"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "a.txt", "ls", "other/x")...), want...)
}

// Every key of git-config(1) whose value is a program protects that program. So do some keys of other programs that
// store their settings in git's configuration.
func TestKeysThatRunPrograms(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	var want []string
	for i, key := range strings.Fields(`alias.x browser.x.cmd browser.x.path core.alternateRefsCommand core.askPass core.editor core.fsmonitor core.gitProxy core.pager core.sshCommand
		credential.helper credential.https://x.helper diff.x.command diff.x.textconv diff.external difftool.x.cmd difftool.x.path filter.x.clean filter.x.smudge filter.x.process
		gc.recentObjectsHook gpg.program gpg.openpgp.program gpg.ssh.program gpg.ssh.defaultKeyCommand gpg.ssh.allowedSignersFile guitool.x.cmd help.browser hook.x.command imap.tunnel
		instaweb.browser instaweb.httpd instaweb.modulePath interactive.diffFilter man.x.cmd man.x.path man.viewer merge.x.driver mergetool.x.cmd mergetool.x.path pager.log
		remote.x.receivepack remote.x.uploadpack remote.x.vcs sendemail.ccCmd sendemail.toCmd sendemail.headerCmd sendemail.sendmailCmd sendemail.x.ccCmd sendemail.smtpServer
		sequence.editor submodule.x.update tar.tar.xz.command trailer.x.command trailer.x.cmd uploadpack.packObjectsHook web.browser
		lfs.customtransfer.x.path lfs.customtransfer.x.args lfs.extension.x.clean remote.x.annex-ssh-command svn.authorsProg`) {
		file := fmt.Sprintf("bin/p%d.sh", i)
		want = append(want, file)
		gittest.Run(t, dir, "config", key, "!"+file)
	}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "bin/x.sh")...), want...)
}

// An ordinary configuration of a person does not protect a file by chance.
func TestUsualConfiguration(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	for key, value := range map[string]string{"filter.lfs.clean": "git-lfs clean -- %f", "filter.lfs.process": "git-lfs filter-process", "core.pager": "less -R", "core.editor": "vim",
		"alias.test": "!make test", "alias.d": "diff --stat", "alias.gone": `!git branch -vv | grep ': gone]' | grep -v '\*' | awk '{ print $1 }' | xargs -r git branch -D`,
		"alias.up": "!cd .. && git pull", "credential.helper": "store", "branch.main.merge": "refs/heads/main", "remote.origin.url": "git@example.com:src/docs.git",
		"user.name": "Jane Doe", "merge.tool": "meld", "submodule.lib.update": "rebase", "init.defaultBranch": "main", "safe.directory": dir} {
		gittest.Run(t, dir, "config", key, value)
	}
	wantProtected(t, protected(t, dir, "clean/x.go", "less/a.less", "vim/x", "test/x_test.go", "test.py", "diff/a.go", "diff.go", "docs/a.md", "src/main.go", "main/x", "meld/x", "store/x.go",
		"lib/x", "rebase/x", "print/x", "git/x", "branch/x.go", "refs/heads/main", "a.txt", "f"))
}

// The path of an included file is relative to the file that includes it, whether or not its
// condition is true now.
func TestIncludesOfIncludes(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{"cfg/a.cfg": "[include]\n\tpath = b.cfg\n[includeIf \"onbranch:later\"]\n\tpath = later.cfg\n", "cfg/b.cfg": "[core]\n\tpager = b/pager\n[include]\n\tpath = missing.cfg\n",
		"cfg/later.cfg": "[filter \"x\"]\n\tclean = later/clean\n[include]\n\tpath = ../deep/c.cfg\n", "deep/c.cfg": "[core]\n\thooksPath = deep/hooks\n\tworktree = /nowhere\n[include]\n\tpath = ../cfg/a.cfg\n"})
	gittest.Run(t, dir, "config", "include.path", "../cfg/a.cfg")
	want := []string{"cfg/a.cfg", "cfg/b.cfg", "b/pager", "cfg/later.cfg", "later/clean", "deep/c.cfg", "deep/hooks/pre-commit", "cfg/missing.cfg"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "cfg/other", "a.cfg", "b.cfg", "x/pager")...), want...)
}

// The person's own git files may be in the workspace, or may be links into it.
func TestPersonalFilesOfGit(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{"dot/gitconfig": "", "dot/ignore": "", "dot/x": "", "xdg/x": ""})
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	must(t, os.MkdirAll(filepath.Join(home, ".config", "git"), 0o755))
	symlink(t, filepath.Join(dir, "dot", "gitconfig"), filepath.Join(home, ".gitconfig"))
	symlink(t, filepath.Join(dir, "dot", "ignore"), filepath.Join(home, ".config", "git", "ignore"))
	paths := []string{"dot/gitconfig", "dot/ignore", "dot/x", "xdg/git/attributes", "xdg/git/config", "cfg/global"}
	t.Setenv("XDG_CONFIG_HOME", "")
	wantProtected(t, protected(t, dir, paths...), "dot/gitconfig", "dot/ignore")
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "xdg"))
	wantProtected(t, protected(t, dir, paths...), "dot/gitconfig", "xdg/git/attributes", "xdg/git/config")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "cfg", "global"))
	wantProtected(t, protected(t, dir, paths...), "dot/gitconfig", "xdg/git/attributes", "xdg/git/config", "cfg/global")
}

// A link with a protected name makes its target as sensitive as the name.
func TestLinksToProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"cfg/tasks.json": "{}", "gh/x": "", ".husky/x": "", "real/y": "", "pkg/a.txt": "", "tools/run": "", "wf/x.yml": ""})
	for link, target := range map[string]string{".vscode": "one", "one": "cfg", ".husky/pre-commit": "../tools/run", "pkg/.IDEA": "../real",
		".github": "gh", "x.code-workspace": "missing", ".envrc": "/etc/passwd", ".npmrc": ".npmrc", "plain": "pkg"} {
		symlink(t, target, filepath.Join(dir, filepath.FromSlash(link)))
	}
	want := []string{"cfg/tasks.json", "one", "tools/run", "gh/workflows/a.yml", "missing", "real/y"}
	wantProtected(t, protected(t, dir, append(slices.Clone(want), "pkg/a.txt", "tools/other", "wf/x.yml")...), want...)
}

// A link to a protected file may be anywhere, and may name its target in any way.
func TestLinksFromElsewhere(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"pkg/deep/x": "", "shared/y": "", "abs/y": "", "out/y": "", "a/b/y": "", "sub/cfg/y": "", "other/y": "", "node_modules/p/x": ""})
	for link, target := range map[string]string{"pkg/.vscode": "../shared", "pkg/deep/.idea": filepath.Join(dir, "abs"), "pkg/.husky": "../../" + filepath.Base(dir) + "/out", "pkg/link": "../a",
		"pkg/deep/.zed": "../link/b", ".fleet": "sub/cfg", "node_modules/p/.mcp.json": "../../other/new", "pkg/.theia": filepath.Join(dir, "absent")} {
		symlink(t, target, filepath.Join(dir, filepath.FromSlash(link)))
	}
	want := []string{"shared/y", "Shared/new", "abs/y", "out/y", "a/b/y", "sub/cfg/y", "other/new", "pkg/link", "absent"}
	paths := append(slices.Clone(want), "other/y", "a/y", "sub/y", "pkg/deep/x", "absent2")
	wantProtected(t, protected(t, dir, paths...), want...)
	gittest.Run(t, dir, "init", "-q")
	wantProtected(t, protected(t, dir, paths...), want...)
	wantProtected(t, protected(t, filepath.Join(dir, "sub"), "cfg/y", "y"), "cfg/y")
}

// If there are too many files to find all links, Aptix asks about every file.
func TestTooManyFilesForLinks(t *testing.T) {
	dir := t.TempDir()
	gittest.Lay(t, dir, map[string]string{"a/1": "", "a/2": "", "a/3": "", "b/4": "", "c/5": ""})
	symlink(t, "../b", filepath.Join(dir, "c", ".vscode"))
	for most := range 12 {
		l, err := newLinked(context.Background(), dir, nil, nil, false, most)
		must(t, err)
		if b := l.reason("b/4"); b == "" || (l.reason("a/1") != "") != (most < 9) {
			t.Errorf("with %d: %q, %q", most, b, l.reason("a/1"))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newLinked(ctx, dir, nil, nil, false, mostListed); err == nil {
		t.Error("a cancelled search has no error")
	}
}

// The benchmark's tree has as many files as a small project with its dependencies.
func BenchmarkLinks(b *testing.B) {
	dir := b.TempDir()
	for i := range 2_000 {
		folder := filepath.Join(dir, fmt.Sprintf("node_modules/p%d/src", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 8 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.js", j)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		if _, err := newLinked(context.Background(), dir, nil, nil, false, mostListed); err != nil {
			b.Fatal(err)
		}
	}
}

// git does not search further up than its limit, so a .git beyond it does not count.
func TestGitStopsSearching(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	gittest.Lay(t, dir, map[string]string{".gitignore": "*.log\n", "d/e/x": ""})
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Join(dir, "d"))
	wantProtected(t, protected(t, filepath.Join(dir, "d/e"), "a.log", "a"))
	wantProtected(t, protected(t, dir, "a.log", "a"), "a.log")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	wantProtected(t, protected(t, filepath.Join(dir, "d/e"), "a.log", "a"), "a.log")
}
