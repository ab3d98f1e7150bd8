package git

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A Finder finds the folders of a tree that git treats as git directories, before or after a change. It checks each
// folder once.
//
// A git directory need not be named .git, because git accepts every folder with HEAD, objects and refs. In a git
// directory, any git command, even `git status`, runs programs that the configuration names. The same is true of a
// folder to which a file named .git points. Rule R16 protects these folders.
type Finder struct {
	Tree  fs.FS        // the files before the change
	Names fspath.Names // the rules by which the tree compares names
	Base  string       // the absolute path of the tree's root, with slashes; "" if the root has no path
	// After reports whether the folder `dir` has an entry `name` after the change. It is called only for names for
	// which [IsMark] is true, folded by [fspath.Folded]. isFile is true if the entry is not a folder.
	After func(dir, name string) (exists, isFile bool)

	known  map[string]*gitDirs
	around *string // the result of aroundTree
}

// Holds describes, in words for people, the git directory that contains a path, or returns "". The error comes from
// reading the tree.
func (f *Finder) Holds(name string) (string, error) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		g, err := f.gitDirsAt(dir)
		if err != nil {
			return "", err
		}
		if how := g.holds(f.Names, name); how != "" {
			return how, nil
		}
		if dir == "." {
			return f.aroundTree(), nil
		}
	}
}

// aroundTree describes the git directory that contains the whole tree, or returns "". For example, the tree .git/hooks
// is in the folder .git. A working tree in between ends the search.
func (f *Finder) aroundTree() string {
	if f.around != nil {
		return *f.around
	}
	f.around = new(string)
	for dir, parent := filepath.FromSlash(f.Base), ""; dir != "" && dir != parent; dir, parent = filepath.Dir(dir), dir {
		if name := filepath.Base(dir); fspath.IsGit(name) || IsRepository(dir) {
			*f.around = name + ", a git directory that contains the root"
			break
		}
		if Has(dir, ".git") {
			break
		}
	}
	return *f.around
}

// A gitDirs lists the git directories that git would use in a folder: the folder itself, or the folders that its file
// .git names.
type gitDirs struct {
	dir   string
	is    string   // the entries that make the folder a git directory; "" if it is not a git directory
	names []string // the folders, relative to the tree's root, to which the file .git leads
}

func (g *gitDirs) holds(as fspath.Names, key string) string {
	if g.is != "" {
		return fmt.Sprintf("%s, which git treats as a git directory (it has %s)", shown(g.dir), g.is)
	}
	for _, name := range g.names {
		if fspath.IsBelow(as.Key(name), as.Key(key)) {
			return fmt.Sprintf("%s, which %s names as a git directory", shown(name), path.Join(g.dir, ".git"))
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

func (f *Finder) gitDirsAt(dir string) (*gitDirs, error) {
	if g, ok := f.known[dir]; ok {
		return g, nil
	}
	names, err := f.gitFolders(dir)
	if err != nil {
		return nil, err
	}
	if f.known == nil {
		f.known = map[string]*gitDirs{}
	}
	g := &gitDirs{dir: dir, is: f.isGitDir(dir), names: names}
	f.known[dir] = g
	return g, nil
}

// IsMark reports whether an entry with this folded name could make its folder a git directory, or configure one.
func IsMark(folded string) bool {
	switch folded {
	case "head", "commondir", "objects", "refs", "config", "hooks":
		return true
	}
	return false
}

// isGitDir names the entries that make git accept a folder as a git directory, or as the common directory of several.
// The entries are in the tree, before or after the change. For any other folder, it returns "".
//
// HEAD may have any content, because a later change could make the content valid. A common directory needs no HEAD,
// because a file commondir in any other folder may lead to it. Therefore no change may give it a configuration or hooks.
func (f *Finder) isGitDir(dir string) string {
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

// maxGitFile limits how many bytes of a file .git are read. The file contains one path.
const maxGitFile = 8192

// gitFolders returns the folders in the tree to which a file or link named .git in `dir` leads: the git directory, and
// the common directory that it shares with other worktrees.
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
			// The link leads out of the tree, or to a missing file.
			return nil, nil
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

// leadsTo resolves the target in a file .git or commondir of `dir`. The result is relative to the root of the tree, or
// "" if the target is outside the tree.
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

// firstLine reads the first line of a small file. It returns "" if the file is not a regular file.
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
