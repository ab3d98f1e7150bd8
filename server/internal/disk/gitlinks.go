package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A link in git's own folder makes its target as good as a file there: with
// .git/hooks/pre-commit -> ../../scripts/pre-commit, a usual way to share hooks, git runs
// scripts/pre-commit.

// mostGitNames is how many names are listed in the folders of one repository.
const mostGitNames = 20_000

var errManyGitNames = errors.New("its .git has too many files to look for links in it")

// A gitLink is that a link of git's goes through, or ends at, a file or folder.
type gitLink struct{ to, link string } // absolute paths

// gitLinks are what the links in the folders of a repository lead to, those of its
// submodules and other working trees included.
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

// contents are the folders at the top of a repository that may be large, and hold nothing
// that git reads as configuration or runs.
var contents = map[string]bool{"objects": true, "refs": true, "logs": true, "lfs": true, "annex": true, "rr-cache": true}

// chain is what a link leads to, over all links on the way.
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

// linked says which link of git's makes a file as good as one in git's own folder. A folder
// or link above what it leads to decides too.
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
