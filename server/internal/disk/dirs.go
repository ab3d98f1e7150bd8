package disk

import (
	"io/fs"
	"maps"
	"slices"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// MissingDirs returns the directories above `files` that do not exist, parents first. It is for editors, because some
// create a file but not its directory.
func (r *Root) MissingDirs(files []string) []string {
	above := map[string]bool{}
	for _, file := range files {
		addParents(above, file)
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(above)), func(dir string) bool {
		_, err := r.disk.Lstat(dir)
		return !fspath.Missing(err)
	})
}

// RemoveDirs removes the empty directories among `dirs`, which must name parents before their children.
func (r *Root) RemoveDirs(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		_ = r.removeDir(dir)
	}
}

func (r *Root) mkdir(name string) error {
	if err := r.noLinkAbove(name); err != nil {
		return err
	}
	return r.makeDir(r.disk, name, 0o777)
}

// removeDir removes an empty directory. If the directory is not empty, the error is [fs.ErrExist].
func (r *Root) removeDir(name string) error {
	if err := r.noLinkAbove(name); err != nil {
		return err
	}
	info, err := r.disk.Lstat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "remove", Path: name, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return err
	}
	return r.remove(r.disk, name)
}
