package git

import (
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

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// Ignored returns the paths that git ignores in the working tree at `dir`. The paths are relative to `dir`. A nested
// repository, such as a submodule or a clone, decides about its own files, but the outer repository may ignore its
// whole folder. Without a repository, nothing is ignored. The error is the error of `ctx`, or explains why git failed.
func Ignored(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	answers, err := queryGit(ctx, dir, paths, false)
	if err != nil {
		return nil, err
	}
	ignored := map[string]bool{}
	for _, a := range answers {
		if a.unknown != nil {
			return nil, fmt.Errorf("git could not list the files that it ignores in %s: %w", a.folder, a.unknown)
		}
		for _, q := range a.queries {
			if a.now[q.name] {
				ignored[q.path] = true
			}
		}
	}
	return ignored, nil
}

// A query is about one file: whether a repository ignores `name`. `name` is relative to the repository, and `path` is
// relative to the `dir` of [queryGit].
type query struct{ name, path string }

// An answer has the results of all queries to one repository. The keys of its maps are the names in the queries.
type answer struct {
	// the path of a nested repository, relative to the `dir` of [queryGit]; "" for the repository that contains `dir`
	folder  string
	queries []query
	Repository
	asked  string // the folder in which git is run
	config configuration
	now    map[string]bool
	before map[string]bool // the names that git ignores by the rules of HEAD
	// the names of .gitignore files whose change could bypass rules that are not in HEAD
	rules   map[string]bool
	unknown error // why git failed, or nil
}

// queryGit runs git once in each repository that contains any of the paths. If `rules` is true, it also applies the
// rules of HEAD. The error is the error of `ctx`.
func queryGit(ctx context.Context, dir string, paths []string, rules bool) ([]answer, error) {
	queries := map[string][]query{}
	inner := map[string]bool{}
	for _, p := range paths {
		addQueries(queries, inner, dir, p)
	}
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var answers []answer
	for folder, qs := range queries {
		a := answer{folder: folder, queries: qs}
		a.unknown = a.query(short, filepath.Join(dir, filepath.FromSlash(folder)), rules)
		switch {
		case errors.Is(a.unknown, ErrNone):
			a.unknown = nil
		case a.unknown != nil && short.Err() != nil:
			a.unknown = errSlow
		}
		answers = append(answers, a)
	}
	return answers, ctx.Err()
}

// addQueries adds the path `p` to the queries of each repository that contains it. Git runs in each repository
// separately, because git fails for all names if any of them is in a submodule. `inner` caches which folders are
// repositories.
func addQueries(queries map[string][]query, inner map[string]bool, dir, p string) {
	repo := ""
	for i, r := range p {
		if r != '/' || !hasRepository(inner, dir, p[:i]) {
			continue
		}
		queries[repo] = append(queries[repo], query{relativeTo(p[:i], repo), p})
		repo = p[:i]
	}
	queries[repo] = append(queries[repo], query{relativeTo(p, repo), p})
}

func relativeTo(p, repo string) string {
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

// query runs git in `folder`. It first checks that git will not wait for a FIFO. The error is [ErrNone], or explains
// why git failed.
func (a *answer) query(ctx context.Context, folder string, rules bool) error {
	a.asked = folder
	var err error
	if a.Repository, err = RepositoryOf(folder); errors.Is(err, ErrNone) && inBare(folder) {
		return errors.New("it is inside a git directory")
	} else if err != nil {
		return err
	}
	var names, fromTop []string
	prefix := a.From(folder)
	for _, q := range a.queries {
		names, fromTop = append(names, q.name), append(fromTop, path.Join(prefix, q.name))
	}
	folders := foldersAbove(fromTop)
	if err := a.readable(folders); err != nil {
		return err
	}
	if a.config, err = readConfig(ctx, a.Repository); err != nil {
		return a.explained(err)
	}
	if a.config.foreign(a.Repository) {
		return fmt.Errorf("its configuration names another folder as its working tree: %s", a.config.workTree)
	}
	settings := a.config.withoutHanging()
	if !rules {
		a.now, err = checkIgnore(ctx, folder, settings, names)
		return a.explained(err)
	}
	var was ignoreRules
	var errNow, errHead error
	group := parallel.New(2)
	group.Go(func() error { a.now, errNow = checkIgnore(ctx, folder, settings, withFolders(names)); return nil })
	group.Go(func() error { was, errHead = headRules(ctx, a.Repository, folders); return nil })
	_ = group.Wait()
	if err := errors.Join(errNow, errHead); err != nil || !was.differ {
		return a.explained(err)
	}
	ignored, err := ignoredBy(ctx, a.Repository, settings, was.head, fromTop)
	a.before, a.rules = map[string]bool{}, map[string]bool{}
	for i, name := range fromTop {
		a.before[names[i]], a.rules[names[i]] = ignored[name], was.decide(name)
	}
	return a.explained(err)
}

// withFolders adds the folders above the names, so that git also reports which folders it ignores as a whole.
func withFolders(names []string) []string {
	all, known := slices.Clone(names), map[string]bool{}
	for _, name := range names {
		for _, folder := range foldersOf(name) {
			if !known[folder] {
				known[folder] = true
				all = append(all, folderName(folder))
			}
		}
	}
	return all
}

// folderName returns the name of a folder in a query. The folder need not exist.
func folderName(folder string) string {
	if folder == "." {
		return folder
	}
	return folder + "/"
}

// explained returns an error of git in words for people. It returns [ErrNone] if git finds no repository, or stopped
// its search below the folder with .git.
func (a *answer) explained(err error) error {
	said, ok := errors.AsType[*refusal](err)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("git is not installed")
	case !ok:
		return err
	case strings.Contains(said.message, "must be run in a work tree"):
		return errors.New("the repository is bare")
	case !strings.Contains(said.message, "not a git repository"):
		return err
	case !a.reached(said.message):
		return ErrNone
	}
	return errors.New(".git is not a valid repository")
}

var mountPoint = lazyregexp.New(`up to mount point ([^)]*)\)`)

// reached reports whether git searched as far up as the folder with .git. The search ends below a mount point, and
// below the folders in GIT_CEILING_DIRECTORIES.
func (a *answer) reached(message string) bool {
	if m := mountPoint.FindStringSubmatch(message); m != nil && (a.Top == m[1] || !fspath.Contains(m[1], a.Top)) {
		return false
	}
	for _, ceiling := range filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES")) {
		if filepath.IsAbs(ceiling) && fspath.Contains(a.Top, ceiling) && fspath.Contains(ceiling, a.asked) && fspath.Real(ceiling) != fspath.Real(a.asked) {
			return false
		}
	}
	return true
}

