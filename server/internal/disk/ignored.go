package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Ignored returns those of paths, relative to dir, that git ignores in the working tree
// at dir. A file in a nested repository (a submodule, a clone) is ignored if that
// repository ignores it, or the outer one ignores that whole folder. Without git, or
// without a repository, nothing is ignored. An error is ctx's, or git's message.
func Ignored(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	questions := map[string][]question{}
	inner := map[string]bool{}
	for _, p := range paths {
		ask(questions, inner, dir, p)
	}
	if !withinRepository(dir) {
		delete(questions, "") // starting git takes longer than many an apply
	}
	ignored := map[string]bool{}
	for repo, qs := range questions {
		names, err := checkIgnore(ctx, filepath.Join(dir, filepath.FromSlash(repo)), qs)
		if err != nil {
			return nil, err
		}
		for _, q := range qs {
			if names[q.name] {
				ignored[q.path] = true
			}
		}
	}
	return ignored, nil
}

// A question is whether one repository ignores name, which decides for path.
type question struct{ name, path string }

// ask splits a path where repositories begin: git refuses to answer at all if one of
// the files is in a submodule. inner caches which folders are repositories.
func ask(questions map[string][]question, inner map[string]bool, dir, p string) {
	repo := ""
	for i, r := range p {
		if r != '/' || !hasRepository(inner, dir, p[:i]) {
			continue
		}
		questions[repo] = append(questions[repo], question{below(p[:i], repo), p})
		repo = p[:i]
	}
	questions[repo] = append(questions[repo], question{below(p, repo), p})
}

func below(p, repo string) string {
	if repo == "" {
		return p
	}
	return p[len(repo)+1:]
}

func hasRepository(known map[string]bool, dir, folder string) bool {
	is, ok := known[folder]
	if !ok {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(path.Join(folder, ".git"))))
		is = err == nil
		known[folder] = is
	}
	return is
}

// withinRepository reports whether git could find a repository that contains dir: by a
// .git in dir or above, or because dir is in a repository's own folder. Git may find
// less: it does not look beyond a mount, nor where its environment forbids it.
func withinRepository(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return true
	}
	for parent := ""; parent != dir; dir = filepath.Dir(dir) {
		for _, name := range []string{".git", "HEAD"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
				return true
			}
		}
		parent = dir
	}
	return false
}

// checkIgnore runs git in repo, which may be any folder of a working tree. A workspace
// may come from anywhere, so whatever a repository's configuration can make git run is
// off: the file system monitor, and fetching for a partial clone. As nothing in it is
// run, the repository may also be another user's, as in many containers.
func checkIgnore(ctx context.Context, repo string, qs []question) (map[string]bool, error) {
	var names bytes.Buffer
	for _, q := range qs {
		names.WriteString("./" + q.name + "\x00") // a colon at the beginning would be pathspec magic
	}
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-c", "safe.directory=*", "check-ignore", "-z", "--stdin")
	cmd.Dir = repo
	cmd.Env = gitEnv()
	cmd.Stdin = &names
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit, ran := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
	case ran && exit.ExitCode() == 1: // none of them
	case errors.Is(err, exec.ErrNotFound), ran && outsideRepository(stderr.String()):
		return nil, nil
	default:
		return nil, fmt.Errorf("git check-ignore in %s: %w: %s", repo, err, strings.TrimSpace(stderr.String()))
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[strings.TrimPrefix(name, "./")] = true
	}
	delete(ignored, "") // after the last NUL
	return ignored, nil
}

func outsideRepository(message string) bool {
	return strings.Contains(message, "not a git repository") || strings.Contains(message, "must be run in a work tree")
}

// gitEnv returns the environment without the variables that name another repository,
// which git sets for hooks; and with no prompts, no lock on the index, no network for
// the objects of a partial clone, and messages in English.
func gitEnv() []string {
	foreign := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(foreign, name)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
		"LC_ALL=C")
}
