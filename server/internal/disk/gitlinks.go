package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A link in git's own folder makes its target as sensitive as a file there. For example,
// people share hooks by .git/hooks/pre-commit -> ../../scripts/pre-commit, which makes git
// run scripts/pre-commit.

// mostGitNames is the most names that are listed in the folders of one repository.
const mostGitNames = 20_000

var errManyGitNames = errors.New("its .git has too many files to look for links in it")

// A gitLink records that a link in git's folder leads to a file or folder, or passes through
// it.
type gitLink struct{ to, link string } // absolute paths

// gitLinks returns the targets of the links in the folders of a repository, including those
// of its submodules and other working trees.
func (r repository) gitLinks() ([]gitLink, error) {
	var found []gitLink
	listed := 0
	var walk func(dir string) error
	walk = func(dir string) error {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if listed += len(entries); listed > mostGitNames {
			return errManyGitNames
		}
		isTop := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "HEAD" })
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			switch {
			case e.Type()&fs.ModeSymlink != 0:
				found = append(found, chain(name)...)
			case e.IsDir() && !(isTop && contents[e.Name()]):
				err = errors.Join(err, walk(name))
			}
		}
		return err
	}
	err := walk(r.dir)
	if r.common != r.dir {
		err = errors.Join(err, walk(r.common))
	}
	return found, err
}

// contents lists folders at the top of a repository that may be large. Nothing in them is
// configuration or gets run.
var contents = map[string]bool{"objects": true, "refs": true, "logs": true, "lfs": true, "annex": true, "rr-cache": true}

// chain returns every path that a link leads to, including the links on the way.
func chain(link string) (all []gitLink) {
	at := link
	for range 40 { // as many as the system follows
		target, err := os.Readlink(at)
		if err != nil {
			break
		}
		at = leadsTo(filepath.Dir(at), target)
		all = append(all, gitLink{at, link})
	}
	return all
}

// linked returns the reason if a link in git's folder makes a file sensitive, because it
// leads to the file or to a folder or link above it. Otherwise it returns "".
func (a *answer) linked(file string) string {
	i := slices.IndexFunc(a.links, func(l gitLink) bool { return isWithin(l.to, file) || isWithin(file, l.to) })
	if i < 0 {
		return ""
	}
	name := a.links[i].link
	if rel, err := filepath.Rel(a.top, name); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return name + " leads to it, and git runs or obeys what is there"
}