// shown returns an error without the path of the working tree, which is private.
func (a *answer) shown(err error) string {
	if wrong, ok := errors.AsType[*irregularError](err); ok {
		if rel, err := filepath.Rel(a.Top, wrong.name); err == nil && a.Top != "" {
			return filepath.ToSlash(rel) + " is " + wrong.kind
		}
	}
	return err.Error()
}

// inBare reports whether a folder is inside the git directory of any repository, such as a bare one.
func inBare(folder string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	for parent := ""; err == nil && parent != folder; folder = filepath.Dir(folder) {
		if Has(folder, "HEAD") && Has(folder, "objects") && Has(folder, "refs") {
			return true
		}
		parent = folder
	}
	return false
}

func Has(folder, name string) bool {
	_, err := os.Lstat(filepath.Join(folder, name))
	return !errors.Is(err, fs.ErrNotExist)
}

func checkIgnore(ctx context.Context, folder string, settings, names []string) (map[string]bool, error) {
	var in strings.Builder
	for _, name := range names {
		in.WriteString("./" + name + "\x00") // without ./, a colon at the beginning would have a special meaning
	}
	out, err := run(ctx, folder, in.String(), append(settings, "check-ignore", "-z", "--stdin")...)
	if failed, ok := errors.AsType[*refusal](err); ok && failed.exit == 1 {
		err = nil // exit status 1 means that git ignores none of the names
	}
	if err != nil {
		return nil, err
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(out, "\x00") {
		ignored[strings.TrimPrefix(name, "./")] = true
	}
	delete(ignored, "")
	return ignored, nil
}

// Protected returns the paths that are protected, with the reasons. The paths are relative to `dir`. A file is
// protected if git ignores it, now or by the rules of the last commit, if it contains ignore rules that are not
// committed, or if git fails. The error is the error of `ctx`.
func Protected(ctx context.Context, dir string, paths []string) (map[string]protect.Protection, error) {
	answers, err := queryGit(ctx, dir, paths, true)
	protected := map[string]protect.Protection{}
	for _, a := range answers {
		for _, q := range a.queries {
			if p := a.protection(q); p.Reason != "" {
				protected[q.path] = p
			}
		}
	}
	return protected, err
}

// protection returns the reason why the file of a query is protected, or the zero value.
func (a *answer) protection(q query) protect.Protection {
	switch {
	case a.unknown != nil:
		return protect.Protection{Reason: "git could not say whether it ignores the file: " + a.shown(a.unknown)}
	case a.now[q.name]:
		return protect.Protection{Reason: "git ignores it", Ignored: true, Folder: a.ignoredFolder(q)}
	case a.before[q.name]:
		return protect.Protection{Reason: "git ignored it according to the last commit", Ignored: true}
	case a.rules[q.name]:
		return protect.Protection{Reason: "it says which files git ignores, and its rules are not committed"}
	}
	return protect.Protection{}
}

// ignoredFolder returns the outermost ignored folder above a file, or "".
func (a *answer) ignoredFolder(q query) string {
	for _, folder := range foldersOf(q.name) {
		if a.now[folderName(folder)] {
			return path.Join(a.folder, folder)
		}
	}
	return ""
}

// foldersOf returns the folders above a path, outermost first; "." stands for the root.
func foldersOf(p string) []string {
	folders := []string{"."}
	for i, r := range p {
		if r == '/' {
			folders = append(folders, p[:i])
		}
	}
	return folders
}
