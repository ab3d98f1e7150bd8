package fspath

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Contains reports whether the path `file` is the path `name` or a path below it. Both paths may go through links.
func Contains(name, file string) bool {
	for _, name := range []string{name, Real(name)} {
		for _, file := range []string{file, Real(file)} {
			if file == name || IsUnder(name, file) {
				return true
			}
		}
	}
	return false
}

// IsUnder reports whether the path `file` is below `folder`. Links are not resolved.
func IsUnder(folder, file string) bool {
	return strings.HasPrefix(file, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// Real returns `name` with the links resolved in the part of it that exists.
func Real(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	if dir := filepath.Dir(name); dir != name {
		return filepath.Join(Real(dir), filepath.Base(name))
	}
	return name
}

// Kind returns the kind of a file, such as "a FIFO".
func Kind(info fs.FileInfo) string {
	switch info.Mode().Type() {
	case 0:
		return "a file"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a FIFO"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}
