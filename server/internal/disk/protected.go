package disk

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// A Protection is the reason why a file is not written unless a person agrees.
type Protection struct {
	Reason  string // for people, to follow "FILE is protected: "
	Ignored bool   // git ignores the file, now or by the rules of the last commit
	// Folder is the outermost folder, from the root, that git currently ignores with
	// everything in it. It is "." for the whole root, and "" if there is none.
	Folder string
}

// Protected returns the paths, relative to the root, that need a person's agreement:
//
//   - those in the table of package protect, and in more
//   - targets of links with such names, and files that git's configuration names
//   - those that git ignores, now or by the rules of the last commit
//   - everything in a repository for which git cannot answer
//
// If the root is below the top of its working tree, the folders between them count as well.
// through maps a path to the names in a reply that lead to it through links; if such a name
// is protected, so is the path. An error is ctx's.
func (r *Root) Protected(ctx context.Context, paths []string, through map[string][]string, more []string) (map[string]Protection, error) {
	above, top, outside := r.belowTop()
	twins := r.twins(paths)
	var answers []answer
	var led *linked
	var named gitNames
	group, ctx := parallel.WithContext(ctx, 2)
	group.Go(func() (err error) { answers, err = askGit(ctx, r.dir, paths, true); return err })
	group.Go(func() (err error) {
		if led, err = newLinked(ctx, top, more, repositoriesAround(top), len(twins) > 0, mostListed); err == nil {
			named, err = readNames(ctx, led.repositories)
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	protected := map[string]Protection{}
	for _, a := range answers {
		for _, q := range a.questions {
			if p := a.protection(q); p.Reason != "" {
				protected[q.path] = p
			}
		}
	}
	for _, p := range paths {
		reason := protect.Reason(path.Join(above, p), more)
		if reason == "" && outside != "" {
			reason = protect.Reason(path.Join(outside, p), nil)
		}
		for _, written := range through[p] {
			if why := protect.Reason(path.Join(above, written), more); why != "" && reason == "" {
				reason = written + " leads to it; " + why
			}
		}
		if reason == "" {
			reason = cmp.Or(led.reason(path.Join(above, p)), led.twin(twins[p]))
		}
		if git := protected[p]; reason == "" && (git.Reason == "" || git.Ignored) {
			reason = named.reason(filepath.Join(r.dir, filepath.FromSlash(p)))
		}
		if reason != "" {
			protected[p] = Protection{Reason: reason, Ignored: protected[p].Ignored}
		}
	}
	return protected, nil
}

// belowTop returns the top of the root's working tree, and the path of the root from there,
// "" if the root is the top. For example, if the root is .github/workflows, x.yml is as
// sensitive as .github/workflows/x.yml. If the root is in no repository, the top of its
// project is unknown: outside is then the whole path of the root, and all names in it count.
func (r *Root) belowTop() (from, top, outside string) {
	repo, err := repositoryOf(r.dir)
	switch {
	case errors.Is(err, errNoRepository):
		return "", r.dir, filepath.ToSlash(r.dir)
	case err != nil:
		return "", r.dir, ""
	}
	return repo.from(r.dir), repo.top, ""
}

// twins returns those of paths, relative to the root, that are files with several names.
func (r *Root) twins(paths []string) map[string]fs.FileInfo {
	twins := map[string]fs.FileInfo{}
	for _, p := range paths {
		name := filepath.Join(r.dir, filepath.FromSlash(p))
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && hasTwins(name, info) {
			twins[p] = info
		}
	}
	return twins
}

// protection returns what git's answer means for the file of a question.
func (a *answer) protection(q question) Protection {
	switch {
	case a.unknown != nil:
		return Protection{Reason: "git could not say whether it ignores the file: " + a.shown(a.unknown)}
	case a.now[q.name]:
		return Protection{"git ignores it", true, a.ignoredFolder(q)}
	case a.before[q.name]:
		return Protection{Reason: "git ignored it according to the last commit", Ignored: true}
	case a.rules[q.name]:
		return Protection{Reason: "it says which files git ignores, and its rules are not committed"}
	}
	return Protection{}
}

// ignoredFolder returns the outermost folder of a file that git ignores, or "".
func (a *answer) ignoredFolder(q question) string {
	for _, folder := range foldersOf(q.name) {
		if a.now[folderName(folder)] {
			return path.Join(a.folder, folder)
		}
	}
	return ""
}

// isWithin reports whether file is name or lies in it. Both may be paths through links.
func isWithin(name, file string) bool {
	for _, name := range []string{name, real(name)} {
		for _, file := range []string{file, real(file)} {
			if file == name || isBelow(name, file) {
				return true
			}
		}
	}
	return false
}

// isBelow reports whether the path of file begins with a folder.
func isBelow(folder, file string) bool {
	return strings.HasPrefix(file, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// real returns a path with links resolved in the part that exists.
func real(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	if dir := filepath.Dir(name); dir != name {
		return filepath.Join(real(dir), filepath.Base(name))
	}
	return name
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
