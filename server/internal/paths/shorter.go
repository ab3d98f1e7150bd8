package paths

import (
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

const deepest = 64

// Slashed returns a path with slashes. It converts a file URL to a path.
func Slashed(p string) string {
	if len(p) > 5 && strings.EqualFold(p[:5], "file:") {
		if u, err := url.Parse(p); err == nil && u.Path != "" {
			p = u.Path
			if len(p) > 1 && Drive.MatchString(p[1:]) {
				p = p[1:]
			}
		}
	}
	return strings.ReplaceAll(p, `\`, "/")
}

// IsAbsolute reports whether a path from [Slashed] begins at a root or at a home folder.
func IsAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || p == "~" || strings.HasPrefix(p, "~/") || Drive.MatchString(p)
}

// Shorter drops leading folders of a path until the rest names a file of the tree. It returns that file, and the
// dropped part in the form of [Slashed]. It returns "" if it finds no file or several, or if `p` is relative and its
// first component is in the tree.
func Shorter(tree fs.FS, p string) (file, prefix string) {
	p = Slashed(p)
	if tree == nil || climbs(p) || len(p) > maxPath || strings.Count(p, "/") > deepest {
		return "", ""
	}
	if first, _, _ := strings.Cut(p, "/"); !IsAbsolute(p) {
		if _, err := fs.Lstat(tree, first); err == nil || !fs.ValidPath(p) {
			return "", ""
		}
	}
	for at := strings.Index(p, "/") + 1; at > 0; {
		if rest := p[at:]; fs.ValidPath(rest) && !fspath.IsGit(rest) && fspath.IsFile(tree, rest) {
			if file != "" {
				return "", ""
			}
			file, prefix = rest, p[:at]
		}
		next := strings.Index(p[at:], "/") + 1
		if next == 0 {
			break
		}
		at += next
	}
	return file, prefix
}

// searchLimit limits how many files and folders [ByName] visits.
const searchLimit = 50_000

// Skipped lists folders whose files nobody wants to edit.
var Skipped = []string{".git", "node_modules", ".hg", ".svn"}

// ByName returns the files of a tree by their names. It stops after searchLimit paths, or if `more` returns false.
// `all` is false if it did not look at every file.
func ByName(tree fs.FS, more func() bool) (named map[string][]string, all bool) {
	seen := 0
	named, all = map[string][]string{}, true
	// Ignore errors: files in folders that cannot be read are not found.
	_ = fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > searchLimit || !more():
			all = false
			return fs.SkipAll
		case err != nil:
			all = false
			return fs.SkipDir
		case d.IsDir() && slices.Contains(Skipped, d.Name()):
			return fs.SkipDir
		case !d.IsDir():
			named[d.Name()] = append(named[d.Name()], p)
		}
		return nil
	})
	return named, all
}

// IsNewProject reports whether a project has only the files of a new repository, such as a README. A reply for a new
// project usually also creates the folders.
func IsNewProject(tree fs.FS) bool {
	all, err := fs.ReadDir(tree, ".")
	return err == nil && !slices.ContainsFunc(all, func(e fs.DirEntry) bool {
		name := strings.ToLower(e.Name())
		return !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "readme") && !strings.HasPrefix(name, "license")
	})
}
