package git

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A Finder finds the folders of a tree that git treats as repositories, before or after a
// change. It checks each folder once.
//
// A repository needs no folder named .git: git accepts every folder with HEAD, objects and
// refs. Any git command in it, even `git status`, runs programs that its configuration names.
// The same holds for a folder that a file named .git points to. Rule R16.
type Finder struct {
	Tree  fs.FS        // before the change
	Names fspath.Names // the rules by which the tree compares names
	Base  string       // absolute path of the tree's root with slashes; "" if it has none
	// After reports what a folder will hold after the change under a name that [IsMark] accepts,
	// folded by [fspath.Folded]: exists if there will be anything, and isFile if it will not be a
	// folder.
	After func(dir, name string) (exists, isFile bool)

	known map[string]*repository
}

// Holds describes, for people, the repository whose folder contains a path, or returns "" if
// there is none. It returns an error if the tree cannot be read.
func (f *Finder) Holds(name string) (string, error) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		r, err := f.repositoryAt(dir)
		if err != nil {
			return "", err
		}
		if how := r.holds(f.Names, name); how != "" || dir == "." {
			return how, nil
		}
	}
}

// A repository holds the folders that git would use as a repository at a folder: the folder
// itself, or those that its file .git points to.
type repository struct {
	dir   string
	is    string   // the entries that make the folder a repository; "" if it is none
	names []string // the folders, relative to the tree's root, to which the file .git leads
}

func (r *repository) holds(as fspath.Names, key string) string {
	if r.is != "" {
		return fmt.Sprintf("%s, which git treats as a repository (it has %s)", shown(r.dir), r.is)
	}
	for _, name := range r.names {
		if fspath.IsBelow(as.Key(name), as.Key(key)) {
			return fmt.Sprintf("%s, which %s names as the folder of a repository", shown(name), path.Join(r.dir, ".git"))
		}
	}
	return ""
}

func shown(dir string) string {
	if dir == "." {
		return "the root"
	}
	return dir
}

func (f *Finder) repositoryAt(dir string) (*repository, error) {
	if r, ok := f.known[dir]; ok {
		return r, nil
	}
	names, err := f.gitFolders(dir)
	if err != nil {
		return nil, err
	}
	if f.known == nil {
		f.known = map[string]*repository{}
	}
	r := &repository{dir: dir, is: f.isRepository(dir), names: names}
	f.known[dir] = r
	return r, nil
}

// IsMark reports whether a folded name may make a repository of its folder, or configure one.
func IsMark(folded string) bool {
	switch folded {
	case "head", "commondir", "objects", "refs", "config", "hooks":
		return true
	}
	return false
}

// isRepository returns the entries because of which git accepts a folder as a repository, or as the part that
// several share, in the tree or after the change. It returns "" if there are none. HEAD may have any content,
// because a later change could make it valid. The shared part needs no HEAD. Any other folder may lead to it by
// a file commondir, so no change may give it a configuration or hooks.
func (f *Finder) isRepository(dir string) string {
	inTree := func(name string, file bool) bool {
		info, err := fs.Lstat(f.Tree, path.Join(dir, name))
		return err == nil && !(file && info.IsDir())
	}
	has := func(name string, file bool) bool {
		comes, isFile := f.After(dir, strings.ToLower(name))
		return isFile || comes && !file || inTree(name, file)
	}
	if has("HEAD", true) && (has("commondir", true) || has("objects", false) && has("refs", false)) {
		return "HEAD, objects and refs"
	}
	for _, name := range []string{"config", "hooks"} {
		if comes, _ := f.After(dir, name); comes && inTree("objects", false) && inTree("refs", false) {
			return name + ", objects and refs"
		}
	}
	return ""
}

// maxGitFile limits the bytes that are read of a file .git, which holds one path.
const maxGitFile = 8192

// gitFolders returns the folders below the tree's root that a file or link named .git in dir
// leads to: the repository's own folder, and the one that it shares with other worktrees.
func (f *Finder) gitFolders(dir string) ([]string, error) {
	name := path.Join(dir, ".git")
	info, err := fs.Lstat(f.Tree, name)
	if err != nil || info.IsDir() {
		return nil, nil
	}
	var own string
	if info.Mode().Type() == fs.ModeSymlink {
		own, err = fspath.Canonical(f.Tree, name)
		if err != nil {
			return nil, nil // the link leads out of the tree, or nowhere
		}
	} else {
		target, err := f.firstLine(name, info)
		if err != nil {
			return nil, err
		}
		target, found := strings.CutPrefix(target, "gitdir:")
		if own = f.leadsTo(dir, strings.TrimSpace(target)); !found || own == "" {
			return nil, nil
		}
	}
	return f.withCommon(own)
}

func (f *Finder) withCommon(own string) ([]string, error) {
	name := path.Join(own, "commondir")
	info, err := fs.Lstat(f.Tree, name)
	if err != nil {
		return []string{own}, nil
	}
	target, err := f.firstLine(name, info)
	if err != nil {
		return nil, err
	}
	if common := f.leadsTo(own, target); common != "" {
		return []string{own, common}, nil
	}
	return []string{own}, nil
}

// leadsTo returns a target named in dir, relative to the tree's root, or "" if it lies
// outside the tree.
func (f *Finder) leadsTo(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if f.Base != "" && f.Names.IsAbs(target) {
		rest, inside := f.Names.Below(f.Base, target)
		if !inside {
			return ""
		}
		dir, target = ".", rest
	}
	joined := path.Join(dir, target)
	if target == "" && dir != "." || !fs.ValidPath(joined) {
		return ""
	}
	if key, err := fspath.Canonical(f.Tree, joined); err == nil {
		return key
	}
	return joined
}

// firstLine reads the first line of one of git's small files. It returns "" if the file is
// not a regular one.
func (f *Finder) firstLine(name string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", nil
	}
	file, err := f.Tree.Open(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxGitFile))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line), nil
}
