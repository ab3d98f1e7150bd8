package disk

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A drive models what a disk may hold after a loss of power: everything that was synced, and
// any part of the rest, in any order. It does not assume that the file system has a journal,
// which would promise more.
type drive struct {
	top     *node
	pending []update // of directories, in order
	caches  bool     // written data stays in the drive's cache until the next sync of any file, as on macOS
	cache   []*node
}

// A node is a file, a link or a directory.
type node struct {
	mode            fs.FileMode
	content, synced string           // the content of a file, or the target of a link, which is synced with its name
	now, kept       map[string]*node // the entries of a directory now, and those that are synced
}

// An update is an atomic change of directories, such as a rename. It is a list of entries
// that change together.
type update []entrySet

type entrySet struct {
	dir  *node
	name string
	to   *node // nil if the name is removed
}

// A record is an operation that was made.
type record struct {
	operation
	mode    fs.FileMode // of path afterwards
	content string      // of path afterwards
}

func newDir(mode fs.FileMode) *node {
	return &node{mode: mode | fs.ModeDir, now: map[string]*node{}, kept: map[string]*node{}}
}

// readDrive returns a drive with the current folders, all synced.
func readDrive(t testing.TB, folders ...string) *drive {
	t.Helper()
	d := &drive{top: newDir(0o755)}
	for _, folder := range folders {
		parent := d.top
		for _, name := range strings.Split(strings.Trim(folder, "/"), "/") {
			if parent.now[name] == nil {
				child := newDir(0o755)
				parent.now[name], parent.kept[name] = child, child
			}
			parent = parent.now[name]
		}
		fill(t, parent, folder)
	}
	return d
}

func fill(t testing.TB, dir *node, path string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	must(t, err)
	for _, e := range entries {
		full := filepath.Join(path, e.Name())
		mode, content := look(t, full)
		child := &node{mode: mode, content: content, synced: content}
		if e.IsDir() {
			child = newDir(mode)
			fill(t, child, full)
		}
		dir.now[e.Name()], dir.kept[e.Name()] = child, child
	}
}

// loseContent marks the content of all files as not synced.
func (n *node) loseContent() {
	if n.mode.IsRegular() {
		n.synced = ""
	}
	for _, child := range n.now {
		child.loseContent()
	}
}

// look returns the mode and the content of a path. A directory has no content.
func look(t testing.TB, path string) (fs.FileMode, string) {
	t.Helper()
	info, err := os.Lstat(path)
	must(t, err)
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		target, err := os.Readlink(path)
		must(t, err)
		return info.Mode(), target
	case info.IsDir():
		return info.Mode(), ""
	}
	data, err := os.ReadFile(path)
	must(t, err)
	return info.Mode(), string(data)
}

func (d *drive) find(path string) *node {
	n := d.top
	for _, name := range strings.Split(strings.Trim(path, "/"), "/") {
		if n != nil {
			n = n.now[name]
		}
	}
	return n
}

// do repeats a recorded operation in memory.
func (d *drive) do(r record) {
	n := d.find(r.path)
	switch r.kind {
	case opCreate:
		if n == nil {
			d.update(r.path, &node{mode: r.mode})
		} else {
			n.content = ""
		}
	case opWrite:
		n.content = r.content
	case opMode:
		n.mode = r.mode
	case opMkdir:
		d.update(r.path, newDir(r.mode))
	case opSymlink:
		d.update(r.path, &node{mode: r.mode, content: r.content, synced: r.content})
	case opRemove:
		d.update(r.path, nil)
	case opLink:
		d.update(r.to, n)
	case opRename:
		d.update(r.path, nil)
		d.update(r.to, n)
		last := len(d.pending) - 2
		d.pending = append(d.pending[:last], append(d.pending[last], d.pending[last+1]...))
	case opHand:
		d.cache = append(d.cache, n)
		if !d.caches {
			d.flush()
		}
	case opSync:
		d.flush()
		d.sync(n)
	}
}

