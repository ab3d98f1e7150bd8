package plan

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// A repository needs no folder of the name .git: git takes every folder with HEAD,
// objects and refs for one, and any command in it, even `git status`, runs what its
// config names. The same holds for the folder that a file .git names. Rule R16.

// refuseRepositories refuses each change of a block in a folder that is a repository
// before or after the block.
func (b *builder) refuseRepositories(d *draft) error {
	known := map[string]*repository{}
	for _, t := range d.traces {
		e := b.files[t.path]
		if d.byKey[t.path] != t || e == nil || t.failed != nil || e.now.same(t.before) {
			continue
		}
		for _, dir := range append(parents(t.path), ".") {
			r, err := b.repositoryAt(known, dir)
			if err != nil {
				return err
			}
			if how := r.holds(t.path); how != "" {
				b.refuse(d, t, how)
				break
			}
		}
	}
	return nil
}

// refuse takes back the change of one path, and of the one that it was renamed from.
func (b *builder) refuse(d *draft, t *trace, how string) {
	d.report(at(t.by, *pathError(diag.PathGit, fmt.Sprintf("%s lies in %s; git runs programs that a repository's configuration names, so nothing in one is written", t.path, how))))
	source := d.byKey[t.from]
	for _, t := range []*trace{t, source} {
		if t == nil {
			continue
		}
		by := t.by
		if t != source && (by.Kind == intent.Rename || by.Kind == intent.Copy) && !t.before.Exists {
			by.Kind = intent.Create // of the rename's target
		}
		b.files[t.path].now, t.failed = t.before, &by
	}
}

// A repository is what git would take for one at a folder: the folder itself, or
// those that the file .git in it names.
type repository struct {
	dir   string
	is    bool     // has HEAD, objects and refs
	names []string // folders, from the tree's root, that the file .git leads to
}

// holds says which repository's folder a path below r.dir lies in; "" for none.
func (r *repository) holds(key string) string {
	if r.is {
		return shown(r.dir) + ", which git takes for a repository (it has HEAD, objects and refs)"
	}
	for _, name := range r.names {
		if key == name || name == "." || within(name, key) {
			return fmt.Sprintf("%s, which is a repository's folder, as %s says", shown(name), path.Join(r.dir, ".git"))
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

func (b *builder) repositoryAt(known map[string]*repository, dir string) (*repository, error) {
	if r, ok := known[dir]; ok {
		return r, nil
	}
	names, err := b.gitFolders(dir)
	if err != nil {
		return nil, err
	}
	r := &repository{dir: dir, is: b.isRepository(dir), names: names}
	known[dir] = r
	return r, nil
}

// isRepository reports whether a folder has what git looks for, in the tree or after the
// changes so far. HEAD may hold anything: a later change could make it valid.
func (b *builder) isRepository(dir string) bool {
	planned := b.plannedIn(dir)
	has := func(name string, file bool) bool {
		if isDir, ok := planned[strings.ToLower(name)]; ok && !(file && isDir) {
			return true
		}
		info, err := fs.Lstat(b.tree, path.Join(dir, name))
		return err == nil && !(file && info.IsDir())
	}
	return has("HEAD", true) && (has("commondir", true) || has("objects", false) && has("refs", false))
}

// plannedIn is the names in a folder that the changes so far leave there, as a file
// system may fold them, and whether each is a folder.
func (b *builder) plannedIn(dir string) map[string]bool {
	keys := b.below[dir]
	if dir == "." {
		keys = b.order
	}
	names := map[string]bool{}
	for _, key := range keys {
		name, _, deeper := strings.Cut(below(dir, key), "/")
		if now := b.files[key].now; now.Exists {
			names[fspath.Folded(name)] = deeper || now.Mode.IsDir()
		}
	}
	return names
}

// below is a path in dir as seen from it.
func below(dir, key string) string {
	if dir == "." {
		return key
	}
	return strings.TrimPrefix(key, dir+"/")
}

// maxGitFile is how many bytes of a file .git are read: it holds one path.
const maxGitFile = 2 * maxPath

// gitFolders are the folders that a file or link .git in dir leads to, below the tree's
// root: the repository's own, and the one that it shares with other worktrees.
func (b *builder) gitFolders(dir string) ([]string, error) {
	name := path.Join(dir, ".git")
	info, err := fs.Lstat(b.tree, name)
	if err != nil || info.IsDir() {
		return nil, nil
	}
	var own string
	if info.Mode().Type() == fs.ModeSymlink {
		own, err = fspath.Canonical(b.tree, name)
		if err != nil {
			return nil, nil // it leads out of the tree, or nowhere
		}
	} else {
		target, err := b.firstLine(name, info)
		if err != nil {
			return nil, err
		}
		target, found := strings.CutPrefix(target, "gitdir:")
		if own = b.leadsTo(dir, strings.TrimSpace(target)); !found || own == "" {
			return nil, nil
		}
	}
	return b.withCommon(own)
}

func (b *builder) withCommon(own string) ([]string, error) {
	name := path.Join(own, "commondir")
	info, err := fs.Lstat(b.tree, name)
	if err != nil {
		return []string{own}, nil
	}
	target, err := b.firstLine(name, info)
	if err != nil {
		return nil, err
	}
	if common := b.leadsTo(own, target); common != "" {
		return []string{own, common}, nil
	}
	return []string{own}, nil
}

// leadsTo is a path that a file in dir names, from the tree's root; "" where it leads out.
func (b *builder) leadsTo(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if b.Base != "" && (strings.HasPrefix(target, "/") || drive.MatchString(target)) {
		rest, inside := strings.CutPrefix(path.Clean(target)+"/", strings.TrimSuffix(b.Base, "/")+"/")
		if !inside {
			return ""
		}
		dir, target = ".", rest
	}
	joined := path.Join(dir, target)
	if target == "" && dir != "." || !fs.ValidPath(joined) {
		return ""
	}
	if key, err := fspath.Canonical(b.tree, joined); err == nil {
		return key
	}
	return joined
}

// firstLine reads a small file of git's; "" for what is none.
func (b *builder) firstLine(name string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := b.tree.Open(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxGitFile))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line), nil
}
