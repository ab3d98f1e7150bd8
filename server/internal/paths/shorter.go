package paths

import (
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/text"
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

// IsSameName reports whether two names differ only in details that people do not see, or easily mistype: case, spaces
// at an end, invisible characters, look-alikes such as a no-break hyphen, and how letters are encoded, also as in a web
// address.
func IsSameName(a, b string) bool {
	plain := text.IsASCII(a+b) && !strings.Contains(a+b, "%")
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) || !plain && FoldedName(a) == FoldedName(b)
}

// FoldedName returns the same form for all names that are the same ([IsSameName]).
func FoldedName(name string) string {
	if decoded, ok := artifact.URLEscape.Undo(name); ok {
		name = decoded
	}
	return fspath.FoldedLetters(strings.TrimSpace(artifact.PlainText(name)))
}

// Folded returns the files of [ByName] by their [FoldedName].
func Folded(named map[string][]string) map[string][]string {
	folded := make(map[string][]string, len(named))
	for name, files := range named {
		key := FoldedName(name)
		folded[key] = append(folded[key], files...)
	}
	return folded
}

// Spelled returns the path in a tree whose names are all like the names in `p`. It returns "" if there is none, or if a
// name of `p` is not in its folder and several other names are like it. `entries` returns the contents of a folder, and
// `alike` compares two names, for example [IsSameName].
func Spelled(p string, entries func(folder string) []fs.DirEntry, alike func(a, b string) bool) string {
	at := "."
	for name := range strings.SplitSeq(p, "/") {
		same, several := "", false
		for _, e := range entries(at) {
			if e.Name() == name {
				same, several = name, false
				break
			}
			if alike(e.Name(), name) {
				several = several || same != ""
				same = e.Name()
			}
		}
		if same == "" || several {
			return ""
		}
		at = path.Join(at, same)
	}
	return at
}