func (d *drive) update(path string, to *node) {
	dir, name := d.find(filepath.Dir(path)), filepath.Base(path)
	u := update{{dir, name, to}}
	u.apply(func(n *node) map[string]*node { return n.now })
	d.pending = append(d.pending, u)
}

func (u update) apply(entries func(*node) map[string]*node) {
	for _, s := range u {
		if s.to == nil {
			delete(entries(s.dir), s.name)
		} else {
			entries(s.dir)[s.name] = s.to
		}
	}
}

// flush syncs the content of all files in the drive's cache.
func (d *drive) flush() {
	for _, n := range d.cache {
		n.synced = n.content
	}
	d.cache = nil
}

func (d *drive) sync(n *node) {
	n.synced = n.content
	d.pending = slices.DeleteFunc(d.pending, func(u update) bool {
		touches := slices.ContainsFunc(u, func(s entrySet) bool { return s.dir == n })
		if touches {
			u.apply(func(n *node) map[string]*node { return n.kept })
		}
		return touches
	})
	d.forget()
}

// forget drops the updates of directories that no longer exist and cannot return.
func (d *drive) forget() {
	there := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		there[n] = true
		for _, entries := range []map[string]*node{n.now, n.kept} {
			for _, child := range entries {
				walk(child)
			}
		}
	}
	walk(d.top)
	d.pending = slices.DeleteFunc(d.pending, func(u update) bool {
		return !slices.ContainsFunc(u, func(s entrySet) bool { return there[s.dir] })
	})
}

// An unsynced function returns what remains of content that was not synced.
type unsynced func(*node) string

var losses = []unsynced{
	func(n *node) string { return n.synced },
	func(n *node) string { return n.content[:len(n.content)/2] },
	func(n *node) string { return n.content },
}

// lay writes the drive's contents into an existing empty folder, as if only the pending
// updates selected by keep had been made. lost says what remains of content that was not
// synced.
func (d *drive) lay(t testing.TB, folder string, keep []bool, lost unsynced) {
	t.Helper()
	entries := map[*node]map[string]*node{}
	entriesOf := func(n *node) map[string]*node {
		if entries[n] == nil {
			entries[n] = maps.Clone(n.kept)
		}
		return entries[n]
	}
	for i, u := range d.pending {
		if keep[i] {
			u.apply(entriesOf)
		}
	}
	dir := d.top
	for _, name := range strings.Split(strings.Trim(folder, "/"), "/") {
		dir = entriesOf(dir)[name]
	}
	layNode(t, folder, dir, entriesOf, lost, map[*node]string{})
}

func layNode(t testing.TB, path string, dir *node, entriesOf func(*node) map[string]*node, lost unsynced, seen map[*node]string) {
	t.Helper()
	for name, n := range entriesOf(dir) {
		full := filepath.Join(path, name)
		switch {
		case n.mode.IsDir():
			must(t, os.Mkdir(full, 0o700))
			layNode(t, full, n, entriesOf, lost, seen)
			must(t, os.Chmod(full, n.mode.Perm()))
		case seen[n] != "":
			must(t, os.Link(seen[n], full))
		case n.mode.Type() == fs.ModeSymlink:
			symlink(t, n.content, full)
			seen[n] = full
		default:
			content := n.content
			if n.content != n.synced {
				content = lost(n)
			}
			must(t, os.WriteFile(full, []byte(content), 0o600))
			must(t, os.Chmod(full, n.mode.Perm()))
			seen[n] = full
		}
	}
}

// hasUnsynced reports whether some content is not synced.
func (d *drive) hasUnsynced() bool { return unsyncedBelow(d.top) }

func unsyncedBelow(n *node) bool {
	if n.content != n.synced {
		return true
	}
	for _, child := range n.now {
		if unsyncedBelow(child) {
			return true
		}
	}
	return false
}

func (r record) String() string { return fmt.Sprintf("%s %s %s", r.kind, r.path, r.to) }
