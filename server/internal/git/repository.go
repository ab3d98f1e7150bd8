package git

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Repository describes where git keeps the data of a working tree. Its paths are absolute.
type Repository struct {
	Top    string // the folder that contains .git
	Dir    string // the folder with the data of this working tree
	Common string // the folder with the data shared by several working trees; the same as Dir if there is only one
}

// ErrNone means that neither the folder nor any folder above has .git.
var ErrNone = errors.New("not in a git repository")

// RepositoryOf finds the repository of a folder like git. Any error other than [ErrNone] explains why .git is broken;
// git would fail, too.
func RepositoryOf(folder string) (Repository, error) {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return Repository{}, err
	}
	for parent := ""; parent != folder; folder = filepath.Dir(folder) {
		name := filepath.Join(folder, ".git")
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return Open(folder, name)
		}
		parent = folder
	}
	return Repository{}, ErrNone
}

// Around returns all repositories whose working tree may contain a folder, innermost first. If somebody runs git in a
// folder further up, git uses an outer repository.
func Around(folder string) (all []Repository) {
	for parent := ""; parent != folder; folder = filepath.Dir(folder) {
		if r, err := Open(folder, filepath.Join(folder, ".git")); err == nil {
			all = append(all, r)
		}
		if IsRepository(folder) {
			all = append(all, Repository{folder, folder, folder})
		}
		parent = folder
	}
	return all
}

func Open(top, name string) (Repository, error) {
	r := Repository{Top: top, Dir: name}
	info, err := os.Stat(name)
	if err != nil {
		return Repository{}, err
	}
	if !info.IsDir() {
		line, err := FirstLine(name)
		if err != nil {
			return Repository{}, err
		}
		target, ok := strings.CutPrefix(line, "gitdir:")
		if !ok {
			return Repository{}, errors.New(".git does not name a repository")
		}
		r.Dir = LeadsTo(top, strings.TrimSpace(target))
	}
	r.Common = r.Dir
	line, err := FirstLine(filepath.Join(r.Dir, "commondir"))
	if err == nil && line != "" {
		r.Common = LeadsTo(r.Dir, line)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Repository{}, err
	}
	return r, nil
}

func LeadsTo(dir, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// FirstLine reads the first line of a small file of git.
func FirstLine(name string) (string, error) {
	data, err := readFile(name, 8<<10)
	line, _, _ := strings.Cut(data, "\n")
	return strings.TrimSpace(line), err
}

// readFile reads at most `most` bytes of a regular file. It never waits, even if a FIFO has just replaced the file.
func readFile(name string, most int64) (string, error) {
	if err := wantFile(name); err != nil {
		return "", err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	return string(data), err
}

// wantFile returns an error unless `name` is a regular file. If the file is missing, the error wraps [fs.ErrNotExist].
// A FIFO, a device or a folder, which would make git wait or fail, causes an [irregularError].
func wantFile(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &irregularError{name, fspath.Kind(info)}
	}
	return nil
}

type irregularError struct{ name, kind string }

func (e *irregularError) Error() string { return e.name + " is " + e.kind }

// readable returns an error unless all files that git reads to find ignored files are regular files or missing. For
// example, git would wait forever for a FIFO. `folders` are the folders of the working tree whose .gitignore files git
// reads.
func (r Repository) readable(folders []string) error {
	if _, err := os.Lstat(filepath.Join(r.Dir, "HEAD")); err != nil {
		// Without HEAD, git would continue its search in the folders above.
		return errors.New(".git is not a valid repository")
	}
	names := text.Each([]string{"HEAD", "config", "config.worktree", "index"}, func(name string) string { return filepath.Join(r.Dir, name) })
	for _, name := range []string{"config", "packed-refs", "shallow", "info/exclude", "info/sparse-checkout", "info/grafts", "objects/info/alternates"} {
		names = append(names, filepath.Join(r.Common, filepath.FromSlash(name)))
	}
	for _, folder := range folders {
		names = append(names, filepath.Join(r.Top, filepath.FromSlash(folder), ".gitignore"))
	}
	for _, name := range names {
		if err := wantFile(name); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return err
		}
	}
	return nil
}

// From returns the path of a folder relative to the top, with slashes, or "" for the top.
func (r Repository) From(folder string) string {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(r.Top, real)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// foldersAbove returns the folders above the names, each once. "" stands for the top.
func foldersAbove(names []string) []string {
	folders, seen := []string{""}, map[string]bool{"": true}
	for _, name := range names {
		for dir := path.Dir(name); dir != "." && dir != "/" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			folders = append(folders, dir)
		}
	}
	return folders
}

// IsRepository reports whether git treats a folder as a git directory, such as `.git`.
func IsRepository(dir string) bool {
	return Has(dir, "HEAD") && (Has(dir, "commondir") || Has(dir, "objects") && Has(dir, "refs"))
}
