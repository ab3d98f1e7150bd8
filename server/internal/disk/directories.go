package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A directories value describes the directories around the files of a transaction.
type directories struct {
	root    *Root
	deleted map[string]bool
	needed  map[string]bool // the directories above the files that the transaction writes
	prune   map[string]bool // the directories to remove if they are empty
	remove  map[string]bool // the directories in `prune` that must be removed; otherwise the transaction fails
	known   map[string]dirState
	buf     []byte
}

type dirState struct {
	exists bool // false for a link
	mode   fs.FileMode
	how    string // why a missing directory cannot be created, or ""
	err    error
}

func newDirectories(r *Root, tx Transaction) *directories {
	d := &directories{root: r, deleted: map[string]bool{}, needed: map[string]bool{}, prune: map[string]bool{},
		remove: map[string]bool{}, known: map[string]dirState{".": {exists: true}}, buf: make([]byte, 64<<10)}
	emptied := map[string]bool{}
	for _, op := range tx.Ops {
		if op.After == nil {
			d.deleted[op.Path] = true
			addParents(emptied, op.Path)
		} else {
			addParents(d.needed, op.Path)
		}
	}
	for _, dir := range tx.Make {
		addParents(d.needed, path.Join(dir, "file"))
	}
	for _, dir := range tx.Prune {
		if emptied[dir] && !d.needed[dir] && d.state(dir).exists {
			d.prune[dir] = true
		}
	}
	for _, dir := range tx.Remove {
		if d.state(dir).exists {
			d.prune[dir], d.remove[dir] = true, true
		}
	}
	return d
}

func addParents(dirs map[string]bool, file string) {
	for dir := path.Dir(file); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
		dirs[dir] = true
	}
}

// state returns the state of a directory. It looks at each directory only once, and does not follow links. Paths of
// transactions are canonical, so a link in a path was made since.
func (d *directories) state(name string) dirState {
	if known, ok := d.known[name]; ok {
		return known
	}
	state := d.state(path.Dir(name))
	if state.exists {
		state = d.look(name)
	}
	d.known[name] = state
	return state
}

func (d *directories) look(name string) dirState {
	info, err := lstat(d.root.disk, name)
	switch {
	case fspath.Missing(err):
		return dirState{}
	case err != nil:
		return dirState{err: err}
	case info.IsDir():
		return dirState{exists: true, mode: info.Mode()}
	case (info.Mode().IsRegular() || info.Mode().Type() == fs.ModeSymlink) && d.deleted[name]:
		// The transaction deletes this file before it creates the directory.
		return dirState{}
	}
	return dirState{how: fmt.Sprintf("%s is %s now", name, fspath.Kind(info))}
}

// compare returns the directories of tx.Make and tx.Remove that cannot be created or removed, with the reasons.
func (d *directories) compare(tx Transaction) (changed []Changed, err error) {
	for i, dir := range slices.Concat(tx.Make, tx.Remove) {
		removes := i >= len(tx.Make)
		state := d.state(dir)
		switch {
		case state.err != nil:
			return nil, fmt.Errorf("%s: %w", dir, state.err)
		case state.how != "":
			changed = append(changed, Changed{dir, state.how})
		case removes && !state.exists:
			changed = append(changed, Changed{dir, "it is gone"})
		case removes && d.needed[dir]:
			return nil, &fs.PathError{Op: "remove", Path: dir, Err: errors.New("the same change puts a file into it")}
		}
	}
	return changed, nil
}

// staging returns the directory for the temp file and the backup of `file`. It is the nearest directory above `file`
// that exists before, during and after the change, so that every rename stays within one file system.
func (d *directories) staging(file string) string {
	dir := path.Dir(file)
	for dir != "." && (!d.state(dir).exists || d.prune[dir]) {
		dir = path.Dir(dir)
	}
	return dir
}

func (d *directories) missing() []string {
	dirs := slices.Sorted(maps.Keys(d.needed))
	return slices.DeleteFunc(dirs, func(dir string) bool { return d.state(dir).exists })
}

func (d *directories) prunable() []folder {
	var dirs []folder
	for dir := range d.prune {
		dirs = append(dirs, folder{dir, d.state(dir).mode})
	}
	slices.SortFunc(dirs, func(a, b folder) int { return cmp.Compare(a.Path, b.Path) })
	return dirs
}
