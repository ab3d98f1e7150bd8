package reply

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
)

// An aim tells which files a command changes with a patch. Each name in the patch loses `strip` leading folders, and is
// then relative to `folder`. If `reverse` is true, the command takes the patch back.
type aim struct {
	folder  string
	strip   int
	reverse bool
}

var (
	folderOption = lazyregexp.New(`^(?:(?:-d|--directory)=?(.*)|-C)$`)
	stripOption  = lazyregexp.New(`^(?:-p|--strip)=?(\d*)$`)
)

// aimOf reads the options of `git apply`, `git am` or `patch`.
func aimOf(c shellscript.Command) *aim {
	a := &aim{strip: 1}
	for i, w := range c.Words {
		value := func(m []string) string {
			if i+1 < len(c.Words) {
				return cmp.Or(m[1], c.Words[i+1].Text)
			}
			return m[1]
		}
		if m := folderOption.FindStringSubmatch(w.Text); m != nil {
			a.folder = path.Join(a.folder, value(m))
		} else if m := stripOption.FindStringSubmatch(w.Text); m != nil {
			if n, err := strconv.Atoi(value(m)); err == nil {
				a.strip = n
			}
		}
		a.reverse = a.reverse || w.Text == "-R" || w.Text == "--reverse"
	}
	return a
}

// of returns the file that the command changes in place of `name`, which is the path in a patch without `a/` or `b/`.
func (a aim) of(name string) string {
	if a.strip == 0 {
		return path.Join(a.folder, "b", name)
	}
	folders := strings.Split(name, "/")
	return path.Join(a.folder, strings.Join(folders[min(a.strip-1, len(folders)-1):], "/"))
}

// aimedAt returns the file that a command changes in place of a file that the reply changes, because its options or its
// folder give the names in a patch another meaning. It returns "" if the tree has no such file.
func (a *lister) aimedAt(e effect) string {
	if e.patch == nil || *e.patch == (aim{strip: 1}) {
		return ""
	}
	for _, name := range a.files.changed() {
		other := e.patch.of(name)
		if other == name || path.IsAbs(other) || !a.files.changes(name) || a.files.changes(other) {
			continue
		}
		if a.files.isFile(other) || a.files.isNew(name) && path.Dir(other) != "." && a.files.isFolder(path.Dir(other)) {
			return other
		}
	}
	return ""
}
