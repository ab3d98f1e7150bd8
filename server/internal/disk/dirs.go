package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"
)

// MakeDirs makes the missing directories above files and returns them, parents first,
// also with an error. It is for editors that create a file but not its directory.
func (r *Root) MakeDirs(files []string) (made []string, err error) {
	for _, file := range files {
		for _, dir := range parents(file) {
			err := r.disk.Mkdir(dir, 0o777)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			if err != nil {
				return made, fmt.Errorf("%s: %w", dir, err)
			}
			made = append(made, dir)
		}
	}
	return made, nil
}

// RemoveDirs removes those of dirs, as MakeDirs returned them, that are empty.
func (r *Root) RemoveDirs(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		_ = r.removeDir(dir)
	}
}

// parents returns the directories above a file, the outermost first.
func parents(file string) []string {
	var dirs []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

func (r *Root) mkdir(name string) error {
	if err := r.noLinkAbove(name); err != nil {
		return err
	}
	return r.makeDir(r.disk, name, 0o777)
}

// removeDir removes a directory if it is empty; else the error is [fs.ErrExist].
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
