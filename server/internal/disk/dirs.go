package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// MakeDirs makes the directories that are missing on the way to files, and
// returns them, parents first, also beside an error. It is for editors that
// create a file but not its directory.
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

// parents are the directories that hold a file, the outermost first.
func parents(file string) []string {
	var dirs []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}
